"""Mechanisms with a mistake, each at the line that says BUG."""

import math
import random

import numpy as np

from plaudit import column, rows, table

EPS = 1.0


def unclipped(x, rng):
    total = sum(x)  # BUG
    return total + rng.laplace(0, 1 / EPS)


def scale_from_data(x, rng):
    b = max(x) / EPS
    return sum(x) + rng.laplace(0, b)  # BUG


def forgotten(x, rng):
    noisy = sum(x) + rng.laplace(0, 1 / EPS)
    n = len(x)  # BUG
    return {"sum": noisy, "n": n}


def forgotten_all(x, rng):
    rng.laplace(0, 1)
    return len(x)  # BUG


def once(x, rng):
    z = rng.laplace(0, 1 / EPS)
    return [x.count(k) + z for k in range(4)]  # BUG


def twice_used(x, rng):
    z = rng.laplace(0, 2 / EPS)
    n = len(x) + z
    s = np.clip(x, 0, 1).sum() + z  # BUG
    return n, s


def added_twice(x, rng):
    h = [0] * 4
    for a in x:
        h[a] += 1
        h[0] += 1  # BUG
    return [c + rng.laplace(0, 1 / EPS) for c in h]


def axis(x, rng):
    a = np.clip(np.asarray(x["rows"] if isinstance(x, dict) else x, float), 0, 1)
    m = a.sum(axis=0)  # BUG, noise for one column
    return m + rng.laplace(0, 1 / EPS, size=m.shape)


def not_split(x, rng):
    s = np.clip(x, 0, 1).sum() + rng.laplace(0, 1 / EPS)  # BUG
    n = len(x) + rng.laplace(0, 1 / EPS)  # BUG
    return s, n


def clip_after(x, rng):
    s = np.sum(x) + rng.laplace(0, 1 / EPS)  # BUG
    return float(np.clip(s, 0, 10))


def keys(x, rng):
    return {k: x.count(k) + rng.laplace(0, 1 / EPS) for k in set(x)}  # BUG


def exact_div(x, rng):
    s = np.clip(x, 0, 1).sum() + rng.laplace(0, 1 / EPS)
    return s / len(x)  # BUG


def exact_beside(x, rng):
    s = np.clip(x, 0, 1).sum() + rng.laplace(0, 1 / EPS)
    return {"sum": s, "max": max(x)}  # BUG


def seed_fixed(x):
    rng = np.random.default_rng(42)  # BUG
    return len(x) + rng.laplace(0, 1 / EPS)


def seed_py(x):
    r = random.Random(7)  # BUG
    return len(x) + r.gauss(0, 4)


def half(x, random):
    def lap(b):
        return random.choice([-1, 1]) * random.expovariate(1 / b)

    return len(x) + lap(0.5 / EPS)  # BUG


def geo_group(x, random):
    def g(a):
        return int(math.floor(math.log(1.0 - random.random()) / math.log(a)))

    a = math.exp(-EPS)
    return sum(v == 1 for v in x) * 3 + g(a) - g(a)  # BUG


def rr_bad(v, random):
    out = []
    for i, b in enumerate(v):
        if i == 2:
            out.append(b)  # BUG
        else:
            out.append(b ^ (random.random() < 0.3))
    return out


def svt_no_noise(x, rng):
    t = 1 + rng.laplace(0, 2 / EPS)
    return [x.count(k) > t for k in range(4)]  # BUG


def max_with_exact(x, rng):
    s = [x.count(k) + rng.laplace(0, 2 / EPS) for k in range(4)]
    best = int(np.argmax(s))
    return best, x.count(best)  # BUG


def raises(x, rng):
    if 3 in x:
        raise ValueError("too large")  # BUG
    return len(x) + rng.laplace(0, 1)


def branch(x, rng):
    if len(x) > 4:
        return rng.laplace(0, 1)  # BUG (nothing added)
    return len(x) + rng.laplace(0, 1)


def weights(x, rng):
    w = sum(a * 2 for a in np.clip(x, 0, 1))  # BUG
    return w + rng.laplace(0, 1 / EPS)


def sensitivity_data(x, rng):
    sens = max(x) - min(x)
    return sum(x) + sens * rng.laplace(0, 1 / EPS)  # BUG


def variance(x, rng):
    a = np.asarray(x, float)
    return a.var() + rng.laplace(0, 1 / (EPS * len(x)))  # BUG


def mean_n(x, rng):
    n = len(x)
    return sum(np.clip(x, 0, 1)) / n + rng.laplace(0, 1 / (n * EPS))  # BUG


def dtype_exact(x, rng):
    noisy = len(x) + rng.laplace(0, 1 / EPS)
    return {"value": noisy, "parity": len(x) % 2 == 0}  # BUG


def gaussian_small(x, rng):
    return np.asarray(x[:3], float) + rng.normal(0, 0.5, size=3)  # BUG


def order(x, rng):
    counts = {k: x.count(k) for k in range(4)}
    ranked = sorted(counts, key=lambda k: -counts[k])  # BUG
    return [(k, counts[k] + rng.laplace(0, 2 / EPS)) for k in ranked]


def truncated_len(x, rng):
    return [v + rng.laplace(0, 1) for v in x]  # BUG


A = ([0, 1, 1, 2], [0, 1, 1, 2, 3])
S = ([0, 1, 1, 2], [0, 1, 1, 3])
B = ([0], [1])
V = ([0, 1, 1, 0], [0, 1, 0, 0])
L = ([0.5, 0.2], [0.5, 0.2, 9])
M = ([[1, 1], [0, 1]], [[1, 1], [0, 1], [1, 1]])
FLOATS = rows(lower=-10, upper=10, size=(1, 8))
DOMAINS = {
    function: FLOATS
    for function in (
        unclipped,
        scale_from_data,
        twice_used,
        not_split,
        clip_after,
        exact_div,
        exact_beside,
        weights,
        sensitivity_data,
        variance,
        mean_n,
    )
}
DOMAINS[rr_bad] = rows(values=[0, 1], size=4)
DOMAINS[axis] = table({"a": column(values=[0, 1]), "b": column(values=[0, 1])}, size=(1, 6))
CASES = [
    (unclipped, L, {"epsilon": 1.0}),
    (scale_from_data, L, {"epsilon": 1.0}),
    (forgotten, ([1], [1, 1]), {"epsilon": 1.0}),
    (forgotten_all, A, {"epsilon": 1.0}),
    (once, S, {"epsilon": 1.0}),
    (twice_used, ([0.5], [0.5, 0.0]), {"epsilon": 1.0}),
    (added_twice, A, {"epsilon": 1.0}),
    (axis, M, {"epsilon": 1.0}),
    (not_split, L, {"epsilon": 1.0}),
    (clip_after, L, {"epsilon": 1.0}),
    (keys, A, {"epsilon": 1.0}),
    (exact_div, L, {"epsilon": 1.0}),
    (exact_beside, L, {"epsilon": 1.0}),
    (seed_fixed, A, {"epsilon": 1.0}),
    (seed_py, A, dict(mu=0.25)),
    (half, A, {"epsilon": 1.0}),
    (geo_group, ([1], [0]), {"epsilon": 1.0}),
    (rr_bad, V, {"epsilon": 1.0}),
    (svt_no_noise, S, {"epsilon": 1.0}),
    (max_with_exact, ([0, 0, 1], [0, 1, 1]), {"epsilon": 1.0}),
    (raises, A, {"epsilon": 1.0}),
    (branch, A, {"epsilon": 1.0}),
    (weights, L, {"epsilon": 1.0}),
    (sensitivity_data, L, {"epsilon": 1.0}),
    (variance, L, {"epsilon": 1.0}),
    (mean_n, L, {"epsilon": 1.0}),
    (dtype_exact, A, {"epsilon": 1.0}),
    (gaussian_small, ([0, 0, 0], [1, 1, 1]), dict(mu=1.0)),
    (order, S, {"epsilon": 1.0}),
    (truncated_len, A, {"epsilon": 1.0}),
]


def many(x, rng):
    return [len(x) + rng.laplace(0, 4) for _ in range(100)]  # BUG


CASES.append((many, ([1], [1, 2]), {"epsilon": 5.0, "delta": 1e-5}))


def residual(x, rng):
    center = sum(x) + rng.laplace(0, 1)
    return center, x[0] - center  # BUG


def residuals(x, rng):
    a = np.clip(np.asarray(x, float), 0, 1)
    center = a.sum() + rng.laplace(0, 1)
    return center, (a - center).tolist()  # BUG


CASES += [
    (residual, ([0.5, 0.2], [0.1, 0.2]), {"epsilon": 1.0}),
    (residuals, ([0.5, 0.2], [0.5, 0.7]), {"epsilon": 1.0}),
]
DOMAINS[residual] = DOMAINS[residuals] = rows(lower=0, upper=1, size=(2, 6))


def legacy_noise(x):
    a = np.random.random(()) - 0.5
    return x[0] + 0.1 * np.sign(a) * np.log(1 - np.abs(a) * 2)  # BUG


def above_threshold(x):
    t = sum(x) / len(x)
    return [v if v + np.random.laplace(0, 4) >= t + np.random.laplace(0, 2) else 0.0 for v in x]  # BUG


first, second = (lambda x: x[0]), (lambda x: x[0] + random.gauss(0, 100))  # BUG

CASES += [
    (legacy_noise, ([0.0], [1.0]), {"epsilon": 1.0}),
    (above_threshold, ([0.0, 5.0, 10.0], [0.0, 5.0, 11.0]), {"epsilon": 1.0}),
    (first, ([0], [1]), {"epsilon": 1.0}),
]
DOMAINS[legacy_noise] = rows(lower=0, upper=1, size=1)
DOMAINS[above_threshold] = rows(lower=0, upper=11, integers=True, size=(3, 6))
DOMAINS[first] = rows(lower=0, upper=1, size=1)
