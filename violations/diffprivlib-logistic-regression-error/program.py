"""Serves the release of this record to plaudit."""

import warnings

from diffprivlib.models import LogisticRegression

warnings.simplefilter("ignore")


def release(labels):
    rows = [[0.2], [0.4], [0.6]]
    try:
        LogisticRegression(epsilon=1.0, data_norm=1.0, max_iter=1).fit(rows, labels)
        return "model"
    except ValueError:
        return "error"


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
