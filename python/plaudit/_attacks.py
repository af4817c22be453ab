"""Attacks on scores, on released tables and on noisy answers: `plaudit attack` and `plaudit canaries` from Python."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._asked import Folder, bits, count, listed, names, number, of
from ._tables import are_words


class AttackResult:
    """What an attack reached. `str(result)` has the lines that `plaudit attack` or `plaudit canaries` prints.

    * `words`: these lines.
    * `values`: all numbers, as `--format json` prints them: a dictionary; numbers that are not finite are texts.
      `result["certified"]` is `result.values["certified"]`. Bounds are under these names:

      * `membership`, `membership_counts`: `certified`, with `epsilon`, `delta`, `mu` and `advantage`, each with
        `lower`.
      * `canaries`: `certified`, with `epsilon` and `mu`. `canary_versions`: `epsilon`.
      * Of several attacks: `columns`, a list with a dictionary for each, and `best`; of looks in turn `first_refuting`.
      * `single_out`: `compared`, with `excess` (None without a control). `infer`: `excess`. Both have `lower` and
        `estimate`.
      * `link`: `linked` and `unique`; `reconstruct`, `average`: `rows`, a list.
      * `warnings` of `membership` and `canaries`: a list of texts, which are Python warnings too.

    * `failed`: True if the claim, where one was given, is refuted, or more excess than `at_most` is certified.
    """

    def __init__(self, words: str, values: Dict[str, Any], failed: bool) -> None:
        self.words = words
        self.values = values
        self.failed = failed

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __str__(self) -> str:
        return self.words

    def __repr__(self) -> str:
        return "AttackResult(failed=%r, values with %s)" % (self.failed, ", ".join(sorted(self.values)))


def membership(
    members: Any,
    others: Any,
    *,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    mu: Optional[float] = None,
    rows: Optional[Tuple[Any, Any]] = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> AttackResult:
    """Membership inference: certified bounds on epsilon, delta, mu and the advantage from the scores of an attack.

    * `members`, `others`: the scores of people who were in the data and of people who were not, at least 100 of each:
      lists, arrays of one dimension, or files. Higher means in. Dictionaries of them, with the same names, are several
      attacks, at an equal share of `alpha` each.
    * `epsilon` and `delta`, or `mu`: the claim to judge. Without one, epsilon is bounded at delta 1e-5, and delta at
      epsilon 1.
    * `rows`: two tables, of the members and of the others: if a classifier that never saw the model tells them apart,
      the attack is refused.
    * `alpha`: all bounds hold at once with probability at least 1 − alpha. `seed`: of the split into scores that choose
      events and scores that are counted.

    Raises ValueError for scores that are NaN or too few, and for groups that differ.
    """
    with Folder() as folder:
        arguments: List[str] = []
        if isinstance(members, Mapping) != isinstance(others, Mapping):
            raise ValueError("one of members and others is a dictionary: give both as dictionaries, or neither")
        if isinstance(members, Mapping):
            known = [str(name) for name in members]
            if known != [str(name) for name in others]:
                raise ValueError("members and others have scores of different names, or in another order")
            arguments += [folder.columns("members.csv", members), folder.columns("others.csv", others)]
            arguments += of("column", known)
        else:
            arguments += [folder.scores("members.txt", members), folder.scores("others.txt", others)]
        if rows is not None:
            if len(rows) != 2:
                raise ValueError("`rows` has %d tables: give two, of the members and of the others" % len(rows))
            of_members, of_others = rows
            tables = [folder.table("rows-of-members.csv", of_members), folder.table("rows-of-others.csv", of_others)]
            arguments += ["--rows"] + tables
        options = {**_claim(epsilon, delta, mu), "alpha": number(alpha, "alpha"), "seed": count(seed, "seed")}
        return AttackResult(*folder.answer("membership", arguments, options))


def membership_counts(
    true_positives: int,
    false_positives: int,
    members: int,
    others: int,
    *,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    mu: Optional[float] = None,
    alpha: float = 0.05,
) -> AttackResult:
    """The bounds of `membership` from the counts of a threshold that was fixed beforehand.

    * `true_positives`: members that were called members. `false_positives`: others that were.
    * `members`, `others`: how many there were of each.
    * `epsilon`, `delta`, `mu`, `alpha`: as in `membership`.

    Raises ValueError for more positives than people.
    """
    with Folder() as folder:
        given = {
            "true_positives": true_positives,
            "false_positives": false_positives,
            "members": members,
            "others": others,
        }
        counts = ",".join(str(count(value, name)) for name, value in given.items())
        options = {**_claim(epsilon, delta, mu), "alpha": number(alpha, "alpha")}
        return AttackResult(*folder.answer("membership", of("counts", [counts]), options))


def canaries(
    scores: Any,
    included: Any,
    *,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    mu: Optional[float] = None,
    choose: str = "bonferroni",
    guesses: Union[None, int, Sequence[int]] = None,
    in_turn: bool = False,
    alpha: float = 0.05,
    seed: int = 0,
) -> AttackResult:
    """Audit of a training in one run: certified bounds on epsilon and mu from the scores of canaries.

    * `scores`: a score for each canary, higher for in; at least 20. A dictionary of them is several attacks, at an
      equal share of `alpha` each; with `in_turn` they are those after each step of one training, in order.
    * `included`: for each canary 1 or True if it was in, 0 or False if not, by a fair coin of its own.
    * `epsilon` and `delta`, or `mu`: the claim to judge. Without one, epsilon is bounded at delta 1e-5.
    * `choose`: `"bonferroni"`, `"split"` or `"ordered"`, how the number of guesses is chosen. `guesses`: that number
      instead, or a pair, called in and called out; fixed before the scores are seen.
    * `alpha`: all bounds hold at once with probability at least 1 − alpha. `seed`: of the split, and of equal scores.

    Warns if the coins do not look fair. Raises ValueError for scores that are NaN, all the same, or too few.
    """
    with Folder() as folder:
        several = scores if isinstance(scores, Mapping) else {"score": scores}
        columns = _apart([str(name) for name in several], "in")
        coins = bits(included, "included", "1 for a canary that was in, 0 for one that was not")
        path = folder.columns("canaries.csv", {**dict(zip(columns, several.values())), "in": coins})
        options = {**_claim(epsilon, delta, mu), "alpha": number(alpha, "alpha"), "seed": count(seed, "seed")}
        if guesses is None:
            options["choose"] = choose
        else:
            options["guesses"] = ",".join(str(count(side, "guesses")) for side in listed(guesses))
        arguments = ["--in-turn"] * bool(in_turn) + of("score-column", columns)
        return AttackResult(*folder.answer("canaries", arguments + [path], options))


def canary_versions(
    scores: Mapping[str, Any],
    included: Any,
    *,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    guesses: Optional[int] = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> AttackResult:
    """Audit of a training in one run by canaries of several versions, of which one, drawn uniformly, was put in.

    * `scores`: for each version, by its name, the scores of that version of each canary; higher for in.
    * `included`: for each canary the name of the version that was in.
    * `epsilon`, `delta`, `alpha`, `seed`: as in `canaries`; the bound is on the epsilon of replacing one version by
      another. `guesses`: number of canaries that are guessed, fixed before the scores are seen.

    Warns if the versions do not look uniform. Raises ValueError for scores that are NaN, all the same, or too few, and
    for a version without scores.
    """
    with Folder() as folder:
        columns = _apart([str(name) for name in scores], "in")
        known = {name: place for place, name in enumerate(columns)}
        put_in = [str(name) for name in listed(included)]
        if len(columns) < 2:
            raise ValueError("`scores` has %d version: a canary has at least 2" % len(columns))
        missing = sorted(set(put_in) - set(columns))
        if missing:
            raise ValueError("the version %r has no scores: there are %s" % (missing[0], ", ".join(columns)))
        places = [known[name] for name in put_in]
        path = folder.columns("canaries.csv", {**dict(zip(columns, scores.values())), "in": places})
        options = {**_claim(epsilon, delta, None), "alpha": number(alpha, "alpha"), "seed": count(seed, "seed")}
        options["guesses"] = count(guesses, "guesses")
        return AttackResult(*folder.answer("canaries", ["--versions"] + of("score-column", columns) + [path], options))


def single_out(
    original: Any,
    released: Any,
    *,
    control: Any = None,
    columns: Union[str, Sequence[str]] = (),
    guesses: int = 1000,
    conditions: Optional[int] = None,
    at_most: Optional[float] = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> AttackResult:
    """Singling out: conditions guessed from a release that one row of the original table satisfies.

    * `original`, `released`, `control`: tables with the same columns: data frames of pandas or polars, lists of
      dictionaries, dictionaries of columns, or paths of CSV files. `control` has people of the same population that the
      release was made without; only with it an excess is certified.
    * `columns`: those that conditions are on, a name or several; all if left out. `guesses`: number of guesses.
      `conditions`: of a guess; 1 for rare and extreme values; 3 if left out, or the number of columns if it is less.
    * `at_most`: excess that is allowed, from 0 to 1, with a control: `failed` is True if more is certified.
    * `alpha`: level of the bound. `seed`: of the guesses.

    Cells are compared as the texts that they have in a CSV file. Whole numbers have no point (`7.0` is `7`), True and
    False are `true` and `false`, dates and times are in ISO 8601 (a time without a zone at midnight is its date), and
    None, NaN, NaT and NA are empty; anything else is its `str`.

    Raises ValueError for a table that cannot be read or has no rows, for columns that are not there, and for names of
    columns with a comma.
    """
    with Folder() as folder:
        options = {**_allowed(at_most, control, alpha), "seed": count(seed, "seed")}
        options.update({"guesses": count(guesses, "guesses"), "conditions": count(conditions, "conditions")})
        asked = of("columns", names(columns, "columns"))
        return AttackResult(*folder.answer("single-out", asked + folder.tables(original, released, control), options))


def infer(
    original: Any,
    released: Any,
    *,
    secret: str,
    known: Union[str, Sequence[str]],
    control: Any = None,
    neighbors: int = 1,
    tolerance: Optional[float] = None,
    at_most: Optional[float] = None,
    alpha: float = 0.05,
) -> AttackResult:
    """Inference: a secret column guessed from known ones by the nearest released rows.

    * `original`, `released`, `control`, `at_most`, `alpha`: as in `single_out`.
    * `secret`: the column that is guessed. `known`: the columns that the attacker knows, a name or several.
    * `neighbors`: number of nearest released rows, whose most frequent secret is the guess.
    * `tolerance`: share of the true number within which a guess is right, from 0 to 1. If left out, 0.05 for numbers;
      words must be the same. Texts of digits, such as codes, are words in rows and numbers in a file: give 0 for them.

    Raises ValueError as `single_out` does.
    """
    with Folder() as folder:
        asked = of("known", names(known, "known", least=1))
        options = {**_allowed(at_most, control, alpha), "secret": secret, "neighbors": count(neighbors, "neighbors")}
        if tolerance is None and are_words(original, "original", secret):
            tolerance = 0.0
        options["tolerance"] = number(tolerance, "tolerance")
        return AttackResult(*folder.answer("infer", asked + folder.tables(original, released, control), options))


def link(
    released: Any,
    known: Any,
    *,
    on: Union[str, Sequence[str]],
    truth: Optional[str] = None,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> AttackResult:
    """Linkage: a table without names joined with one that has names, and how many rows it identifies.

    * `released`, `known`: tables, as in `single_out`. `on`: the columns to join them on, a name or several; their cells
      must be the same, compared as in `single_out`. A file is compared as it is written.
    * `truth`: a column that identifies a person in both, which shows the links that are correct.
    * `epsilon`, `delta`: also attack noisy counts that are published in place of the table, at this loss.
    * `alpha`: level of the interval for the share of correct links. `seed`: of the noise.

    Raises ValueError as `single_out` does.
    """
    with Folder() as folder:
        if delta is not None and epsilon is None:
            raise ValueError("`delta` is that of noisy counts: give their `epsilon` too")
        asked = of("on", names(on, "on", least=1))
        arguments = [folder.table("released.csv", released), folder.table("known.csv", known)]
        options = {**_claim(epsilon, delta, None), "alpha": number(alpha, "alpha"), "seed": count(seed, "seed")}
        return AttackResult(*folder.answer("link", asked + arguments, {**options, "truth": truth}))


def reconstruct(
    noise: str,
    scales: Union[float, Sequence[float]] = (),
    *,
    epsilons_per_query: Union[float, Sequence[float]] = (),
    entries: Union[int, Sequence[int]] = 100,
    decoder: str = "linear-program",
    queries: Union[int, Sequence[int]] = (),
    delta: float = 1e-5,
    seed: int = 0,
) -> AttackResult:
    """Reconstruction: how much of a table of zeros and ones is rebuilt from noisy counts of random subsets.

    * `noise`: `"laplace"`, `"gaussian"`, `"bounded"`, `"adversarial"` or `"rounding"`. `scales`: its scale, or several,
      each a row of the answer: of gaussian noise the standard deviation, of bounded and adversarial the largest error,
      of rounding the multiple. Or `epsilons_per_query`: the epsilon of one answer with laplace or gaussian noise.
    * `entries`: number of people in a table drawn by `seed`, or the table itself: a list of 0 and 1.
    * `decoder`: `"linear-program"`, `"least-squares"` or `"exhaustive"`. `queries`: number of random subsets, or
      several; 4 for each person if left out.
    * `delta`: where epsilon is reported.

    Raises ValueError for an unknown noise or decoder, and for numbers outside their range.
    """
    with Folder() as folder:
        arguments = of("scale", [number(scale, "scales") for scale in listed(scales)])
        of_each = [number(epsilon, "epsilons_per_query") for epsilon in listed(epsilons_per_query)]
        arguments += of("epsilon-per-query", of_each)
        arguments += of("queries", [count(asked, "queries") for asked in listed(queries)])
        if hasattr(entries, "__iter__") and getattr(entries, "ndim", 1) != 0:
            table = bits(entries, "entries", "a table of 0 and 1")
            arguments += of("data", [folder.bits("entries.txt", table)])
        else:
            arguments += of("entries", [count(entries, "entries")])
        options = {"noise": noise, "decoder": decoder, "delta": number(delta, "delta"), "seed": count(seed, "seed")}
        return AttackResult(*folder.answer("reconstruct", arguments, options))


def average(
    noise: str,
    scale: float,
    *,
    sensitivity: float = 1.0,
    queries: int = 1000,
    cached: bool = False,
    differencing: bool = False,
    budget: Optional[float] = None,
    delta: float = 1e-5,
) -> AttackResult:
    """Averaging: one counting query asked many times, the error of the averaged answer, and the epsilon of all answers.

    * `noise`: `"laplace"` or `"gaussian"`, of each answer. `scale`: its scale, of gaussian the standard deviation.
    * `sensitivity`: largest change of the exact answer by one person. `queries`: at most 100 000.
    * `cached`: True to store the first answer and repeat it. `differencing`: True to ask with and without the person in
      turn, and average the differences.
    * `budget`: stop answering before the accountant's epsilon at `delta` exceeds this.

    Raises ValueError for numbers outside their range.
    """
    with Folder() as folder:
        flags = ["--cached"] * bool(cached) + ["--differencing"] * bool(differencing)
        numbers = {"scale": scale, "sensitivity": sensitivity, "budget": budget, "delta": delta}
        options = {name: number(value, name) for name, value in numbers.items()}
        options.update({"noise": noise, "queries": count(queries, "queries")})
        return AttackResult(*folder.answer("average", flags, options))


def _claim(epsilon: Any, delta: Any, mu: Any) -> Dict[str, Any]:
    if epsilon is not None and mu is not None:
        raise ValueError("there are `epsilon` and `mu`: a claim has one of them")
    return {"epsilon": number(epsilon, "epsilon"), "delta": number(delta, "delta"), "mu": number(mu, "mu")}


def _allowed(at_most: Any, control: Any, alpha: Any) -> Dict[str, Any]:
    if at_most is not None and control is None:
        raise ValueError("`at_most` needs a `control`: without one no excess is certified")
    return {"at-most": number(at_most, "at_most"), "alpha": number(alpha, "alpha")}


def _apart(columns: List[str], taken: str) -> List[str]:
    if not columns:
        raise ValueError("`scores` is empty: give those of one attack or more")
    if taken in columns:
        raise ValueError("the name %r is that of the column of coins: give these scores another" % taken)
    return columns
