"""Serves the release of this record to plaudit."""

import warnings

import numpy
from diffprivlib.tools import sum as dp_sum

warnings.simplefilter("ignore")


def release(numbers):
    return int(dp_sum(numbers, epsilon=1.0, bounds=(0, 10), dtype=numpy.uint8))


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
