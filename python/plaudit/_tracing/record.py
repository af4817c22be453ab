"""One run of a function under trace: its draws, where their noise goes, and what it decides.

A number that comes from draws is a sum: base + coefficient * variable + ...; a variable is what a draw gave, or a
function of such. Each sum is a `Use`. The run on D is recorded. In the run on D', draws and uses have the values of
the run on D: the noise moves against the base, as in a proof by alignment. All that comes after is then equal, unless
data gets there without passing a draw.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, NamedTuple, Optional, Set, Tuple

Key = Tuple[Any, ...]
Memo = Dict[int, Any]
_MOST = 1_000_000
"""Draws, sums and decisions of a run that are kept."""
_KEPT_LOCALS = 400
"""Sums whose surroundings are kept."""
_HERE = os.path.dirname(os.path.abspath(__file__))
_LIBRARY = os.path.dirname(os.__file__)
_PRIMITIVES = ("numpy", "random.py", "secrets.py", "scipy", "torch", "jax", "jaxlib", "statistics.py", "functools.py")


class Stopped(RuntimeError):
    """A trace cannot go on, whatever the function does with its exceptions."""


class TooMuch(Stopped):
    """A run draws more often than is kept."""


class Site(NamedTuple):
    """A line of the function under trace, or of a library that it calls."""

    file: str
    line: int
    function: str


class Foreign(Site):
    """A line of a program in any language: `text` is what it says. Line 0 is the program as a whole."""

    text = ""


class Variable:
    """What a draw gave, or a function of such: a number or an array. `again` draws it anew."""

    __slots__ = ("again", "family", "id", "lost", "parameters", "site", "value")

    def __init__(self, id: int, family: str, site: Site, value: Any, again: Callable[[Memo], Any]) -> None:
        self.id, self.family, self.site, self.value, self.again = id, family, site, value, again
        self.parameters: Dict[str, Any] = {}
        self.lost = True

    def fresh(self, memo: Memo) -> Any:
        """Another value of the same law; the same in one memo."""
        if self.id not in memo:
            memo[self.id] = self.again(memo)
        return memo[self.id]


class Term(NamedTuple):
    """A coefficient times a variable, or times those of its entries that `index` names."""

    variable: Variable
    index: Any
    coefficient: Any


class Sum(NamedTuple):
    """base + sum of terms."""

    base: Any
    terms: Tuple[Term, ...]

    def fresh(self, memo: Memo) -> Any:
        """Another value of the same law."""
        total = self.base
        for variable, index, coefficient in self.terms:
            value = variable.fresh(memo)
            total = total + coefficient * (value if index is None else value.reshape(-1)[index])
        return total


class Use(NamedTuple):
    """Noise that was added to a value: `kind` is "sum", "compare" or "combine" (an operation that is no sum)."""

    id: int
    kind: str
    site: Site
    sum: Sum
    value: Any
    seen: Dict[str, Any]
    public: bool
    """An operand had data in it already: it may be a release that is combined with data again."""


class Branch(NamedTuple):
    """A decision by noise: the truth of a comparison."""

    id: int
    site: Site
    sum: Sum
    value: bool


class Called(NamedTuple):
    """A mechanism that takes the value and releases it with noise: a library's, or one that the user named."""

    id: int
    site: Site
    name: str
    value: Any
    out: Any
    declared: Dict[str, Any]
    seen: Dict[str, Any]


class Recorder:
    """What a run did; with `before`, a run that is answered as that one was, but for the decisions in `flips`."""

    def __init__(
        self,
        before: Optional[Recorder] = None,
        flips: Iterable[int] = (),
        aligned: Optional[Dict[int, Optional[int]]] = None,
        adaptive: Iterable[Site] = (),
    ) -> None:
        self.before = before
        self.adaptive: FrozenSet[Site] = frozenset(adaptive)
        """Lines at which a release is combined with data, and protects none of it."""
        self.values: Dict[int, Any] = {}
        self.moved: Set[int] = set()
        """Functions of noise and data that are not what they were in the recorded run."""
        self.flips: FrozenSet[int] = frozenset(flips)
        self.draws: Dict[int, Variable] = {}
        self.uses: Dict[int, Use] = {}
        self.branches: Dict[int, Branch] = {}
        self.called: Dict[int, Called] = {}
        self.told: Dict[int, Called] = {}
        """Draws that are followed, and for which a program named a sensitivity."""
        self.seeds: List[Tuple[Site, str, Any]] = []
        self.followed: Set[Tuple[Any, ...]] = set()
        """Places of the outcome that come from draws."""
        self.inner: Set[int] = set()
        """Sums that became a part of another sum."""
        self.compared: Set[int] = set()
        """Sums that were compared."""
        self.released: Set[int] = set()
        """Sums that are in the outcome, or in a function of other numbers."""
        self.inside = 0
        self._aligned = aligned or {}
        self._counts: Dict[Key, int] = {}
        # Keys have the same small numbers in all runs of a trace.
        self._ids: Dict[Key, int] = {} if before is None else before._ids

    def id(self, *key: Any) -> int:
        """The number of an event, the same in another run: of its kind, and how often that came before."""
        number = self._counts.get(key, 0)
        self._counts[key] = number + 1
        whole = (*key, number)
        found = self._ids.get(whole)
        if found is None:
            found = len(self._ids)
            if found > _MOST:
                raise TooMuch("a run has more than %d draws and sums: trace a smaller dataset" % _MOST)
            self._ids[whole] = found
        return found

    def earlier(self, table: str, id: int) -> Any:
        """The same event of the recorded run, or None."""
        if self.before is None:
            return None
        return getattr(self.before, table).get(id)

    def unseen(self, call: Callable[[], Any]) -> Any:
        """What a call gives whose own draws are not recorded."""
        self.inside += 1
        try:
            return call()
        finally:
            self.inside -= 1

    def matched(self, id: int) -> int:
        """The number of a draw: that of the recorded draw to which it was aligned."""
        if id not in self._aligned:
            return id
        found = self._aligned[id]
        return self.id("unmatched", id) if found is None else found

    def locals(self) -> Dict[str, Any]:
        """Numbers around the line that asks, for the first sums of a run."""
        return locals_here() if len(self.uses) + len(self.called) < _KEPT_LOCALS else {}


class _State:
    """The run that is recorded now, if any."""

    recorder: Optional[Recorder] = None
    at: Optional[Foreign] = None
    """The line of a program in another language that asks now."""


STATE = _State()
_internal: Dict[str, bool] = {}


def _is_internal(file: str) -> bool:
    """Whether a file belongs to this package, to a primitive, or to Python itself."""
    found = _internal.get(file)
    if found is None:
        path = os.path.abspath(file)
        found = path.startswith(_HERE) or file.startswith("<frozen") or "array_function" in file
        found = found or any(
            path == os.path.join(_LIBRARY, name)
            or path.startswith(os.path.join(_LIBRARY, name) + os.sep)
            or os.sep.join(("site-packages", name, "")) in path
            for name in _PRIMITIVES
        )
        _internal[file] = found
    return found


def _frame() -> Any:
    """The innermost frame outside of primitives."""
    frame: Any = sys._getframe(1)
    while frame.f_back is not None and _is_internal(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def site() -> Site:
    """The line that asked for what happens now."""
    if STATE.at is not None:
        return STATE.at
    frame = _frame()
    return Site(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


def locals_here() -> Dict[str, Any]:
    """Numbers and short lists among the variables of the line that asks."""
    found: Dict[str, Any] = {}
    if STATE.at is not None:
        return found
    for name, value in _frame().f_locals.items():
        if type(value) in (bool, int, float):
            found[name] = value
        elif isinstance(getattr(value, "size", None), int) and hasattr(value, "dtype") and value.size <= 64:
            found[name] = value.copy()
        elif type(value) in (list, tuple) and len(value) <= 16:
            found[name] = list(value)
        elif type(value) in (str, list, tuple, dict, set):
            found["len(%s)" % name] = len(value)
    return found
