"""InfTDA inf_tda: the sensitivities for distinct and for any tuples are swapped."""

import pandas
from InfTDA import inf_tda

RUNS = 1000
INDEX = pandas.MultiIndex.from_tuples([("A", "a"), ("A", "b"), ("B", "a"), ("B", "b")])


def release(counts):
    data = pandas.Series(counts, index=INDEX)
    released = inf_tda(data, budget=(1.0, 0.01), contribution=1000, privacy_type="bounded", distinct_tuples=False)
    return [int(released.get(key, 0)) for key in INDEX]


def event(outcome):
    return outcome[2] - outcome[0] >= 500


if __name__ == "__main__":
    for name, dataset in (("D", [3000, 3000, 3000, 3000]), ("D'", [2000, 3000, 4000, 3000])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
