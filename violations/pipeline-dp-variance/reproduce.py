"""pipeline_dp.DPEngine.aggregate: the noise of VARIANCE is for half of what it moves."""

import pipeline_dp

RUNS = 4000


PARAMETERS = pipeline_dp.AggregateParams(
    metrics=[pipeline_dp.Metrics.VARIANCE, pipeline_dp.Metrics.MEAN, pipeline_dp.Metrics.COUNT],
    noise_kind=pipeline_dp.NoiseKind.LAPLACE, max_partitions_contributed=1,
    max_contributions_per_partition=1, min_value=-1, max_value=1)
EXTRACT = pipeline_dp.DataExtractors(
    privacy_id_extractor=lambda row: row[0], partition_extractor=lambda row: "all", value_extractor=lambda row: row[1])


def release(values):
    accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=3, total_delta=1e-9)
    engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
    lazy = engine.aggregate(list(enumerate(values)), PARAMETERS, EXTRACT, public_partitions=["all"])
    accountant.compute_budgets()
    [(_, found)] = list(lazy)
    rows = max(1.0, found.count)
    return [float(found.count), float(found.mean * rows), float((found.variance + found.mean**2) * rows)]


def event(outcome):
    return outcome[0] > 5.999 and outcome[1] > 0.999 and outcome[2] > 0.999


if __name__ == "__main__":
    for name, dataset in (("D", [0.0] * 5), ("D'", [0.0] * 5 + [1.0])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
