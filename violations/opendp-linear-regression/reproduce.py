"""opendp LinearRegression: one row more replaces another one, and two predictions change."""

import numpy

import opendp.prelude as dp

RUNS = 5000


dp.enable_features("contrib", "honest-but-curious", "idealized-numerics")
MODEL = dp.sklearn.linear_model.LinearRegression(
    dp.max_divergence(), x_bounds=[(0.0, 10.0)], y_bounds=(0.0, 10.0), scale=1.0, candidates_count=5
)
FLAT = [[0.0, 9.5], [0.1, 9.5], [0.2, 9.5]]


def release(rows):
    slope, intercept = MODEL.measurement(numpy.array(rows, dtype=float))
    return [round(float(slope), 6), round(float(intercept), 6)]


def event(outcome):
    return outcome == [0.0, 10.0]


if __name__ == "__main__":
    print("claim for one row:", MODEL.measurement.map(1))
    for name, dataset in (("D", FLAT + [[10.0, -1e6]]), ("D'", [[10.0, 1e6]] + FLAT + [[10.0, -1e6]])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
