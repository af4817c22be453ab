"""Forty mechanisms, right and wrong: draws in numpy, a pair of datasets, and the exact epsilon of the pair.

`draw(dataset, runs, rng)` returns an array of shape (runs, k). `epsilon` is the smallest epsilon at `delta` for which
the two distributions satisfy (epsilon, delta)-indistinguishability in both directions; it can be infinite. Formulas
are next to the mechanisms; `exact.py` has the numerical ones.
"""

import math
from dataclasses import dataclass
from typing import Callable

import numpy as np

import exact
from exact import INFINITE


@dataclass(frozen=True)
class Mechanism:
    name: str
    draw: Callable
    d: tuple
    d_prime: tuple
    formula: str
    exact: Callable
    delta: float = 0.0

    @property
    def epsilon(self):
        return self.exact(self)

    def pair(self):
        return np.array(self.d, float), np.array(self.d_prime, float)


ALL = {}

# All outcomes are rounded to multiples of this. The low bits of doubles reveal more than the noise allows (Mironov
# 2012), and would hide how an auditor does on the noise itself. Shifts of the pairs are multiples, too.
GRID = 2.0**-16


def add(name, draw, d, d_prime, formula, value, delta=0.0):
    """Registers a mechanism; `value` is its exact epsilon, or a function of the mechanism."""

    def rounded_draw(dataset, runs, rng):
        return np.round(draw(dataset, runs, rng) / GRID) * GRID

    function = value if callable(value) else lambda _: float(value)
    ALL[name] = Mechanism(name, rounded_draw, tuple(d), tuple(d_prime), formula, function, delta)


# Additive noise -----------------------------------------------------------------------------------------------------


def laplace(scale):
    return lambda q, runs, rng: q + rng.laplace(0.0, scale, (runs, len(q)))


def gaussian(sigma):
    return lambda q, runs, rng: q + rng.normal(0.0, sigma, (runs, len(q)))


def two_sided_geometric(ratio, shape, rng):
    """Integers with P(k) proportional to ratio^|k|: the difference of two geometric variables."""
    return rng.geometric(1.0 - ratio, shape) - rng.geometric(1.0 - ratio, shape)


def geometric(q, runs, rng):
    return q + two_sided_geometric(math.exp(-1.0), (runs, 1), rng)


def truncated_geometric(q, runs, rng):
    return np.clip(geometric(q, runs, rng), 0, 5)


def uniform_noise(q, runs, rng):
    return q + rng.uniform(-5.0, 5.0, (runs, 1))


def subsampled_laplace(q, runs, rng):
    """The record counts with probability 1/2."""
    return q * (rng.random((runs, 1)) < 0.5) + rng.laplace(0.0, 0.5, (runs, 1))


def prefix_sum(q, runs, rng):
    return np.cumsum(q + rng.laplace(0.0, 1.0, (runs, len(q))), axis=1)


SHIFT = "sum of |d - d'| / scale"
add("laplace", laplace(1.0), [0], [1], SHIFT, 1.0)
add("laplace-small", laplace(10.0), [0], [1], SHIFT, 0.1)
add("laplace-half-noise", laplace(0.5), [0], [1], SHIFT, 2.0)
add("laplace-vector", laplace(5.0), [0] * 5, [1] * 5, SHIFT, 1.0)
add("geometric", geometric, [0], [1], "-ln ratio", 1.0)
add("truncated-geometric", truncated_geometric, [2], [3], "enumeration", exact.truncated_geometric)
PROFILE = "delta = Phi(m/2 - e/m) - exp(e) Phi(-m/2 - e/m) solved for e, m = |d - d'| / sigma"
add("gaussian", gaussian(1.0), [0], [1], PROFILE, exact.gaussian(1.0), 0.01)
add("gaussian-half-noise", gaussian(0.5), [0], [1], PROFILE, exact.gaussian(0.5), 0.1)
add("gaussian-vector", gaussian(1.0), [0] * 3, [1] * 3, PROFILE, exact.gaussian(1.0), 0.05)
add("uniform-noise", uniform_noise, [0], [1], "supports differ", INFINITE)
add("subsampled-laplace", subsampled_laplace, [0], [1], "ln(1 + (e^2 - 1) / 2)", math.log1p(math.expm1(2.0) / 2))
add("histogram", laplace(1.0), [1, 0, 2], [2, 0, 2], SHIFT, 1.0)
add("histogram-wrong-scale", laplace(0.5), [1, 0, 2], [2, 0, 2], SHIFT + "; scale epsilon, not 1/epsilon", 2.0)
add("prefix-sum", prefix_sum, [0] * 5, [1, 0, 0, 0, 0], SHIFT + "; the sums determine the terms", 1.0)

# Responses ----------------------------------------------------------------------------------------------------------


def flip(bits, keep, rng):
    """Bits that are kept with probability `keep`, else inverted."""
    return np.where(rng.random(bits.shape) < keep, bits, 1.0 - bits)


def randomized_response(q, runs, rng):
    return flip(np.tile(q, (runs, 1)), 0.75, rng)


def kary_response(q, runs, rng):
    """The value with weight e among five, each other one with weight 1."""
    other = rng.integers(1, 5, (runs, 1))
    truth = rng.random((runs, 1)) < math.e / (math.e + 4)
    return np.where(truth, q, (q + other) % 5)


BLOOM = np.array([[1, 0, 0, 1, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 1, 0]], float)


def one_time_rappor(q, runs, rng):
    return flip(np.tile(BLOOM[int(q[0])], (runs, 1)), 1 - 0.75 / 2, rng)


def rappor(q, runs, rng):
    """Permanent bits with f = 0.5, then ones with probability 0.75 where they are 1 and 0.25 where they are 0."""
    permanent = flip(np.tile(BLOOM[int(q[0])], (runs, 1)), 1 - 0.5 / 2, rng)
    return (rng.random(permanent.shape) < np.where(permanent == 1, 0.75, 0.25)).astype(float)


def bits_epsilon(keep):
    """Four of the eight bits differ, and each is released with odds keep : 1 - keep."""
    return 4 * math.log(keep / (1 - keep))


add("randomized-response", randomized_response, [0], [1], "ln(p / (1 - p))", math.log(3.0))
add("k-ary-response", kary_response, [0], [1], "ln(e / 1)", 1.0)
add("one-time-rappor", one_time_rappor, [0], [1], "2h ln((1 - f/2) / (f/2))", bits_epsilon(1 - 0.75 / 2))
add("rappor", rappor, [0], [1], "2h ln(p / (1 - p)), p = 0.75 * 0.75 + 0.25 * 0.25", bits_epsilon(0.625))

# Selection ----------------------------------------------------------------------------------------------------------


def noisy_max(noise, value):
    def draw(q, runs, rng):
        noisy = q + getattr(rng, noise)(size=(runs, len(q)), scale=2.0)
        return (noisy.max(axis=1) if value else noisy.argmax(axis=1).astype(float)).reshape(runs, 1)

    return draw


def exponential_mechanism(q, runs, rng):
    """Weights exp(q/2), by the Gumbel-max identity."""
    return (q / 2 + rng.gumbel(size=(runs, len(q)))).argmax(axis=1).astype(float).reshape(runs, 1)


def permute_and_flip(q, runs, rng):
    """The first index, in random order, whose coin of bias exp((q - max q)/2) shows heads."""
    heads = rng.random((runs, len(q))) < np.exp((q - q.max()) / 2)
    order = np.where(heads, rng.random((runs, len(q))), 2.0)
    return order.argmin(axis=1).astype(float).reshape(runs, 1)


ONES, APART = [1] * 5, [2, 0, 0, 0, 0]
INDEX = "integral over the largest value, for each index"
add("noisy-max-laplace", noisy_max("laplace", False), ONES, APART, INDEX, exact.noisy_max("laplace"))
add("noisy-max-exponential", noisy_max("exponential", False), ONES, APART, INDEX, exact.noisy_max("exponential"))
add("noisy-max-laplace-value", noisy_max("laplace", True), [0] * 5, [1] * 5, "5 / scale, below all answers", 2.5)
add("noisy-max-exponential-value", noisy_max("exponential", True), [0] * 5, [1] * 5, "supports differ", INFINITE)
add("exponential-mechanism", exponential_mechanism, ONES, APART, "softmax of q/2", exact.exponential_mechanism)
add("permute-and-flip", permute_and_flip, ONES, APART, "recursion over sets", exact.permute_and_flip)

# Sparse vector, numbered as by Lyu, Su, Li 2017 -----------------------------------------------------------------------

STOPPED = -1000.0


@dataclass(frozen=True)
class Sparse:
    """Threshold noise, query noise (0: none), answers above before it stops, noise of later thresholds (0: the
    same threshold), and whether the noisy answer is released."""

    threshold: float
    query: float
    limit: int
    again: float = 0.0
    value: bool = False

    def __call__(self, q, runs, rng):
        out = np.full((runs, len(q)), STOPPED)
        level = rng.laplace(0.0, self.threshold, runs)
        left = np.full(runs, self.limit)
        for i, answer in enumerate(q):
            noisy = answer + (rng.laplace(0.0, self.query, runs) if self.query else np.zeros(runs))
            above, live = noisy >= level, left > 0
            shown = noisy if self.value else 1.0
            below = -100.0 if self.value else 0.0
            out[:, i] = np.where(live, np.where(above, shown, below), STOPPED)
            left = left - (above & live)
            if self.again:
                level = np.where(above & live, rng.laplace(0.0, self.again, runs), level)
        return out


# With epsilon = 1, halved between threshold and answers (SVT 4: a quarter and three quarters), and two answers above.
SVT = {
    1: Sparse(2.0, 8.0, 2),
    2: Sparse(4.0, 8.0, 2, again=4.0),
    3: Sparse(2.0, 2.0, 1, value=True),
    4: Sparse(4.0, 4 / 3, 2),
    5: Sparse(2.0, 0.0, 99),
    6: Sparse(2.0, 2.0, 99),
}
LOW_HIGH = ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])
SEQUENCES = "integral over the threshold, for each sequence of answers"
for number in (1, 2, 4, 6):
    add("svt-%d" % number, SVT[number], *LOW_HIGH, SEQUENCES, exact.sparse(SVT[number]))
add("svt-3", SVT[3], [0, 0, 0, 0], [1, 1, 1, 0], "integral up to the released value", exact.sparse_value(SVT[3]))
add("svt-5", SVT[5], *LOW_HIGH, "supports differ", INFINITE)

# Without a name -----------------------------------------------------------------------------------------------------


def max_of_two(q, runs, rng):
    return q + rng.laplace(size=(runs, 2)).max(axis=1).reshape(runs, 1)


def mixture(q, runs, rng):
    """Scale 1, but 0.2 in one run of ten."""
    scale = np.where(rng.random((runs, 1)) < 0.9, 1.0, 0.2)
    return q + rng.laplace(size=(runs, 1)) * scale


def rounded(q, runs, rng):
    return 2.0 * np.floor((q + rng.laplace(size=(runs, 1))) / 2.0 + 0.5)


def clipped(q, runs, rng):
    return np.clip(q + rng.laplace(size=(runs, 1)), 0.0, 1.0)


def scale_by_parity(q, runs, rng):
    return q + rng.laplace(size=(runs, 1)) * (1.0 + q % 2)


def sorted_pair(q, runs, rng):
    return np.sort(q + rng.laplace(size=(runs, 2)), axis=1)


def squared(q, runs, rng):
    return (q + rng.laplace(size=(runs, 1))) ** 2


def sum_of_responses(q, runs, rng):
    return flip(np.tile(q, (runs, 1)), 0.75, rng).sum(axis=1, keepdims=True)


def masked_bit(q, runs, rng):
    """A fair bit, and the randomized response masked by it: each alone is uniform."""
    mask = rng.integers(0, 2, (runs, 1)).astype(float)
    return np.hstack([mask, np.abs(mask - randomized_response(q, runs, rng))])


add("two-laplace", laplace(2.0), [0, 0], [1, 1], SHIFT, 1.0)
add("max-of-two-noises", max_of_two, [0], [1], "2 / scale, from the density 2 f F below both", 2.0)
add("mixture", mixture, [0], [1], "largest ratio of densities", exact.mixture)
add("rounded-laplace", rounded, [0], [1], "enumeration", exact.rounded)
add("clipped-laplace", clipped, [0], [1], "1 / scale, at both ends", 1.0)
add("scale-by-parity", scale_by_parity, [0], [1], "the tails differ", INFINITE)
add("sorted-pair", sorted_pair, [0, 0], [1, 1], "2 / scale, both below", 2.0)
add("squared-laplace", squared, [0], [1], "1 / scale, at zero only: (e^2r + 1) / 2e >= 1 / e", 1.0)
add("sum-of-responses", sum_of_responses, [0] * 6, [1] + [0] * 5, "enumeration", exact.sum_of_responses)
add("masked-bit", masked_bit, [0], [1], "ln(p / (1 - p))", math.log(3.0))

if __name__ == "__main__":
    print(len(ALL))
    for mechanism in ALL.values():
        print("%-28s delta %-5g epsilon %-9.5g %s" % (
            mechanism.name, mechanism.delta, mechanism.epsilon, mechanism.formula))
