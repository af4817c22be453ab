"""opendp: queries on rows with noise calibrated to their stability, and the context API.

A dataset is a list of rows. Claims are what the privacy map returns for one row added or removed (distance 1), or for
one row replaced (distance 2).
"""

import functools

import table
from rows.opendp import EIGHTH, library, served
from table import approximate, concentrated, pure

LIBRARY = "opendp"
DISTRIBUTION = "opendp"
ENVIRONMENT = "opendp"

# Half the noise doubles the loss: 8000 runs certify about 1.8 times the claim.
row = functools.partial(table.row, trials=8_000)


def numbers(dp, T, bounds=None, size=None):
    """The domain of lists of numbers; floats without NaN."""
    options = {"nan": False} if T is float else {}
    return dp.vector_domain(dp.atom_domain(T=T, bounds=bounds, **options), size=size)


def texts(dp):
    return dp.vector_domain(dp.atom_domain(T=str))


def noised(transformation, distance, noise, kind="laplace"):
    """The query with noise of scale `noise` times its stability at this distance."""
    dp = library()
    scale = float(transformation.map(distance)) * noise
    if kind == "gaussian":
        release = transformation >> dp.m.then_gaussian(scale)
        return served(release, concentrated(release.map(distance)))
    release = transformation >> dp.m.then_laplace(scale)
    return served(release, pure(release.map(distance)))


ADDED = dict(pairs=[([1, 2, 3], [1, 2])], relation="add-remove")
EXTREME = dict(pairs=[([0, 2, 5], [0, 2]), ([5], [])], relation="add-remove")
REPLACED = dict(pairs=[([0, 2, 5], [0, 2, 0])], relation="substitution")
EXTREME_FLOATS = dict(pairs=[([0.0, 2.5, 5.0], [0.0, 2.5]), ([5.0], [])], relation="add-remove")
REPLACED_FLOATS = dict(pairs=[([0.0, 2.5, 5.0], [0.0, 2.5, 0.0])], relation="substitution")
WORDS = dict(pairs=[(["a", "b", "b"], ["a", "b"])], relation={"words": "one row more or less"})


# Counts.


@row(about="The number of rows.", **ADDED)
def count(noise=1.0):
    dp = library()
    return noised(dp.t.make_count(numbers(dp, int), dp.symmetric_distance()), 1, noise)


@row(about="The number of rows with Gaussian noise.", **ADDED, **EIGHTH)
def count_gaussian(noise=1.0):
    dp = library()
    return noised(dp.t.make_count(numbers(dp, int), dp.symmetric_distance()), 1, noise, "gaussian")


@row(about="The number of different values.", **ADDED)
def count_distinct(noise=1.0):
    dp = library()
    return noised(dp.t.make_count_distinct(numbers(dp, int), dp.symmetric_distance()), 1, noise)


@row(about="The number of rows of each category, and of those in none.", **WORDS)
def count_by_categories(noise=1.0):
    dp = library()
    counts = dp.t.make_count_by_categories(texts(dp), dp.symmetric_distance(), ["a", "b"])
    return noised(counts, 1, noise)


@row(
    about="A histogram: the bin of each number is found, and bins are counted.",
    pairs=[([0.5, 1.5, 2.5], [0.5, 1.5])],
    relation="add-remove",
)
def histogram(noise=1.0):
    dp = library()
    bins = dp.t.make_find_bin(numbers(dp, float), dp.symmetric_distance(), [0.0, 1.0, 2.0])
    return noised(bins >> dp.t.then_count_by_categories([0, 1, 2, 3], null_category=False), 1, noise)


@row(
    about="A tree of counts over four bins, each bin in three nodes.",
    pairs=[([1, 0, 0, 0], [0, 0, 0, 0])],
    relation={"l1": 1.0},
)
def tree_of_counts(noise=1.0):
    dp = library()
    tree = dp.t.make_b_ary_tree(dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int), 4, 2)
    return noised(tree, 1, noise)


@row(
    about="Counts of the keys that occur, from 3 on: the delta is too small, as in opendp-laplace-threshold.",
    pairs=[(["a", "b", "b", "b", "b", "b", "b", "b", "b", "b"], ["b"] * 9)],
    relation={"words": "one row more or less"},
    format="json",
    trials=20_000,
    expect="violated",
)
def count_by():
    dp = library()
    counts = dp.t.make_count_by(texts(dp), dp.symmetric_distance())
    release = counts >> dp.m.then_laplace_threshold(scale=1.0, threshold=3)
    return served(release, approximate(release.map(1)))


# Sums. Each algorithm has a stability of its own.


@row(about="The sum of integers of both signs, in the algorithm that the library chooses.", **EXTREME)
def sum_integers(noise=1.0):
    dp = library()
    return noised(dp.t.make_sum(numbers(dp, int, (-5, 5)), dp.symmetric_distance()), 1, noise)


@row(about="The sum of a known number of integers: one is replaced.", **REPLACED)
def sum_of_known_size(noise=1.0):
    dp = library()
    return noised(dp.t.make_sum(numbers(dp, int, (0, 5), 3), dp.symmetric_distance()), 2, noise)


@row(about="A sum of integers of one sign.", **EXTREME)
def sum_monotonic(noise=1.0):
    dp = library()
    return noised(dp.t.make_bounded_int_monotonic_sum((0, 5)), 1, noise)


@row(about="A sum of integers in their order, for the distance of insertions and deletions.", **EXTREME)
def sum_ordered(noise=1.0):
    dp = library()
    return noised(dp.t.make_bounded_int_ordered_sum((0, 5)), 1, noise)


@row(about="A sum of integers, positive and negative ones apart.", **EXTREME)
def sum_split(noise=1.0):
    dp = library()
    return noised(dp.t.make_bounded_int_split_sum((-5, 5)), 1, noise)


@row(about="A checked sum of a known number of integers.", **REPLACED)
def sum_checked_of_known_size(noise=1.0):
    dp = library()
    return noised(dp.t.make_sized_bounded_int_checked_sum(3, (0, 5)), 2, noise)


@row(about="Clamped integers, summed.", pairs=[([0, 2, 100], [0, 2])], relation="add-remove")
def sum_clamped(noise=1.0):
    dp = library()
    clamped = dp.t.make_clamp(numbers(dp, int), dp.symmetric_distance(), (0, 5))
    return noised(clamped >> dp.t.then_sum(), 1, noise)


@row(
    about="Values without bounds, claimed with the stability for bounds of 0 and 5. The library clamps them.",
    pairs=[([0.0, 100.0], [0.0])],
    relation="add-remove",
    wrong={"upper": 100.0},
    mistake="clamping to 100, with the noise for 5",
)
def sum_of_outliers(upper=5.0):
    dp = library()
    space = numbers(dp, float), dp.symmetric_distance()
    right = dp.t.make_clamp(*space, (0.0, 5.0)) >> dp.t.then_sum()
    scale = right.map(1)
    release = dp.t.make_clamp(*space, (0.0, upper)) >> dp.t.then_sum() >> dp.m.then_laplace(scale)
    return served(release, pure(release.map(1)))


@row(about="The sum of floats, in the algorithm that the library chooses.", **EXTREME_FLOATS)
def sum_floats(noise=1.0):
    dp = library()
    return noised(dp.t.make_sum(numbers(dp, float, (0.0, 5.0)), dp.symmetric_distance()), 1, noise)


@row(about="The sum of a known number of floats.", **REPLACED_FLOATS)
def sum_floats_of_known_size(noise=1.0):
    dp = library()
    return noised(dp.t.make_sum(numbers(dp, float, (0.0, 5.0), 3), dp.symmetric_distance()), 2, noise)


@row(about="A sum of at most four floats that cannot overflow, pairwise.", **EXTREME_FLOATS)
def sum_floats_checked(noise=1.0):
    dp = library()
    return noised(dp.t.make_bounded_float_checked_sum(4, (0.0, 5.0)), 1, noise)


@row(about="A saturating sum of at most four floats in their order.", **EXTREME_FLOATS)
def sum_floats_ordered(noise=1.0):
    dp = library()
    return noised(dp.t.make_bounded_float_ordered_sum(4, (0.0, 5.0)), 1, noise)


@row(about="A saturating sum of a known number of floats in their order.", **REPLACED_FLOATS)
def sum_floats_ordered_of_known_size(noise=1.0):
    dp = library()
    return noised(dp.t.make_sized_bounded_float_ordered_sum(3, (0.0, 5.0)), 2, noise)


@row(about="The sum after resizing to three rows; a dataset that is too small is filled with a constant.", **EXTREME)
def sum_resized(noise=1.0):
    dp = library()
    resized = dp.t.make_resize(numbers(dp, int, (0, 5)), dp.symmetric_distance(), 3, 0)
    return noised(resized >> dp.t.then_sum(), 1, noise)


# Means and variances.


@row(about="The mean of three floats.", **REPLACED_FLOATS)
def mean(noise=1.0):
    dp = library()
    return noised(dp.t.make_mean(numbers(dp, float, (0.0, 5.0), 3), dp.symmetric_distance()), 2, noise)


@row(about="The mean of three floats with Gaussian noise.", **REPLACED_FLOATS, **EIGHTH)
def mean_gaussian(noise=1.0):
    dp = library()
    return noised(dp.t.make_mean(numbers(dp, float, (0.0, 5.0), 3), dp.symmetric_distance()), 2, noise, "gaussian")


SPREAD = dict(pairs=[([0.0, 0.0, 5.0], [0.0, 0.0, 0.0]), ([0.0, 5.0, 5.0], [0.0, 0.0, 5.0])], relation="substitution")


@row(about="The variance of three floats.", **SPREAD)
def variance(noise=1.0):
    dp = library()
    return noised(dp.t.make_variance(numbers(dp, float, (0.0, 5.0), 3), dp.symmetric_distance()), 2, noise)


@row(about="The sum of squared deviations of three floats.", **SPREAD)
def squared_deviations(noise=1.0):
    dp = library()
    sums = dp.t.make_sum_of_squared_deviations(numbers(dp, float, (0.0, 5.0), 3), dp.symmetric_distance())
    return noised(sums, 2, noise)


# Other transformations.


@row(
    about="Text parsed as integers, with a default, then summed.",
    pairs=[(["1", "x", "5"], ["1", "x"])],
    relation={"words": "one row more or less"},
)
def parsed_text(noise=1.0):
    dp = library()
    parsed = dp.t.make_cast_default(texts(dp), dp.symmetric_distance(), TOA=int)
    return noised(parsed >> dp.t.then_clamp((0, 5)) >> dp.t.then_sum(), 1, noise)


@row(about="A number times a constant.", pairs=[([0.0], [1.0])], relation={"linf": 1.0})
def multiplied(noise=1.0):
    dp = library()
    product = dp.t.make_lipschitz_float_mul(
        dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), 0.5, (-10.0, 10.0)
    )
    release = product >> dp.m.then_laplace(product.map(1.0) * noise)
    return served(release, pure(release.map(1.0)), lambda dataset: dataset[0])


@row(
    about="A column of a table in CSV text, counted.",
    pairs=[("x,1\ny,2\ny,3", "x,1\ny,2")],
    relation={"words": "one line more or less"},
)
def column_of_csv(noise=1.0):
    dp = library()
    frame = dp.t.make_split_dataframe(",", ["key", "value"]) >> dp.t.make_select_column("key", TOA=str)
    return noised(frame >> dp.t.then_count_by_categories(["x", "y"]), 1, noise)


# The context API: it finds the scale for the loss asked.

ASKED = dict(wrong={"given": 2.0}, mistake="the context is given twice the epsilon")


def context(domain, loss, query, unit=None):
    """The measurement that a context makes of a query."""
    dp = library()
    made = dp.Context.compositor(
        data=[], privacy_unit=unit or dp.unit_of(contributions=1), privacy_loss=loss, split_evenly_over=1, domain=domain
    )
    return query(made.query()).resolve()


@row(about="A count from a context.", **ADDED, **ASKED)
def context_count(given=1.0):
    dp = library()
    release = context(numbers(dp, int), dp.loss_of(epsilon=given), lambda query: query.count().laplace())
    return served(release, pure(given))


@row(about="A clamped sum from a context.", **EXTREME, **ASKED)
def context_sum(given=1.0):
    dp = library()
    release = context(numbers(dp, int), dp.loss_of(epsilon=given), lambda query: query.clamp((0, 5)).sum().laplace())
    return served(release, pure(given))


@row(
    about="A clamped sum from a context with Gaussian noise and a rho.",
    wrong={"given": 32.0},
    mistake="the context is given 64 times the rho",
    **EXTREME,
)
def context_sum_zcdp(given=0.5):
    dp = library()
    release = context(numbers(dp, int), dp.loss_of(rho=given), lambda query: query.clamp((0, 5)).sum().gaussian())
    return served(release, concentrated(given))


@row(
    about="A clamped sum from a context with Gaussian noise for (epsilon, delta).",
    wrong={"given": 8.0},
    mistake="the context is given eight times the epsilon",
    **EXTREME,
)
def context_sum_approximate(given=1.0):
    dp = library()
    loss = dp.loss_of(epsilon=given, delta=1e-6)
    release = context(numbers(dp, int), loss, lambda query: query.clamp((0, 5)).sum().gaussian())
    return served(release, approximate((given, 1e-6)))


@row(about="A mean from a context: one row of three is replaced.", **REPLACED_FLOATS, **ASKED)
def context_mean(given=1.0):
    dp = library()
    release = context(
        numbers(dp, float, size=3),
        dp.loss_of(epsilon=given),
        lambda query: query.clamp((0.0, 5.0)).mean().laplace(),
        dp.unit_of(contributions=2),
    )
    return served(release, pure(given))


@row(about="A histogram of categories from a context.", **WORDS, **ASKED)
def context_histogram(given=1.0):
    dp = library()
    release = context(
        texts(dp), dp.loss_of(epsilon=given), lambda query: query.count_by_categories(["a", "b"]).laplace()
    )
    return served(release, pure(given))
