"""Audits of Python functions in this process."""

from __future__ import annotations

import functools
import inspect
import json
import os
import re
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from ._callee import Callee
from ._dataset import OPAQUE, Shown, pair_name, relation_between, rows_apart, shown
from ._forks import Forks
from ._progress import Progress, Told
from ._provenance import provenance
from ._result import Replay, Result
from ._seed import seed_generators
from ._staged import Clean, Staged, parts

Function = Callable[..., Any]

_ENOUGH = 1.5
"""Loss that is enough to have looked for where an audit ends as soon as it is clear, in times the claim."""
_CLAIMS = ("epsilon", "delta", "mu", "rho", "renyi", "profile", "tradeoff", "composition", "group")


def audit(
    function: Optional[Function] = None,
    d: Any = None,
    d_prime: Any = None,
    *,
    batch: Optional[Function] = None,
    pairs: Optional[Sequence[Tuple[Any, Any]]] = None,
    relation: Any = None,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    mu: Optional[float] = None,
    rho: Optional[float] = None,
    claim: Optional[Dict[str, Any]] = None,
    name: Optional[str] = None,
    trials: Union[int, str] = 1_000_000,
    alpha: float = 1e-6,
    seed: int = 0,
    until: Optional[str] = None,
    enough: Optional[float] = None,
    expect: str = "not violated",
    stateful: bool = False,
    clock: bool = False,
    outcomes: Optional[Sequence[Any]] = None,
    floats: Optional[str] = None,
    grid: Optional[float] = None,
    min_power: Optional[float] = None,
    constant: Optional[str] = None,
    no_difference: Optional[str] = None,
    evaluation: Optional[Dict[str, str]] = None,
    seed_with: Optional[Callable[[int], None]] = seed_generators,
    requests_of: Optional[int] = None,
    patience: Optional[float] = None,
    threads: Optional[int] = None,
    jobs: Optional[int] = None,
    forks: bool = True,
    progress: Union[None, bool, Told] = None,
) -> Result:
    """Audits the privacy claim of a function, on two neighboring datasets or on several such pairs.

    The function is one of:

    * `function(dataset, rng)`, called once for each run. `rng`, or `generator`, is a `numpy.random.Generator`, by
      position or by keyword. If called `random`, or annotated `random.Random`, it is a `random.Random`; `draws` is a
      `Draws`. A function of the dataset alone is fine. Other parameters need a default.
    * `batch(dataset, runs, rng)`, which draws the outcomes of many runs: an array of shape (runs,) or (runs, k), a
      torch or JAX tensor, or a list. If its third parameter is called `seed`, it gets a whole number below 2**63.

    The outcome is its return value or its exception. If most of its time goes into a part that draws nothing, pass
    `staged(clean, noise)` instead.

    The datasets and the claim:

    * `d`, `d_prime`: the datasets, of any type. `pairs`: several pairs of them; the most informative pair is confirmed.
    * `relation`: `"substitution"`, `"add-remove"`, `"histogram"`, a distance such as `{"l1": 1.0}`,
      `{"remove_all": "id"}`, `{"replace_all": "id"}`, or `"unchecked: in your words"`. Left out, one row more or less
      and one row changed are recognised. Other lists, arrays and frames are refused; for datasets without rows
      the report states that they are unchecked.
    * `epsilon` and `delta`, or `mu` (Gaussian DP), or `rho` (zCDP), or `claim`, a dictionary as in a spec
      (docs/spec-claims.md).
    * `name`: of the audit in its report; the function's name unless given.
    * `expect`: `"violated"` for planted mistakes.

    The evidence:

    * `trials`: runs in all, from 100 to 10**12, or a time such as `"30 s"`.
    * `alpha`: the probability, at most, that a correct claim is called violated.
    * `seed`: the same seed gives the same result, if the function takes its randomness from what it is given or from
      the global generators, which `seed_with` seeds before each request (None: nothing does).
    * `until`: `"clear"` ends the audit as soon as the claim is refuted or, if it has no delta, any loss it could
      have missed is small (`enough`, 1.5 unless given): a gross violation after a few hundred runs. Left out, all
      trials are run.
    * `enough`: end early once a loss of this many times the claim would have been refuted with probability 0.99.
      Without `until`, up to three looks of fixed size check for it, as in `plaudit gate` with 1.5.
    * `stateful`: runs may depend on earlier ones. `clock`: running times, in nanoseconds, are also outcomes.
    * `outcomes`, `floats`, `grid`, `min_power`, `constant`, `no_difference`, `evaluation`: as in a spec.

    How it runs:

    * `jobs`: number of forks of this process that run the function in parallel (Linux). Worthwhile above about 10 µs
      per run.
    * `forks`: whether fresh copies of the function may be made by fork (Linux). They reveal state kept
      between calls.
    * `threads`: of the engine (two more than processors). `requests_of`: largest number of runs in a request (4096).
    * `patience`: seconds to spend where each run needs a separate request (60).
    * `progress`: True, False, None (a bar on a terminal), or a function of the runs done and the runs to do.

    A function that modifies its dataset gets a copy in each run; yours stays unchanged.

    Raises TypeError for a function that cannot be called with a dataset, is an `async def`, or returns an object
    without visible contents, ValueError for a wrong claim or relation, ChangedDataset for a function that modifies a
    dataset only occasionally, or one that cannot be copied, RuntimeError for `jobs` where nothing can fork, and
    KeyboardInterrupt. A batch function that gives a wrong number of outcomes makes the audit inconclusive.
    """
    function, is_batch, clean = _chosen(function, batch)
    if clock and (is_batch or jobs is not None or clean is not None):
        raise TypeError(
            "clock=True times each run in this process: it goes with a function of one stage, and without jobs"
        )
    given = _pairs(d, d_prime, pairs)
    shown_pairs = [(shown(one), shown(other)) for one, other in given]
    if relation is None:
        relation = _relation(shown_pairs)
    spec = _spec(
        function,
        name,
        _claim(claim, epsilon=epsilon, delta=delta, mu=mu, rho=rho),
        requests_of,
        patience,
        clean,
        relation=relation,
        trials=trials,
        alpha=alpha,
        seed=seed,
        expect=expect,
        stateful=stateful or None,
        clock=clock or None,
        outcomes=None if outcomes is None else list(outcomes),
        floats=floats,
        grid=grid,
        min_power=min_power,
        constant=constant,
        no_difference=no_difference,
        evaluation=evaluation,
    )
    datasets = [entry for two, own in zip(shown_pairs, given) for entry in zip(two, own)]
    _check_call(function, given[0][0], is_batch)
    callee = Callee(function, datasets, batch=is_batch, seed=seed_with, clean=clean)
    texts = [(pair_name(*two), two[0].to_json(), two[1].to_json()) for two in shown_pairs]
    # What a function keeps is tested where it is said to have a state, and need not be looked for.
    ends = _ends(until, enough)
    return _run(function, spec, texts, callee, (ends, threads, forks and not stateful, jobs), progress, seed_with)


def search(
    function: Optional[Function] = None,
    *,
    domain: Optional[Dict[str, Any]] = None,
    strategy: Any = None,
    neighbor: Optional[Function] = None,
    relation: Any = None,
    batch: Optional[Function] = None,
    query: Optional[Callable[[Any], Any]] = None,
    sensitivity: Any = None,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    mu: Optional[float] = None,
    rho: Optional[float] = None,
    claim: Optional[Dict[str, Any]] = None,
    name: Optional[str] = None,
    trials: Union[int, str] = 1_000_000,
    alpha: float = 1e-6,
    seed: int = 0,
    expect: str = "not violated",
    seed_with: Optional[Callable[[int], None]] = seed_generators,
    requests_of: Optional[int] = None,
    patience: Optional[float] = None,
    threads: Optional[int] = None,
    jobs: Optional[int] = None,
    forks: bool = True,
    progress: Union[None, bool, Told] = None,
) -> Result:
    """Searches for the most informative neighbors, and audits the claim on them.

    * `domain`: the possible datasets, from `rows` or `table`. The function gets lists, or for a table a dictionary of
      "columns" and "rows" that iterates over its rows as dictionaries. A domain needs a `relation`.
    * `query(dataset)`: the value that the function adds noise to. With `sensitivity`, such as `{"l1": 1.0}`, neighbors
      whose answers are further apart refute the claim.
    * `strategy`: instead of a domain, a Hypothesis strategy of datasets. `neighbor(d, draw)` makes a neighbor of an
      example, or returns None where there is none; `draw` is a `random.Random`, and a function of `d` alone is fine.
      Pilots with their own seeds pick 16 of 48 pairs. The audit takes the most informative pair and confirms it
      on fresh runs. The pilots' runs are in addition to `trials`.

    The rest is as in `audit`. Raises what `audit` raises, TypeError for incompatible arguments, ValueError
    for a strategy without examples or neighbors, and ImportError for a strategy without Hypothesis.
    """
    whole = function
    function, is_batch, clean = _chosen(function, batch)
    if (domain is None) == (strategy is None):
        raise TypeError(
            "search needs a domain, such as plaudit.rows(lower=0, upper=1, size=(0, 10)), or a Hypothesis strategy, "
            "and not both"
        )
    if strategy is not None:
        if neighbor is None:
            raise TypeError("a strategy needs a neighbor: neighbor=lambda d: d[1:], for example")
        if query is not None or sensitivity is not None:
            raise TypeError("query and sensitivity go with a domain, and not with a strategy")
        from . import _strategies

        options: Dict[str, Any] = {
            "relation": relation,
            "claim": _claim(claim, epsilon=epsilon, delta=delta, mu=mu, rho=rho),
            "name": name,
            "expect": expect,
            "seed_with": seed_with,
            "requests_of": requests_of,
            "patience": patience,
            "threads": threads,
        }
        called, batched = (None, batch) if is_batch else (whole, None)

        def pilot(pair: Tuple[Any, Any], **own: Any) -> Result:
            return audit(called, batch=batched, pairs=[pair], progress=False, forks=False, **own, **options)

        found = _strategies.pairs(strategy, neighbor, _strategies.EXAMPLES, seed)
        best = _strategies.most_telling(found, pilot, trials, seed)
        run: Dict[str, Any] = {"trials": trials, "alpha": alpha, "seed": seed, "progress": progress}
        return audit(called, batch=batched, pairs=best, jobs=jobs, forks=forks, **run, **options)
    if neighbor is not None:
        raise TypeError("neighbor goes with a strategy; with a domain, the relation says what neighbors are")
    if relation is None:
        raise TypeError('search in a domain needs a relation: relation="add-remove", for example')
    spec = _spec(
        function,
        name,
        _claim(claim, epsilon=epsilon, delta=delta, mu=mu, rho=rho),
        requests_of,
        patience,
        clean,
        relation=relation,
        domain=domain,
        sensitivity=sensitivity,
        trials=trials,
        alpha=alpha,
        seed=seed,
        expect=expect,
    )
    callee = Callee(function, [], batch=is_batch, query=query, seed=seed_with, clean=clean)
    return _run(function, spec, [], callee, ((False, None), threads, forks, jobs), progress, seed_with)


def replay(
    certificate: Union[str, "os.PathLike[str]"],
    function: Optional[Function] = None,
    *,
    batch: Optional[Function] = None,
    seed: int = 1,
    seed_with: Optional[Callable[[int], None]] = seed_generators,
) -> Replay:
    """Checks a certificate from another person's audit: runs the function on its datasets with fresh randomness, the
    same number of times as in the certificate, and tests the claim again.

    * `certificate`: the path of a file in the folder `certificates` of a report.
    * `function`, `batch`: as in `audit`. They get the datasets as JSON has them: lists, numbers, texts, dictionaries; a
      table is a dictionary of "columns" and "rows" that iterates over its rows as dictionaries.
    * `seed`: of the fresh runs.

    Raises OSError for a file that cannot be read, ValueError for one that is not a certificate of a violation, or whose
    datasets are of a type that JSON does not have, and RuntimeError for one that relies on dependent runs.
    """
    function, is_batch, clean = _chosen(function, batch)
    from . import _native

    with open(certificate, encoding="utf-8") as file:
        text = file.read()
    try:
        pair = json.loads(text)["pair"]
        values = [pair[which].get("json") for which in ("d", "d_prime")]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError("%s is not a certificate of plaudit" % os.fspath(certificate)) from None
    if any(isinstance(value, dict) and set(value) == OPAQUE for value in values):
        raise ValueError("its datasets are no JSON: replay it where they are, with result.certificate.replay()")
    spec = _spec(
        function, "replay", {"epsilon": 1.0}, None, None, clean, relation="unchecked: those of the certificate"
    )
    with _generators_kept(seed_with):
        again = Callee(function, [], batch=is_batch, seed=seed_with, clean=clean)
        return Replay(json.loads(_native.replay(text, json.dumps(spec), again, seed)))


def rows(
    *,
    size: Union[int, Tuple[int, int]],
    lower: Optional[float] = None,
    upper: Optional[float] = None,
    integers: bool = False,
    not_finite: bool = False,
    values: Optional[Sequence[Any]] = None,
) -> Dict[str, Any]:
    """A domain for `search`: lists of numbers between two bounds, or of some values.

    * `size`: how many rows, or the fewest and the most.
    * `lower`, `upper`: the bounds, both included. `integers`: whole numbers only. `not_finite`: NaN and infinities,
      too.
    * `values`: instead of bounds, the numbers or texts that a row may be.

    A domain that makes no sense is a ValueError of `search`.
    """
    domain = column(lower=lower, upper=upper, integers=integers, not_finite=not_finite, values=values)
    domain["size"] = list(size) if isinstance(size, (tuple, list)) else size
    return domain


def column(
    *,
    lower: Optional[float] = None,
    upper: Optional[float] = None,
    integers: bool = False,
    not_finite: bool = False,
    values: Optional[Sequence[Any]] = None,
) -> Dict[str, Any]:
    """The possible entries of a column of a `table`; the parameters are the same as for `rows`."""
    said: Dict[str, Any] = {
        "lower": lower,
        "upper": upper,
        "integers": integers or None,
        "not_finite": not_finite or None,
        "values": None if values is None else list(values),
    }
    return {key: value for key, value in said.items() if value is not None}


def table(columns: Dict[str, Dict[str, Any]], *, size: Union[int, Tuple[int, int]]) -> Dict[str, Any]:
    """A domain for `search`: tables with these columns, each made by `column`.

    `size`: how many rows, or the fewest and the most.
    """
    return {"columns": dict(columns), "size": list(size) if isinstance(size, (tuple, list)) else size}


def mutant(function: Function) -> Function:
    """Marks a function as having a planted mistake: `audit` expects it to be violated."""
    if isinstance(function, Staged):
        return Staged(function.clean, mutant(function.noise))

    @functools.wraps(function)
    def planted(*arguments: Any) -> Any:
        return function(*arguments)

    planted.__plaudit_mutant__ = True  # type: ignore[attr-defined]
    return planted


def _chosen(
    function: Optional[Function], batch: Optional[Function]
) -> Tuple[Function, bool, Optional[Clean]]:
    """What is called for each run, or for many, whether it is for many, and the clean stage before it."""
    if (function is None) == (batch is None):
        raise TypeError("give a function, or batch=function, and not both")
    chosen = function if batch is None else batch
    if not callable(chosen):
        raise TypeError("a mechanism is a function of a dataset, and this is a %s" % type(chosen).__name__)
    noise, clean = parts(chosen)
    return noise, batch is not None, clean


def _pairs(d: Any, d_prime: Any, pairs: Optional[Sequence[Tuple[Any, Any]]]) -> List[Tuple[Any, Any]]:
    if pairs is None:
        if d is None or d_prime is None:
            raise TypeError("give two neighboring datasets, d and d_prime, or pairs=[(d, d_prime), …]")
        return [(d, d_prime)]
    if d is not None or d_prime is not None:
        raise TypeError("give two datasets, or pairs=[…], and not both")
    given = [(one, other) for one, other in pairs]
    if not given:
        raise ValueError("there is no pair of datasets")
    return given


def _relation(pairs: List[Tuple[Shown, Shown]]) -> Any:
    for number, two in enumerate(pairs, start=1):
        why = rows_apart(*two)
        if why is not None:
            which = "the datasets" if len(pairs) == 1 else "the datasets of pair %d" % number
            raise ValueError(
                "%s are not neighbors: %s (rows are compared in order), and no relation is named. Give datasets one "
                'row apart, or name the relation, such as relation={"remove_all": "user"} or {"l1": 1.0}; '
                'relation="unchecked: why they are neighbors" is taken at its word' % (which, why)
            )
    found = [relation_between(*two) for two in pairs]
    first = found[0]
    if all(relation == first for relation in found):
        return first
    return "unchecked: the pairs of datasets as they were given"


def _claim(claim: Optional[Dict[str, Any]], **parts: Optional[float]) -> Dict[str, Any]:
    said = {key: value for key, value in parts.items() if value is not None}
    if claim is not None:
        if said:
            raise TypeError("give claim={…}, or %s, and not both" % " and ".join(said))
        return dict(claim)
    return said


def _spec(
    function: Function,
    name: Optional[str],
    claim: Dict[str, Any],
    requests_of: Optional[int],
    patience: Optional[float],
    clean: Optional[Clean],
    **fields: Any,
) -> Dict[str, Any]:
    where = _where(function)
    where.update({"batch": requests_of, "patience": patience, "clean": None if clean is None else clean.name})
    spec: Dict[str, Any] = {
        "name": name or _name(where["function"]),
        "mechanism": {key: value for key, value in where.items() if value is not None},
        "claim": claim,
    }
    if getattr(function, "__plaudit_mutant__", False) and fields.get("expect") == "not violated":
        fields["expect"] = "violated"
    spec.update({key: value for key, value in fields.items() if value is not None})
    return spec


def _where(function: Function) -> Dict[str, Any]:
    """What a function is called, and where it stands."""
    unwrapped = inspect.unwrap(function)
    code = getattr(unwrapped, "__code__", None)
    name = getattr(unwrapped, "__qualname__", None) or type(unwrapped).__qualname__
    where: Dict[str, Any] = {
        "function": name.replace("<locals>.", ""),
        "language": "Python",
        "module": getattr(unwrapped, "__module__", None),
    }
    if code is not None and os.path.isfile(code.co_filename):
        try:
            where["file"] = os.path.relpath(code.co_filename).replace(os.sep, "/")
        except ValueError:  # Another drive.
            where["file"] = code.co_filename
        where["line"] = code.co_firstlineno
    return where


def _name(words: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", words).strip("-.")
    return name[:100] or "function"


def _check_call(function: Function, dataset: Any, is_batch: bool) -> None:
    """Raises what a call would raise because of the function's parameters."""
    from ._calls import NOTHING, callable_, randomness

    function = callable_(function, is_batch)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    if is_batch:
        try:
            signature.bind(dataset, 1, 0)
        except TypeError as error:
            raise TypeError(
                "batch=%s cannot be called as batch(dataset, runs, rng): %s. It needs the third parameter: draw its "
                "randomness from `rng` (or `seed`)" % (_where(function)["function"], error)
            ) from None
    elif randomness(function) == NOTHING:
        signature.bind(dataset)
    else:
        signature.bind(dataset, None)


def _ends(until: Optional[str], enough: Optional[float]) -> Tuple[bool, Optional[float]]:
    """Whether an audit ends as soon as it is clear, and the loss that is enough to look for, in times the claim."""
    if until not in (None, "clear"):
        raise ValueError("until is \"clear\", or None for all trials, and not %r" % (until,))
    if enough is not None and not enough >= 1.0:
        raise ValueError("enough is a multiple of the claim, such as 1.5, from 1 up, and not %r" % (enough,))
    return until is not None, _ENOUGH if until is not None and enough is None else enough


def _run(
    function: Function,
    spec: Dict[str, Any],
    texts: List[Tuple[str, str, str]],
    callee: Callee,
    options: Tuple[Tuple[bool, Optional[float]], Optional[int], bool, Optional[int]],
    progress: Union[None, bool, Told],
    seed_with: Optional[Callable[[int], None]],
) -> Result:
    from . import _native

    (until_clear, enough), threads, forks, jobs = options
    for name, count in (("threads", threads), ("jobs", jobs)):
        if count is not None and not (isinstance(count, int) and 1 <= count <= 1024):
            raise ValueError("%s is a whole number from 1 to 1024, and not %r" % (name, count))
    try:
        text = json.dumps(spec, default=_as_number, allow_nan=False)
    except ValueError:
        raise ValueError("a claim, a relation or a domain has a number that is not finite") from None
    told = Progress(progress, spec["name"])
    with Forks(callee.serve, forks or jobs is not None) as fresh, _generators_kept(seed_with), told as bar:
        if jobs is not None and fresh.command is None:
            raise RuntimeError("jobs=%d needs Linux and a Python that can fork" % jobs)
        how = {
            "until_clear": until_clear,
            "enough": enough,
            "threads": threads if jobs is None else jobs,
            "copies": fresh.command,
            "run_in_copies": jobs is not None,
            **provenance(function),
        }
        finished = _native.audit(text, texts, callee, how, bar.told)
    callee.check_unchanged()

    def replay(certificate: str, function: Optional[Function], seed: int) -> Dict[str, Any]:
        again = callee if function is None else callee.of_other(function)
        with _generators_kept(seed_with):
            value: Dict[str, Any] = json.loads(_native.replay(certificate, text, again, seed))
        return value

    return Result(finished.report, finished.certificate, finished.other_leak, replay)


def _as_number(value: Any) -> Any:
    """Numbers of numpy in a claim or a domain."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError("%r cannot stand in a claim, a relation or a domain" % (value,))


class _generators_kept:
    """Gives the global generators back as they were."""

    def __init__(self, seed_with: Optional[Callable[[int], None]]) -> None:
        self._kept = seed_with is seed_generators

    def __enter__(self) -> None:
        if self._kept:
            import random

            self._random = random.getstate()
            numpy = sys.modules.get("numpy")
            self._numpy = None if numpy is None else numpy.random.get_state()

    def __exit__(self, *_: Any) -> None:
        if self._kept:
            import random

            random.setstate(self._random)
            numpy = sys.modules.get("numpy")
            if numpy is not None and self._numpy is not None:
                numpy.random.set_state(self._numpy)
