"""How a user's function is called: with what randomness, once a run or for many at once.

`serve` (a program of its own) and `audit` (in this process) call it by the same rules, so that the same seed gives the
same outcomes.
"""

from __future__ import annotations

import copy
import functools
import importlib.util
import inspect
import random
import sys
from typing import Any, Callable, Iterator, List, Optional, Tuple

from ._dataset import fingerprint
from ._outcome import Unseen
from ._seed import fewer_bits, single_seeds

NOTHING, RANDOM, NUMPY, SEED, DRAWS = "nothing", "random", "numpy", "seed", "draws"


_GENERATORS = ("random", "rng", "generator", "draws")
_WHICH = (
    "a parameter called `rng` or `generator` gets a numpy.random.Generator, one called `random` a random.Random, "
    "one called `draws` a plaudit.Draws, and "
    "so does one that is annotated so; give any other a default, or bind it with functools.partial"
)


def randomness(function: Callable[..., Any], names: Tuple[str, ...] = _GENERATORS) -> str:
    """What a function of a dataset takes for randomness as its second positional argument: `RANDOM`, `NUMPY`,
    `DRAWS` or `NOTHING`.

    An annotation decides (`random.Random`, `numpy.random.Generator`); else the name: `rng` and `generator` are numpy
    generators where numpy is installed, `random` is a `random.Random`, and `draws` a `plaudit.Draws`. Another parameter
    needs a default, unless its name begins with `_`, which is a `random.Random`.
    """
    positional, more = _positional(function)
    if len(positional) >= 2:
        second = positional[1]
        if second.name in names or _is_generator(second):
            return _kind_of(second)
        if second.default is second.empty:
            raise _unknown(second)
        return NOTHING
    return RANDOM if more else NOTHING


def _unknown(parameter: inspect.Parameter) -> TypeError:
    what = "the parameter `%s` has no default, and nothing to be called with" % parameter.name
    return TypeError("%s: %s" % (what, _WHICH))


def _is_generator(parameter: inspect.Parameter) -> bool:
    """Whether a generator is what a parameter is called with."""
    if parameter.name in _GENERATORS or parameter.name.startswith("_"):
        return True
    return _annotated(parameter) in (RANDOM, NUMPY, DRAWS)


def _annotated(parameter: inspect.Parameter) -> Optional[str]:
    """The randomness that an annotation names."""
    annotation = parameter.annotation
    words = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    if annotation is random.Random or words in ("Random", "random.Random"):
        return RANDOM
    if words.endswith("Generator"):
        return NUMPY
    if words in ("Draws", "plaudit.Draws"):
        return DRAWS
    return SEED if annotation is int or words == "int" else None


def _by_keyword(function: Callable[..., Any]) -> Optional[inspect.Parameter]:
    """The generator that a function takes by its name alone: `def f(dataset, *, rng)`."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    for parameter in parameters:
        if parameter.kind == parameter.KEYWORD_ONLY:
            if _is_generator(parameter):
                return parameter
            if parameter.default is parameter.empty:
                raise _unknown(parameter)
    return None


def callable_(function: Callable[..., Any], is_batch: bool) -> Callable[..., Any]:
    """The function as it is called: a generator that it takes by name comes by position.

    Raises TypeError for what cannot be audited: a coroutine, a parameter that nothing is known of.
    """
    unwrapped = inspect.unwrap(function)
    for one in (unwrapped, type(unwrapped).__call__):
        if inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one):
            raise TypeError(
                "an `async def` returns before it has run: audit a function that runs it, such as "
                "lambda dataset, rng: asyncio.run(f(dataset, rng))"
            )
    named = _by_keyword(function)
    if named is None:
        return function
    inspect.signature(function).bind(*[None] * (2 if is_batch else 1), **{named.name: None})
    name, kind = named.name, _kind_of(named)
    own = {NUMPY: "numpy.random.Generator", DRAWS: "plaudit.Draws"}.get(kind, random.Random)

    @functools.wraps(function)
    def with_generator(*arguments: Any) -> Any:
        return function(*arguments[:-1], **{name: arguments[-1]})

    # Not the signature of the function, but this one.
    one = inspect.Parameter("dataset", inspect.Parameter.POSITIONAL_ONLY)
    runs = [inspect.Parameter("runs", inspect.Parameter.POSITIONAL_ONLY)] if is_batch else []
    last = inspect.Parameter("generator", inspect.Parameter.POSITIONAL_ONLY, annotation=own)
    with_generator.__signature__ = inspect.Signature([one, *runs, last])  # type: ignore[attr-defined]
    return with_generator


def randomness_of_batch(function: Callable[..., Any]) -> str:
    """What a batch function takes as its third positional argument: `NUMPY` if it is called `rng` or `generator`, or
    annotated so, `RANDOM` if it is called `random`, else the seed, a whole number."""
    positional, _ = _positional(function)
    if len(positional) >= 3:
        third = positional[2]
        kind = _kind_of(third)
        named = third.name in _GENERATORS or third.annotation is not third.empty
        return kind if named and kind != SEED else SEED
    return SEED


def _positional(function: Callable[..., Any]) -> Tuple[List[inspect.Parameter], bool]:
    """The positional parameters, and whether there may be more of them."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [], False  # A builtin that does not tell.
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    positional = [p for p in parameters if p.kind in kinds]
    return positional, any(p.kind == p.VAR_POSITIONAL for p in parameters)


def _kind_of(parameter: inspect.Parameter) -> str:
    annotated = _annotated(parameter)
    if annotated is not None:
        return annotated
    if parameter.name == "draws":
        return DRAWS
    if parameter.name in ("rng", "generator"):
        return NUMPY if _numpy_is_there() else RANDOM
    return RANDOM


def _numpy_is_there() -> bool:
    return "numpy" in sys.modules or importlib.util.find_spec("numpy") is not None


def generator(kind: str, seed: int) -> Any:
    """A generator of this kind, or the seed itself."""
    if kind == NUMPY:
        import numpy

        return numpy.random.default_rng(seed)
    if kind == DRAWS:
        from ._aligned import Draws

        return Draws(random.Random(seed))
    return random.Random(seed) if kind == RANDOM else seed


CHANGES = (
    "The function changes the dataset that it is given. Each run, or each call for many, was given a copy: what it "
    "keeps in its dataset from one run to the next is not audited."
)


class OnCopies:
    """A function whose first calls work on copies of their datasets, to see whether it changes them; if it does, all
    its calls do."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._left = 4
        self.changes = False
        self.tell: Optional[Callable[[str], None]] = None

    def now(self) -> Callable[..., Any]:
        """What is to be called: the function itself once it is known to change nothing."""
        return self if self.changes or self._left > 0 else self.function

    def __call__(self, dataset: Any, *more: Any) -> Any:
        if not self.changes and self._left == 0:
            return self.function(dataset, *more)
        try:
            own = copy.deepcopy(dataset)
        except Exception:
            self._left = 0  # A change is found later.
            return self.function(dataset, *more)
        if self.changes:
            return self.function(own, *more)
        self._left -= 1
        before = fingerprint(own)
        try:
            return self.function(own, *more)
        finally:
            self.changes = before is not None and fingerprint(own) != before
            if self.changes and self.tell is not None:
                self.tell(CHANGES)


class Single:
    """A function that is called once a run."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = callable_(function, False)
        self.called = OnCopies(self.function)
        self.kind = randomness(self.function)

    def arguments(self, dataset: Any, seed: int) -> Tuple[Any, ...]:
        """What it is called with, for all runs of a request."""
        if self.kind == NOTHING:
            return (dataset,)
        return (dataset, generator(self.kind, seed))


class Batch:
    """A function that draws the outcomes of many runs."""

    def __init__(self, function: Callable[..., Any], seed_bits: int = 63) -> None:
        self.function = callable_(function, True)
        self.called = OnCopies(self.function)
        self.seed_bits = seed_bits
        self.kind = randomness_of_batch(self.function)

    def draw(self, dataset: Any, runs: int, seed: int) -> Any:
        """The outcomes of so many runs: an array, or a list."""
        seed = fewer_bits(seed, self.seed_bits)
        return drawn(self.called(dataset, runs, generator(self.kind, seed)))

    def singles(self, dataset: Any, runs: int, seed: int) -> Iterator[Tuple[Any, Optional[BaseException]]]:
        """The outcomes of so many runs, each drawn by itself with a seed of its own, and what it raised."""
        seeds = single_seeds(seed)
        for _ in range(runs):
            try:
                outcomes = self.draw(dataset, 1, next(seeds))
            except (KeyboardInterrupt, Unseen):
                raise
            except BaseException as exception:
                yield None, exception
                continue
            if len(outcomes) != 1:
                raise WrongCount(1, len(outcomes))
            yield outcomes[0], None


class WrongCount(Exception):
    """A batch function gave more or fewer outcomes than it was asked for."""

    def __init__(self, asked: int, given: int) -> None:
        were = "was" if asked == 1 else "were"
        super().__init__(
            "the batch function returned %d outcomes where %d %s asked for" % (given, asked, were)
        )


def is_array(outcomes: Any) -> bool:
    return hasattr(getattr(outcomes, "dtype", None), "kind") and hasattr(outcomes, "ndim")


def drawn(outcomes: Any) -> Any:
    """What a batch function returned, as a numpy array or a list."""
    if not is_array(outcomes) and _is_tensor(outcomes):
        outcomes = as_numpy(outcomes)
    if is_array(outcomes):
        if outcomes.ndim == 0:
            raise Unseen("the batch function returned a single number and no array")
        return outcomes
    if isinstance(outcomes, (str, bytes, dict, set, frozenset)):
        raise Unseen("the batch function returned %s and no list of outcomes" % type(outcomes).__name__)
    if not hasattr(outcomes, "__iter__"):
        raise Unseen("the batch function returned %s and no array or list" % type(outcomes).__name__)
    return list(outcomes)


def _is_tensor(outcomes: Any) -> bool:
    return hasattr(outcomes, "__dlpack__") or hasattr(outcomes, "__array__")


def as_numpy(tensor: Any) -> Any:
    """A tensor of torch, JAX and the like as a numpy array, without a copy where they share memory."""
    import numpy

    detach = getattr(tensor, "detach", None)
    if callable(detach):
        tensor = detach()
    try:
        return numpy.from_dlpack(tensor)
    except (AttributeError, BufferError, TypeError, RuntimeError):
        return numpy.asarray(tensor)
