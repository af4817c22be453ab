"""Serves the release of this record to plaudit."""

from diffprivlib.models import RandomForestClassifier


def release(labels):
    forest = RandomForestClassifier(n_estimators=10, max_depth=1, epsilon=1.0, bounds=(0, 1), classes=[0, 1])
    forest.fit([[0.5]] * len(labels), labels)
    return [int(tree.predict([[0.5]])[0]) for tree in forest.estimators_]


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
