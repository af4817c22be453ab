"""Golden binomial tails and Clopper-Pearson values in 50-digit arithmetic (mpmath).

Run: python3 tests/data/golden.py > tests/data/golden.csv   (about a minute)

Columns: kind, k, n, parameter, value.
  pmf    P[Bin(n, parameter) = k]
  upper  P[Bin(n, parameter) >= k]
  lower  P[Bin(n, parameter) <= k]
  cp_lo  the p with P[Bin(n, p) >= k] = parameter   (quantile of Beta(k, n - k + 1))
  cp_hi  the p with P[Bin(n, p) <= k] = parameter   (upper bound of k hits)
Parameters are taken as the doubles that their decimals name. Tails are sums of positive terms from
the edge outward, so nothing cancels; quantiles are Newton's method on the logarithm of the tail.
The standard-normal rows: ncdf (k, n unused) is Phi(parameter), nln its logarithm, nquant the
inverse of Phi. Profile rows: gdp, with k unused, n = mu, parameter = epsilon.
"""
import mpmath as mp

mp.mp.dps = 50


def pmf(k, n, p):
    if k == 0:
        return mp.exp(n * mp.log1p(-p))
    if k == n:
        return mp.exp(n * mp.log(p))
    return mp.exp(mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
                  + k * mp.log(p) + (n - k) * mp.log1p(-p))


def far(k, n, p):
    """P[Bin >= k] for k at or above the mean."""
    odds, term, total, j = p / (1 - p), mp.mpf(1), mp.mpf(1), k
    while j < n and term > mp.mpf(10) ** -45 * total:
        term = term * (n - j) / (j + 1) * odds
        total += term
        j += 1
    return pmf(k, n, p) * total


def upper(k, n, p):
    if k == 0:
        return mp.mpf(1)
    if k > n:
        return mp.mpf(0)
    if k >= n * p:
        return far(k, n, p)
    return 1 - far(n - k + 1, n, 1 - p)


def lower(k, n, p):
    return mp.mpf(1) if k >= n else upper(n - k, n, 1 - p)


def cp_lo(k, n, alpha):
    if k == 0:
        return mp.mpf(0)
    if k == n:
        return mp.exp(mp.log(alpha) / n)
    if k == 1:
        return -mp.expm1(mp.log1p(-alpha) / n)
    p = mp.mpf(k) / (n + 1)
    z = mp.mpf(-mp.sqrt(2) * mp.erfinv(2 * alpha - 1)) if alpha > mp.mpf(10) ** -30 else mp.mpf(10)
    p = max(p - z * mp.sqrt(p * (1 - p) / n), p / 100)
    for _ in range(200):
        tail = upper(k, n, p)
        slope = k * (1 - p) * pmf(k, n, p) / tail
        step = -(mp.log(tail) - mp.log(alpha)) / slope
        odds = p / (1 - p) * mp.exp(step)
        p = odds / (1 + odds)
        if abs(step) < mp.mpf(10) ** -35:
            return p
    raise ValueError((k, n, alpha))


def cp_hi(k, n, alpha):
    return mp.mpf(1) if k >= n else 1 - cp_lo(n - k, n, alpha)


def row(kind, k, n, parameter, value):
    print(f"{kind},{k},{n},{parameter!r},{mp.nstr(value, 30)}")


print("kind,k,n,parameter,value")
TAILS = [
    (0, 10, 0.3), (10, 10, 0.3), (3, 10, 0.3), (7, 30, 1e-9), (1, 30, 1e-300), (30, 30, 1 - 1e-9),
    (0, 10**8, 1e-9), (5, 10**8, 1e-9), (40, 10**8, 1e-9), (100, 10**6, 1e-5), (5, 10**6, 1e-4),
    (500_000, 10**6, 0.5), (502_326, 10**6, 0.5), (518_400, 10**6, 0.5), (481_600, 10**6, 0.5),
    (10_500, 10**6, 0.01), (13_900, 10**6, 0.01), (731_059, 10**6, 0.7310585786300049),
    (1_200, 2_000, 0.5), (1_700, 2_000, 0.5), (25_000, 50_000, 0.4), (6_200, 12_000, 0.5),
    (20_150, 40_050, 0.5), (10_101, 40_404, 0.25), (19_600, 20_000, 0.97),
    (250_000_000, 5 * 10**8, 0.5), (250_400_000, 5 * 10**8, 0.5),
    (3 * 10**9 + 400_000, 10**10, 0.3), (3 * 10**9 + 1_650_000, 10**10, 0.3),
    (3 * 10**9 - 1_650_000, 10**10, 0.3), (3 * 10**9, 10**10, 0.3),
    (150, 10**10, 1e-8), (400, 10**10, 1e-8), (10**10 - 150, 10**10, 1 - 1e-8),
    (10_400, 10**10, 1e-6), (13_000, 10**10, 1e-6),
]
for k, n, p in TAILS:
    exact = mp.mpf(p)
    for kind, f in (("pmf", pmf), ("upper", upper), ("lower", lower)):
        value = f(k, n, exact)
        if value > mp.mpf(10) ** -305:
            row(kind, k, n, p, value)

BOUNDS = [
    (0, 10), (1, 10), (5, 10), (9, 10), (10, 10), (2, 3), (29, 30), (0, 10**8), (1, 10**8),
    (10**8, 10**8), (10**8 - 1, 10**8), (5, 10**7), (10**7 - 5, 10**7), (10**6, 2 * 10**6),
    (10**7, 2 * 10**7), (184_000, 10**6), (3_600, 10**6), (50, 1000), (12_345, 10**8),
    (10**8 // 3, 10**8),
]
for k, n in BOUNDS:
    for alpha in (0.12, 0.05, 1e-6, 1e-10, 0.9):
        row("cp_lo", k, n, alpha, cp_lo(k, n, mp.mpf(alpha)))
        row("cp_hi", k, n, alpha, cp_hi(k, n, mp.mpf(alpha)))
for k, n, alpha in [(10**9, 2 * 10**9, 1e-10), (25, 10**7, 1e-300), (1, 10**7, 1e-300)]:
    row("cp_lo", k, n, alpha, cp_lo(k, n, mp.mpf(alpha)))

for x in (-38.4, -37.0, -30.0, -20.5, -20.0, -19.5, -10.0, -5.0, -1.5, -1.0, -0.7, -0.1, 0.0, 0.3,
          1.0, 3.0, 8.0):
    if x > -37.6:
        row("ncdf", 0, 0, x, mp.ncdf(mp.mpf(x)))
    row("nln", 0, 0, x, mp.log(mp.ncdf(mp.mpf(x))))
row("nln", 0, 0, -1000.0, mp.log(mp.erfc(mp.mpf(1000) / mp.sqrt(2)) / 2))


def gdp(mu, eps):
    mu, eps = mp.mpf(mu), mp.mpf(eps)
    return mp.ncdf(mu / 2 - eps / mu) - mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu)


for mu, eps in [(1.0, 0.0), (1.0, 1.0), (1.0, 4.377178), (1.0, 8.0), (1.0, 30.0), (0.1, 0.5),
                (0.01, 0.01), (0.01, 0.1), (1e-4, 0.0), (1e-4, 5e-4), (5.0, 40.0), (40.0, 700.0),
                (40.0, 1000.0), (40.0, 0.0)]:
    print(f"gdp,0,{mu!r},{eps!r},{mp.nstr(gdp(mu, eps), 30)}")


def shifted(q, mu):
    """g of a mu-GDP claim: Phi(Phi^-1(q) + mu)."""
    q, mu = mp.mpf(q), mp.mpf(mu)
    z = mp.findroot(lambda t: mp.log(mp.ncdf(t)) - mp.log(q), -mp.sqrt(-2 * mp.log(q)) if q < 0.1 else 0) \
        if q < 0.9 else -mp.findroot(lambda t: mp.log(mp.ncdf(t)) - mp.log(1 - q), -mp.sqrt(-2 * mp.log(1 - q)) if q > 0.95 else -1)
    return mp.ncdf(z + mu)


for q in (1e-300, 1e-100, 1e-20, 1e-8, 0.001, 0.2, 0.5, 0.7, 0.999, 1 - 1e-12):
    for mu in (0.0, 0.1, 1.0, 5.0, 40.0):
        row_value = shifted(q, mu)
        print(f"gdp_power,0,{mu!r},{q!r},{mp.nstr(row_value, 30)}")
