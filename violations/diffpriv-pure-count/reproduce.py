"""diffpriv_pure.private_count: the noise is never negative."""

from diffpriv_pure import private_count

RUNS = 1000


def release(count):
    return private_count(count[0], 1.0)


def event(outcome):
    return outcome == 3


if __name__ == "__main__":
    for name, dataset in (("D", [3]), ("D'", [4])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
