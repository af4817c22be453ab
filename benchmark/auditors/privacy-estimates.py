"""privacy-estimates (Microsoft): its Clopper-Pearson bound on the rates of an attack.

The package has no attack. This one is a linear score (Fisher's discriminant) with a threshold, as in membership
inference: half of the runs is for the score, its direction and the threshold of the largest bound, half for the rates.
"""

import numpy as np

import _common

from privacy_estimates import AttackResults, compute_eps_lo

THRESHOLDS = 200


def bound(scores, threshold, source):
    """The bound of the guess "D'" above the threshold."""
    fp, tp = (int((side > threshold).sum()) for side in scores)
    count = AttackResults(FN=len(scores[1]) - tp, FP=fp, TN=len(scores[0]) - fp, TP=tp)
    return compute_eps_lo(count=count, delta=source.delta, alpha=_common.ALPHA, method="beta")


def audit(source):
    quarter = source.runs // 4
    train = [source.draw(side, quarter) for side in (0, 1)]
    covariance = sum(np.cov(side.T).reshape(side.shape[1], -1) for side in train)
    direction = np.linalg.pinv(covariance) @ (train[1].mean(axis=0) - train[0].mean(axis=0))
    scores = [side @ direction for side in train]
    candidates = np.unique(np.quantile(np.concatenate(scores), np.linspace(0, 1, THRESHOLDS)))
    best = max(candidates, key=lambda threshold: bound(scores, threshold, source))
    return bound([source.draw(side, quarter) @ direction for side in (0, 1)], best, source)


if __name__ == "__main__":
    _common.main(audit)
