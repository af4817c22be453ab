"""Draws: how a call of a primitive is recorded, and answered in the run on D'."""

from __future__ import annotations

import random
import sys
from typing import Any, Callable, Dict, Optional, Tuple

from .record import Sum, Term, Variable, site
from .scalars import derived, is_number, plain, recorder, same_shape, tracked, used


def drawn(
    family: str,
    call: Callable[[], Any],
    again: Callable[[], Any],
    *,
    shift: Any = None,
    parameters: Optional[Dict[str, Any]] = None,
) -> Any:
    """What a primitive gives: the noise of a call, which is added to `shift`.

    `again` draws the same noise from another generator, without the shift.
    """
    run = recorder()
    if run is None:
        return call()
    value = run.unseen(call)
    here = site()
    number = run.matched(run.id("draw", family, here.file, here.line))
    before = run.earlier("draws", number)
    noise = value if shift is None else value - shift
    if before is not None:
        noise = _answered(before.value, noise)
        value = noise if shift is None else value
    variable = Variable(number, family, here, noise, lambda memo: again())
    variable.parameters = parameters or {}
    run.draws[number] = variable
    sum = Sum(0, (Term(variable, None, 1),))
    if shift is None:
        return tracked(value, sum)
    return used("sum", "loc", (), Sum(shift, sum.terms), value)


def _answered(before: Any, noise: Any) -> Any:
    """The noise of the recorded draw; of a longer draw, what was recorded comes first."""
    if same_shape(before, noise):
        return before
    if getattr(before, "ndim", 0) and getattr(noise, "ndim", 0) and before.shape[1:] == noise.shape[1:]:
        common = min(len(before), len(noise))
        noise = noise.copy()
        noise[:common] = before[:common]
    return noise


PRIVATE = random.Random("plaudit trace")
"""Where laws are drawn from: no generator of the function is touched."""


def private_numpy() -> Any:
    numpy = sys.modules["numpy"]
    found = _PRIVATE.get("numpy")
    if found is None:
        found = _PRIVATE["numpy"] = numpy.random.Generator(numpy.random.PCG64(7))
    return found


_PRIVATE: Dict[str, Any] = {}


def split(names: Tuple[str, ...], defaults: Dict[str, Any], arguments: Any, named: Dict[str, Any]) -> Dict[str, Any]:
    """The parameters of a primitive by name."""
    found = dict(defaults)
    found.update(zip(names, arguments))
    found.update(named)
    return found


def picked(index: Any, items: Any) -> Any:
    """The item that a draw chose; a number keeps its history."""
    at = plain(index)
    item = items[at]
    if not is_number(item):
        return item
    table = list(items) if not hasattr(items, "shape") else items
    return derived("choice", lambda i: table[i], (index,))
