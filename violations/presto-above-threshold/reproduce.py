"""ornl_presto applySVTAboveThreshold_full: values are released without noise."""

from ornl_presto.privacy_mechanisms import applySVTAboveThreshold_full

RUNS = 1000


def release(numbers):
    return applySVTAboveThreshold_full(numbers, epsilon=1.0)


def event(outcome):
    return 11.0 in outcome


if __name__ == "__main__":
    for name, dataset in (("D", [0.0, 5.0, 10.0]), ("D'", [0.0, 5.0, 11.0])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
