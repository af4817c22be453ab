"""privateAB client, disclapu: the fraction of one number is the category."""

import torch
from privateAB.client import client

RUNS = 500


def release(category):
    private = client().release_private("disclapu", torch.tensor(category), 3, 1.0, "cpu")
    return [float(number) for number in private[0]]


def event(outcome):
    return outcome[0] % 1 > 0.001


if __name__ == "__main__":
    for name, dataset in (("D", [0]), ("D'", [1])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
