"""Functions that are audited in the process and as a program."""

import sys


def response(dataset, random):
    return (len(dataset) == 3) == (random.random() < 0.7)


def vector(dataset, random):
    return [float(len(dataset)), float(random.randrange(3))]


def generator(dataset, rng):
    return len(dataset) + rng.laplace(0.0, 1.0)


def batch(dataset, runs, seed):
    import numpy

    return len(dataset) + numpy.random.default_rng(seed).geometric(0.5, runs)


if __name__ == "__main__":
    from plaudit import serve

    name = sys.argv[1]
    if name == "batch":
        serve(batch=batch)
    else:
        serve(globals()[name])
