"""diffprivlib.tools.histogram: automatic bins come from the data, exactly."""

from diffprivlib.tools import histogram

RUNS = 200


def release(numbers):
    counts, edges = histogram(numbers, epsilon=1.0, bins="auto", range=(0, 1))
    return len(counts)


def event(outcome):
    return outcome == 3


if __name__ == "__main__":
    for dataset in ([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 1.0]):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{count} of {RUNS} runs on {dataset}")
