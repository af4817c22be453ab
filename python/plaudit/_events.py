"""Compositions as dp-accounting writes them, and as expressions of the accountant."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any, Dict, List, Mapping, Optional, Tuple

_NOTHING = "epsilon-delta(epsilon=0)"


def is_of(value: Any, module: str, name: Optional[str] = None) -> bool:
    """Whether a value is of a library's class, or of one derived from it, without importing the library."""
    for kind in type(value).__mro__:
        inside = kind.__module__ == module or kind.__module__.startswith(module + ".")
        if inside and name in (None, kind.__name__):
            return True
    return False


def composition_of(event: Any) -> str:
    """A `DpEvent` of dp-accounting as an expression of `account` (docs/accountant.md).

    Known are no-op, Gaussian, Laplace, discrete Laplace, randomized response and zCDP events, Poisson samples and
    samples without replacement of one of them (of Gaussian ones that are composed, too), and compositions of these.
    ValueError for others. Neighbors are the accountant's: a row more or less for Poisson samples, a row replaced for
    samples without replacement. An event of dp-accounting does not say which it means.
    """
    if not is_of(event, "dp_accounting"):
        raise TypeError(
            "account takes an expression or a DpEvent of dp-accounting, and this is a %s" % type(event).__name__
        )
    return " + ".join(words + (" x %d" % count if count > 1 else "") for words, count in _terms(event)) or _NOTHING


def _terms(event: Any) -> List[Tuple[str, int]]:
    kind = type(event).__name__
    if kind == "NoOpDpEvent":
        return []
    if kind == "GaussianDpEvent":
        return [("gaussian(sigma=%r)" % _positive(event, event.noise_multiplier), 1)]
    if kind == "LaplaceDpEvent":
        return [("laplace(scale=%r)" % _positive(event, event.noise_multiplier), 1)]
    if kind == "DiscreteLaplaceDpEvent":
        scale = 1.0 / _positive(event, event.noise_parameter)
        return [("discrete-laplace(scale=%r, sensitivity=%d)" % (scale, event.sensitivity), 1)]
    if kind == "RandomizedResponseDpEvent":
        truth = 1.0 - float(event.noise_parameter)
        return [("randomized-response(truth=%r, values=%d)" % (truth, event.num_buckets), 1)]
    if kind == "ZCDpEvent" and event.xi == 0:
        return [("zero-concentrated(rho=%r)" % float(event.rho), 1)] if event.rho else []
    if kind == "SelfComposedDpEvent":
        count = int(event.count)
        return [(words, times * count) for words, times in _terms(event.event)] if count else []
    if kind == "ComposedDpEvent":
        return [term for part in event.events for term in _terms(part)]
    if kind == "PoissonSampledDpEvent":
        return _sampled(event, "poisson", float(event.sampling_probability))
    if kind == "SampledWithoutReplacementDpEvent":
        return _sampled(event, "without-replacement", event.sample_size / event.source_dataset_size)
    raise ValueError("the accountant has no such event: %s" % (event,))


def _sampled(event: Any, sampling: str, rate: float) -> List[Tuple[str, int]]:
    inner = _terms(event.event)
    if not inner or rate == 0:
        return []
    if rate == 1:
        return inner
    if any("@" in words for words, _ in inner):
        raise ValueError("the accountant has no samples of samples: %s" % (event,))
    if len(inner) > 1 or inner[0][1] > 1:
        # Gaussian releases of one sample are one release with less noise.
        multipliers = [(re.fullmatch(r"gaussian\(sigma=(.*)\)", words), count) for words, count in inner]
        if not all(found for found, _ in multipliers):
            raise ValueError("a sample has one event, or Gaussian ones alone, and this has others: %s" % (event,))
        precision = math.fsum(count / float(found.group(1)) ** 2 for found, count in multipliers if found)
        inner = [("gaussian(sigma=%r)" % (1.0 / math.sqrt(precision)), 1)]
    return [("%s @ %s(%r)" % (inner[0][0], sampling, rate), 1)]


def _positive(event: Any, value: Any) -> float:
    if not 0 < value < math.inf:
        raise ValueError("the accountant needs noise that is positive and finite: %s" % (event,))
    return float(value)


_TERM = re.compile(r"([a-z-]+)\(([^()]*)\)((?:[x*][0-9_.e+]+|@[a-z-]+\([^()]*\))*)")
_SUFFIX = re.compile(r"[x*]([0-9_.e+]+)|@([a-z-]+)\(([^()]*)\)")
_PARAMETERS: Mapping[str, Tuple[Tuple[str, Optional[float]], ...]] = {
    "gaussian": (("sigma", None), ("sensitivity", 1.0)),
    "laplace": (("scale", None), ("sensitivity", 1.0)),
    "discrete-laplace": (("scale", None), ("sensitivity", 1.0)),
    "randomized-response": (("truth", None), ("values", 2.0)),
    "zero-concentrated": (("rho", None),),
    "gdp": (("mu", None),),
}


def to_dp_event(expression: str) -> Any:
    """An expression of `account` as a `DpEvent` of dp-accounting; ValueError for what it has no event for."""
    from dp_accounting import dp_event as events

    text = re.sub(r"\s+", "", expression)
    if text == re.sub(r"\s+", "", _NOTHING):
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
        if times:
            count = int(_read(times))
        elif sampling == "poisson":
            event = events.PoissonSampledDpEvent(_read(rate), event)
        elif sampling == "without-replacement":
            share = Fraction(_read(rate)).limit_denominator(10**9)
            event = events.SampledWithoutReplacementDpEvent(share.denominator, share.numerator, event)
        else:
            raise ValueError("there is no sample %r" % sampling)
    return events.SelfComposedDpEvent(event, count) if count != 1 else event


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
    return events.ZCDpEvent(given["rho"])


def _read(number: str) -> float:
    try:
        return float(number.replace("_", ""))
    except ValueError:
        raise ValueError("this is no number: %r" % number) from None
