"""Pairs of neighbors from Hypothesis strategies."""

from __future__ import annotations

import copy
import inspect
import time
from random import Random
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from ._calls import NOTHING, generator, randomness
from ._dataset import shown

Pair = Tuple[Any, Any]

EXAMPLES = 48
KEPT = 16
_PILOT_RUNS = 1000
_FEWEST_RUNS = 100
_PILOT_ALPHA = 0.05
_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}


def examples(strategy: Any, count: int, seed: int) -> List[Any]:
    """So many examples of a strategy, the same for the same seed."""
    try:
        import hypothesis
    except ImportError:
        raise ImportError("a search over a strategy needs Hypothesis: pip install hypothesis") from None
    if not isinstance(strategy, hypothesis.strategies.SearchStrategy):
        raise TypeError(
            "strategy=%r is no Hypothesis strategy; st.lists(st.floats(0, 1), min_size=1) is one" % (strategy,)
        )
    found: List[Any] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        database=None,
        derandomize=True,
        max_examples=count,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
        deadline=None,
    )
    @hypothesis.given(strategy)
    def collect(example: Any) -> None:
        found.append(example)

    try:
        collect()
    except hypothesis.errors.Unsatisfiable:
        raise ValueError("the strategy %r has no examples" % (strategy,)) from None
    return found[:count]


def pairs(strategy: Any, neighbor: Callable[..., Any], count: int, seed: int) -> List[Pair]:
    """Examples and their neighbors, without those that are equal and without pairs that occur twice."""
    if not callable(neighbor):
        raise TypeError("neighbor is a function of a dataset, and this is a %s" % type(neighbor).__name__)
    kind = randomness(neighbor, ("draw",))
    made: Dict[Tuple[str, str], Pair] = {}
    for at, d in enumerate(examples(strategy, count, seed)):
        # A neighbor that is made in place must not change the example.
        own = copy.deepcopy(d)
        draws = Random("%d %d" % (seed, at)).getrandbits(63)
        d_prime = neighbor(own) if kind == NOTHING else neighbor(own, generator(kind, draws))
        if inspect.isgenerator(d_prime):
            raise TypeError("neighbor must return one dataset, and it returned a generator")
        label = (shown(d).key(), shown(d_prime).key())
        if d_prime is not None and label[0] != label[1]:
            made.setdefault(label, (d, d_prime))
    if not made:
        raise ValueError("neighbor gave the dataset itself, or None, for all examples of the strategy")
    return list(made.values())


def most_telling(
    found: List[Pair],
    audit: Callable[..., Any],
    trials: Union[int, str],
    seed: int,
    now: Callable[[], float] = time.monotonic,
) -> List[Pair]:
    """The pairs that tell most in pilots, which have seeds of their own: what they find decides which pairs are
    audited, and nothing else. `audit(pair, trials=…, alpha=…, seed=…)` runs a pilot."""
    if len(found) <= KEPT:
        return found
    runs, until = _PILOT_RUNS, None
    if isinstance(trials, str):
        seconds = _seconds(trials)
        until = None if seconds is None else now() + seconds / 4
    else:
        runs = max(_FEWEST_RUNS, min(runs, trials // len(found)))
    draw = Random("pilots %d" % seed)
    order = list(range(len(found)))
    draw.shuffle(order)
    ranked: List[Tuple[float, float, int]] = []
    for at in order:
        if until is not None and now() > until and len(ranked) >= KEPT:
            break
        pilot = audit(found[at], trials=runs, alpha=_PILOT_ALPHA, seed=draw.getrandbits(32))
        ranked.append((-pilot.epsilon_lower, pilot.p_value, at))
    return [found[at] for _, _, at in sorted(ranked)[:KEPT]]


def _seconds(words: str) -> Optional[float]:
    """The seconds of a time such as "30 s"; None if it is none, which the audit says itself."""
    number = words.rstrip("abcdefghijklmnopqrstuvwxyz")
    unit = _UNITS.get(words[len(number) :])
    try:
        return None if unit is None else float(number) * unit
    except ValueError:
        return None
