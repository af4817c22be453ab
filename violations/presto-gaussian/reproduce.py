"""ornl_presto applyDPGaussian: the noise is for the root of the sensitivity."""

from ornl_presto.privacy_mechanisms import applyDPGaussian

RUNS = 1000


def release(numbers):
    return applyDPGaussian(numbers, sensitivity=10, delta=0.01, epsilon=1)


def event(outcome):
    return outcome[0] > 15


if __name__ == "__main__":
    for name, dataset in (("D", [0.0]), ("D'", [10.0])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
