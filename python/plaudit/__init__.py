"""Audits of privacy claims.

    import plaudit

    def count(ages, rng):
        return sum(age >= 18 for age in ages) + rng.laplace(0, 1)

    result = plaudit.audit(count, [17, 34], [17, 34, 71], epsilon=0.5)
    print(result)

`serve`, which turns a function into a program that plaudit audits from outside, needs Python 3.9 and its standard
library. Everything else needs the native module, which a wheel has.
"""

from typing import TYPE_CHECKING, Any, List

from ._seed import seed_generators
from ._serve import serve
from ._staged import staged

if TYPE_CHECKING:
    from ._account import Attack, Bracket, account, attack, solve
    from ._api import audit, column, mutant, replay, rows, search, table
    from ._attacks import (
        AttackResult,
        average,
        canaries,
        canary_versions,
        infer,
        link,
        membership,
        membership_counts,
        reconstruct,
        single_out,
    )
    from ._callee import ChangedDataset
    from ._law import LawResult, law
    from ._neighbors import neighbors
    from ._result import Certificate, Plot, Replay, Result, Verdict, save
    from ._tracing import Difference, Trace, primitive, trace
    from .adapters import check

_ACCOUNT = ("Attack", "Bracket", "account", "attack", "solve")
_ALIGNED = ("Draws", "Proof", "verify")
_ATTACKS = (
    "AttackResult",
    "average",
    "canaries",
    "canary_versions",
    "infer",
    "link",
    "membership",
    "membership_counts",
    "reconstruct",
    "single_out",
)
_API = ("audit", "column", "mutant", "replay", "rows", "search", "table")
_LAW = ("LawResult", "law")
_TRACING = ("Difference", "Trace", "primitive", "trace")
_RESULT = ("Certificate", "Plot", "Replay", "Result", "Verdict", "save")

__all__ = [
    "Attack",
    "AttackResult",
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
    "average",
    "canaries",
    "canary_versions",
    "check",
    "column",
    "infer",
    "law",
    "link",
    "membership",
    "membership_counts",
    "mutant",
    "neighbors",
    "primitive",
    "reconstruct",
    "replay",
    "rows",
    "save",
    "search",
    "seed_generators",
    "serve",
    "single_out",
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
    elif name in _ATTACKS:
        from . import _attacks as module  # type: ignore[no-redef]
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
