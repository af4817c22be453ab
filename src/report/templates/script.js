"use strict";
{
  const by = (id) => document.getElementById(id);
  const form = by("filters");
  if (form) {
    const all = [...document.querySelectorAll("[data-verdict]")];
    const audits = all.filter((element) => element.localName === "details");
    const choices = ["verdict", "claim", "file"];
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
      for (const group of document.querySelectorAll(".group"))
        group.hidden = !group.querySelector("details.audit:not([hidden])");
    };
    const open = (yes) => () => audits.forEach((audit) => { if (!audit.hidden) audit.open = yes; });
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    by("open-all").addEventListener("click", open(true));
    by("close-all").addEventListener("click", open(false));
    form.hidden = false;
    show();
  }
}
