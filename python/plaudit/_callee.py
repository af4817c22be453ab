"""The side of an audit that calls the user's function: the engine calls it from the thread that asked for the audit."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from . import _outcome
from ._calls import CHANGES, Batch, Single
from ._dataset import Shown, as_table, canonical, fingerprint
from ._seed import seed_generators
from ._serve import answer_all, in_batch, one_by_one
from ._staged import Clean, parts


class Callee:
    """A function and its datasets. `function` is what is called once a run, or None for one that draws batches."""

    def __init__(
        self,
        function: Callable[..., Any],
        datasets: Sequence[Tuple[Shown, Any]],
        *,
        batch: bool,
        query: Optional[Callable[[Any], Any]] = None,
        seed: Optional[Callable[[int], None]] = seed_generators,
        clean: Optional[Clean] = None,
    ) -> None:
        self._datasets = datasets
        self._is_batch = batch
        self._calls: Any = Batch(function) if batch else Single(function)
        self._query = query
        self._seed = seed
        # What was given keeps its type: an array stays one.
        self._given: Dict[str, Any] = {shown.key(): dataset for shown, dataset in datasets}
        self._known: Dict[str, Any] = {}
        self._clean = clean
        if clean is not None:
            # Before there are forks, which then have the values, too.
            for shown, dataset in datasets:
                clean.value(shown.value, dataset)
        self._before: List[Tuple[Any, Optional[bytes]]] = [
            (dataset, fingerprint(dataset)) for _, dataset in datasets
        ]
        self._requests = 0

    @property
    def function(self) -> Optional[Callable[..., Any]]:
        """What is called once a run, or None for one that draws batches."""
        return None if self._is_batch else self._calls.called.now()

    @property
    def note(self) -> Optional[str]:
        """What a reader of the report must know of how the function was called."""
        return CHANGES if self._calls.called.changes else None

    def of_other(self, function: Callable[..., Any]) -> "Callee":
        """The same for another function."""
        noise, clean = parts(function)
        return Callee(
            noise, self._datasets, batch=self._is_batch, query=self._query, seed=self._seed, clean=clean
        )

    def serve(self, requests: Any, output: Any) -> None:
        """Answers requests as a program does: in a fork."""
        function = self._calls.function
        answer = in_batch(function, 63) if self._is_batch else one_by_one(function, False)
        answer_all(requests, output, answer, (self._read, self._raw), self._query, self._seed)

    @staticmethod
    def line(outcome: Any) -> str:
        """An outcome as a JSON line; an exception is the outcome of the run that raised it."""
        if isinstance(outcome, BaseException):
            outcome = _outcome.Error(outcome)
        return _outcome.line(outcome)

    def dataset(self, text: str) -> Any:
        """The dataset of a request, the object that was given or one that the engine made up, or what the clean stage
        says of it."""
        if text not in self._known:
            if len(self._known) >= 1024:
                self._known.clear()
            self._known[text] = self._read(json.loads(text))
        return self._known[text]

    def _read(self, value: Any) -> Any:
        dataset = self._raw(value)
        return dataset if self._clean is None else self._clean.value(value, dataset)

    def _raw(self, value: Any) -> Any:
        key = canonical(value)
        if self._given and key not in self._given:
            raise RuntimeError("plaudit asks for a dataset that it was not given: %s" % key[:200])
        return self._given.get(key, as_table(value))

    def arguments(self, text: str, seed: int) -> Tuple[Any, ...]:
        """What the function is called with in all runs of a request."""
        if self._seed is not None:
            self._seed(seed)
        arguments: Tuple[Any, ...] = self._calls.arguments(self.dataset(text), seed)
        return arguments

    def arguments_beside(self, text: str, first: Tuple[Any, ...]) -> Tuple[Any, ...]:
        """The same on the other dataset, with the same randomness going on."""
        return (self.dataset(text),) + first[1:]

    def draw(self, text: str, runs: int, seed: int) -> Any:
        """The outcomes of so many runs at once."""
        if self._seed is not None:
            self._seed(seed)
        outcomes = self._calls.draw(self.dataset(text), runs, seed)
        return _outcome.simplest(outcomes)

    def singles(self, text: str, runs: int, seed: int) -> Iterator[Any]:
        """The same one by one; what a run raised is its outcome."""
        for outcome, raised in self._calls.singles(self.dataset(text), runs, seed):
            yield outcome if raised is None else raised

    def answer(self, text: str) -> Optional[Tuple[List[float], Optional[str]]]:
        """What the query says without noise: numbers, or how it failed. Without a query, what the clean stage says, if
        it is numbers."""
        if self._query is None:
            said = None if self._clean is None else _outcome.plain(self.dataset(text))
            clean: List[Any] = said if isinstance(said, list) else [said]
            if not all(isinstance(x, float) or type(x) is int and int(float(x)) == x for x in clean):
                return None
            return [float(x) for x in clean], None
        try:
            answer = self._query(self._raw(json.loads(text)))
        except KeyboardInterrupt:
            raise
        except BaseException as exception:
            return [], _outcome.Error(exception).message
        values = _outcome.plain(answer)
        if not isinstance(values, list):
            values = [values]
        numbers = [float(value) for value in values]
        if any(isinstance(v, int) and int(n) != v for v, n in zip(values, numbers)):
            raise ValueError("the query answers with a whole number that no double holds: %r" % (answer,))
        return numbers, None

    def after(self) -> None:
        """Called after each request: looks, ever more rarely, whether the function changes its dataset."""
        self._requests += 1
        if self._requests & (self._requests - 1) == 0:
            self.check_unchanged()

    def check_unchanged(self) -> None:
        """Raises if a dataset is not what it was."""
        for dataset, before in self._before:
            if before is not None and fingerprint(dataset) != before:
                raise ChangedDataset(
                    "the function changes the dataset that it is given, so that its runs depend on one another: let "
                    "it work on a copy"
                )


class ChangedDataset(RuntimeError):
    """The function writes into its dataset."""


def _forked() -> None:
    from . import _native

    _native.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
