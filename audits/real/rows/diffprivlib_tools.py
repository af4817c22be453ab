"""Tools of diffprivlib: statistics of a list or table of numbers. Neighbors differ in one replaced row.

Noise in doubles leaks low bits (see diffprivlib.py). These audits round outcomes to a grid first: they are about values.
"""

from table import Served, pure, row

LIBRARY = "diffprivlib"
DISTRIBUTION = "diffprivlib"
ENVIRONMENT = "common"
DOUBLED = dict(wrong={"given": 2.0}, mistake="the library is given twice the epsilon")
FOURFOLD = dict(wrong={"given": 4.0}, mistake="the library is given four times the epsilon")
ROUNDED = dict(floats="rounded", grid=2.0**-10)
UNIT = {"bounds": (0.0, 1.0)}
THREE = dict(pairs=[([0.0, 0.5, 0.0], [0.0, 0.5, 1.0])], relation="substitution", trials=6000, **ROUNDED)
TABLE = dict(
    pairs=[([[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0]])],
    relation={"words": "one of two rows is replaced"},
    trials=6000,
    **ROUNDED,
)
HALVES = dict(pairs=[([0.5, 0.5, 0.0], [0.5, 0.5, 1.0])], relation="substitution", trials=6000, **ROUNDED)


def tool(name, given, *more, **parameters):
    """A function of diffprivlib.tools on the dataset."""
    from diffprivlib import tools

    call = getattr(tools, name)
    return Served(pure(given), function=lambda dataset: call(dataset, *more, epsilon=given, **parameters))


@row(about="The mean of three numbers, without its low bits: tight.", **THREE, **DOUBLED)
def mean_rounded(given=1.0):
    return tool("mean", given, **UNIT)


@row(about="The mean of each column: each has half the epsilon.", **TABLE, **DOUBLED)
def mean_of_columns(given=1.0):
    return tool("mean", given, axis=0, **UNIT)


@row(about="A mean that leaves out missing values, where all values are there.", **THREE, **DOUBLED)
def nanmean_rounded(given=1.0):
    return tool("nanmean", given, **UNIT)


@row(about="The sum of three numbers.", **THREE, **DOUBLED)
def sum_(given=1.0):
    return tool("sum", given, **UNIT)


@row(
    about="The sum of three integers between 2 and 4.",
    pairs=[([2, 3, 2], [2, 3, 4])],
    relation="substitution",
    trials=6000,
    **DOUBLED,
)
def sum_of_integers(given=1.0):
    return tool("sum", given, bounds=(2, 4), dtype=int)


@row(about="The sum of each column: each has half the epsilon.", **TABLE, **DOUBLED)
def sum_of_columns(given=1.0):
    return tool("sum", given, axis=0, **UNIT)


@row(
    about="A missing value counts as 0, which is between the bounds.",
    pairs=[([1.0, 0.5, float("nan")], [1.0, 0.5, 1.0])],
    relation={"words": "one of three values is missing, a NaN"},
    trials=6000,
    **ROUNDED,
    **DOUBLED,
)
def nansum_of_a_nan(given=1.0):
    return tool("nansum", given, **UNIT)


@row(about="The variance of two numbers, in a bounded domain.", **dict(THREE, pairs=[([0.0, 0.0], [0.0, 1.0])]), **FOURFOLD)
def var(given=1.0):
    return tool("var", given, **UNIT)


@row(about="The variance of five numbers.", **dict(THREE, pairs=[([0.0] * 5, [0.0] * 4 + [1.0])]), **FOURFOLD)
def var_of_five(given=1.0):
    return tool("var", given, **UNIT)


@row(about="The variance of each column.", **TABLE, **FOURFOLD)
def var_of_columns(given=1.0):
    return tool("var", given, axis=0, **UNIT)


@row(about="The standard deviation, from the variance.", **dict(THREE, pairs=[([0.0, 0.0], [0.0, 1.0])]), **FOURFOLD)
def std(given=1.0):
    return tool("std", given, **UNIT)


@row(
    about="The number of entries of each column that are not 0.",
    **dict(TABLE, pairs=[([[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [0.0, 0.0]])]),
    **DOUBLED,
)
def count_nonzero_of_columns(given=1.0):
    return tool("count_nonzero", given, axis=0)


@row(
    about="Shares of a histogram: its counts, divided by their sum.",
    pairs=[([0.5, 1.5, 2.5], [0.5, 1.5])],
    relation="add-remove",
    trials=6000,
    **ROUNDED,
    **FOURFOLD,
)
def histogram_density(given=1.0):
    made = tool("histogram", given, bins=3, range=(0.0, 3.0), density=True).how["function"]
    return Served(pure(given), function=lambda dataset: made(dataset)[0])


CELLS = dict(
    pairs=[([[0.5, 0.5], [1.5, 1.5]], [[0.5, 0.5]])],
    relation={"words": "one of two rows is removed"},
    trials=6000,
)


@row(about="A histogram of pairs, under add/remove.", **CELLS, **DOUBLED)
def histogram_of_pairs(given=1.0):
    from diffprivlib.tools import histogram2d

    def release(dataset):
        columns = [[point[axis] for point in dataset] for axis in (0, 1)]
        return histogram2d(*columns, epsilon=given, bins=2, range=[(0.0, 2.0), (0.0, 2.0)])[0].ravel()

    return Served(pure(given), function=release)


@row(about="A histogram in several dimensions, under add/remove.", **CELLS, **DOUBLED)
def histogram_of_rows(given=1.0):
    from diffprivlib.tools import histogramdd
    import numpy

    def release(dataset):
        return histogramdd(numpy.array(dataset), epsilon=given, bins=2, range=[(0.0, 2.0), (0.0, 2.0)])[0].ravel()

    return Served(pure(given), function=release)


@row(about="The median of three numbers, by the exponential mechanism over intervals.", **HALVES, **FOURFOLD)
def median(given=1.0):
    return tool("median", given, **UNIT)


@row(about="A lower quartile.", **HALVES, **FOURFOLD)
def quantile(given=1.0):
    return tool("quantile", given, 0.25, **UNIT)


@row(about="A percentile above the median.", **HALVES, **FOURFOLD)
def percentile(given=1.0):
    return tool("percentile", given, 60, **UNIT)


@row(
    about="Two quantiles: each has half the epsilon.",
    **HALVES,
    wrong={"given": 8.0},
    mistake="the library is given eight times the epsilon",
)
def quantiles(given=1.0):
    return tool("quantile", given, [0.4, 0.6], **UNIT)


@row(
    about="The median of each column.",
    **dict(
        HALVES,
        pairs=[([[0.5, 0.5], [0.5, 0.5], [0.0, 0.0]], [[0.5, 0.5], [0.5, 0.5], [1.0, 1.0]])],
        relation={"words": "one of three rows is replaced"},
    ),
    wrong={"given": 8.0},
    mistake="the library is given eight times the epsilon",
)
def median_of_columns(given=1.0):
    return tool("median", given, axis=0, **UNIT)
