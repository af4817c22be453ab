"""Compares auditors on the same mechanisms at equal runs.

    python3 benchmark/run.py                                    all auditors that are installed, on all rows
    python3 benchmark/run.py --auditors plaudit --filter svt    some of them
    python3 benchmark/run.py --again                            two more seeds where a peer is ahead
    python3 benchmark/run.py --filter svt --seeds 20-31         twelve other seeds of some rows
    python3 benchmark/run.py --null 1000                        false alarms, on a right mechanism
    python3 benchmark/run.py --report                           only the table and the plot, from earlier results

Each auditor appends its results to OUT/NAME.jsonl, so the auditors can be run one at a time. The table, its JSON and
the plot cover everything that OUT holds. It needs numpy for the exact epsilons.
"""

import argparse
import os
import re
import sys

import peers
import results
import table

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NULL_SEED = 1000


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100_000, help="runs of an audit, over both datasets and all phases")
    parser.add_argument("--auditors", default=",".join(peers.ALL), help="names, with commas")
    parser.add_argument("--filter", default="", help="regular expression on the mechanisms' names")
    parser.add_argument("--out", default=os.path.join(ROOT, "reports", "peers"))
    parser.add_argument("--limit", type=float, default=120.0, help="seconds of one audit")
    parser.add_argument("--again", action="store_true", help="seeds 1 and 2 of the rows on which a peer is ahead")
    parser.add_argument("--seeds", default="0-0", metavar="A-B", help="seeds of the rows, both ends included")
    parser.add_argument("--null", type=int, default=0, metavar="N", help="audits of a right mechanism")
    parser.add_argument("--null-mechanism", default="randomized-response")
    parser.add_argument("--null-runs", type=int, default=10_000)
    parser.add_argument("--report", action="store_true", help="run nothing")
    chosen = parser.parse_args()
    try:
        first, last = map(int, chosen.seeds.split("-"))
        chosen.seeds = range(first, last + 1)
    except ValueError:
        parser.error("--seeds %s: write two numbers, as 20-31" % chosen.seeds)
    unknown = [name for name in chosen.auditors.split(",") if name not in peers.ALL]
    if unknown:
        parser.error("unknown auditor %s: use %s" % (", ".join(unknown), ", ".join(peers.ALL)))
    return chosen


def work(chosen, mechanisms):
    """The audits to run: (kind of results, auditor, mechanisms, seeds, runs)."""
    names = chosen.auditors.split(",")
    if chosen.null:
        seeds = range(NULL_SEED, NULL_SEED + chosen.null)
        return [("null", name, [chosen.null_mechanism], seeds, chosen.null_runs) for name in names]
    wanted = [name for name in mechanisms if re.search(chosen.filter, name)]
    if not chosen.again:
        return [("rows", name, wanted, chosen.seeds, chosen.runs) for name in names]
    audits = []
    for name, rows in results.ahead(results.load(chosen.out), wanted).items():
        audits.append(("rows", name, rows, range(1, 3), chosen.runs))
    return audits


def main():
    chosen = options()
    try:
        from mechanisms import ALL as mechanisms
    except ImportError as error:
        sys.exit("run.py: the exact epsilons need %s: run benchmark/install.sh, then "
                 "target/benchmark/plaudit/bin/python benchmark/run.py" % error.name)
    os.makedirs(chosen.out, exist_ok=True)
    if not chosen.report:
        results.remember(chosen.out, sys.argv[1:])
    for kind, auditor, rows, seeds, runs in [] if chosen.report else work(chosen, mechanisms):
        python = peers.python(auditor)
        if python is None:
            print("%s: not installed; run benchmark/install.sh %s" % (auditor, peers.ALL[auditor].environment))
            continue
        done = results.keys(chosen.out, kind, auditor, runs)
        for row in peers.run(auditor, python, rows, seeds, runs, chosen.limit, done):
            results.append(chosen.out, kind, auditor, row)
            bound = row.get("epsilon")
            print("%-18s %-28s %2d  %-10s %6.1f s" % (
                auditor, row["mechanism"], row["seed"], row["note"] if bound is None else "%.4f" % bound,
                row["seconds"]), flush=True)
    table.write(chosen.out, mechanisms, chosen.runs)
    print("written: %s" % os.path.join(chosen.out, "RESULTS.md"))


if __name__ == "__main__":
    main()
