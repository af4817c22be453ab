"""A library's mechanism, ready to be audited under its own claim."""

from __future__ import annotations

from typing import Any, Callable, Dict, Sequence, Tuple

Pair = Tuple[Any, Any]


class Release:
    """One run of a library's mechanism, under the name that the library has for it."""

    def __init__(self, name: str, release: Callable[[Any], Any], outcome: Callable[[Any], Any]) -> None:
        self.__qualname__ = name
        self.outcome = outcome
        self._release = release

    def __call__(self, dataset: Any) -> Any:
        return self.outcome(self._release(dataset))


class Prepared:
    """A release, its pairs, their relation, and the library's claim."""

    def __init__(self, release: Release, pairs: Sequence[Pair], relation: Any, claim: Dict[str, Any]) -> None:
        self.release = release
        self.pairs = pairs
        self.relation = relation
        self.claim = claim


def same(release: Any) -> Any:
    return release
