"""Tables as rows of cells, and the texts by which an attack compares the cells."""

from __future__ import annotations

import datetime
import decimal
import os
from typing import AbstractSet, Any, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

Rows = Iterable[Sequence[Any]]

# Collections without an order, and those that reading uses up.
_NOT_LISTS = (str, bytes, Mapping, AbstractSet, Iterator)


def is_path(table: Any) -> bool:
    return isinstance(table, (str, os.PathLike))


def read(table: Any, name: str) -> Tuple[List[str], Rows]:
    """The names of the columns of a table, and its rows. Raises ValueError with the table's name."""
    if isinstance(table, Mapping):
        columns, rows = _of_columns(table, name)
    else:
        columns, rows = of_frame(table) or _of_dictionaries(table, name)
    named = [str(column) for column in columns]
    twice = [column for place, column in enumerate(named) if column in named[:place]]
    if twice:
        raise ValueError("%s has two columns of the name %r: rename one" % (name, twice[0]))
    return named, rows


def of_frame(frame: Any) -> Optional[Tuple[List[Any], Rows]]:
    """The columns and rows of a data frame of pandas or polars; None for anything else."""
    # A lazy frame has columns, and has to compute them.
    columns = getattr(frame, "columns", None) if hasattr(frame, "shape") else None
    if columns is None:
        return None
    if callable(getattr(frame, "itertuples", None)):  # pandas
        return list(columns), frame.itertuples(index=False, name=None)
    if callable(getattr(frame, "iter_rows", None)):  # polars
        return list(columns), frame.iter_rows()
    return None


def are_words(table: Any, name: str, column: str) -> bool:
    """True if all cells of a column but missing ones are texts; False for a file, which is not read here."""
    if is_path(table):
        return False
    columns, rows = read(table, name)
    if column not in columns:
        return False
    place = columns.index(column)
    cells = [row[place] for row in rows]
    present = [cell for cell in cells if not _is_missing(cell)]
    return bool(present) and all(isinstance(cell, str) for cell in present)


def text(cell: Any) -> str:
    """The text of a cell in a CSV file: the same for values that are the same."""
    if type(cell).__module__ == "numpy" and hasattr(cell, "item"):
        cell = _of_numpy(cell)
    if _is_missing(cell):
        return ""
    if isinstance(cell, str):
        return str.__str__(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int):
        return str(int(cell))
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(float(cell))
    if isinstance(cell, datetime.datetime):
        whole = cell.time() == datetime.time() and cell.tzinfo is None and not getattr(cell, "nanosecond", 0)
        return cell.date().isoformat() if whole else cell.isoformat()
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    return str(cell)


def _of_columns(table: Mapping[Any, Any], name: str) -> Tuple[List[Any], Rows]:
    columns: List[List[Any]] = []
    for of, cells in table.items():
        if isinstance(cells, _NOT_LISTS) or not hasattr(cells, "__iter__"):
            raise ValueError("the column %r of %s is not a list: give a list of cells for each column" % (of, name))
        columns.append(list(cells))
        if len(columns[-1]) != len(columns[0]):
            raise ValueError(
                "the column %r of %s has %d cells, the first has %d" % (of, name, len(columns[-1]), len(columns[0]))
            )
    return list(table), zip(*columns)


def _of_dictionaries(table: Any, name: str) -> Tuple[List[Any], Rows]:
    if not isinstance(table, (list, tuple)) or not all(isinstance(row, Mapping) for row in table):
        raise ValueError(
            "%s is not a table: give a data frame, a list of dictionaries, a dictionary of columns, or the path of a "
            "CSV file" % name
        )
    columns = list(table[0]) if table else []
    for place, row in enumerate(table):
        odd = [column for column in list(row) + columns if (column in row) != (column in columns)]
        if odd:
            raise ValueError(
                "the rows of %s have different columns: row %d and row 1 differ in %r" % (name, place + 1, odd[0])
            )
    return columns, ([row[column] for column in columns] for row in table)


def _of_numpy(cell: Any) -> Any:
    """A scalar of numpy as Python's own; None for NaT."""
    kind = getattr(getattr(cell, "dtype", None), "kind", "")
    if kind in "mM" and str(cell) == "NaT":
        return None
    if kind == "M":
        # Of nanoseconds numpy gives a number.
        in_microseconds = cell.astype("datetime64[us]")
        return in_microseconds.item() if in_microseconds == cell else cell
    return cell.item() if kind in "biuf" else cell


def _is_missing(cell: Any) -> bool:
    if isinstance(cell, (str, int)):
        return False
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, float) and cell != cell or isinstance(cell, decimal.Decimal) and cell.is_nan()
