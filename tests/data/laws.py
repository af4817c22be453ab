"""Golden laws of the mechanisms that are written against choices, from their definitions.

Run: python3 tests/data/laws.py > tests/data/laws.json

Each entry: kind, parameters, dataset (numbers, or words: rows of the column `word`), outcome (a whole
number, a vector with null for NaN, or a map), and its probability: a fraction where it is one
("mass": "3/8"), else 40 decimals of it (mpmath, 60 digits).
"""
import hashlib
import itertools
import json
from fractions import Fraction as F

import mpmath as mp

mp.mp.dps = 60
entries = []


def add(kind, parameters, dataset, outcome, mass):
    mass = str(mass) if isinstance(mass, F) else mp.nstr(mass, 45, min_fixed=-mp.inf, max_fixed=mp.inf)
    entries.append({"kind": kind, "parameters": parameters, "dataset": dataset, "outcome": outcome,
                    "mass": mass})


# Randomized response: each bit as it is with probability 1/2 + t/2.
kept = F(1, 2) + F(1, 4) / 2
for told in itertools.product([0, 1], repeat=2):
    mass = F(1)
    for true, bit in zip([1, 0], told):
        mass *= kept if true == bit else 1 - kept
    add("randomized-response", {"truth": 0.25}, [1, 0], list(told), mass)

# k-ary: t + (1 - t)/k for the truth, (1 - t)/k for the others.
for told in range(3):
    t = F(1, 3)
    mass = (1 - t) / 3 + (t if told == 2 else 0)
    add("k-ary-randomized-response", {"answers": 3, "truth": "1/3"}, [2], told, mass)

# RAPPOR: the first eight bytes of SHA-256(i, value), modulo the bits.
bits, hashes, value, f = 4, 2, 3, F(1, 5)
true = {int.from_bytes(hashlib.sha256(i.to_bytes(4, "little") + value.to_bytes(8, "little")).digest()[:8],
                       "little") % bits for i in range(hashes)}
for told in itertools.product([0, 1], repeat=bits):
    mass = F(1)
    for at, bit in enumerate(told):
        mass *= 1 - f / 2 if (at in true) == (bit == 1) else f / 2
    add("one-time-rappor", {"f": 0.2, "bits": bits, "hashes": hashes}, [value], list(told), mass)

# Truncated geometric (Balcer & Vadhan 2018): F(z) of D choices give at most z.
n, k = 5, 3  # epsilon = 0.1: k = ceil(ln 20) = 3
K = 2 ** k
D = (2 * K + 1) * (K + 1) ** (n - 1)
for c in range(n + 1):
    def up_to(z):
        if z == n:
            return D
        if z < c:
            return K ** (c - z) * (K + 1) ** (n - c + z)
        return D - K ** (z - c + 1) * (K + 1) ** (n - 1 - z + c)
    for z in range(n + 1):
        add("truncated-geometric", {"epsilon": 0.1, "n": n}, [c], z,
            F(up_to(z) - (up_to(z - 1) if z else 0), D))

# Exponential mechanism, and permute-and-flip over all orders.
u, base = [0, 2, 1], F(3, 2)
weights = [base ** x for x in u]
for i in range(3):
    add("exact-exponential-mechanism", {"base": "3/2"}, u, i, weights[i] / sum(weights))
flip = [F(0)] * 3
for order in itertools.permutations(range(3)):
    left = F(1, 6)
    for i in order:
        heads = weights[i] / max(weights)
        flip[i] += left * heads
        left *= 1 - heads
for i in range(3):
    add("exact-permute-and-flip", {"base": "3/2"}, u, i, flip[i])

# Subsample, bounded noise.
for kept in itertools.product([False, True], repeat=2):
    mass = F(1)
    for keep in kept:
        mass *= F(1, 10) if keep else F(9, 10)
    add("subsample", {"rate": 0.1}, [4, 7], [x for x, keep in zip([4, 7], kept) if keep], mass)
for noise in range(-2, 3):
    add("exact-bounded-noise", {"bound": 2}, [5], 5 + noise, F(1, 5))


def laplace(scale):
    """The discrete Laplace law: probability and distribution function."""
    q = mp.exp(-1 / mp.mpf(scale))

    def pmf(z):
        return (1 - q) / (1 + q) * q ** abs(z)

    def at_most(z):
        return 1 - q ** (z + 1) / (1 + q) if z >= 0 else q ** (-z) / (1 + q)
    return pmf, at_most


pmf, _ = laplace(mp.mpf(7) / 3)
for z in [-20, -3, -1, 0, 1, 2, 11]:
    add("exact-discrete-laplace", {"scale": "7/3"}, [0], z, pmf(z))
variance = mp.mpf(9) / 4
total = mp.nsum(lambda z: mp.exp(-z * z / (2 * variance)), [-mp.inf, mp.inf])
for z in [-9, -3, -1, 0, 1, 2, 7]:
    add("exact-discrete-gaussian", {"variance": "9/4"}, [0], z, mp.exp(-z * z / (2 * variance)) / total)

WIDE = range(-300, 301)  # beyond, the noise of scale 2 has mass below 1e-64

# Noisy max, scale 2: i wins at v if the earlier ones are below v and the later ones at most v.
pmf, at_most = laplace(2)
u = [0, 1, 1]
value = {}
for i in range(3):
    wins = mp.mpf(0)
    for v in WIDE:
        mass = pmf(v - u[i])
        for j in range(3):
            if j != i:
                mass *= at_most(v - u[j] - (1 if j < i else 0))
        wins += mass
        value[v] = value.get(v, mp.mpf(0)) + mass
    add("exact-noisy-max", {"epsilon": 1}, u, i, wins)
for v in [-4, 0, 1, 6]:
    add("exact-noisy-max", {"epsilon": 1, "releases": "maximum"}, u, v, value[v])


def sparse(kind, parameters, queries, rho_scale, nu_scale, outcomes, released=False):
    """Given the threshold's noise, the comparisons are independent."""
    rho, _ = laplace(rho_scale)
    nu, nu_at_most = laplace(nu_scale)
    for outcome in outcomes:
        mass = mp.mpf(0)
        for noise in WIDE:
            threshold = 1 + noise
            path = rho(noise)
            for query, answer in zip(queries, outcome):
                below = nu_at_most(threshold - query - 1)
                if answer is None or (answer == 0 and not released):
                    path *= below
                elif released:
                    path *= nu(answer - query) if answer >= threshold else 0
                else:
                    path *= 1 - below
            mass += path
        add(kind, parameters, queries, outcome, mass)


svt = {"epsilon": 2, "threshold": 1, "stop_after": 1}
sparse("exact-svt-1", svt, [0, 2, 1], 1, 2, [[1], [0, 1], [0, 0, 1], [0, 0, 0]])
sparse("exact-svt-3", svt, [0, 2, 1], 1, 1, [[3], [None, 2], [None, None, 5], [None, None, None]], True)
sparse("exact-svt-4", svt, [0, 2, 1], 2, mp.mpf(2) / 3, [[1], [0, 1], [0, 0, 1], [0, 0, 0]])
endless = {"epsilon": 2, "threshold": 1}
sparse("exact-svt-6", endless, [0, 2, 1], 1, 1, [[1, 0, 1], [0, 0, 0], [1, 1, 1], [0, 1, 0]])

# Stable histogram: a twice, b once; above 6.
pmf, at_most = laplace(1)
histogram = {"column": "word", "epsilon": 1, "threshold": 6}
rows = ["a", "b", "a"]
add("exact-stable-histogram", histogram, rows, {}, at_most(4) * at_most(5))
add("exact-stable-histogram", histogram, rows, {"a": 8}, pmf(6) * at_most(5))
add("exact-stable-histogram", histogram, rows, {"a": 7, "b": 9}, pmf(5) * pmf(8))

print("[")
print(",\n".join(json.dumps(entry) for entry in entries))
print("]")
