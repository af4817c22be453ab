"""The table of results (RESULTS.md), the same as JSON (results.json), and the plot (results.svg)."""

import datetime
import json
import math
import os
import statistics

import peers
import plot
import results

# A geometric mean has no room for zeros: a smaller ratio counts as this one.
SMALLEST_RATIO = 0.01
ALPHA = 0.05


def write(out, mechanisms, runs):
    found, null = results.load(out, "rows", runs), results.load(out, "null")
    data = {
        "date": datetime.date.today().isoformat(),
        "runs": runs,
        "versions": {name: peers.version(name) for name in peers.ALL},
        "commands": commands(out),
        "mechanisms": {m.name: {"delta": m.delta, "epsilon": finite(m.epsilon), "formula": m.formula}
                       for m in mechanisms.values()},
        "rows": [{"auditor": name, **jsonable(row)} for name, rows in found.items() for row in rows.values()],
    }
    exact = {m.name: m.epsilon for m in mechanisms.values()}
    data["summary"] = [summary(name, found, null, exact) for name in found]
    with open(os.path.join(out, "results.json"), "w") as file:
        json.dump(data, file, indent=1)
        file.write("\n")
    with open(os.path.join(out, "RESULTS.md"), "w") as file:
        file.write("\n".join(page(data, found, mechanisms, exact)) + "\n")
    with open(os.path.join(out, "results.svg"), "w") as file:
        file.write(plot.svg(found, exact))


def commands(out):
    try:
        with open(os.path.join(out, "commands.txt")) as file:
            return list(dict.fromkeys(file.read().splitlines()))
    except FileNotFoundError:
        return []


def finite(number):
    return number if math.isfinite(number) else None


def jsonable(row):
    return {key: "infinity" if value == math.inf else value for key, value in row.items()}


def bound(found, auditor, name, seed=0):
    return found.get(auditor, {}).get((name, seed), {}).get("epsilon")


def summary(auditor, found, null, exact):
    first = {name: row for (name, seed), row in found[auditor].items() if seed == 0}
    bounds = {name: row["epsilon"] for name, row in first.items() if "epsilon" in row}
    shared = {name: value for name, value in bounds.items() if bound(found, "plaudit", name) is not None}
    gaps = [value - bound(found, "plaudit", name) for name, value in shared.items()]
    alarms = [row["epsilon"] > exact[name] for (name, _), row in null.get(auditor, {}).items() if "epsilon" in row]
    return {
        "auditor": auditor,
        "rows": len(bounds),
        "mean_ratio": mean_ratio(bounds, exact),
        "mean_ratio_of_plaudit": mean_ratio({name: bound(found, "plaudit", name) for name in shared}, exact),
        "ahead": sum(gap > results.MARGIN for gap in gaps),
        "behind": sum(gap < -results.MARGIN for gap in gaps),
        "above_exact": sum(value > exact[name] for name, value in bounds.items()),
        "false_alarms": sum(alarms),
        "nulls": len(alarms),
        "seconds": statistics.median(row["seconds"] for row in first.values()) if first else None,
        "runs": max((row["runs"] or 0 for row in first.values()), default=None),
    }


def mean_ratio(bounds, exact):
    logs = [math.log(max(value / exact[name], SMALLEST_RATIO))
            for name, value in bounds.items() if math.isfinite(exact[name])]
    return math.exp(statistics.fmean(logs)) if logs else None


def page(data, found, mechanisms, exact):
    lines = ["# Auditors compared", ""]
    lines += ["Made by `benchmark/run.py` on %s, with %s runs for each audit. [README.md](README.md) explains how each "
              "bound is read." % (data["date"], "{:,}".format(data["runs"]).replace(",", " ")), ""]
    lines += ["```sh"] + data["commands"] + ["```", ""]
    lines += summary_table(data) + ["", "![Certified over exact epsilon](results.svg)", ""]
    lines += row_table(found, mechanisms, exact) + [""]
    return lines + ahead_section(found, mechanisms, exact)


def summary_table(data):
    lines = ["## Summary", "",
             "| auditor | rows | certified / exact | plaudit, same rows | ahead of plaudit | behind | above exact | "
             "false alarms | seconds | runs | version |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    for one in data["summary"]:
        lines.append("| %s | %d | %s | %s | %s | %s | %d | %s | %.1f | %d | %s |" % (
            one["auditor"], one["rows"], number(one["mean_ratio"]), number(one["mean_ratio_of_plaudit"]),
            *(("", "") if one["auditor"] == "plaudit" else (one["ahead"], one["behind"])), one["above_exact"],
            "%d of %d" % (one["false_alarms"], one["nulls"]) if one["nulls"] else "", one["seconds"], one["runs"],
            data["versions"][one["auditor"]]))
    missing = [name for name, version in data["versions"].items() if version is None]
    if missing:
        lines += ["", "Not installed: %s." % ", ".join(missing)]
    return lines + [
        "",
        "* *Rows*: mechanisms with a bound. *Certified / exact*: geometric mean over the rows with a finite exact ε; "
        "a ratio below %g counts as %g." % (SMALLEST_RATIO, SMALLEST_RATIO),
        "* *Ahead*, *behind*: rows on which the bound differs from plaudit's by more than %g." % results.MARGIN,
        "* *Above exact*: rows with a bound above the exact ε. At 95 %, one in twenty is allowed.",
        "* *False alarms*: bounds above the exact ε of a right mechanism, over fresh audits.",
        "* *Seconds*: median of an audit, without imports. *Runs*: the most that an audit used.",
    ]


def number(value):
    return "" if value is None else "∞" if math.isinf(value) else "%.3f" % value


def row_table(found, mechanisms, exact):
    names = list(found)
    lines = ["## Rows", "", "Certified ε at δ. **Bold**: ahead of plaudit by more than %g. An exclamation mark: above the "
             "exact ε." % results.MARGIN, "",
             "| mechanism | δ | exact | %s |" % " | ".join(names), "|---" * (3 + len(names)) + "|"]
    for name, mechanism in mechanisms.items():
        cells = [cell(found, auditor, name, exact[name]) for auditor in names]
        lines.append("| %s | %g | %s | %s |" % (name, mechanism.delta, number(exact[name]), " | ".join(cells)))
    return lines


def cell(found, auditor, name, exact):
    row = found[auditor].get((name, 0))
    if row is None:
        return "not run"
    if "epsilon" not in row:
        return "failed" if row["note"].startswith("failed") else row["note"]
    text = number(row["epsilon"]) + ("!" if row["epsilon"] > exact else "")
    ours = bound(found, "plaudit", name)
    ahead = auditor != "plaudit" and ours is not None and row["epsilon"] > ours + results.MARGIN
    return "**%s**" % text if ahead else text


def ahead_section(found, mechanisms, exact):
    lines = ["## Rows on which a peer is ahead", ""]
    entries = []
    for auditor, names in results.ahead(found, list(mechanisms)).items():
        for name in names if auditor != "plaudit" else []:
            seeds = sorted({seed for one, seed in found[auditor] if one == name})
            both = [(bound(found, "plaudit", name, seed), bound(found, auditor, name, seed)) for seed in seeds]
            both = [(ours, theirs) for ours, theirs in both if ours is not None and theirs is not None]
            gap = statistics.fmean(theirs - ours for ours, theirs in both)
            entries.append("| %s | %s | %s | %s | %s | %+.3f | %s |" % (
                name, auditor, number(exact[name]), ", ".join(number(ours) for ours, _ in both),
                ", ".join(number(theirs) for _, theirs in both), gap, verdict(both, gap, exact[name])))
    if not entries:
        return lines + ["None."]
    return lines + ["One value for each seed.", "", "| mechanism | peer | exact | plaudit | peer's bounds | mean gap | reading |",
                    "|---|---|---|---|---|---|---|"] + sorted(entries)


def verdict(both, gap, exact):
    if len(both) < 2:
        return "one seed only: run `--again`"
    above = sum(theirs > exact for _, theirs in both)
    words = "ahead over %d seeds" if gap > results.MARGIN else "chance: not ahead over %d seeds"
    return words % len(both) + ("; %d above the exact ε" % above if above else "")
