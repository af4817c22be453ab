"""Serves the release of this record to plaudit."""

from diffprivlib.tools import nansum


def release(ages):
    return float(nansum(ages, epsilon=1.0, bounds=(100, 101)))


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
