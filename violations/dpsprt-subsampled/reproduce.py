"""dpsprt.dp_sprt_subsampled: the noise is too small by the square of the sampling rate."""

import numpy
from dpsprt import dp_sprt_subsampled

RUNS = 40000


def release(answers):
    data = numpy.zeros(150)
    data[0] = answers[0]
    return int(dp_sprt_subsampled(data, 0.3, 0.7, 0.05, 0.05, epsilon=0.3)[1])


def event(outcome):
    return outcome > 120


if __name__ == "__main__":
    for name, dataset in (("D", [0]), ("D'", [1])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
