"""Functions that take all their noise from `draws`: the noise of their runs, and proofs of their claims."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._calls import callable_


class Proof(NamedTuple):
    """A claim of (ε, δ), proved, refuted or undecided, for the code with its noise as real numbers.

    * `decision`: `"verified"`, `"refuted"` or `"undecided"`.
    * `covers_relation`: True if it covers all lists of this length that are neighbors, False if only the given pairs.
    * `epsilon`: bounds on ε at the claim's delta, each at least 0, the second None if it may be infinite.
    * `delta`: bounds on delta at the claim's ε, from 0 to 1.
    * `paths`: the number of paths of the function.
    * `statement`: all of this in words. `report`: the fields of a proof in a report (docs/report.md).
    """

    decision: str
    covers_relation: bool
    epsilon: Tuple[float, Optional[float]]
    delta: Tuple[float, float]
    paths: int
    statement: str
    report: Dict[str, Any]

    def __str__(self) -> str:
        return self.statement


class Draws:
    """Noise of a function that is run. `verify` passes an object with the same methods, whose numbers it follows.

    `source` is a `random.Random`, or an object with its methods `random`, `expovariate` and `gauss`; without it the
    system's random bits are used. Each method returns one number, and raises ValueError for a scale that is not above
    0 and finite.
    """

    def __init__(self, source: Any = None) -> None:
        self._source = random.SystemRandom() if source is None else source

    def laplace(self, scale: float) -> float:
        """Laplace noise of density e^(-|x|/scale)/(2 scale)."""
        return _scale(scale) * (self._source.expovariate(1.0) - self._source.expovariate(1.0))

    def exponential(self, scale: float) -> float:
        """Exponential noise of density e^(-x/scale)/scale on x >= 0."""
        return _scale(scale) * self._source.expovariate(1.0)

    def gumbel(self, scale: float) -> float:
        """Gumbel noise of distribution function e^(-e^(-x/scale))."""
        return -_scale(scale) * math.log(self._source.expovariate(1.0) or 5e-324)

    def gaussian(self, sigma: float) -> float:
        """Gaussian noise of standard deviation sigma."""
        return _scale(sigma) * self._source.gauss(0.0, 1.0)

    def uniform(self) -> float:
        """A number uniform between 0 and 1."""
        return float(self._source.random())

    def argmax(self, numbers: Sequence[Any]) -> int:
        """The index of the largest number, the first of several. Raises ValueError for an empty list."""
        return max(range(len(numbers)), key=lambda at: (numbers[at], -at))


def _scale(scale: float) -> float:
    found = float(scale)
    if not 0.0 < found < math.inf:
        raise ValueError("noise of scale %r: it is above 0 and finite" % scale)
    return found


def verify(
    function: Callable[..., Any],
    d: Optional[Sequence[float]] = None,
    d_prime: Optional[Sequence[float]] = None,
    *,
    pairs: Optional[Sequence[Tuple[Sequence[float], Sequence[float]]]] = None,
    relation: Union[str, Dict[str, float]] = "histogram",
    epsilon: float,
    delta: float = 0.0,
) -> Proof:
    """Proves or refutes that a function of answers and draws is (ε, δ)-private, without running it on random noise.

    `function(answers, draws)` takes a list of exact answers and all its noise from `draws`: `draws.laplace(scale)`,
    `exponential`, `gumbel`, `gaussian`, `uniform`, and `draws.argmax(numbers)`. It adds, subtracts, compares, and
    multiplies by known numbers; loops, lists, `max`, `sorted` and numpy arrays of such numbers are as always. Its
    outcome is a number, text, boolean, None or a member of an Enum, or lists, tuples, dictionaries and numpy arrays of
    these. `audit` runs the same function: its second parameter is called `draws`.

    * `d`, `d_prime`, or `pairs`: lists of finite numbers, all of one length, that are neighbors. A proof for all
      neighbors covers all lists of that length; on the pairs the probabilities of outcomes are computed, which may
      refute the claim. With `d` alone neighbors of it are tried: each answer may be moved up and down.
    * `relation`: the distance of neighbors: `{"linf": x}`, each answer changes by at most x; `{"l1": x}` and
      `{"l2": x}`, the changes have at most this norm; or `"histogram"`, one answer changes by at most 1.
    * `epsilon`, `delta`: the claim, epsilon at least 0 and delta from 0 to 1.

    Returns a `Proof`. Its noise is real numbers: what doubles leak in their lowest bits is not covered.

    What it takes for granted, as it cannot see it:

    * The function does with a number of the proof what it does with a float. Most else is refused, but not what depends
      on `type(number)`, `is`, `id()`, `default` of `json.dumps`, or the type `object` of arrays and tables of such
      numbers, of which libraries also make something else or an exception (`numeric_only=True`, `numpy.save`). A caught
      exception of code that cannot take the number is refused, except in a thread that was started before.
    * Memory and noise that is not of `draws` show in a few runs. Each path is followed twice, and eight times if there
      are at most 64. On Linux 64 of them are also followed in a fork of the process, where the function was not called
      before. A counter that turns after 100 runs, `secrets.randbelow(1000) == 0`, a clock and a file are not seen, nor,
      without forks, everything that is remembered for good.
    * An observer of the outcome sees its values: not their identity, or the larger array that an array is a part of.

    Raises ValueError for an invalid claim or relation, for pairs that are not neighbors, for a function with more than
    20 000 paths or 1 000 000 draws and branches, for one that does with a number what a proof cannot follow (`float()`,
    a product of two unknowns, answers compared for equality, text of a number), even if the function catches that
    error, for one with other noise or a memory, and for one that raises an exception on a path or divides by 0.
    """
    from . import _native
    from ._followed import paths

    if (pairs is None) == (d is None) or (d is None and d_prime is not None):
        raise ValueError("verify: give d, or d and d_prime, or pairs: lists of numbers")
    given = [(d, d if d_prime is None else d_prime)] if pairs is None else list(pairs)
    form, far = ("histogram", 1.0) if relation == "histogram" else _distance(relation)
    lists = [(_numbers(one), _numbers(other)) for one, other in given]
    lengths = {len(side) for pair in lists for side in pair}
    if not lists:
        raise ValueError("verify: pairs are empty")
    if len(lengths) != 1:
        raise ValueError("verify: the lists have different lengths: %s" % sorted(lengths))
    for pair in lists:
        _check_neighbors(pair, form, far)
    followed = paths(callable_(function, False), lengths.pop())
    found = json.loads(_native.verify(json.dumps(followed), lists, form, far, float(epsilon), float(delta)))
    bracket, at = found["epsilon"], found["delta"]
    return Proof(
        found["decision"],
        found["covers_relation"],
        (bracket["lower"], bracket["upper"]),
        (at["lower"], at["upper"]),
        len(followed),
        found["statement"],
        found,
    )


def _numbers(side: Any) -> List[float]:
    if side is None or isinstance(side, (str, bytes, dict)):
        raise ValueError("verify: %r is not a list of numbers" % (side,))
    found = [float(x) for x in side]
    if not all(map(math.isfinite, found)):
        raise ValueError("verify: a list has a number that is not finite: %s" % found)
    return found


def _check_neighbors(pair: Tuple[List[float], List[float]], form: str, far: float) -> None:
    """A correct mechanism would be refuted on lists that are further apart."""
    moved = [abs(Fraction(a) - Fraction(b)) for a, b in zip(*pair)]
    # The last bits of a decimal number may be above the distance.
    most = Fraction(far) * (1 + Fraction(1, 10**13))
    near = {
        "linf": max(moved, default=Fraction(0)) <= most,
        "l1": sum(moved) <= most,
        "l2": sum(x * x for x in moved) <= most * most,
        "histogram": sum(moved) <= most and sum(x > 0 for x in moved) <= 1,
    }
    if not near[form]:
        named = form if form == "histogram" else '{"%s": %s}' % (form, far)
        raise ValueError("verify: the lists %s and %s are not neighbors under %s" % (*pair, named))


def _distance(relation: Any) -> Tuple[str, float]:
    if isinstance(relation, dict) and len(relation) == 1:
        ((form, far),) = relation.items()
        if form in ("l1", "l2", "linf") and hasattr(far, "__float__") and 0 < far < math.inf:
            return form, float(far)
    raise ValueError('verify: relation is %r: use {"linf": 1.0}, {"l1": 1.0}, {"l2": 1.0} or "histogram"' % (relation,))
