"""diffprivlib.tools.histogram: the noise does not follow the weights."""

from diffprivlib.tools import histogram

RUNS = 1000


def release(weights):
    rows = [0.5] * len(weights)
    return int(histogram(rows, epsilon=1.0, bins=1, range=(0, 1), weights=weights)[0][0])


def event(outcome):
    return outcome >= 4


if __name__ == "__main__":
    for name, dataset in (("D", [5]), ("D'", [])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
