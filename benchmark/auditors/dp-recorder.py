"""dp-recorder: its distributional audit, with logistic regression and Clopper-Pearson bounds at 95 % in all.

Half of the runs trains, half is for the rates. Certified: its own bound at delta 0, and for other delta the one of
the point (type-I error, type-II error) of its certified trade-off curve.
"""

import math
import random

import numpy as np

import _common

from dp_recorder.auditing.audit_primitives import Auditor


class Replayed:
    """The audit calls a mechanism once for each run, all of D first; the draws are made in advance."""

    def __init__(self, source):
        self.source, self.rows = source, None

    def __deepcopy__(self, _):
        return self

    def __call__(self, side):
        if self.rows is None:
            return 0.0
        return next(self.rows[side])


def audit(source):
    np.random.seed(source.seed)
    random.seed(source.seed)
    draws, auditor = Replayed(source), Auditor()
    for side in (0, 1):
        # One call is recorded on D, and one on D'; they release nothing that is used.
        auditor.intercept_mechanism("row", draws, "side", "sensitivity", None, None, side=side)
        if side == 0:
            auditor.set_replay()
    half = source.runs // 2
    draws.rows = [iter(source.draw(side, half)) for side in (0, 1)]
    auditor.run_distributional_audit(n_samples=2 * half, alpha=_common.ALPHA)
    entry = auditor.log[0]
    if not source.delta:
        return entry.empirical_epsilon_lb
    bounds = [0.0]
    for first, second in entry.tradeoff_curve:
        for a, b in ((first, second), (second, first)):
            if b > 0 and 1 - source.delta - a > 0:
                bounds.append(math.log((1 - source.delta - a) / b))
    return max(bounds)


if __name__ == "__main__":
    _common.main(audit)
