"""Numbers that remember how they were computed: sums of answers and draws, and the path on which they are."""

from __future__ import annotations

import math
import numbers
import operator
import sys
from fractions import Fraction
from typing import Any, Callable, Dict, List, NoReturn, Optional, Sequence, Tuple

from ._aligned import Draws

MOST = 20_000
"""Paths of a function; draws, and branches, of one path."""
MOST_STEPS = 1_000_000
"""Draws and branches of all paths together."""
_OF_FLOATS = {*dir(float), *(name for name in dir(math) if not name.startswith("_")), "rint"}
"""Attributes of doubles, and methods that numpy looks for."""
_LOOP = ": a loop whose number of rounds depends on answers or noise may have endlessly many"
ANOTHER = (
    "a second run takes another path: the function has noise that is not from `draws`, or remembers something from one "
    "run to the next"
)

Terms = Dict[Tuple[str, int], Fraction]


def written(tape: Tape, constant: Fraction, terms: Terms) -> List[Any]:
    return [digits(tape, constant), [[kind, at, digits(tape, by)] for (kind, at), by in sorted(terms.items())]]


def digits(tape: Tape, number: Any) -> str:
    """A whole number or fraction, exactly."""
    try:
        return str(number)
    except ValueError:  # Python writes whole numbers of 4300 digits and no more.
        tape.proof.refuse("a path computes with a number of too many digits, far beyond those of doubles")


_ACTIVE: List[Proof] = []
"""Proofs that have not ended."""


class Proof:
    """What all paths share: the first refusal, and the number of draws and branches."""

    def __init__(self) -> None:
        self.refused: Optional[ValueError] = None
        self.steps = 0

    def __enter__(self) -> Proof:
        _ACTIVE.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        self.end()

    def end(self) -> None:
        if self in _ACTIVE:
            _ACTIVE.remove(self)

    def refuse(self, why: str) -> NoReturn:
        """A number that a function has kept from a proof before ends the present one."""
        error = ValueError("verify: " + why)
        for proof in [self] if self in _ACTIVE else list(_ACTIVE):
            proof.refused = proof.refused or error
        raise error

    def step(self, count: int, what: str) -> None:
        if count == MOST:
            self.refuse("a path has more than %d %s%s" % (MOST, what, _LOOP))
        self.steps += 1
        if self.steps > MOST_STEPS:
            self.refuse("the paths have more than %d draws and branches%s" % (MOST_STEPS, _LOOP))


class Sum:
    """A sum of answers and draws with known factors."""

    __slots__ = ("tape", "constant", "terms")

    def __init__(self, tape: Tape, constant: Fraction, terms: Terms) -> None:
        """No factor is 0."""
        tape.check()
        self.tape, self.constant, self.terms = tape, constant, terms

    def key(self, strict: bool = False) -> Tuple[Any, ...]:
        """Equal for equal sums, and hashed fast."""
        terms = [(*unknown, by.numerator, by.denominator) for unknown, by in sorted(self.terms.items())]
        return (self.constant.numerator, self.constant.denominator, strict, *terms)

    def _plus(self, other: Any, times: int) -> Any:
        if type(other) is Sum:
            if other.tape is not self.tape:
                self._refuse("computes with a number of another run")
            terms = dict(self.terms)
            for unknown, factor in other.terms.items():
                by = terms.pop(unknown, Fraction(0)) + times * factor
                if by:
                    terms[unknown] = by
            return Sum(self.tape, self.constant + times * other.constant, terms)
        if not self._is_number(other):
            return NotImplemented
        return Sum(self.tape, self.constant + times * self.tape.rational(other), self.terms)

    def _is_number(self, other: Any) -> bool:
        """Whether it is a number that doubles are added to; others, such as complex ones, are refused."""
        if type(other) is Sum or isinstance(other, (int, float, Fraction)):
            return True
        if hasattr(other, "dtype") and not hasattr(other, "__setitem__"):
            return True  # One of numpy.
        if isinstance(other, numbers.Number):
            self._refuse("combines an unknown number with a %s" % type(other).__name__)
        return False

    def _times(self, factor: Fraction) -> Sum:
        terms = {one: by * factor for one, by in self.terms.items()} if factor else {}
        return Sum(self.tape, self.constant * factor, terms)

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return (-self)._plus(other, 1)

    def __neg__(self) -> Sum:
        return self._times(Fraction(-1))

    def __pos__(self) -> Sum:
        return self

    def __mul__(self, other: Any) -> Any:
        if type(other) is Sum:
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
        if not self._is_number(other):
            return NotImplemented
        if type(other) is Sum and (other.tape is not self.tape or other.terms):
            self._refuse("divides by an unknown number")
        by = self.tape.rational(other)
        if by == 0:
            self._refuse("divides by 0")  # Zeros of numpy give infinity, and others an exception.
        return self._times(1 / by)

    def __rtruediv__(self, other: Any) -> Any:
        self._refuse("divides by an unknown number")

    def __abs__(self) -> Sum:
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
        if self.tape.is_over and not _ACTIVE:
            return "<number that a proof follows>"
        self.tape.check()
        self._refuse("makes text of an unknown number")

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __copy__(self) -> Sum:
        return self

    def __deepcopy__(self, _: Any) -> Sum:
        return self

    def __reduce_ex__(self, _: Any) -> Any:
        self._refuse("pickles an unknown number")

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        # `isinstance` asks for it; a double would give another answer.
        if self.tape.is_over and not _ACTIVE:
            return Sum
        self.tape.check()
        caller = sys._getframe(1)
        where = "%s.%s" % (caller.f_globals.get("__name__"), caller.f_code.co_name)
        self._refuse("asks in `%s` for the type of an unknown number" % where)


def _is_infinite(other: Any) -> bool:
    return type(other) is not Sum and isinstance(other, float) and math.isinf(other)


class Tape(Draws):
    """One path: the ways to take at its branches, then the first way of each new one. Also its `draws`."""

    def __init__(self, ways: List[List[Any]], proof: Proof) -> None:
        self.ways, self.at, self.proof = ways, 0, proof
        self.is_over = False
        self.draws: List[Tuple[str, Fraction]] = []
        self.rows: List[Tuple[Fraction, Terms, bool]] = []
        self._known: Dict[Tuple[Any, ...], None] = {}

    def check(self) -> None:
        """Refuses what outlives its run."""
        if self.is_over:
            self.proof.refuse("a number or `draws` of one run is used in another, which a proof cannot follow")

    def rational(self, number: Any) -> Fraction:
        """A known number, exactly."""
        if type(number) is Sum:
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
            self.ways.append([of - 1, of, value])
        self.proof.step(self.at, "branches")
        way, before, same = self.ways[self.at]
        if before != of or same != value:
            self.proof.refuse(ANOTHER)
        self.at += 1
        return int(way)

    def _row(self, value: Sum, strict: bool) -> None:
        key = value.key(strict)
        if key not in self._known:
            self._known[key] = None
            self.rows.append((value.constant, value.terms, strict))

    def at_least(self, value: Sum) -> bool:
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
        sums = [one if type(one) is Sum else Sum(self, self.rational(one), {}) for one in given]
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
        try:
            as_double = float(size)
        except OverflowError:
            as_double = math.inf
        if not 0 < as_double < math.inf:
            self.proof.refuse("a path draws noise of scale %s: it is above 0 and finite" % as_double)
        self.proof.step(len(self.draws), "draws")
        draw = Sum(self, Fraction(0), {("draw", len(self.draws)): Fraction(1)})
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
