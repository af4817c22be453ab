"""privateAB client, lapu: the low bits of a 32-bit float show the category."""

import torch
from privateAB.client import client

RUNS = 2000


def release(category):
    private = client().release_private("lapu", torch.tensor(category), 4, 1.0, "cpu")
    return [float(number) / 2 for number in private[0]]


def event(outcome):
    return 0 < abs(outcome[0]) < 0.25 and outcome[0] * 2**24 % 1 != 0


if __name__ == "__main__":
    for name, dataset in (("D", [0]), ("D'", [1])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
