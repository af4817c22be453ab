"""From two runs with the same noise to what is wrong, and where."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Dict, List, Optional, Tuple

from . import laws, source
from .of_programs import Program
from .of_users import Utilities
from .outcomes import MISSING, Path, place, shown
from .record import Foreign, Recorder, Site, Sum, Use


@dataclasses.dataclass(frozen=True)
class Line:
    """A line that has to do with a difference, and the value of `name` there on D and on D'."""

    file: str
    line: int
    text: str
    name: str = ""
    on_d: str = ""
    on_d_prime: str = ""


@dataclasses.dataclass(frozen=True)
class Difference:
    """A difference between the runs on D and on D' that noise does not explain.

    * `kind`: `data` (data in the outcome without noise), `sensitivity` (a value moves further than was declared),
      `loss` (the noise is smaller than the claim needs), `scale` (parameters of noise come from the data), `reused`
      (one draw in two places), `seed` (the noise is known), `exception` or `keys` (only one dataset has it).
    * `exact`: the difference is a counterexample by itself. Otherwise the audit decides.
    * `file`, `line`: the line, and `lines`: more lines, from which its values come.
    * `words`: the difference in words. `epsilon`: what it costs, None if not known.
    """

    kind: str
    file: str
    line: int
    text: str
    words: str
    rule: str
    on_d: str
    on_d_prime: str
    exact: bool
    epsilon: Optional[float]
    lines: Tuple[Line, ...] = ()

    @property
    def where(self) -> str:
        """The file and the line; of a program whose line is not known, the file."""
        return "%s:%d" % (self.file, self.line) if self.line else self.file

    def __str__(self) -> str:
        found = ["%s: %s" % (self.where, self.words)] + ["    %s" % self.text] * bool(self.text)
        for one in self.lines:
            values = "" if not one.on_d else "  %s: %s on D, %s on D'" % (one.name, one.on_d, one.on_d_prime)
            found.append("    from line %d: %s%s" % (one.line, one.text, values))
        return "\n".join(found)


_RULES = {
    "data": "what is released without noise has no privacy",
    "keys": "which keys, rows or draws there are is data, too",
    "scale": "the scale of noise is visible in its size: it must not depend on the data",
    "reused": "a draw hides one value: of two values, their difference is visible",
    "seed": "noise that everybody can compute again hides nothing",
    "sensitivity": "noise is for the sensitivity that it was told",
    "loss": "losses of releases add up, and noise of scale b that hides a move of s costs s/b",
    "exception": "an exception is an outcome, too",
}


def difference(
    kind: str,
    site: Site,
    words: str,
    on_d: Any,
    on_d_prime: Any,
    exact: bool,
    epsilon: Optional[float] = None,
    lines: Tuple[Line, ...] = (),
) -> Difference:
    return Difference(
        kind,
        source.named(site.file),
        site.line,
        source.line(site),
        words,
        _RULES[kind],
        shown(on_d),
        shown(on_d_prime),
        exact,
        epsilon,
        lines,
    )


def sources(site: Site, here: Dict[str, Any], there: Dict[str, Any]) -> Tuple[Line, ...]:
    """The lines that set the names of a line, where their values differ; at most four, the last first."""
    found: List[Line] = []
    names, done = source.names_in(site), set()
    for _ in range(3):
        for name, number in source.assignments(site, names):
            if (name, number) in done or number == site.line or len(found) >= 4:
                continue
            done.add((name, number))
            left, right = here.get(name), there.get(name)
            where = Site(site.file, number, site.function)
            if name in here and name in there:
                if shown(left) == shown(right):
                    continue
                found.append(Line(source.named(site.file), number, source.line(where), name, shown(left), shown(right)))
            else:
                found.append(Line(source.named(site.file), number, source.line(where), name))
            names = names | source.names_in(where)
    return tuple(found)


def of_seeds(seeds: List[Tuple[Site, str, Any]]) -> List[Difference]:
    found = []
    for site, name, seed in seeds:
        words = "%s is seeded with %s, the same in each run" % (name, shown(seed))
        found.append(difference("seed", site, words, seed, seed, True, math.inf))
    return found


def adaptive(one: Recorder, other: Recorder) -> List[Site]:
    """Lines at which noise seems to be reused or scaled by data, and may be that of a release, on which data depends
    rightly: the runs are repeated with such a release as a number like others."""
    found = []
    for number, use in one.uses.items():
        twin = other.uses.get(number)
        if use.public and twin is not None and use.kind != "combine":
            found.append((use, twin))
    sites = {
        use.site
        for use, twin in found
        if any(not _equal(a.coefficient, b.coefficient) for a, b in zip(use.sum.terms, twin.sum.terms))
    }
    lines = {(named.file, named.line) for named in of_reuse(one, other)}
    sites |= {use.site for use, _ in found if (source.named(use.site.file), use.site.line) in lines}
    return sorted(sites)


def of_scales(one: Recorder, other: Recorder) -> List[Difference]:
    """Draws whose parameters differ, and noise that is multiplied by different numbers."""
    found: Dict[Tuple[str, int, str], Difference] = {}
    for number, draw in one.draws.items():
        twin = other.draws.get(number)
        if twin is None or draw.family in ("choice", "binomial", "bernoulli", "multinomial", "binomialvariate"):
            continue
        for name in draw.parameters:
            left, right = draw.parameters[name], twin.parameters.get(name)
            if right is None or _equal(left, right) or name == "items":
                continue
            words = "the parameter %s of %s depends on the data: %s on D, %s on D'" % (
                name,
                draw.family,
                shown(left),
                shown(right),
            )
            lines = sources(draw.site, {}, {})
            found.setdefault(
                (draw.site.file, draw.site.line, name),
                difference("scale", draw.site, words, left, right, True, math.inf, lines),
            )
    for use_id, use in one.uses.items():
        twin_use = other.uses.get(use_id)
        if use.kind == "combine" or twin_use is None:
            continue
        for left_term, right_term in zip(use.sum.terms, twin_use.sum.terms):
            left, right = left_term.coefficient, right_term.coefficient
            if _equal(left, right):
                continue
            words = "the noise is multiplied by a number from the data: %s on D, %s on D'" % (shown(left), shown(right))
            found.setdefault(
                (use.site.file, use.site.line, "*"),
                difference(
                    "scale", use.site, words, left, right, True, math.inf, sources(use.site, use.seen, twin_use.seen)
                ),
            )
            break
    return list(found.values())[:8]


def _equal(one: Any, other: Any) -> bool:
    try:
        if hasattr(one, "shape") or hasattr(other, "shape"):
            import numpy

            return bool(numpy.shape(one) == numpy.shape(other) and numpy.allclose(one, other, rtol=1e-9, atol=0))
        return bool(one == other) or math.isclose(one, other, rel_tol=1e-9)
    except TypeError:
        return bool(one == other)


@dataclasses.dataclass
class Moved:
    """A value that moves under noise."""

    use: Use
    twin: Use
    shift: Any
    decides: bool
    loss: laws.Loss


def moved(one: Recorder, other: Recorder) -> List[Moved]:
    """The values under noise that move from D to D', of the last sum of each."""
    found: Dict[Any, Moved] = {}
    counted = {
        _names(use)
        for number, use in one.uses.items()
        if use.kind == "sum" and (number in one.released or number not in one.inner)
    }
    for number, use in one.uses.items():
        twin = other.uses.get(number)
        if twin is None or use.kind == "combine" or (number in one.inner and number not in one.released):
            continue
        if _shape(use.sum.base) != _shape(twin.sum.base):
            continue
        shift = twin.sum.base - use.sum.base
        if not _moves(shift, use.sum.base, twin.sum.base):
            continue
        if use.kind == "compare" and all(term.variable.family in laws.CHOICES for term in use.sum.terms):
            continue  # A choice among few: which others lead to the same outcome is looked for by itself.
        decides = use.kind == "compare" or (number in one.compared and number not in one.released)
        chance = laws.decision(use.sum, twin.sum) if use.kind == "compare" else None
        if chance is not None:
            loss = laws.Loss(chance, 0.0, chance, True, "one uniform draw")
        elif use.kind == "compare" and _names(use) in counted:
            continue
        else:
            loss = laws.loss(use.sum, shift)
        one_move = Moved(use, twin, shift, decides and chance is None, loss)
        # The noise of several sums moves once.
        key = (_names(use), one_move.decides, chance is None or number)
        if key not in found or _price(found[key]) < _price(one_move):
            found[key] = one_move
    return list(found.values())


def _price(one: Moved) -> float:
    return one.loss.epsilon + one.loss.mu


def _names(use: Use) -> Any:
    """The draws of a sum: one sum is counted for each combination."""
    return tuple(sorted((term.variable.id, -1 if term.index is None else _first(term.index)) for term in use.sum.terms))


def _shape(value: Any) -> Any:
    return getattr(value, "shape", ())


def _moves(shift: Any, one: Any, other: Any) -> bool:
    if hasattr(shift, "any"):
        import numpy

        return bool((~numpy.isclose(one, other, rtol=1e-12, atol=1e-15)).any())
    return not math.isclose(float(one), float(other), rel_tol=1e-12, abs_tol=1e-15)


def of_reuse(one: Recorder, other: Recorder) -> List[Difference]:
    """Draws that would have to move by different amounts at once."""
    shifts: Dict[Any, Tuple[Any, Use]] = {}
    result: Dict[Any, Difference] = {}
    pairs: List[Tuple[Use, Use]] = []
    often: Dict[int, int] = {}
    for number, use in one.uses.items():
        twin = other.uses.get(number)
        if twin is None or use.kind == "combine" or (number in one.inner and number not in one.released):
            continue
        if all(term.variable.family in laws.UNIFORM for term in use.sum.terms):
            continue  # A threshold that anybody may know, with which data is compared.
        if _shape(use.sum.base) != _shape(twin.sum.base):
            continue
        pairs.append((use, twin))
        for term in use.sum.terms:
            often[term.variable.id] = often.get(term.variable.id, 0) + 1
    for use, twin in pairs:
        if _is_alone(use, often):
            continue
        for key, shift in _needed(use.sum, twin.sum):
            before = shifts.setdefault(key, (shift, use))
            if not math.isfinite(shift) or not math.isfinite(before[0]):
                continue
            if math.isclose(before[0], shift, rel_tol=1e-9, abs_tol=1e-9):
                continue
            first = before[1]
            words = "one draw hides values that move by different amounts, %s (line %d) and %s" % (
                shown(-before[0]),
                first.site.line,
                shown(-shift),
            )
            lines = tuple(
                Line(source.named(term.variable.site.file), term.variable.site.line, source.line(term.variable.site))
                for term in use.sum.terms[:1]
            )
            result.setdefault(
                (first.site, use.site), difference("reused", use.site, words, -before[0], -shift, True, math.inf, lines)
            )
    return list(result.values())[:4]


def _is_alone(use: Use, often: Dict[int, int]) -> bool:
    """True if each entry has a draw of its own, which is used here only."""
    for variable, index, _ in use.sum.terms:
        whole = index is None and getattr(variable.value, "size", 1) == getattr(use.sum.base, "size", 1)
        if often[variable.id] == 1 and (whole or isinstance(index, int)):
            return True
    return False


def _needed(sum: Sum, twin: Sum) -> List[Tuple[Any, float]]:
    """The shifts of draws that a sum needs, for the entries of each combination of draws."""
    shift = sum.base - twin.base
    if not getattr(shift, "ndim", 0):
        if not sum.terms:
            return []
        factor = sum.terms[0].coefficient
        if getattr(factor, "ndim", 0) or not factor:
            return []
        key = tuple(sorted((term.variable.id, -1 if term.index is None else _first(term.index)) for term in sum.terms))
        return [(key, float(shift) / float(factor))]
    flat = shift.reshape(-1)
    if flat.size > 100_000 or len(sum.terms) != 1:
        return []
    variable, index, factor = sum.terms[0]
    size = getattr(variable.value, "size", 1)
    if index is None:
        indices = range(flat.size) if size == flat.size else [-1] * flat.size
    else:
        import numpy

        indices = [int(one) for one in numpy.broadcast_to(index, shift.shape).reshape(-1)]
    factors = (
        [float(factor)] * flat.size
        if not getattr(factor, "shape", ())
        else [float(one) for one in __import__("numpy").broadcast_to(factor, shift.shape).reshape(-1)]
    )
    return [(((variable.id, i),), float(one) / f) for i, one, f in zip(indices, flat, factors) if f]


def _first(index: Any) -> int:
    return index if isinstance(index, int) else int(index.reshape(-1)[0]) if index.size else -1


def of_calls(one: Recorder, other: Recorder) -> Tuple[List[Difference], List[Tuple[Any, Any, float, Optional[float]]]]:
    """Mechanisms that were told a smaller sensitivity, and what the calls cost: (call, twin, shift, epsilon)."""
    found: List[Difference] = []
    costs: List[Tuple[Any, Any, float, Optional[float]]] = []
    for number, call in [*one.called.items(), *one.told.items()]:
        twin = other.called.get(number) or other.told.get(number)
        if twin is None:
            continue
        by_map = call.declared.get("map")
        if by_map is not None:
            price = by_map.epsilon(call.value, twin.value)
            if price is None or price > 0:
                costs.append((call, twin, math.nan, price))
            continue
        for name, left in call.declared.items():
            right = twin.declared.get(name)
            if right is not None and not _equal(left, right):
                words = "%s of %s depends on the data: %s on D, %s on D'" % (name, call.name, shown(left), shown(right))
                found.append(
                    difference(
                        "scale", call.site, words, left, right, True, math.inf, sources(call.site, call.seen, twin.seen)
                    )
                )
        shift = distance(call.value, twin.value)
        if isinstance(call.value, (str, bytes)) and call.value != twin.value:
            shift = 1.0  # Of texts, one is another.
        if shift is None or shift == 0:
            continue
        allowed = call.declared.get("sensitivity")
        epsilon = call.declared.get("epsilon")
        if epsilon is None and call.declared.get("scale"):
            epsilon = (allowed if allowed else 1.0) / call.declared["scale"]
        if allowed is not None and shift > allowed * (1 + 1e-9):
            words = "the value moves by %s, and %s was told a sensitivity of %s" % (
                shown(shift),
                call.name,
                shown(allowed),
            )
            price = None if epsilon is None else epsilon * shift / allowed if allowed else math.inf
            found.append(
                difference(
                    "sensitivity",
                    call.site,
                    words,
                    call.value,
                    twin.value,
                    True,
                    price,
                    sources(call.site, call.seen, twin.seen),
                )
            )
        if number in one.told:
            continue  # Its noise is followed, and costs by itself.
        price = epsilon
        if epsilon is not None and allowed:
            price = epsilon * shift / allowed
        costs.append((call, twin, shift, price))
    return found, costs


def distance(one: Any, other: Any) -> Optional[float]:
    """How far a value moved: L1 of numbers, the largest move of lists of them; None for what has no distance."""
    try:
        if isinstance(one, Utilities) and isinstance(other, Utilities):
            spread: Optional[float] = one.spread(other)
            return spread
        if isinstance(one, (int, float)) and isinstance(other, (int, float)):
            if one == other or (one != one and other != other):
                return 0.0
            found = abs(float(one) - float(other))
            return found if math.isfinite(found) else math.inf
        if hasattr(one, "dtype") or hasattr(other, "dtype"):
            import numpy

            if numpy.shape(one) != numpy.shape(other) or numpy.ndim(one) > 1:
                return None  # Of a matrix, a sensitivity may be of any norm.
            found = float(numpy.abs(numpy.asarray(one, dtype=float) - numpy.asarray(other, dtype=float)).sum())
            return found if math.isfinite(found) else math.inf
        if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and len(one) == len(other):
            moves = [distance(a, b) for a, b in zip(one, other)]
            return None if None in moves else max([0.0, *[m for m in moves if m is not None]])
    except (TypeError, ValueError):
        return None
    return None


def of_outcome(
    function: Any, left: List[Tuple[Path, Any, Any]], one: Recorder, other: Recorder, exact: bool
) -> List[Difference]:
    """Places of the outcome that differ although the noise is the same."""
    found: Dict[Tuple[str, int], Difference] = {}
    drawing = {event.site.line for table in (one.draws, one.uses, one.called) for event in table.values()}
    files = sorted(
        {
            event.site.file
            for run in (one, other)
            for table in (run.draws, run.called)
            for event in table.values()
            if not isinstance(event.site, Foreign)
        }
    )
    own = {function.__code__.co_filename for function in source.functions_in(function)}
    files = [file for file in files if file not in own]
    for path, on_d, on_d_prime in left[:64]:
        missing = on_d is MISSING or on_d_prime is MISSING
        sites = source.returned(function, path, drawing)
        names = [step for step in path if isinstance(step, str)][:1] + source.attributes(function, path)
        inner = [found for name in names for file in files for found in source.setting(file, name)]
        alone = _alone(one, other) if missing else None
        primary = alone or (inner[0][0] if inner else sites[0][0] if sites else _somewhere(function, path))
        sites = inner + sites
        kind = "keys" if missing or path[-1:] == ("(order)",) else "data"
        side = "D" if on_d_prime is MISSING else "D'"
        words = "%s %s" % (
            place(path),
            "is there on %s only" % side
            if missing
            else "is %s on D and %s on D' with the same noise" % (shown(on_d), shown(on_d_prime)),
        )
        lines = tuple(
            Line(source.named(at.file), at.line, source.line(at), name) for at, name in sites if at.line != primary.line
        )
        found.setdefault(
            (primary.file, primary.line),
            difference(kind, primary, words, on_d, on_d_prime, exact, math.inf if exact else None, lines[:4]),
        )
    return list(found.values())[:8]


def _alone(one: Recorder, other: Recorder) -> Optional[Site]:
    """The line that draws on one dataset only, or more often there."""
    for here, there in ((one, other), (other, one)):
        for table in ("draws", "called"):
            for number, draw in getattr(here, table).items():
                if number not in getattr(there, table):
                    site: Site = draw.site
                    return site
    return None


def _somewhere(function: Any, path: Path) -> Site:
    if isinstance(function, Program):
        return function.place(path)
    for one in source.functions_in(function):
        return Site(one.__code__.co_filename, one.__code__.co_firstlineno, one.__code__.co_name)
    return Site("", 0, "")
