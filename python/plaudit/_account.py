"""Compositions: their privacy loss, what attacks on them reach, and values that meet a target."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple


class _Ends(NamedTuple):
    lower: float
    upper: float


class Bracket(_Ends):
    """Two bounds, `lower` and `upper`, that a number lies between. Unpacks like a tuple of the two, and equals it.

    `relation` has in words which datasets are neighbors.
    """

    relation: str = ""

    def __new__(cls, lower: float, upper: float, relation: str = "") -> Bracket:
        bracket = super().__new__(cls, lower, upper)
        bracket.relation = relation
        return bracket

    def __repr__(self) -> str:
        return "Bracket(lower=%r, upper=%r, relation=%r)" % (self.lower, self.upper, self.relation)


def account(
    composition: Any,
    *,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    false_positives: Optional[float] = None,
    method: str = "pld",
    relation: Optional[str] = None,
) -> Bracket:
    """Privacy loss of a composition: a bracket of epsilon at `delta`, of delta at `epsilon`, or of the highest
    true-positive rate of any attack at `false_positives`.

    * `composition`: `"gaussian(sigma=1) x 1000 @ poisson(0.01)"` (docs/accountant.md has the language), or a `DpEvent`
      of dp-accounting (docs/python-libraries.md has a table of them).
    * `epsilon`: at least 0. `delta`: from 0 to 1. `false_positives`: a false-positive rate, from 0 to 1.
    * `method`: `"pld"` for a bracket from both sides; `"rdp"`, `"gdp"`, `"basic"`, `"advanced"` and `"advanced-short"`
      give upper bounds, with 0 below.
    * `relation`: `"add-remove"` (neighbors have one row more or less) or `"substitution"` (one row replaced; the
      REPLACE_ONE of dp-accounting). Left out, it is the one that the samples need, and for events of dp-accounting
      whose answer depends on it, `"add-remove"`. The `relation` of the result names it.

    Gaussian and Laplace events of dp-accounting have their noise in units of the norm C that rows are clipped to. A row
    more or less moves the sum by C, a replaced one by up to 2C: the sensitivity is doubled then. In an expression the
    sensitivity is stated, and stays as it is.

    An event that has no expression of its own, but one that bounds it from above, has 0 below.

    Raises TypeError unless just one of `delta`, `epsilon` and `false_positives` is given, and ValueError if the
    composition cannot be read or not accounted for, or needs another relation.
    """
    from . import _native

    given = [value for value in (epsilon, delta, false_positives) if value is not None]
    if len(given) != 1:
        raise TypeError(
            "account takes one of delta (and gives epsilon), epsilon (and gives delta) and false_positives (and gives "
            "the true-positive rate)"
        )
    if false_positives is not None:
        _check_rates((false_positives,))
    expression, words, is_exact = _read(composition, relation)
    lower, upper = _native.account(expression, epsilon, delta, false_positives, method)
    return Bracket(lower if is_exact else 0.0, upper, words)


class Attack(NamedTuple):
    """Success of the best attacks on a composition, which test one dataset against its neighbor.

    * `advantage`: the largest difference between the true- and the false-positive rate, which is delta at epsilon 0.
    * `mu`: the smallest mu such that no attack in the range of false-positive rates does better than on mu-GDP.
    * `success`: the largest probability of a right guess which of the two datasets was used.
    * `true_positives`: the highest true-positive rate, by false-positive rate.
    """

    advantage: Bracket
    mu: Bracket
    success: Bracket
    true_positives: Dict[float, Bracket]


def attack(
    composition: Any,
    *,
    prior: float = 0.5,
    false_positives: Sequence[float] = (1e-4, 1e-3, 1e-2, 0.1),
    mu_range: Tuple[float, float] = (0.005, 0.5),
    method: str = "pld",
    relation: Optional[str] = None,
) -> Attack:
    """Success of the best attacks on a composition, each as a bracket.

    * `prior`: probability that an attacker gives one of the two datasets beforehand, above 0 and below 1.
    * `false_positives`: rates for `true_positives`, from 0 to 1. At a rate of κ it is also the success of a
      reconstruction whose best blind guess succeeds with probability κ (Hayes, Mahloujifar, Balle 2023).
    * `mu_range`: false-positive rates for `mu`, the least and the most, above 0 and below 1.
    * `composition`, `method` and `relation`: as in `account`.

    Raises ValueError for a number outside its range, and as `account` does.
    """
    from . import _native

    _check_rates(false_positives)
    if not 0.0 < prior < 1.0:
        raise ValueError("prior is above 0 and below 1, and not %r" % (prior,))
    if not 0.0 < mu_range[0] <= mu_range[1] < 1.0:
        raise ValueError("mu_range is a least and a most rate above 0 and below 1, and not %r" % (mu_range,))
    expression, words, is_exact = _read(composition, relation)
    found = _native.attack(expression, prior, list(false_positives), (mu_range[0], mu_range[1]), method)
    advantage, mu, success, *rates = [Bracket(lower if is_exact else 0.0, upper, words) for lower, upper in found]
    return Attack(advantage, mu, success, dict(zip(false_positives, rates)))


def solve(
    composition: str,
    unknown: str,
    *,
    epsilon: float,
    delta: float,
    event: Optional[int] = None,
    method: str = "pld",
) -> float:
    """The value of one number of a composition that meets `epsilon` and `delta`, in place of the one that is given.

    * `composition`: an expression, as in `account`.
    * `unknown`: `"sigma"`, the smallest of all gaussian and discrete-gaussian events, or `"scale"`, the smallest of all
      laplace and discrete-laplace events, both per unit of sensitivity; `"rate"`, the largest of all samples; or
      `"count"`, the largest number of uses of an event, which is an int.
    * `event`: for `"count"`, the place of the event in the expression, from 0; needed if it has several.
    * `method`: as in `account`; the upper bound meets the target.

    Raises ValueError if no value meets the target, no event has such a number, or the composition cannot be read.
    """
    from . import _native

    if not isinstance(composition, str):
        raise TypeError("solve takes an expression, such as gaussian(sigma=1) x 10: write the event as one")
    if event is not None and event < 0:
        raise ValueError("event is a place from 0, and not %r" % (event,))
    value = _native.solve(composition, unknown, event, epsilon, delta, method)
    return int(value) if unknown == "count" else value


def _check_rates(rates: Sequence[float]) -> None:
    for rate in rates:
        if not 0.0 <= rate <= 1.0:
            raise ValueError("a false-positive rate is from 0 to 1, and not %r" % (rate,))


def _read(composition: Any, relation: Optional[str]) -> Tuple[str, str, bool]:
    """The expression of a composition, its relation in words, and whether the expression is exact."""
    from ._events import check_relation, reading_of, relation_of_expression

    check_relation(relation)
    if isinstance(composition, str):
        return composition, relation_of_expression(composition, relation), True
    return reading_of(composition, relation)
