"""numpy, as people write it."""

from table import Served, pure, row

LIBRARY = "numpy"
DISTRIBUTION = "numpy"
ENVIRONMENT = "common"


@row(
    about="Laplace noise added in doubles: right on paper, its low bits distinguish 0 from 1.",
    pairs=[([0.0], [1.0])],
    relation={"linf": 1.0},
    trials=200_000,
    expect="violated",
    expect_leak="bits",
)
def laplace():
    import numpy

    return Served(pure(1), batch=lambda dataset, runs, seed: dataset[0] + numpy.random.laplace(0.0, 1.0, runs))


@row(
    about="Two-sided geometric noise on an integer: tight, and without a leak.",
    pairs=[([0], [1])],
    relation={"linf": 1.0},
    trials=1_000_000,
)
def laplace_rounded(noise=1.0):
    import numpy

    def draw(dataset, runs, seed):
        steps = numpy.random.geometric(1.0 - numpy.exp(-1.0 / noise), (2, runs))
        return int(dataset[0]) + steps[0] - steps[1]

    return Served(pure(1), batch=draw)


@row(
    about="`scale=epsilon` where 1/epsilon is meant: 2 is true. Rounded, so that floating point has no part in it.",
    pairs=[([0.0], [1.0])],
    relation={"linf": 1.0},
    trials=1_000_000,
    expect="violated",
)
def scale_is_epsilon(epsilon=0.5):
    import numpy

    def draw(dataset, runs, seed):
        return numpy.round(dataset[0] + numpy.random.laplace(0.0, epsilon, runs), 3)

    return Served(pure(epsilon), batch=draw)


@row(
    about="A histogram under substitution with noise for one count, where two move: 2 is true.",
    pairs=[([0, 1, 2], [0, 1, 1])],
    relation="substitution",
    trials=1_000_000,
    expect="violated",
)
def histogram_without_factor_two():
    import numpy

    def draw(dataset, runs, seed):
        counts = numpy.bincount(numpy.array(dataset, dtype=int), minlength=3)
        steps = numpy.random.geometric(1.0 - numpy.exp(-1.0), (2, runs, 3))
        return counts + steps[0] - steps[1]

    return Served(pure(1), batch=draw)


@row(
    about="A seed left in from debugging: the noise is known.",
    pairs=[([0.0], [1.0])],
    relation={"linf": 1.0},
    expect="violated",
)
def fixed_seed():
    import numpy

    return Served(pure(1), function=lambda dataset: dataset[0] + numpy.random.default_rng(42).laplace(0.0, 1.0))


@row(
    about="Noisy counts for the groups that occur: the key of a single person is released.",
    pairs=[(["north", "north", "south"], ["north", "north"])],
    relation={"words": "one person more or less, the only one from the south"},
    format="json",
    expect="violated",
)
def group_by():
    import numpy

    def release(dataset):
        groups, counts = numpy.unique(dataset, return_counts=True)
        noise = numpy.random.geometric(1.0 - numpy.exp(-1.0), (2, len(groups)))
        return dict(zip(groups.tolist(), (counts + noise[0] - noise[1]).tolist()))

    return Served(pure(1), function=release)


@row(
    about="A mean under add/remove, with noise for n rows, where n is secret; the mean of no rows is NaN.",
    pairs=[([0.0, 1.0], [0.0]), ([1.0], [])],
    relation="add-remove",
    trials=200_000,
    expect="violated",
)
def mean_of_the_rows_there_are():
    import numpy

    def draw(dataset, runs, seed):
        values = numpy.clip(numpy.array(dataset, dtype=float), 0.0, 1.0)
        mean = values.sum() / len(values) if len(values) else numpy.nan
        return numpy.round(mean + numpy.random.laplace(0.0, 1.0 / max(len(values), 1), runs), 3)

    return Served(pure(1), batch=draw)
