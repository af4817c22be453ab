"""The samplers of scipy, diffprivlib, opendp, torch and jax."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any, Callable, Dict, Iterator, List, Optional

from . import draws
from .arrays import bared
from .of_users import Utilities, called
from .patches import Undo, _replace, _set
from .record import site
from .scalars import recorder


def put_scipy(undo: Undo) -> None:
    """`rvs` of distributions, whether frozen or not."""
    import scipy.stats._distn_infrastructure as laws

    def wrapped(original: Any) -> Any:
        def rvs(self: Any, *arguments: Any, **named: Any) -> Any:
            if recorder() is None:
                return original(self, *bared(arguments), **bared(named))
            arguments, named = bared(arguments), bared(named)
            frozen = getattr(self, "dist", self)
            inner = (*getattr(self, "args", ()), *arguments)
            given = {**getattr(self, "kwds", {}), **named}
            shapes = [one for one in (frozen.shapes or "").split(", ") if one]
            given = draws.split((*shapes, "loc", "scale"), {"loc": 0.0, "scale": 1.0}, inner, given)
            shift = given.pop("loc")
            parameters = {key: one for key, one in given.items() if key not in ("size", "random_state")}
            other = {key: one for key, one in given.items() if key != "random_state"}

            def again() -> Any:
                return original(frozen, **other, random_state=draws.private_numpy())

            return draws.drawn(
                {"norm": "normal"}.get(frozen.name, frozen.name),
                lambda: original(self, *arguments, **named),
                again,
                shift=shift,
                parameters=parameters,
            )

        return rvs

    for owner in (laws.rv_generic, laws.rv_discrete, laws.rv_frozen):
        if "rvs" in vars(owner):
            _set(undo, owner, "rvs", wrapped(vars(owner)["rvs"]))


def _subclasses(kind: Any) -> Iterator[Any]:
    yield kind
    for one in kind.__subclasses__():
        yield from _subclasses(one)


def put_diffprivlib(undo: Undo, replaced: Dict[int, Any]) -> None:
    """`randomise` of every mechanism: what it is given, and what it was told."""
    from diffprivlib.mechanisms.base import DPMechanism

    def wrapped(original: Any) -> Any:
        def randomise(self: Any, *arguments: Any, **named: Any) -> Any:
            if recorder() is None:
                return original(self, *bared(arguments), **bared(named))
            arguments, named = bared(arguments), bared(named)
            value: Any = arguments[0] if arguments else next(iter(named.values()), None)
            if getattr(self, "utility", None) is not None:
                value = Utilities(self.utility, bool(getattr(self, "monotonic", False)))
            declared = {
                key: getattr(self, key)
                for key in ("epsilon", "delta", "sensitivity")
                if isinstance(getattr(self, key, None), (int, float))
            }
            return called(type(self).__name__, value, lambda: original(self, *arguments, **named), declared)

        return randomise

    for owner in set(_subclasses(DPMechanism)):
        if "randomise" in vars(owner):
            original = vars(owner)["randomise"]
            wrapper = wrapped(original)
            replaced[id(original)] = (original, wrapper)
            _set(undo, owner, "randomise", wrapper)


class _Map:
    """The privacy map of a measurement: the epsilon of its arguments' distance."""

    def __init__(self, measurement: Any) -> None:
        self._measurement = measurement
        self._metric = str(measurement.input_metric)

    def epsilon(self, one: Any, other: Any) -> Optional[float]:
        """The epsilon that it costs to tell two arguments apart, by the map; None for other measures and metrics."""
        if not str(self._measurement.output_measure).startswith("MaxDivergence"):
            return None
        try:
            distance = _distance(self._metric, one, other)
            return None if distance is None else float(self._measurement.map(distance))
        except Exception:
            return None


def _distance(metric: str, one: Any, other: Any) -> Any:
    if metric.startswith(("AbsoluteDistance", "L1Distance", "L2Distance")):
        pairs = list(zip(one, other)) if isinstance(one, (list, tuple)) else [(one, other)]
        moves = [abs(a - b) for a, b in pairs]
        square = metric.startswith("L2Distance") and len(moves) > 1
        found = sum(move * move for move in moves) ** 0.5 if square else sum(moves)
        return int(found) if all(isinstance(move, int) for move in moves) and found == int(found) else float(found)
    if metric.startswith("SymmetricDistance") and isinstance(one, list) and isinstance(other, list):
        left, right = Counter(map(repr, one)), Counter(map(repr, other))
        return sum(((left - right) + (right - left)).values())
    return None


def put_opendp(undo: Undo, replaced: Dict[int, Any]) -> None:
    """Calls of measurements."""
    from opendp.mod import Measurement

    original = Measurement.__call__

    def call(self: Any, arg: Any) -> Any:
        if recorder() is None:
            return original(self, bared(arg))
        value = bared(arg)
        return called("measurement", value, lambda: original(self, value), {"map": _Map(self)})

    _set(undo, Measurement, "__call__", call)


def put_pydp(undo: Undo, replaced: Dict[int, Any]) -> None:
    """`add_noise` of the mechanisms of PyDP, which pipeline-dp uses."""
    from pydp.algorithms import numerical_mechanisms

    def wrapped(original: Any) -> Any:
        def add_noise(self: Any, value: Any, *more: Any) -> Any:
            if recorder() is None:
                return original(self, bared(value), *more)
            value = bared(value)
            declared = {key: getattr(self, key) for key in ("epsilon", "sensitivity") if hasattr(self, key)}
            return called(type(self).__name__, value, lambda: original(self, value, *more), declared)

        return add_noise

    for name in ("LaplaceMechanism", "GaussianMechanism"):
        owner = getattr(numerical_mechanisms, name, None)
        if owner is not None and hasattr(owner, "add_noise"):
            _set(undo, owner, "add_noise", wrapped(owner.add_noise))


_TORCH = {
    "randn": "normal",
    "rand": "random",
    "randint": "randint",
    "randn_like": "normal",
    "rand_like": "random",
    "normal": "normal",
    "bernoulli": "bernoulli",
    "multinomial": "multinomial",
    "poisson": "poisson",
    "randperm": "randperm",
}
_TENSOR = ("normal_", "uniform_", "exponential_", "bernoulli_", "cauchy_", "geometric_", "log_normal_", "random_")


def put_torch(undo: Undo, replaced: Dict[int, Any]) -> None:
    """The draws of torch: their number, order and parameters; their noise is not followed through tensors."""
    torch = sys.modules["torch"]
    for name, family in _TORCH.items():
        if hasattr(torch, name):
            _replace(undo, replaced, torch, name, _unfollowed(name, family, getattr(torch, name)))
    for name in _TENSOR:
        if hasattr(torch.Tensor, name):
            _set(undo, torch.Tensor, name, _unfollowed(name, name.rstrip("_"), getattr(torch.Tensor, name)))


def put_jax(undo: Undo, replaced: Dict[int, Any]) -> None:
    """The draws of jax, as those of torch."""
    import jax.random

    names = (
        "normal",
        "laplace",
        "uniform",
        "bernoulli",
        "exponential",
        "gumbel",
        "categorical",
        "choice",
        "randint",
        "gamma",
        "poisson",
        "permutation",
        "multivariate_normal",
        "rademacher",
        "geometric",
    )
    for name in names:
        if hasattr(jax.random, name):
            _replace(undo, replaced, jax.random, name, _unfollowed(name, name, getattr(jax.random, name)))


def _unfollowed(name: str, family: str, original: Callable[..., Any]) -> Any:
    """A draw whose place and parameters are seen, and whose noise is not followed."""

    def call(*arguments: Any, **named: Any) -> Any:
        run = recorder()
        if run is None:
            return original(*bared(arguments), **bared(named))
        arguments, named = bared(arguments), bared(named)
        from .record import Variable

        here = site()
        number = run.matched(run.id("draw", family, here.file, here.line))
        variable = Variable(number, family, here, None, lambda memo: None)
        numbers: List[Any] = [one for one in arguments if isinstance(one, (int, float)) and not isinstance(one, bool)]
        names = {key: one for key, one in named.items() if isinstance(one, (int, float)) and key in _SCALES}
        variable.parameters = {"%d" % i: one for i, one in enumerate(numbers)} if name in _SCALED else {}
        variable.parameters.update(names)
        run.draws[number] = variable
        return run.unseen(lambda: original(*arguments, **named))

    call.__name__ = name
    return call


_SCALES = ("std", "scale", "lambd", "p", "sigma")
_SCALED = ("normal", "normal_", "exponential_", "bernoulli_", "geometric_", "cauchy_")
