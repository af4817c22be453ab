"""Results on disk: OUT/NAME.jsonl (rows), OUT/NAME.null.jsonl (false alarms), OUT/commands.txt."""

import json
import os

# A peer is ahead where it certifies more than plaudit by more than this.
MARGIN = 0.02


def path(out, kind, auditor):
    return os.path.join(out, auditor + {"rows": ".jsonl", "null": ".null.jsonl"}[kind])


def append(out, kind, auditor, row):
    with open(path(out, kind, auditor), "a") as file:
        file.write(json.dumps(row) + "\n")


def read(out, kind, auditor):
    try:
        with open(path(out, kind, auditor)) as file:
            return [json.loads(line) for line in file]
    except FileNotFoundError:
        return []


def keys(out, kind, auditor, runs):
    """The mechanisms and seeds that have a result at this budget."""
    return {(row["mechanism"], row["seed"]) for row in read(out, kind, auditor) if row["budget"] == runs}


def load(out, kind="rows", runs=None):
    """Results by auditor, then by (mechanism, seed)."""
    import peers

    found = {}
    for auditor in peers.ALL:
        rows = [row for row in read(out, kind, auditor) if runs in (None, row["budget"])]
        if rows:
            found[auditor] = {(row["mechanism"], row["seed"]): row for row in rows}
    return found


def ahead(found, mechanisms, seed=0):
    """The rows on which a peer is ahead, by peer; and all of them under "plaudit"."""
    rows = {}
    for auditor, own in found.items():
        for name in mechanisms if auditor != "plaudit" else []:
            theirs = own.get((name, seed), {}).get("epsilon")
            ours = found.get("plaudit", {}).get((name, seed), {}).get("epsilon")
            if theirs is not None and ours is not None and theirs > ours + MARGIN:
                rows.setdefault(auditor, []).append(name)
    every = [name for name in mechanisms if any(name in own for own in rows.values())]
    return {**({"plaudit": every} if every else {}), **rows}


def remember(out, words):
    """Notes the command for the report, without the folder of the results."""
    kept = [word for i, word in enumerate(words) if not word.startswith("--out") and words[i - 1 : i] != ["--out"]]
    with open(os.path.join(out, "commands.txt"), "a") as file:
        file.write(" ".join(["python3 benchmark/run.py", *kept]) + "\n")
