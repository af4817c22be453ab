"""Exact epsilons that need a sum, a root or an integral. Integrals use midpoints of cells of width 0.002, whose borders
contain all kinks and jumps: their relative error is below 10^-5."""

import itertools
import math

import numpy as np

INFINITE = math.inf
WIDTH, REACH = 0.002, 80
MIDPOINTS = (np.arange(int(2 * REACH / WIDTH)) + 0.5) * WIDTH - REACH


def ratio(p, q):
    """Largest |ln(p/q)| over outcomes with probabilities or densities p and q."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    seen = (p > 0) | (q > 0)
    if np.any((p[seen] == 0) | (q[seen] == 0)):
        return INFINITE
    return float(np.abs(np.log(p[seen] / q[seen])).max())


def laplace_density(x, scale):
    return np.exp(-np.abs(x) / scale) / (2 * scale)


def laplace_cdf(x, scale):
    tail = np.exp(-np.abs(x) / scale) / 2
    return np.where(x < 0, tail, 1 - tail)


def exponential_density(x, scale):
    return np.where(x > 0, np.exp(-np.maximum(x, 0) / scale) / scale, 0.0)


def exponential_cdf(x, scale):
    return -np.expm1(-np.maximum(x, 0) / scale)


def normal_cdf(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def gaussian(sigma):
    """Root of the privacy profile (Balle, Wang 2018, Theorem 8) at the mechanism's delta, by bisection."""

    def value(mechanism):
        d, d_prime = mechanism.pair()
        m = float(np.linalg.norm(d - d_prime)) / sigma
        low, high = 0.0, 100.0
        for _ in range(100):
            e = (low + high) / 2
            delta = normal_cdf(m / 2 - e / m) - math.exp(e) * normal_cdf(-m / 2 - e / m)
            low, high = (e, high) if delta > mechanism.delta else (low, e)
        return low

    return value


def truncated_geometric(mechanism):
    """P(k) = (1 - a) / (1 + a) a^|k - q| inside, and a^|k - q| / (1 + a) at the ends 0 and 5."""
    a = math.exp(-1.0)

    def law(q):
        inside = [(1 - a) / (1 + a) * a ** abs(k - q) for k in range(1, 5)]
        return [a**q / (1 + a)] + inside + [a ** (5 - q) / (1 + a)]

    return ratio(law(mechanism.d[0]), law(mechanism.d_prime[0]))


def noisy_max(noise):
    """P(i) is the integral of f(x - q_i) and of F(x - q_j) for all other j; the scale is 2."""
    density, cdf = {
        "laplace": (laplace_density, laplace_cdf),
        "exponential": (exponential_density, exponential_cdf),
    }[noise]

    def law(q):
        below = [cdf(MIDPOINTS - a, 2.0) for a in q]
        return [
            np.sum(density(MIDPOINTS - q[i], 2.0) * np.prod(below[:i] + below[i + 1 :], axis=0)) * WIDTH
            for i in range(len(q))
        ]

    return lambda mechanism: ratio(law(mechanism.d), law(mechanism.d_prime))


def exponential_mechanism(mechanism):
    def law(q):
        weights = np.exp(np.array(q) / 2)
        return weights / weights.sum()

    return ratio(law(mechanism.d), law(mechanism.d_prime))


def permute_and_flip(mechanism):
    """P(i among S) is the mean over j in S of heads(i) for j = i, else of (1 - heads(j)) P(i among S without j)."""

    def law(q):
        heads = np.exp((np.array(q, float) - max(q)) / 2)

        def among(i, left):
            total = heads[i]
            for j in left - {i}:
                total += (1 - heads[j]) * among(i, left - {j})
            return total / len(left)

        return [among(i, frozenset(range(len(q)))) for i in range(len(q))]

    return ratio(law(mechanism.d), law(mechanism.d_prime))


def sparse(svt):
    """Largest ratio over all sequences of answers of a sparse vector technique that releases no values."""

    def law(q):
        weight = laplace_density(MIDPOINTS, svt.threshold) * WIDTH
        later = laplace_density(MIDPOINTS, svt.again) * WIDTH if svt.again else None
        below = [laplace_cdf(MIDPOINTS - a, svt.query) for a in q]
        found = {}
        for bits in itertools.product([0, 1], repeat=len(q)):
            stop = [i for i in range(len(q)) if sum(bits[: i + 1]) == svt.limit]
            shown = bits[: stop[0] + 1] if stop else bits
            if shown not in found:
                found[shown] = probability(shown, weight, later, below)
        return [found[shown] for shown in sorted(found)]

    def probability(shown, weight, later, below):
        done = 1.0
        for i, bit in enumerate(shown):
            weight = weight * (1 - below[i] if bit else below[i])
            if bit and later is not None:
                done, weight = done * weight.sum(), later
        return done * weight.sum()

    return lambda mechanism: ratio(law(mechanism.d), law(mechanism.d_prime))


def sparse_value(svt):
    """The same for one that stops at the first answer above and releases its noisy value v: the density is
    f(v - q_i) times the integral over thresholds up to v of those that the earlier answers stay below."""

    def law(q):
        weight = laplace_density(MIDPOINTS, svt.threshold) * WIDTH
        laws = []
        for answer in q:
            up_to = np.cumsum(weight) - weight / 2
            laws.append((up_to * laplace_density(MIDPOINTS - answer, svt.query))[np.abs(MIDPOINTS) < 40])
            weight = weight * laplace_cdf(MIDPOINTS - answer, svt.query)
        return np.concatenate(laws + [[weight.sum()]])

    return lambda mechanism: ratio(law(mechanism.d), law(mechanism.d_prime))


def mixture(_):
    def density(x):
        return 0.9 * laplace_density(x, 1.0) + 0.1 * laplace_density(x, 0.2)

    x = np.linspace(-20, 20, 400_001)
    return ratio(density(x), density(x - 1.0))


def rounded(_):
    """Probabilities of the cells (2k - 1, 2k + 1); beyond them the ratio is constant."""

    def law(q):
        borders = laplace_cdf(np.arange(-21.0, 22.0, 2.0) - q, 1.0)
        return np.diff(borders)[:11], np.diff(-laplace_cdf(q - np.arange(-21.0, 22.0, 2.0), 1.0))[11:]

    return max(ratio(p, q) for p, q in zip(law(0.0), law(1.0)))


def sum_of_responses(mechanism):
    def law(bits):
        total = np.array([1.0])
        for bit in bits:
            total = np.convolve(total, [0.25, 0.75] if bit else [0.75, 0.25])
        return total

    return ratio(law(mechanism.d), law(mechanism.d_prime))
