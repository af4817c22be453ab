"""diffprivlib.models.DecisionTreeClassifier: a changed label moves two counts."""

from diffprivlib.models import DecisionTreeClassifier

RUNS = 2000


def release(labels):
    tree = DecisionTreeClassifier(max_depth=1, epsilon=1.0, bounds=(0, 1), classes=[0, 1])
    return int(tree.fit([[0.0]] * len(labels), labels).predict([[0.0]])[0])


def event(outcome):
    return outcome == 1


if __name__ == "__main__":
    for name, dataset in (("D", [0, 0, 0]), ("D'", [0, 0, 1])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
