"""Serves the release of this record to plaudit."""

from diffprivlib.tools import nanstd


def release(numbers):
    return float(nanstd(numbers, epsilon=1.0, bounds=(0, 1)))


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
