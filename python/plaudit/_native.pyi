"""The engine, in Rust."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

__version__: str

class Finished:
    report: str
    certificate: Optional[str]
    other_leak: Optional[Tuple[str, str]]

def main(arguments: Sequence[str]) -> int: ...
def attacked(arguments: Sequence[str]) -> Tuple[str, str, int, List[str]]: ...
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
def telling(report: str) -> str: ...
def plot(report: str, kind: str) -> Optional[str]: ...
def save(finished: List[Tuple[str, Optional[str], Optional[Tuple[str, str]]]], folder: str) -> str: ...
def account(
    composition: str, epsilon: Optional[float], delta: Optional[float], false_positives: Optional[float], method: str
) -> Tuple[float, float]: ...
def attack(
    composition: str,
    prior: float,
    false_positives: Sequence[float],
    mu_range: Tuple[float, float],
    method: str,
) -> List[Tuple[float, float]]: ...
def solve(
    composition: str, unknown: str, event: Optional[int], epsilon: float, delta: float, method: str
) -> float: ...
def law(
    draws: Sequence[float],
    name: Optional[str],
    below: Optional[Callable[[List[float]], List[float]]],
    is_discrete: bool,
    alpha: float,
) -> str: ...
def verify(
    paths: str,
    pairs: Sequence[Tuple[List[float], List[float]]],
    relation: str,
    far: float,
    epsilon: float,
    delta: float,
) -> str: ...
