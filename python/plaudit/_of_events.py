"""Mechanisms that state their own privacy event, in the form of dp-accounting."""

from __future__ import annotations

from typing import Any, Optional

from ._account import account
from ._events import is_of
from ._neighbors import neighbors
from ._prepared import Prepared, Release, same


def states_event(measurement: Any) -> bool:
    return callable(measurement) and _event_of(measurement) is not None


def _event_of(measurement: Any) -> Any:
    """The event: an attribute `dp_event`, or the result of a method of this name."""
    event = getattr(measurement, "dp_event", None)
    if callable(event) and not is_of(event, "dp_accounting"):
        event = event()
    return event if is_of(event, "dp_accounting") else None


def prepare(measurement: Any, d: Any, d_prime: Any, delta: Optional[float], relation: Any) -> Prepared:
    """A callable that takes a dataset: its claim is the accountant's epsilon of its event at `delta`."""
    delta = 1e-6 if delta is None else delta
    asked = relation if isinstance(relation, str) else None
    bracket = account(_event_of(measurement), delta=delta, relation=asked)
    if asked is None:
        asked = "substitution" if "replace" in bracket.relation else "add-remove"
    pairs = neighbors(d, asked) if d_prime is None else [(d, d_prime)]
    kind = type(measurement)
    name = "%s.%s" % (kind.__module__, kind.__qualname__)
    return Prepared(Release(name, measurement, same), pairs, asked, {"epsilon": bracket.upper, "delta": delta})
