"""All paths of a function of answers and draws: numbers that remember how they were computed.

A proof may be wrong where the function can learn something of a number, or make something of it, that is not on the
path. Each such operation is refused, and a refusal ends the proof even if the function catches its exception.
"""

from __future__ import annotations

import enum
import fractions
import math
import numbers
import operator
import random
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, Dict, List, NoReturn, Optional, Sequence, Tuple

from ._aligned import Draws

_MOST = 20_000
"""Paths of a function; draws, and branches, of one path."""
_MOST_STEPS = 1_000_000
"""Draws and branches of all paths together."""
_FEW = 64
"""Paths that are followed `_OFTEN` times. More are followed twice."""
_OFTEN = 8
_OF_FLOATS = {name for name in dir(float) + dir(math) if not name.startswith("_")}
"""Attributes of doubles, and methods that numpy looks for."""
_ANOTHER = (
    "a second run takes another path: the function has noise that is not from `draws`, or remembers something from one "
    "run to the next"
)

Terms = Dict[Tuple[str, int], Fraction]


def paths(function: Callable[..., Any], length: int) -> List[List[Any]]:
    """All paths of a function on lists of a length, as the engine reads them.

    Raises ValueError for a function that cannot be followed.
    """
    before = _states()
    found = _all(function, length)
    for again in range(_OFTEN - 1 if len(found) <= _FEW else 1):
        if _all(function, length, is_watched=again == 0) != found:
            raise ValueError("verify: " + _ANOTHER)
    if any(one is not None and one != other for one, other in zip(before, _states())):
        raise ValueError("verify: the function draws from `random` or `numpy.random`: all noise comes from `draws`")
    return found


def _states() -> List[Any]:
    """States of the generators that all code shares."""
    if "numpy" not in sys.modules:
        return [random.getstate(), None]
    from numpy.random import get_state

    state: Any = get_state()
    return [random.getstate(), (state[0], state[1].tobytes(), *state[2:])]


def _all(function: Callable[..., Any], length: int, is_watched: bool = False) -> List[List[Any]]:
    """All paths, the first way at each branch first. If watched, a TypeError that the function catches is refused."""
    ways: List[List[Any]] = []
    found: List[List[Any]] = []
    proof = _Proof()
    run = _watched(function, proof) if is_watched else function
    while True:
        found.append(_path(run, length, ways, proof))
        if len(found) > _MOST:
            raise ValueError("verify: the function has more than %d paths" % _MOST)
        while ways:
            way, of, value = ways.pop()
            if way + 1 < of:
                ways.append([way + 1, of, value])
                break
        if not ways:
            return found


def _watched(function: Callable[..., Any], proof: _Proof) -> Callable[..., Any]:
    """The function, whose proof is refused if a TypeError is raised: C code raises it where it wants a double, without
    a call of any method, and a function that catches it takes a path that no run takes."""

    def in_call(frame: Any, event: str, argument: Any) -> Any:
        if frame.f_globals is globals() or frame.f_globals is vars(fractions):
            return None
        frame.f_trace_lines = False
        return in_frame

    def in_frame(frame: Any, event: str, argument: Any) -> Any:
        if event == "exception" and issubclass(argument[0], TypeError) and proof.refused is None:
            what = "a path catches a TypeError, which a run may not raise: %s" % argument[1]
            proof.refused = ValueError("verify: " + what)
        return in_frame

    def run(*arguments: Any) -> Any:
        before = sys.gettrace()
        sys.settrace(in_call)
        try:
            return function(*arguments)
        finally:
            sys.settrace(before)

    return run


def _path(function: Callable[..., Any], length: int, ways: List[List[Any]], proof: _Proof) -> List[Any]:
    """The path that takes these ways, which are added to."""
    tape = _Tape(ways, proof)
    answers = [_Sum(tape, Fraction(0), {("answer", at): Fraction(1)}) for at in range(length)]
    released: List[_Sum] = []
    words, ended = "", None
    try:
        words = _words(function(answers, tape), tape, released)
    except (Exception, SystemExit) as error:
        ended = error
    tape.is_over = True
    if proof.refused is not None:
        raise proof.refused
    if ended is not None:
        raise ValueError("verify: a path ends with %r: return it as an outcome instead" % ended) from ended
    if tape.at < len(ways):
        raise ValueError("verify: " + _ANOTHER)
    rows = [[_written(constant, terms), strict] for constant, terms, strict in tape.rows]
    sums = [_written(number.constant, number.terms) for number in released]
    return [[[law, str(scale)] for law, scale in tape.draws], rows, words, sums]


def _written(constant: Fraction, terms: Terms) -> List[Any]:
    return [str(constant), [[kind, at, str(factor)] for (kind, at), factor in sorted(terms.items())]]


class _Proof:
    """What all paths share: the first refusal, and the number of draws and branches."""

    def __init__(self) -> None:
        self.refused: Optional[ValueError] = None
        self.steps = 0

    def refuse(self, why: str) -> NoReturn:
        error = ValueError("verify: " + why)
        if self.refused is None:
            self.refused = error
        raise error

    def step(self, count: int, what: str) -> None:
        if count == _MOST:
            self.refuse("a path has more than %d %s" % (_MOST, what))
        self.steps += 1
        if self.steps > _MOST_STEPS:
            self.refuse(
                "the paths have more than %d draws and branches: a loop that ends by chance has endlessly many"
                % _MOST_STEPS
            )


class _Sum:
    """A sum of answers and draws with known factors."""

    __slots__ = ("tape", "constant", "terms")

    def __init__(self, tape: _Tape, constant: Fraction, terms: Terms) -> None:
        tape.check()
        self.tape, self.constant = tape, constant
        self.terms = {unknown: factor for unknown, factor in terms.items() if factor}

    def key(self, strict: bool = False) -> Tuple[Any, ...]:
        """Equal for equal sums, and hashed fast."""
        terms = [(*unknown, by.numerator, by.denominator) for unknown, by in sorted(self.terms.items())]
        return (self.constant.numerator, self.constant.denominator, strict, *terms)

    def _plus(self, other: Any, times: int) -> Any:
        if type(other) is _Sum:
            if other.tape is not self.tape:
                self._refuse("computes with a number of another run")
            terms = dict(self.terms)
            for unknown, factor in other.terms.items():
                terms[unknown] = terms.get(unknown, Fraction(0)) + times * factor
            return _Sum(self.tape, self.constant + times * other.constant, terms)
        if not self._is_number(other):
            return NotImplemented
        return _Sum(self.tape, self.constant + times * self.tape.rational(other), self.terms)

    def _is_number(self, other: Any) -> bool:
        """Whether it is a number that doubles are added to; others, such as complex ones, are refused."""
        if type(other) is _Sum or isinstance(other, (int, float, Fraction)):
            return True
        if hasattr(other, "dtype") and not hasattr(other, "__setitem__"):
            return True  # One of numpy.
        if isinstance(other, numbers.Number):
            self._refuse("combines an unknown number with a %s" % type(other).__name__)
        return False

    def _times(self, factor: Fraction) -> _Sum:
        return _Sum(self.tape, self.constant * factor, {one: by * factor for one, by in self.terms.items()})

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self)._plus(other, 1)

    def __neg__(self) -> _Sum:
        return self._times(Fraction(-1))

    def __pos__(self) -> _Sum:
        return self

    def __mul__(self, other: Any) -> Any:
        if type(other) is _Sum:
            if other.tape is not self.tape:
                self._refuse("computes with a number of another run")
            if not self.terms:
                return other._times(self.constant)
            if other.terms:
                self._refuse("multiplies two unknown numbers")
            return self._times(other.constant)
        return self._times(self.tape.rational(other)) if self._is_number(other) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if type(other) is _Sum:
            if other.tape is not self.tape or other.terms:
                self._refuse("divides by an unknown number")
            return self._times(1 / other.constant)
        return self._times(1 / self.tape.rational(other)) if self._is_number(other) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        self._refuse("divides by an unknown number")

    def __abs__(self) -> _Sum:
        return self if self >= 0 else -self

    def _compared(self, other: Any, holds: Callable[[Any, Any], Any]) -> Any:
        if not self._is_number(other):
            return NotImplemented
        if _is_infinite(other):
            return bool(holds(0.0, other))
        gap = self - other
        if holds is operator.ge:
            return self.tape.at_least(gap)
        if holds is operator.lt:
            return not self.tape.at_least(gap)
        return self.tape.at_least(-gap) if holds is operator.le else not self.tape.at_least(-gap)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, operator.ge)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, operator.gt)

    def __eq__(self, other: Any) -> Any:
        if not self._is_number(other):
            return NotImplemented
        if _is_infinite(other):
            return False
        gap = self - other
        if not gap.terms:
            return bool(gap.constant == 0)
        if any(kind == "draw" for kind, _ in gap.terms):
            return False  # It is true with probability 0.
        self._refuse("compares answers for equality")

    def __ne__(self, other: Any) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __bool__(self) -> bool:
        return bool(self != 0)

    def _refuse(self, what: str) -> NoReturn:
        self.tape.proof.refuse("a path %s, which a proof cannot follow" % what)

    def _converted(self, *_: Any) -> Any:
        self._refuse("makes a float, a whole number or a function value of an unknown number")

    __float__ = __int__ = __index__ = __complex__ = __round__ = __floor__ = __ceil__ = __trunc__ = _converted
    __pow__ = __rpow__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = _converted

    def __getattr__(self, name: str) -> Any:
        if name in _OF_FLOATS:
            self._refuse("takes `%s` of an unknown number" % name)
        raise AttributeError("'float' object has no attribute %r" % name)

    def __hash__(self) -> int:
        self._refuse("puts an unknown number into a set, or looks it up in a dictionary")

    def __repr__(self) -> str:
        if not self.tape.is_over:
            self._refuse("makes text of an unknown number")
        self.tape.check(quietly=True)
        return "<number that a proof follows>"

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __copy__(self) -> _Sum:
        return self

    def __deepcopy__(self, _: Any) -> _Sum:
        return self

    def __reduce_ex__(self, _: Any) -> Any:
        self._refuse("pickles an unknown number")

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        # `isinstance` asks for it; a double would give another answer.
        if not self.tape.is_over:
            self._refuse("asks for the type of an unknown number")
        return _Sum


def _is_infinite(other: Any) -> bool:
    return type(other) is not _Sum and isinstance(other, float) and math.isinf(other)


class _Tape(Draws):
    """One path: the ways to take at its branches, then the first way of each new one. Also its `draws`."""

    def __init__(self, ways: List[List[Any]], proof: _Proof) -> None:
        self.ways, self.at, self.proof = ways, 0, proof
        self.is_over = False
        self.draws: List[Tuple[str, Fraction]] = []
        self.rows: List[Tuple[Fraction, Terms, bool]] = []
        self._known: Dict[Tuple[Any, ...], None] = {}

    def check(self, quietly: bool = False) -> None:
        """Refuses what outlives its run."""
        if self.is_over:
            try:
                self.proof.refuse("a number or `draws` of one run is used in another, which a proof cannot follow")
            except ValueError:
                if not quietly:
                    raise

    def rational(self, number: Any) -> Fraction:
        """A known number, exactly."""
        if type(number) is _Sum:
            if number.terms or number.tape is not self:
                self.proof.refuse("a path draws noise of an unknown scale, which a proof cannot follow")
            return number.constant
        try:
            if isinstance(number, float):
                return Fraction(float(number))
            if isinstance(number, Fraction):
                return Fraction(number)
            if hasattr(number, "__index__"):
                # Whole numbers of numpy would overflow.
                return Fraction(operator.index(number))
            if hasattr(number, "dtype"):
                # A number of more or fewer bits than a double, or a boolean.
                if number.dtype.kind == "f":
                    return Fraction(*number.as_integer_ratio())
                if number.dtype.kind == "b":
                    return Fraction(int(number))
        except (TypeError, ValueError, OverflowError, AttributeError):
            pass
        self.proof.refuse("a path computes with %r, which is not a finite number" % (number,))

    def _way(self, of: int, value: Any) -> int:
        """The way at a branch of several on this value."""
        self.check()
        if self.at == len(self.ways):
            self.ways.append([0, of, value])
        self.proof.step(self.at, "branches")
        way, before, same = self.ways[self.at]
        if before != of or same != value:
            self.proof.refuse(_ANOTHER)
        self.at += 1
        return int(way)

    def _row(self, value: _Sum, strict: bool) -> None:
        key = value.key(strict)
        if key not in self._known:
            self._known[key] = None
            self.rows.append((value.constant, value.terms, strict))

    def at_least(self, value: _Sum) -> bool:
        """Whether a sum is at least 0."""
        self.check()
        if not value.terms:
            return value.constant >= 0
        other = -value
        if value.key(False) in self._known or value.key(True) in self._known:
            return True
        if other.key(True) in self._known:
            return False
        is_so = self._way(2, value.key()) == 0
        self._row(value if is_so else other, not is_so)
        return is_so

    def argmax(self, numbers: Sequence[Any]) -> int:
        self.check()
        given = [numbers[at] for at in range(len(numbers))]
        if not given:
            raise ValueError("the largest of an empty list")
        sums = [one if type(one) is _Sum else _Sum(self, self.rational(one), {}) for one in given]
        gaps = [sums[0] - number for number in sums]  # All of this run.
        if not any(gap.terms for gap in gaps):
            return max(range(len(sums)), key=lambda at: (-gaps[at].constant, -at))
        best = self._way(len(sums), [number.key() for number in sums])
        for at, number in enumerate(sums):
            if at != best:
                gap = sums[best] - number
                if gap.terms or not (gap.constant > 0 or gap.constant == 0 and at > best):
                    self._row(gap, at < best)
        return best

    def _draw(self, law: str, scale: Any) -> Any:
        self.check()
        size = self.rational(scale)
        if size <= 0:
            self.proof.refuse("a path draws noise of scale %s: it is above 0" % float(size))
        self.proof.step(len(self.draws), "draws")
        draw = _Sum(self, Fraction(0), {("draw", len(self.draws)): Fraction(1)})
        self.draws.append((law, size))
        if law in ("exponential", "uniform"):
            self._row(draw, False)
        if law == "uniform":
            self._row(-draw + size, False)
        return draw

    def laplace(self, scale: float) -> Any:
        return self._draw("laplace", scale)

    def exponential(self, scale: float) -> Any:
        return self._draw("exponential", scale)

    def gumbel(self, scale: float) -> Any:
        return self._draw("gumbel", scale)

    def gaussian(self, sigma: float) -> Any:
        return self._draw("gaussian", sigma)

    def uniform(self) -> Any:
        return self._draw("uniform", 1)

    def __reduce_ex__(self, _: Any) -> Any:
        # A copy would draw the same unknowns again.
        self.proof.refuse("a path copies `draws`, which a proof cannot follow")


def _words(out: Any, tape: _Tape, released: List[_Sum]) -> str:
    """What is known of an outcome, in words: different for all that an observer can tell apart, such as 1, 1.0 and
    True, or the order of a dictionary. Its unknown numbers are collected."""
    kind = type(out)
    if kind is _Sum:
        if out.tape is not tape:
            tape.proof.refuse("a number of one run is released in another, which a proof cannot follow")
        if out.terms:
            released.append(out)
            return "…"
        return _constant(out.constant)
    if out is None or kind in (str, bytes, bool, int, float, complex, Fraction, Decimal):
        return repr(out)
    if kind in (list, tuple, dict):
        return _contents(out, tape, released)
    if isinstance(out, enum.Enum):
        return "%s.%s" % (kind.__qualname__, out.name)
    if hasattr(out, "dtype") and hasattr(out, "tolist"):
        value = out.tolist()
        if type(value) is not kind:
            shape = getattr(out, "shape", ())
            return "%s%s %s %s" % (kind.__name__, shape, out.dtype, _words(value, tape, released))
    elif isinstance(out, (list, tuple, dict)) and not getattr(out, "__dict__", None):
        return "%s %s" % (kind.__qualname__, _contents(out, tape, released))
    return _unseen(tape, kind)


def _unseen(tape: _Tape, kind: type) -> NoReturn:
    tape.proof.refuse(
        "an outcome has a %s, which a proof cannot follow: return numbers, texts, booleans, None, lists, tuples and "
        "dictionaries" % kind.__name__
    )


def _constant(number: Fraction) -> str:
    try:
        if Fraction(float(number)) == number:
            return repr(float(number))
    except OverflowError:
        pass
    return str(number)


def _contents(out: Any, tape: _Tape, released: List[_Sum]) -> str:
    if isinstance(out, dict):
        items = list(dict.items(out))
        for key, _ in items:
            if type(key) is _Sum or type(key) not in (str, bytes, bool, int, float, type(None), tuple):
                _unseen(tape, type(key))
        shown = ["%s: %s" % (_words(key, tape, released), _words(value, tape, released)) for key, value in items]
        return "{%s}" % ", ".join(shown)
    ends = "[]" if isinstance(out, list) else "()"
    return ends[0] + ", ".join(_words(one, tape, released) for one in out) + ends[1]
