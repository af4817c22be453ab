"use strict";
{
  const by = (id) => document.getElementById(id);
  const form = by("filters");
  if (form) {
    const all = [...document.querySelectorAll("[data-verdict]")];
    const audits = all.filter((element) => element.localName === "details");
    const choices = ["verdict", "form", "file"];
    for (const key of choices) {
      const select = by("by-" + key);
      const values = [...new Set(audits.map((audit) => audit.dataset[key]))].filter((value) => value).sort();
      for (const value of values) select.append(new Option(value, value));
      if (values.length < 2) select.parentElement.hidden = true;
    }
    const show = () => {
      const wanted = by("by-name").value.toLowerCase();
      const fits = (element) =>
        choices.every((key) => !by("by-" + key).value || element.dataset[key] === by("by-" + key).value)
        && element.dataset.name.toLowerCase().includes(wanted);
      for (const element of all) element.hidden = !fits(element);
      const shown = audits.filter((audit) => !audit.hidden).length;
      by("shown").textContent = shown === audits.length ? "" : shown + " of " + audits.length + " shown";
      for (const group of document.querySelectorAll(".group")) {
        const here = [...group.querySelectorAll("details.audit")].filter((audit) => !audit.hidden).length;
        group.hidden = !here;
        group.querySelector("h2 .quiet").textContent = here;
        const link = document.querySelector(".jump [data-group=" + CSS.escape(group.id) + "]");
        if (link) link.textContent = here;
      }
      for (const table of document.querySelectorAll("table.sortable")) {
        const rows = [...table.querySelectorAll("tbody tr")];
        const here = rows.filter((row) => !row.hidden).length;
        table.querySelector(".shown").textContent = here === rows.length ? "" : here + " of " + rows.length + " shown";
      }
    };
    const open = (yes) => () => audits.forEach((audit) => { if (!audit.hidden) audit.open = yes; });
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    by("open-all").addEventListener("click", open(true));
    by("close-all").addEventListener("click", open(false));
    form.hidden = false;
    show();
  }
  // Headers that sort, numbers largest first and words from A to Z; once more turns that around.
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const numeric = head.classList.contains("n");
        const order = head.getAttribute("aria-sort") === (numeric ? "descending" : "ascending") ? (numeric ? 1 : -1) : (numeric ? -1 : 1);
        const key = (row) => numeric ? Number(row.cells[column].dataset.sort ?? -Infinity) : row.cells[column].textContent;
        const compare = (a, b) => numeric ? (key(a) === key(b) ? 0 : key(a) - key(b)) : key(a).localeCompare(key(b));
        const rows = [...table.querySelectorAll("tbody tr")].sort((a, b) => order * compare(a, b));
        table.tBodies[0].append(...rows);
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", order > 0 ? "ascending" : "descending");
      });
    });
  }
}
