"""diffprivlib.tools.sum: a sum in a small integer type wraps."""

import warnings

import numpy
from diffprivlib.tools import sum as dp_sum

warnings.simplefilter("ignore")

RUNS = 500


def release(numbers):
    return int(dp_sum(numbers, epsilon=1.0, bounds=(0, 10), dtype=numpy.uint8))


def event(outcome):
    return outcome < 60


if __name__ == "__main__":
    for name, dataset in (("D", [10] * 25 + [0] * 5), ("D'", [10] * 26 + [0] * 4)):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
