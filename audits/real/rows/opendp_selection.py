"""opendp: selection, quantiles and randomized response.

Claims are what the privacy map of the measurement returns for neighbors at distance 1.
"""

from rows.opendp import EIGHTH, atoms, first, library, served
from table import concentrated, pure, row

LIBRARY = "opendp"
DISTRIBUTION = "opendp"
ENVIRONMENT = "opendp"

# Scores that move by at most 1 each.
SCORES = dict(
    pairs=[{"pattern": "half-half", "size": 6}, {"pattern": "one-up-rest-down", "size": 6}],
    relation={"linf": 1.0},
)
# Scores that all move in one direction.
RISING = dict(pairs=[([1, 1, 1, 1, 1, 1], [2, 1, 1, 1, 1, 1])], relation={"linf": 1.0})
QUARTER = dict(wrong={"noise": 0.25}, mistake="a quarter of the noise")


def scores(dp, T, monotonic):
    return dp.vector_domain(atoms(dp, T)), dp.linf_distance(T=T, monotonic=monotonic)


def chosen(noise, measure="max_divergence", T=int, monotonic=False, negate=False):
    """The place of the largest, or smallest, noisy score; scores arrive as floats."""
    dp = library()
    space = scores(dp, T, monotonic)
    release = dp.m.make_noisy_max(*space, getattr(dp, measure)(), scale=2.0 * noise, negate=negate)
    claim = pure if measure == "max_divergence" else concentrated
    return served(release, claim(release.map(T(1))), lambda dataset: [T(score) for score in dataset])


@row(about="The place of the largest of six counts, by exponential noise of scale 2.", **SCORES)
def noisy_max(noise=1.0):
    return chosen(noise)


@row(about="The place of the smallest of six counts.", **SCORES)
def noisy_min(noise=1.0):
    return chosen(noise, negate=True)


@row(about="The place of the largest of six floats.", **SCORES)
def noisy_max_floats(noise=1.0):
    return chosen(noise, T=float)


@row(about="Counts that can only grow: half the loss.", **RISING)
def noisy_max_monotonic(noise=1.0):
    return chosen(noise, monotonic=True)


@row(about="The place of the largest by Gumbel noise, claimed by zCDP.", **SCORES, **EIGHTH)
def noisy_max_zcdp(noise=1.0):
    return chosen(noise, "zero_concentrated_divergence")


@row(about="Counts that can only grow, claimed by zCDP.", **RISING, **EIGHTH)
def noisy_max_zcdp_monotonic(noise=1.0):
    return chosen(noise, "zero_concentrated_divergence", monotonic=True)


def several(noise, measure, T=int, negate=False):
    dp = library()
    space = scores(dp, T, False)
    release = dp.m.make_noisy_top_k(*space, getattr(dp, measure)(), k=2, scale=2.0 * noise, negate=negate)
    claim = pure if measure == "max_divergence" else concentrated
    return served(release, claim(release.map(T(1))), lambda dataset: [T(score) for score in dataset])


@row(about="The places of the two largest of six counts.", **SCORES)
def noisy_top_k(noise=1.0):
    return several(noise, "max_divergence")


@row(about="The places of the two smallest of six floats.", **SCORES)
def noisy_bottom_k_floats(noise=1.0):
    return several(noise, "max_divergence", float, True)


@row(about="The places of the two largest, claimed by zCDP.", **SCORES, **EIGHTH)
def noisy_top_k_zcdp(noise=1.0):
    return several(noise, "zero_concentrated_divergence")


def gumbel(noise, optimize):
    dp = library()
    release = dp.m.make_report_noisy_max_gumbel(*scores(dp, int, False), scale=2.0 * noise, optimize=optimize)
    return served(release, pure(release.map(1)), lambda dataset: [int(score) for score in dataset])


@row(about="The older call for the place of the largest, by Gumbel noise.", **SCORES)
def report_noisy_max_gumbel(noise=1.0):
    return gumbel(noise, "max")


@row(about="The older call for the place of the smallest.", **SCORES)
def report_noisy_min_gumbel(noise=1.0):
    return gumbel(noise, "min")


# Quantiles: a candidate by the exponential mechanism.


def quantile(noise, measure="max_divergence", T=float, size=None, alpha=0.5, distance=1):
    dp = library()
    space = dp.vector_domain(atoms(dp, T), size=size), dp.symmetric_distance()
    candidates = [T(number) for number in range(5)]
    release = dp.m.make_private_quantile(*space, getattr(dp, measure)(), candidates, alpha, 1.0 * noise)
    claim = pure if measure == "max_divergence" else concentrated
    return served(release, claim(release.map(distance)), lambda dataset: [T(number) for number in dataset])


MEDIAN = dict(pairs=[([0.0, 0.0, 3.5], [0.0, 0.0]), ([0.5, 3.5], [0.5])], relation="add-remove")
MOVED = dict(pairs=[([0.0, 0.0, 3.5], [0.0, 3.5, 3.5])], relation="substitution")


@row(about="The median among five candidates.", **MEDIAN, **QUARTER)
def private_median(noise=1.0):
    return quantile(noise)


@row(
    about="The lower quartile of integers among five candidates.",
    pairs=[([3, 0, 0, 3], [3, 0, 0]), ([0], [])],
    relation="add-remove",
    **EIGHTH,
)
def private_quartile_of_integers(noise=1.0):
    return quantile(noise, T=int, alpha=0.25)


@row(about="The median of a known number of rows: one is replaced.", **MOVED, **EIGHTH)
def private_median_of_known_size(noise=1.0):
    return quantile(noise, size=3, distance=2)


@row(
    about="The median among five candidates, claimed by zCDP.",
    wrong={"noise": 0.125},
    mistake="an eighth of the noise",
    **MEDIAN,
)
def private_median_zcdp(noise=1.0):
    return quantile(noise, "zero_concentrated_divergence")


# Randomized response: the mutant is true more often.

TRUER = dict(wrong={"truth": 0.9}, mistake="the true answer with probability 0.9 instead of 0.75")
BIT = dict(pairs=[([0], [1])], relation={"linf": 1.0})


@row(about="A bit, true with probability 0.75: ln 3.", **BIT, **TRUER)
def randomized_response(truth=0.75):
    dp = library()
    release = dp.m.make_randomized_response_bool(prob=truth)
    return served(release, pure(release.map(1)), lambda dataset: bool(dataset[0]))


@row(about="A bit in constant time.", **BIT, **TRUER)
def randomized_response_constant_time(truth=0.75):
    dp = library()
    release = dp.m.make_randomized_response_bool(prob=truth, constant_time=True)
    return served(release, pure(release.map(1)), lambda dataset: bool(dataset[0]))


@row(
    about="One of three words.",
    pairs=[("a", "b")],
    relation={"words": "one person's answer is another one"},
    format="json",
    **TRUER,
)
def randomized_response_words(truth=0.75):
    dp = library()
    release = dp.m.make_randomized_response(["a", "b", "c"], prob=truth)
    return served(release, pure(release.map(1)))


@row(about="One of three integers.", pairs=[([1], [2])], relation="substitution", **TRUER)
def randomized_response_integers(truth=0.75):
    dp = library()
    release = dp.m.make_randomized_response([1, 2, 3], prob=truth)
    return served(release, pure(release.map(1)), first)


@row(
    about="A word that is not among the categories: any of them is released.",
    pairs=[("a", "z")],
    relation={"words": "one person's answer is another one"},
    format="json",
    wrong={"truth": 0.98},
    mistake="the true answer with probability 0.98 instead of 0.75",
)
def randomized_response_unknown_word(truth=0.75):
    dp = library()
    release = dp.m.make_randomized_response(["a", "b", "c"], prob=truth)
    return served(release, pure(release.map(1)))


@row(
    about="A vector of eight bits, of which at most two are 1, each replaced by a coin with probability 0.5.",
    pairs=[([1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 1])],
    relation={"words": "one person's bits are other ones, at most two of them 1"},
    wrong={"coin": 0.2},
    mistake="a coin with probability 0.2",
    trials=40_000,
)
def randomized_response_bits(coin=0.5):
    import numpy

    dp = library()
    release = dp.m.make_randomized_response_bitvec(dp.bitvector_domain(max_weight=2), dp.discrete_distance(), coin)

    def respond(bits):
        return numpy.unpackbits(numpy.frombuffer(release(numpy.packbits(bits).tobytes()), dtype=numpy.uint8)).tolist()

    return served(respond, pure(release.map(1)))
