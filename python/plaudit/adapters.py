"""What other libraries claim of their own mechanisms, and their ways to write compositions."""

from __future__ import annotations

from typing import Any, Callable, Optional

from . import _of_diffprivlib, _of_events, _of_opacus, _of_opendp
from ._api import audit
from ._events import composition_of
from ._expressions import to_dp_event
from ._result import Result

__all__ = ["check", "composition_of", "to_dp_event"]

_CLAIM = ("epsilon", "mu", "rho", "claim")


def check(
    measurement: Any,
    d: Any,
    d_prime: Any = None,
    *,
    d_in: Any = None,
    delta: Optional[float] = None,
    outcome: Optional[Callable[[Any], Any]] = None,
    **options: Any,
) -> Result:
    """Audits a library's claim about one of its mechanisms, on two datasets.

    An opendp `Measurement`, or a query of a `Context` (on these datasets, and not on the context's data): the claim is
    the value of its map at `d_in`, by default at the distance between the datasets: an epsilon, a rho, or an epsilon
    and a delta. Where the map gives a whole privacy profile, the claim is its epsilon at `delta`, 1e-6 if left out.
    A mechanism of diffprivlib: the claim is its epsilon and delta; d and d' are values to randomise, at most its
    sensitivity apart.
    A tool of diffprivlib, such as `functools.partial(mean, epsilon=1.0, bounds=(0, 1))`: the claim is its epsilon.
    A model of diffprivlib: the claim is its epsilon; d and d' are (X, y), or X for a model without labels. Each run
    fits a fresh clone. The outcome is its coefficients, means, variances or centers, or what `outcome(model)` returns.
    A `DPOptimizer` of opacus: the claim is Gaussian DP by its noise multiplier; d and d' are lists of rows, the
    gradients of one example each. A run clips, sums and adds noise; its numbers are single-precision, so give
    `floats="rounded"` and a `grid` to audit their values alone.
    Any other callable with a `dp_event` of dp-accounting: the claim is the accountant's epsilon at `delta`, 1e-6 if
    left out.

    Without `d_prime`, neighbors of `d` are made: with one row less, or a row replaced, as the library defines
    neighbors (for models and tools but histograms: replaced, so that both have the same number of rows), or a number
    that is larger by `d_in` or by the sensitivity. `outcome`: a function that returns the visible part of a release.
    The other options are those of `audit`, which also finds defects of floating-point noise; the libraries take their
    noise from the system, so a seed does not reproduce it.

    `plaudit check MODULE:NAME` does the same on the command line.

    Raises TypeError for anything else, and ValueError for a claim that cannot be read and datasets too far apart.
    """
    stated = [name for name in _CLAIM if name in options]
    if stated:
        raise TypeError("check takes the claim from the library: use audit to test another %s" % stated[0])
    if d_in is not None and not _of_opendp.is_opendp(measurement):
        raise TypeError("d_in is for measurements of opendp")
    if _of_opendp.is_opendp(measurement):
        prepared = _of_opendp.prepare(measurement, d, d_prime, d_in, delta)
    elif _of_diffprivlib.is_diffprivlib(measurement):
        if delta is not None:
            raise TypeError("delta is for measurements of opendp and events: diffprivlib states its own")
        prepared = _of_diffprivlib.prepare(measurement, d, d_prime, outcome is not None)
    elif _of_opacus.is_opacus(measurement):
        prepared = _of_opacus.prepare(measurement, d, d_prime)
    elif _of_events.states_event(measurement):
        prepared = _of_events.prepare(measurement, d, d_prime, delta, options.get("relation"))
    else:
        raise TypeError(
            "check knows measurements of opendp, and mechanisms and models of diffprivlib, its tools, optimizers of "
            "opacus, and callables with a dp_event, and this is a %s.%s: give audit a function that calls it"
            % (type(measurement).__module__, type(measurement).__qualname__)
        )
    if outcome is not None:
        prepared.release.outcome = outcome
    options.setdefault("name", prepared.release.__qualname__)
    options.setdefault("relation", prepared.relation)
    return audit(prepared.release, pairs=prepared.pairs, claim=prepared.claim, **options)
