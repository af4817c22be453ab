"""opendp: private data frames of Polars, through the context API.

A dataset holds the values of one column. The context finds the scale for the loss asked; claims are what the privacy
map of its measurement returns. A run takes milliseconds.
"""

from rows.opendp import library
from table import Served, approximate, concentrated, pure, row

LIBRARY = "opendp"
DISTRIBUTION = "opendp"
ENVIRONMENT = "opendp"

DOUBLED = dict(wrong={"given": 2.0}, mistake="the context is given twice the epsilon", trials=4_000)
ADDED = dict(pairs=[([1, 2, 3], [1, 2])], relation="add-remove")
EXTREME = dict(pairs=[([5, 0], [0])], relation="add-remove")
EXTREME_FLOATS = dict(pairs=[([0.0, 5.0], [0.0])], relation="add-remove")
WORDS = dict(pairs=[(["a", "b", "b"], ["a", "b"])], relation={"words": "one row more or less"})
RARE = dict(
    pairs=[(["a"] + ["b"] * 12, ["b"] * 12)],
    relation={"words": "one row more or less"},
    format="json",
    trials=6_000,
)


def frame(values, T):
    import polars

    types = {int: polars.Int64, float: polars.Float64, str: polars.String}
    return polars.LazyFrame({"value": polars.Series(values, dtype=types[T])})


def released(T, loss, query, margins=(), contributions=1, read=None):
    """A query as a measurement; `read` makes the outcome of its rows, by default the number in the only cell."""
    dp = library()
    made = dp.Context.compositor(
        data=frame([T()], T),
        privacy_unit=dp.unit_of(contributions=contributions),
        privacy_loss=loss,
        split_evenly_over=1,
        margins=list(margins),
    )
    release = query(made.query()).resolve()
    lost = release.map(contributions)
    claim = approximate(lost) if isinstance(lost, tuple) else pure(lost)

    def run(dataset):
        rows = release(frame(dataset, T)).collect().rows()
        return read(rows) if read else rows[0][0]

    return Served(claim, function=run)


def bounded(dp, **known):
    return [dp.polars.Margin(by=(), max_length=10, **known)]


def numbers():
    import polars

    return polars.col("value").fill_null(0)


def floats():
    import polars

    return polars.col("value").fill_null(0.0).fill_nan(0.0)


@row(about="The number of rows of a frame.", **ADDED, **DOUBLED)
def frame_length(given=1.0):
    dp = library()
    return released(int, dp.loss_of(epsilon=given), lambda query: query.select(dp.len(signed=True)), bounded(dp))


@row(about="The number of values that are not missing.", **ADDED, **DOUBLED)
def frame_count(given=1.0):
    import polars

    dp = library()
    query = polars.col("value").dp.count(signed=True)
    return released(int, dp.loss_of(epsilon=given), lambda made: made.select(query), bounded(dp))


@row(about="The number of different values.", **ADDED, **DOUBLED)
def frame_distinct(given=1.0):
    import polars

    dp = library()
    query = polars.col("value").dp.n_unique(signed=True)
    return released(int, dp.loss_of(epsilon=given), lambda made: made.select(query), bounded(dp))


@row(about="The number of rows left by a filter.", **ADDED, **DOUBLED)
def frame_filtered(given=1.0):
    import polars

    dp = library()
    loss = dp.loss_of(epsilon=given)
    return released(
        int, loss, lambda made: made.filter(polars.col("value") > 2).select(dp.len(signed=True)), bounded(dp)
    )


@row(
    about="The number of rows, by Gaussian noise.",
    **{**DOUBLED, "wrong": {"given": 32.0}, "mistake": "the context is given 64 times the rho"},
    **ADDED,
)
def frame_length_zcdp(given=0.5):
    dp = library()
    served = released(int, dp.loss_of(rho=given), lambda query: query.select(dp.len(signed=True)), bounded(dp))
    served.claim = concentrated(served.claim["epsilon"])
    return served


@row(about="A sum of integers.", **EXTREME, **DOUBLED)
def frame_sum(given=1.0):
    dp = library()
    return released(int, dp.loss_of(epsilon=given), lambda made: made.select(numbers().dp.sum((0, 5))), bounded(dp))


@row(about="A sum of floats.", **EXTREME_FLOATS, **DOUBLED)
def frame_sum_of_floats(given=1.0):
    dp = library()
    return released(
        float, dp.loss_of(epsilon=given), lambda made: made.select(floats().dp.sum((0.0, 5.0))), bounded(dp)
    )


@row(
    about="A mean of floats where the number of rows is known: one of two is replaced.",
    pairs=[([0.0, 5.0], [0.0, 0.0])],
    relation="substitution",
    **DOUBLED,
)
def frame_mean(given=1.0):
    dp = library()
    known = bounded(dp, invariant="lengths")
    query = floats().dp.mean((0.0, 5.0))
    return released(float, dp.loss_of(epsilon=given), lambda made: made.select(query), known, contributions=2)


@row(
    about="A median among five candidates.",
    pairs=[([0.0, 0.0, 3.5], [0.0, 0.0]), ([0.5, 3.5], [0.5])],
    relation="add-remove",
    **{**DOUBLED, "wrong": {"given": 4.0}, "mistake": "the context is given four times the epsilon"},
)
def frame_median(given=1.0):
    dp = library()
    query = floats().dp.median([0.0, 1.0, 2.0, 3.0, 4.0])
    return released(float, dp.loss_of(epsilon=given), lambda made: made.select(query), bounded(dp))


@row(
    about="A lower quartile of integers among four candidates.",
    pairs=[([0, 3, 3, 3], [3, 3, 3])],
    relation="add-remove",
    **{**DOUBLED, "wrong": {"given": 4.0}, "mistake": "the context is given four times the epsilon"},
)
def frame_quartile(given=1.0):
    dp = library()
    query = numbers().dp.quantile(0.25, [0, 1, 2, 3])
    return released(int, dp.loss_of(epsilon=given), lambda made: made.select(query), bounded(dp))


def keys_of(rows):
    return sorted(key for key, _ in rows)


@row(about="Counts for groups whose keys are given.", **WORDS, **DOUBLED)
def frame_groups_with_keys(given=1.0):
    import polars

    dp = library()
    keys = polars.LazyFrame({"value": ["a", "b"]})
    margin = dp.polars.Margin(by=["value"], max_groups=3, max_length=10)

    def query(made):
        return made.group_by("value").agg(dp.len(signed=True)).with_keys(keys)

    return released(str, dp.loss_of(epsilon=given), query, [margin], read=lambda rows: [n for _, n in sorted(rows)])


@row(about="Counts for groups whose keys are public.", **WORDS, **DOUBLED)
def frame_groups_with_public_keys(given=1.0):
    dp = library()
    margin = dp.polars.Margin(by=["value"], max_groups=3, max_length=10, invariant="keys")

    def query(made):
        return made.group_by("value").agg(dp.len(signed=True))

    return released(str, dp.loss_of(epsilon=given), query, [margin], read=lambda rows: [n for _, n in sorted(rows)])


def rare(**loss):
    dp = library()

    def query(made):
        return made.group_by("value").agg(dp.len())

    return released(str, dp.loss_of(**loss), query, read=keys_of)


@row(
    about="Counts for groups whose keys are secret, released from a threshold on. The outcome is the released keys.",
    wrong={"epsilon": 0.5, "delta": 0.2},
    mistake="the context is given a delta of 0.2, and half the epsilon",
    **RARE,
)
def frame_groups(epsilon=1.0, delta=0.05):
    # A delta of 0.1 for an epsilon of 1 ends the library's search for a threshold with an error.
    return rare(epsilon=epsilon, delta=delta)
