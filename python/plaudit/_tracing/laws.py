"""What it costs to shift noise: the privacy loss of a sum whose base moves."""

from __future__ import annotations

import math
from typing import Any, List, NamedTuple, Optional, Tuple

from .record import Sum

_SAMPLES = 1500


UNIFORM = ("random", "rand", "random_sample", "uniform")
"""Draws from an interval."""


CHOICES = ("choice", "integers", "randint", "randrange", "getrandbits", "randbelow", "randbits", "sample", "choices")
"""Draws of one of few numbers, all alike."""


class Law(NamedTuple):
    """The law of noise: `kind` is laplace (scale), gaussian (standard deviation), uniform (width), or unknown."""

    kind: str
    size: Any
    exact: bool


def law(sum: Sum) -> Law:
    """The law of the noise of a sum; of noise that is computed, by drawing it anew."""
    laws = [of_variable(term.variable, term.coefficient) for term in sum.terms]
    if len(laws) == 1 and laws[0] is not None:
        return laws[0]
    if laws and all(one is not None and one.kind == "gaussian" for one in laws):
        return Law("gaussian", _root([one.size for one in laws if one is not None]), True)
    known = [one for one in laws if one is not None and one.kind == "laplace"]
    if known:
        # One of the draws takes the whole shift.
        return max(known, key=lambda one: _largest(one.size))
    return _drawn(sum)


def _root(sizes: List[Any]) -> Any:
    total: Any = 0
    for size in sizes:
        total = total + size * size
    return total**0.5


def _largest(size: Any) -> float:
    return float(size.max()) if hasattr(size, "max") and size.size else float(size)


def of_variable(variable: Any, coefficient: Any) -> Optional[Law]:
    given, factor = variable.parameters, abs(coefficient)
    if variable.family in ("laplace", "exponential", "gumbel"):
        return Law("laplace", factor * _number(given.get("scale", 1.0)), True)
    if variable.family == "expovariate":
        return Law("laplace", factor / _number(given.get("lambd", 1.0)), True)
    if variable.family in ("normal", "gauss", "normalvariate"):
        return Law("gaussian", factor * _number(given.get("scale", given.get("sigma", 1.0))), True)
    if variable.family in ("standard_normal", "randn"):
        return Law("gaussian", factor * 1.0, True)
    if variable.family == "standard_exponential":
        return Law("laplace", factor * 1.0, True)
    if variable.family == "geometric" and "p" in given:
        p = _number(given["p"])
        return Law("laplace", factor / -math.log1p(-float(p)), True) if hasattr(p, "__float__") and 0 < p < 1 else None
    if variable.family in ("dlaplace",) and "a" in given:
        return Law("laplace", factor / _number(given["a"]), True)
    return None


def _number(value: Any) -> Any:
    return value if isinstance(value, (int, float)) or hasattr(value, "dtype") else float(value)


def _drawn(sum: Sum) -> Law:
    """The law by its moments: Laplace and geometric noise have fourth moments of 6, Gaussian noise of 3."""
    values = sorted(samples(sum))
    if len(values) < 100:
        return Law("unknown", math.nan, False)
    middle = values[len(values) // 2]
    away = [value - middle for value in values]
    second = math.fsum(one * one for one in away) / len(away)
    if second == 0:
        return Law("none", 0.0, False)
    fourth = math.fsum(one**4 for one in away) / len(away) / second**2
    if fourth > 4.2:
        mean = math.fsum(abs(one) for one in away) / len(away)
        if all(one == int(one) for one in away):
            # Of two-sided geometric noise with ratio a, the mean distance from 0 is 2a/(1 - a^2).
            ratio = (math.sqrt(1 + mean * mean) - 1) / mean
            mean = -1 / math.log(ratio)
        return Law("laplace", mean, False)
    if fourth > 2.4:
        return Law("gaussian", math.sqrt(second), False)
    return Law("uniform", values[-1] - values[0], False)


def samples(sum: Sum) -> List[float]:
    """Numbers of the law of a sum's noise; of an array, those of its first entry."""
    found: List[float] = []
    noise = sum._replace(base=0)
    for _ in range(_SAMPLES):
        try:
            value = noise.fresh({})
        except Exception:
            return []
        if hasattr(value, "reshape"):
            value = value.reshape(-1)[0] if value.size else 0.0
        if not isinstance(value, (int, float)) and not hasattr(value, "dtype"):
            return []
        value = float(value)
        if not math.isfinite(value):
            continue
        found.append(value)
    return found


class Loss(NamedTuple):
    """The loss of a shift: pure epsilon and mu of Gaussian noise, of all entries together and of the largest."""

    epsilon: float
    mu: float
    largest: float
    exact: bool
    words: str


def loss(sum: Sum, shift: Any) -> Loss:
    """The loss of noise that moves by `shift`, a number or an array."""
    found = law(sum)
    moved = (
        [(0, abs(float(shift)))]
        if not getattr(shift, "ndim", 0)
        else [(i, abs(float(shift.reshape(-1)[i]))) for i in (shift.reshape(-1) != 0).nonzero()[0].tolist()]
    )
    sizes = found.size.reshape(-1) if getattr(found.size, "ndim", 0) else None
    ratios = []
    for i, one in moved:
        if one == 0:
            continue
        size = float(sizes[min(i, len(sizes) - 1)]) if sizes is not None else float(found.size)
        ratios.append(one / size if size > 0 and math.isfinite(one) else math.inf)
    if not ratios:
        return Loss(0.0, 0.0, 0.0, True, "")
    if found.kind == "gaussian":
        mu = math.sqrt(math.fsum(one * one for one in ratios))
        words = "Gaussian noise with standard deviation %s" % _say(found.size)
        return Loss(0.0, mu, max(ratios), found.exact, words)
    if found.kind == "laplace":
        return Loss(math.fsum(ratios), 0.0, max(ratios), found.exact, "noise with scale %s" % _say(found.size))
    if found.kind == "uniform":
        return Loss(math.inf, 0.0, math.inf, found.exact, "noise of bounded width %s" % _say(found.size))
    return Loss(0.0, 0.0, 0.0, False, "noise of unknown law")


def _say(size: Any) -> str:
    if hasattr(size, "reshape") and getattr(size, "size", 1) > 1:
        low, high = float(size.min()), float(size.max())
        return "%.4g" % low if low == high else "%.4g to %.4g" % (low, high)
    return "%.4g" % float(size)


def chance(sum: Sum) -> Optional[Tuple[float, float]]:
    """The range of the noise, if it is one uniform draw."""
    if len(sum.terms) != 1:
        return None
    variable, _, coefficient = sum.terms[0]
    if variable.family in UNIFORM[:3] and not hasattr(coefficient, "shape"):
        low, high = 0.0, 1.0
    elif variable.family == "uniform":
        given = variable.parameters
        low, high = given.get("low", given.get("a", 0.0)), given.get("high", given.get("b", 1.0))
        if hasattr(low, "shape") or hasattr(high, "shape"):
            return None
    else:
        return None
    one, other = coefficient * low, coefficient * high
    return (min(one, other), max(one, other))


def decision(sum: Sum, other: Sum) -> Optional[float]:
    """The largest log-ratio of the chances that a sum with one uniform draw is above 0, under two bases."""
    ends = chance(sum)
    if ends is None:
        return None
    worst = 0.0
    bases = zip(_flat(sum.base), _flat(other.base))
    for one, two in bases:
        worst = max(worst, _ratio(_above(one, ends), _above(two, ends)))
    return worst


def odds(truth: Sum) -> Tuple[float, bool]:
    """The log-ratio of a decision and its opposite, and whether it is exact: it is for one uniform draw and for one
    binomial draw of 1, else it is that of as many draws as of a law."""
    of = truth.terms[0].variable.parameters.get("of") if truth.terms else None
    ends = None if of is None else chance(of)
    exact = True
    if of is not None and ends is not None and not hasattr(of.base, "reshape"):
        p = _above(float(of.base), ends)
    elif of is not None and (known := _of_one(of)) is not None:
        p = known
    else:
        exact = False
        values = [bool(value) for value in samples(truth)]
        p = (sum(values) + 0.5) / (len(values) + 1)
    return (abs(math.log(p / (1 - p))) if 0 < p < 1 else math.inf), exact


def _of_one(of: Sum) -> Optional[float]:
    """The probability of a binomial draw of 1."""
    if len(of.terms) != 1 or of.terms[0].variable.family != "binomial":
        return None
    given = of.terms[0].variable.parameters
    n, p = given.get("n"), given.get("p")
    return float(p) if n == 1 and isinstance(p, float) else None


def _flat(base: Any) -> List[float]:
    return [float(one) for one in base.reshape(-1)] if hasattr(base, "reshape") else [float(base)]


def _above(base: float, ends: Tuple[float, float]) -> float:
    low, high = ends
    return min(1.0, max(0.0, (high + base) / (high - low))) if high > low else 0.5


def _ratio(one: float, other: float) -> float:
    worst = 0.0
    for p, q in ((one, other), (1 - one, 1 - other)):
        if p == q or abs(p - q) < 1e-12:
            continue
        worst = max(worst, abs(math.log(p / q)) if p > 0 and q > 0 else math.inf)
    return worst


def gaussian_epsilon(mu: float, delta: float) -> float:
    """The epsilon of mu-Gaussian privacy at delta (Balle and Wang 2018, theorem 8), by bisection."""
    if mu == 0:
        return 0.0
    if delta <= 0:
        return math.inf

    def phi(x: float) -> float:
        return 0.5 * math.erfc(-x / math.sqrt(2))

    def at(epsilon: float) -> float:
        right = phi(-epsilon / mu - mu / 2)
        return phi(-epsilon / mu + mu / 2) - (math.exp(epsilon) * right if right > 0 else 0.0)

    low, high = 0.0, 1.0
    if at(0.0) <= delta:
        return 0.0
    while at(high) > delta and high < 700:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle) > delta else (low, middle)
    return high
