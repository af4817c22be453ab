"""PyDP: Google's differential-privacy library from Python.

A new algorithm is made for each run, since it spends its budget with its first result. PyDP has no privacy map: the
claim is the epsilon that the library is given.
"""

from table import Served, approximate, pure, row

LIBRARY = "pydp"
DISTRIBUTION = "python-dp"
ENVIRONMENT = "common"
DOUBLED = dict(wrong={"given": 2.0}, mistake="the library is given twice the epsilon")


@row(
    about="Laplace on a grid of 2^-40, on which every sum is exact: tight, and without a leak.",
    pairs=[([0.0], [1.0])],
    relation={"linf": 1.0},
    trials=100_000,
    **DOUBLED,
)
def laplace(given=1.0):
    from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

    release = LaplaceMechanism(given, 1.0).add_noise
    return Served(pure(given), function=lambda dataset: release(float(dataset[0])))


@row(about="Laplace on integers.", pairs=[([0], [1])], relation={"linf": 1.0}, trials=100_000, **DOUBLED)
def laplace_integers(given=1.0):
    from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

    release = LaplaceMechanism(given, 1.0).add_noise
    return Served(pure(given), function=lambda dataset: release(int(dataset[0])))


@row(
    about="Gaussian on a grid of 2^-54, finer than the doubles near 1: odd multiples of 2^-54 never come from an answer of 1.",
    pairs=[([0.0], [1.0])],
    relation={"l2": 1.0},
    trials=100_000,
    expect="violated",
    expect_leak="bits",
)
def gaussian():
    from pydp.algorithms.numerical_mechanisms import GaussianMechanism

    release = GaussianMechanism(1.0, 1e-5, 1.0).add_noise
    return Served(approximate((1.0, 1e-5)), function=lambda dataset: release(float(dataset[0])))


@row(
    about="The number of entries.",
    pairs=[([1.0, 1.0, 1.0], [1.0, 1.0])],
    relation="add-remove",
    trials=100_000,
    **DOUBLED,
)
def count(given=1.0):
    from pydp.algorithms.laplacian import Count

    return Served(pure(given), function=lambda dataset: Count(epsilon=given, dtype="float").quick_result(dataset))


@row(
    about="The sum of values between 0 and 1.",
    pairs=[([0.5, 1.0], [0.5])],
    relation="add-remove",
    trials=100_000,
    **DOUBLED,
)
def bounded_sum(given=1.0):
    from pydp.algorithms.laplacian import BoundedSum

    bounds = dict(lower_bound=0.0, upper_bound=1.0, dtype="float")
    return Served(pure(given), function=lambda dataset: BoundedSum(epsilon=given, **bounds).quick_result(dataset))


@row(
    about="The mean of values between 0 and 1.",
    pairs=[([0.0, 1.0], [0.0]), ([1.0], [])],
    relation="add-remove",
    trials=60_000,
    wrong={"given": 4.0},
    mistake="the library is given four times the epsilon",
)
def bounded_mean(given=1.0):
    from pydp.algorithms.laplacian import BoundedMean

    bounds = dict(lower_bound=0.0, upper_bound=1.0, dtype="float")
    return Served(pure(given), function=lambda dataset: BoundedMean(epsilon=given, **bounds).quick_result(dataset))
