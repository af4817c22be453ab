"""opendp.extras: arrays of numpy, and the interfaces of scikit-learn.

Principal components are left out: a run takes a quarter of a second.

A dataset is a list of rows of numbers. Claims are what the privacy map returns for one row added or removed
(distance 1), or for one row replaced (distance 2).
"""

from rows.opendp import EIGHTH, library
from table import Served, concentrated, pure, row

LIBRARY = "opendp"
DISTRIBUTION = "opendp"
ENVIRONMENT = "opendp"

ROWS = {"words": "one row is replaced"}
SPARSE = dict(pairs=[([[1.0, 0.0], [0.0, 0.5], [0.0, 0.0]], [[-1.0, 0.0], [0.0, 0.5], [0.0, 0.0]])], relation=ROWS)


def arrays(dp, size=3):
    return dp.numpy.array2_domain(num_columns=2, size=size, T=float), dp.symmetric_distance()


def of_arrays(release, claim, outcome):
    import numpy

    return Served(claim, function=lambda dataset: outcome(release(numpy.array(dataset, dtype=float))))


def array_mean(noise, p):
    from opendp.extras.numpy._make_np_mean import make_private_np_mean

    dp = library()
    release = make_private_np_mean(*arrays(dp), scale=noise, norm=1.0, p=p)
    lost = release.map(2)
    return of_arrays(release, pure(lost) if p == 1 else concentrated(lost), lambda mean: [float(x) for x in mean])


@row(about="The mean of rows clamped in L1 norm, by Laplace noise.", **SPARSE)
def array_mean_laplace(noise=1.0):
    return array_mean(noise, 1)


@row(about="The mean of rows clamped in L2 norm, by Gaussian noise.", **SPARSE, **EIGHTH)
def array_mean_gaussian(noise=1.0):
    return array_mean(noise, 2)


@row(
    about="The mean of rows, of which one is far outside of the norm.",
    pairs=[([[100.0, 0.0], [0.0, 0.5], [0.0, 0.0]], [[-100.0, 0.0], [0.0, 0.5], [0.0, 0.0]])],
    relation=ROWS,
    wrong={"norm": 100.0},
    mistake="clamping to a norm of 100, with the claim for 1",
)
def array_mean_of_outliers(norm=1.0):
    from opendp.extras.numpy._make_np_mean import make_private_np_mean

    dp = library()
    release = make_private_np_mean(*arrays(dp), scale=1.0, norm=norm, p=1)
    return of_arrays(release, pure(release.map(2)), lambda mean: [float(x) for x in mean])


# Three rows on the line y = 9.5, left of both cuts. A row at the right end moves one predicted line up, or down.
FLAT = [[0.0, 9.5], [0.1, 9.5], [0.2, 9.5]]


@row(
    about="Theil-Sen regression. An odd row is dropped before rows are matched: a new first row also takes the last one "
    "away, so two predictions change where the map counts one.",
    pairs=[(FLAT + [[10.0, -1e6]], [[10.0, 1e6]] + FLAT + [[10.0, -1e6]])],
    relation={"words": "one row more or less, the first one"},
    expect="violated",
)
def linear_regression():
    dp = library()
    model = dp.sklearn.linear_model.LinearRegression(
        dp.max_divergence(), x_bounds=[(0.0, 10.0)], y_bounds=(0.0, 10.0), scale=1.0, candidates_count=5
    )
    release = model.measurement
    # Six digits: slope and intercept are computed from two candidates.
    return of_arrays(release, pure(release.map(1)), lambda line: [round(float(x), 6) for x in line])
