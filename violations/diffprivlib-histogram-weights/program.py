"""Serves the release of this record to plaudit."""

from diffprivlib.tools import histogram


def release(weights):
    rows = [0.5] * len(weights)
    return int(histogram(rows, epsilon=1.0, bins=1, range=(0, 1), weights=weights)[0][0])


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
