"""The frame of all runners: draws within a budget, and one line of JSON for each audit.

    auditors/NAME.py --runs 100000 --seeds 0:3 laplace svt-1

A runner is a function of a `Source` that returns its certified lower bound on epsilon at the source's delta, with
confidence 95 %, or raises `Unsupported`.
"""

import argparse
import json
import os
import sys
import time
import traceback

import numpy as np

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
# Runners have the names of the packages that they import.
_here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [os.path.dirname(_here)] + [path for path in sys.path if os.path.abspath(path) != _here]

from mechanisms import ALL  # noqa: E402

ALPHA = 0.05


class Unsupported(Exception):
    """The auditor has no bound for this row."""


class Source:
    """Fresh draws of one mechanism on both datasets, counted against the budget of `runs`."""

    def __init__(self, mechanism, runs, seed):
        self.name, self.delta, self.runs, self.seed = mechanism.name, mechanism.delta, runs, seed
        self.rng = np.random.default_rng([seed, *mechanism.name.encode()])
        self.used = 0
        self._draw, self._pair = mechanism.draw, mechanism.pair()

    def draw(self, side, runs):
        """Outcomes on D (side 0) or D' (side 1), of shape (runs, k)."""
        self.used += runs
        if self.used > self.runs:
            raise RuntimeError("the audit needs more than its %d runs" % self.runs)
        return self._draw(self._pair[side], runs, self.rng).astype(float)


def audit_once(audit, name, runs, seed):
    row = {"mechanism": name, "seed": seed, "budget": runs}
    source = Source(ALL[name], runs, seed)
    started = time.perf_counter()
    try:
        row["epsilon"] = max(0.0, float(audit(source)))
        if row["epsilon"] != row["epsilon"]:
            raise ValueError("the bound is not a number")
    except Unsupported as reason:
        row["note"] = str(reason)
    except Exception as error:
        traceback.print_exc()
        row["note"] = "failed: %s: %s" % (type(error).__name__, str(error)[:200])
    row["seconds"] = round(time.perf_counter() - started, 2)
    row["runs"] = source.used
    return row


def main(audit):
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--seeds", default="0:1")
    parser.add_argument("mechanisms", nargs="+")
    options = parser.parse_args()
    first, end = map(int, options.seeds.split(":"))
    # The protocol keeps standard output; libraries print to standard error.
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for name in options.mechanisms:
        for seed in range(first, end):
            output.write(json.dumps(audit_once(audit, name, options.runs, seed)) + "\n")
            output.flush()
