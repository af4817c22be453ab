"""What a run released, and how two outcomes differ."""

from __future__ import annotations

import dataclasses
import math
import numbers
import traceback
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .record import Recorder, Site, _is_internal
from .scalars import Tracked, plain

Path = Tuple[Any, ...]
MISSING = type("Missing", (), {"__repr__": lambda self: "(missing)"})()
_DEPTH, _MOST = 6, 100_000


class Raised(NamedTuple):
    """The exception that a run ended with."""

    words: str
    site: Optional[Site]
    detail: str = ""
    """More words, which need not be the same in runs that end alike."""


class Failed(Exception):
    """A program in another language ended with an error, which is an outcome: `errors` is what it wrote about it."""

    def __init__(self, words: str, errors: str) -> None:
        super().__init__(words)
        self.errors, self.detail = errors, ""
        self.site: Optional[Site] = None


def raised(error: BaseException) -> Raised:
    """An exception, and the innermost line of the user's that raised it."""
    if isinstance(error, Failed):
        return Raised(str(error), error.site, error.detail)
    found = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        if not _is_internal(frame.f_code.co_filename):
            found = Site(frame.f_code.co_filename, number, frame.f_code.co_name)
    text = str(error)
    return Raised("%s: %s" % (type(error).__name__, text) if text else type(error).__name__, found)


def bare(value: Any, run: Recorder, path: Path = ()) -> Any:
    """An outcome as the function gives it without a trace; what it holds is released."""
    if isinstance(value, Tracked):
        if getattr(value, "use", None) is not None:
            run.released.add(value.use)  # type: ignore[arg-type]
        if hasattr(value, "history"):
            run.followed.add(path)
            for term in value.history.terms:
                term.variable.lost = False
        return plain(value)
    if len(path) > _DEPTH:
        return value
    if type(value) in (list, tuple):
        return type(value)(bare(one, run, (*path, i)) for i, one in enumerate(value))
    if type(value) in (set, frozenset):
        return type(value)(bare(one, run, (*path, plain(one))) for one in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(bare(one, run, (*path, i)) for i, one in enumerate(value)))
    if type(value) is dict:
        return {bare(key, run, (*path, "(key)")): bare(one, run, (*path, plain(key))) for key, one in value.items()}
    own = getattr(value, "__dict__", None)
    if isinstance(own, dict) and not callable(value) and not isinstance(value, type):
        for key, one in list(own.items()):
            found = bare(one, run, (*path, key))
            if found is not one:
                try:
                    object.__setattr__(value, key, found)
                except (AttributeError, TypeError):
                    continue
    return value


def differences(one: Any, other: Any) -> List[Tuple[Path, Any, Any]]:
    """The places at which two outcomes differ, with what is there on either side."""
    found: List[Tuple[Path, Any, Any]] = []
    _compare(one, other, (), found, 0)
    return found


def at(value: Any, path: Path) -> Any:
    """What is at a place of an outcome."""
    for step in path:
        parts = _parts(value)
        if parts is None or step not in parts:
            return MISSING
        value = parts[step]
    return value


def equal(one: Any, other: Any) -> bool:
    """True if two outcomes, or parts of them, are the same."""
    return not differences(one, other)


def _compare(one: Any, other: Any, path: Path, found: List[Tuple[Path, Any, Any]], depth: int) -> None:
    if len(found) >= _MOST or one is other:
        return
    if _are_arrays(one, other):
        _compare_arrays(one, other, path, found)
        return
    if type(one) is list and type(other) is list and len(one) > 64 and one == other:
        return
    left, right = _parts(one), _parts(other)
    if left is None or right is None or depth > _DEPTH or (type(one) is not type(other) and not _alike(one, other)):
        if not _same(one, other):
            found.append((path, one, other))
        return
    for key in [*left, *(key for key in right if key not in left)]:
        _compare(left.get(key, MISSING), right.get(key, MISSING), (*path, key), found, depth + 1)
    if list(left) != list(right) and set(left) == set(right) and isinstance(one, dict):
        found.append(((*path, "(order)"), list(left), list(right)))


def _are_arrays(one: Any, other: Any) -> bool:
    return (
        type(one).__module__ == "numpy"
        and getattr(one, "ndim", 0) > 0
        and getattr(other, "shape", None) == one.shape
        and one.dtype.kind in "bifu"
        and getattr(other, "dtype", one.dtype).kind in "bifu"
    )


def _compare_arrays(one: Any, other: Any, path: Path, found: List[Tuple[Path, Any, Any]]) -> None:
    """Two arrays of numbers: the first entries that differ."""
    differs = (one != other) & ~((one != one) & (other != other))
    for index in list(zip(*differs.nonzero()))[:1000]:
        index = tuple(int(i) for i in index)
        found.append(((*path, *index), one[index], other[index]))


def _alike(one: Any, other: Any) -> bool:
    return isinstance(one, (list, tuple)) and isinstance(other, (list, tuple))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, numbers.Number) and isinstance(other, numbers.Number):
        return one == other or (one != one and other != other)
    try:
        result = one == other
        return bool(result.all()) if hasattr(result, "all") else bool(result)
    except Exception:
        return repr(one) == repr(other)


def _parts(value: Any) -> Optional[Dict[Any, Any]]:
    """The parts of a value by their names, or None for one without."""
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, (list, tuple)):
        return dict(enumerate(value))
    if isinstance(value, (set, frozenset)):
        return {key: True for key in sorted(value, key=repr)}
    if hasattr(value, "detach") and hasattr(value, "cpu"):
        value = value.detach().cpu().numpy()
    if hasattr(value, "to_numpy") and hasattr(value, "index"):
        columns = getattr(value, "columns", None)
        values = {"index": list(value.index), "values": value.to_numpy().tolist()}
        return values if columns is None else {"columns": list(columns), **values}
    if hasattr(value, "dtype") and hasattr(value, "tolist") and getattr(value, "ndim", None):
        return dict(enumerate(value)) if value.size <= _MOST else None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
    own = getattr(value, "__dict__", None)
    if isinstance(own, dict) and not callable(value) and not isinstance(value, type) and own:
        return {key: one for key, one in own.items() if not callable(one)}
    return None


def shown(value: Any, most: int = 60) -> str:
    """A value in few characters."""
    if isinstance(value, float) and math.isfinite(value):
        text = "%.6g" % value
        return text if "e" in text or "." in text else text
    if hasattr(value, "tolist"):
        value = value.tolist()
    text = repr(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def place(path: Path) -> str:
    """A place in words: `outcome["mean"][0]`."""
    return "outcome" + "".join("[%r]" % (step,) for step in path)
