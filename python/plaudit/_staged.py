"""Mechanisms in two stages: a clean one, which draws nothing and runs once for each dataset, and noise for each run."""

from __future__ import annotations

import copy
import functools
import inspect
import time
from typing import Any, Callable, Dict, Optional, Tuple

from ._dataset import canonical, fingerprint

_KEPT = 256
"""Values that are kept."""
_WHOLE_RUNS, _SECONDS = 8, 1.0
"""Most whole runs on a dataset, in which the clean stage runs anew, and the seconds after which there are no more but
one."""


def staged(clean: Callable[[Any], Any], noise: Callable[..., Any]) -> Staged:
    """A mechanism in two stages, for `audit`, `replay` and `serve`: a run releases `noise(clean(dataset), rng)`.

    * `clean(dataset)` draws nothing. It runs once for each dataset, and up to eight times more in a second (once more
      if it takes longer), to check that it always returns the same.
    * `noise(value, rng)` is called for each run with the value of `clean`; with `batch=staged(clean, noise)` it is
      `noise(value, runs, rng)`. See `audit` for the types of `rng`.

    A clean stage of 100 ms and noise of 10 µs make 100 000 runs in seconds. The report and its certificate state
    the assumptions: `clean` draws nothing, and `noise` sees only the value of `clean`, not the dataset. Calling
    the result performs a whole run.

    Raises TypeError for arguments that are not callable. `audit` raises ValueError if `clean` returns different values
    for one dataset, or values that cannot be compared, and RuntimeError if it raises an exception.
    """
    for name, stage in (("clean", clean), ("noise", noise)):
        if not callable(stage):
            raise TypeError("%s is a function, and this is a %s" % (name, type(stage).__name__))
        if inspect.iscoroutinefunction(stage):
            raise TypeError("%s is an `async def`, which returns before it has run" % name)
    return Staged(clean, noise)


class Staged:
    """A mechanism in two stages; `staged` makes it."""

    def __init__(self, clean: Callable[[Any], Any], noise: Callable[..., Any]) -> None:
        functools.update_wrapper(self, noise)
        self.clean = clean
        self.noise = noise

    def __call__(self, dataset: Any, *more: Any, **named: Any) -> Any:
        """A whole run."""
        return self.noise(self.clean(dataset), *more, **named)


def parts(function: Any) -> Tuple[Any, Optional[Clean]]:
    """What is called for each run, and the clean stage before it, if there is one."""
    if isinstance(function, Staged):
        return function.noise, Clean(function.clean)
    return function, None


class Clean:
    """A clean stage, and what it said."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self._values: Dict[str, Any] = {}

    @property
    def name(self) -> str:
        """What it is called."""
        unwrapped = inspect.unwrap(self.function)
        name: str = getattr(unwrapped, "__qualname__", None) or type(unwrapped).__qualname__
        return name.replace("<locals>.", "")

    def value(self, written: Any, dataset: Any) -> Any:
        """What it says of a dataset, which the engine has as `written`."""
        key = canonical(written)
        if key not in self._values:
            if len(self._values) >= _KEPT:
                self._values.clear()
            self._values[key] = self._checked(dataset)
        return self._values[key]

    def _checked(self, dataset: Any) -> Any:
        value = self._said(dataset)
        start = time.monotonic()
        for run in range(_WHOLE_RUNS):
            if run > 0 and time.monotonic() - start > _SECONDS:
                break
            again = self._said(dataset)
            if not _same(value, again):
                raise ValueError(
                    "the clean stage `%s` is not deterministic: of one dataset it said %.100r, and in another run "
                    "%.100r. Draw all randomness in the noise stage, or audit whole runs, lambda dataset, rng: "
                    "noise(clean(dataset), rng)" % (self.name, value, again)
                )
        return value

    def _said(self, dataset: Any) -> Any:
        try:
            dataset = copy.deepcopy(dataset)
        except Exception:
            pass  # It gets the dataset itself.
        try:
            return self.function(dataset)
        except Exception as error:
            raise RuntimeError(
                "the clean stage `%s` raised %s: where that is an outcome, audit whole runs, lambda dataset, rng: "
                "noise(clean(dataset), rng)" % (self.name, type(error).__name__)
            ) from error


def _same(one: Any, other: Any) -> bool:
    mark = fingerprint(one)
    if mark is not None and mark == fingerprint(other):
        return True
    try:
        # Equal objects may be pickled in two ways.
        same = bool(one == other)
    except Exception:
        same = False
    if mark is None and not same:
        raise ValueError(
            "whether the clean stage is deterministic cannot be seen: it said a %s, which neither pickles nor "
            "compares. Let it say numbers, lists, arrays or tables" % type(one).__name__
        )
    return same
