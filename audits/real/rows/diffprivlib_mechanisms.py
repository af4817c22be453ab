"""Further mechanisms of diffprivlib. A dataset is the answer without noise, in a list.

Noise in doubles leaks low bits (see diffprivlib.py). These audits round outcomes to a grid first: they are about values.
"""

from table import Served, approximate, pure, row

LIBRARY = "diffprivlib"
DISTRIBUTION = "diffprivlib"
ENVIRONMENT = "common"
DOUBLED = dict(wrong={"given": 2.0}, mistake="the library is given twice the epsilon")
FOURFOLD = dict(wrong={"given": 4.0}, mistake="the library is given four times the epsilon")
ROUNDED = dict(floats="rounded", grid=2.0**-10)
NUMBER = dict(pairs=[([0.0], [1.0])], relation={"linf": 1.0}, trials=20_000, **ROUNDED)
INTEGER = dict(pairs=[([0], [1])], relation={"linf": 1.0}, trials=20_000)
PATTERNS = dict(pairs=[{"pattern": "one-up-rest-down", "size": 6}], relation={"linf": 1.0}, trials=20_000)
WORDS = dict(relation={"words": "one person's word is another one"}, trials=20_000, format="json")


def noisy(claim, mechanism, **parameters):
    """A mechanism of one number, made once."""
    from diffprivlib import mechanisms

    release = getattr(mechanisms, mechanism)(**parameters).randomise
    kind = int if mechanism.startswith("Geometric") or mechanism.endswith("Discrete") else float
    return Served(claim, function=lambda dataset: release(kind(dataset[0])))


@row(about="Laplace, without its low bits: tight.", **NUMBER, **DOUBLED)
def laplace_rounded(given=1.0):
    return noisy(pure(given), "Laplace", epsilon=given, sensitivity=1.0)


@row(about="Laplace for (epsilon, delta): less noise by the relaxation.", **NUMBER, **DOUBLED)
def laplace_with_delta(given=1.0):
    return noisy(approximate((given, 0.1)), "Laplace", epsilon=given, delta=0.1, sensitivity=1.0)


@row(about="Laplace, clamped to 0..1.", **NUMBER, **DOUBLED)
def laplace_truncated(given=1.0):
    return noisy(pure(given), "LaplaceTruncated", epsilon=given, sensitivity=1.0, lower=0.0, upper=1.0)


@row(
    about="Laplace, folded at -1 and 10.",
    **NUMBER,
    wrong={"given": 4.0},
    mistake="the library is given four times the epsilon",
)
def laplace_folded(given=1.0):
    return noisy(pure(given), "LaplaceFolded", epsilon=given, sensitivity=1.0, lower=-1.0, upper=10.0)


@row(about="Laplace, drawn again until it is in 0..1: the noise is larger by the library's search.", **NUMBER, **FOURFOLD)
def laplace_bounded_domain(given=1.0):
    return noisy(pure(given), "LaplaceBoundedDomain", epsilon=given, sensitivity=1.0, lower=0.0, upper=1.0)


@row(about="The same in 0..4, from an end of the domain: tight.", **NUMBER, **DOUBLED)
def laplace_bounded_domain_wide(given=1.0):
    return noisy(pure(given), "LaplaceBoundedDomain", epsilon=given, sensitivity=1.0, lower=0.0, upper=4.0)


@row(about="Laplace in a bounded domain, with a delta.", **NUMBER, **FOURFOLD)
def laplace_bounded_domain_with_delta(given=1.0):
    parameters = dict(epsilon=given, delta=0.1, sensitivity=1.0, lower=0.0, upper=4.0)
    return noisy(approximate((given, 0.1)), "LaplaceBoundedDomain", **parameters)


@row(about="Laplace noise with a bound: outcomes beyond it have a probability of delta.", **NUMBER, **DOUBLED)
def laplace_bounded_noise(given=1.0):
    return noisy(approximate((given, 0.1)), "LaplaceBoundedNoise", epsilon=given, delta=0.1, sensitivity=1.0)


@row(
    about="Uniform noise: an epsilon of 0, and tight in delta.",
    **NUMBER,
    wrong={"delta": 0.4},
    mistake="the library is given a delta of 0.4",
    min_power=25,
)
def uniform(delta=0.1):
    return noisy(approximate((0.0, delta)), "Uniform", delta=delta, sensitivity=1.0)


@row(about="The staircase mechanism: tight.", **NUMBER, **DOUBLED)
def staircase(given=1.0):
    return noisy(pure(given), "Staircase", epsilon=given, sensitivity=1.0)


@row(about="The staircase mechanism with steps at a quarter.", **NUMBER, **DOUBLED)
def staircase_gamma(given=1.0):
    return noisy(pure(given), "Staircase", epsilon=given, sensitivity=1.0, gamma=0.25)


@row(
    about="Gaussian noise by the classic formula, without its low bits.",
    **NUMBER,
    wrong={"sensitivity": 0.25},
    mistake="the library is given a quarter of the sensitivity",
)
def gaussian_rounded(sensitivity=1.0):
    return noisy(approximate((1.0, 0.05)), "Gaussian", epsilon=1.0, delta=0.05, sensitivity=sensitivity)


@row(about="Gaussian noise by the analytic formula, without its low bits: tight.", **NUMBER, **DOUBLED)
def gaussian_analytic_rounded(given=1.0):
    return noisy(approximate((given, 0.05)), "GaussianAnalytic", epsilon=given, delta=0.05, sensitivity=1.0)


@row(about="Discrete Gaussian noise on an integer: tight.", **dict(INTEGER, trials=20_000), **DOUBLED)
def gaussian_discrete(given=1.0):
    return noisy(approximate((given, 0.05)), "GaussianDiscrete", epsilon=given, delta=0.05, sensitivity=1)


@row(
    about="Discrete Gaussian noise for a sensitivity of 2.",
    **dict(INTEGER, pairs=[([0], [2])], relation={"linf": 2.0}),
    **DOUBLED,
)
def gaussian_discrete_of_two(given=1.0):
    return noisy(approximate((given, 0.05)), "GaussianDiscrete", epsilon=given, delta=0.05, sensitivity=2)


@row(about="Two-sided geometric noise, folded at -0.5 and 10.5.", **INTEGER, **FOURFOLD)
def geometric_folded(given=1.0):
    return noisy(pure(given), "GeometricFolded", epsilon=given, sensitivity=1, lower=-0.5, upper=10.5)


@row(
    about="Two-sided geometric noise for a sensitivity of 3: tight.",
    **dict(INTEGER, pairs=[([0], [3])], relation={"linf": 3.0}),
    **DOUBLED,
)
def geometric_of_three(given=1.0):
    return noisy(pure(given), "Geometric", epsilon=given, sensitivity=3)


def chosen(mechanism, **parameters):
    """A choice among candidates; a dataset is their utilities."""
    from diffprivlib import mechanisms

    choose = getattr(mechanisms, mechanism)
    return lambda dataset: choose(sensitivity=1.0, utility=list(dataset), **parameters).randomise()


@row(about="The exponential mechanism over named candidates.", **PATTERNS, **DOUBLED)
def exponential_candidates(given=1.0):
    choose = chosen("Exponential", epsilon=given, candidates=[10, 20, 30, 40, 50, 60])
    return Served(pure(given), function=choose)


@row(about="The exponential mechanism over candidates of unequal measure.", **PATTERNS, **DOUBLED)
def exponential_measure(given=1.0):
    return Served(pure(given), function=chosen("Exponential", epsilon=given, measure=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))


ONE_MORE = dict(PATTERNS, pairs=[([1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0])])


@row(about="The exponential mechanism for utilities that only grow: half the noise.", **ONE_MORE, **FOURFOLD)
def exponential_monotonic(given=1.0):
    return Served(pure(given), function=chosen("Exponential", epsilon=given, monotonic=True))


@row(about="Permute and flip for utilities that only grow: half the noise.", **ONE_MORE, **FOURFOLD)
def permute_and_flip_monotonic(given=1.0):
    return Served(pure(given), function=chosen("PermuteAndFlip", epsilon=given, monotonic=True))


@row(
    about="A word by the distances between words, all equal: the library then halves its noise.",
    pairs=[("a", "b")],
    **WORDS,
    **DOUBLED,
)
def exponential_categorical(given=1.0):
    from diffprivlib.mechanisms import ExponentialCategorical

    distances = [["a", "b", 1], ["a", "c", 1], ["b", "c", 1]]
    return Served(pure(given), function=ExponentialCategorical(epsilon=given, utility_list=distances).randomise)


@row(about="A word by unequal distances.", pairs=[("a", "c")], **WORDS, **FOURFOLD)
def exponential_categorical_unequal(given=1.0):
    from diffprivlib.mechanisms import ExponentialCategorical

    distances = [["a", "b", 1], ["a", "c", 2], ["b", "c", 1]]
    return Served(pure(given), function=ExponentialCategorical(epsilon=given, utility_list=distances).randomise)


@row(about="A leaf of a tree of words.", pairs=[("a", "c")], **WORDS, **DOUBLED)
def exponential_hierarchical(given=1.0):
    from diffprivlib.mechanisms import ExponentialHierarchical

    release = ExponentialHierarchical(epsilon=given, hierarchy=[["a", "b"], ["c", "d"]]).randomise
    return Served(pure(given), function=release)


@row(
    about="The first eigenvector of a covariance of one row, of norm 1: at most half the claim, by the library's factor.",
    pairs=[([1.0, 0.0], [0.0, 1.0])],
    relation={"words": "the only row is replaced by another of norm 1"},
    trials=5000,
    wrong={"given": 8.0},
    mistake="the library is given eight times the epsilon",
    **ROUNDED,
)
def bingham(given=1.0):
    from diffprivlib.mechanisms import Bingham
    import numpy

    release = Bingham(epsilon=given).randomise
    return Served(pure(given), function=lambda dataset: release(numpy.outer(dataset, dataset)))


@row(
    about="The noisy objective of a logistic regression, minimized: one weight for one row.",
    pairs=[([1.0], [-1.0])],
    relation={"words": "the only row, a feature times its label, is replaced"},
    trials=8000,
    wrong={"given": 8.0},
    mistake="the library is given eight times the epsilon",
    **ROUNDED,
)
def vector(given=1.0):
    from diffprivlib.mechanisms import Vector
    from scipy.optimize import brentq
    import numpy

    mechanism = Vector(epsilon=given, function_sensitivity=0.25, data_sensitivity=1.0, dimension=1, alpha=1.0)

    def release(dataset):
        def objective(weight):
            margin = dataset[0] * weight
            loss = numpy.logaddexp(0.0, -margin) + weight @ weight / 2
            return loss.item(), weight - dataset[0] / (1 + numpy.exp(margin))

        found = mechanism.randomise(objective)
        return brentq(lambda weight: found(numpy.array([weight]))[1].item(), -1e4, 1e4)

    return Served(pure(given), function=release)
