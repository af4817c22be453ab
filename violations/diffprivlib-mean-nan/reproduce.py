"""diffprivlib.tools.mean: the mean of rows with a NaN is NaN, exactly."""

from diffprivlib.tools import mean

RUNS = 200


def release(numbers):
    return float(mean(numbers, epsilon=1.0, bounds=(0, 1)))


def event(outcome):
    return outcome != outcome


if __name__ == "__main__":
    for name, dataset in (("D", [0.0, 0.5, 1.0]), ("D'", [0.0, 0.5, float("nan")])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
