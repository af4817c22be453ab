"""Arguments of the program and files for an attack, and its answer."""

from __future__ import annotations

import csv
import json
import operator
import os
import re
import tempfile
import warnings
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from . import _tables

# An option in a message of the program, with its values, such as '--known <COLUMN,..>'.
_OPTION = re.compile(r"(?<![\w./-])(['`]?)--([a-z][a-z-]*)(?: <[^>]*>)*(?:\.\.\.)?\1")
# Options whose parameter has another name, in words.
_PARAMETERS = {
    "column": "the names of the scores",
    "score-column": "the names of the scores",
    "counts": "the counts",
    "data": "`entries`",
    "in-column": "`included`",
    "epsilon-per-query": "`epsilons_per_query`",
}


def of(name: str, words: Iterable[Any]) -> List[str]:
    """An option that is given once for each word."""
    return ["--%s=%s" % (name, word) for word in words]


def listed(values: Any) -> List[Any]:
    """A scalar or a sequence, an array or a series of numbers, as a list."""
    if hasattr(values, "tolist"):
        values = values.tolist()
    is_scalar = isinstance(values, str) or not hasattr(values, "__iter__")
    return [values] if is_scalar else list(values)


def count(value: Any, name: str) -> Optional[int]:
    """A whole number; None stays. Raises ValueError for any other."""
    if value is None:
        return None
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError("`%s` is %r: it must be a whole number" % (name, value)) from None


def number(value: Any, name: str) -> Any:
    """A number, a whole one as int; None stays. Raises ValueError for what is not a number."""
    if value is None:
        return None
    try:
        return operator.index(value)
    except TypeError:
        pass
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError("`%s` is %r: it must be a number" % (name, value))


def names(columns: Any, name: str, least: int = 0) -> List[str]:
    """Names of columns, of which one may be given alone. Raises ValueError for names with a comma."""
    several = [str(column) for column in listed(() if columns is None else columns)]
    for column in several:
        if "," in column:
            raise ValueError("`%s` has the column %r: rename it, a comma is between names" % (name, column))
    if len(several) < least:
        raise ValueError("`%s` has no column: name one or more" % name)
    return several


def bits(values: Any, name: str, words: str) -> List[int]:
    """A list of 0 and 1. Raises ValueError for any other number."""
    coins = _numbers(values, name)
    for coin in coins:
        if coin not in (0.0, 1.0):
            raise ValueError("%s has %r: it is %s" % (name, coin, words))
    return [int(coin) for coin in coins]


class Folder:
    """The files of one question, which are removed with it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="plaudit-")

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: Any) -> None:
        self._folder.cleanup()

    def answer(
        self, command: str, arguments: Sequence[str], options: Mapping[str, Any]
    ) -> Tuple[str, Dict[str, Any], bool]:
        """The answer of an attack: words, values, and whether it failed. Raises ValueError with what is wrong."""
        from . import _native

        began = ["plaudit", "canaries"] if command == "canaries" else ["plaudit", "attack", command]
        given = [word for name, value in options.items() if value is not None for word in of(name, [value])]
        try:
            words, values, code, notes = _native.attacked(began + given + list(arguments))
        except ValueError as error:
            why = _of_parameters(self._named(str(error)))
            raise ValueError(why.replace("`scale`", "`scales`") if command == "reconstruct" else why) from None
        found: Dict[str, Any] = json.loads(self._named(values))
        for note in notes + _warned(found):
            # At the line that called the attack.
            warnings.warn(_of_parameters(self._named(re.sub("^warning: ", "", note))), stacklevel=3)
        return self._aligned(words), found, code != 0

    def _named(self, words: str) -> str:
        """Names of the files that were made here, without their folder."""
        return words.replace(self._folder.name + os.sep, "")

    def _aligned(self, words: str) -> str:
        """The words without the folder; the cell beside a name that is shorter now ends where that of the head does."""
        lines = []
        end = 0
        for line in words.split("\n"):
            # A label, two spaces or more, and the first cell.
            match = re.match(r"( *\S(?:.*?\S)??)  +(\S+)", line)
            label, cell = match.groups() if match else ("", "")
            if match and self._named(label) != label:
                line = self._named(label).ljust(end - len(cell)) + line[match.start(2) :]
            elif match and not end:
                end = match.end()
            end = end if line else 0
            lines.append(self._named(line))
        return "\n".join(lines)

    def _path(self, name: str) -> str:
        return os.path.join(self._folder.name, name)

    def scores(self, name: str, scores: Any) -> str:
        """A file of one column of scores."""
        return _of_user(scores) if _tables.is_path(scores) else self.lines(name, scores)

    def lines(self, name: str, numbers: Any) -> str:
        with open(self._path(name), "w", encoding="utf-8") as file:
            file.writelines("%r\n" % number for number in _numbers(numbers, name))
        return self._path(name)

    def bits(self, name: str, coins: Iterable[int]) -> str:
        """A file of a table of 0 and 1."""
        with open(self._path(name), "w", encoding="utf-8") as file:
            file.writelines("%d\n" % coin for coin in coins)
        return self._path(name)

    def columns(self, name: str, columns: Mapping[Any, Any]) -> str:
        """A file of several columns of scores."""
        if not columns:
            raise ValueError("%s has no scores: give those of one attack or more" % os.path.splitext(name)[0])
        numbers = [_numbers(column, str(of)) for of, column in columns.items()]
        if len({len(column) for column in numbers}) > 1:
            raise ValueError("the scores under different names have different lengths")
        return self._csv(name, [str(of) for of in columns], (map(repr, row) for row in zip(*numbers)))

    def tables(self, original: Any, released: Any, control: Any) -> List[str]:
        """The tables of an attack on a release."""
        controls = [] if control is None else of("control", [self.table("control.csv", control)])
        return controls + [self.table("original.csv", original), self.table("released.csv", released)]

    def table(self, name: str, table: Any) -> str:
        """A file of a table."""
        if _tables.is_path(table):
            return _of_user(table)
        shown = os.path.splitext(name)[0]
        columns, rows = _tables.read(table, shown)
        # With these ends of lines a lone carriage return in a cell is quoted, too.
        return self._csv(name, columns, ([_tables.text(cell) for cell in row] for row in rows), "\r\n")

    def _csv(self, name: str, columns: Sequence[str], rows: Iterable[Iterable[str]], end: str = "\n") -> str:
        shown = os.path.splitext(name)[0]
        filled = 0
        try:
            with open(self._path(name), "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator=end)
                writer.writerow(columns)
                for row in rows:
                    writer.writerow(row)
                    filled += 1
        except UnicodeEncodeError as error:
            raise ValueError("%s has text that is not Unicode, near row %d: %s" % (shown, filled + 1, error)) from None
        if not filled:
            raise ValueError("%s has no rows" % shown)
        return self._path(name)


def _warned(found: Mapping[str, Any]) -> List[str]:
    """The warnings in an answer, and in those of several attacks."""
    told = [str(warning) for warning in found.get("warnings") or []]
    for column in found.get("columns") or []:
        if isinstance(column, dict):
            told += ["%s: %s" % (column.get("column"), warning) for warning in column.get("warnings") or []]
    return told


def _of_parameters(message: str) -> str:
    """A message of the program with parameters in the place of options."""

    def named(option: re.Match[str]) -> str:
        return _PARAMETERS.get(option.group(2), "`%s`" % option.group(2).replace("-", "_"))

    return _OPTION.sub(named, message)


def _of_user(path: Any) -> str:
    """A path that is not taken for an option."""
    words = os.fsdecode(path)
    return os.path.join(os.curdir, words) if words.startswith("-") else words


def _numbers(numbers: Any, name: str) -> List[float]:
    shown = os.path.splitext(name)[0]
    if getattr(numbers, "ndim", 1) != 1:
        raise ValueError("%s has %d dimensions: flatten it" % (shown, numbers.ndim))
    try:
        return [float(x) for x in (numbers.tolist() if hasattr(numbers, "tolist") else list(numbers))]
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError("%s has what is not a number: %s" % (shown, error)) from None
