"""diffprivlib. A dataset is the list of numbers that the function gets, or the answer without noise.

diffprivlib has no privacy map: the claim is the epsilon, and the delta, that the library is given.
"""

from table import Served, approximate, pure, row

LIBRARY = "diffprivlib"
DISTRIBUTION = "diffprivlib"
ENVIRONMENT = "common"
DOUBLED = dict(wrong={"given": 2.0}, mistake="the library is given twice the epsilon")
LOW_BITS = dict(expect="violated", expect_leak="bits")
NUMBER = dict(pairs=[([0.0], [1.0])], relation={"linf": 1.0})
INTEGER = dict(pairs=[([0], [1])], relation={"linf": 1.0})
PATTERNS = dict(
    pairs=[{"pattern": "half-half", "size": 6}, {"pattern": "one-up-rest-down", "size": 6}],
    relation={"linf": 1.0},
)


@row(
    about="Laplace in doubles: near 0, an answer of 1 leaves no bits below 2^-53.",
    trials=100_000,
    **NUMBER,
    **LOW_BITS,
)
def laplace():
    from diffprivlib.mechanisms import Laplace

    release = Laplace(epsilon=1.0, sensitivity=1.0).randomise
    return Served(pure(1), function=lambda dataset: release(dataset[0]))


@row(about="Gaussian in doubles: the same leak, more often than delta.", trials=100_000, **NUMBER, **LOW_BITS)
def gaussian():
    from diffprivlib.mechanisms import Gaussian

    release = Gaussian(epsilon=1.0, delta=1e-5, sensitivity=1.0).randomise
    return Served(approximate((1.0, 1e-5)), function=lambda dataset: release(dataset[0]))


@row(about="The analytic Gaussian: the same leak.", trials=100_000, **NUMBER, **LOW_BITS)
def gaussian_analytic():
    from diffprivlib.mechanisms import GaussianAnalytic

    release = GaussianAnalytic(epsilon=1.0, delta=1e-5, sensitivity=1.0).randomise
    return Served(approximate((1.0, 1e-5)), function=lambda dataset: release(dataset[0]))


@row(about="Mironov's snapping mechanism on doubles: tight.", trials=100_000, **NUMBER, **DOUBLED)
def snapping(given=1.0):
    from diffprivlib.mechanisms import Snapping

    release = Snapping(epsilon=given, sensitivity=1.0, lower=-100.0, upper=100.0).randomise
    return Served(pure(given), function=lambda dataset: release(dataset[0]))


@row(about="Two-sided geometric noise on an integer: tight.", trials=40_000, **INTEGER, **DOUBLED)
def geometric(given=1.0):
    from diffprivlib.mechanisms import Geometric

    release = Geometric(epsilon=given, sensitivity=1).randomise
    return Served(pure(given), function=lambda dataset: release(int(dataset[0])))


@row(about="The same, clamped to 0..10.", trials=40_000, **INTEGER, **DOUBLED)
def geometric_truncated(given=1.0):
    from diffprivlib.mechanisms import GeometricTruncated

    release = GeometricTruncated(epsilon=given, sensitivity=1, lower=0, upper=10).randomise
    return Served(pure(given), function=lambda dataset: release(int(dataset[0])))


@row(
    about="Randomized response on yes and no: tight.",
    pairs=[("no", "yes")],
    relation={"words": "one person's answer is the other one"},
    trials=40_000,
    format="json",
    **DOUBLED,
)
def binary(given=1.0):
    from diffprivlib.mechanisms import Binary

    release = Binary(epsilon=given, value0="no", value1="yes").randomise
    return Served(pure(given), function=lambda dataset: release(dataset))


@row(about="The exponential mechanism over six candidates whose utilities move by 1.", trials=100_000, **PATTERNS, **DOUBLED)
def exponential(given=1.0):
    from diffprivlib.mechanisms import Exponential

    def release(dataset):
        return Exponential(epsilon=given, sensitivity=1.0, utility=dataset).randomise()

    return Served(pure(given), function=release)


@row(about="Permute and flip over the same candidates.", trials=100_000, **PATTERNS, **DOUBLED)
def permute_and_flip(given=1.0):
    from diffprivlib.mechanisms import PermuteAndFlip

    def release(dataset):
        return PermuteAndFlip(epsilon=given, sensitivity=1.0, utility=dataset).randomise()

    return Served(pure(given), function=release)


def counts(given):
    from diffprivlib.tools import histogram

    return Served(pure(given), function=lambda dataset: histogram(dataset, epsilon=given, bins=3, range=(0.0, 3.0))[0])


@row(
    about="A histogram under add/remove, for which its noise is made.",
    pairs=[([0.5, 1.5, 2.5], [0.5, 1.5])],
    relation="add-remove",
    trials=60_000,
    **DOUBLED,
)
def histogram(given=1.0):
    return counts(given)


@row(
    about="The same histogram under substitution, where two counts move: 2 is true. The claim is wrong, not the library.",
    pairs=[([0.5, 1.5, 2.5], [0.5, 1.5, 1.5])],
    relation="substitution",
    trials=60_000,
    expect="violated",
)
def histogram_substitution():
    return counts(1.0)


@row(
    about="The number of entries that are not 0.",
    pairs=[([1.0, 0.0, 1.0], [1.0, 0.0, 0.0])],
    relation="substitution",
    trials=40_000,
    **DOUBLED,
)
def count_nonzero(given=1.0):
    from diffprivlib.tools import count_nonzero as count

    return Served(pure(given), function=lambda dataset: count(dataset, epsilon=given))


def average(name):
    from diffprivlib import tools

    mean = getattr(tools, name)
    return Served(pure(1), function=lambda dataset: mean(dataset, epsilon=1.0, bounds=(0.0, 1.0)))


@row(
    about="The mean of three numbers, in doubles: its low bits leak.",
    pairs=[([0.0, 0.5, 0.0], [0.0, 0.5, 1.0])],
    relation="substitution",
    trials=40_000,
    **LOW_BITS,
)
def mean():
    return average("mean")


MISSING = dict(
    pairs=[([0.0, 0.5, 1.0], [0.0, 0.5, float("nan")])],
    relation={"words": "one of three values is missing, a NaN"},
)


@row(about="One NaN in the data always makes the mean NaN.", trials=10_000, expect="violated", **MISSING)
def mean_of_a_nan():
    return average("mean")


@row(
    about="`nanmean` drops the NaN, and then fits the noise to the rows left. Its values leak 0.72, its low bits more than the claim.",
    trials=40_000,
    **MISSING,
    **LOW_BITS,
)
def nanmean_of_a_nan():
    return average("nanmean")


def fitted(**parameters):
    """A fit of a logistic regression. A dataset is a list of rows: features, then a label."""
    from diffprivlib.models import LogisticRegression
    import numpy

    def fit(dataset):
        rows = numpy.array(dataset, dtype=float)
        return LogisticRegression(**parameters).fit(rows[:, :-1], rows[:, -1].astype(int))

    return fit


@row(
    about="Logistic regression with its defaults: the noise is for an objective with every coefficient regularized, "
    "and the intercept is not. Without a minimum, outcomes reach 10^24.",
    pairs=[([[1.0, 1.0], [1.0, 0.0]], [[1.0, 1.0], [0.0, 0.0]])],
    relation="substitution",
    trials=60_000,
    expect="violated",
)
def logistic_regression():
    fit = fitted(epsilon=1.0, data_norm=1.0)

    def release(dataset):
        model = fit(dataset)
        # Six digits, as in a table of coefficients: their size leaks, not their low bits.
        return [float("%.6g" % value) for value in (model.coef_[0][0], model.intercept_[0])]

    return Served(pure(1), function=release)


@row(
    about="Logistic regression without an intercept: the noise is for a Hessian of at most R/4 per row, where R is the "
    "data norm. It can be R²/4: too little noise above R = 1.",
    pairs=[([[100.0, 1.0], [0.0, 0.0]], [[0.0, 1.0], [0.0, 0.0]])],
    relation="substitution",
    trials=20_000,
    expect="violated",
)
def logistic_regression_data_norm():
    fit = fitted(epsilon=2.0, data_norm=100.0, C=0.04, fit_intercept=False)
    return Served(pure(2), function=lambda dataset: float(fit(dataset).coef_[0][0]))
