"""smartnoise-sql: private answers to SQL on a frame of pandas. A dataset is a list of rows.

Claims are the privacy cost of the query, from the reader. The library searches for the scale of its noise in each
query, which takes most of the time: the rows keep the results of that search. A run takes a hundredth of a second, so
runs are few and the mutants are far off.
"""

from table import Served, approximate, row

LIBRARY = "smartnoise"
DISTRIBUTION = "smartnoise-sql"
ENVIRONMENT = "smartnoise"

COLUMNS = {
    "person": {"type": "int", "private_id": True},
    "x": {"type": "float", "lower": -1.0, "upper": 1.0},
    "key": {"type": "string"},
}


def rows_of(values):
    """Rows of one person each."""
    return [[person, value, "a"] for person, value in enumerate(values)]


REMOVED = dict(
    pairs=[(rows_of([0.5, 0.0, 1.0]), rows_of([0.5, 0.0]))], relation="add-remove", trials=800, format="json"
)
ROUNDED = dict(floats="rounded", grid=2.0**-10)
EIGHT = dict(wrong={"factor": 8.0}, mistake="the reader is given eight times the epsilon")


def scales_once():
    """Keeps the scales that the library has found."""
    from snsql.sql._mechanisms.laplace import Laplace

    search, found = Laplace._compute_noise_scale, {}

    def compute(mechanism):
        key = mechanism.epsilon, mechanism.lower, mechanism.upper, mechanism.max_contrib
        if key not in found:
            search(mechanism)
            found[key] = mechanism.scale
        mechanism.scale = found[key]

    Laplace._compute_noise_scale = compute


def query(select, outcome, epsilon=1.0, delta=0.01, factor=1.0, mechanism=None, wrong_delta=None, **table):
    """A query on a table of these columns; `table` holds other settings of its metadata."""
    import pandas
    from snsql import Privacy, from_connection
    from snsql.sql.privacy import Stat

    scales_once()
    settings = dict({"censor_dims": False, "max_ids": 1}, **table)
    metadata = {"": {"data": {"people": dict(COLUMNS, **settings)}}}
    privacy = Privacy(epsilon=factor * epsilon, delta=wrong_delta or delta)
    if mechanism is not None:
        privacy.mechanisms.map[Stat.count] = mechanism
    readers = {}

    def reader(dataset):
        key = repr(dataset)
        if key not in readers:
            frame = pandas.DataFrame(dataset, columns=list(COLUMNS))
            readers[key] = from_connection(frame, privacy=privacy, metadata=metadata)
        return readers[key]

    def release(dataset):
        return outcome(reader(dataset).execute(select)[1:])

    return Served(lambda: approximate(reader([[0, 0.0, "a"]]).get_privacy_cost(select)), function=release)


def number(answer):
    [[value]] = answer
    return value


COUNT = "SELECT COUNT(*) AS n FROM data.people"
SUM = "SELECT SUM(x) AS n FROM data.people"


@row(about="The number of rows.", **REMOVED, **EIGHT)
def count(factor=1.0):
    return query(COUNT, number, factor=factor)


@row(about="The number of different values.", **REMOVED, **EIGHT)
def count_distinct(factor=1.0):
    return query("SELECT COUNT(DISTINCT x) AS n FROM data.people", number, factor=factor)


@row(
    about="The number of rows of people of whom one has forty: two of them are drawn, and the noise is for two.",
    **dict(
        REMOVED,
        pairs=[([[0, 0.0, "a"]] + [[1, 0.0, "a"]] * 40, [[0, 0.0, "a"]])],
        relation={"words": "one person less, with all rows"},
    ),
    wrong={"draw": False},
    mistake="`sample_max_ids` is off: all forty are counted",
)
def count_of_people(draw=True):
    return query(COUNT, number, max_ids=2, sample_max_ids=draw)


@row(about="The sum of values between -1 and 1.", **REMOVED, **ROUNDED, **EIGHT)
def sum_(factor=1.0):
    return query(SUM, number, factor=factor)


@row(
    about="The sum of values, one of them outside of the bounds.",
    **dict(REMOVED, pairs=[(rows_of([0.5, 100.0]), rows_of([0.5]))]),
    **ROUNDED,
    wrong={"clamp": False},
    mistake="`clamp_columns` is off",
)
def sum_of_an_outlier(clamp=True):
    return query(SUM, number, clamp_columns=clamp)


@row(
    about="A mean from a noisy sum and a noisy count, with half of the epsilon each.",
    **REMOVED,
    **ROUNDED,
    no_difference="allowed",
    wrong={"factor": 32.0},
    mistake="the reader is given 32 times the epsilon",
)
def mean(factor=1.0):
    return query("SELECT AVG(x) AS n FROM data.people", number, epsilon=0.5, factor=factor)


@row(
    about="Counts by key, of which those of few people are left out: the key of one person is released with the "
    "probability delta.",
    **dict(REMOVED, pairs=[(rows_of([0.0] * 9), rows_of([0.0] * 8))]),
    no_difference="allowed",
    mutant={"pairs": [{"d": rows_of([0.0]), "d_prime": []}], "trials": 1000},
    wrong={"factor": 32.0, "wrong_delta": 0.5},
    mistake="the reader is given 32 times the epsilon, and a delta of 0.5",
)
def count_by_key(factor=1.0, wrong_delta=None):
    select = "SELECT key, COUNT(*) AS n FROM data.people GROUP BY key"
    return query(select, dict, epsilon=0.5, factor=factor, wrong_delta=wrong_delta, censor_dims=True)
