"""diffprivlib.models.RandomForestClassifier: a removed row moves the others to other trees."""

from diffprivlib.models import RandomForestClassifier

RUNS = 200
LABELS = [0, 0, 1, 1] * 5


def release(labels):
    forest = RandomForestClassifier(n_estimators=10, max_depth=1, epsilon=1.0, bounds=(0, 1), classes=[0, 1])
    forest.fit([[0.5]] * len(labels), labels)
    return [int(tree.predict([[0.5]])[0]) for tree in forest.estimators_]


def event(classes):
    return sum(a == b for a, b in zip(classes, [0, 1] * 5)) >= 8


if __name__ == "__main__":
    for name, dataset in (("D", LABELS), ("D'", LABELS[1:])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
