"""Events of dp-accounting as expressions of the accountant."""

from __future__ import annotations

import math
import re
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple

NOTHING = "epsilon-delta(epsilon=0)"
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


_SAMPLES: Mapping[str, str] = {
    "poisson": ADD_REMOVE,
    "truncated-poisson": ADD_REMOVE,
    "allocation": ADD_REMOVE,
    "balls-in-bins": ADD_REMOVE,
    "poisson-substitution": SUBSTITUTION,
    "with-replacement": SUBSTITUTION,
    "without-replacement": SUBSTITUTION,
}
"""Neighbors of the samples that an expression can have."""


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
    parameters: Dict[str, Any]
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
    event of a sensitivity below 1, a mixture of Gaussians with shifts of both signs, and a choice among runs of a
    mechanism.

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
    composition = " + ".join(_shown(term, chosen).words() for term in terms) or NOTHING
    return Reading(composition, words, all(term.is_exact for term in terms))


def check_relation(relation: Optional[str]) -> None:
    """ValueError unless it is one of the relations that `account` takes, or None."""
    if relation not in (None, ADD_REMOVE, SUBSTITUTION):
        raise ValueError("relation is %r, %r or None, and not %r" % (ADD_REMOVE, SUBSTITUTION, relation))


def relation_of_expression(composition: str, relation: Optional[str]) -> str:
    """The neighboring relation of an expression, in words; ValueError where its samples contradict `relation`."""
    for rows in re.findall(r"@\s*poisson-group\([^()]*?\brows\s*=\s*([0-9_]+)", composition):
        if relation is not None:
            raise ValueError("poisson-group samples have neighbors of their own: leave the relation out")
        return "add/remove %d rows" % int(rows)
    if re.search(r"\bmixture-of-gaussians\b", composition):
        relation = _same("mixture-of-gaussians events", ADD_REMOVE, relation)
    for sample in re.findall(r"@\s*([a-z-]+)", composition):
        if sample in _SAMPLES:
            relation = _same("%s samples" % sample, _SAMPLES[sample], relation)
    return _WORDS[relation]


def _same(what: str, meant: str, relation: Optional[str]) -> str:
    if relation not in (None, meant):
        raise ValueError("the neighbors of %s are those of relation=%r, and not of %r" % (what, meant, relation))
    return meant


def _shown(term: _Term, relation: Optional[str]) -> _Term:
    """The term without a sensitivity that has its usual value."""
    kept = {name: value for name, value in term.parameters.items() if name != "sensitivity" or value != 1}
    # Whole numbers, where the mechanism has whole numbers.
    whole = {
        "discrete-laplace": "sensitivity",
        "discrete-gaussian": "sensitivity",
        "randomized-response": "values",
    }
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
    if kind in ("SampledWithoutReplacementDpEvent", "SampledWithReplacementDpEvent"):
        return _of_fixed_size(event, clip)
    if kind == "RepeatAndSelectDpEvent":
        return _of_selection(event, clip)
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
    return _with_sample(event, inner, "%s(%r)" % (sampling, rate))


def _with_sample(event: Any, inner: List[_Term], sample: str) -> List[_Term]:
    """One use of a mechanism on a sample."""
    if any(term.sample for term in inner):
        raise ValueError("the accountant has no samples of samples: %s" % (event,))
    if any(term.kind in ("mixture-of-gaussians", "tree-aggregation") for term in inner):
        raise ValueError("the accountant has no samples for mixtures and trees: %s" % (event,))
    if len(inner) > 1 or inner[0].uses > 1:
        if any(term.kind != "gaussian" for term in inner):
            raise ValueError("a sample has one event, or Gaussian ones alone, and this has others: %s" % (event,))
        # Gaussian releases of one sample are one release with less noise.
        moved = inner[0].parameters["sensitivity"]
        mu = math.sqrt(math.fsum(term.uses * _mu(term) ** 2 for term in inner))
        inner = [_gaussian(moved / mu, moved, all(term.is_exact for term in inner))]
    return [inner[0]._replace(sample=" @ " + sample)]


def _of_fixed_size(event: Any, clip: float) -> List[_Term]:
    rows = _whole(event, "source_dataset_size", event.source_dataset_size)
    drawn = _whole(event, "sample_size", event.sample_size)
    if rows == 0:
        raise ValueError("a sample is of a dataset that has some rows: %s" % (event,))
    if type(event).__name__ == "SampledWithoutReplacementDpEvent":
        if drawn > rows:
            raise ValueError("a sample has at most the rows of the dataset: %s" % (event,))
        return _sampled(event, "without-replacement", drawn / rows, clip)
    # Each draw of the row that is replaced moves the sum by as much as the whole dataset's sum would move.
    inner = _terms(event.event, clip)
    if not inner or drawn == 0:
        return []
    if any(term.kind != "gaussian" for term in inner):
        raise ValueError("samples with replacement are accounted for with Gaussian noise alone: %s" % (event,))
    return _with_sample(event, inner, "with-replacement(draws=%d, rows=%d)" % (drawn, rows))


def _of_selection(event: Any, clip: float) -> List[_Term]:
    shape, mean = float(event.shape), float(event.mean)
    if not (0 <= shape and 1 <= mean < math.inf):
        raise ValueError("a choice among runs has a shape of at least 0 and a mean of at least 1: %s" % (event,))
    inner = _terms(event.event, clip)
    if not inner or (mean == 1 and shape < math.inf):
        return inner
    if shape == math.inf:
        raise ValueError(
            "RepeatAndSelectDpEvent has no expression with a Poisson number of runs: %s. %s" % (event, _BOUND)
        )
    epsilon = math.fsum(term.uses * _pure_epsilon(event, term) for term in inner)
    # A run of anything epsilon-DP may be as telling as that permits, and the choice may not depend on what it tells.
    is_claim = len(inner) == 1 and inner[0].uses == 1 and inner[0].kind == "epsilon-delta"
    return [_Term("repeat-and-select", {"epsilon": epsilon, "shape": shape}, is_exact=is_claim)] if epsilon else []


def _pure_epsilon(event: Any, term: _Term) -> float:
    """The epsilon of one use at delta 0; ValueError, which names the event that has the term in it, without one."""
    given = term.parameters
    if not term.sample and given.get("delta", 0.0) == 0:
        if term.kind in ("epsilon-delta", "exponential-mechanism", "report-noisy-max"):
            return float(given["epsilon"])
        if term.kind in ("laplace", "discrete-laplace"):
            return float(given["sensitivity"]) / float(given["scale"])
        if term.kind == "randomized-response":
            return math.log1p(float(given["values"] * given["truth"] / (1.0 - given["truth"])))
        if term.kind == "repeat-and-select":
            return float((2.0 + given["shape"]) * given["epsilon"])
    raise ValueError(
        "RepeatAndSelectDpEvent has an expression only if each run is epsilon-DP, on the whole dataset: %s. %s"
        % (event, _BOUND)
    )


def _mu(term: _Term) -> float:
    return float(term.parameters["sensitivity"] / term.parameters["sigma"])


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
    if 1 <= moved <= 1e4 and sigma <= 1e4:
        return [_Term("discrete-gaussian-vector", {"sigma": sigma, "sensitivity": moved})]
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
    # A row is in one step of one tree: the one with most levels loses most.
    return [_Term("tree-aggregation", {"sigma": _positive(event, event.noise_multiplier), "steps": max(steps)})]


def _of_truncated_poisson(event: Any) -> List[_Term]:
    rate = float(event.sampling_probability)
    if not 0 <= rate <= 1:
        raise ValueError("a row is in a sample with a probability between 0 and 1: %s" % (event,))
    rows = _whole(event, "dataset_size", event.dataset_size)
    batch = _whole(event, "truncated_batch_size", event.truncated_batch_size)
    if rate == 0 or rows == 0 or batch == 0:
        return []
    sample = " @ truncated-poisson(rate=%r, batch=%d, rows=%d)" % (rate, batch, rows)
    return [_gaussian(_positive(event, event.noise_multiplier), 1.0)._replace(sample=sample)]


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
    # The ratio of densities is a sum of one function of the noise for each shift. For shifts of one sign all of them
    # grow together: no other sum of numbers with these laws spreads more.
    moves = [(shift, share) for shift, share in pairs if share > 0]
    both_signs = min(moves)[0] < 0 < max(moves)[0]
    shares: Dict[float, float] = {}
    for shift, share in moves:
        shares[abs(shift)] = shares.get(abs(shift), 0.0) + share
    if list(shares) == [0.0]:
        return []
    if len(shares) == 1:
        return [_gaussian(sigma, max(shares), is_exact=not both_signs)]
    given = {"sigma": sigma, "shifts": list(shares), "weights": list(shares.values())}
    return [_Term("mixture-of-gaussians", given, is_exact=not both_signs)]


def _of_zcdp(event: Any) -> List[_Term]:
    if not (event.rho >= 0 and event.xi >= 0):
        raise ValueError("rho and xi must be at least 0: %s" % (event,))
    given = {name: float(value) for name, value in (("rho", event.rho), ("xi", event.xi)) if name == "rho" or value}
    return [_Term("zero-concentrated", given)] if event.rho or event.xi else []


def _of_epsilon_delta(event: Any) -> List[_Term]:
    given = {"epsilon": float(event.epsilon), "delta": float(event.delta)}
    return [_Term("epsilon-delta", {name: value for name, value in given.items() if name == "epsilon" or value})]


def _of_exponential(event: Any) -> List[_Term]:
    return [_Term("exponential-mechanism", {"epsilon": float(event.epsilon)})] if event.epsilon else []


def _of_permute_and_flip(event: Any) -> List[_Term]:
    if event.epsilon == 0:
        return []
    if not event.epsilon > 0:
        raise ValueError("epsilon must be at least 0: %s" % (event,))
    return [_Term("report-noisy-max", {"epsilon": float(event.epsilon)})]


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
    "TruncatedSubsampledGaussianDpEvent": _of_truncated_poisson,
    "ZCDpEvent": _of_zcdp,
    "ExponentialMechanismDpEvent": _of_exponential,
    "PermuteAndFlipDpEvent": _of_permute_and_flip,
}
"""Events whose parameters are those of their own neighbors."""
_NEEDS: Mapping[str, str] = {
    "PoissonSampledDpEvent": ADD_REMOVE,
    "MixtureOfGaussiansDpEvent": ADD_REMOVE,
    "TruncatedSubsampledGaussianDpEvent": ADD_REMOVE,
    "SampledWithReplacementDpEvent": SUBSTITUTION,
    "SampledWithoutReplacementDpEvent": SUBSTITUTION,
    "RandomizedResponseDpEvent": SUBSTITUTION,
    "SingleEpochTreeAggregationDpEvent": _SPECIAL,
}
_REFUSED: Mapping[str, str] = {
    "UnsupportedDpEvent": "it stands for an operation that nothing is known of. " + _BOUND,
}
