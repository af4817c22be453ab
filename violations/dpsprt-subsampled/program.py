"""Serves the release of this record to plaudit."""

import numpy
from dpsprt import dp_sprt_subsampled


def release(answers):
    data = numpy.zeros(150)
    data[0] = answers[0]
    return int(dp_sprt_subsampled(data, 0.3, 0.7, 0.05, 0.05, epsilon=0.3)[1])


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
