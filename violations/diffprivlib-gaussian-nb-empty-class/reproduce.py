"""diffprivlib.models.GaussianNB.partial_fit: a class without rows has count 0, exactly."""

from diffprivlib.models import GaussianNB

RUNS = 200


def release(labels):
    rows = [[0.2], [0.4], [0.6]]
    model = GaussianNB(epsilon=1.0, bounds=(0, 1)).partial_fit(rows, labels, classes=[0, 1])
    return model.class_count_.tolist()


def event(outcome):
    return outcome[1] == 0


if __name__ == "__main__":
    for name, dataset in (("D", [0, 0, 0]), ("D'", [0, 0, 1])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
