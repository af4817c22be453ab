"""pipeline-dp on its local backend. A dataset is a list of rows: a person, a partition, a value.

The claim is the epsilon and the delta of the accountant. Neighbors differ in all rows of one person.
"""

from table import Served, approximate, row

LIBRARY = "pipeline-dp"
DISTRIBUTION = "pipeline-dp"
ENVIRONMENT = "pipeline-dp"
DOUBLED = dict(wrong={"given": 2.0}, mistake="the accountant is given twice the epsilon")
FOURFOLD = dict(wrong={"given": 4.0}, mistake="the accountant is given four times the epsilon")
EIGHTFOLD = dict(wrong={"given": 8.0}, mistake="the accountant is given eight times the epsilon")
REMOVED = dict(relation={"words": "all rows of one person are removed"}, trials=2500)
ONE_LESS = dict(pairs=[([[1, 0, 1.0], [2, 0, 1.0], [3, 0, 1.0]], [[1, 0, 1.0], [2, 0, 1.0]])], **REMOVED)
TINY = 1e-9


def extractors():
    import pipeline_dp

    return pipeline_dp.DataExtractors(
        privacy_id_extractor=lambda part: part[0],
        partition_extractor=lambda part: part[1],
        value_extractor=lambda part: part[2],
    )


def aggregated(metrics, given, delta=TINY, noise="LAPLACE", partitions=(0,), private=None, **parameters):
    """Results of an aggregation, by partition: numbers, or nothing for a partition that is not released."""
    import pipeline_dp

    wanted = [pipeline_dp.Metrics.PERCENTILE(m) if isinstance(m, int) else getattr(pipeline_dp.Metrics, m) for m in metrics]
    if private:
        parameters["partition_selection_strategy"] = getattr(pipeline_dp.PartitionSelectionStrategy, private)
    settings = dict(max_partitions_contributed=1, max_contributions_per_partition=1)
    kind = getattr(pipeline_dp.NoiseKind, noise)
    plan = pipeline_dp.AggregateParams(metrics=wanted, noise_kind=kind, **{**settings, **parameters})
    extract = extractors()

    def release(dataset):
        accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=given, total_delta=delta)
        engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
        public = None if private else list(partitions)
        lazy = engine.aggregate([tuple(part) for part in dataset], plan, extract, public_partitions=public)
        accountant.compute_budgets()
        found = {key: [float(number) for number in numbers] for key, numbers in lazy}
        return [number for key in partitions for number in found.get(key, [-1e6] * len(wanted))]

    return Served(approximate((given, delta)), function=release)


@row(about="The number of rows of a public partition.", **ONE_LESS, **DOUBLED)
def count(given=1.0):
    return aggregated(["COUNT"], given)


@row(about="The number of rows by Gaussian noise.", **ONE_LESS, **FOURFOLD)
def count_gaussian(given=1.0):
    return aggregated(["COUNT"], given, delta=0.01, noise="GAUSSIAN")


@row(about="The number of people.", **ONE_LESS, **DOUBLED)
def privacy_id_count(given=1.0):
    return aggregated(["PRIVACY_ID_COUNT"], given)


@row(about="The number of people by Gaussian noise.", **ONE_LESS, **FOURFOLD)
def privacy_id_count_gaussian(given=1.0):
    return aggregated(["PRIVACY_ID_COUNT"], given, delta=0.01, noise="GAUSSIAN")


@row(
    about="The number of rows where a person has many: two of them are kept, and the noise is for two.",
    pairs=[([[1, 0, 1.0]] + [[2, 0, 1.0]] * 5, [[1, 0, 1.0]])],
    **REMOVED,
    **DOUBLED,
)
def count_of_two_each(given=1.0):
    return aggregated(["COUNT"], given, max_contributions_per_partition=2)


@row(
    about="Counts of two partitions where a person is in both.",
    pairs=[([[1, 0, 1.0], [2, 0, 1.0], [2, 1, 1.0]], [[1, 0, 1.0]])],
    **REMOVED,
    **DOUBLED,
)
def count_of_two_partitions(given=1.0):
    return aggregated(["COUNT"], given, partitions=(0, 1), max_partitions_contributed=2)


@row(
    about="A person in two partitions, of which one is kept at random.",
    pairs=[([[1, 0, 1.0], [2, 0, 1.0], [2, 1, 1.0]], [[1, 0, 1.0]])],
    **REMOVED,
    **FOURFOLD,
)
def count_of_one_partition_each(given=1.0):
    return aggregated(["COUNT"], given, partitions=(0, 1))


@row(about="The sum of values between 0 and 1.", **ONE_LESS, **DOUBLED)
def sum_(given=1.0):
    return aggregated(["SUM"], given, min_value=0.0, max_value=1.0)


@row(
    about="The sum of values between -1 and 1, one of them outside.",
    pairs=[([[1, 0, 1.0], [2, 0, 100.0]], [[1, 0, 1.0]])],
    **REMOVED,
    **DOUBLED,
)
def sum_of_an_outlier(given=1.0):
    return aggregated(["SUM"], given, min_value=-1.0, max_value=1.0)


@row(
    about="The sum of values, clamped for each person in a partition.",
    pairs=[([[1, 0, 1.0]] + [[2, 0, 1.0]] * 5, [[1, 0, 1.0]])],
    **REMOVED,
    **DOUBLED,
)
def sum_of_clamped_people(given=1.0):
    bounds = dict(min_sum_per_partition=0.0, max_sum_per_partition=1.0, max_contributions_per_partition=5)
    return aggregated(["SUM"], given, **bounds)


@row(about="The sum by Gaussian noise.", floats="rounded", grid=2.0**-10, **ONE_LESS, **FOURFOLD)
def sum_gaussian(given=1.0):
    return aggregated(["SUM"], given, delta=0.01, noise="GAUSSIAN", min_value=0.0, max_value=1.0)


@row(
    about="A mean, from a noisy count and a noisy sum.",
    pairs=[([[1, 0, 0.0], [2, 0, 1.0]], [[1, 0, 0.0]])],
    floats="rounded",
    grid=2.0**-10,
    **dict(REMOVED, trials=6000),
    **FOURFOLD,
)
def mean(given=1.0):
    return aggregated(["MEAN"], given, min_value=0.0, max_value=1.0)


@row(
    about="A count, a sum and a mean, which share the epsilon.",
    pairs=[([[1, 0, 0.0], [2, 0, 1.0]], [[1, 0, 0.0]])],
    floats="rounded",
    grid=2.0**-10,
    **REMOVED,
    **FOURFOLD,
)
def count_sum_mean(given=1.0):
    return aggregated(["COUNT", "SUM", "MEAN"], given, min_value=0.0, max_value=1.0)


@row(
    about="A variance of values between 0 and 1, whose bounds the noise fits.",
    pairs=[([[1, 0, 0.0], [2, 0, 0.0], [3, 0, 1.0]], [[1, 0, 0.0], [2, 0, 0.0]])],
    floats="rounded",
    grid=2.0**-10,
    **REMOVED,
    **EIGHTFOLD,
)
def variance(given=1.0):
    return aggregated(["VARIANCE"], given, min_value=0.0, max_value=1.0)


@row(
    about="Two percentiles from a noisy tree of counts. One row hardly shows at a smaller epsilon.",
    pairs=[([[1, 0, 0.0], [2, 0, 1.0]], [[1, 0, 0.0]])],
    floats="rounded",
    grid=2.0**-10,
    **dict(REMOVED, trials=6000),
    wrong={"given": 64.0},
    mistake="the accountant is given sixteen times the epsilon",
)
def percentiles(given=4.0):
    return aggregated([50, 90], given, min_value=0.0, max_value=1.0)


SELECTED = dict(
    pairs=[([[9, 1, 1.0], [1, 0, 1.0], [2, 0, 1.0]], [[9, 1, 1.0], [1, 0, 1.0]]), ([[9, 1, 1.0], [1, 0, 1.0]], [[9, 1, 1.0]])],
    relation={"words": "the row of one person is removed"},
    trials=2500,
    wrong={"given": 4.0, "delta": 0.4},
    mistake="the accountant is given four times the epsilon, and a delta of 0.4",
)


def selected(strategy, given, delta):
    """1 if partition 0 is released. Person 9 is in another one: the library rejects an empty dataset."""
    import pipeline_dp

    kind = getattr(pipeline_dp.PartitionSelectionStrategy, strategy)
    plan = pipeline_dp.SelectPartitionsParams(max_partitions_contributed=1, partition_selection_strategy=kind)
    extract = extractors()

    def release(dataset):
        accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=given, total_delta=delta)
        engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
        lazy = engine.select_partitions([tuple(part) for part in dataset], plan, extract)
        accountant.compute_budgets()
        return int(0 in list(lazy))

    return Served(approximate((given, delta)), function=release)


@row(about="Private partitions by the truncated geometric rule.", **SELECTED)
def partitions_geometric(given=1.0, delta=0.05):
    return selected("TRUNCATED_GEOMETRIC", given, delta)


@row(about="Private partitions by a threshold with Laplace noise.", **SELECTED)
def partitions_laplace(given=1.0, delta=0.05):
    return selected("LAPLACE_THRESHOLDING", given, delta)


@row(about="Private partitions by a threshold with Gaussian noise.", **SELECTED)
def partitions_gaussian(given=1.0, delta=0.05):
    return selected("GAUSSIAN_THRESHOLDING", given, delta)


@row(about="The number of people in a private partition, which shares the epsilon with its selection.", **SELECTED)
def private_count(given=1.0, delta=0.05):
    return aggregated(["PRIVACY_ID_COUNT"], given, delta=delta, private="TRUNCATED_GEOMETRIC")
