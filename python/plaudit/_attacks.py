"""Attacks on scores, on released tables and on noisy answers: `plaudit attack` and `plaudit canaries` from Python."""

from __future__ import annotations

import csv
import json
import math
import os
import tempfile
import warnings
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._dataset import shown

Path = Union[str, "os.PathLike[str]"]


class AttackResult:
    """What an attack reached. `str(result)` has the lines that `plaudit attack` or `plaudit canaries` prints.

    * `words`: these lines.
    * `values`: all numbers, as `--format json` prints them: a dictionary; numbers that are not finite are texts.
      `result["certified"]` is `result.values["certified"]`.
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
    with _Folder() as folder:
        arguments: List[str] = []
        if isinstance(members, Mapping) and isinstance(others, Mapping):
            names = [str(name) for name in members]
            if names != [str(name) for name in others]:
                raise ValueError("members and others have scores of different names, or in another order")
            arguments += [folder.columns("members.csv", members), folder.columns("others.csv", others)]
            arguments += _of("column", names)
        else:
            arguments += [folder.scores("members.txt", members), folder.scores("others.txt", others)]
        if rows is not None:
            of_members, of_others = rows
            tables = [folder.table("rows-of-members.csv", of_members), folder.table("rows-of-others.csv", of_others)]
            arguments += ["--rows"] + tables
        options = {"epsilon": epsilon, "delta": delta, "mu": mu, "alpha": alpha, "seed": seed}
        return folder.answer("membership", arguments, options)


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
    with _Folder() as folder:
        counts = ",".join(str(int(count)) for count in (true_positives, false_positives, members, others))
        options = {"epsilon": epsilon, "delta": delta, "mu": mu, "alpha": alpha}
        return folder.answer("membership", ["--counts", counts], options)


def canaries(
    scores: Any,
    included: Any,
    *,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    mu: Optional[float] = None,
    choose: str = "bonferroni",
    guesses: Union[None, int, Tuple[int, int]] = None,
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
    with _Folder() as folder:
        several = scores if isinstance(scores, Mapping) else {"score": scores}
        names = _apart([str(name) for name in several], "in")
        coins = [int(coin) for coin in _bits(included)]
        path = folder.columns("canaries.csv", {**dict(zip(names, several.values())), "in": coins})
        options: Dict[str, Any] = {"epsilon": epsilon, "delta": delta, "mu": mu, "alpha": alpha, "seed": seed}
        if guesses is None:
            options["choose"] = choose
        else:
            options["guesses"] = guesses if isinstance(guesses, int) else "%d,%d" % guesses
        arguments = ["--in-turn"] * in_turn + _of("score-column", names)
        return folder.answer("canaries", arguments + [path], options)


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
    with _Folder() as folder:
        names = [str(name) for name in scores]
        known = {name: place for place, name in enumerate(names)}
        listed = [str(name) for name in (included.tolist() if hasattr(included, "tolist") else included)]
        missing = sorted(set(listed) - set(names))
        if missing:
            raise ValueError("the version %r has no scores: there are %s" % (missing[0], ", ".join(names)))
        names = _apart(names, "in")
        places = [known[name] for name in listed]
        path = folder.columns("canaries.csv", {**dict(zip(names, scores.values())), "in": places})
        options = {"epsilon": epsilon, "delta": delta, "guesses": guesses, "alpha": alpha, "seed": seed}
        return folder.answer("canaries", ["--versions"] + _of("score-column", names) + [path], options)


def single_out(
    original: Any,
    released: Any,
    *,
    control: Any = None,
    columns: Sequence[str] = (),
    guesses: int = 2000,
    conditions: Optional[int] = None,
    at_most: Optional[float] = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> AttackResult:
    """Singling out: conditions guessed from a release that one row of the original table satisfies.

    * `original`, `released`, `control`: tables with the same columns: data frames of pandas or polars, lists of
      dictionaries, or paths of CSV files. `control` has people of the same population that the release was made
      without; only with it an excess is certified.
    * `columns`: those that conditions are on; all if left out. `guesses`: number of guesses. `conditions`: of a guess;
      1 for rare and extreme values; 3 if left out, or the number of columns if it is less.
    * `at_most`: excess that is allowed, from 0 to 1: `failed` is True if more is certified.
    * `alpha`: level of the bound. `seed`: of the guesses.

    Raises ValueError for a table that cannot be read, and for columns that are not there.
    """
    with _Folder() as folder:
        options = {"guesses": guesses, "conditions": conditions, "at-most": at_most, "alpha": alpha, "seed": seed}
        arguments = folder.tables(original, released, control) + _of("columns", columns)
        return folder.answer("single-out", arguments, options)


def infer(
    original: Any,
    released: Any,
    *,
    secret: str,
    known: Sequence[str],
    control: Any = None,
    neighbors: int = 5,
    tolerance: float = 0.05,
    at_most: Optional[float] = None,
    alpha: float = 0.05,
) -> AttackResult:
    """Inference: a secret column guessed from known ones by the nearest released rows.

    * `original`, `released`, `control`, `at_most`, `alpha`: as in `single_out`.
    * `secret`: the column that is guessed. `known`: the columns that the attacker knows.
    * `neighbors`: number of nearest released rows, whose most frequent secret is the guess.
    * `tolerance`: share of the true number within which a guess is right, from 0 to 1; words must be the same.

    Raises ValueError for a table that cannot be read, and for columns that are not there.
    """
    with _Folder() as folder:
        arguments = folder.tables(original, released, control) + _of("known", known)
        options = {"secret": secret, "neighbors": neighbors, "tolerance": tolerance, "at-most": at_most, "alpha": alpha}
        return folder.answer("infer", arguments, options)


def link(
    released: Any,
    known: Any,
    *,
    on: Sequence[str],
    truth: Optional[str] = None,
    epsilon: Optional[float] = None,
    delta: Optional[float] = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> AttackResult:
    """Linkage: a table without names joined with one that has names, and how many rows it identifies.

    * `released`, `known`: tables, as in `single_out`. `on`: the columns to join them on.
    * `truth`: a column that identifies a person in both, which shows the links that are correct.
    * `epsilon`, `delta`: also attack noisy counts that are published in place of the table, at this loss.
    * `alpha`: level of the interval for the share of correct links. `seed`: of the noise.

    Raises ValueError for a table that cannot be read, and for columns that are not there.
    """
    with _Folder() as folder:
        arguments = [folder.table("released.csv", released), folder.table("known.csv", known)]
        options = {"truth": truth, "epsilon": epsilon, "delta": delta, "alpha": alpha, "seed": seed}
        return folder.answer("link", arguments + _of("on", on), options)


def reconstruct(
    noise: str,
    scales: Sequence[float] = (),
    *,
    epsilons_per_query: Sequence[float] = (),
    entries: Union[int, Sequence[int]] = 100,
    decoder: str = "linear-program",
    queries: Sequence[int] = (),
    delta: float = 1e-5,
    seed: int = 0,
) -> AttackResult:
    """Reconstruction: how much of a table of zeros and ones is rebuilt from noisy counts of random subsets.

    * `noise`: `"laplace"`, `"gaussian"`, `"bounded"`, `"adversarial"` or `"rounding"`; `scales`: its scales, each a row
      of the answer: of gaussian noise the standard deviation, of bounded and adversarial the largest error, of rounding
      the multiple. Or `epsilons_per_query`: the epsilon of one answer with laplace or gaussian noise.
    * `entries`: number of people in a table drawn by `seed`, or the table itself: a list of 0 and 1.
    * `decoder`: `"linear-program"`, `"least-squares"` or `"exhaustive"`. `queries`: numbers of random subsets; 4 for
      each person if left out.
    * `delta`: where epsilon is reported.

    Raises ValueError for an unknown noise or decoder, and for numbers outside their range.
    """
    with _Folder() as folder:
        arguments: List[str] = []
        for name, numbers in (("scale", scales), ("epsilon-per-query", epsilons_per_query), ("queries", queries)):
            arguments += _of(name, [repr(number) for number in numbers])
        if isinstance(entries, int):
            arguments += ["--entries", str(entries)]
        else:
            arguments += ["--data", folder.lines("entries.txt", entries, "%g")]
        options = {"noise": noise, "decoder": decoder, "delta": delta, "seed": seed}
        return folder.answer("reconstruct", arguments, options)


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
    with _Folder() as folder:
        flags = ["--cached"] * cached + ["--differencing"] * differencing
        options = {"noise": noise, "scale": scale, "sensitivity": sensitivity, "queries": queries, "budget": budget}
        return folder.answer("average", flags, {**options, "delta": delta})


def _bits(included: Any) -> List[bool]:
    coins = _numbers(included, "included")
    for coin in coins:
        if coin not in (0.0, 1.0):
            raise ValueError("included has %r: it is 1 for a canary that was in, 0 for one that was not" % coin)
    return [coin == 1.0 for coin in coins]


def _apart(names: List[str], taken: str) -> List[str]:
    if taken in names:
        raise ValueError("the name %r is that of the column of coins: give these scores another" % taken)
    return names


def _of(name: str, words: Iterable[Any]) -> List[str]:
    """An option that is given once for each word."""
    return ["--%s=%s" % (name, word) for word in words]


class _Folder:
    """The files of one question, which are removed with it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="plaudit-")

    def __enter__(self) -> _Folder:
        return self

    def __exit__(self, *_: Any) -> None:
        self._folder.cleanup()

    def answer(self, command: str, arguments: Sequence[str], options: Mapping[str, Any]) -> AttackResult:
        """The answer of an attack. Raises ValueError with what is wrong."""
        from . import _native

        began = ["plaudit", "canaries"] if command == "canaries" else ["plaudit", "attack", command]
        given = [word for name, value in options.items() if value is not None for word in _of(name, [value])]
        try:
            words, values, code, notes = _native.attacked(began + given + list(arguments))
        except ValueError as error:
            raise ValueError(self._named(str(error))) from None
        for note in notes:
            warnings.warn(note[len("warning: ") :] if note.startswith("warning: ") else note, stacklevel=3)
        return AttackResult(self._named(words), json.loads(self._named(values)), code != 0)

    def _named(self, words: str) -> str:
        """Names of the files that were made here, without their folder."""
        return words.replace(self._folder.name + os.sep, "")

    def _path(self, name: str) -> str:
        return os.path.join(self._folder.name, name)

    def scores(self, name: str, scores: Any) -> str:
        """A file of one column of scores."""
        return os.fspath(scores) if isinstance(scores, (str, os.PathLike)) else self.lines(name, scores)

    def lines(self, name: str, numbers: Any, form: str = "%r") -> str:
        with open(self._path(name), "w", encoding="utf-8") as file:
            file.writelines(form % number + "\n" for number in _numbers(numbers, name))
        return self._path(name)

    def columns(self, name: str, columns: Mapping[Any, Any]) -> str:
        """A file of several columns of scores."""
        numbers = [_numbers(column, str(of)) for of, column in columns.items()]
        if len({len(column) for column in numbers}) > 1:
            raise ValueError("the scores under different names have different lengths")
        return self._csv(name, [str(of) for of in columns], zip(*numbers))

    def tables(self, original: Any, released: Any, control: Any) -> List[str]:
        """The tables of an attack on a release."""
        paths = [self.table("original.csv", original), self.table("released.csv", released)]
        return paths + ([] if control is None else ["--control", self.table("control.csv", control)])

    def table(self, name: str, table: Any) -> str:
        """A file of a table."""
        if isinstance(table, (str, os.PathLike)):
            return os.fspath(table)
        rows = shown(table).value
        if isinstance(rows, dict) and set(rows) == {"columns", "rows"}:
            return self._csv(name, rows["columns"], rows["rows"])
        if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
            raise ValueError(
                "%s is not a table with rows: give a data frame, a list of dictionaries, or the path of a CSV file"
                % os.path.splitext(name)[0]
            )
        columns = list(rows[0])
        if any(set(row) != set(columns) for row in rows):
            raise ValueError("the rows of %s have different columns" % os.path.splitext(name)[0])
        return self._csv(name, columns, ([row[column] for column in columns] for row in rows))

    def _csv(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
        with open(self._path(name), "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows([_cell(cell) for cell in row] for row in rows)
        return self._path(name)


def _cell(cell: Any) -> Any:
    is_missing = cell is None or isinstance(cell, float) and math.isnan(cell)
    return "" if is_missing else cell


def _numbers(numbers: Any, name: str) -> List[float]:
    if getattr(numbers, "ndim", 1) != 1:
        raise ValueError("%s has %d dimensions: flatten it" % (os.path.splitext(name)[0], numbers.ndim))
    listed = numbers.tolist() if hasattr(numbers, "tolist") else list(numbers)
    try:
        return [float(x) for x in listed]
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError("%s has what is not a number: %s" % (os.path.splitext(name)[0], error)) from None
