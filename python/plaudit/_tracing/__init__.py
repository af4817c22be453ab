"""`plaudit.trace`: two runs with the same noise, on D and on D', and the lines where they come apart."""

from __future__ import annotations

import copy
import math
import random
import sys
import threading
import time
import types
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from .._aligned import Draws
from .._calls import DRAWS, NUMPY, RANDOM, callable_, randomness, randomness_of_batch
from .._seed import seed_generators
from . import diagnosis, laws
from .diagnosis import Difference
from .of_programs import Program
from .of_users import REGISTERED, Utilities, primitive
from .outcomes import Path, Raised, at, bare, differences, equal, place, raised
from .pairs import of_domain
from .patches import Patched, loaded
from .record import STATE, Branch, Recorder, Site, Stopped
from .result import Trace
from .spending import spent

__all__ = ["Difference", "Trace", "primitive", "trace"]

_LOCK = threading.RLock()
_UNSEEN = "draws of C extensions, of other threads and processes, and of devices"
_MORE_RUNS, _FEW_RUNS = 24, 8
"""Runs with fresh noise that look whether a place of the outcome reacts to it; the fewer ones if a run is slow."""
_RARE_RUNS = 2400
"""Runs of all pairs of a trace together that look for outcomes that noise gives rarely."""
_RARE_RUNS_OF_PROGRAMS = 400


def trace(
    function: Optional[Union[Callable[..., Any], Sequence[str]]] = None,
    d: Any = None,
    d_prime: Any = None,
    *,
    batch: Optional[Callable[..., Any]] = None,
    epsilon: Optional[float] = None,
    delta: float = 0.0,
    mu: Optional[float] = None,
    rho: Optional[float] = None,
    pairs: Optional[Sequence[Tuple[Any, Any]]] = None,
    domain: Optional[Dict[str, Any]] = None,
    relation: Any = "add-remove",
    most: int = 60,
    seed: int = 0,
    name: Optional[str] = None,
    timeout: float = 30.0,
) -> Trace:
    """Runs a function on D, records its draws, and runs it on D' with the same noise: what differs then is no noise.

    * `function`, `batch`, `d`, `d_prime`: as of `audit`. Datasets are copied for each run. A `function` may also be a
      command, a list of texts such as ["node", "release.js"]: a program in any language that asks for its draws by the
      protocol of docs/trace.md, and gets the dataset as JSON.
    * `pairs`, or `domain` (of `rows` or `table`) with its `relation`: several pairs, of which `most` are traced, until
      one shows data without noise or another counterexample; the result is that of the pair on which most moves. A
      relation is "add-remove", "substitution", {"remove_all": column}, {"replace_all": column}, or a distance such as
      {"l1": 1.0}.
    * `epsilon`, `delta`, `mu`, `rho`: the claim, if the losses of the draws are to be held against it.
    * `seed`: of the generators that the function gets, and of the global ones; of a command, of its draws.
    * `timeout`: seconds that one run of a command may take.

    Two runs suffice. More are made where a seed is set or a release is combined with data (up to 40), and where the
    outcome differs: up to 24, and up to 2400 over all pairs if noise was not followed (400 of a
    command); 8 of each if a run takes 0.2 s.

    The run on D gives what the function gives without a trace. A trace is evidence of a mistake in the code around the
    noise. It proves nothing about samplers, and a function in which it suspects nothing is not thereby private.

    Raises TypeError for a function that cannot be called with a dataset, ValueError for a claim that is none, and
    RuntimeError for one that draws more than a million times, and for a command that cannot be started, breaks the
    protocol or takes too long.
    """
    if isinstance(function, (list, tuple)) and batch is None:
        function = Program(function, timeout)
    chosen: Any = function if batch is None else batch
    if chosen is None:
        raise TypeError("trace: give a function, or batch=")
    for word, value in (("epsilon", epsilon), ("mu", mu), ("rho", rho)):
        if value is not None and not value >= 0:
            raise ValueError("trace: %s is %r, and must be at least 0" % (word, value))
    if not 0 <= delta < 1:
        raise ValueError("trace: delta is %r, and must be at least 0 and below 1" % (delta,))
    if domain is not None:
        pairs = of_domain(domain, relation, most, seed)
    named = name or str(getattr(chosen, "__name__", type(chosen).__name__))
    found: List[Trace] = []
    budget = [_RARE_RUNS_OF_PROGRAMS if isinstance(chosen, Program) else _RARE_RUNS]
    with _LOCK:
        if STATE.recorder is not None:
            raise RuntimeError("trace: a trace is running already")
        for pair in [(d, d_prime)] if pairs is None else list(pairs)[:most]:
            session = _Session(chosen, batch is not None, pair, seed, budget)
            found.append(session.traced(named, (epsilon, delta, mu, rho)))
            if _telling(found[-1])[0]:
                break  # No other pair shows more.
    if not found:
        raise ValueError("trace: there is no pair of datasets")
    best = max(found, key=_telling)
    best.pairs, best.runs = len(found), sum(one.runs for one in found)
    return best


def _telling(one: Trace) -> Tuple[bool, bool, float]:
    """How much a trace tells: data without noise and counterexamples before losses, and the largest losses."""
    kinds = [difference.kind for difference in one.differences if difference.exact]
    kinds += [difference.kind for difference in one.differences if difference.kind in ("data", "keys")]
    return any(kind != "exception" for kind in kinds), one.suspected, sum((one.spent or {}).values())


class _Session:
    """The runs of one trace."""

    def __init__(self, function: Any, is_batch: bool, pair: Tuple[Any, Any], seed: int, budget: List[int]) -> None:
        self._function, self._pair, self._seed = function, pair, seed
        self._called = callable_(function, is_batch)
        self._is_batch = is_batch
        self._kind = randomness_of_batch(self._called) if is_batch else randomness(self._called)
        self._budget = budget
        self.runs = 0
        self._claim: Tuple[Optional[float], float, Optional[float], Optional[float]] = (None, 0.0, None, None)
        self._at = seed
        self._start = time.monotonic()
        self._fastest = math.inf

    def run(self, side: int, recorder: Optional[Recorder], seed: Optional[int] = None) -> Any:
        """A run on one of the datasets: its outcome."""
        self.runs += 1
        start = time.monotonic()
        seed = self._at if seed is None else seed
        dataset = _copied(self._pair[side])
        seed_generators(seed)
        arguments: List[Any] = [dataset] + ([1] if self._is_batch else [])
        run = Recorder() if recorder is None else recorder
        with Patched(run, self._function, REGISTERED):
            if self._kind == NUMPY:
                from . import of_numpy

                arguments.append(of_numpy.Generator(sys.modules["numpy"].random.PCG64(seed)))
            elif self._kind == RANDOM:
                arguments.append(run.unseen(lambda: random.Random(seed)))
            elif self._kind == DRAWS:
                arguments.append(Draws(run.unseen(lambda: random.Random(seed))))
            elif self._is_batch:
                arguments.append(seed)
            try:
                outcome = self._now()(*arguments)
            except Stopped:
                raise
            except Exception as error:
                return raised(error)
        self._fastest = min(self._fastest, time.monotonic() - start)
        return bare(outcome, run)

    def _now(self) -> Callable[..., Any]:
        """The function as it is called now: a method may be one that is recorded."""
        one = self._function
        if self._called is one and isinstance(one, types.MethodType):
            found: Callable[..., Any] = getattr(one.__self__, one.__name__, one)
            return found
        return self._called

    def traced(self, name: str, claim: Tuple[Optional[float], float, Optional[float], Optional[float]]) -> Trace:
        state = _states()
        try:
            self._claim = claim
            return self._traced(name, claim)
        finally:
            _restore(state)

    def _traced(self, name: str, claim: Tuple[Optional[float], float, Optional[float], Optional[float]]) -> Trace:
        one, before = Recorder(), loaded()
        outcome = self.run(0, one)
        if loaded() != before:
            # The function imported a library, whose draws are seen from now on.
            one = Recorder()
            outcome = self.run(0, one)
        first = outcome
        one, outcome, other, there = self._adaptive(one, outcome)
        left = differences(outcome, there)
        found: List[Difference] = diagnosis.of_seeds(self._fixed(one))
        notes: List[str] = []
        flipped: List[Tuple[Branch, float, bool]] = []
        if isinstance(outcome, Raised) or isinstance(there, Raised):
            alone = isinstance(outcome, Raised) != isinstance(there, Raised)
            if alone and isinstance(self.run(0, None), Raised) != isinstance(outcome, Raised):
                notes.append("the function keeps state between runs: the run on D ends otherwise when it is repeated")
            else:
                found += self._of_exceptions(outcome, there)
            if isinstance(outcome, Raised) and isinstance(there, Raised) and outcome.words == there.words:
                notes.append("both runs end with %s" % _in_full(outcome))
            left = []
        if left:
            left, flipped, other = self._flipped(outcome, left, one, other)
        sure, likely, unsure = self._reacting(outcome, left, one, other)
        found += diagnosis.of_scales(one, other)
        called, costs = diagnosis.of_calls(one, other)
        found += called
        moved = diagnosis.moved(one, other)
        found += diagnosis.of_reuse(one, other)
        found += diagnosis.of_outcome(self._function, sure, one, other, True)
        found += diagnosis.of_outcome(self._function, likely, one, other, False)
        if unsure:
            blind = _blind(one, other)
            if not blind and isinstance(self._function, Program):
                blind = "the program has noise, or something else that changes, of its own"
            if blind or found:
                notes.append(
                    "%s differs, and reacts to noise that was not followed%s"
                    % (place(unsure[0][0]), "" if not blind else " (%s)" % blind)
                )
            else:
                found += diagnosis.of_outcome(self._function, unsure, one, other, False)
        cost, at_most, losses = spent(moved, costs, flipped, claim, (one, other))
        if not any(d.kind in ("keys", "seed", "exception") and d.exact for d in found):
            found += losses
        found = _distinct(found)
        if claim[0] is None and (claim[2] is not None or claim[3] is not None) and (cost or {}).get("epsilon"):
            notes.append("the losses of noise that is not Gaussian were not held against the claim")
        if len(one.draws) + len(one.called) != len(other.draws) + len(other.called):
            notes.append(
                "%d draws on D, %d on D'" % (len(one.draws) + len(one.called), len(other.draws) + len(other.called))
            )
        words = ("epsilon", "delta", "mu", "rho")
        said = {word: value for word, value in zip(words, claim) if value is not None and (value or word != "delta")}
        return Trace(
            name,
            found,
            first,
            cost,
            at_most,
            said,
            _counted(one),
            notes,
            _unseen(self._function),
            self.runs,
            time.monotonic() - self._start,
            self._pair,
        )

    def _adaptive(self, one: Recorder, outcome: Any) -> Tuple[Recorder, Any, Recorder, Any]:
        """Both runs; where a release is combined with data, again, with that release as a number like others."""
        other, there = self._answered(one)
        for _ in range(2):
            sites = diagnosis.adaptive(one, other)
            if not sites or set(sites) <= one.adaptive:
                break
            one = Recorder(adaptive=(*one.adaptive, *sites))
            outcome = self.run(0, one)
            other, there = self._answered(one)
        # A decision need not fall between the datasets in one run.
        for number in range(16 if one.adaptive and self._fastest < 0.05 else 4 if one.adaptive else 0):
            if differences(outcome, there):
                break
            one = Recorder(adaptive=one.adaptive)
            self._at = self._seed + 1000 + number
            outcome = self.run(0, one)
            other, there = self._answered(one)
        return one, outcome, other, there

    def _answered(self, one: Recorder) -> Tuple[Recorder, Any]:
        """The run on D' that is answered as that on D, and its outcome."""
        other = Recorder(one, adaptive=one.adaptive)
        there = self.run(1, other)
        aligned = _alignment(one, other)
        if aligned:
            other = Recorder(one, aligned=aligned, adaptive=one.adaptive)
            there = self.run(1, other)
        return other, there

    def _fixed(self, one: Recorder) -> List[Tuple[Site, str, Any]]:
        """The seeds that a run with other noise has, too."""
        if not one.seeds:
            return []
        again = Recorder()
        self.run(0, again, self._seed + 1)
        values = [(site, repr(seed)) for site, _, seed in again.seeds]
        return [seed for seed in one.seeds if (seed[0], repr(seed[2])) in values]

    def _of_exceptions(self, outcome: Any, there: Any) -> List[Difference]:
        if isinstance(outcome, Raised) and isinstance(there, Raised) and outcome.words == there.words:
            return []
        error = outcome if isinstance(outcome, Raised) else there
        site = error.site or Site("", 0, "")
        side = "D" if error is outcome else "D'"
        words = "%s on %s, and %s on the other" % (
            _in_full(error),
            side,
            "another one" if isinstance(outcome, Raised) and isinstance(there, Raised) else "none",
        )
        return [diagnosis.difference("exception", site, words, outcome, there, False, math.inf)]

    def _flipped(
        self, outcome: Any, left: List[Tuple[Path, Any, Any]], one: Recorder, other: Recorder
    ) -> Tuple[List[Tuple[Path, Any, Any]], List[Tuple[Branch, float, bool]], Recorder]:
        """Decisions by noise that could have been the other way on D', so that the outcome is that of D."""
        chosen: List[int] = []
        branches = list(other.branches)
        limit = max(1.5 * self._fastest, 1.0)
        start = time.monotonic()
        best = other
        # One after another, and those of a block at once: each halves the number of runs.
        blocks = [(branches[i : i + 1]) for i in range(len(branches))] if len(branches) <= 16 else _halves(branches)
        for block in blocks:
            if not left or time.monotonic() - start > limit:
                break
            run = Recorder(one, flips=[*chosen, *block], adaptive=one.adaptive)
            there = self.run(1, run)
            if isinstance(there, Raised):
                continue
            now = differences(outcome, there)
            if len(now) < len(left):
                chosen, left, best = [*chosen, *block], now, run
        odds = [(best.branches[n], *laws.odds(best.branches[n].sum)) for n in chosen if n in best.branches]
        return left, odds, best

    def _reacting(
        self, outcome: Any, left: List[Tuple[Path, Any, Any]], one: Recorder, other: Recorder
    ) -> Tuple[List[Tuple[Path, Any, Any]], List[Tuple[Path, Any, Any]], List[Tuple[Path, Any, Any]]]:
        """Places that differ: those without noise, those that noise never changed in many runs, and those that it
        does."""
        open_, sure, unsure = list(left), [], []
        # Of a program, the draws are answered as before: what still changes has noise that it did not ask for.
        answered = isinstance(self._function, Program) and not _blind(one, other)
        if not _blind(one, other) and not answered:
            # All noise was followed, and a place that does not come from it has none.
            noisy = one.followed | other.followed
            has = [any(here[0][: len(path)] == path for path in noisy) for here in open_]
            sure = [here for here, noise in zip(open_, has) if not noise]
            open_ = [here for here, noise in zip(open_, has) if noise]
        most = _MORE_RUNS if self._fastest < 0.05 else _FEW_RUNS
        for number in range(most if open_ else 0):
            fresh = self.run(0, Recorder(one) if answered else None, self._seed + 1 + number)
            reacting = [not equal(at(fresh, path), value) for path, value, _ in open_]
            unsure += [here for here, reacts in zip(open_, reacting) if reacts]
            open_ = [here for here, reacts in zip(open_, reacting) if not reacts]
            if not open_:
                break
        if answered:
            return open_, [], unsure
        if _blind(one, other):
            # Noise that was not followed may show in few runs only.
            never = self._never_there(open_ + unsure) if open_ or unsure else []
            unsure = [here for here in open_ + unsure if not any(here is there for there in never)]
            return sure, never, unsure
        return sure, open_, unsure

    def _never_there(self, places: List[Tuple[Path, Any, Any]]) -> List[Tuple[Path, Any, Any]]:
        """The places whose value on D is frequent there and never seen on D', in so many runs with fresh noise that
        under the claim (or epsilon 3) it would have been, but for about one in a thousand traces."""
        epsilon, delta, mu, rho = self._claim
        if epsilon is None and (mu is not None or rho is not None):
            delta = 0.01
            epsilon = laws.gaussian_epsilon(mu if mu is not None else math.sqrt(2 * (rho or 0.0)), delta)
        epsilon = 3.0 if epsilon is None else epsilon
        places = places[:8]
        here, there = [0] * len(places), [0] * len(places)
        found: List[int] = []
        most = 400 if self._fastest < 0.05 else 100 if self._fastest < 0.2 else _FEW_RUNS
        for number in range(1, most + 1):
            self._budget[0] -= 2
            if self._budget[0] < 0:
                return []
            outcomes = [self.run(side, None, self._seed + 5000 + 2 * number + side) for side in (0, 1)]
            for i, (path, value, _) in enumerate(places):
                here[i] += equal(at(outcomes[0], path), value)
                there[i] += equal(at(outcomes[1], path), value)
            if all(there):
                return []
            if number % 8 == 0 or number == most:
                likely = [max(0.0, (k - 2 * math.sqrt(k)) / number - delta) * math.exp(-epsilon) for k in here]
                found = [i for i, p in enumerate(likely) if not there[i] and number * math.log1p(-min(p, 0.999)) < -6.9]
                if len(found) == sum(not k for k in there):
                    break
        return [places[i] for i in found]


def _in_full(error: Raised) -> str:
    return "%s (%s)" % (error.words, error.detail) if error.detail else error.words


def _halves(items: List[int]) -> List[List[int]]:
    """Blocks of a list that get smaller."""
    found: List[List[int]] = []
    size = len(items) // 2
    while size >= 1 and len(found) < 64:
        found += [items[i : i + size] for i in range(0, len(items), size)]
        size //= 2
    return found[:128]


_PLAIN = frozenset((int, float, bool, str, bytes, type(None)))


def _copied(dataset: Any) -> Any:
    """A copy of a dataset; of a long list of numbers, in one step."""
    if type(dataset) is list and set(map(type, dataset)) <= _PLAIN:
        return dataset[:]
    try:
        return copy.deepcopy(dataset)
    except Exception:
        return dataset


def _unseen(function: Any) -> List[str]:
    """What a trace cannot see: before version 2.1, numpy's numbers add a double as it is."""
    if isinstance(function, Program):
        return ["draws that the program does not ask for"]
    version = str(getattr(sys.modules.get("numpy"), "__version__", "9.9"))
    old = tuple(int(one) for one in version.split(".")[:2]) < (2, 1)
    return [_UNSEEN] + ["sums of single numbers of numpy %s with noise: take 2.1 or later" % version] * old


def _states() -> Any:
    numpy = sys.modules.get("numpy")
    return random.getstate(), None if numpy is None else numpy.random.get_state()


def _restore(state: Any) -> None:
    random.setstate(state[0])
    if state[1] is not None:
        sys.modules["numpy"].random.set_state(state[1])


def _alignment(one: Recorder, other: Recorder) -> Optional[Dict[int, Optional[int]]]:
    """Where a line draws more often on one dataset: which of its draws are the same."""
    import difflib

    found: Dict[int, Optional[int]] = {}
    for table in ("draws", "called"):
        groups: Dict[Any, Tuple[List[int], List[int]]] = {}
        for side, run in enumerate((one, other)):
            for number, event in getattr(run, table).items():
                key = (event.site, getattr(event, "family", getattr(event, "name", "")))
                groups.setdefault(key, ([], []))[side].append(number)
        for here, there in groups.values():
            if len(here) == len(there):
                continue
            signs = [_sign(one, table, number) for number in here]
            matcher = difflib.SequenceMatcher(None, signs, [_sign(other, table, n) for n in there], autojunk=False)
            for _, i1, i2, j1, j2 in matcher.get_opcodes():
                for offset in range(j2 - j1):
                    other_one = here[i1 + offset] if i1 + offset < i2 else None
                    found[there[j1 + offset]] = other_one
    return {key: value for key, value in found.items() if key != value} or None


def _sign(run: Recorder, table: str, number: int) -> str:
    """What a draw is for: the value that its noise is added to."""
    if table == "called":
        return repr(run.called[number].value)
    bases = [use.sum.base for use in run.uses.values() if any(term.variable.id == number for term in use.sum.terms)]
    return repr(bases)


def _is_numeric(out: Any) -> bool:
    return isinstance(out, (int, float)) or hasattr(out, "dtype")


def _blind(one: Recorder, other: Recorder) -> str:
    """Why a place that reacts to noise may differ rightly: what was not followed."""
    lost = [draw for draw in one.draws.values() if draw.lost]
    if lost:
        return "the draw of %s at line %d goes where it is not followed" % (lost[0].family, lost[0].site.line)
    if one.branches:
        return "decisions by noise"
    if any(draw.family in laws.CHOICES for draw in one.draws.values()):
        return "choices by noise"
    if any(isinstance(call.value, Utilities) or not _is_numeric(call.out) for call in one.called.values()):
        return "choices by noise"
    if not one.draws and not one.called:
        return "no draw was seen"
    return ""


def _distinct(found: List[Difference]) -> List[Difference]:
    """One difference of a kind a line, the exact ones first."""
    kept: Dict[Tuple[str, int, str], Difference] = {}
    for one in sorted(found, key=lambda one: not one.exact):
        kept.setdefault((one.file, one.line, one.kind), one)
    return list(kept.values())


def _counted(run: Recorder) -> List[Tuple[str, str, int]]:
    counts: Dict[Tuple[str, str], int] = {}
    for draw in run.draws.values():
        key = ("%s:%d" % (draw.site.file, draw.site.line), draw.family)
        counts[key] = counts.get(key, 0) + 1
    for call in run.called.values():
        key = ("%s:%d" % (call.site.file, call.site.line), call.name)
        counts[key] = counts.get(key, 0) + 1
    return [(where, family, number) for (where, family), number in counts.items()]
