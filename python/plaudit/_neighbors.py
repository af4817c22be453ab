"""Neighboring datasets, made from the data that users have."""

from __future__ import annotations

import numbers
from random import Random
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._dataset import canonical, shown

_RELATIONS = ("add-remove", "substitution")
_KEYED = {"remove_all": "add-remove", "replace_all": "substitution"}
_COLUMNS = 20
_TRIES = 20


def neighbors(
    data: Any,
    relation: Union[str, Mapping[str, Any]] = "add-remove",
    *,
    random: int = 3,
    rows: Optional[Sequence[int]] = None,
    key: Any = None,
    seed: int = 0,
) -> List[Tuple[Any, Any]]:
    """Pairs of neighbors for `audit(pairs=…)`: the data, and the data with a row removed or replaced.

    `data`: a list or tuple of numbers or rows, a numpy array, a pandas or polars frame or series, or a tuple of
    arrays with equally many rows, such as (X, y). The neighbors are of the same type, with rows in the same order.

    `relation`: "add-remove" removes a row, "substitution" replaces it by another row of the data. The pairs are those
    of `random` random rows and, for each of the first 20 numeric columns, of the rows with the smallest and the
    largest value; under "substitution" each of these two is replaced by the other. `rows=[3, 17]`: these rows alone.

    `key`: the column that identifies the person. All rows of a person are removed, or replaced by those of another
    person under the same key. The person with the most rows is also included. Audit these pairs under {"remove_all":
    key} or {"replace_all": key}, which `relation` may be instead.

    No pair occurs twice, and the same seed gives the same pairs. Raises ValueError for data without rows, for a row, a
    column or a relation that there is not, and where all rows are alike and none can be replaced; TypeError for data of
    another type.
    """
    relation, key = _relation(relation, key)
    table = _table(data)
    if table.count == 0:
        raise ValueError("the data has no rows, and so no neighbors with a row less")
    if random < 0:
        raise ValueError("random=%d: it is a number of rows, 0 or more" % random)
    people = _People(table, key)
    chosen = _chosen(table, people, rows, random, Random(seed), relation == "substitution")
    pairs: Dict[Any, Tuple[Any, Any]] = {}
    for person, other in chosen:
        label = people.label(person, other)
        if label is not None and label not in pairs:
            pairs[label] = (data, people.changed(person, other))
    if not pairs:
        raise ValueError("there are no such neighbors: all the rows are alike, or none was asked for")
    return list(pairs.values())


def _relation(relation: Union[str, Mapping[str, Any]], key: Any) -> Tuple[str, Any]:
    if isinstance(relation, Mapping):
        found = [name for name in _KEYED if name in relation]
        if len(found) != 1:
            raise ValueError("unknown relation %r: give {'remove_all': key} or {'replace_all': key}" % (relation,))
        if key is not None and key != relation[found[0]]:
            raise ValueError("the relation says %r, and key says %r" % (relation[found[0]], key))
        return _KEYED[found[0]], relation[found[0]]
    if relation not in _RELATIONS:
        raise ValueError("unknown relation %r: give 'add-remove' or 'substitution'" % (relation,))
    return relation, key


def _chosen(
    table: "_Rows", people: "_People", rows: Optional[Sequence[int]], random: int, draw: Random, replaced: bool
) -> Iterable[Tuple[int, Optional[int]]]:
    """Who is removed, or who is replaced by whom."""
    count = len(people.rows)
    if rows is not None:
        named = [people.of(table.row(at)) for at in rows]
    else:
        named = sorted(draw.sample(range(count), min(random, count)))
    for person in named:
        if not replaced:
            yield person, None
            continue
        # Another one whose rows differ, if a few tries or else a look at all of them find one.
        others = [draw.randrange(count) for _ in range(_TRIES)]
        for other in others + list(range(count)):
            if people.label(person, other) is not None:
                yield person, other
                break
    if rows is not None:
        return
    for values in table.numbers(people.key):
        known = [at for at, value in enumerate(values) if value is not None]
        if known:
            least = people.of(min(known, key=lambda at: values[at]))
            most = people.of(max(known, key=lambda at: values[at]))
            yield least, most if replaced else None
            yield most, least if replaced else None
    if people.key is not None:
        largest = max(range(count), key=lambda person: len(people.rows[person]))
        smallest = min(range(count), key=lambda person: len(people.rows[person]))
        yield largest, smallest if replaced else None
        if replaced:
            yield smallest, largest


class _People:
    """Whose row each row is: everybody has one row, or those with the same key."""

    def __init__(self, table: "_Rows", key: Any) -> None:
        self.key = key
        self._table = table
        if key is None:
            self.rows = [[at] for at in range(table.count)]
            self._of = list(range(table.count))
            return
        found: Dict[Any, int] = {}
        self.rows = []
        self._of = []
        for at, value in enumerate(table.column(key)):
            if value is None or value != value:
                raise ValueError("row %d has no %s: a person needs one" % (at, key))
            person = found.setdefault(value, len(found))
            if person == len(self.rows):
                self.rows.append([])
            self.rows[person].append(at)
            self._of.append(person)

    def of(self, row: int) -> int:
        return self._of[row]

    def label(self, person: int, other: Optional[int]) -> Any:
        """The same for the same neighbor; None if it is the data itself."""
        if other is None:
            if self.key is not None:
                return person
            # Of equal rows that follow each other, it does not matter which one is removed.
            text = self._table.text(person)
            while person > 0 and self._table.text(person - 1) == text:
                person -= 1
            return person
        if person == other:
            return None
        if self.key is not None:
            mine, theirs = self.rows[person], self.rows[other]
            old = [self._table.text(at, self.key) for at in mine]
            new = tuple(self._table.text(at, self.key) for at in theirs)
            return None if old == list(new) else (person, new)
        text = self._table.text(other)
        return None if text == self._table.text(person) else (person, text)

    def changed(self, person: int, other: Optional[int]) -> Any:
        """The data without a person, or with another one's rows in place of theirs."""
        gone = set(self.rows[person])
        first = self.rows[person][0]
        new = [] if other is None else self.rows[other]
        if len(new) == len(gone):
            swap = dict(zip(self.rows[person], new))
            at = [swap.get(row, row) for row in range(self._table.count)]
            owners = list(range(self._table.count))
        else:
            at, owners = [], []
            for row in range(self._table.count):
                if row == first:
                    at += new
                    owners += [row] * len(new)
                if row not in gone:
                    at.append(row)
                    owners.append(row)
        changed = self._table.take(at)
        if other is None:
            return changed
        if self.key is not None:
            changed = self._table.with_keys(changed, self.key, owners)
        return self._table.labelled(changed)


class _Rows:
    """Data as rows. Each type of data has a class of its own."""

    def __init__(self, data: Any) -> None:
        self.data = data
        self.count = len(data)

    def row(self, at: int) -> int:
        if not -self.count <= at < self.count:
            raise ValueError("there is no row %d: the data has %d" % (at, self.count))
        return at % self.count

    def text(self, at: int, but: Any = None) -> str:
        """A row, to compare it with others; without the entry of the column `but`."""
        entries = self.entries(at)
        if but is not None:
            entries = [entry for name, entry in zip(self.names(), entries) if name != but]
        return canonical(shown(entries).value)

    def take(self, at: List[int]) -> Any:
        """These rows, in this order."""
        raise NotImplementedError

    def names(self) -> List[Any]:
        """The names of the columns; none if the rows are single values."""
        raise NotImplementedError

    def entries(self, at: int) -> Any:
        """The entries of a row."""
        raise NotImplementedError

    def values(self, name: Any) -> List[Any]:
        """A column; of rows that are single values, all of them."""
        raise NotImplementedError

    def with_keys(self, changed: Any, key: Any, owners: List[int]) -> Any:
        """Gives each row the key that these rows of the data have."""
        raise NotImplementedError

    def labelled(self, changed: Any) -> Any:
        """What names rows stays as it was where rows are replaced."""
        return changed

    def column(self, key: Any) -> List[Any]:
        names = self.names()
        if key not in names:
            words = ", ".join(repr(name) for name in names[:10]) or "none"
            raise ValueError("there is no column %r: the columns are %s" % (key, words))
        return self.values(key)

    def numbers(self, but: Any) -> Iterable[List[Any]]:
        """The numeric columns, with None for what is missing."""
        found = 0
        for name in self.names() or [None]:
            if but is not None and name == but:
                continue
            values = [None if _is_missing(value) else value for value in self.values(name)]
            if all(value is None or isinstance(value, numbers.Real) for value in values):
                yield values
                found += 1
                if found == _COLUMNS:
                    return


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, numbers.Real) and bool(value != value)


class _List(_Rows):
    """Lists and tuples: of numbers, of rows that are lists or tuples, or of dictionaries."""

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self._names: List[Any] = []
        if self.count and all(isinstance(row, Mapping) for row in data):
            self._names = list(dict.fromkeys(name for row in data for name in row))
        elif self.count and all(isinstance(row, (list, tuple)) for row in data):
            self._names = list(range(min(len(row) for row in data)))

    def take(self, at: List[int]) -> Any:
        taken = [self.data[i] for i in at]
        return tuple(taken) if isinstance(self.data, tuple) else taken

    def names(self) -> List[Any]:
        return self._names

    def entries(self, at: int) -> Any:
        row = self.data[at]
        return [row.get(name) for name in self._names] if isinstance(row, Mapping) else row

    def values(self, name: Any) -> List[Any]:
        if name is None:
            return list(self.data)
        return [row.get(name) if isinstance(row, Mapping) else row[name] for row in self.data]

    def with_keys(self, changed: Any, key: Any, owners: List[int]) -> Any:
        keys = self.column(key)
        return type(changed)([_with(row, key, keys[owner]) for row, owner in zip(changed, owners)])


def _with(row: Any, key: Any, value: Any) -> Any:
    if isinstance(row, Mapping):
        return dict(row, **{key: value}) if isinstance(key, str) else {**row, key: value}
    entries = list(row)
    entries[key] = value
    if hasattr(row, "_make"):
        return row._make(entries)
    return tuple(entries) if isinstance(row, tuple) else entries


class _Array(_Rows):
    """numpy arrays: rows are along the first axis."""

    def take(self, at: List[int]) -> Any:
        import numpy

        return self.data[numpy.array(at, dtype=numpy.intp)]

    def names(self) -> List[Any]:
        if self.data.dtype.names:
            return list(self.data.dtype.names)
        return list(range(self.data.shape[1])) if self.data.ndim == 2 else []

    def entries(self, at: int) -> Any:
        entries = self.data[at].tolist()
        return list(entries) if self.data.dtype.names else entries

    def values(self, name: Any) -> List[Any]:
        if name is None:
            return list(self.data.tolist()) if self.data.ndim == 1 else []
        return list((self.data[name] if self.data.dtype.names else self.data[:, name]).tolist())

    def with_keys(self, changed: Any, key: Any, owners: List[int]) -> Any:
        import numpy

        at = numpy.array(owners, dtype=numpy.intp)
        if self.data.dtype.names:
            changed[key] = self.data[key][at]
        else:
            changed[:, key] = self.data[at, key]
        return changed


class _Pandas(_Rows):
    """pandas frames and series. Rows that are left keep their labels."""

    def take(self, at: List[int]) -> Any:
        return self.data.iloc[at]

    def names(self) -> List[Any]:
        return list(self.data.columns) if hasattr(self.data, "columns") else []

    def entries(self, at: int) -> Any:
        names = self.names()
        return [self.data[name].iloc[at] for name in names] if names else self.data.iloc[at]

    def values(self, name: Any) -> List[Any]:
        column = self.data if name is None else self.data[name]
        return [None if missing else value for value, missing in zip(column.tolist(), column.isna())]

    def with_keys(self, changed: Any, key: Any, owners: List[int]) -> Any:
        changed = changed.copy()
        changed[key] = self.data[key].iloc[owners].array
        return changed

    def labelled(self, changed: Any) -> Any:
        if len(changed) == self.count:
            return changed.set_axis(self.data.index)
        return changed.reset_index(drop=True)


class _Polars(_Rows):
    """polars frames and series."""

    def take(self, at: List[int]) -> Any:
        return self.data[at] if at else self.data.clear()

    def names(self) -> List[Any]:
        return list(self.data.columns) if hasattr(self.data, "columns") else []

    def entries(self, at: int) -> Any:
        return list(self.data.row(at)) if self.names() else self.data[at]

    def values(self, name: Any) -> List[Any]:
        return list((self.data if name is None else self.data[name]).to_list())

    def with_keys(self, changed: Any, key: Any, owners: List[int]) -> Any:
        return changed.with_columns(self.data[key][owners])


class _Aligned(_Rows):
    """Several tables with equally many rows, such as (X, y)."""

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self._parts = [_table(part) for part in data]
        self.count = self._parts[0].count

    def take(self, at: List[int]) -> Any:
        return tuple(part.take(at) for part in self._parts)

    def labelled(self, changed: Any) -> Any:
        return tuple(part.labelled(own) for part, own in zip(self._parts, changed))

    def names(self) -> List[Any]:
        return [(i, name) for i, part in enumerate(self._parts) for name in part.names() or [None]]

    def entries(self, at: int) -> Any:
        return [part.entries(at) for part in self._parts]

    def values(self, name: Any) -> List[Any]:
        part, own = name
        values: List[Any] = self._parts[part].values(own)
        return values

    def column(self, key: Any) -> List[Any]:
        raise ValueError("a tuple of arrays has no column %r: use one table instead" % (key,))


def _table(data: Any) -> _Rows:
    module = type(data).__module__.partition(".")[0]
    dimensions = getattr(data, "ndim", None)
    if isinstance(data, tuple) and len(data) > 1 and all(hasattr(part, "shape") and part.shape for part in data):
        if len({part.shape[0] for part in data}) > 1:
            raise ValueError("the arrays differ in their rows: %s" % ", ".join(str(part.shape[0]) for part in data))
        return _Aligned(data)
    if isinstance(data, (list, tuple)):
        return _List(data)
    if hasattr(data, "iloc") and hasattr(data, "isna"):
        return _Pandas(data)
    if module == "polars" and hasattr(data, "to_pandas"):
        return _Polars(data)
    if module == "numpy" and dimensions:
        return _Array(data)
    raise TypeError(
        "neighbors takes lists, tuples, numpy arrays, and frames and series of pandas and polars, and this is a %s.%s"
        % (type(data).__module__, type(data).__qualname__)
    )
