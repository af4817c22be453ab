"""diffprivlib.models.GaussianNB: the mean of a class has too little noise."""

from diffprivlib.models import GaussianNB

RUNS = 1000


def release(labels):
    model = GaussianNB(epsilon=1.0, bounds=(100, 101)).fit([[100.5]] * 6, labels)
    return [*model.class_count_.tolist(), *model.theta_[:, 0].tolist()]


def event(outcome):
    return outcome[0] == 4 and 100.001 < outcome[2] < 100.999


if __name__ == "__main__":
    for name, dataset in (("D", [0, 0, 0, 1, 1, 1]), ("D'", [0, 0, 0, 0, 1, 1])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
