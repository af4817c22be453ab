"""Compositions as dp-accounting writes them, and as expressions of the accountant."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple

_NOTHING = "epsilon-delta(epsilon=0)"
ADD_REMOVE = "add-remove"
SUBSTITUTION = "substitution"
_SPECIAL = "special"
_WORDS: Mapping[Optional[str], str] = {
    ADD_REMOVE: "add/remove one row",
    SUBSTITUTION: "substitution of one row",
    _SPECIAL: "substitution of one row by a special one, such as zeros",
    None: "that of the sensitivities and of the claims that the events make",
}
_DOES: Mapping[str, str] = {
    ADD_REMOVE: "add or remove a row",
    SUBSTITUTION: "replace a row",
    _SPECIAL: "replace a row by a special one, such as zeros",
}
_REMEDIES: Mapping[str, str] = {
    ADD_REMOVE: "leave the relation out",
    SUBSTITUTION: 'leave the relation out, or give "substitution"',
    _SPECIAL: "leave the relation out",
}
_BOUND = 'If you know an epsilon and a delta for it, write "epsilon-delta(epsilon=…, delta=…)"'


def is_of(value: Any, module: str, name: Optional[str] = None) -> bool:
    """Whether a value is of a library's class, or of one derived from it, without importing the library."""
    for kind in type(value).__mro__:
        inside = kind.__module__ == module or kind.__module__.startswith(module + ".")
        if inside and name in (None, kind.__name__):
            return True
    return False


class Reading(NamedTuple):
    """What the accountant makes of an event."""

    composition: str
    """The expression of the accountant."""
    relation: str
    """The neighboring relation, in words."""
    is_exact: bool
    """Whether the expression describes the event, rather than something that loses no less."""


class _Term(NamedTuple):
    """A part of an expression: uses of one mechanism, each on the dataset or on a fresh sample of it."""

    kind: str
    parameters: Dict[str, float]
    uses: int = 1
    sample: str = ""
    is_exact: bool = True

    def words(self) -> str:
        given = ", ".join("%s=%r" % entry for entry in self.parameters.items())
        times = " x %d" % self.uses if self.uses > 1 else ""
        return "%s(%s)%s%s" % (self.kind, given, self.sample, times)


def composition_of(event: Any, relation: Optional[str] = None) -> str:
    """A `DpEvent` of dp-accounting as an expression of `account`; docs/python-libraries.md has a table of all events.

    * `relation`: `"add-remove"` or `"substitution"`, as in `account`.

    An event without an expression of its own may be given that of something that loses no less: a discrete Gaussian
    event in several dimensions, permute-and-flip, and a mixture of Gaussians.

    Raises TypeError for what is not an event, and ValueError, which names the event, for one that has no expression,
    one whose numbers are impossible, and events that need different relations.
    """
    return reading_of(event, relation).composition


def reading_of(event: Any, relation: Optional[str] = None) -> Reading:
    """An event as the accountant takes it. `relation`, and what is raised, are as in `composition_of`."""
    if not is_of(event, "dp_accounting"):
        raise TypeError(
            "account takes an expression or a DpEvent of dp-accounting, and this is a %s" % type(event).__name__
        )
    chosen = _relation_of(event, relation)
    terms = _terms(event, 2.0 if chosen == SUBSTITUTION else 1.0)
    words = _WORDS[chosen]
    if any("sensitivity" in term.parameters and term.kind != "discrete-gaussian" for term in terms):
        if chosen == SUBSTITUTION:
            words += ", which moves a sum of rows of norm at most C by up to 2C"
        elif chosen is None:
            words = _WORDS[ADD_REMOVE] + ", the default of dp-accounting"
    composition = " + ".join(_shown(term, chosen).words() for term in terms) or _NOTHING
    return Reading(composition, words, all(term.is_exact for term in terms))


def check_relation(relation: Optional[str]) -> None:
    """ValueError unless it is one of the relations that `account` takes, or None."""
    if relation not in (None, ADD_REMOVE, SUBSTITUTION):
        raise ValueError("relation is %r, %r or None, and not %r" % (ADD_REMOVE, SUBSTITUTION, relation))


def relation_of_expression(composition: str, relation: Optional[str]) -> str:
    """The neighboring relation of an expression, in words; ValueError where its samples contradict `relation`."""
    samples = {"poisson": ADD_REMOVE, "poisson-substitution": SUBSTITUTION, "without-replacement": SUBSTITUTION}
    for sample in re.findall(r"@\s*([a-z-]+)", composition):
        meant = samples.get(sample)
        if meant and relation not in (None, meant):
            raise ValueError(
                "the neighbors of %s samples are those of relation=%r, and not of %r" % (sample, meant, relation)
            )
        relation = relation or meant
    return _WORDS[relation]


def _shown(term: _Term, relation: Optional[str]) -> _Term:
    """The term without a sensitivity that has its usual value."""
    kept = {name: value for name, value in term.parameters.items() if name != "sensitivity" or value != 1}
    # Whole numbers, where the mechanism has whole numbers.
    whole = {"discrete-laplace": "sensitivity", "discrete-gaussian": "sensitivity", "randomized-response": "values"}
    name = whole.get(term.kind)
    if term.kind in whole and name in term.parameters:
        kept[str(name)] = int(term.parameters[str(name)])
    return term._replace(parameters=kept)


def _relation_of(event: Any, given: Optional[str]) -> Optional[str]:
    """The relation that is given, or else the one that parts of the event need; None if nothing says."""
    check_relation(given)
    needed: Dict[str, str] = {}
    for relation, name in _needs(event):
        # Poisson samples have either relation.
        if (given, name) != (SUBSTITUTION, "PoissonSampledDpEvent"):
            needed.setdefault(relation, name)
    # One row more is the same to every other event as a row in place of a special one.
    if given is None and _SPECIAL in needed and SUBSTITUTION not in needed:
        return _SPECIAL
    for relation, name in needed.items():
        if given not in (None, relation):
            raise ValueError(
                "%s is accounted for with neighbors that %s, and not for relation=%r: %s"
                % (name, _DOES[relation], given, _REMEDIES[relation])
            )
    if len(needed) > 1:
        (one, its), (other, others) = list(needed.items())[:2]
        raise ValueError(
            "%s needs neighbors that %s, and %s neighbors that %s: a composition has one relation, so account for "
            "the two apart" % (its, _DOES[one], others, _DOES[other])
        )
    return given or next(iter(needed), None)


def _needs(event: Any) -> Iterator[Tuple[str, str]]:
    """The relations that parts of an event need, each with the name of the part."""
    kind = type(event).__name__
    if kind == "ComposedDpEvent":
        for part in event.events:
            yield from _needs(part)
        return
    if kind in _NEEDS and not (kind == "PoissonSampledDpEvent" and event.sampling_probability == 1):
        yield _NEEDS[kind], kind
    if hasattr(event, "event"):
        yield from _needs(event.event)


def _terms(event: Any, clip: float) -> List[_Term]:
    """The parts of an event; `clip` is how far a row moves a sum, in units of the norm that rows are clipped to."""
    kind = type(event).__name__
    if kind == "SelfComposedDpEvent":
        count = _whole(event, "count", event.count)
        return [term._replace(uses=term.uses * count) for term in _terms(event.event, clip)] if count else []
    if kind == "ComposedDpEvent":
        return [term for part in event.events for term in _terms(part, clip)]
    if kind == "PoissonSampledDpEvent":
        rate = float(event.sampling_probability)
        # Each of two substituted rows moves the sum by what it is clipped to, in a direction of its own.
        if clip == 1 or rate == 1:
            return _sampled(event, "poisson", rate, clip)
        terms = _sampled(event, "poisson-substitution", rate, 1.0)
        if any(term.kind not in ("gaussian", "laplace") for term in terms):
            raise ValueError(
                "a row replaced in a Poisson sample is accounted for with Gaussian and Laplace noise alone: %s"
                % (event,)
            )
        return terms
    if kind == "SampledWithoutReplacementDpEvent":
        rows = _whole(event, "source_dataset_size", event.source_dataset_size)
        sample = _whole(event, "sample_size", event.sample_size)
        if not 0 <= sample <= rows or rows == 0:
            raise ValueError("a sample has at most the rows of the dataset, which has some: %s" % (event,))
        return _sampled(event, "without-replacement", sample / rows, clip)
    if kind in _NOISES:
        return _NOISES[kind](event, clip)
    if kind in _CLAIMS:
        return _CLAIMS[kind](event)
    if kind in _REFUSED:
        raise ValueError("%s has no expression: %s" % (kind, _REFUSED[kind]))
    raise ValueError("%s is not an event that the accountant knows: %s. %s" % (kind, event, _BOUND))


def _sampled(event: Any, sampling: str, rate: float, clip: float) -> List[_Term]:
    if not 0 <= rate <= 1:
        raise ValueError("a row is in a sample with a probability between 0 and 1: %s" % (event,))
    inner = _terms(event.event, clip)
    if not inner or rate == 0:
        return []
    if rate == 1:
        return inner
    if any(term.sample for term in inner):
        raise ValueError("the accountant has no samples of samples: %s" % (event,))
    if len(inner) > 1 or inner[0].uses > 1:
        if any(term.kind != "gaussian" for term in inner):
            raise ValueError("a sample has one event, or Gaussian ones alone, and this has others: %s" % (event,))
        # Gaussian releases of one sample are one release with less noise.
        moved = inner[0].parameters["sensitivity"]
        mu = math.sqrt(math.fsum(term.uses * _mu(term) ** 2 for term in inner))
        inner = [_gaussian(moved / mu, moved, all(term.is_exact for term in inner))]
    return [inner[0]._replace(sample=" @ %s(%r)" % (sampling, rate))]


def _mu(term: _Term) -> float:
    return term.parameters["sensitivity"] / term.parameters["sigma"]


def _gaussian(sigma: float, sensitivity: float, is_exact: bool = True) -> _Term:
    return _Term("gaussian", {"sigma": sigma, "sensitivity": sensitivity}, is_exact=is_exact)


def _of_gaussian(event: Any, clip: float) -> List[_Term]:
    return [_gaussian(_positive(event, event.noise_multiplier), clip)]


def _of_laplace(event: Any, clip: float) -> List[_Term]:
    return [_Term("laplace", {"scale": _positive(event, event.noise_multiplier), "sensitivity": clip})]


def _of_discrete_laplace(event: Any, clip: float) -> List[_Term]:
    scale = 1.0 / _positive(event, event.noise_parameter)
    moved = clip * _whole(event, "sensitivity", event.sensitivity)
    return [_Term("discrete-laplace", {"scale": scale, "sensitivity": moved})] if moved else []


def _of_discrete_gaussian(event: Any) -> List[_Term]:
    sigma, moved = _positive(event, event.sigma), float(event.sensitivity)
    if moved == 0:
        return []
    if event.dimension == 1 and moved in range(1, 10_001) and sigma <= 1e4:
        return [_Term("discrete-gaussian", {"sigma": sigma, "sensitivity": moved})]
    # Canonne, Kamath and Steinke 2020, Theorem 4 for one coordinate; those of several coordinates add up.
    return [_Term("zero-concentrated", {"rho": (moved / sigma) ** 2 / 2.0}, is_exact=False)]


def _of_randomized_response(event: Any) -> List[_Term]:
    values = _whole(event, "num_buckets", event.num_buckets)
    if values == 1 or event.noise_parameter == 1:
        return []
    if not 0 < event.noise_parameter < 1:
        raise ValueError("the accountant needs a noise parameter above 0 and at most 1: %s" % (event,))
    truth = 1.0 - float(event.noise_parameter)
    return [_Term("randomized-response", {"truth": truth, "values": values})]


def _of_tree(event: Any) -> List[_Term]:
    given = event.step_counts
    steps = [_whole(event, "step_counts", one) for one in (given if hasattr(given, "__len__") else [given])]
    if not steps or max(steps) == 0:
        raise ValueError("a tree has at least one step: %s" % (event,))
    # A row is in one leaf, and moves each node above it by the sensitivity; the first leaf has most of them.
    depth = max(steps).bit_length()
    return [_gaussian(_positive(event, event.noise_multiplier) / math.sqrt(depth), 1.0)]


def _of_mixture(event: Any) -> List[_Term]:
    sigma = _positive(event, event.standard_deviation)
    pairs = list(zip(map(float, event.sensitivities), map(float, event.sampling_probs)))
    total = math.fsum(share for _, share in pairs)
    if (
        len(event.sensitivities) != len(event.sampling_probs)
        or not abs(total - 1.0) <= 1e-9
        or any(p < 0 for _, p in pairs)
    ):
        raise ValueError("a mixture has a probability for each sensitivity, and they add up to 1: %s" % (event,))
    moves = [(shift, share) for shift, share in pairs if shift != 0 and share > 0]
    if not moves:
        return []
    shifts = {shift for shift, _ in moves}
    if min(shifts) < 0 < max(shifts):
        raise ValueError(
            "MixtureOfGaussiansDpEvent has an expression only if its sensitivities have one sign: %s. %s"
            % (event, _BOUND)
        )
    # Shifts that are all as far as the furthest lose no less: likelihood ratios are monotone, so that the sets that
    # tell most are half-lines, whose probability they only raise.
    term = _gaussian(sigma, max(map(abs, shifts)), len(shifts) == 1)
    share = math.fsum(share for _, share in moves)
    rest = math.fsum(share for shift, share in pairs if shift == 0)
    return [term._replace(sample=" @ poisson(%r)" % share) if rest > 0 else term]


def _of_zcdp(event: Any) -> List[_Term]:
    if event.xi != 0:
        raise ValueError(
            "ZCDpEvent has no expression unless xi is 0: %s. It is (alpha, xi + rho * alpha)-RDP: write "
            "renyi(alpha=…, epsilon=…) for the order that gives the least" % (event,)
        )
    if not event.rho >= 0:
        raise ValueError("rho must be at least 0: %s" % (event,))
    return [_Term("zero-concentrated", {"rho": float(event.rho)})] if event.rho else []


def _of_epsilon_delta(event: Any) -> List[_Term]:
    given = {"epsilon": float(event.epsilon), "delta": float(event.delta)}
    return [_Term("epsilon-delta", {name: value for name, value in given.items() if name == "epsilon" or value})]


def _of_exponential(event: Any) -> List[_Term]:
    return [_Term("exponential-mechanism", {"epsilon": float(event.epsilon)})] if event.epsilon else []


def _of_permute_and_flip(event: Any) -> List[_Term]:
    if event.epsilon == 0:
        return []
    # It reports the noisy maximum with exponential noise. A set of answers wins by a margin whose density is at most
    # epsilon times its smaller tail, as that of Laplace noise is at each point: no test beats the Laplace pair's.
    return [_Term("laplace", {"scale": 1.0 / _positive(event, event.epsilon)}, is_exact=False)]


def _positive(event: Any, value: Any) -> float:
    if not 0 < value < math.inf:
        raise ValueError("the accountant needs noise that is positive and finite: %s" % (event,))
    return float(value)


def _whole(event: Any, name: str, value: Any) -> int:
    if not (value >= 0 and value == value // 1 and value < math.inf):
        raise ValueError("%s must be a whole number, at least 0: %s" % (name, event))
    return int(value)


_NOISES: Mapping[str, Callable[[Any, float], List[_Term]]] = {
    "GaussianDpEvent": _of_gaussian,
    "LaplaceDpEvent": _of_laplace,
    "DiscreteLaplaceDpEvent": _of_discrete_laplace,
}
"""Sums of rows whose norm is bounded, plus noise."""
_CLAIMS: Mapping[str, Callable[[Any], List[_Term]]] = {
    "NoOpDpEvent": lambda event: [],
    "NonPrivateDpEvent": lambda event: [_Term("epsilon-delta", {"epsilon": 0.0, "delta": 1.0})],
    "EpsilonDeltaDpEvent": _of_epsilon_delta,
    "DiscreteGaussianDpEvent": _of_discrete_gaussian,
    "RandomizedResponseDpEvent": _of_randomized_response,
    "SingleEpochTreeAggregationDpEvent": _of_tree,
    "MixtureOfGaussiansDpEvent": _of_mixture,
    "ZCDpEvent": _of_zcdp,
    "ExponentialMechanismDpEvent": _of_exponential,
    "PermuteAndFlipDpEvent": _of_permute_and_flip,
}
"""Events whose parameters are those of their own neighbors."""
_NEEDS: Mapping[str, str] = {
    "PoissonSampledDpEvent": ADD_REMOVE,
    "MixtureOfGaussiansDpEvent": ADD_REMOVE,
    "SampledWithoutReplacementDpEvent": SUBSTITUTION,
    "RandomizedResponseDpEvent": SUBSTITUTION,
    "SingleEpochTreeAggregationDpEvent": _SPECIAL,
}
_REFUSED: Mapping[str, str] = {
    "UnsupportedDpEvent": "it stands for an operation that nothing is known of. " + _BOUND,
    "SampledWithReplacementDpEvent": (
        "a row can be several times in a sample with replacement, and the accountant has samples with each row at most "
        "once. " + _BOUND
    ),
    "RepeatAndSelectDpEvent": (
        "the accountant does not have the choice among a random number of runs. If each run is epsilon-DP and the "
        "shape is finite, the whole is (2 + shape) * epsilon-DP (Papernot and Steinke 2022): write that"
    ),
    "TruncatedSubsampledGaussianDpEvent": (
        "truncation makes the sample of one row depend on the others. A bound without truncation is not one with it. "
        + _BOUND
    ),
}


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
    """An expression of `account` as a `DpEvent` of dp-accounting 0.6; ValueError for what it has no event for.

    Noise multipliers are sigma (or scale) over sensitivity, as dp-accounting's `RdpAccountant` reads them under each
    relation. The event itself gives them in units of the norm that rows are clipped to. Where a row is replaced,
    `composition_of` therefore reads such an event as twice the sensitivity, which is the safe side.
    """
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
