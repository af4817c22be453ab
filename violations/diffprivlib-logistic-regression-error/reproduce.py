"""diffprivlib.models.LogisticRegression: an error shows that all labels are equal."""

import warnings

from diffprivlib.models import LogisticRegression

warnings.simplefilter("ignore")

RUNS = 100


def release(labels):
    rows = [[0.2], [0.4], [0.6]]
    try:
        LogisticRegression(epsilon=1.0, data_norm=1.0, max_iter=1).fit(rows, labels)
        return "model"
    except ValueError:
        return "error"


def event(outcome):
    return outcome == "error"


if __name__ == "__main__":
    for name, dataset in (("D", [0, 0, 0]), ("D'", [0, 0, 1])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
