"""diffprivlib.tools.nanstd: the noise is for all rows, the standard deviation of fewer."""

from diffprivlib.tools import nanstd

RUNS = 500


def release(numbers):
    return float(nanstd(numbers, epsilon=1.0, bounds=(0, 1)))


def event(outcome):
    return outcome > 0.45


if __name__ == "__main__":
    for name, dataset in (("D", [0.0, 0.0] + [float("nan")] * 98), ("D'", [0.0, 1.0] + [float("nan")] * 98)):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
