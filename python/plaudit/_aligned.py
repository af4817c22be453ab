"""Functions that take all their noise from `draws`: run, and followed path by path for a proof."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Sequence, Set, Tuple, Union

_MOST = 20_000
"""Paths of a function, draws and branches of a path."""
_ROWS = 100_000
"""Conditions of all paths together: a loop that ends by chance has ever longer ones."""
_REPEATED = 64
"""Paths that are followed twice."""


class Proof(NamedTuple):
    """A claim of (ε, δ), proved, refuted or neither, for the code with its noise as real numbers.

    * `decision`: `"verified"`, `"refuted"` or `"undecided"`.
    * `covers_relation`: True if it is of all lists of as many numbers that are neighbors, False if it is of the pairs
      that were given.
    * `epsilon`: bounds on ε at the claim's delta, the second None if it may be infinite.
    * `delta`: bounds on delta at the claim's ε.
    * `paths`: how many the function has.
    * `statement`: all of this in words. `report`: the fields of a proof as reports have them (docs/report.md).
    """

    decision: str
    covers_relation: bool
    epsilon: Tuple[float, Optional[float]]
    delta: Tuple[float, float]
    paths: int
    statement: str
    report: Dict[str, Any]

    def __str__(self) -> str:
        return self.statement


class Draws:
    """Noise of a function that is run. A function that is followed gets an object with the same methods.

    `source` is a `random.Random`, or an object with its methods `random`, `expovariate` and `gauss`.
    """

    def __init__(self, source: Any = None) -> None:
        self._source = random.SystemRandom() if source is None else source

    def laplace(self, scale: float) -> float:
        """Laplace noise of density e^(-|x|/scale)/(2 scale)."""
        return float(scale) * (self._source.expovariate(1.0) - self._source.expovariate(1.0))

    def exponential(self, scale: float) -> float:
        """Exponential noise of density e^(-x/scale)/scale on x >= 0."""
        return float(scale) * self._source.expovariate(1.0)

    def gumbel(self, scale: float) -> float:
        """Gumbel noise of distribution function e^(-e^(-x/scale))."""
        return -float(scale) * math.log(self._source.expovariate(1.0) or 5e-324)

    def gaussian(self, sigma: float) -> float:
        """Gaussian noise of standard deviation sigma."""
        return float(sigma) * self._source.gauss(0.0, 1.0)

    def uniform(self) -> float:
        """A number uniform between 0 and 1."""
        return float(self._source.random())

    def argmax(self, numbers: Sequence[Any]) -> int:
        """The place of the largest number, the first of several."""
        return max(range(len(numbers)), key=lambda at: (numbers[at], -at))


def verify(
    function: Callable[..., Any],
    d: Optional[Sequence[float]] = None,
    d_prime: Optional[Sequence[float]] = None,
    *,
    pairs: Optional[Sequence[Tuple[Sequence[float], Sequence[float]]]] = None,
    relation: Union[str, Dict[str, float]] = "histogram",
    epsilon: float,
    delta: float = 0.0,
) -> Proof:
    """Proves or refutes that a function of answers and draws is (ε, δ)-private, without running it on random noise.

    `function(answers, draws)` takes a list of exact answers and all its noise from `draws`: `draws.laplace(scale)`,
    `exponential`, `gumbel`, `gaussian`, `uniform`, and `draws.argmax(numbers)`. It may add, subtract and multiply by
    known numbers, and compare; loops and lists are as always. It must not ask for the type of a number. Its outcome is
    a number, text, boolean or None, or lists, tuples and dictionaries of such. `audit` runs the same
    function: its second parameter is called `draws`.

    * `d`, `d_prime`, or `pairs`: lists of numbers, all of one length. A proof for all neighbors is of all lists of that
      length; on the pairs the probabilities of outcomes are computed, which may refute the claim.
    * `relation`: how far answers of neighbors may move: `{"linf": x}` each by at most x, `{"l1": x}` in sum,
      `{"l2": x}`, or `"histogram"`, one of them by 1.
    * `epsilon`, `delta`: the claim.

    Returns a `Proof`. Its noise is real numbers: what doubles leak in their lowest bits is not in it.

    Raises ValueError for a claim, relation or pair that is none, for a function with more than 20 000 paths, one
    that does with a number what a proof cannot follow (`float()`, a product of two unknowns, a comparison for
    equality), and for one that raises an exception on a path.
    """
    from . import _native

    given = list(pairs) if pairs is not None else []
    if d is not None and d_prime is not None:
        given.append((d, d_prime))
    if not given:
        raise ValueError("verify: give d and d_prime, or pairs: lists of numbers")
    lists = [[[float(x) for x in side] for side in pair] for pair in given]
    lengths = {len(side) for pair in lists for side in pair}
    if len(lengths) != 1:
        raise ValueError("verify: the lists have different lengths: %s" % sorted(lengths))
    form, far = ("histogram", 1.0) if relation == "histogram" else _distance(relation)
    paths = _paths(function, lengths.pop())
    found = json.loads(_native.verify(json.dumps(paths), lists, form, far, float(epsilon), float(delta)))
    bracket, at = found["epsilon"], found["delta"]
    return Proof(
        found["decision"],
        found["covers_relation"],
        (bracket["lower"], bracket["upper"]),
        (at["lower"], at["upper"]),
        len(paths),
        found["statement"],
        found,
    )


def _distance(relation: Any) -> Tuple[str, float]:
    if isinstance(relation, dict) and len(relation) == 1:
        ((form, far),) = relation.items()
        if form in ("l1", "l2", "linf") and isinstance(far, (int, float)) and 0 < far < math.inf:
            return form, float(far)
    raise ValueError('verify: relation is %r: use {"linf": 1.0}, {"l1": 1.0}, {"l2": 1.0} or "histogram"' % (relation,))


def _rational(number: Any) -> Fraction:
    try:
        return Fraction(number)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("verify: a path computes with %r, which is not a finite number" % (number,)) from None


class _Sum:
    """A sum of answers and draws with known factors.

    What it refuses is kept by its tape: a function that catches the exception is refused all the same.
    """

    __slots__ = ("tape", "constant", "terms")
    __array_ufunc__ = None

    def __init__(self, tape: "_Tape", constant: Fraction, terms: Dict[Tuple[str, int], Fraction]) -> None:
        self.tape, self.constant = tape, constant
        self.terms = {unknown: factor for unknown, factor in terms.items() if factor}

    def _refuse(self, what: str) -> NoReturn:
        raise self.tape.failed("verify: a path %s, which a proof cannot follow" % what)

    def _known(self, number: Any) -> Fraction:
        try:
            return _rational(number)
        except ValueError as error:
            raise self.tape.failed(str(error)) from None

    def _plus(self, other: Any, times: int) -> Any:
        if not isinstance(other, _Sum):
            if isinstance(other, (str, bytes, list, tuple, dict)) or other is None:
                return NotImplemented
            return _Sum(self.tape, self.constant + times * self._known(other), self.terms)
        if other.tape is not self.tape:
            self._refuse("uses a number that an earlier path left behind")
        terms = dict(self.terms)
        for unknown, factor in other.terms.items():
            terms[unknown] = terms.get(unknown, Fraction(0)) + times * factor
        return _Sum(self.tape, self.constant + times * other.constant, terms)

    def _times(self, factor: Fraction) -> "_Sum":
        return _Sum(self.tape, self.constant * factor, {one: by * factor for one, by in self.terms.items()})

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self)._plus(other, 1)

    def __neg__(self) -> "_Sum":
        return self._times(Fraction(-1))

    def __pos__(self) -> "_Sum":
        return self

    def __mul__(self, other: Any) -> "_Sum":
        if isinstance(other, _Sum):
            if not self.terms:
                return other._times(self.constant)
            if other.terms:
                self._refuse("multiplies two unknown numbers")
            other = other.constant
        return self._times(self._known(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> "_Sum":
        if isinstance(other, _Sum):
            if other.terms:
                self._refuse("divides by an unknown number")
            other = other.constant
        return self._times(1 / self._known(other))

    def __abs__(self) -> "_Sum":
        return self if self >= 0 else -self

    def __ge__(self, other: Any) -> bool:
        return self.tape.at_least(self - other)

    def __lt__(self, other: Any) -> bool:
        return not self.tape.at_least(self - other)

    def __le__(self, other: Any) -> bool:
        return self.tape.at_least(other - self)

    def __gt__(self, other: Any) -> bool:
        return not self.tape.at_least(other - self)

    def __eq__(self, other: Any) -> bool:
        gap = self - other if isinstance(other, (_Sum, int, float, Fraction)) else None
        if gap is None:
            return False
        if not gap.terms:
            return bool(gap.constant == 0)
        if any(kind == "draw" for kind, _ in gap.terms):
            return False  # With probability 0 it is.
        self._refuse("compares answers for equality")

    def __ne__(self, other: Any) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    def _refused(self, *_: Any) -> Any:
        self._refuse("makes a float, whole number, text or key of an unknown number, or takes its remainder or power")

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            self._refuse("asks an unknown number for its `%s`" % name)
        raise AttributeError(name)

    __float__ = __int__ = __index__ = __complex__ = __round__ = __floor__ = __ceil__ = __trunc__ = _refused
    __pow__ = __rpow__ = __rtruediv__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = _refused
    __divmod__ = __rdivmod__ = __hash__ = __str__ = __repr__ = __format__ = _refused


class _Tape:
    """One path: the ways to take at its branches, then the first way of each new one. Also its `draws`."""

    def __init__(self, ways: List[List[int]]) -> None:
        self.ways, self.at = ways, 0
        self.draws: List[Tuple[str, Fraction]] = []
        self.rows: List[Tuple[Fraction, Dict[Tuple[str, int], Fraction], bool]] = []
        self._seen: Set[Any] = set()
        self.failure: Optional[str] = None

    def failed(self, words: str) -> ValueError:
        self.failure = self.failure or words
        return ValueError(words)

    def _way(self, of: int) -> int:
        if self.at == len(self.ways):
            if self.at == _MOST:
                raise self.failed("verify: a path has more than %d branches" % _MOST)
            self.ways.append([0, of])
        self.at += 1
        return self.ways[self.at - 1][0]

    def _row(self, value: _Sum, strict: bool) -> None:
        if not self._has(value, strict):
            self._seen.add((value.constant, frozenset(value.terms.items()), strict))
            self.rows.append((value.constant, value.terms, strict))

    def _has(self, value: _Sum, strict: bool) -> bool:
        return (value.constant, frozenset(value.terms.items()), strict) in self._seen

    def at_least(self, value: _Sum) -> bool:
        """Whether a sum is at least 0."""
        if not value.terms:
            return value.constant >= 0
        other = -value
        if self._has(value, False):
            return True
        if self._has(other, True):
            return False
        is_so = self._way(2) == 0
        self._row(value if is_so else other, not is_so)
        return is_so

    def argmax(self, numbers: Sequence[Any]) -> int:
        sums = [number if isinstance(number, _Sum) else _Sum(self, _rational(number), {}) for number in numbers]
        if len(sums) < 2:
            return 0
        best = self._way(len(sums))
        for at, number in enumerate(sums):
            if at != best:
                gap = sums[best] - number
                if gap.terms or not (gap.constant > 0 or gap.constant == 0 and at > best):
                    self._row(gap, at < best)
        return best

    def _draw(self, law: str, scale: Any) -> _Sum:
        if isinstance(scale, _Sum) and scale.terms:
            raise self.failed("verify: a path draws noise whose scale depends on answers or noise")
        try:
            size = _rational(scale.constant if isinstance(scale, _Sum) else scale)
        except ValueError as error:
            raise self.failed(str(error)) from None
        if size <= 0:
            raise self.failed("verify: a path draws noise of scale %s: it must be above 0" % size)
        if len(self.draws) == _MOST:
            raise self.failed("verify: a path has more than %d draws" % _MOST)
        draw = _Sum(self, Fraction(0), {("draw", len(self.draws)): Fraction(1)})
        self.draws.append((law, size))
        if law in ("exponential", "uniform"):
            self._row(draw, False)
        if law == "uniform":
            self._row(size - draw, False)
        return draw

    def laplace(self, scale: float) -> _Sum:
        return self._draw("laplace", scale)

    def exponential(self, scale: float) -> _Sum:
        return self._draw("exponential", scale)

    def gumbel(self, scale: float) -> _Sum:
        return self._draw("gumbel", scale)

    def gaussian(self, sigma: float) -> _Sum:
        return self._draw("gaussian", sigma)

    def uniform(self) -> _Sum:
        return self._draw("uniform", 1)


def _paths(function: Callable[..., Any], length: int) -> List[List[Any]]:
    """All paths of a function on lists of a length, as the engine reads them."""
    ways: List[List[int]] = []
    found: List[List[Any]] = []
    rows = 0
    while True:
        path = _path(function, length, ways)
        if len(found) < _REPEATED and path != _path(function, length, ways):
            raise ValueError(
                "verify: a second run takes another path: the function draws noise by itself, or remembers"
            )
        found.append(path)
        rows += len(path[1])
        if len(found) > _MOST or rows > _ROWS:
            raise ValueError(
                "verify: the function has more than %d paths, or %d branches on all of them: does a loop end by chance?"
                % (_MOST, _ROWS)
            )
        while ways:
            way, of = ways.pop()
            if way + 1 < of:
                ways.append([way + 1, of])
                break
        if not ways:
            return found


def _path(function: Callable[..., Any], length: int, ways: List[List[int]]) -> List[Any]:
    """The path that takes these ways, which are added to."""
    tape = _Tape(ways)
    answers = [_Sum(tape, Fraction(0), {("answer", at): Fraction(1)}) for at in range(length)]
    numbers: List[_Sum] = []
    try:
        words = _words(function(answers, tape), numbers)
    except Exception as error:
        if tape.failure is None:
            raise ValueError("verify: a path ends with %s: %s" % (type(error).__name__, error)) from error
    if tape.failure is not None:
        raise ValueError(tape.failure)
    rows = [[_sum(constant, terms), strict] for constant, terms, strict in tape.rows]
    sums = [_sum(number.constant, number.terms) for number in numbers]
    return [[[law, str(scale)] for law, scale in tape.draws], rows, words, sums]


def _sum(constant: Fraction, terms: Dict[Tuple[str, int], Fraction]) -> List[Any]:
    return [str(constant), [[kind, at, str(factor)] for (kind, at), factor in sorted(terms.items())]]


def _words(out: Any, numbers: List[_Sum]) -> str:
    """What is known of an outcome, in words; its unknown numbers are collected."""
    if isinstance(out, _Sum):
        if out.terms:
            numbers.append(out)
            return "\u2026"
        return repr(float(out.constant))
    if isinstance(out, (list, tuple)):
        ends = "[]" if isinstance(out, list) else "()"
        return ends[0] + ", ".join(_words(one, numbers) for one in out) + ends[1]
    if isinstance(out, dict):
        items = sorted(out.items(), key=lambda item: repr(item[0]))
        return "{%s}" % ", ".join("%r: %s" % (key, _words(value, numbers)) for key, value in items)
    if out is None or isinstance(out, (str, bytes, bool, int)):
        return repr(out)
    if hasattr(out, "__float__"):
        return repr(float(out) + 0.0)
    raise ValueError("verify: an outcome has a %s, which a proof cannot follow" % type(out).__name__)
