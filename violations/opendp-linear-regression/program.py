"""Serves the release of this record to plaudit."""

import numpy

import opendp.prelude as dp


dp.enable_features("contrib", "honest-but-curious", "idealized-numerics")
MODEL = dp.sklearn.linear_model.LinearRegression(
    dp.max_divergence(), x_bounds=[(0.0, 10.0)], y_bounds=(0.0, 10.0), scale=1.0, candidates_count=5
)


def release(rows):
    slope, intercept = MODEL.measurement(numpy.array(rows, dtype=float))
    return [round(float(slope), 6), round(float(intercept), 6)]


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
