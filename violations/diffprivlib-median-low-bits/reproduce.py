"""diffprivlib.tools.median: the low bits of the result show the data."""

from diffprivlib.tools import median

RUNS = 2000


def release(numbers):
    return float(median(numbers, epsilon=1.0, bounds=(0, 1)))


def event(outcome):
    return outcome * 2**53 % 1 != 0


if __name__ == "__main__":
    for name, dataset in (("D", [1.0]), ("D'", [0.7])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
