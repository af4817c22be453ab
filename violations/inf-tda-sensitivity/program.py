"""Serves the release of this record to plaudit."""

import pandas
from InfTDA import inf_tda

INDEX = pandas.MultiIndex.from_tuples([("A", "a"), ("A", "b"), ("B", "a"), ("B", "b")])


def release(counts):
    data = pandas.Series(counts, index=INDEX)
    released = inf_tda(data, budget=(1.0, 0.01), contribution=1000, privacy_type="bounded", distinct_tuples=False)
    return [int(released.get(key, 0)) for key in INDEX]


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
