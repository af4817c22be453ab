#!/usr/bin/env python3
"""Checks the records of violations, and writes VIOLATIONS.md from them.

    violations/render.py            writes VIOLATIONS.md
    violations/render.py --check    fails if a record is wrong or VIOLATIONS.md is not current

Needs Python 3.9, and no package: the check of the schema covers the keywords that schema.json uses.
"""

import json
import math
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "VIOLATIONS.md"
FILES = ["record.json", "program.py", "audit.toml", "certificate.json", "reproduce.py"]
TYPES = {"object": dict, "array": list, "string": str, "number": (int, float), "null": type(None)}
KEYWORDS = {"$schema", "title", "description", "type", "additionalProperties", "required", "properties", "minItems", "items",
            "pattern", "minimum"}


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit("render.py: unknown arguments; use no argument, or --check")
    records, mistakes = read_records()
    if mistakes:
        sys.exit("\n".join(mistakes))
    page = render(records)
    if not arguments:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        sys.exit("VIOLATIONS.md is not current; run violations/render.py")


def read_records():
    """All records with their certificates, by name, and the mistakes in them."""
    schema = read(HERE / "schema.json")
    records, mistakes = [], []
    for folder in sorted(path.parent for path in HERE.glob("*/record.json")):
        missing = [name for name in FILES if not (folder / name).is_file()]
        if missing:
            mistakes.append(f"{folder.name}: files are missing: {', '.join(missing)}; add them")
            continue
        record, certificate = read(folder / "record.json"), read(folder / "certificate.json")
        found = list(against_schema(record, schema, "record"))
        found = found or list(against_certificate(record, certificate, folder))
        mistakes += [f"{folder.name}/record.json: {mistake}" for mistake in found]
        records.append((record, certificate))
    return records, mistakes


def read(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        sys.exit(f"{path.relative_to(HERE.parent)}: not JSON ({error}); correct the file")


def against_schema(value, schema, place):
    """Mistakes of a value, in words. The keywords are those of JSON Schema."""
    unknown = set(schema) - KEYWORDS
    if unknown:
        sys.exit(f"schema.json: render.py does not check {', '.join(sorted(unknown))}; add it to against_schema")
    types = schema.get("type", list(TYPES))
    types = [types] if isinstance(types, str) else types
    if isinstance(value, bool) or not any(isinstance(value, TYPES[name]) for name in types):
        yield f"{place} is {json.dumps(value)}; write a value of type {' or '.join(types)}"
    elif isinstance(value, dict):
        yield from of_object(value, schema, place)
    elif isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{place} is too short; write at least {schema['minItems']} items"
        for index, item in enumerate(value):
            yield from against_schema(item, schema.get("items", {}), f"{place}[{index}]")
    elif isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{place} is {json.dumps(value)}; it must match {schema['pattern']}"
    elif isinstance(value, (int, float)) and value < schema.get("minimum", -math.inf):
        yield f"{place} is {value}; write at least {schema['minimum']}"


def of_object(value, schema, place):
    known = schema.get("properties", {})
    for key in schema.get("required", []):
        if key not in value:
            yield f"{place} has no {key}; add it"
    for key, item in value.items():
        if key in known:
            yield from against_schema(item, known[key], f"{place}.{key}")
        elif schema.get("additionalProperties", True) is False:
            yield f"{place} has the unknown key {key}; remove it"


def against_certificate(record, certificate, folder):
    """Mistakes where a record differs from its certificate."""
    claim = {"epsilon": certificate["claim"]["epsilon"], "delta": certificate["claim"]["delta"]}
    certified = {
        "epsilon": math.floor(certificate["epsilon_lower"] * 100) / 100,
        "delta": certificate["claim"]["delta"],
        "alpha": certificate["alpha"],
    }
    data = {key: certificate["pair"][key]["json"] for key in ("d", "d_prime")}
    expected = [
        ("name", record["name"], folder.name),
        ("name", record["name"], certificate["audit"]),
        ("claim", record["claim"], claim),
        ("certified", record["certified"], certified),
        ("pair.d", record["pair"]["d"], data["d"]),
        ("pair.d_prime", record["pair"]["d_prime"], data["d_prime"]),
        ("library", record["library"], record["requirements"][0].split("==")[0]),
    ]
    for place, written, found in expected:
        if written != found:
            yield f"{place} is {json.dumps(written)}; certificate and folder have {json.dumps(found)}"
    if certified["epsilon"] < claim["epsilon"]:
        yield "the certified loss is below the claim; audit with more trials"


def render(records):
    lines = (HERE / "INTRODUCTION.md").read_text(encoding="utf-8").rstrip().split("\n")
    lines += ["", "## Table", "", "| record | library | claimed ε | certified ε | α | found | issue |", "|---|---|---|---|---|---|---|"]
    for record, _ in records:
        lines.append(row(record))
    for record, certificate in records:
        lines += section(record, certificate)
    return "\n".join(lines) + "\n"


def row(record):
    claim, certified = record["claim"], record["certified"]
    delta = f", δ = {claim['delta']:g}" if claim["delta"] else ""
    fixed = f" (fixed in {record['fixed_in']})" if record["fixed_in"] else ""
    cells = [
        f"[{record['name']}](#{record['name']})",
        f"{record['library']} {', '.join(record['affected'])}{fixed}",
        f"{claim['epsilon']:g}{delta}",
        f"{certified['epsilon']:.2f}",
        f"{certified['alpha']:g}",
        record["found"],
        f"[public]({record['upstream_issue']})" if record["upstream_issue"] else "not known",
    ]
    return "| " + " | ".join(cells) + " |"


def section(record, certificate):
    claim, certified = record["claim"], record["certified"]
    at = f" at δ = {claim['delta']:g}" if claim["delta"] else ""
    issue = record["upstream_issue"] or "none known"
    return [
        "",
        f"## {record['name']}",
        "",
        f"**{record['title']}** {record['sees']}",
        "",
        "```python",
        *record["call"].split("\n"),
        "```",
        "",
        f"* Pair: {record['pair']['words']}.",
        f"* Claim: ε = {claim['epsilon']:g}{at}. Certified: ε ≥ {certified['epsilon']:.2f}{at}, at α = {certified['alpha']:g}"
        f" from {certificate['confirm']} runs.",
        f"* Event: {record['event']}. [reproduce.py](violations/{record['name']}/reproduce.py) counts it without plaudit;"
        f" [certificate](violations/{record['name']}/certificate.json).",
        f"* Cause: {record['cause']['words']} ({'; '.join(record['cause']['files'])})",
        f"* What would mend it: {record['mend']}",
        f"* Upstream issue: {issue}.",
    ]


if __name__ == "__main__":
    main(sys.argv[1:])
