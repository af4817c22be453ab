"""Measurements and queries of opendp, under the claim of their own map."""

from __future__ import annotations

import math
import numbers
import re
from collections import Counter
from typing import Any, Callable, Dict, List, Optional

from ._dataset import rows_apart, rows_of, shown
from ._events import is_of
from ._neighbors import neighbors
from ._prepared import Pair, Prepared, Release

_ORDERS = (2.0, 4.0, 8.0, 16.0)
_NORMS = {"AbsoluteDistance": "l1", "L1Distance": "l1", "L2Distance": "l2", "LInfDistance": "linf"}
_BY_ROWS = {
    "SymmetricDistance": "add-remove",
    "InsertDeleteDistance": "add-remove",
    "ChangeOneDistance": "substitution",
    "HammingDistance": "substitution",
}




def is_opendp(measurement: Any) -> bool:
    return is_of(measurement, "opendp.mod", "Measurement") or _is_query(measurement)


def _is_query(measurement: Any) -> bool:
    return is_of(measurement, "opendp.context", "Query") or is_of(measurement, "opendp.extras.polars", "LazyFrameQuery")


def prepare(measurement: Any, d: Any, d_prime: Any, d_in: Any, delta: Optional[float]) -> Prepared:
    """A measurement, or a query of a context: the measurement that it stands for, on other data than the context's."""
    if _is_query(measurement):
        # A frame's query turns names into columns.
        inner = measurement
        if is_of(measurement, "opendp.extras.polars", "LazyFrameQuery"):
            inner = object.__getattribute__(measurement, "_query")
        d_in = inner._d_in if d_in is None else d_in
        measurement = measurement.resolve()
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

    return Prepared(Release("opendp.Measurement", release, _visible), pairs, relation, claim)


def _visible(release: Any) -> Any:
    """A release as an outcome: a frame as its number, or as its rows in an order of their own."""
    if not is_of(release, "opendp.extras.polars", "OnceFrame"):
        return release
    frame = release.collect()
    if frame.shape == (1, 1):
        return frame.item()
    keys = [name for name in frame.columns if not frame[name].dtype.is_numeric()]
    values = [name for name in frame.columns if name not in keys]
    if not keys:
        return [value for row in sorted(frame.rows(), key=repr) for value in row]
    cells = frame.rows(named=True)
    return {"/".join([str(row[key]) for key in keys] + [name]): row[name] for row in cells for name in values}


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
