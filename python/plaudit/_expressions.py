"""Expressions of the accountant as events of dp-accounting."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ._events import NOTHING

_TERM = re.compile(r"([a-z-]+)\(([^()]*)\)((?:[x*][0-9_.e+]+|@[a-z-]+\([^()]*\))*)")
_SUFFIX = re.compile(r"[x*]([0-9_.e+]+)|@([a-z-]+)\(([^()]*)\)")
_PARAMETERS: Mapping[str, Tuple[Tuple[str, Optional[float]], ...]] = {
    "gaussian": (("sigma", None), ("sensitivity", 1.0)),
    "laplace": (("scale", None), ("sensitivity", 1.0)),
    "discrete-laplace": (("scale", None), ("sensitivity", 1.0)),
    "randomized-response": (("truth", None), ("values", 2.0)),
    "zero-concentrated": (("rho", None), ("xi", 0.0)),
    "tree-aggregation": (("sigma", None), ("steps", None), ("sensitivity", 1.0)),
    "gdp": (("mu", None),),
}


def to_dp_event(expression: str) -> Any:
    """An expression of `account` as a `DpEvent` of dp-accounting 0.6; ValueError for what it has no event for.

    Noise multipliers are sigma (or scale) over sensitivity, as dp-accounting's `RdpAccountant` reads them under each
    relation. The event itself gives them in units of the norm that rows are clipped to. Where a row is replaced,
    `composition_of` therefore reads such an event as twice the sensitivity, which is the safe side.
    """
    from dp_accounting import dp_event as events

    text = re.sub(r"\s+", "", expression)
    if text == re.sub(r"\s+", "", NOTHING):
        return events.NoOpDpEvent()
    parts: List[Any] = []
    at = 0
    while True:
        found = _TERM.match(text, at)
        if found is None:
            raise ValueError("this is no composition: %r" % expression)
        parts.append(_event(events, *found.groups()))
        at = found.end()
        if at == len(text):
            break
        if text[at] != "+":
            raise ValueError("this is no composition: %r" % expression)
        at += 1
    return parts[0] if len(parts) == 1 else events.ComposedDpEvent(parts)


def _event(events: Any, kind: str, given: str, suffixes: str) -> Any:
    if kind not in _PARAMETERS:
        raise ValueError("dp-accounting has no event for %s" % kind)
    values = dict(_PARAMETERS[kind])
    for entry in filter(None, given.split(",")):
        name, _, number = entry.partition("=")
        if name not in values:
            raise ValueError("%s has no parameter %r" % (kind, name))
        values[name] = _read(number)
    missing = [name for name, value in values.items() if value is None]
    if missing:
        raise ValueError("%s needs %s" % (kind, missing[0]))
    numbers_given = {name: float(value) for name, value in values.items() if value is not None}
    event = _plain_event(events, kind, numbers_given)
    count = 1
    for times, sampling, rate in _SUFFIX.findall(suffixes):
        rate = re.sub(r"^rate=([^,]*)$", r"\1", rate)
        if times:
            count = int(_read(times))
        elif sampling == "poisson":
            event = events.PoissonSampledDpEvent(_read(rate), event)
        elif sampling == "truncated-poisson":
            event = _truncated(events, event, rate)
        elif sampling == "with-replacement":
            draws, rows = _named(rate, "draws", "rows")
            event = events.SampledWithReplacementDpEvent(int(rows), int(draws), event)
        elif sampling == "without-replacement":
            share = Fraction(_read(rate)).limit_denominator(10**9)
            event = events.SampledWithoutReplacementDpEvent(share.denominator, share.numerator, event)
        else:
            raise ValueError("there is no sample %r" % sampling)
    return events.SelfComposedDpEvent(event, count) if count != 1 else event


def _truncated(events: Any, event: Any, given: str) -> Any:
    if type(event).__name__ != "GaussianDpEvent":
        raise ValueError("dp-accounting has truncated Poisson samples for Gaussian noise alone")
    rate, batch, rows = _named(given, "rate", "batch", "rows")
    return events.TruncatedSubsampledGaussianDpEvent(int(rows), rate, int(batch), event.noise_multiplier)


def _named(given: str, *names: str) -> List[float]:
    """Numbers of a sample by their names, of which the first may be left out."""
    entries = [entry.rpartition("=") for entry in given.split(",")]
    values = {name or names[0]: _read(number) for name, _, number in entries}
    if sorted(values) != sorted(names) or len(entries) != len(names):
        raise ValueError("a sample with %s was expected, not (%s)" % (", ".join(names), given))
    return [values[name] for name in names]


def _plain_event(events: Any, kind: str, given: Dict[str, float]) -> Any:
    if kind == "gaussian":
        return events.GaussianDpEvent(given["sigma"] / given["sensitivity"])
    if kind == "gdp":
        return events.GaussianDpEvent(1.0 / given["mu"])
    if kind == "laplace":
        return events.LaplaceDpEvent(given["scale"] / given["sensitivity"])
    if kind == "discrete-laplace":
        return events.DiscreteLaplaceDpEvent(1.0 / given["scale"], int(given["sensitivity"]))
    if kind == "randomized-response":
        return events.RandomizedResponseDpEvent(1.0 - given["truth"], int(given["values"]))
    if kind == "tree-aggregation":
        return events.SingleEpochTreeAggregationDpEvent(given["sigma"] / given["sensitivity"], int(given["steps"]))
    return events.ZCDpEvent(given["rho"], given["xi"])


def _read(number: str) -> float:
    try:
        return float(number.replace("_", ""))
    except ValueError:
        raise ValueError("this is no number: %r" % number) from None
