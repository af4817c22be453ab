"""pydp.ml.mechanisms.geometric.Geometric: the noise is never below 0."""

from pydp.ml.mechanisms.geometric import Geometric

RUNS = 1000


def release(number):
    return Geometric().set_epsilon(1.0).set_sensitivity(1).set_probability(0.5).randomise(number)


def event(outcome):
    return outcome == 0


if __name__ == "__main__":
    for name, dataset in (("D", 0), ("D'", 1)):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
