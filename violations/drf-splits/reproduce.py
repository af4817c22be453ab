"""distributed_random_forest DPRandomForest: the splits are those of the data."""

from distributed_random_forest import DPRandomForest

RUNS = 1000


def release(values):
    forest = DPRandomForest(n_estimators=1, max_depth=1, epsilon=1.0, n_jobs=1)
    forest.fit([[value] for value in values], [0, 0, 0, 1])
    return float(forest.get_trees()[0].tree_.threshold[0])


def event(outcome):
    return outcome == 1.0


if __name__ == "__main__":
    for name, dataset in (("D", [0.0, 0.0, 0.0, 1.0]), ("D'", [0.0, 0.0, 0.0, 2.0])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
