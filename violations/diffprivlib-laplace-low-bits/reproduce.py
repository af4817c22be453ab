"""diffprivlib.mechanisms.Laplace: the low bits of the result show the answer."""

from diffprivlib.mechanisms import Laplace

RUNS = 5000


def release(answer):
    return float(Laplace(epsilon=1.0, sensitivity=1.0).randomise(answer[0]))


def event(outcome):
    return abs(outcome) < 0.5 and outcome * 2**53 % 1 != 0


if __name__ == "__main__":
    for name, dataset in (("D", [0.0]), ("D'", [1.0])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
