"""Pairs of neighbors of a domain on which values move far: few and small, for traces."""

from __future__ import annotations

import math
import random
from typing import Any, Dict, Iterator, List, Tuple

from .._dataset import as_table

_SIZES = (0, 1, 2, 3, 4, 5, 6, 8)


def of_domain(domain: Dict[str, Any], relation: Any, most: int, seed: int) -> List[Tuple[Any, Any]]:
    """Pairs of a domain as `rows` and `table` make it, under "add-remove", "substitution", {"remove_all": column},
    {"replace_all": column}, or a distance such as {"l1": 1.0} of numbers.

    Raises ValueError for another relation, or for a domain without such pairs.
    """
    kind, value = _read(domain, relation)
    stream = random.Random("plaudit pairs %d" % seed)
    size = domain.get("size", (0, 8))
    low, high = (size, size) if isinstance(size, int) else (size[0], size[1])
    found: Dict[str, Tuple[Any, Any]] = {}
    if kind in ("remove_all", "replace_all"):
        every = _of_people(domain, relation, high, stream)
    elif kind in _DISTANCES:
        every = _of_distance(domain, kind, float(value), (low, high), stream)
    else:
        every = _of_sizes(domain, kind, low, high, stream)
    for one, other in every:
        if repr(one) != repr(other):
            found.setdefault(repr((one, other)), (one, other))
        if len(found) >= 8 * most:
            break
    if not found:
        raise ValueError("trace: the domain has no neighbors under %s" % (relation,))
    # Spread over all kinds of datasets, the largest moves of each kind first.
    chosen = list(found.values())[:: max(1, len(found) // most)][:most]
    if "columns" in domain:
        return [(_table(domain, one), _table(domain, other)) for one, other in chosen]
    return chosen


_DISTANCES = ("l1", "l2", "linf")


def _read(domain: Dict[str, Any], relation: Any) -> Tuple[str, Any]:
    """A relation as its kind and what it says."""
    if relation in ("add-remove", "substitution"):
        return relation, None
    if isinstance(relation, dict):
        for kind in ("remove_all", "replace_all"):
            if kind in relation and relation[kind] in domain.get("columns", ()):
                return kind, relation[kind]
        for kind in _DISTANCES:
            if kind in relation and "columns" not in domain and "values" not in domain:
                return kind, relation[kind]
    raise ValueError("trace: no pairs are made of this domain under %r: give pairs" % (relation,))


def _of_people(domain: Any, relation: Any, high: int, stream: random.Random) -> Iterator[Tuple[Any, Any]]:
    """All rows of a person are there or not, or those of another kind: alike, and all different."""
    replaced = "replace_all" in relation
    at = list(domain["columns"]).index(relation["replace_all" if replaced else "remove_all"])
    people = _values(list(domain["columns"].values())[at], stream)
    most = int(relation.get("most_rows", high))

    def of(person: Any, count: int) -> List[Any]:
        alike = stream.random() < 0.5
        entries = _entries(domain, stream)
        first = stream.choice(entries)
        chosen = [first if alike else stream.choice(entries) for _ in range(count)]
        return [[*row[:at], person, *row[at + 1 :]] for row in chosen]

    for _ in range(40):
        for count in sorted({1, 2, min(4, most), most}):
            others = [row for person in people[1:3] for row in of(person, stream.randint(0, 3))]
            own, other = of(people[0], count), of(people[0], count) if replaced else []
            if len(others) + count <= high:
                yield others + own, others + other


def _of_distance(
    domain: Any, kind: str, distance: float, sizes: Tuple[int, int], stream: random.Random
) -> Iterator[Tuple[Any, Any]]:
    """Numbers that move by a distance: one of them, or, by its largest norm, all."""
    low, high = domain.get("lower", 0), domain.get("upper", 1)
    whole = bool(domain.get("integers"))
    step = int(distance) if whole else distance
    middle = [2.0**k for k in (7, 8, 15, 16, 31, 32, 53) if low <= 2.0**k - step and 2.0**k <= high]
    values = [*_values(domain, stream), *(int(x) if whole else x for x in middle)]
    for size in sorted({min(sizes[1], max(sizes[0], n)) for n in (1, 2, 3, 8)}):
        for value in values:
            for sign in (-1, 1):
                rows = [value, *(stream.choice(values) for _ in range(size - 1))]
                moved = [min(high, max(low, x + sign * step)) for x in rows]
                yield rows, moved if kind == "linf" else [moved[0], *rows[1:]]


def _table(domain: Dict[str, Any], rows: List[Any]) -> Any:
    return as_table({"columns": list(domain["columns"]), "rows": [list(row) for row in rows]})


def _of_sizes(domain: Any, relation: str, low: int, high: int, stream: random.Random) -> Iterator[Tuple[Any, Any]]:
    sizes = sorted({min(high, max(low, n)) for n in _SIZES} | {min(high, 40)})
    for _ in range(3):
        for size in sizes:
            for rows in _datasets(domain, size, stream):
                for entry in _entries(domain, stream):
                    if relation == "add-remove" and size + 1 <= high:
                        yield rows, [*rows, entry]
                        yield [*rows[: size // 2], entry, *rows[size // 2 :]], rows
                    elif relation == "substitution" and size:
                        at = stream.randrange(size)
                        yield rows, [*rows[:at], entry, *rows[at + 1 :]]


def _datasets(domain: Any, size: int, stream: random.Random) -> Iterator[List[Any]]:
    """Alike, two kinds, a ramp, and at random."""
    entries = _entries(domain, stream)
    for one in entries[:3]:
        yield [one] * size
    yield [entries[i % len(entries)] for i in range(size)]
    yield [stream.choice(entries) for _ in range(size)]
    yield [_random(domain, stream) for _ in range(size)]


def _entries(domain: Any, stream: random.Random) -> List[Any]:
    """The extremes of a row, and some others."""
    if "columns" not in domain:
        return _values(domain, stream)
    columns = [_values(column, stream) for column in domain["columns"].values()]
    rows = [[values[min(i, len(values) - 1)] for values in columns] for i in range(4)]
    rows += [[stream.choice(values) for values in columns] for _ in range(6)]
    return rows


def _values(column: Any, stream: random.Random) -> List[Any]:
    if "values" in column:
        values = list(column["values"])
        return values if len(values) <= 12 else [values[0], values[-1], *stream.sample(values, 10)]
    low, high = column.get("lower", 0), column.get("upper", 1)
    whole = bool(column.get("integers"))
    found: List[Any] = [high, low, (low + high) / 2, low + (high - low) / 3]
    found += [value for value in (0, 1, -1) if low <= value <= high]
    found = [int(value) for value in found] if whole else [float(value) for value in found]
    if column.get("not_finite"):
        found += [math.nan, math.inf, -math.inf]
    return list(dict.fromkeys(found))


def _random(domain: Any, stream: random.Random) -> Any:
    if "columns" in domain:
        return [_random(column, stream) for column in domain["columns"].values()]
    if "values" in domain:
        return stream.choice(list(domain["values"]))
    low, high = domain.get("lower", 0), domain.get("upper", 1)
    return stream.randint(int(low), int(high)) if domain.get("integers") else stream.uniform(low, high)
