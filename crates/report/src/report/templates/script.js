"use strict";
{
  const by = (id) => document.getElementById(id);
  // The body of a closed audit is inert text until it is opened. The page escaped what it holds.
  const draw = (audit) => {
    const text = audit.querySelector("noscript");
    if (text) text.replaceWith(...new DOMParser().parseFromString(text.textContent, "text/html").body.childNodes);
  };
  const audits = [...document.querySelectorAll(".group details.audit")];
  document.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.matches("details.audit")) draw(event.target);
  }, true);
  addEventListener("beforeprint", () => {
    for (const audit of audits) if (audit.open) draw(audit);
    for (const image of document.querySelectorAll("details.audit[open] img")) image.loading = "eager";
  });
  // A link to an audit opens it, and what it is folded in.
  const reveal = () => {
    const target = by(location.hash.slice(1));
    if (!target || !target.closest("details")) return;
    for (let up = target; up; up = up.parentElement) {
      if (up.localName !== "details") continue;
      if (up.matches("details.audit")) draw(up);
      up.open = true;
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  const form = by("filters");
  if (form) {
    const rows = new Map([...document.querySelectorAll(".summary tbody tr")].map((row) =>
      [by(row.querySelector("a").hash.slice(1)).parentElement, row]));
    const groups = [...document.querySelectorAll(".group")];
    const choices = ["verdict", "form", "leak", "file"];
    for (const key of choices) {
      const select = by("by-" + key);
      const values = [...new Set(audits.map((audit) => audit.dataset[key]))].filter((value) => value).sort();
      for (const value of values) select.append(new Option(value, value));
      if (values.length < 2) select.parentElement.hidden = true;
    }
    // Counts become buttons: one is pressed at a time.
    for (const link of document.querySelectorAll("a[data-filter]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = link.className;
      button.dataset.filter = link.dataset.filter;
      button.ariaPressed = "false";
      button.append(...link.childNodes);
      link.replaceWith(button);
    }
    const buttons = [...document.querySelectorAll("button[data-filter]")];
    const has = (audit, tags) => tags.split(" ").every((tag) => audit.dataset.is.split(" ").includes(tag));
    for (const button of buttons) button.hidden = !audits.some((audit) => has(audit, button.dataset.filter));
    const show = () => {
      const wanted = by("by-name").value.toLowerCase();
      const pressed = buttons.find((button) => button.ariaPressed === "true");
      const fits = (audit) =>
        choices.every((key) => !by("by-" + key).value || audit.dataset[key] === by("by-" + key).value)
        && audit.dataset.name.toLowerCase().includes(wanted)
        && (!pressed || has(audit, pressed.dataset.filter));
      for (const audit of audits) rows.get(audit).hidden = audit.hidden = !fits(audit);
      const shown = audits.filter((audit) => !audit.hidden).length;
      const filtered = shown < audits.length;
      by("shown").textContent = filtered ? shown + " of " + audits.length + " shown" : "";
      by("show-all").disabled = !filtered;
      for (const group of groups) {
        const here = [...group.querySelectorAll("details.audit:not([hidden])")].length;
        group.hidden = !here;
        group.querySelector("h2 .quiet").textContent = here;
        // What is folded is unfolded for a filter, and folded again after it.
        if (!group.matches(".settled")) continue;
        if (filtered && here && !group.open) group.dataset.unfolded = group.open = true;
        if (!filtered && group.dataset.unfolded) { group.open = false; delete group.dataset.unfolded; }
      }
      for (const table of document.querySelectorAll("table.sortable")) {
        const all = [...table.querySelectorAll("tbody tr")];
        const here = all.filter((row) => !row.hidden).length;
        table.hidden = !here;
        table.querySelector(".shown").textContent = here === all.length ? "" : here + " of " + all.length + " shown";
      }
    };
    for (const button of buttons) button.addEventListener("click", () => {
      const yes = button.ariaPressed !== "true";
      for (const other of buttons) other.ariaPressed = String(yes && other.dataset.filter === button.dataset.filter);
      show();
    });
    by("show-all").addEventListener("click", () => {
      form.reset();
      for (const button of buttons) button.ariaPressed = "false";
      show();
    });
    by("open-all").addEventListener("click", () => {
      const shown = audits.filter((audit) => !audit.hidden);
      shown.forEach(draw);
      for (const group of groups) if (!group.hidden) group.open = true;
      for (const audit of shown) audit.open = true;
    });
    by("close-all").addEventListener("click", () => audits.forEach((audit) => { audit.open = false; }));
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
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
  reveal();
}
