"""What other libraries claim of their own mechanisms, and their ways to write compositions."""

from __future__ import annotations

import inspect
import math
import numbers
import re
import warnings
from collections import Counter
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ._api import audit
from ._dataset import rows_apart, rows_of, shown
from ._events import composition_of, is_of
from ._expressions import to_dp_event
from ._neighbors import neighbors
from ._result import Result

__all__ = ["check", "composition_of", "to_dp_event"]

_CLAIM = ("epsilon", "mu", "rho", "claim")
_ORDERS = (2.0, 4.0, 8.0, 16.0)
_FITTED = (
    "coef_",
    "intercept_",
    "theta_",
    "var_",
    "class_prior_",
    "cluster_centers_",
    "mean_",
    "components_",
    "singular_values_",
)

Pair = Tuple[Any, Any]


def check(
    measurement: Any,
    d: Any,
    d_prime: Any = None,
    *,
    d_in: Any = None,
    delta: Optional[float] = None,
    outcome: Optional[Callable[[Any], Any]] = None,
    **options: Any,
) -> Result:
    """Audits a library's claim about one of its mechanisms, on two datasets.

    An opendp `Measurement`: the claim is the value of its map at `d_in`, by default at the distance between the
    datasets: an epsilon, a rho, or an epsilon and a delta. Where the map gives a whole privacy profile, the claim is
    its epsilon at `delta`, 1e-6 if left out.
    A mechanism of diffprivlib: the claim is its epsilon and delta; d and d' are values to randomise, at most its
    sensitivity apart.
    A model of diffprivlib: the claim is its epsilon; d and d' are (X, y), or X for a model without labels. Each run
    fits a fresh clone. The outcome is its coefficients, means, variances or centers, or what `outcome(model)` returns.

    Without `d_prime`, neighbors of `d` are made: with one row less, or a row replaced, as the library defines
    neighbors (for models: replaced, so that both have the same number of rows), or a number that is larger by `d_in`
    or by the sensitivity. `outcome`: a function that returns the visible part of a release. The other options are
    those of `audit`, which also finds defects of floating-point noise; the libraries take their noise from the system,
    so a seed does not reproduce it.

    Raises TypeError for anything else, and ValueError for a claim that cannot be read and datasets too far apart.
    """
    stated = [name for name in _CLAIM if name in options]
    if stated:
        raise TypeError("check takes the claim from the library: use audit to test another %s" % stated[0])
    if is_of(measurement, "opendp.mod", "Measurement"):
        prepared = _opendp(measurement, d, d_prime, d_in, delta)
    elif d_in is not None or delta is not None:
        raise TypeError("d_in and delta are for measurements of opendp")
    elif callable(getattr(measurement, "randomise", None)) and is_of(measurement, "diffprivlib.mechanisms"):
        prepared = _mechanism(measurement, d, d_prime)
    elif callable(getattr(measurement, "fit", None)) and is_of(measurement, "diffprivlib.models"):
        prepared = _model(measurement, d, d_prime, outcome is not None)
    else:
        raise TypeError(
            "check knows measurements of opendp, and mechanisms and models of diffprivlib, and this is a %s.%s: give "
            "audit a function that calls it" % (type(measurement).__module__, type(measurement).__qualname__)
        )
    if outcome is not None:
        prepared.release.outcome = outcome
    options.setdefault("name", prepared.release.__qualname__)
    options.setdefault("relation", prepared.relation)
    return audit(prepared.release, pairs=prepared.pairs, claim=prepared.claim, **options)


class _Release:
    """One run of a library's mechanism, under the name that the library has for it."""

    def __init__(self, name: str, release: Callable[[Any], Any], outcome: Callable[[Any], Any]) -> None:
        self.__qualname__ = name
        self.outcome = outcome
        self._release = release

    def __call__(self, dataset: Any) -> Any:
        return self.outcome(self._release(dataset))


class _Prepared:
    def __init__(self, release: _Release, pairs: Sequence[Pair], relation: Any, claim: Dict[str, Any]) -> None:
        self.release = release
        self.pairs = pairs
        self.relation = relation
        self.claim = claim


def _same(release: Any) -> Any:
    return release


# opendp

_NORMS = {"AbsoluteDistance": "l1", "L1Distance": "l1", "L2Distance": "l2", "LInfDistance": "linf"}
_BY_ROWS = {
    "SymmetricDistance": "add-remove",
    "InsertDeleteDistance": "add-remove",
    "ChangeOneDistance": "substitution",
    "HammingDistance": "substitution",
}


def _opendp(measurement: Any, d: Any, d_prime: Any, d_in: Any, delta: Optional[float]) -> _Prepared:
    metric = _word(measurement.input_metric)
    carrier = str(measurement.input_carrier_type)
    is_scalar = metric == "AbsoluteDistance"
    relation: Any = None
    if metric in _NORMS:
        kind: Any = float if re.search(r"\bf(32|64)\b", carrier) else _whole
        first = _numbers([d] if is_scalar else d, kind)
        if d_prime is None:
            second = [first[0] + kind(1 if d_in is None else d_in)] + first[1:]
        else:
            second = _numbers([d_prime] if is_scalar else d_prime, kind)
        if len(first) != len(second):
            raise ValueError("the datasets have %d and %d numbers: no %s" % (len(first), len(second), metric))
        d_in = _within(_norm(_NORMS[metric], first, second), d_in)
        pairs: List[Pair] = [(first, second)]
        relation = {_NORMS[metric]: d_in}
    elif metric in _BY_ROWS:
        if d_prime is None:
            # Where the number of rows is fixed, a row that changes is one removed and one added.
            is_sized = _BY_ROWS[metric] == "add-remove" and "size=" in str(measurement.input_domain)
            pairs = neighbors(d, "substitution" if is_sized else _BY_ROWS[metric])
            d_in = _within(2 if is_sized else 1, d_in)
        else:
            pairs = [(d, d_prime)]
            d_in = _within(_rows_apart(metric, d, d_prime), d_in)
        # The library's metric may leave the order of the rows open, and d_in may be more than a row.
        is_apart = any(rows_apart(shown(one), shown(other)) for one, other in pairs)
        if is_apart or d_in not in (1, 2) or (d_in == 2 and _BY_ROWS[metric] == "substitution"):
            relation = "unchecked: datasets whose %s is at most %s" % (metric, d_in)
    else:
        if metric == "DiscreteDistance" and d_in is None:
            d_in = 1
        if metric == "DiscreteDistance" and d_prime is None and isinstance(d, bool):
            d_prime = not d
        if d_prime is None or d_in is None:
            raise ValueError("give d_prime and d_in: check cannot compute a distance of opendp's %s" % metric)
        pairs = [(d, d_prime)]
        relation = "unchecked: values whose %s is at most %s" % (metric, d_in)
    claim = _opendp_claim(measurement, _as_distance(measurement, d_in), delta)

    def release(dataset: Any) -> Any:
        return measurement(dataset[0] if is_scalar else dataset)

    return _Prepared(_Release("opendp.Measurement", release, _same), pairs, relation, claim)


def _word(described: Any) -> str:
    """The first word of what opendp says of a metric or a measure."""
    found = re.match(r"\w+", str(described))
    return found.group() if found else str(described)


def _whole(value: Any) -> int:
    if value != int(value):
        raise ValueError("the measurement takes whole numbers, and this is %r" % (value,))
    return int(value)


def _numbers(values: Any, kind: Callable[[Any], Any]) -> List[Any]:
    values = values.tolist() if hasattr(values, "tolist") else list(values)
    if not values or not all(isinstance(value, numbers.Real) for value in values):
        raise ValueError("the measurement takes numbers, and this is %r" % (values,))
    return [kind(value) for value in values]


def _norm(norm: str, first: List[Any], second: List[Any]) -> Any:
    apart = [abs(x - y) for x, y in zip(first, second)]
    if norm == "linf":
        return max(apart)
    if norm == "l1":
        return sum(apart) if all(isinstance(value, int) for value in apart) else math.fsum(apart)
    return math.hypot(*apart)


def _rows_apart(metric: str, d: Any, d_prime: Any) -> Optional[int]:
    """The distance of two datasets in rows; None if it cannot be computed."""
    first, second = rows_of(shown(d).value), rows_of(shown(d_prime).value)
    if first is None or second is None:
        return None
    if metric == "HammingDistance":
        changed = sum(x != y for x, y in zip(first, second))
        return changed if len(first) == len(second) else None
    one, other = Counter(first), Counter(second)
    gone, new = sum((one - other).values()), sum((other - one).values())
    if metric == "ChangeOneDistance":
        return gone if gone == new else None
    if metric == "InsertDeleteDistance":
        fewer, more = sorted((first, second), key=len)
        rest = iter(more)
        return len(more) - len(fewer) if all(row in rest for row in fewer) else None
    return gone + new


def _within(distance: Any, d_in: Any) -> Any:
    """The distance at which the map is asked."""
    if d_in is None:
        if distance is None:
            raise ValueError("give d_in: the distance of these datasets cannot be computed")
        if distance == 0:
            raise ValueError("the datasets are equal in the measurement's metric")
        return distance
    if distance is not None and distance > d_in * (1 + 1e-12):
        raise ValueError("the datasets are %s apart, and d_in is %s" % (distance, d_in))
    return d_in


def _as_distance(measurement: Any, d_in: Any) -> Any:
    kind = str(measurement.input_distance_type)
    if re.fullmatch(r"f\d+", kind):
        return float(d_in)
    return math.ceil(d_in) if re.fullmatch(r"[iu]\w+", kind) else d_in


def _opendp_claim(measurement: Any, d_in: Any, delta: Optional[float]) -> Dict[str, Any]:
    measure = str(measurement.output_measure)
    if delta is not None and not measure.startswith("SmoothedMaxDivergence"):
        raise TypeError("delta is for measurements whose map gives a privacy profile, and this one has %s" % measure)
    said = measurement.map(d_in)
    if measure.startswith("MaxDivergence"):
        return {"epsilon": float(said)}
    if measure.startswith("ZeroConcentratedDivergence"):
        return {"rho": float(said)}
    if measure.startswith(("Approximate(MaxDivergence", "FixedSmoothedMaxDivergence")):
        return {"epsilon": float(said[0]), "delta": float(said[1])}
    if measure.startswith("SmoothedMaxDivergence"):
        delta = 1e-6 if delta is None else delta
        return {"epsilon": float(said.epsilon(delta)), "delta": delta}
    if measure.startswith("RenyiDivergence"):
        return {"renyi": [{"order": order, "epsilon": float(said(order))} for order in _ORDERS]}
    raise ValueError("check does not know opendp's measure %s" % measure)


# diffprivlib


def _mechanism(mechanism: Any, d: Any, d_prime: Any) -> _Prepared:
    name = "diffprivlib.mechanisms." + type(mechanism).__name__
    parameters = list(inspect.signature(mechanism.randomise).parameters.values())
    if not parameters or parameters[0].default is not inspect.Parameter.empty:
        raise ValueError(
            "%s.randomise takes no value: give audit a function that makes the mechanism from a dataset" % name
        )
    claim = {"epsilon": float(mechanism.epsilon), "delta": float(getattr(mechanism, "delta", 0.0))}
    sensitivity = getattr(mechanism, "sensitivity", None)
    are_numbers = isinstance(d, numbers.Real) and (d_prime is None or isinstance(d_prime, numbers.Real))
    if sensitivity is None or not are_numbers:
        if d_prime is None:
            raise ValueError("give d_prime: %s says of no value how far its neighbors are" % name)
        release = _Release(name, mechanism.randomise, _same)
        return _Prepared(release, [(d, d_prime)], "unchecked: two values of the mechanism", claim)
    if d_prime is None:
        d_prime = d + sensitivity
    if abs(d - d_prime) > sensitivity * (1 + 1e-12):
        raise ValueError("d and d' are %s apart, and the sensitivity is %s" % (abs(d - d_prime), sensitivity))
    # In lists, for the relation to be checked.
    release = _Release(name, lambda dataset: mechanism.randomise(dataset[0]), _same)
    return _Prepared(release, [([d], [d_prime])], {"l1": float(sensitivity)}, claim)


def _model(model: Any, d: Any, d_prime: Any, has_outcome: bool) -> _Prepared:
    import numpy
    from sklearn.base import clone

    if getattr(model, "random_state", None) is not None:
        raise ValueError("the model's random_state gives all fits the same noise: leave it out")
    pairs = neighbors(d, "substitution") if d_prime is None else [(d, d_prime)]
    has_labels = isinstance(d, tuple)

    def rows(dataset: Any) -> List[List[Any]]:
        if has_labels:
            x, y = (numpy.asarray(part) for part in dataset)
            return [list(features) + [label] for features, label in zip(x.tolist(), y.tolist())]
        return list(numpy.asarray(dataset).tolist())

    def fit(dataset: List[List[Any]]) -> Any:
        fresh = clone(model)
        if not has_labels:
            return fresh.fit(numpy.array(dataset))
        return fresh.fit(numpy.array([row[:-1] for row in dataset]), numpy.array([row[-1] for row in dataset]))

    def quietly(dataset: List[List[Any]]) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return fit(dataset)

    in_rows = [(rows(one), rows(other)) for one, other in pairs]
    # Shows what the library warns of, and what is wrong with the data, once.
    fitted = fit(in_rows[0][0])
    seen = [name for name in _FITTED if hasattr(fitted, name)]
    if not seen and not has_outcome:
        raise ValueError("give outcome, a function of the fitted model: check does not know what this model releases")

    def coefficients(fresh: Any) -> List[float]:
        return [float(value) for name in seen for value in numpy.ravel(getattr(fresh, name))]

    name = "diffprivlib.models." + type(model).__name__
    release = _Release(name, quietly, coefficients)
    return _Prepared(release, in_rows, None, {"epsilon": float(model.epsilon)})
