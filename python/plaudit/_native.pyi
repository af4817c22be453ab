"""The engine, in Rust."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

__version__: str

class Finished:
    report: str
    certificate: Optional[str]
    other_leak: Optional[Tuple[str, str]]

def main(arguments: Sequence[str]) -> int: ...
def audit(
    spec: str,
    pairs: List[Tuple[str, str, str]],
    callee: Any,
    options: Dict[str, Any],
    progress: Optional[Callable[[int, int], None]],
) -> Finished: ...
def replay(certificate: str, spec: str, callee: Any, seed: int) -> str: ...
def forked() -> None: ...
def page(report: str) -> str: ...
def plot(report: str, kind: str) -> Optional[str]: ...
def save(finished: List[Tuple[str, Optional[str], Optional[Tuple[str, str]]]], folder: str) -> str: ...
def account(
    composition: str, epsilon: Optional[float], delta: Optional[float], method: str
) -> Tuple[float, float, str]: ...
