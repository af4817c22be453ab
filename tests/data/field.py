"""Values of the events of practice, each from the definition of its pair of laws, in 30-digit arithmetic (mpmath).

Run: python3 tests/data/field.py > tests/data/field.csv   (some minutes)

Columns: composition, as `plaudit account` reads it; method; question (epsilon or delta "@" the other, or the true-positive
rate "tpr@" a false-positive rate, or "mu"); value; kind; within.
Kinds: "exact": the value lies in the bracket, which is no wider than 1e-6. "upper": the upper end is within 1e-6 of it, or
`within`, the lower end not above it. "peer": an upper bound that another tool asserts in its own tests (the tool is named here), up to
`within`: neither end is above it.
"""
import mpmath as mp

mp.mp.dps = 30
INF = mp.inf


def row(composition, question, value, kind="exact", within=0, method="pld"):
    print(f'"{composition}",{method},{question},{mp.nstr(mp.mpf(value), 20)},{kind},{within}')


def tail(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def integral(f, low=-14, high=14):
    return mp.quad(f, mp.linspace(low, high, 29))


def normal(z):
    return mp.exp(-z * z / 2) / mp.sqrt(2 * mp.pi)


def gaussian(mu, eps):
    return tail(eps / mu - mu / 2) - mp.exp(eps) * tail(eps / mu + mu / 2)


def epsilon(profile, delta, digits=16):
    low, high = mp.mpf(0), mp.mpf(40)
    while high - low > mp.mpf(10) ** -digits:
        middle = (low + high) / 2
        low, high = (middle, high) if profile(middle) > delta else (low, middle)
    return (low + high) / 2


def present(rate, mu, eps):
    return rate * gaussian(mu, mp.log1p(mp.expm1(eps) / rate))


def opposed(mu, rate, eps):
    """A row replaced in a Poisson sample: the outcomes above that where the likelihood ratio is e^eps."""
    x = mp.exp(eps)

    def apart(z):
        plus, minus = mp.exp(mu * z - mu**2 / 2), mp.exp(-mu * z - mu**2 / 2)
        return 1 - rate + rate * plus - x * (1 - rate + rate * minus)

    low, high = mp.mpf(0), mp.mpf(60)
    for _ in range(110):
        middle = (low + high) / 2
        low, high = (middle, high) if apart(middle) < 0 else (low, middle)
    return (1 - rate) * (1 - x) * tail(low) + rate * (tail(low - mu) - x * tail(low + mu))


def above(c, mu):
    """E (X - c)+ of the likelihood ratio X under no shift."""
    if c <= 0:
        return 1 - c
    t = mp.log(c) / mu + mu / 2
    return tail(t - mu) - c * tail(t)


def allocated(steps, mu, eps, is_added=False):
    """A row in one of two or three steps: the mean of the likelihood ratios. The last step is a closed form."""
    x = mp.exp(eps)
    ratio = lambda z: mp.exp(mu * z - mu * mu / 2)

    def rest(sum_so_far, left):
        if left > 1:
            return integral(lambda z: normal(z) * rest(sum_so_far + ratio(z), left - 1))
        if is_added:
            # (1 - x (s + X)/t)+ = (x/t) (c - X)+ with c = t/x - s.
            c = steps / x - sum_so_far
            return x / steps * (above(c, mu) - (1 - c))
        return above(steps * x - sum_so_far, mu) / steps

    return rest(mp.mpf(0), steps)


def with_replacement(draws, rows, mu, eps):
    """Balle, Barthe, Gaboardi 2018, Thm 10."""
    rate = mp.mpf(1) / rows
    ever = 1 - (1 - rate) ** draws
    base = mp.log1p(mp.expm1(eps) / ever)
    mass = lambda k: mp.binomial(draws, k) * rate**k * (1 - rate) ** (draws - k)
    return sum(mass(k) * gaussian(k * mu, base) for k in range(1, draws + 1))


def concentrated(rho, eps):
    """Canonne, Kamath, Steinke 2020, Prop. 12, at the best order."""
    ln = lambda a: (a - 1) * (rho * a - eps) + a * mp.log1p(-1 / a) - mp.log(a - 1)
    low, high = mp.mpf(1) + mp.mpf(10) ** -9, mp.mpf(10) ** 5
    for _ in range(200):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, two) if ln(one) < ln(two) else (one, high)
    return mp.exp(ln(low))


print("composition,method,question,value,kind,within")
one, tiny = mp.mpf(1), mp.mpf(10) ** -5
rate = mp.mpf("0.1")
row("gaussian(sigma=1) @ poisson-substitution(0.1)", "delta@0.5", opposed(one, rate, mp.mpf("0.5")))
row("gaussian(sigma=1) @ poisson-substitution(0.1)", "epsilon@1e-5", epsilon(lambda e: opposed(one, rate, e), tiny))
row("gaussian(sigma=1) @ poisson(0.1)", "delta@0.5", present(rate, one, mp.mpf("0.5")))
row("gaussian(sigma=1) @ poisson(0.1)", "epsilon@1e-5", epsilon(lambda e: present(rate, one, e), tiny))
mp.mp.dps = 20
for sigma, steps, eps in ((1, 2, "1"), (2, 2, "0.5")):
    ends = [allocated(steps, one / sigma, mp.mpf(eps), is_added) for is_added in (False, True)]
    # The larger of both directions.
    row(f"gaussian(sigma={sigma}) @ allocation(steps={steps})", f"delta@{eps}", max(ends))
row("gaussian(sigma=1) @ allocation(steps=2)", "epsilon@1e-5", epsilon(lambda e: allocated(2, one, e), tiny, 11), within=1e-5)
mp.mp.dps = 15
row("gaussian(sigma=1) @ allocation(steps=3)", "delta@1", allocated(3, one, one))
mp.mp.dps = 30
replaced = "gaussian(sigma=2) @ with-replacement(draws=10, rows=100)"
half = one / 2
row(replaced, "delta@0.1", with_replacement(10, 100, half, rate), "upper")
row(replaced, "delta@0.5", with_replacement(10, 100, half, half), "upper")
row(replaced, "epsilon@1e-5", epsilon(lambda e: with_replacement(10, 100, half, e), tiny), "upper")
for sigma, asserted in (("1.13", "19.74"), ("8.83", "2.04")):
    # Every step is in 11 nodes of the tree.
    tree = f"tree-aggregation(sigma={sigma}, steps=1600)"
    row(tree, "epsilon@1e-6", epsilon(lambda e: gaussian(mp.sqrt(11) / mp.mpf(sigma), e), tiny / 10))
    # dp_accounting, tree_aggregation_test.
    row(tree, "epsilon@1e-6", asserted, "peer")
# dp_accounting, pld_privacy_accountant_test.
mixture = "mixture-of-gaussians(sigma={}, shifts=[{}], weights=[{}]) x {}"
mixtures = mixture.format(1, "0, 1, 2", "0.2, 0.6, 0.2", 3) + " + " + mixture.format(2, "0, 2, 3", "0.33, 0.34, 0.33", 2)
row(mixtures, "epsilon@1e-6", "17.193115", "peer", 1e-6)
cut = "gaussian(sigma=1) x {} @ truncated-poisson(rate=0.5, batch=2, rows={})"
row(cut.format(3, 4) + " + " + cut.format(2, 3), "epsilon@1e-6", "17.904330", "peer", 1e-6)
row("gaussian(sigma=0.5) x 3 @ poisson(0.2)", "delta@1", "0.15594", "peer", 1e-3)
row("laplace(scale=0.5) x 3 @ poisson(0.2)", "epsilon@1e-14", "2.46964", "peer", 1e-5)
two = "epsilon-delta(epsilon=1, delta=0.1) + epsilon-delta(epsilon=2, delta=0.2)"
# The pair of both, atom by atom: 1 - 0.9 * 0.8 where a loss is infinite, and nothing at 1 + 2.
row(two, "delta@3", 1 - mp.mpf("0.9") * mp.mpf("0.8"))
pure = "epsilon-delta(epsilon=1) + epsilon-delta(epsilon=2)"
p, q = (mp.exp(e) / (1 + mp.exp(e)) for e in (1, 2))
# Outcomes by falling loss: (P, Q) of both true, of the second alone, of the first alone, of none.
atoms = [(p * q, (1 - p) * (1 - q)), ((1 - p) * q, p * (1 - q)), (p * (1 - q), (1 - p) * q), ((1 - p) * (1 - q), p * q)]


def reached(fpr):
    tpr = mp.mpf(0)
    for mass, other in atoms:
        share = min(one, fpr / other)
        tpr, fpr = tpr + share * mass, fpr - share * other
        if fpr <= 0:
            return tpr
    return tpr


row(pure, "tpr@0.1", reached(rate))
# The mu of a tent is at one of its corners or at an end of the range: 0.005 to 0.5.
corners, sum_so_far = [mp.mpf("0.005"), half], mp.mpf(0)
for mass, other in atoms[:3]:
    sum_so_far += other
    corners.append(sum_so_far)
quantile = lambda x: mp.sqrt(2) * mp.erfinv(2 * x - 1)
row(pure, "mu", max(quantile(reached(x)) - quantile(x) for x in corners if x <= half))
for rho, delta in (("2.56", "1e-10"), ("0.07", "1e-10")):
    census = f"zero-concentrated(rho={rho})"
    value = epsilon(lambda e: concentrated(mp.mpf(rho), e), mp.mpf(10) ** -10, 12)
    row(census, "epsilon@1e-10", value, "upper", method="rdp")
row("zero-concentrated(rho=0.05)", "delta@0.25", concentrated(mp.mpf("0.05"), mp.mpf("0.25")), "upper", method="rdp")
row("zero-concentrated(rho=0.05)", "delta@0.25", concentrated(mp.mpf("0.05"), mp.mpf("0.25")), "upper", 2e-5)
for shape in ("-0.5", "0", "1", "2.5"):
    run = mp.mpf("0.7")
    row(f"repeat-and-select(epsilon=0.7, shape={shape})", "epsilon@0", (2 + mp.mpf(shape)) * run, "upper")


def masses(draws, rate):
    """The binomial law, by its ratios."""
    mass = (1 - rate) ** draws
    for k in range(draws + 1):
        yield mass
        mass = mass * (draws - k) / (k + 1) * rate / (1 - rate)


def against_zeros(e0, rows, x):
    """Binary answers, one row of ones or none: how many ones, in the worse direction."""
    told, other = mp.exp(e0) / (1 + mp.exp(e0)), 1 / (1 + mp.exp(e0))
    others = list(masses(rows - 1, other)) + [mp.mpf(0)]
    p = [told * (others[j - 1] if j else 0) + other * others[j] for j in range(rows + 1)]
    q = [other * (others[j - 1] if j else 0) + told * others[j] for j in range(rows + 1)]
    return max(sum(max(a - x * b, 0) for a, b in zip(*pair)) for pair in ((p, q), (q, p)))


def clones(e0, rows, x):
    """(A + D, C - A + 1 - D) against the same with 1 - D, outcome by outcome."""
    told = mp.exp(e0) / (1 + mp.exp(e0))
    total = mp.mpf(0)
    for c, mass in enumerate(masses(rows - 1, 2 / (1 + mp.exp(e0)))):
        if mass < mp.mpf(10) ** -25:
            continue
        halves = list(masses(c, mp.mpf(1) / 2)) + [mp.mpf(0)]
        for first in range(c + 2):
            with_one, with_none = (halves[first - 1] if first else mp.mpf(0)), halves[first]
            p = told * with_one + (1 - told) * with_none
            q = (1 - told) * with_one + told * with_none
            total += mass * max(p - x * q, 0)
    return total


for e0, at in ((1, mp.mpf("0.1")), (2, mp.mpf("0.3"))):
    survey = f"shuffled-randomized-response(epsilon={e0}, rows=1000)"
    row(survey, f"delta@{mp.nstr(at, 3)}", against_zeros(e0, 1000, mp.exp(at)), "lower")
    row(survey, f"delta@{mp.nstr(at, 3)}", clones(e0, 1000, mp.exp(at)), "upper")
    row(survey, "epsilon@1e-6", epsilon(lambda e: against_zeros(e0, 1000, mp.exp(e)), mp.mpf(10) ** -6, 12), "lower")


def laplace_in_one_of_two(a):
    """The distance in total variation: E(X + Y - 2)+ / 2 over two likelihood ratios under Q."""
    nodes = [(mp.exp(-a), half), (mp.exp(a), half * mp.exp(-a))]

    def above(y):
        # E(X + y - 2)+ of one ratio: its atoms, and the density e^(-(l + a)/2)/4 of its logarithm.
        start = mp.log(2 - y) if y < 2 - mp.exp(-a) else -a
        inside = mp.quad(lambda l: (mp.exp(l) + y - 2) * mp.exp(-(l + a) / 2) / 4, [min(start, a), a])
        return inside + sum(q * max(x + y - 2, 0) for x, q in nodes)

    # The logarithm at which the first ratio alone begins to be enough, and at which the second is never too small.
    corners = sorted({-a, a, *(c for c in (mp.log(2 - mp.exp(-a)),) if -a < c < a)})
    inside = mp.quad(lambda l: above(mp.exp(l)) * mp.exp(-(l + a) / 2) / 4, corners)
    return (inside + sum(q * above(x) for x, q in nodes)) / 2


row("laplace(scale=1.59) @ allocation(steps=2)", "delta@0", laplace_in_one_of_two(1 / mp.mpf("1.59")))
