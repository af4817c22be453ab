"""Primitives that a user named: functions that take a value and release it with noise."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, Iterator, Tuple

from .record import Called, site
from .scalars import is_number, plain, recorder


class Utilities:
    """The utilities of a selection: their loss is that of the largest move against the smallest."""

    def __init__(self, values: Any, monotonic: bool) -> None:
        self.values, self._parts = list(values), 1.0 if monotonic else 2.0

    def spread(self, other: "Utilities") -> Any:
        """How far the utilities move, as a sensitivity is declared; None if there are others."""
        if len(self.values) != len(other.values):
            return None
        moves = [float(b) - float(a) for a, b in zip(self.values, other.values)]
        return (max(moves) - min(moves)) / self._parts if moves else 0.0

    def __repr__(self) -> str:
        return repr(self.values)


REGISTERED: Dict[int, Any] = {}


def _is_plain(out: Any) -> bool:
    """A release, and not something that is asked for releases."""
    return is_number(out) or isinstance(out, (str, bytes, list, tuple, dict)) or hasattr(out, "dtype")


def called(name: str, value: Any, call: Callable[[], Any], declared: Dict[str, Any]) -> Any:
    """What a mechanism releases of a value; in the run on D', what it released of the value of D."""
    run = recorder()
    if run is None:
        return call()
    out = run.unseen(call)
    here = site()
    number = run.matched(run.id("called", name, here.file, here.line))
    before = run.earlier("called", number)
    if (
        before is not None
        and _is_plain(out)
        and (type(before.out) is type(out) or is_number(before.out) and is_number(out))
    ):
        out = before.out
    kept = value.copy() if hasattr(value, "copy") else value
    run.called[number] = Called(number, here, name, kept, out, declared, run.locals())
    return out


def primitive(function: Callable[..., Any], *, value: Any = 0, **declared: Any) -> Callable[..., Any]:
    """Names a function that releases a value with noise, for `trace`.

    * `value`: position or name of the parameter that takes the value without noise (0).
    * `scale`, `sensitivity`, `epsilon`, `delta`: of the noise; each a number, or the name of the parameter that has it.

    Returns the function. Raises TypeError for another word or a parameter that the function has not.
    """
    if not callable(function):
        raise TypeError("a primitive is a function, and this is a %s" % type(function).__name__)
    unknown = sorted(set(declared) - {"scale", "sensitivity", "epsilon", "delta"})
    if unknown:
        raise TypeError("primitive: %s is unknown: use scale, sensitivity, epsilon or delta" % unknown[0])
    known = inspect.signature(function).parameters
    for name in [one for one in (value, *declared.values()) if isinstance(one, str)]:
        if name not in known:
            raise TypeError("primitive: %s has no parameter %r" % (getattr(function, "__name__", "it"), name))
    REGISTERED[id(function)] = (function, value, declared)
    return function


def wrappers(registered: Dict[int, Any]) -> Iterator[Tuple[Any, Any]]:
    for function, value, declared in registered.values():
        yield function, _wrapper(function, value, declared)


def _wrapper(function: Any, value: Any, declared: Dict[str, Any]) -> Any:
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        if recorder() is None:
            return function(*arguments, **named)
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        given = bound.arguments
        name = list(signature.parameters)[value] if isinstance(value, int) else value
        said = {key: plain(given[one]) if isinstance(one, str) else one for key, one in declared.items()}
        return called(
            getattr(function, "__name__", "primitive"), plain(given[name]), lambda: function(*arguments, **named), said
        )

    return call
