"""Serves the release of this record to plaudit."""

from diffprivlib.models import DecisionTreeClassifier


def release(labels):
    tree = DecisionTreeClassifier(max_depth=1, epsilon=1.0, bounds=(0, 1), classes=[0, 1])
    return int(tree.fit([[0.0]] * len(labels), labels).predict([[0.0]])[0])


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
