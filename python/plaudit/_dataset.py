"""Datasets: what users have, as the engine shows and checks them."""

from __future__ import annotations

import collections.abc
import hashlib
import json
import math
import pickle
from typing import Any, Dict, Iterator, List, Optional

from ._tables import of_frame

_INT64 = range(-(2**63), 2**63)
_SHOWN = 60
# Most items of a collection that are compared.
_COMPARED = 1_000_000


class Table(Dict[str, Any]):
    """A dataset with columns: a dictionary of "columns" and "rows", which iterates over its rows as dictionaries."""

    def __iter__(self) -> Iterator[Any]:
        columns = self["columns"]
        return (dict(zip(columns, row)) for row in self["rows"])

    def __len__(self) -> int:
        return len(self["rows"])

    def __bool__(self) -> bool:
        return True


def as_table(dataset: Any) -> Any:
    """A dataset that the engine wrote: with columns, it is a `Table`."""
    is_table = isinstance(dataset, dict) and set(dataset.keys()) == {"columns", "rows"}
    return Table(dataset) if is_table else dataset


class Shown:
    """A dataset as JSON, and whether that says all there is to it."""

    def __init__(self, value: Any, whole: bool, rows: Optional[List[str]] = None) -> None:
        self.value = value
        self.whole = whole
        #: The rows or items, each as a text to compare; None if the dataset has none.
        self.rows = _items(value) if whole else rows

    def to_json(self) -> str:
        """As the engine reads it: numbers that are not finite are `{"$number": "nan"}`, "inf" or "-inf"."""
        return json.dumps(_finite(self.value), allow_nan=False)

    def key(self) -> str:
        """The same for the same dataset, as written here or read back from the engine."""
        return canonical(self.value)


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def shown(dataset: Any) -> Shown:
    """A dataset as JSON: numbers, texts, lists, dictionaries, numpy arrays, pandas and polars frames and series.

    Of anything else there is its type, the start of its `repr` and a hash of its pickle: neighbors are told apart by
    it, and no relation can be checked on it. The rows of other collections (sets, dictionaries, deques, structured
    arrays) are compared where no relation is named.

    Raises TypeError for an iterator, which the first run would use up.
    """
    if isinstance(dataset, collections.abc.Iterator):
        raise TypeError(
            "the dataset is an iterator (%s), which the first run uses up: give list(…) of it" % type(dataset).__name__
        )
    try:
        return Shown(_plain(dataset), True)
    except _Opaque:
        return Shown(_opaque(dataset), False, _collected(dataset))


def _collected(dataset: Any) -> Optional[List[str]]:
    """The items of a collection that JSON does not have, each as a text; sorted where they have no order."""
    is_text = isinstance(dataset, (str, bytes, bytearray))
    structured = getattr(getattr(dataset, "dtype", None), "names", None) is not None
    if is_text or not (structured or isinstance(dataset, collections.abc.Collection)):
        return None
    try:
        if len(dataset) > _COMPARED:
            return None
        is_map = isinstance(dataset, collections.abc.Mapping)
        items = [shown(item).key() for item in (list(dataset.items()) if is_map else list(dataset))]
    except Exception:
        return None
    return sorted(items) if isinstance(dataset, (collections.abc.Mapping, collections.abc.Set)) else items


class _Opaque(Exception):
    pass


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, str)):
        return _text(value) if isinstance(value, str) else value
    if isinstance(value, int):
        whole = int(value)
        if whole not in _INT64:
            raise _Opaque
        return whole
    if isinstance(value, float):
        return float(value)
    if isinstance(value, (list, tuple, range)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        if not all(isinstance(key, str) and not key.startswith("$") for key in value):
            raise _Opaque
        return {_text(key): _plain(item) for key, item in value.items()}
    table = _table(value)
    if table is not None:
        return table
    dtype = getattr(value, "dtype", None)
    if dtype is not None and callable(getattr(value, "tolist", None)):
        kind = getattr(dtype, "kind", "?")
        if kind not in "biufUO?" or getattr(value, "ndim", 1) > 8:
            raise _Opaque
        unpacked = value.tolist()
        if type(unpacked) is type(value):
            raise _Opaque
        return _plain(unpacked)
    if callable(getattr(value, "to_list", None)):
        return _plain(value.to_list())
    raise _Opaque


def _table(frame: Any) -> Optional[List[Dict[str, Any]]]:
    """A data frame as a list of objects, which the engine checks as rows with columns."""
    found = of_frame(frame)
    if found is None:
        return None
    columns, rows = found
    names = [_text(str(column)) for column in columns]
    if len(set(names)) < len(names) or any(name.startswith("$") for name in names):
        raise _Opaque
    return [{name: _plain(cell) for name, cell in zip(names, row)} for row in rows]


# What there is of a dataset that JSON does not have.
OPAQUE = {"type", "begins", "sha256"}


def _opaque(value: Any) -> Dict[str, Any]:
    kind = type(value)
    try:
        data = pickle.dumps(value, protocol=4)
    except Exception:
        data = repr(value).encode("utf-8", "backslashreplace")
    start = _text(repr(value))
    if len(start) > _SHOWN:
        start = start[: _SHOWN - 1] + "…"
    return {
        "type": "%s.%s" % (kind.__module__, kind.__qualname__),
        "begins": start,
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _text(text: str) -> str:
    return str(text).encode("utf-8", "backslashreplace").decode("utf-8")


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return {"$number": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return value


def fingerprint(dataset: Any) -> Optional[bytes]:
    """A hash by which a change of the dataset shows; None if there is no way to take one."""
    if hasattr(dataset, "tobytes") and getattr(getattr(dataset, "dtype", None), "kind", "O") != "O":
        data = dataset.tobytes()
    else:
        try:
            data = pickle.dumps(dataset, protocol=4)
        except Exception:
            return None
    return hashlib.blake2b(data, digest_size=16).digest()


def rows_of(value: Any) -> Optional[List[str]]:
    """The rows of a dataset as it is shown, each as a text to compare; None if it is not made of rows."""
    if isinstance(value, list):
        return [canonical(row) for row in value]
    if isinstance(value, dict) and set(value) == {"columns", "rows"}:
        return [canonical(row) for row in value["rows"]]
    return None


def _items(value: Any) -> Optional[List[str]]:
    if isinstance(value, dict) and set(value) != {"columns", "rows"}:
        return sorted(canonical(list(item)) for item in value.items())
    return rows_of(value)


def relation_between(d: Shown, d_prime: Shown) -> Any:
    """The relation that two datasets are neighbors under, as a spec writes it: one row more or less, one row changed,
    or unchecked."""
    unchecked = "unchecked: the two datasets as they were given"
    if not (d.whole and d_prime.whole):
        return unchecked
    a, b = rows_of(d.value), rows_of(d_prime.value)
    if a is None or b is None:
        return unchecked
    return _one_row_apart(a, b) or unchecked


def rows_apart(d: Shown, d_prime: Shown) -> Optional[str]:
    """Why two different datasets of rows or items are not one apart; None if they are, or if they have none."""
    a, b = d.rows, d_prime.rows
    if a is None or b is None or a == b or _one_row_apart(a, b):
        return None
    # A tuple of arrays such as (X, y), or a dictionary of columns, whose rows are across them.
    across = [_across(dataset.value) for dataset in (d, d_prime)]
    if across[0] is not None and across[1] is not None and _one_row_apart(across[0], across[1]):
        return None
    if len(a) == len(b):
        return "%d rows differ" % sum(x != y for x, y in zip(a, b))
    if abs(len(a) - len(b)) == 1:
        return "the shorter one is not the longer one less a row"
    return "one has %d rows and the other has %d" % (len(a), len(b))


def _across(value: Any) -> Optional[List[str]]:
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    if not (isinstance(value, list) and value and all(isinstance(part, list) for part in value)):
        return None
    if len({len(part) for part in value}) > 1:
        return None
    return [canonical(list(row)) for row in zip(*value)]


def _one_row_apart(a: List[str], b: List[str]) -> Optional[str]:
    if abs(len(a) - len(b)) == 1 and _removed(*sorted((a, b), key=len)):
        return "add-remove"
    if len(a) == len(b) and sum(x != y for x, y in zip(a, b)) == 1:
        return "substitution"
    return None


def _removed(fewer: List[str], more: List[str]) -> bool:
    """Whether the one is the other without one row."""
    at = next((i for i, (x, y) in enumerate(zip(fewer, more)) if x != y), len(fewer))
    return fewer[at:] == more[at + 1 :]


def pair_name(d: Shown, d_prime: Shown) -> str:
    def start(one: Shown) -> str:
        words = canonical(one.value)
        return words if len(words) <= 24 else words[:23] + "…"

    return "%s | %s" % (start(d), start(d_prime))

