"""DP-Auditorium: its histogram tester (Gilbert, McMillan 2018, with the tighter tolerance), which needs no TensorFlow.

A tenth of the runs sets the range of the histogram; each order of the pair is tested at 2.5 % on the others. Outcomes with
several numbers are binned jointly. Certified: the largest epsilon whose test rejects, where all smaller ones do too.
"""

import numpy as np

import _common

from dp_auditorium.configs import privacy_property, property_tester_config
from dp_auditorium.testers.histogram_tester import HistogramTester

BINS = 20
GRID = np.arange(0.01, 6.0, 0.01)


def borders(pilot, bins):
    """Inner borders of equal shares of the pilot, distinct, for each column: values that repeat are their own bins."""
    shares = np.arange(1, bins) / bins
    return [np.unique(np.quantile(column, shares)) for column in pilot.T]


def codes(outcomes, inner):
    """The joint bin of each outcome."""
    code = np.zeros(len(outcomes), int)
    for column, edges in zip(outcomes.T, inner):
        code = code * (len(edges) + 1) + np.searchsorted(edges, column, side="left")
    return code


def audit(source):
    tenth, rest = source.runs // 20, source.runs // 2 - source.runs // 20
    pilot = np.vstack([source.draw(0, tenth), source.draw(1, tenth)])
    width = pilot.shape[1]
    inner = borders(pilot, BINS if width == 1 else max(2, int(round(64 ** (1 / width)))))
    size = int(np.prod([len(edges) + 1 for edges in inner]))
    sides = [codes(source.draw(side, rest), inner) for side in (0, 1)]
    return max(largest(sides[i], sides[1 - i], size, source.delta) for i in (0, 1))


def largest(first, second, size, delta):
    found = 0.0
    for epsilon in GRID:
        tester = HistogramTester(property_tester_config.HistogramPropertyTesterConfig(
            test_discrete_mechanism=False, histogram_size=size, min_value=0, max_value=size,
            approximate_dp=privacy_property.ApproximateDp(epsilon=float(epsilon), delta=delta)))
        if not tester.reject_property(tester.estimate_lower_bound(first, second, _common.ALPHA / 2)):
            return found
        found = epsilon
    return found


if __name__ == "__main__":
    _common.main(audit)
