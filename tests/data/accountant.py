"""Golden values for the accountant, in 40-digit arithmetic (mpmath).

Run: python3 tests/data/accountant.py > tests/data/accountant-golden.csv   (some seconds)

Columns: composition, as `plaudit account` reads it; epsilon; delta there.
Closed forms of one use, in the worse direction where there is a sample; exact convolutions of laws
on a lattice, as polynomials with integer coefficients of 400 bits. Parameters are taken as the
doubles that their decimals name.
"""
import mpmath as mp

mp.mp.dps = 40


def row(composition, epsilon, delta):
    if delta > mp.mpf(10) ** -290:
        print(f'"{composition}",{epsilon!r},{mp.nstr(delta, 25)}')


def tail(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def gaussian(mu, eps):
    return tail(eps / mu - mu / 2) - mp.exp(eps) * tail(eps / mu + mu / 2)


def laplace(a, eps):
    return max(mp.mpf(0), -mp.expm1((eps - a) / 2)) if eps >= -a else -mp.expm1(eps)


def sampled(profile, rate, eps):
    """The larger of both directions of a Poisson sample of a symmetric pair."""
    x = mp.exp(eps)
    present = rate * profile(mp.log1p((x - 1) / rate))
    left = 1 - x * (1 - rate)
    absent = left * profile(mp.log(x * rate / left)) if left > 0 else mp.mpf(0)
    return max(present, absent)


print("composition,epsilon,delta")
EPSILONS = [0.0, 0.1, 0.5, 1.0, 2.0, 4.377, 8.0, 20.0]
for sigma in (0.2, 1.0, 3.0, 50.0, 2000.0):
    mu = 1 / mp.mpf(sigma)
    for eps in EPSILONS:
        scaled = eps if sigma < 10 else eps / sigma
        row(f"gaussian(sigma={sigma})", scaled, gaussian(mu, mp.mpf(scaled)))
for scale in (0.25, 1.0, 20.0):
    for eps in (0.0, 0.01, 0.3, 0.9, 3.5):
        row(f"laplace(scale={scale})", eps, laplace(1 / mp.mpf(scale), mp.mpf(eps)))
for rate in (0.001, 0.01, 0.3):
    for eps in (0.0, 0.01, 0.2, 1.0, 3.0):
        q = mp.mpf(rate)
        row(f"gaussian(sigma=1) @ poisson({rate})", eps,
            sampled(lambda e: gaussian(mp.mpf(1), e), q, mp.mpf(eps)))
        row(f"laplace(scale=1) @ poisson({rate})", eps,
            sampled(lambda e: laplace(mp.mpf(1), e), q, mp.mpf(eps)))
        row(f"gaussian(sigma=1) @ without-replacement({rate})", eps,
            q * gaussian(mp.mpf(1), mp.log1p(mp.expm1(mp.mpf(eps)) / q)))
def opposed(sigma, rate, eps):
    """A row replaced in a Poisson sample: outcomes above x, where the likelihood ratio is e^eps (by bisection)."""
    mu, x = 1 / mp.mpf(sigma), mp.exp(eps)

    def ratio(z):
        plus, minus = mp.exp(mu * z - mu**2 / 2), mp.exp(-mu * z - mu**2 / 2)
        return (1 - rate + rate * plus) / (1 - rate + rate * minus)

    low, high = mp.mpf(0), mp.mpf(1)
    while ratio(high) < x:
        high *= 2
    for _ in range(140):
        middle = (low + high) / 2
        low, high = (middle, high) if ratio(middle) < x else (low, middle)
    alone, plus, minus = tail(low), tail(low - mu), tail(low + mu)
    return (1 - rate) * (1 - x) * alone + rate * (plus - x * minus)


def opposed_laplace(scale, rate, eps):
    """The same of Laplace noise: rate (1 - e^(z - a)), with the ratio e^eps at z."""
    a = 1 / mp.mpf(scale)
    z = (a + mp.log((mp.exp(eps) * (1 - rate + rate * mp.exp(-a)) - (1 - rate)) / rate)) / 2
    return rate * (1 - mp.exp(z - a)) if z < a else mp.mpf(0)


for sigma in (0.05, 0.5, 1.0, 4.0, 500.0):
    for rate in (0.0001, 0.01, 0.3, 1.0):
        for eps in (0.0, 0.001, 0.1, 0.5, 2.0, 6.0):
            delta = opposed(sigma, mp.mpf(rate), mp.mpf(eps))
            # Next to 1, a double holds delta too coarsely to ask for the epsilon.
            if delta < 0.99:
                row(f"gaussian(sigma={sigma}) @ poisson-substitution({rate})", eps, delta)
for scale in (0.2, 1.0, 10.0):
    for rate in (0.0001, 0.01, 0.3, 1.0):
        for eps in (0.0, 0.001, 0.1, 0.5, 2.0, 6.0):
            row(f"laplace(scale={scale}) @ poisson-substitution({rate})", eps, opposed_laplace(scale, mp.mpf(rate), mp.mpf(eps)))
for end in (0.1, 1.0, 6.0):
    for share in (0.0, 0.3, 0.9):
        eps = end * share
        row(f"exponential-mechanism(epsilon={end})", eps,
            mp.expm1((mp.mpf(eps) - mp.mpf(end)) / 2) ** 2 / -mp.expm1(-mp.mpf(end)))

BITS = 400


def times(a, b):
    """The product of two polynomials with coefficients in units of 2^-BITS, rounded down."""
    width = 2 * BITS + 40
    pack = lambda c: int.from_bytes(b"".join(v.to_bytes(width // 8, "little") for v in c), "little")
    product = pack(a) * pack(b)
    count = len(a) + len(b) - 1
    data = product.to_bytes((count + 1) * width // 8, "little")
    step = width // 8
    return [int.from_bytes(data[i * step:(i + 1) * step], "little") >> BITS for i in range(count)]


def power(masses, n):
    """The n-fold convolution of masses, by integers: exact but for some 2^-390 in each mass."""
    base = [int(mp.floor(m * mp.mpf(2) ** BITS)) for m in masses]
    result = None
    while n:
        if n & 1:
            result = base if result is None else times(result, base)
        n >>= 1
        if n:
            base = times(base, base)
    return [mp.mpf(v) * mp.mpf(2) ** -BITS for v in result]


def lattice(name, first, unit, masses, n, epsilons):
    """Losses unit (first + i) with these masses, n times."""
    mp.mp.dps = 60
    total = power(masses, n)
    for eps in epsilons:
        x = mp.mpf(eps)
        delta = mp.mpf(0)
        for i, p in enumerate(total):
            loss = unit * (first * n + i)
            if loss > x:
                delta += p * -mp.expm1(x - loss)
        row(name, eps, delta)
    mp.mp.dps = 40


def randomized(truth, values):
    t = mp.mpf(truth)
    other = (1 - t) / values
    told = t + other
    return mp.log(told / other), [other, (values - 2) * other, told]


for truth, values, n, epsilons in [(0.5, 2, 20, (0.0, 1.0, 5.0, 15.0, 21.969)),
                                   (0.1, 5, 60, (0.0, 1.0, 3.0, 10.0)),
                                   (0.01, 2, 400, (0.0, 0.1, 1.0, 2.5))]:
    unit, masses = randomized(truth, values)
    extra = "" if values == 2 else f", values={values}"
    lattice(f"randomized-response(truth={truth}{extra}) x {n}", -1, unit, masses, n, epsilons)
for scale, shift, n, epsilons in [(2.0, 1, 10, (0.0, 1.0, 4.99)), (3.0, 4, 12, (0.0, 2.0, 9.0))]:
    a = 1 / mp.mpf(scale)
    masses = []
    for x in range(shift, -1, -1):
        if x in (0, shift):
            masses.append(mp.exp(-a * x) / (1 + mp.exp(-a)))
        else:
            masses.append(mp.tanh(a / 2) * mp.exp(-a * x))
    extra = "" if shift == 1 else f", sensitivity={shift}.0"
    spread = [m for pair in zip(masses, [mp.mpf(0)] * len(masses)) for m in pair][:-1]
    lattice(f"discrete-laplace(scale={scale}{extra}) x {n}", -shift, a, spread, n, epsilons)
for sigma, reach, n, epsilons in [(1.0, 20, 1, (0.0, 1.0, 4.4)), (1.0, 14, 8, (0.0, 3.0, 12.0)),
                                  (10.0, 100, 100, (0.0, 1.0, 4.3771874))]:
    s = mp.mpf(sigma)
    weights = [mp.exp(-mp.mpf(x) ** 2 / (2 * s * s)) for x in range(reach, -reach - 1, -1)]
    total = sum(mp.exp(-mp.mpf(x) ** 2 / (2 * s * s)) for x in range(-40 * int(s), 40 * int(s) + 1))
    masses = [w / total for w in weights]
    unit = 1 / (2 * s * s)
    spread = [m for pair in zip(masses, [mp.mpf(0)] * len(masses)) for m in pair][:-1]
    lattice(f"discrete-gaussian(sigma={sigma})" + (f" x {n}" if n > 1 else ""), 1 - 2 * reach, unit,
            spread, n, epsilons)
# (epsilon, delta) boxes: the optimal composition (Kairouz, Oh, Viswanath 2015, Thm 3.3).
for eps0, delta0, n in [(0.1, 1e-8, 50), (1.0, 0.01, 5)]:
    e, d = mp.mpf(eps0), mp.mpf(delta0)
    up = 1 / (1 + mp.exp(-e))
    for eps in (0.0, 0.5, 2.5, 4.9):
        x = mp.mpf(eps)
        hit = mp.mpf(0)
        for k in range(n + 1):
            loss = e * (2 * k - n)
            if loss > x:
                hit += mp.binomial(n, k) * up ** k * (1 - up) ** (n - k) * -mp.expm1(x - loss)
        row(f"epsilon-delta(epsilon={eps0}, delta={delta0}) x {n}", eps,
            1 - (1 - d) ** n + (1 - d) ** n * hit)
