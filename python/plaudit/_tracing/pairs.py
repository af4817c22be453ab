"""Pairs of neighbors of a domain on which values move far: few and small, for traces."""

from __future__ import annotations

import math
import random
from typing import Any, Dict, Iterator, List, Tuple

from .._dataset import as_table

_SIZES = (0, 1, 2, 3, 4, 5, 6, 8)


def of_domain(domain: Dict[str, Any], relation: Any, most: int, seed: int) -> List[Tuple[Any, Any]]:
    """Pairs of a domain as `rows` and `table` make it, under "add-remove" or "substitution".

    Raises ValueError for another relation, or for a domain without such pairs.
    """
    if relation not in ("add-remove", "substitution"):
        words = 'trace: with a domain, relation is "add-remove" or "substitution": for %r, give pairs'
        raise ValueError(words % (relation,))
    stream = random.Random("plaudit pairs %d" % seed)
    size = domain.get("size", (0, 8))
    low, high = (size, size) if isinstance(size, int) else (size[0], size[1])
    found: Dict[str, Tuple[Any, Any]] = {}
    for one, other in _of_sizes(domain, relation, low, high, stream):
        if repr(one) != repr(other):
            found.setdefault(repr((one, other)), (one, other))
        if len(found) >= 8 * most:
            break
    if not found:
        raise ValueError("trace: the domain has no neighbors under %s" % relation)
    every = list(found.values())
    # Spread over all kinds of datasets, the largest moves of each kind first.
    step = max(1, len(every) // most)
    chosen = every[::step][:most]
    if "columns" in domain:
        return [(_table(domain, one), _table(domain, other)) for one, other in chosen]
    return chosen


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
