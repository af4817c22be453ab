"""Audits of privacy claims.

    import plaudit

    def count(ages, rng):
        return sum(age >= 18 for age in ages) + rng.laplace(0, 1)

    result = plaudit.audit(count, [17, 34], [17, 34, 71], epsilon=0.5)
    print(result)

`audit`, `search`, `check`, `law`, `account`, `attack` and `solve` need the native module, which a wheel has. `serve`,
which turns a function into a program that plaudit audits from outside, does without: Python 3.9 and its standard
library.
"""

from typing import TYPE_CHECKING, Any, List

from ._seed import seed_generators
from ._serve import serve
from ._staged import staged

if TYPE_CHECKING:
    from ._account import Attack, Bracket, account, attack, solve
    from ._api import audit, column, mutant, replay, rows, search, table
    from ._callee import ChangedDataset
    from ._law import LawResult, law
    from ._neighbors import neighbors
    from ._result import Certificate, Plot, Replay, Result, Verdict, save
    from ._tracing import Difference, Trace, primitive, trace
    from .adapters import check

_ACCOUNT = ("Attack", "Bracket", "account", "attack", "solve")
_ALIGNED = ("Draws", "Proof", "verify")
_API = ("audit", "column", "mutant", "replay", "rows", "search", "table")
_LAW = ("LawResult", "law")
_TRACING = ("Difference", "Trace", "primitive", "trace")
_RESULT = ("Certificate", "Plot", "Replay", "Result", "Verdict", "save")

__all__ = [
    "Attack",
    "Bracket",
    "Certificate",
    "ChangedDataset",
    "Difference",
    "Draws",
    "LawResult",
    "Plot",
    "Proof",
    "Replay",
    "Result",
    "Trace",
    "Verdict",
    "account",
    "attack",
    "audit",
    "check",
    "column",
    "law",
    "mutant",
    "neighbors",
    "primitive",
    "replay",
    "rows",
    "save",
    "search",
    "seed_generators",
    "serve",
    "solve",
    "staged",
    "table",
    "trace",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Loads the engine when it is first used: a program that serves outcomes does without."""
    if name in _ACCOUNT:
        from . import _account as module
    elif name in _ALIGNED:
        from . import _aligned as module  # type: ignore[no-redef]
    elif name in _API:
        from . import _api as module  # type: ignore[no-redef]
    elif name in _LAW:
        from . import _law as module  # type: ignore[no-redef]
    elif name in _RESULT:
        from . import _result as module  # type: ignore[no-redef]
    elif name in _TRACING:
        from . import _tracing as module  # type: ignore[no-redef]
    elif name == "ChangedDataset":
        from . import _callee as module  # type: ignore[no-redef]
    elif name == "neighbors":
        from . import _neighbors as module  # type: ignore[no-redef]
    elif name == "check":
        from . import adapters as module  # type: ignore[no-redef]
    elif name == "__version__":
        from . import _native

        return _native.__version__
    else:
        raise AttributeError("module 'plaudit' has no attribute %r" % name)
    return getattr(module, name)


def __dir__() -> List[str]:
    return sorted(__all__)
