"""Outcomes as JSON lines.

A number stays the double that it is, down to the last bit. What JSON has no word for gets the
spelling of plaudit's protocol: NaN and Infinity as bare words, `{"$set": ..}`, `{"$error": ..}`.
"""

from __future__ import annotations

import dataclasses
import json
import numbers
import re
from typing import Any, Dict, Iterable, List, Mapping

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_INT64 = range(-(2**63), 2**63)
_compact = json.JSONEncoder(separators=(",", ":")).encode
# A raw line feed is never part of a JSON text, so it can separate the items of a list.
_one_a_line = json.JSONEncoder(separators=("\n", ":")).encode


class Error:
    """What a run raised: an outcome like any other."""

    def __init__(self, exception: BaseException) -> None:
        name = type(exception).__name__
        message = _without_addresses(_text(str(exception)))
        self.message = "%s: %s" % (name, message) if message else name


class Unseen(TypeError):
    """What a function returned, of which nothing can be seen."""

    @classmethod
    def of(cls, outcome: Any) -> "Unseen":
        kind = type(outcome).__name__
        if hasattr(outcome, "fit") and hasattr(outcome, "get_params"):
            what = "return what it learnt and releases: `vars(model)`, or `model.coef_.tolist()`"
        elif hasattr(outcome, "__await__"):
            what = "it has not run yet: return its result, such as asyncio.run(..)"
        elif callable(outcome):
            what = "return what it gives when it is called"
        else:
            what = "return numbers, texts, lists, dictionaries or a dataclass: `vars(outcome)` for all of its fields"
        return cls("the function returned a `%s`, of which nothing can be seen: %s" % (kind, what))


class Timed:
    """An outcome and the nanoseconds that its release took."""

    def __init__(self, outcome: Any, nanoseconds: int) -> None:
        self.outcome = outcome
        self.nanoseconds = nanoseconds


def lines(outcomes: List[Any]) -> bytes:
    """A list of outcomes as JSON lines (bytes), in order."""
    if not outcomes:
        return b""
    if _are_plain(outcomes):
        text = _one_a_line(outcomes)[1:-1]
    else:
        text = "\n".join([line(outcome) for outcome in outcomes])
    return (text + "\n").encode("ascii")


def array_lines(array: Any) -> bytes:
    """A numpy array of shape (runs, ..) as JSON lines (bytes), one for each entry of axis 0."""
    if array.dtype.kind in "fiub" and array.dtype.itemsize <= 8 and array.size and array.ndim <= 2:
        nested = array.tolist()
        if array.ndim == 1:
            return lines(nested)
        if array.dtype.kind != "u":
            return (_compact(nested)[1:-1].replace("],[", "]\n[") + "\n").encode("ascii")
    return lines(list(array))


def simplest(outcomes: Any) -> Any:
    """What a batch drew, in the form that is read fastest: an array that lies in one piece, of doubles where its
    numbers are shorter, or a list."""
    kind = getattr(getattr(outcomes, "dtype", None), "kind", None)
    if kind not in ("f", "i", "b") or outcomes.ndim > 2 or outcomes.dtype.itemsize > 8:
        return list(outcomes) if kind is not None else outcomes
    if outcomes.dtype.itemsize < 8 and kind != "b":
        outcomes = outcomes.astype("<f8" if kind == "f" else "<i8")
    return outcomes if outcomes.flags["C_CONTIGUOUS"] else outcomes.copy(order="C")


def plain(outcome: Any) -> Any:
    """The outcome as a value that `json` can write."""
    if outcome is None or isinstance(outcome, bool):
        return outcome
    if isinstance(outcome, str):
        return _text(outcome)
    if isinstance(outcome, int):
        # Past 64 bits a JSON reader may round; as text the number is still itself.
        value = int(outcome)
        return value if value in _INT64 else str(value)
    if isinstance(outcome, float):
        return float(outcome)
    if isinstance(outcome, (list, tuple, range)):
        return [plain(item) for item in outcome]
    if isinstance(outcome, dict):
        return _object(outcome)
    if isinstance(outcome, (set, frozenset)):
        return {"$set": sorted(_text(_key(key)) for key in outcome)}
    if isinstance(outcome, (bytes, bytearray, memoryview)):
        return bytes(outcome).decode("utf-8", "backslashreplace")
    if isinstance(outcome, Error):
        return {"$error": outcome.message}
    if isinstance(outcome, Timed):
        return {"$ns": outcome.nanoseconds, "value": plain(outcome.outcome)}
    return _of_a_library(outcome)


def _of_a_library(outcome: Any) -> Any:
    """numpy, pandas and the like are known by what they offer, so that none has to be installed."""
    if isinstance(outcome, BaseException):
        return plain(Error(outcome))
    if isinstance(outcome, complex):
        return [outcome.real, outcome.imag]
    if callable(getattr(outcome, "to_dict", None)) and not isinstance(outcome, type):
        return plain(outcome.to_dict())
    if callable(getattr(outcome, "tolist", None)):
        unpacked = outcome.tolist()
        if type(unpacked) is not type(outcome):
            return plain(unpacked)
    if isinstance(outcome, numbers.Number) or hasattr(type(outcome), "__float__"):
        return float(outcome)
    if dataclasses.is_dataclass(outcome) and not isinstance(outcome, type):
        return _object({f.name: getattr(outcome, f.name) for f in dataclasses.fields(outcome)})
    if hasattr(outcome, "__next__"):
        return [plain(item) for item in outcome]
    kind: Any = type(outcome)
    opaque = kind.__repr__ is object.__repr__ and kind.__str__ is object.__str__
    if opaque or hasattr(outcome, "__await__") or callable(outcome) or hasattr(outcome, "get_params"):
        raise Unseen.of(outcome)
    return _without_addresses(_text(repr(outcome)))


def line(outcome: Any) -> str:
    """One outcome as a line; one that cannot be written (it contains itself, say) is an error."""
    try:
        return _compact(plain(outcome))
    except Unseen:
        raise
    except Exception as exception:
        return _compact(plain(Error(exception)))


def _are_plain(outcomes: Iterable[Any]) -> bool:
    kinds = set(map(type, outcomes))
    for kind in kinds:
        if not (kind is int or kind is bool or kind is type(None) or issubclass(kind, float)):
            return False
    return int not in kinds or all(v in _INT64 for v in outcomes if type(v) is int)


def _object(items: Mapping[Any, Any]) -> Dict[str, Any]:
    keys = [_key(key) for key in items]
    if len(set(keys)) < len(keys):
        # 1 and "1" are two keys, and must stay two.
        keys = [repr(key) for key in items]
    # A key that begins with $ would be read as a word of the protocol.
    keys = ["$" + key if key.startswith("$") else key for key in map(_text, keys)]
    return {key: plain(value) for key, value in zip(keys, items.values())}


def _key(key: Any) -> str:
    return key if isinstance(key, str) else _without_addresses(str(key))


def _text(text: str) -> str:
    """The text without lone surrogates, which JSON readers refuse."""
    return str(text).encode("utf-8", "backslashreplace").decode("utf-8")


def _without_addresses(text: str) -> str:
    """`<Model at 0x7f..>` differs from run to run and says nothing about the data."""
    return _ADDRESS.sub("", text)
