"""Published libraries as programs for plaudit: python mechanisms.py NAME.

Each mechanism stands in a function with its imports, so that a library that is missing breaks only its
own. One that ends in a lambda is called once for each run, as its library is; those of numpy draw all
runs of a request at once. Libraries take their noise from where they take it by default: most from the
system's entropy, so that the same seed does not give the same outcomes.

    python mechanisms.py --list     the names
    python mechanisms.py --check    runs each of them a few times
"""

import os
import sys
import warnings

from plaudit import serve

# Library's name of a mechanism -> how to make it. A maker returns keywords for `serve`.
MECHANISMS = {}


def mechanism(make):
    MECHANISMS[make.__name__.replace("_", "-")] = make
    return make


# diffprivlib. A dataset is the list of numbers that the function gets, or the noise-free answer.


@mechanism
def diffprivlib_laplace():
    from diffprivlib.mechanisms import Laplace

    release = Laplace(epsilon=1.0, sensitivity=1.0).randomise
    return dict(function=lambda dataset: release(dataset[0]))


@mechanism
def diffprivlib_gaussian():
    from diffprivlib.mechanisms import Gaussian

    release = Gaussian(epsilon=1.0, delta=1e-5, sensitivity=1.0).randomise
    return dict(function=lambda dataset: release(dataset[0]))


@mechanism
def diffprivlib_gaussian_analytic():
    from diffprivlib.mechanisms import GaussianAnalytic

    release = GaussianAnalytic(epsilon=1.0, delta=1e-5, sensitivity=1.0).randomise
    return dict(function=lambda dataset: release(dataset[0]))


@mechanism
def diffprivlib_snapping():
    from diffprivlib.mechanisms import Snapping

    release = Snapping(epsilon=1.0, sensitivity=1.0, lower=-100.0, upper=100.0).randomise
    return dict(function=lambda dataset: release(dataset[0]))


@mechanism
def diffprivlib_geometric():
    from diffprivlib.mechanisms import Geometric

    release = Geometric(epsilon=1.0, sensitivity=1).randomise
    return dict(function=lambda dataset: release(int(dataset[0])))


@mechanism
def diffprivlib_geometric_truncated():
    from diffprivlib.mechanisms import GeometricTruncated

    release = GeometricTruncated(epsilon=1.0, sensitivity=1, lower=0, upper=10).randomise
    return dict(function=lambda dataset: release(int(dataset[0])))


@mechanism
def diffprivlib_binary():
    from diffprivlib.mechanisms import Binary

    release = Binary(epsilon=1.0, value0="no", value1="yes").randomise
    return dict(function=lambda dataset: release(dataset))


@mechanism
def diffprivlib_exponential():
    from diffprivlib.mechanisms import Exponential

    return dict(function=lambda dataset: Exponential(epsilon=1.0, sensitivity=1.0, utility=dataset).randomise())


@mechanism
def diffprivlib_permute_and_flip():
    from diffprivlib.mechanisms import PermuteAndFlip

    return dict(function=lambda dataset: PermuteAndFlip(epsilon=1.0, sensitivity=1.0, utility=dataset).randomise())


@mechanism
def diffprivlib_histogram():
    from diffprivlib.tools import histogram

    return dict(function=lambda dataset: histogram(dataset, epsilon=1.0, bins=3, range=(0.0, 3.0))[0])


@mechanism
def diffprivlib_mean():
    from diffprivlib.tools import mean

    return dict(function=lambda dataset: mean(dataset, epsilon=1.0, bounds=(0.0, 1.0)))


@mechanism
def diffprivlib_nanmean():
    from diffprivlib.tools import nanmean

    return dict(function=lambda dataset: nanmean(dataset, epsilon=1.0, bounds=(0.0, 1.0)))


@mechanism
def diffprivlib_count_nonzero():
    from diffprivlib.tools import count_nonzero

    return dict(function=lambda dataset: count_nonzero(dataset, epsilon=1.0))


def fitted(**parameters):
    """How to fit a logistic regression. A dataset is a list of rows: features, then a label."""
    # Fits of a few rows: more threads would only wait for each other. Read when numpy is imported.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    from diffprivlib.models import LogisticRegression
    import numpy

    def fit(dataset):
        rows = numpy.array(dataset, dtype=float)
        return LogisticRegression(**parameters).fit(rows[:, :-1], rows[:, -1].astype(int))

    return fit


@mechanism
def diffprivlib_logistic_regression():
    fit = fitted(epsilon=1.0, data_norm=1.0)

    def release(dataset):
        model = fit(dataset)
        # Six digits, as a table of coefficients has them: what leaks is how large they are, and no low bits.
        return [float(f"{value:.6g}") for value in (model.coef_[0][0], model.intercept_[0])]

    return dict(function=release)


@mechanism
def diffprivlib_logistic_regression_data_norm():
    fit = fitted(epsilon=2.0, data_norm=100.0, C=0.04, fit_intercept=False)
    return dict(function=lambda dataset: float(fit(dataset).coef_[0][0]))


# opendp. The measurement is made once; each run invokes it.


def opendp():
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp


def opendp_floats(dp):
    """The domain of floats; NaN was part of every float before opendp 0.13."""
    return dp.atom_domain(T=float, nan=False)


@mechanism
def opendp_laplace():
    dp = opendp()
    release = dp.m.make_laplace(opendp_floats(dp), dp.absolute_distance(T=float), scale=1.0)
    return dict(function=lambda dataset: release(float(dataset[0])))


@mechanism
def opendp_laplace_integers():
    dp = opendp()
    release = dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=1.0)
    return dict(function=lambda dataset: release(int(dataset[0])))


@mechanism
def opendp_laplace_vector():
    dp = opendp()
    space = dp.vector_domain(opendp_floats(dp)), dp.l1_distance(T=float)
    release = dp.m.make_laplace(*space, scale=1.0)
    return dict(function=lambda dataset: release([float(number) for number in dataset]))


@mechanism
def opendp_gaussian():
    dp = opendp()
    release = dp.m.make_gaussian(opendp_floats(dp), dp.absolute_distance(T=float), scale=1.0)
    return dict(function=lambda dataset: release(float(dataset[0])))


@mechanism
def opendp_randomized_response():
    dp = opendp()
    release = dp.m.make_randomized_response_bool(prob=0.75)
    return dict(function=lambda dataset: release(bool(dataset[0])))


@mechanism
def opendp_noisy_max():
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    if hasattr(dp.m, "make_noisy_max"):
        release = dp.m.make_noisy_max(*space, dp.max_divergence(), scale=2.0)
    else:  # opendp 0.13, the last one for Python 3.9
        release = dp.m.make_report_noisy_max_gumbel(*space, scale=2.0, optimize="max")
    return dict(function=lambda dataset: release([int(number) for number in dataset]))


@mechanism
def opendp_laplace_threshold():
    dp = opendp()
    counts = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    space = counts, dp.l01inf_distance(dp.absolute_distance(T=int))
    release = dp.m.make_laplace_threshold(*space, scale=1.0, threshold=5)
    return dict(function=lambda dataset: release({key: int(count) for key, count in dataset.items()}))


# PyDP: Google's differential-privacy library from Python. An algorithm is made anew for each run, since
# it spends its budget with its first result.


@mechanism
def pydp_laplace():
    from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

    release = LaplaceMechanism(1.0, 1.0).add_noise
    return dict(function=lambda dataset: release(float(dataset[0])))


@mechanism
def pydp_laplace_integers():
    from pydp.algorithms.numerical_mechanisms import LaplaceMechanism

    release = LaplaceMechanism(1.0, 1.0).add_noise
    return dict(function=lambda dataset: release(int(dataset[0])))


@mechanism
def pydp_gaussian():
    from pydp.algorithms.numerical_mechanisms import GaussianMechanism

    release = GaussianMechanism(1.0, 1e-5, 1.0).add_noise
    return dict(function=lambda dataset: release(float(dataset[0])))


@mechanism
def pydp_count():
    from pydp.algorithms.laplacian import Count

    return dict(function=lambda dataset: Count(epsilon=1.0, dtype="float").quick_result(dataset))


@mechanism
def pydp_bounded_sum():
    from pydp.algorithms.laplacian import BoundedSum

    bounds = dict(lower_bound=0.0, upper_bound=1.0, dtype="float")
    return dict(function=lambda dataset: BoundedSum(epsilon=1.0, **bounds).quick_result(dataset))


@mechanism
def pydp_bounded_mean():
    from pydp.algorithms.laplacian import BoundedMean

    bounds = dict(lower_bound=0.0, upper_bound=1.0, dtype="float")
    return dict(function=lambda dataset: BoundedMean(epsilon=1.0, **bounds).quick_result(dataset))


# numpy, written as people write it.


@mechanism
def numpy_laplace():
    """Right on paper: noise of scale 1/epsilon for an answer that moves by 1. In floating point it leaks."""
    import numpy

    return dict(batch=lambda dataset, runs, seed: dataset[0] + numpy.random.laplace(0.0, 1.0, runs))


@mechanism
def numpy_laplace_rounded():
    """The noise is geometric, and the answer an integer: no leak."""
    import numpy

    def draw(dataset, runs, seed):
        steps = numpy.random.geometric(1.0 - numpy.exp(-1.0), (2, runs))
        return int(dataset[0]) + steps[0] - steps[1]

    return dict(batch=draw)


@mechanism
def numpy_scale_is_epsilon():
    """`scale=epsilon` where 1/epsilon is meant; epsilon = 0.5 is claimed, and 2 is true. Rounded, so
    that floating point has no part in it."""
    import numpy

    return dict(batch=lambda dataset, runs, seed: numpy.round(dataset[0] + numpy.random.laplace(0.0, 0.5, runs), 3))


@mechanism
def numpy_histogram_without_factor_two():
    """Counts of a histogram under substitution, where two of them move, with noise made for one."""
    import numpy

    def draw(dataset, runs, seed):
        counts = numpy.bincount(numpy.array(dataset, dtype=int), minlength=3)
        steps = numpy.random.geometric(1.0 - numpy.exp(-1.0), (2, runs, 3))
        return counts + steps[0] - steps[1]

    return dict(batch=draw)


@mechanism
def numpy_fixed_seed():
    """A seed that was left in from debugging: the noise is the same each time."""
    import numpy

    def release(dataset):
        noise = numpy.random.default_rng(42)
        return dataset[0] + noise.laplace(0.0, 1.0)

    return dict(function=release)


@mechanism
def numpy_group_by():
    """Noisy counts for each group that occurs in the data: the keys are released without noise."""
    import numpy

    def release(dataset):
        groups, counts = numpy.unique(dataset, return_counts=True)
        noise = numpy.random.geometric(1.0 - numpy.exp(-1.0), (2, len(groups)))
        return dict(zip(groups.tolist(), (counts + noise[0] - noise[1]).tolist()))

    return dict(function=release)


@mechanism
def numpy_mean_of_the_rows_there_are():
    """A mean under add/remove, with noise for a change of one of n rows, where n itself changes; an empty
    dataset raises, or gives NaN."""
    import numpy

    def draw(dataset, runs, seed):
        values = numpy.clip(numpy.array(dataset, dtype=float), 0.0, 1.0)
        with numpy.errstate(all="ignore"):
            mean = values.sum() / len(values) if len(values) else numpy.nan
        return numpy.round(mean + numpy.random.laplace(0.0, 1.0 / max(len(values), 1), runs), 3)

    return dict(batch=draw)


# A dataset that each mechanism takes, for --check.
SAMPLES = {
    "diffprivlib-binary": "yes",
    "diffprivlib-exponential": [1.0, 0.0, 2.0],
    "diffprivlib-logistic-regression": [[1.0, 1], [0.0, 0]],
    "diffprivlib-logistic-regression-data-norm": [[1.0, 1], [0.0, 0]],
    "diffprivlib-permute-and-flip": [1.0, 0.0, 2.0],
    "numpy-group-by": ["a", "b"],
    "opendp-laplace-threshold": {"a": 10, "b": 20},
}


def check():
    """Runs each mechanism on a sample, and says which of them do not run here."""
    failed = 0
    for name, make in MECHANISMS.items():
        dataset = SAMPLES.get(name, [1.0, 0.0, 0.5])
        try:
            how = make()
            if "batch" in how:
                outcomes = list(how["batch"](dataset, 3, 1))
            else:
                outcomes = [how["function"](dataset) for _ in range(3)]
            print("%-34s %s" % (name, outcomes[0]))
        except Exception as exception:
            failed += 1
            print("%-34s FAILS: %s: %s" % (name, type(exception).__name__, exception))
    return failed


def main():
    warnings.simplefilter("ignore")
    name = sys.argv[1] if len(sys.argv) == 2 else ""
    if name == "--list":
        print("\n".join(MECHANISMS))
    elif name == "--check":
        sys.exit(1 if check() else 0)
    elif name in MECHANISMS:
        serve(**MECHANISMS[name]())
    else:
        sys.exit("usage: python mechanisms.py NAME, one of\n  " + "\n  ".join(MECHANISMS))


if __name__ == "__main__":
    main()
