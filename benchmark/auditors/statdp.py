"""StatDP (Ding, Wang, Wang, Zhang, Kifer 2018): its events and its hypothesis test.

A quarter of the runs counts StatDP's events, the rest the selected one. The selected event is the one of which its
test rejects the largest epsilon on the first counts. Certified: the largest epsilon with p < 0.05, in the order of
the pair that the first counts suggest. It bounds pure epsilon only.
"""

import math

import numpy as np

import _common

from statdp.core import run_algorithm
from statdp.hypotest import test_statistics

# Only the events with the largest ratios are tested: each p-value is a mean of 200 hypergeometric tails.
TESTED = 20
STEPS = 12


class Replayed:
    """StatDP calls a mechanism once for each run, on D or D'; the draws are made in advance."""

    def __init__(self, source, runs):
        # A first run of D shows StatDP the type of the outcomes.
        self.rows = [iter(source.draw(0, runs + 1)), iter(source.draw(1, runs))]

    def __call__(self, _, side):
        row = next(self.rows[side])
        return row[0] if len(row) == 1 else tuple(row)


def rejected(cx, cy, runs):
    """Largest epsilon that the test rejects at 5 %, by bisection; 0 if it rejects none."""
    if cx <= cy:
        return 0.0
    low, high = 0.0, math.log((cx + 1) / (cy + 0.01)) + 0.5
    if test_statistics(cx, cy, 0.0, runs) >= _common.ALPHA:
        return 0.0
    for _ in range(STEPS):
        epsilon = (low + high) / 2
        low, high = (epsilon, high) if test_statistics(cx, cy, epsilon, runs) < _common.ALPHA else (low, epsilon)
    return low


def hopeful(count):
    """Rough lower end of the log ratio, by two standard errors."""
    cx, cy = count
    return math.log(max(cx - 2 * math.sqrt(cx), 0.5) / (cy + 2 * math.sqrt(cy) + 2))


def audit(source):
    if source.delta:
        raise _common.Unsupported("delta = 0 only")
    np.random.seed(source.seed)
    first, last = source.runs // 8, source.runs // 2 - source.runs // 8 - 1
    counts, events = run_algorithm(Replayed(source, first), 0, 1, {}, None, first)
    order = sorted(range(len(counts)), key=lambda i: -hopeful(counts[i]))[:TESTED]
    best = max(order, key=lambda i: rejected(*counts[i], first))
    # run_algorithm sorts each pair of counts, so the order is not known before the last counts; testing the larger one
    # first changes nothing unless both rates are nearly equal.
    counts, _ = run_algorithm(Replayed(source, last), 0, 1, {}, events[best][3], last)
    return rejected(*counts[0], last)


if __name__ == "__main__":
    _common.main(audit)
