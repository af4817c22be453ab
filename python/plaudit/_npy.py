"""Outcomes as NPY arrays (the format of numpy.save), with numpy or without it."""

from __future__ import annotations

import sys
from array import array
from typing import Any, List, Sequence, Tuple, Union

_ORDER = "<" if sys.byteorder == "little" else ">"
_INT64 = range(-(2**63), 2**63)
_EXACT_IN_A_DOUBLE = range(-(2**53), 2**53 + 1)
# What plaudit reads: kind and bytes of an item.
_TAKEN = {"f8", "f4", "i8", "i4", "u1", "b1"}

Parts = Tuple[bytes, Union[bytes, memoryview]]


class NotAnArray(Exception):
    """These outcomes have no NPY array; the message says why."""


def of_array(values: Any) -> Parts:
    """Header and data of a numpy array of shape (runs,) or (runs, k); the data is not copied if it
    lies as NPY wants it."""
    kind = values.dtype.kind + str(values.dtype.itemsize)
    if kind not in _TAKEN:
        values = values.astype(_wider(values, kind))
        kind = values.dtype.kind + str(values.dtype.itemsize)
    if values.ndim not in (1, 2):
        raise NotAnArray(
            "an array of shape %s: plaudit takes (runs,) and (runs, k); reshape it, or use "
            'format = "json"' % (values.shape,)
        )
    if not values.flags.c_contiguous:
        values = values.copy(order="C")
    order = "|" if values.dtype.itemsize == 1 else values.dtype.byteorder
    order = _ORDER if order == "=" else order
    data = memoryview(values.reshape(-1).view("u1")) if values.size else b""
    return _header(order + kind, values.shape), data


def of_list(outcomes: Sequence[Any]) -> Parts:
    """Header and data of a list of numbers, or of lists of as many numbers each."""
    outcomes = [_unpacked(outcome) for outcome in outcomes]
    if outcomes and all(isinstance(outcome, (list, tuple)) for outcome in outcomes):
        width = len(outcomes[0])
        if any(len(outcome) != width for outcome in outcomes):
            raise NotAnArray('vectors of different lengths are no array: use format = "json"')
        shape: Tuple[int, ...] = (len(outcomes), width)
        flat = [_unpacked(number) for outcome in outcomes for number in outcome]
    else:
        shape = (len(outcomes),)
        flat = outcomes
    kind, data = _flat(flat)
    return _header(("|" if kind == "b1" else _ORDER) + kind, shape), data


def _flat(values: List[Any]) -> Tuple[str, bytes]:
    kinds = set(map(type, values))
    if kinds == {bool}:
        return "b1", bytes(values)
    exact = _INT64 if kinds == {int} else _EXACT_IN_A_DOUBLE
    odd = [v for v in values if not (v in exact if type(v) is int else isinstance(v, float))]
    if odd:
        raise NotAnArray(
            "an outcome is %s, which is no number that an NPY array of plaudit can hold; "
            'use format = "json"' % _shown(odd[0])
        )
    if kinds == {int}:
        return "i8", array("q", values).tobytes()
    return "f8", array("d", values).tobytes()


def _unpacked(value: Any) -> Any:
    """numpy's scalars and rows as Python's."""
    if hasattr(value, "tolist") and not isinstance(value, float):
        return value.tolist()
    return value


def _wider(values: Any, kind: str) -> str:
    if kind == "f2":
        return "f4"
    if kind in ("i1", "i2", "u2", "u4") or (kind == "u8" and not (values >> 63).any()):
        return "i8"
    raise NotAnArray(
        "an array of type %s: plaudit takes float64, float32, int64, int32, uint8 and bool; "
        'convert it, or use format = "json"' % values.dtype
    )


def _shown(value: Any) -> str:
    message = getattr(value, "message", None)
    return "the exception %s" % message if message is not None else repr(value)[:100]


def _header(descr: str, shape: Sequence[int]) -> bytes:
    """The header of NPY version 1.0: its length is a multiple of 64."""
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode("ascii")
