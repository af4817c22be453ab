"""Arrays that come from draws."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

import numpy

from .record import Sum, Term
from .scalars import Tracked, combined, compared, derived, give, is_release, mixed, plain, recorder, release, tracked

_SUMS = {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "true_divide": "truediv"}
_COMPARISONS = {
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "equal": "eq",
    "not_equal": "ne",
}
_LAYOUT = {"reshape", "ravel", "transpose", "squeeze", "flatten", "swapaxes", "copy", "atleast_1d", "expand_dims"}
"""Functions that move entries, and change none."""


class Array(Tracked, numpy.ndarray):
    """An array that comes from draws."""

    def __array_finalize__(self, parent: Any) -> None:
        # A view that numpy makes by itself has no history: its numbers are those of a release.
        self.use = None
        self.public = False

    @property
    def bare(self) -> Any:
        return self.view(numpy.ndarray)

    @bare.setter
    def bare(self, value: Any) -> None:
        pass

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        return of_ufunc(ufunc, method, inputs, named)

    def __array_function__(self, function: Any, types: Any, arguments: Any, named: Any) -> Any:
        return of_function(function, arguments, named)

    def __getitem__(self, index: Any) -> Any:
        index = bared(index)
        if not hasattr(self, "history"):
            return self.bare[index]
        return _moved(self, lambda array: array[index])

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        return bool(self.reshape(-1)[0]) if self.size == 1 else bool(self.bare)

    def tolist(self) -> Any:
        return [row.tolist() if isinstance(row, Array) else row for row in self] if self.ndim else self[()]

    def item(self, *index: Any) -> Any:
        flat = self.reshape(-1)
        return flat[index[0]] if len(index) == 1 else self[index] if index else flat[0]

    def astype(self, kind: Any, *more: Any, **named: Any) -> Any:  # type: ignore[override]
        if numpy.dtype(kind) == self.dtype:
            return _moved(self, lambda array: array) if hasattr(self, "history") else self
        return _function("astype", lambda array: numpy.asarray(array).astype(kind, *more, **named), (self,))


def made(value: Any) -> Array:
    """The array without history, of the class that remembers one."""
    return numpy.array(value, copy=True).view(Array)


def has_history(value: Any) -> bool:
    return isinstance(value, Tracked) and hasattr(value, "history")


def bared(value: Any) -> Any:
    """The value without history, in lists, tuples and dictionaries too."""
    if isinstance(value, Tracked):
        return plain(value)
    if type(value) in (list, tuple):
        return type(value)(bared(one) for one in value)
    if type(value) is dict:
        return {name: bared(one) for name, one in value.items()}
    return value


def _moved(array: Array, move: Callable[[Any], Any]) -> Any:
    """Entries of an array, moved with their histories."""
    value = move(array.bare)
    shape, size = array.shape, array.size
    terms: List[Term] = []
    for variable, index, coefficient in array.history.terms:
        if index is None and numpy.shape(variable.value) == shape:
            index = numpy.arange(size).reshape(shape)
        elif index is not None and not isinstance(index, int):
            index = numpy.broadcast_to(index, shape)
        if index is not None and not isinstance(index, int):
            index = move(index)
            index = int(index) if numpy.ndim(index) == 0 else index
        if numpy.ndim(coefficient):
            coefficient = move(numpy.broadcast_to(coefficient, shape))
        terms.append(Term(variable, index, coefficient))
    base = array.history.base
    base = move(numpy.broadcast_to(base, shape)) if numpy.ndim(base) or isinstance(base, numpy.ndarray) else base
    return tracked(value, Sum(base, tuple(terms)), array.use, array.public)


def _function(name: str, function: Callable[..., Any], operands: Tuple[Any, ...]) -> Any:
    """A function of arrays from draws."""
    operands = tuple(one if has_history(one) or not isinstance(one, Tracked) else plain(one) for one in operands)
    return derived(name, function, operands)


def of_ufunc(ufunc: Any, method: str, inputs: Tuple[Any, ...], named: Dict[str, Any]) -> Any:
    """A ufunc, at least one of whose operands comes from draws."""
    into = named.pop("out", None)
    inputs = tuple(one if has_history(one) else bared(one) for one in inputs)
    if recorder() is None or not any(has_history(one) for one in inputs):
        found = getattr(ufunc, method)(*bared(inputs), **bared(named))
    elif method != "__call__" or named or ufunc.nout > 1:
        found = _general(ufunc.__name__, getattr(ufunc, method), inputs, named)
    else:
        found = _plain_ufunc(ufunc, inputs)
    if into is None:
        return found
    target = into[0]
    plain(target)[...] = plain(found)
    if isinstance(target, Array) and has_history(found):
        target.history, target.use, target.public = found.history, found.use, found.public
    return target


def _plain_ufunc(ufunc: Any, inputs: Tuple[Any, ...]) -> Any:
    name = ufunc.__name__
    arrays = tuple(one if isinstance(one, Tracked) or numpy.ndim(one) == 0 else numpy.asarray(one) for one in inputs)
    numeric = all(numpy.asarray(plain(one)).dtype.kind in "bifu" for one in arrays)
    if not numeric:
        return _general(name, ufunc, arrays, {})
    truths = any(numpy.asarray(plain(one)).dtype.kind == "b" for one in arrays)
    if name in _SUMS and not (truths and name in ("subtract", "add")):
        return combined(_SUMS[name], *arrays)
    if name == "negative":
        return combined("mul", arrays[0], -1)
    if name == "positive":
        return arrays[0]
    if name in _COMPARISONS and not truths:
        return compared(_COMPARISONS[name], *arrays)
    if len(arrays) == 2 and not all(isinstance(one, Tracked) for one in arrays):
        return mixed(name, ufunc, arrays)
    return _function(name, ufunc, arrays)


def _general(name: str, function: Callable[..., Any], arguments: Any, named: Dict[str, Any]) -> Any:
    """Any function: what comes from draws among its arguments, at any depth, is what it depends on."""
    found: List[Any] = []
    data: List[Any] = []

    def holes(value: Any) -> Any:
        if isinstance(value, numpy.ndarray) and value.size > 1 and not has_history(value):
            data.append(value)
        if has_history(value):
            found.append(value)
            return _Hole(len(found) - 1)
        if isinstance(value, Tracked):
            return plain(value)
        if type(value) in (list, tuple):
            return type(value)(holes(one) for one in value)
        if type(value) is dict:
            return {key: holes(one) for key, one in value.items()}
        return value

    shape = holes((tuple(arguments), named))

    def call(*values: Any) -> Any:
        def filled(value: Any) -> Any:
            if isinstance(value, _Hole):
                return values[value.number]
            if type(value) in (list, tuple):
                return type(value)(filled(one) for one in value)
            if type(value) is dict:
                return {key: filled(one) for key, one in value.items()}
            return value

        positional, keywords = filled(shape)
        return function(*positional, **keywords)

    run = recorder()
    if run is not None and data and is_release(run, (*found, *data), True):
        release(run, tuple(found))
        return call(*(plain(one) for one in found))
    return derived(name, call, tuple(found)) if found else call()


class _Hole:
    """The place of an argument."""

    def __init__(self, number: int) -> None:
        self.number = number


def of_function(function: Any, arguments: Any, named: Dict[str, Any]) -> Any:
    """A function of numpy, some of whose arguments come from draws."""
    name = function.__name__
    run = recorder()
    if run is None:
        return function(*bared(arguments), **bared(named))
    first = arguments[0] if arguments else None
    if name in _LAYOUT and isinstance(first, Array) and has_history(first):
        return _moved(first, lambda array: function(array, *bared(arguments[1:]), **bared(named)))
    if name == "where" and len(arguments) == 3 and has_history(arguments[0]):
        return chosen(*arguments)
    return _general(name, _inner(function), arguments, named)


def _inner(function: Any) -> Any:
    return getattr(function, "_implementation", function)


def chosen(truth: Any, one: Any, other: Any) -> Any:
    """`where`, whose condition comes from draws."""
    if has_history(one) or has_history(other):
        return _general("where", numpy.where, (truth, one, other), {})
    return mixed("where", numpy.where, (truth, bared(one), bared(other)))


def array_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """`numpy.array` and its like, which keep the histories of the numbers in a list."""

    def call(*arguments: Any, **named: Any) -> Any:
        first = arguments[0] if arguments else None
        if recorder() is None or type(first) not in (list, tuple) or not _within(first, 0):
            if isinstance(first, Array) and has_history(first) and len(arguments) == 1 and not named:
                return first
            return function(*arguments, **named)
        value = function(bared(first), *arguments[1:], **named)
        parts = _flat(first)
        if len(parts) != value.size or value.dtype.kind not in "bifu":
            return _general("array", function, arguments, named)
        return _gathered(value, parts)

    call.__name__ = getattr(function, "__name__", "array")
    return call


_PLAIN = frozenset((int, float, bool, str, bytes, type(None), numpy.float64, numpy.int64))


def _within(value: Any, depth: int) -> bool:
    if type(value) in (list, tuple) and depth < 4:
        if set(map(type, value)) <= _PLAIN:
            return False
        return any(_within(one, depth + 1) for one in value)
    return has_history(value)


def _flat(value: Any) -> List[Any]:
    if type(value) in (list, tuple):
        return [part for one in value for part in _flat(one)]
    return list(value.reshape(-1)) if isinstance(value, numpy.ndarray) else [value]


def _gathered(value: Any, parts: List[Any]) -> Any:
    """The array of numbers with and without histories: a variable that has them in a row."""
    return derived("array", lambda *given: _filled(value, parts, given), tuple(p for p in parts if has_history(p)))


def _filled(value: Any, parts: List[Any], given: Tuple[Any, ...]) -> Any:
    rest = iter(given)
    flat = [next(rest) if has_history(part) else part for part in parts]
    return numpy.array(flat, dtype=value.dtype).reshape(value.shape)


def _method(name: str) -> Callable[..., Any]:
    plain_method = getattr(numpy.ndarray, name)

    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        if not has_history(self) or recorder() is None:
            return plain_method(self.bare, *bared(arguments), **bared(named))
        if name in _LAYOUT:
            return _moved(self, lambda array: plain_method(array, *bared(arguments), **bared(named)))
        return _general(name, plain_method, (self, *arguments), named)

    return method


for _name in (
    "reshape",
    "ravel",
    "transpose",
    "squeeze",
    "flatten",
    "swapaxes",
    "copy",
    "sum",
    "mean",
    "min",
    "max",
    "argmax",
    "argmin",
    "argsort",
    "cumsum",
    "round",
    "clip",
    "dot",
    "std",
    "var",
    "any",
    "all",
    "prod",
):
    setattr(Array, _name, _method(_name))
give(Array, "T", property(lambda self: self.transpose()))
give(Array, "__float__", lambda self: float(self.bare))
