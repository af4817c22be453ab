"""diffprivlib.models.GaussianNB: classes_ comes from the labels, exactly."""

from diffprivlib.models import GaussianNB

RUNS = 200


def release(labels):
    rows = [[0.2], [0.4], [0.6]]
    return GaussianNB(epsilon=1.0, bounds=(0, 1)).fit(rows, labels).classes_.tolist()


def event(outcome):
    return 2 in outcome


if __name__ == "__main__":
    for name, dataset in (("D", [0, 0, 1]), ("D'", [0, 0, 2])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
