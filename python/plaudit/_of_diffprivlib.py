"""Mechanisms, tools and models of diffprivlib, under the epsilon and delta that they were given."""

from __future__ import annotations

import functools
import inspect
import numbers
import warnings
from typing import Any, Callable, List

from ._events import is_of
from ._neighbors import neighbors
from ._prepared import Prepared, Release, same

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


def is_diffprivlib(measurement: Any) -> bool:
    return _is_mechanism(measurement) or _is_model(measurement) or _is_tool(measurement)


def _is_mechanism(measurement: Any) -> bool:
    return callable(getattr(measurement, "randomise", None)) and is_of(measurement, "diffprivlib.mechanisms")


def _is_model(measurement: Any) -> bool:
    return callable(getattr(measurement, "fit", None)) and is_of(measurement, "diffprivlib.models")


def _is_tool(measurement: Any) -> bool:
    function = measurement.func if isinstance(measurement, functools.partial) else measurement
    return inspect.isfunction(function) and function.__module__.startswith("diffprivlib.tools")


def prepare(measurement: Any, d: Any, d_prime: Any, has_outcome: bool) -> Prepared:
    if _is_mechanism(measurement):
        return _mechanism(measurement, d, d_prime)
    if _is_tool(measurement):
        return _tool(measurement, d, d_prime)
    return _model(measurement, d, d_prime, has_outcome)


def _tool(tool: Callable[..., Any], d: Any, d_prime: Any) -> Prepared:
    """A function of the data, such as `functools.partial(mean, epsilon=1.0, bounds=(0, 1))`."""
    function, given = (tool.func, tool.keywords) if isinstance(tool, functools.partial) else (tool, {})
    if given.get("random_state") is not None:
        raise ValueError("the tool's random_state gives all runs the same noise: leave it out")
    epsilon = given.get("epsilon", inspect.signature(function).parameters["epsilon"].default)
    # Noise for one count fits a row more or less. The other tools keep the number of rows public.
    relation = "add-remove" if function.__name__.startswith("histogram") else "substitution"
    pairs = neighbors(d, relation) if d_prime is None else [(d, d_prime)]

    def quietly(dataset: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return tool(dataset)

    # Shows what the library warns of, once.
    tool(pairs[0][0])
    name = "diffprivlib.tools." + function.__name__
    return Prepared(Release(name, quietly, _numbers_of), pairs, None, {"epsilon": float(epsilon)})


def _numbers_of(release: Any) -> Any:
    """A number, or all numbers of an array; of a histogram its counts."""
    first = release[0] if isinstance(release, tuple) else release
    return first.ravel().tolist() if getattr(first, "ndim", 0) > 0 else first


def _mechanism(mechanism: Any, d: Any, d_prime: Any) -> Prepared:
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
        release = Release(name, mechanism.randomise, same)
        return Prepared(release, [(d, d_prime)], "unchecked: two values of the mechanism", claim)
    if d_prime is None:
        d_prime = d + sensitivity
    if abs(d - d_prime) > sensitivity * (1 + 1e-12):
        raise ValueError("d and d' are %s apart, and the sensitivity is %s" % (abs(d - d_prime), sensitivity))
    # In lists, for the relation to be checked.
    release = Release(name, lambda dataset: mechanism.randomise(dataset[0]), same)
    return Prepared(release, [([d], [d_prime])], {"l1": float(sensitivity)}, claim)


def _model(model: Any, d: Any, d_prime: Any, has_outcome: bool) -> Prepared:
    import numpy
    from sklearn.base import clone

    if getattr(model, "random_state", None) is not None:
        raise ValueError("the model's random_state gives all fits the same noise: leave it out")
    has_labels = isinstance(d, tuple)
    if has_labels:
        d = tuple(numpy.asarray(part) for part in d)
    pairs = neighbors(d, "substitution") if d_prime is None else [(d, d_prime)]

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
    release = Release(name, quietly, coefficients)
    return Prepared(release, in_rows, None, {"epsilon": float(model.epsilon)})
