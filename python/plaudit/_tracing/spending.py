"""What the draws of a run cost together, and the lines to blame if that is more than the claim."""

from __future__ import annotations

import functools
import math
from typing import Any, Dict, List, Optional, Tuple

from . import diagnosis, laws
from .diagnosis import Difference
from .outcomes import shown
from .record import Branch, Recorder, Sum

_TOLERANCES = (1e-6, 0.25)
"""How much more than the claim a loss may be: of noise of known laws, and of a law that is drawn."""


def spent(
    moved: List[diagnosis.Moved],
    costs: List[Any],
    flipped: List[Tuple[Branch, float, bool]],
    claim: Any,
    runs: Tuple[Recorder, Recorder],
) -> Tuple[Optional[Dict[str, float]], bool, List[Difference]]:
    """What the draws cost by composition, and the lines to blame if that is more than the claim."""
    epsilon, delta, mu, rho = claim
    if mu is not None:
        claimed_mu: Optional[float] = mu
    else:
        claimed_mu = None if rho is None else math.sqrt(2 * rho)
    # Decisions that follow each other are one release; those of several entries are counted as one, too.
    turned = max((odds for _, odds, _ in flipped), default=0.0)
    pure, square, known = turned, 0.0, True
    decides = [one for one in moved if one.decides]
    added = [one for one in moved if not one.decides]
    joint = joint_mu(*runs)
    for one in added:
        pure += one.loss.epsilon
        square += one.loss.mu**2 if joint is None or not _is_gaussian(one.use.sum) else 0.0
        known = known and not (one.loss.epsilon == one.loss.mu == 0)
    for _, _, _, price in costs:
        known = known and price is not None
        pure += price or 0.0
    square += 0.0 if joint is None else joint**2
    hidden = sum(one.loss.largest for one in decides)
    gauss = math.sqrt(square)
    total = {"epsilon": pure + hidden, "mu": gauss}
    limit = epsilon
    exceeds = False
    exact = all(one.loss.exact for one in moved) and all(exact for *_, exact in flipped)
    slack = 1 + (_TOLERANCES[0] if exact else _TOLERANCES[1])
    if epsilon is not None:
        certain = pure
        if delta > 0:
            certain = _accounted(added, [price for *_, price in costs] + [turned], gauss, delta, epsilon)
        exceeds = certain > epsilon * slack or any(one.loss.largest > epsilon * slack for one in decides)
        exceeds = exceeds or bool(gauss and delta == 0)
    elif claimed_mu is not None:
        exceeds = gauss > claimed_mu * slack or (pure > 0 and math.isinf(pure))
        limit = None
    losses: List[Difference] = []
    if exceeds:
        losses = _blamed(moved, costs, flipped, limit if limit is not None else claimed_mu or 0.0, delta)
    return (total if known else None), bool(decides), losses


def _is_gaussian(sum: Sum) -> bool:
    """True for a number whose noise is Gaussian draws."""
    found = [laws.of_variable(term.variable, term.coefficient) for term in sum.terms]
    return not getattr(sum.base, "ndim", None) and all(law is not None and law.kind == "gaussian" for law in found)


def joint_mu(one: Recorder, other: Recorder) -> Optional[float]:
    """The mu of all numbers under Gaussian noise together, where draws are in several of them, as in a tree: the
    smallest shift of the draws, in standard deviations, that moves each number as it moves. None where each has its
    own draws, or where no shift does it."""
    import sys

    rows = []
    columns: Dict[Any, int] = {}
    often = 0
    for number, use in one.uses.items():
        twin = other.uses.get(number)
        inner = number in one.inner and number not in one.released
        if (
            twin is None
            or use.kind != "sum"
            or inner
            or not _is_gaussian(use.sum)
            or getattr(twin.sum.base, "ndim", None)
        ):
            continue
        row: Dict[int, float] = {}
        for term in use.sum.terms:
            law = laws.of_variable(term.variable, term.coefficient)
            size = 0.0 if law is None or getattr(law.size, "ndim", None) else float(law.size)
            key = (term.variable.id, term.index)
            often += key in columns
            row[columns.setdefault(key, len(columns))] = math.copysign(size, term.coefficient)
        rows.append((row, float(twin.sum.base) - float(use.sum.base)))
    numpy = sys.modules.get("numpy")
    if not often or numpy is None or len(rows) > 600 or not any(shift for _, shift in rows):
        return None
    matrix, shifts = numpy.zeros((len(rows), len(columns))), numpy.zeros(len(rows))
    for i, (row, shift) in enumerate(rows):
        shifts[i] = shift
        for j, size in row.items():
            matrix[i, j] = size
    found = numpy.linalg.lstsq(matrix, shifts, rcond=None)[0]
    if not numpy.allclose(matrix @ found, shifts, rtol=1e-6, atol=1e-9):
        return None
    return float(numpy.linalg.norm(found))


def _accounted(
    added: List[diagnosis.Moved], prices: List[Optional[float]], mu: float, delta: float, claimed: float
) -> float:
    """The epsilon at delta of all losses, at least: by the accountant, or that of the largest loss alone without it."""
    ratios = [one.loss.epsilon for one in added if one.loss.epsilon] + [price for price in prices if price]
    if any(math.isinf(ratio) for ratio in ratios):
        return math.inf
    alone = [laws.gaussian_epsilon(mu, delta), *(_laplace_epsilon(ratio, delta) for ratio in ratios)]
    counts: Dict[str, int] = {}
    for ratio in ratios:
        counts["%.9g" % (1 / ratio)] = counts.get("%.9g" % (1 / ratio), 0) + 1
    terms = ["laplace(scale=%s) x %d" % pair for pair in counts.items()]
    terms += ["gaussian(sigma=%.12g)" % (1 / mu)] if mu else []
    if sum(ratios) + alone[0] <= claimed or len(counts) > 64:
        return max(alone)
    return max([_by_accountant(" + ".join(terms), delta), *alone])


@functools.lru_cache(maxsize=256)
def _by_accountant(composition: str, delta: float) -> float:
    """The lower end of its epsilon; 0 without the engine."""
    try:
        from .._account import account

        return account(composition, delta=delta).lower
    except (ImportError, ValueError):
        return 0.0


def _laplace_epsilon(ratio: float, delta: float) -> float:
    """The epsilon at delta of Laplace noise whose value moves by `ratio` scales."""
    return max(0.0, ratio + 2 * math.log1p(-delta))


def _blamed(
    moved: List[diagnosis.Moved],
    costs: List[Any],
    flipped: List[Tuple[Branch, float, bool]],
    limit: float,
    delta: float,
) -> List[Difference]:
    """The lines of the losses: those that alone are more than the claim, or else all."""
    found: List[Tuple[float, Difference]] = []
    for one in moved:
        price = one.loss.epsilon if one.loss.epsilon else one.loss.mu
        whole = one.loss.epsilon + (laws.gaussian_epsilon(one.loss.mu, delta) if one.loss.mu else 0.0)
        shift = shown(_norm(one.shift, bool(one.loss.mu)))
        words = "a value moves by %s under %s: %s" % (
            shift,
            one.loss.words,
            "mu %.4g" % one.loss.mu if one.loss.mu else "epsilon %s" % shown(price),
        )
        found.append(
            (
                price,
                diagnosis.difference(
                    "loss",
                    one.use.site,
                    words,
                    one.use.sum.base,
                    one.twin.sum.base,
                    False,
                    whole,
                    diagnosis.sources(one.use.site, one.use.seen, one.twin.seen),
                ),
            )
        )
    for call, twin, shift, price in costs:
        if price is None:
            continue
        moved_by = "" if math.isnan(shift) else " on a value that moves by %s" % shown(shift)
        words = "%s spends epsilon %.4g%s" % (call.name, price, moved_by)
        found.append(
            (
                price,
                diagnosis.difference(
                    "loss",
                    call.site,
                    words,
                    call.value,
                    twin.value,
                    False,
                    price,
                    diagnosis.sources(call.site, call.seen, twin.seen),
                ),
            )
        )
    for branch, price, _ in flipped:
        words = "a decision by noise: its odds cost epsilon %s" % shown(price)
        found.append(
            (price, diagnosis.difference("loss", branch.site, words, branch.value, not branch.value, False, price))
        )
    alone = [pair for pair in found if pair[0] > limit * (1 + 1e-6)]
    return [one for _, one in sorted(alone or found, key=lambda pair: -pair[0])][:8]


def _norm(shift: Any, squares: bool) -> float:
    flat = [float(one) for one in shift.reshape(-1)] if hasattr(shift, "reshape") else [float(shift)]
    return math.sqrt(math.fsum(one * one for one in flat)) if squares else math.fsum(abs(one) for one in flat)
