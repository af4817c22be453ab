"""diffprivlib.tools.mean: with an axis, the type of the result is that of the data."""

from diffprivlib.tools import mean

RUNS = 200


def release(numbers):
    return mean([[number] for number in numbers], epsilon=1.0, bounds=(0, 1), axis=0)[0].item()


def event(outcome):
    return isinstance(outcome, int)


if __name__ == "__main__":
    for name, dataset in (("D", [0, 0, 1]), ("D'", [0, 0, 0.5])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
