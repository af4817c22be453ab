"""diffprivlib.tools.nansum: a missing value counts as 0, outside the bounds."""

from diffprivlib.tools import nansum

RUNS = 1000


def release(ages):
    return float(nansum(ages, epsilon=1.0, bounds=(100, 101)))


def event(outcome):
    return outcome > 1000.001


if __name__ == "__main__":
    for name, dataset in (("D", [100.0] * 10), ("D'", [100.0] * 9 + [float("nan")])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
