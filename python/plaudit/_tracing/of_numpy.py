"""The generators of numpy."""

from __future__ import annotations

import functools
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy

from . import draws, source
from .arrays import array_of, bared
from .patches import Undo, _lost, _replace, _set, noted
from .scalars import Tracked, derived, is_number, recorder

_LAWS: Dict[str, Tuple[Tuple[str, ...], Dict[str, Any]]] = {
    # Names of the parameters in order, and defaults; the first of a law in `_SHIFTED` is what noise is added to.
    "laplace": (("loc", "scale", "size"), {"loc": 0.0, "scale": 1.0}),
    "normal": (("loc", "scale", "size"), {"loc": 0.0, "scale": 1.0}),
    "logistic": (("loc", "scale", "size"), {"loc": 0.0, "scale": 1.0}),
    "gumbel": (("loc", "scale", "size"), {"loc": 0.0, "scale": 1.0}),
    "multivariate_normal": (("mean", "cov", "size"), {}),
    "uniform": (("low", "high", "size"), {"low": 0.0, "high": 1.0}),
    "exponential": (("scale", "size"), {"scale": 1.0}),
    "gamma": (("shape", "scale", "size"), {"scale": 1.0}),
    "geometric": (("p", "size"), {}),
    "poisson": (("lam", "size"), {"lam": 1.0}),
    "binomial": (("n", "p", "size"), {}),
    "multinomial": (("n", "pvals", "size"), {}),
    "negative_binomial": (("n", "p", "size"), {}),
    "logseries": (("p", "size"), {}),
    "beta": (("a", "b", "size"), {}),
    "chisquare": (("df", "size"), {}),
    "dirichlet": (("alpha", "size"), {}),
    "lognormal": (("mean", "sigma", "size"), {}),
    "pareto": (("a", "size"), {}),
    "rayleigh": (("scale", "size"), {}),
    "standard_t": (("df", "size"), {}),
    "triangular": (("left", "mode", "right", "size"), {}),
    "vonmises": (("mu", "kappa", "size"), {}),
    "weibull": (("a", "size"), {}),
    "standard_normal": (("size",), {}),
    "standard_exponential": (("size",), {}),
    "standard_cauchy": (("size",), {}),
    "standard_gamma": (("shape", "size"), {}),
    "random": (("size",), {}),
    "integers": (("low", "high", "size"), {"high": None}),
    "bytes": (("length",), {}),
    # Of the old generators.
    "rand": ((), {}),
    "randn": ((), {}),
    "random_sample": (("size",), {}),
    "randint": (("low", "high", "size"), {"high": None}),
}
_SHIFTED = ("laplace", "normal", "logistic", "gumbel", "multivariate_normal")
_NO_PARAMETERS = ("size", "dtype", "out", "endpoint", "method", "check_valid", "tol")


def _call(name: str, original: Any, again_of: Callable[[], Any], arguments: Any, named: Any) -> Any:
    """A draw by a method or function of numpy."""
    arguments, named = bared(arguments), bared(named)
    if named.get("out") is not None:
        return original(*arguments, **named)
    names, defaults = _LAWS[name]
    given = draws.split(names, defaults, arguments, named)
    other = dict(given)
    shift: Any = None
    if name in _SHIFTED:
        shift = given.pop(names[0])
        other[names[0]] = numpy.zeros(numpy.shape(shift)) if name == "multivariate_normal" else 0.0
        if not is_number(shift):
            shift = numpy.asarray(shift, dtype=float)
            if name != "multivariate_normal" and other.get("size") is None:
                other["size"] = numpy.broadcast_shapes(numpy.shape(shift), numpy.shape(other["scale"]))
    parameters = {key: value for key, value in given.items() if key not in _NO_PARAMETERS and value is not None}

    def again() -> Any:
        if not names:
            return again_of()(*arguments)
        return again_of()(**{key: value for key, value in other.items() if value is not None or key != "high"})

    return draws.drawn(name, lambda: original(*arguments, **named), again, shift=shift, parameters=parameters)


def _method(owner: Any, name: str) -> Any:
    original = getattr(owner, name)

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        if recorder() is None:
            return original(self, *bared(arguments), **bared(named))
        return _call(
            name,
            lambda *a, **k: original(self, *a, **k),
            lambda: getattr(_private(owner), name),
            arguments,
            named,
        )

    method.__name__ = name
    return method


def _private(owner: Any) -> Any:
    if issubclass(owner, numpy.random.RandomState):
        if "old" not in draws._PRIVATE:
            draws._PRIVATE["old"] = _OLD(11)
        return draws._PRIVATE["old"]
    return draws.private_numpy()


def _choice(original: Callable[..., Any], again_of: Callable[[], Any], arguments: Any, named: Any) -> Any:
    """A choice: the draw is of numbers, with which items are taken."""
    given = draws.split(("a", "size", "replace", "p"), {}, bared(arguments), bared(named))
    items = given.pop("a")
    if given.get("axis"):
        return original(items, **given)
    count = int(items) if numpy.ndim(items) == 0 else len(items)
    parameters = {} if given.get("p") is None else {"p": numpy.asarray(given["p"], dtype=float).copy()}
    if numpy.ndim(items) != 0 and not parameters:
        parameters["items"] = count
    index = draws.drawn(
        "choice",
        lambda: original(count, **given),
        lambda: again_of()(count, **given),
        parameters=parameters,
    )
    if numpy.ndim(items) == 0:
        return index
    items = numpy.asarray(items)
    if numpy.ndim(bared(index)) == 0:
        return draws.picked(index, items)
    if items.dtype.kind not in "bifu" or not isinstance(index, Tracked):
        return items[bared(index)]
    return derived("choice", lambda i: items[i], (index,))


def _choices(owner: Any) -> Any:
    original = owner.choice

    def choice(self: Any, *arguments: Any, **named: Any) -> Any:
        if recorder() is None:
            return original(self, *bared(arguments), **bared(named))
        return _choice(lambda *a, **k: original(self, *a, **k), lambda: _private(owner).choice, arguments, named)

    return choice


def _unfollowed(owner: Any, name: str) -> Any:
    original = getattr(owner, name)

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        run = recorder()
        if run is None:
            return original(self, *bared(arguments), **bared(named))
        _lost(run, name)
        return run.unseen(lambda: original(self, *bared(arguments), **bared(named)))

    method.__name__ = name
    return method


def _recording(owner: Any) -> Any:
    """The subclass of a generator that records its draws."""
    methods = {name: _method(owner, name) for name in _LAWS if hasattr(owner, name)}
    methods["choice"] = _choices(owner)
    for name in ("shuffle", "permutation", "permuted", "multivariate_hypergeometric", "hypergeometric", "tomaxint"):
        if hasattr(owner, name):
            methods[name] = _unfollowed(owner, name)
    return type(owner.__name__, (owner,), methods)


Generator: Any = _recording(numpy.random.Generator)


class _AnyState(type):
    """Generators that were made before count as well."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _OLD)


_OLD: Any = numpy.random.RandomState
_state_methods = dict(vars(_recording(_OLD)))
RandomState: Any = _AnyState(
    "RandomState", (_OLD,), {key: value for key, value in _state_methods.items() if not key.startswith("__")}
)


def recording(generator: Any) -> Any:
    """A generator with the same stream that records, or what is no generator."""
    if type(generator) is numpy.random.Generator:
        return Generator(generator.bit_generator)
    return generator


def _default_rng(original: Any) -> Any:
    def default_rng(seed: Any = None) -> Any:
        run = recorder()
        if run is None:
            return original(seed)
        if isinstance(seed, numpy.random.Generator):
            return recording(seed)
        if not isinstance(seed, (numpy.random.BitGenerator, numpy.random.SeedSequence)):
            noted(run, "default_rng", seed)
        return Generator(original(bared(seed)).bit_generator)

    return default_rng


def _made_state(original: Any) -> Any:
    class State(original):  # type: ignore[misc]
        def __init__(self, seed: Any = None) -> None:
            run = recorder()
            if run is not None and not isinstance(seed, numpy.random.BitGenerator):
                noted(run, "RandomState", seed)
            super().__init__(bared(seed))

    State.__name__ = State.__qualname__ = "RandomState"
    return State


_state_class = _made_state(RandomState)


def put(undo: Undo, replaced: Dict[int, Any], function: Any) -> None:
    """Puts the recording generators and functions in place."""
    module = numpy.random
    instance = module.mtrand._rand
    for name in _LAWS:
        original = getattr(module, name, None)
        if original is not None and getattr(original, "__self__", None) is instance:
            _replace(undo, replaced, module, name, _module_function(name, original))
    original = module.choice
    _replace(undo, replaced, module, "choice", _module_choice(original))
    for name in ("shuffle", "permutation"):
        _replace(undo, replaced, module, name, _module_unfollowed(name, getattr(module, name)))
    seed = module.seed
    _replace(undo, replaced, module, "seed", _module_seed(seed))
    _replace(undo, replaced, module, "default_rng", _default_rng(module.default_rng))
    _replace(undo, replaced, module, "RandomState", _state_class)
    for name in ("array", "asarray", "asanyarray"):
        # numpy's own modules keep theirs.
        _set(undo, numpy, name, array_of(getattr(numpy, name)))
    for owner, key, generator in _held(function):
        new = recording(generator)
        if new is not generator:
            replaced[id(generator)] = (generator, new)
            if owner is not None:
                owner[key] = new
                undo.append(functools.partial(owner.__setitem__, key, generator))


def _held(function: Any) -> List[Tuple[Optional[Dict[str, Any]], str, Any]]:
    """Generators that a function, its modules and their objects hold."""
    found: List[Tuple[Optional[Dict[str, Any]], str, Any]] = []

    def of(names: Dict[str, Any], depth: int) -> None:
        for key, value in list(names.items()):
            if type(value) is numpy.random.Generator:
                found.append((names, key, value))
            elif depth and isinstance(getattr(value, "__dict__", None), dict) and not isinstance(value, type):
                if type(value).__module__.split(".")[0] not in ("numpy", "builtins", "plaudit"):
                    of(vars(value), depth - 1)

    for one in source.functions_in(function):
        of({key: value for key, value in one.__globals__.items() if not hasattr(value, "__path__")}, 1)
        for cell in one.__closure__ or ():
            try:
                of({"cell": cell.cell_contents}, 1)
            except ValueError:
                continue
    own = getattr(function, "__self__", function)
    if isinstance(getattr(own, "__dict__", None), dict) and not isinstance(own, type):
        of(vars(own), 1)
    return found


def _module_function(name: str, original: Any) -> Any:
    def call(*arguments: Any, **named: Any) -> Any:
        if recorder() is None:
            return original(*bared(arguments), **bared(named))
        return _call(name, original, lambda: getattr(_private(_OLD), name), arguments, named)

    call.__name__ = name
    return call


def _module_choice(original: Any) -> Any:
    def choice(*arguments: Any, **named: Any) -> Any:
        if recorder() is None:
            return original(*bared(arguments), **bared(named))
        return _choice(original, lambda: _private(_OLD).choice, arguments, named)

    return choice


def _module_unfollowed(name: str, original: Any) -> Any:
    def call(*arguments: Any, **named: Any) -> Any:
        run = recorder()
        if run is not None:
            _lost(run, name)
        return original(*bared(arguments), **bared(named))

    call.__name__ = name
    return call


def _module_seed(original: Any) -> Any:
    def seed(value: Any = None) -> Any:
        run = recorder()
        if run is not None:
            noted(run, "numpy.random.seed", value)
        return original(bared(value))

    return seed
