"""Tests of a sampler: draws against the law that its code intends."""

from __future__ import annotations

import json
import math
from typing import Any, Callable, List, NamedTuple, Optional, Tuple, Union

_FEWEST = 20


class Evidence(NamedTuple):
    """A part of the evidence: what was looked at, the decimal logarithm of its e-value, and what was seen."""

    part: str
    log10: float
    seen: str


class LawResult(NamedTuple):
    """Draws compared with a law.

    * `refuted`: True if `p_value` is at most `alpha`.
    * `p_value`: probability of as much evidence, at most, for independent draws of the law.
    * `draws`: number of draws that were counted; `read` more only showed the grid that they are on.
    * `cells`: number of intervals in which they were counted; few where they are rounded coarsely.
    * `evidence`: all parts, strongest first.
    * `least_scale`: smallest relative increase of the scale that would be found with probability 0.9, or None.
    """

    refuted: bool
    p_value: float
    alpha: float
    draws: int
    read: int
    cells: int
    evidence: Tuple[Evidence, ...]
    least_scale: Optional[float]

    def __str__(self) -> str:
        verdict = "refuted" if self.refuted else "not refuted"
        lines = ["%s (p ≤ %.3g; %d draws)" % (verdict, self.p_value, self.draws)]
        lines += ["  %s: 10^%.1f, %s" % part for part in self.evidence if part.log10 > 0]
        return "\n".join(lines)


def law(
    draws: Any,
    law: Union[str, Callable[[Any], Any]],
    *,
    alpha: float = 1e-6,
    discrete: bool = False,
) -> LawResult:
    """Tests whether draws of a sampler follow a law: too much noise is found as well as too little.

    * `draws`: numbers in the order in which they were drawn, without the answer that the noise was added to: a list or
      an array of one dimension. 100 000 find a scale that is 3 % off.
    * `law`: a name, such as `"laplace(scale=2)"` or `"discrete-gaussian(sigma=1)"` (docs/law.md lists them), or the
      distribution function P(X ≤ x), which takes an array of numpy or, if it cannot, one number at a time; such as
      `scipy.stats.laplace(scale=2).cdf`.
    * `alpha`: level: a right sampler is refuted with probability at most `alpha`.
    * `discrete`: True if a law given as a function is one of whole numbers.

    Raises ValueError for fewer than 20 draws, an unknown law, or a function with values outside 0 to 1.
    """
    from . import _native

    numbers = _numbers(draws)
    if len(numbers) < _FEWEST:
        raise ValueError("%d draws are too few to compare: give at least %d" % (len(numbers), _FEWEST))
    if not 0.0 < alpha < 1.0:
        raise ValueError("alpha is above 0 and below 1, and not %r" % (alpha,))
    if isinstance(law, str):
        found = json.loads(_native.law(numbers, law, None, False, alpha))
    elif callable(law):
        found = json.loads(_native.law(numbers, None, _checked(law, discrete), discrete, alpha))
    else:
        hint = ": pass its cdf" if hasattr(law, "cdf") else ""
        raise TypeError("law takes a name or a distribution function, and not %r%s" % (law, hint))
    evidence = [Evidence(each["part"], float(each["log10"]), each["seen"]) for each in found["evidence"]]
    return LawResult(
        found["refuted"],
        float(found["p_value"]),
        found["alpha"],
        found["draws"],
        found["read"],
        found["cells"],
        tuple(evidence),
        found["least_scale"],
    )


def _numbers(draws: Any) -> List[float]:
    if getattr(draws, "ndim", 1) != 1:
        raise ValueError("the draws have %d dimensions: flatten them" % draws.ndim)
    listed = draws.tolist() if hasattr(draws, "tolist") else list(draws)
    try:
        return [float(x) for x in listed]
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError("a draw is not a number: %s" % error) from None


def _checked(below: Callable[[Any], Any], discrete: bool) -> Callable[[List[float]], List[float]]:
    """The function on lists, with its values checked. A discrete one is asked at whole numbers only."""

    def of_list(at: List[float]) -> List[float]:
        if discrete:
            at = [float(math.floor(x)) for x in at]
        values = _values(below, at)
        if len(values) != len(at):
            raise ValueError("the distribution function gave %d values for %d numbers" % (len(values), len(at)))
        for x, value in zip(at, values):
            if not -1e-9 <= value <= 1.0 + 1e-9:
                raise ValueError("the distribution function is %r at %r: it is from 0 to 1" % (value, x))
        last = 0.0
        for x, value in sorted(zip(at, values)):
            if value < last - 1e-6:
                raise ValueError("the distribution function falls, to %r at %r: it is P(X ≤ x)" % (value, x))
            last = max(last, value)
        return [min(max(value, 0.0), 1.0) for value in values]

    return of_list


def _values(below: Callable[[Any], Any], at: List[float]) -> List[float]:
    try:
        import numpy

        with numpy.errstate(all="ignore"):
            values = below(numpy.array(at))
        if hasattr(values, "tolist") and len(values) == len(at):
            return [float(value) for value in values.tolist()]
    except (ImportError, TypeError, ValueError, OverflowError):
        pass
    return [_one(below, x) for x in at]


def _one(below: Callable[[Any], Any], x: float) -> float:
    try:
        return float(below(x))
    except OverflowError:
        # e^x of a large x: the function is at one of its ends.
        return float(x > 0) if not math.isnan(x) else x
