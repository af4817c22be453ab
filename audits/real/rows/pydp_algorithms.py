"""Further algorithms of PyDP, its choices of partitions and its other mechanisms. Neighbors differ in one removed row.

A new algorithm is made for each run, since it spends its budget with its first result. The claim is the epsilon, and
the delta, that the library is given.
"""

from table import Served, approximate, pure, row

LIBRARY = "pydp"
DISTRIBUTION = "python-dp"
ENVIRONMENT = "common"
DOUBLED = dict(wrong={"given": 2.0}, mistake="the library is given twice the epsilon")
FOURFOLD = dict(wrong={"given": 4.0}, mistake="the library is given four times the epsilon")
SIXTEENFOLD = dict(wrong={"given": 16.0}, mistake="the library is given sixteen times the epsilon")
EIGHTFOLD = dict(wrong={"given": 8.0}, mistake="the library is given eight times the epsilon")
UNIT = dict(lower_bound=0.0, upper_bound=1.0, dtype="float")
REMOVED = dict(relation="add-remove", trials=12_000)


def computed(algorithm, given, **parameters):
    from pydp.algorithms import laplacian

    make = getattr(laplacian, algorithm)
    return Served(pure(given), function=lambda dataset: make(epsilon=given, **parameters).quick_result(dataset))


@row(
    about="The variance of values between 0 and 1.",
    pairs=[([0.0, 0.0, 1.0], [0.0, 0.0]), ([1.0], [])],
    **dict(REMOVED, trials=24_000),
    **EIGHTFOLD,
)
def bounded_variance(given=1.0):
    return computed("BoundedVariance", given, **UNIT)


@row(
    about="The standard deviation, from the variance.",
    pairs=[([0.0, 0.0, 1.0], [0.0, 0.0]), ([1.0], [])],
    **dict(REMOVED, trials=24_000),
    **EIGHTFOLD,
)
def bounded_standard_deviation(given=1.0):
    return computed("BoundedStandardDeviation", given, **UNIT)


@row(
    about="The largest of values between 0 and 1.",
    pairs=[([0.0, 1.0], [0.0]), ([1.0], [])],
    **dict(REMOVED, trials=24_000),
    **SIXTEENFOLD,
)
def max_(given=1.0):
    return computed("Max", given, **UNIT)


@row(
    about="The smallest of values between 0 and 1.",
    pairs=[([1.0, 0.0], [1.0]), ([0.0], [])],
    **dict(REMOVED, trials=24_000),
    **SIXTEENFOLD,
)
def min_(given=1.0):
    return computed("Min", given, **UNIT)


@row(
    about="The median of values between 0 and 1. One row hardly shows at a smaller epsilon.",
    pairs=[([0.0, 1.0], [0.0]), ([1.0], [])],
    wrong={"given": 64.0},
    mistake="the library is given sixteen times the epsilon",
    **dict(REMOVED, trials=24_000),
)
def median(given=4.0):
    return computed("Median", given, **UNIT)


@row(
    about="A percentile of values between 0 and 1.",
    pairs=[([0.0, 1.0], [0.0]), ([1.0], [])],
    **dict(REMOVED, trials=24_000),
    **SIXTEENFOLD,
)
def percentile(given=1.0):
    return computed("Percentile", given, percentile=0.9, **UNIT)


@row(about="The number of integers.", pairs=[([1, 1, 1], [1, 1])], **REMOVED, **DOUBLED)
def count_of_integers(given=1.0):
    return computed("Count", given, dtype="int")


@row(
    about="The number of entries, where a person can have two: the noise is for both.",
    pairs=[([1.0, 1.0, 1.0], [1.0])],
    relation={"words": "all rows of one person, at most two, are removed"},
    trials=12_000,
    **DOUBLED,
)
def count_of_two_each(given=1.0):
    return computed("Count", given, linf_sensitivity=2, dtype="float")


@row(about="The sum of integers between 0 and 3.", pairs=[([1, 3], [1])], **REMOVED, **DOUBLED)
def bounded_sum_of_integers(given=1.0):
    return computed("BoundedSum", given, lower_bound=0, upper_bound=3, dtype="int")


@row(about="The sum of values between -1 and 1.", pairs=[([0.5, -1.0], [0.5])], **REMOVED, **DOUBLED)
def bounded_sum_of_both_signs(given=1.0):
    return computed("BoundedSum", given, lower_bound=-1.0, upper_bound=1.0, dtype="float")


@row(
    about="Values beyond the bounds are clamped.",
    pairs=[([0.5, 100.0], [0.5])],
    wrong={"given": 100.0, "upper": 100.0},
    mistake="clamping to 100, with the noise for 1",
    **REMOVED,
)
def bounded_sum_of_outliers(given=1.0, upper=1.0):
    return computed("BoundedSum", given, lower_bound=0.0, upper_bound=upper, dtype="float")


@row(about="The mean of integers between 0 and 4.", pairs=[([0, 4], [0]), ([4], [])], **REMOVED, **FOURFOLD)
def bounded_mean_of_integers(given=1.0):
    return computed("BoundedMean", given, lower_bound=0, upper_bound=4, dtype="int")


def quantiles(given, noise, delta):
    from pydp.algorithms.quantile_tree import QuantileTree

    def release(dataset):
        tree = QuantileTree(0.0, 1.0, 2, 4)
        for value in dataset:
            tree.add_entry(value)
        return list(tree.compute_quantiles(given, delta, 1, 1, [0.25, 0.75], noise))

    return release


SPREAD = dict(pairs=[([0.0, 0.0, 1.0], [0.0, 0.0])], relation="add-remove", trials=4000, floats="rounded", grid=2.0**-10)


@row(about="Two quantiles from one noisy tree of counts.", **SPREAD, **EIGHTFOLD)
def quantile_tree(given=1.0):
    return Served(pure(given), function=quantiles(given, "laplace", 0.0))


@row(about="Two quantiles from a tree of counts with Gaussian noise.", **dict(SPREAD, trials=24_000), **EIGHTFOLD)
def quantile_tree_gaussian(given=1.0):
    return Served(approximate((given, 1e-2)), function=quantiles(given, "gaussian", 1e-2))


@row(about="Laplace noise for a sensitivity of 3.", pairs=[([0.0], [3.0])], relation={"linf": 3.0}, trials=12_000, **DOUBLED)
def laplace_of_three(given=1.0):
    from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

    release = LaplaceMechanism(given, 3.0).add_noise
    return Served(pure(given), function=lambda dataset: release(float(dataset[0])))


ROUNDED = dict(pairs=[([0.0], [1.0])], relation={"linf": 1.0}, trials=12_000, floats="rounded", grid=2.0**-10)


@row(about="Gaussian noise, without its low bits.", **ROUNDED, **DOUBLED)
def gaussian_rounded(given=1.0):
    from pydp.algorithms.numerical_mechanisms import GaussianMechanism

    release = GaussianMechanism(given, 0.05, 1.0).add_noise
    return Served(approximate((given, 0.05)), function=lambda dataset: release(float(dataset[0])))


@row(
    about="Gaussian noise of a standard deviation of 2, without its low bits.",
    **ROUNDED,
    wrong={"deviation": 1.0},
)
def gaussian_of_deviation(deviation=2.0):
    from pydp.algorithms.numerical_mechanisms import GaussianMechanism

    release = GaussianMechanism.create_from_standard_deviation(deviation).add_noise
    return Served({"mu": 1.0 / deviation}, function=lambda dataset: release(float(dataset[0])))


@row(
    about="A comparison of a noisy number with a threshold.",
    pairs=[([0.0], [1.0])],
    relation={"linf": 1.0},
    trials=12_000,
    **DOUBLED,
)
def laplace_above_threshold(given=1.0):
    from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

    mechanism = LaplaceMechanism(given, 1.0)
    return Served(pure(given), function=lambda dataset: int(mechanism.noised_value_above_threshold(float(dataset[0]), 1.0)))


def kept(strategy, given, pre_threshold=None, delta=0.05):
    from pydp.algorithms.partition_selection import create_partition_strategy

    made = create_partition_strategy(strategy, given, delta, 1, pre_threshold)
    return Served(approximate((given, delta)), function=lambda dataset: int(made.should_keep(int(dataset[0]))))


USERS = dict(pairs=[([2], [1]), ([1], [0]), ([4], [3])], relation={"linf": 1.0}, trials=12_000, **DOUBLED)


@row(about="A partition is kept by the truncated geometric rule: optimal, so tight.", **USERS)
def partitions_geometric(given=1.0):
    return kept("truncated_geometric", given)


@row(about="A partition is kept if its count with Laplace noise is above a threshold.", **USERS)
def partitions_laplace(given=1.0):
    return kept("laplace", given)


@row(about="A partition is kept if its count with Gaussian noise is above a threshold.", **dict(USERS, **FOURFOLD))
def partitions_gaussian(given=1.0):
    return kept("gaussian", given)


@row(
    about="The same from the third person on: smaller partitions are never kept.",
    **dict(USERS, pairs=[([3], [2]), ([4], [3]), ([6], [5])]),
)
def partitions_from_three(given=1.0):
    return kept("truncated_geometric", given, pre_threshold=3)


@row(
    about="Geometric noise of `pydp.ml`: it is never below 0, so an outcome below the other answer shows the answer.",
    pairs=[([0], [1])],
    relation={"linf": 1.0},
    trials=4000,
    expect="violated",
)
def ml_geometric():
    from pydp.ml.mechanisms.geometric import Geometric

    release = Geometric().set_epsilon(1.0).set_sensitivity(1).set_probability(0.5).randomise
    return Served(pure(1.0), function=lambda dataset: release(int(dataset[0])))
