"""Serves the release of this record to plaudit."""

from distributed_random_forest import DPRandomForest


def release(values):
    forest = DPRandomForest(n_estimators=1, max_depth=1, epsilon=1.0, n_jobs=1)
    forest.fit([[value] for value in values], [0, 0, 0, 1])
    return float(forest.get_trees()[0].tree_.threshold[0])


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
