"""The primitives that are recorded: put in place for one run, and taken away after it, in any case."""

from __future__ import annotations

import builtins
import functools
import math
import random
import secrets
import sys
import types
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import draws, source
from .record import STATE, Recorder, site
from .scalars import Tracked, derived, plain, recorder

Undo = List[Callable[[], Any]]


def _set(undo: Undo, owner: Any, name: str, value: Any) -> None:
    """Sets an attribute until the end of the run."""
    own = vars(owner)
    if name in own:
        old = own[name]
        undo.append(lambda: setattr(owner, name, old))
    else:
        undo.append(lambda: delattr(owner, name))
    setattr(owner, name, value)


class Patched:
    """A context in which a recorder sees the draws of all primitives."""

    def __init__(self, run: Recorder, function: Any, primitives: Dict[int, Any]) -> None:
        self._run, self._function, self._primitives = run, function, primitives
        self._undo: Undo = []

    def __enter__(self) -> Recorder:
        try:
            self._put()
        except BaseException:
            self._take()
            raise
        STATE.recorder = self._run
        return self._run

    def __exit__(self, *_: Any) -> None:
        STATE.recorder = None
        self._take()

    def _take(self) -> None:
        while self._undo:
            self._undo.pop()()

    def _put(self) -> None:
        undo = self._undo
        replaced: Dict[int, Any] = {}
        for name in dir(math):
            if callable(getattr(math, name)) and not name.startswith("_"):
                _replace(undo, replaced, math, name, _followed(name, getattr(math, name)))
        _put_random(undo, replaced)
        if "numpy" in sys.modules:
            from . import of_numpy

            of_numpy.put(undo, replaced, self._function)
        if "scipy.stats" in sys.modules:
            from . import of_libraries

            of_libraries.put_scipy(undo)
        for library in ("diffprivlib", "opendp", "pydp", "torch", "jax"):
            if library in sys.modules:
                from . import of_libraries

                getattr(of_libraries, "put_" + library)(undo, replaced)
        from . import of_users

        for original, wrapper in of_users.wrappers(self._primitives):
            replaced[id(original)] = (original, wrapper)
        _in_all_modules(undo, replaced)
        _in_function(undo, replaced, self._function)
        source.put(undo, self._function)
        _set(undo, builtins, "__import__", _importing(builtins.__import__))


def _importing(original: Any) -> Any:
    """An import: a module that is loaded now draws for itself."""

    def load(*arguments: Any, **named: Any) -> Any:
        run = STATE.recorder
        if run is None:
            return original(*arguments, **named)
        return run.unseen(lambda: original(*arguments, **named))

    return load


LIBRARIES = ("numpy", "scipy.stats", "diffprivlib", "opendp", "pydp", "torch", "jax")


def loaded() -> int:
    """How many libraries with primitives are imported."""
    return sum(name in sys.modules for name in LIBRARIES)


def _replace(undo: Undo, replaced: Dict[int, Any], owner: Any, name: str, wrapper: Any) -> None:
    """Replaces a function of a module, there and wherever it was imported to."""
    original = getattr(owner, name)
    replaced[id(original)] = (original, wrapper)
    _set(undo, owner, name, wrapper)


_PLAIN = frozenset((int, float, bool))


def _followed(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `math` that keeps the history of its numbers."""

    def call(*arguments: Any, **named: Any) -> Any:
        for one in arguments:
            if type(one) not in _PLAIN and isinstance(one, Tracked) and recorder() is not None:
                return derived(name, function, arguments)
        return function(*arguments, **named)

    call.__name__ = name
    return call


_found: Dict[int, List[Tuple[Dict[str, Any], str]]] = {}


def _in_all_modules(undo: Undo, replaced: Dict[int, Any]) -> None:
    """Replaces what modules imported by name. Where libraries have it is looked up once, as long as none is loaded."""
    known = _found.get(len(sys.modules))
    places: List[Tuple[Dict[str, Any], str]] = []
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in _LEFT or not isinstance(module, types.ModuleType):
            continue
        installed = not source.is_users(getattr(module, "__file__", None))
        if known is not None and installed:
            continue
        before = len(undo)
        _in_names(undo, replaced, vars(module))
        if installed:
            places += [(vars(module), undo[i].args[0]) for i in range(before, len(undo))]  # type: ignore[attr-defined]
    if known is None:
        _found.clear()
        _found[len(sys.modules)] = places
        return
    for names, key in known:
        _in_names(undo, replaced, {key: names[key]} if key in names else {}, names)


_LEFT = ("numpy", "scipy", "random", "secrets", "math", "torch", "jax", "jaxlib", "statistics", "plaudit", "tempfile")


def _replacement(replaced: Dict[int, Any], value: Any) -> Any:
    """What stands for a function now, also for one that is bound to its object; None for anything else."""
    if type(value) is types.MethodType:
        found = replaced.get(id(value.__func__))
        return types.MethodType(found[1], value.__self__) if found is not None else None
    if str(type(value).__module__).startswith("numba.") and hasattr(value, "py_func"):
        return value.py_func  # Compiled code draws where nothing is seen.
    found = replaced.get(id(value))
    return found[1] if found is not None and found[0] is value else None


def _in_names(
    undo: Undo, replaced: Dict[int, Any], names: Dict[str, Any], into: Optional[Dict[str, Any]] = None
) -> None:
    target = names if into is None else into
    for key, value in list(names.items()):
        found = _replacement(replaced, value)
        if found is not None:
            target[key] = found
            undo.append(functools.partial(target.__setitem__, key, value))


def _in_function(undo: Undo, replaced: Dict[int, Any], function: Any) -> None:
    """Replaces what the function holds: names around it, and in its closure."""
    for one in source.functions_in(function):
        _in_names(undo, replaced, one.__globals__)
        for cell in one.__closure__ or ():
            try:
                value = cell.cell_contents
            except ValueError:
                continue
            found = _replacement(replaced, value)
            if found is not None:
                cell.cell_contents = found
                undo.append(functools.partial(setattr, cell, "cell_contents", value))


_RANDOM: Dict[str, Tuple[Tuple[str, ...], Dict[str, Any]]] = {
    "random": ((), {}),
    "uniform": (("a", "b"), {}),
    "gauss": (("mu", "sigma"), {"mu": 0.0, "sigma": 1.0}),
    "normalvariate": (("mu", "sigma"), {"mu": 0.0, "sigma": 1.0}),
    "expovariate": (("lambd",), {"lambd": 1.0}),
    "lognormvariate": (("mu", "sigma"), {}),
    "betavariate": (("alpha", "beta"), {}),
    "gammavariate": (("alpha", "beta"), {}),
    "triangular": (("low", "high", "mode"), {}),
    "paretovariate": (("alpha",), {}),
    "weibullvariate": (("alpha", "beta"), {}),
    "vonmisesvariate": (("mu", "kappa"), {}),
    "randrange": (("start", "stop", "step"), {}),
    "randint": (("a", "b"), {}),
    "getrandbits": (("k",), {}),
    "randbytes": (("n",), {}),
    "binomialvariate": (("n", "p"), {}),
}
_MEAN = {"gauss": "mu", "normalvariate": "mu"}


def _put_random(undo: Undo, replaced: Dict[int, Any]) -> None:
    for owner in (random.Random, random.SystemRandom):
        for name, (names, defaults) in _RANDOM.items():
            if name in vars(owner) or (owner is random.Random and hasattr(owner, name)):
                _set(undo, owner, name, _random_method(getattr(owner, name), name, names, defaults))
        for name in ("choice", "choices", "sample", "shuffle"):
            if name in vars(owner):
                _set(undo, owner, name, _of_items(name, getattr(owner, name)))
    instance: Any = vars(random)["_inst"]
    for name in [*_RANDOM, "choice", "choices", "sample", "shuffle"]:
        if hasattr(random, name):
            _replace(undo, replaced, random, name, getattr(instance, name))
    _replace(undo, replaced, random, "seed", _seeded("random.seed", random.seed))
    for name in ("randbelow", "randbits", "token_bytes"):
        _replace(undo, replaced, secrets, name, _of_secrets(name, getattr(secrets, name)))
    _replace(undo, replaced, secrets, "choice", secrets._sysrand.choice)  # type: ignore[attr-defined]
    _set(undo, random.Random, "seed", _seeded("random.Random", random.Random.seed))


def _random_method(original: Any, name: str, names: Tuple[str, ...], defaults: Dict[str, Any]) -> Any:
    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        if recorder() is None:
            return original(self, *arguments, **named)
        arguments = tuple(plain(one) for one in arguments)
        named = {key: plain(one) for key, one in named.items()}
        given = draws.split(names, defaults, arguments, named)
        shift = given.pop(_MEAN[name], 0.0) if name in _MEAN else None
        other = {**given, _MEAN[name]: 0.0} if name in _MEAN else given

        def again() -> Any:
            if name in ("randrange", "getrandbits", "randbytes"):
                return original(draws.PRIVATE, *arguments, **named)
            return original(draws.PRIVATE, **other) if other else original(draws.PRIVATE)

        return draws.drawn(name, lambda: original(self, *arguments, **named), again, shift=shift, parameters=given)

    method.__name__ = name
    return method


def _of_secrets(name: str, original: Any) -> Any:
    def call(*arguments: Any) -> Any:
        if recorder() is None:
            return original(*arguments)
        arguments = tuple(plain(one) for one in arguments)
        return draws.drawn(
            name, lambda: original(*arguments), lambda: original(*arguments), parameters={"n": arguments[:1]}
        )

    call.__name__ = name
    return call


def _of_items(name: str, original: Any) -> Any:
    """A choice among items: the draw is of their numbers."""

    def method(self: Any, items: Any, *arguments: Any, **named: Any) -> Any:
        run = recorder()
        if run is None:
            return original(self, items, *arguments, **named)
        if name == "shuffle":
            order = list(range(len(items)))
            run.unseen(lambda: original(self, order, *arguments, **named))
            items[:] = [items[i] for i in order]
            _lost(run, name)
            return None
        numbers = range(len(items))
        index = draws.drawn(
            name,
            lambda: original(self, numbers, *arguments, **named),
            lambda: original(draws.PRIVATE, numbers, *arguments, **named),
            parameters={"items": len(items)} if name == "choice" else {},
        )
        if name == "choice":
            return draws.picked(index, items)
        return [items[i] for i in index]

    method.__name__ = name
    return method


def _lost(run: Recorder, name: str) -> None:
    """A draw whose effect is not followed."""
    here = site()
    number = run.matched(run.id("draw", name, here.file, here.line))
    from .record import Variable

    run.draws[number] = Variable(number, name, here, None, lambda memo: None)


def _seeded(name: str, original: Any) -> Any:
    """A generator that is seeded: with a number that is the same in each run, the noise is known."""

    def call(*arguments: Any, **named: Any) -> Any:
        run = recorder()
        if run is not None:
            values = [one for one in (*arguments, *named.values()) if not isinstance(one, random.Random)]
            noted(run, name, values[0] if values else None)
        return original(*(plain(one) for one in arguments), **named)

    call.__name__ = name.split(".")[-1]
    return call


def noted(run: Recorder, name: str, seed: Any) -> None:
    """Keeps a seed: of those that come again in a run with other noise, the noise is known."""
    if seed is not None and not isinstance(seed, Tracked):
        run.seeds.append((site(), name, seed))
