"""Right mechanisms, as people write them."""

import math
import random

import numpy as np

EPS = 1.0


def count(x, rng):
    return sum(a >= 18 for a in x) + rng.laplace(0, 1 / EPS)


def count_loc(x, rng):
    return rng.laplace(len(x), 1 / EPS)


def count_std(x, rng):
    return len(x) + rng.standard_normal() * 0 + float(rng.laplace(0, 1 / EPS))


def clipped_sum(x, rng):
    return float(np.clip(x, 0, 1).sum() + rng.laplace(scale=1 / EPS))


def histogram(x, rng):
    h = np.bincount(np.asarray(x, int), minlength=4).astype(float)
    return (h + rng.laplace(0, 2 / EPS, size=4)).tolist()


def hist_py(x, random):
    def lap(b):
        return random.choice([-1, 1]) * random.expovariate(1 / b)

    return {k: x.count(k) + lap(2 / EPS) for k in range(4)}


def geo(x, random):
    def g(a):
        return int(math.floor(math.log(1.0 - random.random()) / math.log(a)))

    a = math.exp(-EPS)
    return len(x) + g(a) - g(a)


def inverse(x, rng):
    u = rng.random() - 0.5
    return len(x) - 1 / EPS * np.sign(u) * np.log(1 - 2 * abs(u))


def inverse_math(x, random):
    u = random.random() - 0.5
    return len(x) - 1 / EPS * math.copysign(1, u) * math.log(1 - 2 * abs(u))


def response(x, random):
    return x[0] if random.random() < math.exp(EPS) / (1 + math.exp(EPS)) else 1 - x[0]


def rr_xor(v, random):
    return [a ^ (random.random() < 0.3) for a in v]


def rr_vec(v, rng):
    v = np.asarray(v)
    m = rng.random(len(v)) < 0.3
    return np.where(m, 1 - v, v)


def rr_list(v, rng):
    return [b if rng.random() < 0.73 else 1 - b for b in v]


def grr(v, random):
    k = 4
    p = math.exp(EPS) / (math.exp(EPS) + k - 1)
    if random.random() < p:
        return v[0]
    return random.choice([i for i in range(k) if i != v[0]])


def expmech(v, rng):
    u = np.bincount(np.asarray(v, int), minlength=4)
    w = np.exp(EPS * u / 2)
    return int(rng.choice(4, p=w / w.sum()))


def noisy_max(v, rng):
    u = np.bincount(np.asarray(v, int), minlength=4)
    return int(np.argmax(u + rng.laplace(0, 2 / EPS, size=4)))


def noisy_max_py(v, random):
    best, at = -1e9, None
    for k in range(4):
        s = v.count(k) + random.expovariate(EPS / 2)
        if s > best:
            best, at = s, k
    return at


def gumbel(v, rng):
    u = np.bincount(np.asarray(v, int), minlength=4)
    return int(np.argmax(EPS * u / 2 + rng.gumbel(size=4)))


def svt(x, rng):
    t = 3 + rng.laplace(0, 2 / EPS)
    out = []
    for k in range(4):
        q = x.count(k)
        if q + rng.laplace(0, 4 / EPS) > t:
            out.append(True)
            break
        out.append(False)
    return out


def two_sums(x, rng):
    s = np.clip(x, 0, 1).sum() + rng.laplace(0, 2 / EPS)
    n = len(x) + rng.laplace(0, 2 / EPS)
    return s / max(n, 1)


def gaussian_vector(x, rng):
    a = np.asarray(x, float)
    a = a / max(1, np.linalg.norm(a))
    return a + rng.normal(0, 4.0, size=a.shape)


def rounded(x, rng):
    return round(len(x) + rng.laplace(0, 1 / EPS))


def tree(x, rng):
    leaves = np.bincount(np.asarray(x, int), minlength=4)
    out = []
    for size in (1, 2, 4):
        for i in range(0, 4, size):
            out.append(leaves[i : i + size].sum() + rng.laplace(0, 6 / EPS))
    return out


def keys_threshold(x, rng):
    out = {}
    for k in sorted(set(x)):
        c = x.count(k) + rng.laplace(0, 1 / EPS)
        if c > 15:
            out[k] = c
    return out


def legacy(x):
    return len(x) + np.random.laplace(0, 1 / EPS)


def legacy_py(x):
    return len(x) + random.gauss(0, 4)


def secrets_geo(x):
    import secrets

    r = secrets.SystemRandom()
    u = r.random() - 0.5
    return round(len(x) - math.copysign(1, u) * math.log(1 - 2 * abs(u)))


RNG = np.random.default_rng()


def global_rng(x):
    return len(x) + RNG.laplace(0, 1)


class Mech:
    def __init__(self):
        self.rng = np.random.default_rng()

    def __call__(self, x):
        return len(x) + self.rng.laplace(0, 1)


def uniform_sample(x, rng):
    keep = rng.random(len(x)) < 0.5
    return sum(1 for a, k in zip(x, keep) if k) + rng.laplace(0, 1 / EPS)


def binomial_rr(v, rng):
    return int(rng.binomial(1, 0.75 if v[0] else 0.25))


def seeded_from(x, rng):
    inner = np.random.default_rng(rng.integers(2**63))
    return len(x) + inner.laplace(0, 1)


def scipy_lap(x):
    import scipy.stats as st

    return len(x) + st.laplace.rvs(scale=1 / EPS)


def assigned(x, rng):
    out = np.zeros(4)
    for k in range(4):
        out[k] = x.count(k) + rng.laplace(0, 2 / EPS)
    return out


def list_noise(x, rng):
    noise = np.array([rng.laplace(0, 2 / EPS) for _ in range(4)])
    return np.bincount(np.asarray(x, int), minlength=4) + noise


def inplace(x, rng):
    h = np.bincount(np.asarray(x, int), minlength=4).astype(float)
    h += rng.laplace(0, 2 / EPS, 4)
    return h


A = ([0, 1, 1, 2], [0, 1, 1, 2, 3])
S = ([0, 1, 1, 2], [0, 1, 1, 3])
B = ([0], [1])
V = ([0, 1, 1, 0], [0, 1, 0, 0])
AGES = ([17, 34], [17, 34, 71])
CASES = [
    (count, AGES, {"epsilon": 1.0}),
    (count_loc, A, {"epsilon": 1.0}),
    (count_std, A, {"epsilon": 1.0}),
    (clipped_sum, ([0.5, 0.2], [0.5, 0.2, 3]), {"epsilon": 1.0}),
    (histogram, S, {"epsilon": 1.0}),
    (hist_py, S, {"epsilon": 1.0}),
    (geo, A, {"epsilon": 1.0}),
    (inverse, A, {"epsilon": 1.0}),
    (inverse_math, A, {"epsilon": 1.0}),
    (response, B, {"epsilon": 1.0}),
    (rr_xor, V, {"epsilon": 1.0}),
    (rr_vec, V, {"epsilon": 1.0}),
    (rr_list, V, {"epsilon": 1.0}),
    (grr, B, {"epsilon": 1.0}),
    (expmech, S, {"epsilon": 1.0}),
    (noisy_max, S, {"epsilon": 1.0}),
    (noisy_max_py, S, {"epsilon": 1.0}),
    (gumbel, S, {"epsilon": 1.0}),
    (svt, S, {"epsilon": 1.0}),
    (two_sums, ([0.5, 0.2], [0.5, 0.2, 3]), {"epsilon": 1.0}),
    (gaussian_vector, ([3.0, 0, 0], [0.0, 0, 0]), dict(epsilon=1.5, delta=1e-5)),
    (rounded, A, {"epsilon": 1.0}),
    (tree, S, {"epsilon": 1.0}),
    (keys_threshold, A, dict(epsilon=1.0, delta=1e-5)),
    (legacy, A, {"epsilon": 1.0}),
    (legacy_py, A, dict(mu=0.25)),
    (secrets_geo, A, {"epsilon": 1.0}),
    (global_rng, A, {"epsilon": 1.0}),
    (Mech(), A, {"epsilon": 1.0}),
    (uniform_sample, A, {"epsilon": 1.0}),
    (binomial_rr, B, dict(epsilon=1.1)),
    (seeded_from, A, {"epsilon": 1.0}),
    (scipy_lap, A, {"epsilon": 1.0}),
    (assigned, S, {"epsilon": 1.0}),
    (list_noise, S, {"epsilon": 1.0}),
    (inplace, S, {"epsilon": 1.0}),
]


def many(x, rng):
    return [len(x) + rng.laplace(0, 10) for _ in range(100)]


CASES.append((many, ([1], [1, 2]), {"epsilon": 5.0, "delta": 1e-5}))


def two_steps(x, rng):
    a = np.clip(np.asarray(x, float), 0, 1)
    mean = (a.sum() + rng.laplace(0, 2)) / 5
    spread = ((a - mean).clip(-1, 1) ** 2).sum() + rng.laplace(0, 2)
    return mean, spread


def two_steps_in_python(x, rng):
    total = sum(min(1.0, max(0.0, v)) for v in x) + rng.laplace(0, 2)
    center = total / 5
    above = sum(1 for v in x if v > center)
    far = sum(min(1.0, abs(v - center)) for v in x)
    return total, above + rng.laplace(0, 4), far + rng.laplace(0, 4)


def descent(x, rng):
    rows = np.clip(np.asarray(x, float), -1, 1)
    w = 0.0
    for _ in range(4):
        w = w - 0.1 * (np.clip(w - rows, -1, 1).sum() + rng.normal(0, 4))
    return w


def descent_by_matrices(x, rng):
    rows = np.stack([np.asarray(x, float), np.ones(len(x))], axis=1)
    w = np.zeros(2)
    for _ in range(4):
        gradients = np.clip(rows * (rows @ w - 1)[:, None], -0.5, 0.5)
        w = w - 0.1 * (gradients.sum(axis=0) + rng.normal(0, 4, 2))
    return w.tolist()


def matrix(x, rng):
    prefix = np.tril(np.ones((4, 4)))
    counts = np.bincount(np.asarray(x, int), minlength=4)
    return prefix @ counts + prefix @ rng.laplace(0, 2, 4)


CASES += [
    (two_steps, ([0.5, 0.2], [0.5, 0.2, 3]), {"epsilon": 1.0}),
    (two_steps_in_python, ([0.5, 0.2], [0.5, 0.2, 3]), {"epsilon": 1.0}),
    (descent, ([0.5, 0.2], [0.5, 0.2, 3]), {"mu": 0.5}),
    (descent_by_matrices, ([0.5, 0.2], [0.5, 0.2, 3]), {"mu": 0.5}),
    (matrix, ([0, 1, 1, 2], [0, 1, 1, 3]), {}),
]


def counted_tree(x, rng):
    node, last, out = [None] * 4, [0.0] * 4, []
    for t, value in enumerate(x, 1):
        n = t
        while n <= 8:
            j = (n & -n).bit_length() - 1
            if node[j] is None:
                node[j] = rng.normal(0, 2.0)
            node[j] += value
            n += n & -n
        i, rest = (t & -t).bit_length() - 1, t - (t & -t)
        res = node[i] + (last[(rest & -rest).bit_length() - 1] if rest else 0.0)
        last[i], node[i] = res, None
        out.append(res)
    return out


def response_by_binomial(v):
    return v[0] if np.random.binomial(1, 0.75) == 1 else 1 - v[0]


def response_of_four(v, random):
    if random.random() < math.e / (math.e + 3):
        return v[0]
    y = random.randint(0, 2)
    return 3 if y == v[0] else y


def legacy_laplace(x):
    a = np.random.random(()) - 0.5
    return x[0] + np.sign(a) * np.log(1 - np.abs(a) * 2)


CASES += [
    (counted_tree, ([0.0] * 8, [1.0] + [0.0] * 7), {"mu": 1.0001}),
    (counted_tree, ([0.0] * 8, [0.0] * 2 + [1.0] + [0.0] * 5), {"mu": 1.0001}),
    (response_by_binomial, B, {"epsilon": math.log(3) + 1e-9}),
    (response_of_four, B, {"epsilon": 1.0}),
    (legacy_laplace, ([0.0], [1.0]), {"epsilon": 1.0}),
]
