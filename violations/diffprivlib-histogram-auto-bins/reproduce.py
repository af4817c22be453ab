"""diffprivlib.tools.histogram: automatic bins come from the data, exactly."""

from diffprivlib.tools import histogram

RUNS = 200


def release(numbers):
    counts, edges = histogram(numbers, epsilon=1.0, bins="auto", range=(0, 1))
    return len(counts)


def event(outcome):
    return outcome == 10


if __name__ == "__main__":
    for name, dataset in (("D", [0.1, 0.2, 0.3, 0.4]), ("D'", [0.1, 0.2, 0.3, 1.0])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
