"""Serves the release of this record to plaudit."""

from diffprivlib.models import GaussianNB


def release(labels):
    rows = [[0.2], [0.4], [0.6]]
    return GaussianNB(epsilon=1.0, bounds=(0, 1)).fit(rows, labels).classes_.tolist()


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
