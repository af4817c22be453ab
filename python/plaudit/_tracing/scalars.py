"""Numbers that come from draws: they compute as usual, and remember the sum that they are."""

from __future__ import annotations

import math
import operator
import sys
from typing import Any, Callable, Dict, Optional, Tuple

from .record import STATE, Branch, Memo, Recorder, Sum, Term, Use, Variable, site


class Tracked:
    """A number or an array that comes from draws: `history` is the sum that it is, `use` the operation that made it."""

    bare: Any
    history: Sum
    use: Optional[int]
    public: bool = False


class _Number(Tracked):
    """What whole numbers, doubles and truths share."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["bare"], name)

    def __bool__(self) -> bool:
        truth = self if isinstance(self, Truth) else compared("ne", self, 0)
        return decided(truth)

    def item(self) -> Any:
        return self

    def astype(self, kind: Any, *_: Any, **__: Any) -> Any:
        return derived("astype", lambda value: sys.modules["numpy"].asarray(value).astype(kind)[()], (self,))

    def __repr__(self) -> str:
        return repr(self.bare)

    def __str__(self) -> str:
        return str(self.bare)

    def __format__(self, form: str) -> str:
        return format(self.bare, form)

    def __reduce__(self) -> Any:
        return (_same, (self.bare,))

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        from . import arrays

        return arrays.of_ufunc(ufunc, method, inputs, named)

    def __array_function__(self, function: Any, types: Any, arguments: Any, named: Any) -> Any:
        from . import arrays

        return arrays.of_function(function, arguments, named)


class Float(_Number, float):
    """A double."""


class Int(_Number, int):
    """A whole number."""


class Truth(_Number, int):
    """True or False."""


def _same(value: Any) -> Any:
    return value


def plain(value: Any) -> Any:
    """The value without its history."""
    return value.bare if isinstance(value, Tracked) else value


def is_number(value: Any) -> bool:
    """Whether sums are made with it: a number of Python or a scalar of numpy."""
    if isinstance(value, (int, float)):
        return True
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, (numpy.number, numpy.bool_))


def tracked(value: Any, sum: Sum, use: Optional[int] = None, public: bool = False) -> Any:
    """A number or an array with its history; anything else as it is."""
    numpy = sys.modules.get("numpy")
    if isinstance(value, bool) or numpy is not None and isinstance(value, numpy.bool_):
        made: Any = int.__new__(Truth, bool(value))
    elif isinstance(value, int) or numpy is not None and isinstance(value, numpy.integer):
        made = int.__new__(Int, int(value))
    elif isinstance(value, float) or numpy is not None and isinstance(value, numpy.floating):
        made = float.__new__(Float, float(value))
    elif numpy is not None and isinstance(value, numpy.ndarray) and value.dtype.kind in "bifu":
        from . import arrays

        made = arrays.made(value)
    else:
        return value
    made.bare, made.history, made.use, made.public = value, sum, use, public
    return made


def sum_of(value: Any) -> Sum:
    """The sum that a number is."""
    return value.history if isinstance(value, Tracked) else Sum(value, ())


def recorder() -> Optional[Recorder]:
    """The run that is recorded, unless a primitive is at work."""
    found = STATE.recorder
    return None if found is None or found.inside else found


def used(kind: str, name: str, operands: Tuple[Any, ...], sum: Sum, value: Any) -> Any:
    """The number `value`, which is `sum`; in a run that is answered as another was, that one's."""
    run = recorder()
    if run is None:
        return value
    number = run.id(kind, name, tuple((term.variable.id, _index(term)) for term in sum.terms))
    public = False
    for operand in operands:
        if isinstance(operand, Tracked):
            _touch(operand.history)
            public = public or operand.public
            if operand.use is not None:
                (run.compared if kind == "compare" else run.inner).add(operand.use)
    before = run.earlier("uses", number)
    if before is not None and same_shape(before.value, value):
        if not run.moved or not any(term.variable.id in run.moved for term in sum.terms):
            value = before.value
    run.uses[number] = Use(number, kind, site(), sum, value, run.locals(), public)
    return tracked(value, sum, number, public or _is_there(sum.base))


def _is_there(base: Any) -> bool:
    return bool(base.any() if hasattr(base, "any") else base)


def is_release(run: Recorder, operands: Tuple[Any, ...], only_arrays: bool = False) -> bool:
    """True for a release that is combined with data: with an array that is larger, or at a line where it is known to
    protect nothing. Then it is a number like others."""
    if not any(isinstance(one, Tracked) and one.public for one in operands):
        return False
    data = [one for one in operands if not isinstance(one, Tracked)]
    if not data:
        return False
    sizes = [getattr(plain(one), "size", 1) for one in operands if isinstance(one, Tracked)]
    grows = any(getattr(one, "ndim", 0) and (only_arrays or one.size > max(sizes)) for one in data)
    return grows or bool(run.adaptive) and site() in run.adaptive


def _settled(run: Recorder, one: Any) -> Any:
    """A release that was used as a number already stays one: the noise of sums of it is other noise."""
    if isinstance(one, Tracked) and one.public and one.use is not None and one.use in run.released:
        return plain(one)
    return one


def release(run: Recorder, operands: Tuple[Any, ...]) -> None:
    for one in operands:
        if isinstance(one, Tracked):
            _touch(one.history)
            if one.use is not None:
                run.released.add(one.use)


def _key(term: Term) -> Any:
    """A term's variable and entries, to compare."""
    index = term.index
    return (term.variable.id, index if index is None or isinstance(index, int) else (index.shape, index.tobytes()))


def _index(term: Term) -> Any:
    return term.index if term.index is None or isinstance(term.index, int) else len(term.index)


def _touch(sum: Sum) -> None:
    for term in sum.terms:
        term.variable.lost = False


def same_shape(one: Any, other: Any) -> bool:
    """Whether two values have the same shape and kind."""
    if type(one) is type(other):
        return getattr(one, "shape", ()) == getattr(other, "shape", ())
    return is_number(one) and is_number(other)


def derived(name: str, function: Callable[..., Any], operands: Tuple[Any, ...]) -> Any:
    """A function of numbers from draws that is no sum: a variable of its own."""
    value = function(*(plain(operand) for operand in operands))
    run = recorder()
    if run is None:
        return value
    sums = [sum_of(operand) if isinstance(operand, Tracked) else operand for operand in operands]
    for operand in operands:
        if isinstance(operand, Tracked):
            _touch(operand.history)
            if operand.use is not None:
                (run.compared if name in _SELECTIONS else run.released).add(operand.use)
    parents = tuple(term.variable.id for one in sums if isinstance(one, Sum) for term in one.terms)

    def again(memo: Memo) -> Any:
        return function(*(one.fresh(memo) if isinstance(one, Sum) else one for one in sums))

    number = run.id("function", name, parents)
    if len(run.values) < 10_000:
        run.values[number] = value
    if run.before is not None and number in run.before.values:
        before = run.before.values[number]
        if not same_shape(before, value) or _differ(before, value):
            run.moved.add(number)
    variable = Variable(number, name, site(), value, again)
    public = any(isinstance(operand, Tracked) and operand.public for operand in operands)
    return tracked(value, Sum(0, (Term(variable, None, 1),)), None, public)


def _terms(one: Sum, other: Sum, sign: int) -> Tuple[Term, ...]:
    """The terms of a sum or a difference of numbers."""
    found: Dict[Any, Term] = {_key(term): term for term in one.terms}
    for term in other.terms:
        key = _key(term)
        coefficient = sign * term.coefficient
        if key in found:
            coefficient = coefficient + found[key].coefficient
        found[key] = term._replace(coefficient=coefficient)
    return tuple(term for term in found.values() if term.coefficient != 0)


def _affine(name: str, one: Any, other: Any) -> Optional[Sum]:
    """The sum that an operation makes of numbers, or None where it makes none."""
    left, right = sum_of(one), sum_of(other)
    if name in ("add", "sub"):
        sign = 1 if name == "add" else -1
        return Sum(left.base + right.base if sign == 1 else left.base - right.base, _terms(left, right, sign))
    if name == "mul" and not (left.terms and right.terms):
        factor, sum = (left.base, right) if right.terms else (right.base, left)
    elif name == "truediv" and not right.terms:
        factor, sum = 1 / right.base if right.base else math.nan, left
    else:
        return None
    terms = tuple(term._replace(coefficient=term.coefficient * factor) for term in sum.terms)
    return Sum(sum.base * factor, terms)


_SELECTIONS = ("argmax", "argmin", "argsort", "argpartition", "amax", "amin", "max", "min", "sort")
"""Functions that tell which of many numbers is largest: their noise is less visible than its sum."""


def combined(name: str, one: Any, other: Any) -> Any:
    """An arithmetic operation, at least one of whose operands comes from draws."""
    function = _FUNCTIONS[name]
    run = recorder()
    if run is not None and is_release(run, (one, other)):
        release(run, (one, other))
        return function(plain(one), plain(other))
    if run is not None:
        one, other = _settled(run, one), _settled(run, other)
        if not (isinstance(one, Tracked) or isinstance(other, Tracked)):
            return function(one, other)
    sum = _affine(name, one, other)
    if sum is not None:
        return used("sum", name, (one, other), sum, function(plain(one), plain(other)))
    if isinstance(one, Tracked) and isinstance(other, Tracked):
        return derived(name, function, (one, other))
    return mixed(name, function, (one, other))


def mixed(name: str, function: Callable[..., Any], operands: Tuple[Any, ...]) -> Any:
    """A function of data and of noise of few values, such as a flipped bit: D' has the outcome of D if some value of
    the noise gives it."""
    run = recorder()
    if run is not None and is_release(run, operands, True):
        release(run, operands)
        return function(*(plain(one) for one in operands))
    result = derived(name, function, operands)
    if run is None or not isinstance(result, Tracked):
        return result
    data = [operand for operand in operands if not isinstance(operand, Tracked)]
    number = run.id("combine", name, tuple(term.variable.id for term in result.history.terms))
    before = run.earlier("uses", number)
    value = result.bare
    if before is not None and same_shape(before.value, value) and _differ(before.value, value):
        if _reached(before.value, function, operands):
            value = before.value
            run.moved.discard(result.history.terms[0].variable.id)
    sum = Sum(data[0] if len(data) == 1 else tuple(data), result.history.terms)
    run.uses[number] = Use(number, "combine", site(), sum, value, run.locals(), result.public)
    variable = result.history.terms[0].variable
    variable.value = value
    return tracked(value, result.history, None, result.public)


def _differ(one: Any, other: Any) -> bool:
    return not bool(sys.modules["numpy"].array_equal(one, other) if hasattr(one, "shape") else one == other)


def _reached(target: Any, function: Callable[..., Any], operands: Tuple[Any, ...]) -> bool:
    """Whether some value of the noise gives the outcome, entry by entry."""
    noise = next(operand for operand in operands if isinstance(operand, Tracked))
    support: Dict[Any, None] = {}
    for _ in range(64):
        fresh = noise.history.fresh({})
        for value in getattr(fresh, "ravel", lambda fresh=fresh: [fresh])()[:256]:
            support[value] = None
        if len(support) > 32:
            return False
    left: Any = True
    for value in support:
        filled = (
            value
            if not hasattr(noise.bare, "shape") or noise.bare.shape == ()
            else (sys.modules["numpy"].full_like(noise.bare, value))
        )
        found = function(*(filled if isinstance(one, Tracked) else one for one in operands))
        left = left & (found != target)
    # What no value of the noise gives.
    return not bool(left.any() if hasattr(left, "any") else left)


def compared(name: str, one: Any, other: Any) -> Any:
    """A comparison: the sign of a difference."""
    if recorder() is None:
        return _FUNCTIONS[name](plain(one), plain(other))
    run = recorder()
    if run is not None and is_release(run, (one, other)):
        release(run, (one, other))
        return _FUNCTIONS[name](plain(one), plain(other))
    whole = _affine("sub", one, other)
    assert whole is not None
    left, right = plain(one), plain(other)
    function = _FUNCTIONS[name]
    try:
        difference = left - right
    except TypeError:  # Truths of numpy have no difference.
        difference = left ^ right
    value = function(left, right)
    if not whole.terms:
        return value
    found = used("compare", name, (one, other), whole, difference)
    if run is not None and run.before is not None and isinstance(found, Tracked):
        before = run.before.uses.get(found.use if found.use is not None else -1)
        if before is not None and same_shape(before.value, difference) and _differ(difference, before.value):
            value = function(before.value, 0)
            value = bool(value) if isinstance(difference, (int, float)) else value
    sum = whole

    def again(memo: Memo) -> Any:
        return function(sum.fresh(memo), 0)

    number = run.id("truth", name, tuple(term.variable.id for term in sum.terms)) if run is not None else 0
    variable = Variable(number, name, site(), value, again)
    variable.parameters["of"] = sum
    truth = tracked(value, Sum(0, (Term(variable, None, 1),)), None)
    return truth


def decided(truth: Any) -> bool:
    """The truth of a comparison by noise, at an `if`."""
    value = bool(int(plain(truth)))
    run = recorder()
    if run is None:
        return value
    _touch(truth.history)
    number = run.id("branch", *(term.variable.id for term in truth.history.terms))
    before = run.earlier("branches", number)
    if before is not None:
        value = before.value
    if number in run.flips:
        value = not value
    run.branches[number] = Branch(number, site(), truth.history, value)
    return value


def _floor_divide(one: Any, other: Any) -> Any:
    return one // other


_FUNCTIONS: Dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": _floor_divide,
    "mod": operator.mod,
    "pow": operator.pow,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}
_COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
_ONE: Dict[str, Callable[..., Any]] = {
    "abs": abs,
    "round": round,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "invert": operator.invert,
}


def _with(name: str, reflected: bool) -> Callable[[Any, Any], Any]:
    """The method of an operation with another number."""
    act = compared if name in _COMPARISONS else combined

    def method(self: Any, other: Any, *_: Any) -> Any:
        if not is_number(other):
            return NotImplemented
        return act(name, other, self) if reflected else act(name, self, other)

    return method


def _alone(name: str) -> Callable[..., Any]:
    """The method of an operation on one number."""
    function = _ONE[name]

    def method(self: Any, *more: Any) -> Any:
        return derived(name, lambda value: function(value, *more), (self,))

    return method


def _negative(self: Any) -> Any:
    return combined("mul", self, -1) if isinstance(self.bare, (int, float)) else combined("sub", 0, self)


def give(kind: Any, name: str, method: Any) -> None:
    """Gives a class a method."""
    setattr(kind, name, method)


for _name in _FUNCTIONS:
    setattr(_Number, "__%s__" % _name, _with(_name, False))
    if _name not in _COMPARISONS:
        setattr(_Number, "__r%s__" % _name, _with(_name, True))
for _name in _ONE:
    setattr(_Number, "__%s__" % _name, _alone(_name))
for _name, _method in (
    ("neg", _negative),
    ("pos", lambda self: self),
    ("divmod", lambda self, other: (self // other, self % other)),
):
    setattr(_Number, "__%s__" % _name, _method)
for _kind, _hash in ((Float, float.__hash__), (Int, int.__hash__), (Truth, int.__hash__)):
    give(_kind, "__hash__", _hash)


_PLAIN = frozenset((int, float, str, bool))


def as_int(*arguments: Any, **named: Any) -> Any:
    """`int`, which keeps the history of its number."""
    if len(arguments) == 1 and isinstance(arguments[0], Tracked) and not named:
        value = arguments[0]
        if type(value) is Int:
            return tracked(int(value.bare), value.history, value.use, value.public)
        return derived("int", int, arguments)
    return int(*arguments, **named)


def as_float(value: Any = 0.0, /) -> Any:
    """`float`, which keeps the history of its number."""
    if type(value) in _PLAIN or not isinstance(value, Tracked):
        return float(value)
    return tracked(float(value.bare), value.history, value.use, value.public)


def as_bool(value: Any = False, /) -> Any:
    """`bool`, which keeps the history of a truth."""
    return value if type(value) is Truth else bool(value)
