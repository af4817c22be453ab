"""What is known of an outcome, in words: different for all that an observer can tell apart."""

from __future__ import annotations

import enum
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any, List, NoReturn

from ._unknown import Sum, Tape, digits


def words_of(out: Any, tape: Tape, released: List[Sum]) -> str:
    """Such as 1, 1.0 and True, or the order of a dictionary. Unknown numbers are collected."""
    kind = type(out)
    if kind is Sum:
        if out.tape is not tape:
            tape.proof.refuse("a number of one run is released in another, which a proof cannot follow")
        if out.terms:
            released.append(out)
            return "…"
        return _constant(out.constant, tape)
    if kind in (int, Fraction):
        return ("%s" if kind is int else "Fraction(%s)") % digits(tape, out)
    if out is None or kind in (str, bytes, bool, float, complex, Decimal):
        return repr(out)
    if kind in (list, tuple, dict):
        return _contents(out, tape, released)
    if issubclass(kind, enum.Enum):
        return _member(out, tape, released)
    if kind.__bases__ == (tuple,) and hasattr(kind, "_fields") and not hasattr(out, "__dict__"):
        return "%s%r %s" % (_name(kind), kind._fields, _contents(out, tape, released))
    numpy = sys.modules.get("numpy")
    if numpy is not None and (kind is numpy.ndarray or issubclass(kind, numpy.generic) and kind.__module__ == "numpy"):
        value = out.tolist()
        if type(value) is not kind and not _has_metadata(out.dtype):
            return "%s%s %s %s" % (kind.__name__, out.shape, out.dtype, words_of(value, tape, released))
    return _unseen(tape, kind)


def _name(kind: type) -> str:
    return "%s.%s" % (kind.__module__, kind.__qualname__)


def _member(out: Any, tape: Tape, released: List[Sum]) -> str:
    """A member of an Enum, with its value and attributes: an Enum may be made anew on each path, and a Flag may have
    members without a name."""
    more = {name: value for name, value in vars(out).items() if not name.startswith("_")}
    parts = [words_of(part, tape, released) for part in (out._name_, out._value_, more)]
    return "%s(%s)" % (_name(type(out)), ", ".join(parts))


def _has_metadata(dtype: Any) -> bool:
    """Whether there is more to the type of an array, or of a part of it, than its text."""
    parts = [field[0] for field in (dtype.fields or {}).values()] + list((dtype.subdtype or ())[:1])
    return dtype.metadata is not None or any(map(_has_metadata, parts))


def _unseen(tape: Tape, kind: type) -> NoReturn:
    tape.proof.refuse(
        "an outcome has a %s, which a proof cannot follow: return numbers, texts, booleans, None, lists, tuples, "
        "dictionaries, members of an Enum and arrays of numpy, of no type derived from these and without metadata"
        % kind.__name__
    )


def _constant(number: Fraction, tape: Tape) -> str:
    try:
        if Fraction(float(number)) == number:
            return repr(float(number))
    except OverflowError:
        pass
    return digits(tape, number)


def _contents(out: Any, tape: Tape, released: List[Sum]) -> str:
    if isinstance(out, dict):
        for key in out:
            if type(key) not in (str, bytes, bool, int, float, type(None), tuple):
                _unseen(tape, type(key))
        shown = [
            "%s: %s" % (words_of(key, tape, released), words_of(value, tape, released)) for key, value in out.items()
        ]
        return "{%s}" % ", ".join(shown)
    ends = "[]" if isinstance(out, list) else "()"
    return ends[0] + ", ".join(words_of(one, tape, released) for one in out) + ends[1]
