"""opendp: noise added to numbers, vectors and counts by key.

Claims are what the privacy map of the measurement returns for neighbors at distance 1.
"""

from table import Served, approximate, concentrated, pure, row

LIBRARY = "opendp"
DISTRIBUTION = "opendp"
ENVIRONMENT = "opendp"

INTEGER = dict(pairs=[([0], [1])], relation={"linf": 1.0})
NUMBER = dict(pairs=[([0.0], [1.0])], relation={"linf": 1.0})
# Two people whose counts differ by 1 in all, in L1 norm and in L2 norm.
COUNTS_1 = dict(pairs=[([0, 0, 0], [1, 0, 0])], relation={"l1": 1.0})
COUNTS_2 = dict(pairs=[([0, 0, 0], [1, 0, 0])], relation={"l2": 1.0})
VECTOR_1 = dict(pairs=[([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), ([0.0, 0.0, 0.0], [0.5, 0.25, 0.25])], relation={"l1": 1.0})
VECTOR_2 = dict(pairs=[([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]), ([0.0, 0.0, 0.0], [0.5, 0.5, 0.5])], relation={"l2": 1.0})
KEYS = dict(
    pairs=[({"b": 20}, {"a": 1, "b": 20})],
    relation={"words": "one person is in one key's count"},
    format="json",
)
# A claim of zCDP is weak for one event: half the noise could not be refuted by few runs.
EIGHTH = dict(wrong={"noise": 0.125}, mistake="an eighth of the noise")
LOWER = dict(wrong={"lower": 1}, mistake="a threshold that is 1 lower")


def library():
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious", "idealized-numerics")
    return dp


def atoms(dp, T):
    """The domain of one type; floats without NaN."""
    return dp.atom_domain(T=T, nan=False) if T in (float, "f32", "f64") else dp.atom_domain(T=T)


def scalar(dp, T):
    return atoms(dp, T), dp.absolute_distance(T=T)


def vector(dp, T, distance):
    return dp.vector_domain(atoms(dp, T)), getattr(dp, distance)(T=T)


def served(measurement, claim, of=lambda dataset: dataset):
    return Served(claim, function=lambda dataset: measurement(of(dataset)))


def first(dataset):
    return dataset[0]


# Laplace noise, pure differential privacy.


@row(about="Laplace on floats, drawn exactly on a grid of 2^-1074: tight, and without a leak.", **NUMBER)
def laplace(noise=1.0):
    dp = library()
    release = dp.m.make_laplace(*scalar(dp, float), scale=noise)
    return served(release, pure(release.map(1.0)), first)


@row(about="Laplace on single-precision floats.", **NUMBER)
def laplace_singles(noise=1.0):
    dp = library()
    release = dp.m.make_laplace(*scalar(dp, "f32"), scale=noise)
    return served(release, pure(release.map(1.0)), first)


@row(about="Laplace on integers: tight.", **INTEGER)
def laplace_integers(noise=1.0):
    dp = library()
    release = dp.m.make_laplace(*scalar(dp, int), scale=noise)
    return served(release, pure(release.map(1)), first)


@row(
    about="Laplace on integers at the largest one, where sums saturate.",
    pairs=[([2147483647], [2147483646])],
    relation={"linf": 1.0},
)
def laplace_saturated(noise=1.0):
    dp = library()
    release = dp.m.make_laplace(*scalar(dp, "i32"), scale=noise)
    return served(release, pure(release.map(1)), first)


@row(about="Laplace on unsigned integers at 0, where differences saturate.", **INTEGER)
def laplace_unsigned(noise=1.0):
    dp = library()
    release = dp.m.make_laplace(*scalar(dp, "u32"), scale=noise)
    return served(release, pure(release.map(1)), first)


@row(
    about="Laplace on a grid of 1: 0.4 and 0.6 are rounded to neighbors at distance 1, which the map includes.",
    pairs=[([0.4], [0.6])],
    relation={"linf": 0.2},
)
def laplace_on_a_grid(noise=1.0):
    dp = library()
    release = dp.m.make_laplace(*scalar(dp, float), scale=noise, k=0)
    return served(release, pure(release.map(0.2)), first)


@row(about="Three floats that move by 1 in L1 norm.", **VECTOR_1)
def laplace_vector(noise=1.0):
    dp = library()
    release = dp.m.make_laplace(*vector(dp, float, "l1_distance"), scale=noise)
    return served(release, pure(release.map(1.0)))


@row(about="Three integers that move by 1 in L1 norm.", **COUNTS_1)
def laplace_vector_of_integers(noise=1.0):
    dp = library()
    release = dp.m.make_laplace(*vector(dp, int, "l1_distance"), scale=noise)
    return served(release, pure(release.map(1)))


@row(about="The constructor for any noise, with pure privacy as its measure.", **COUNTS_1)
def noise_pure(noise=1.0):
    dp = library()
    release = dp.m.make_noise(*vector(dp, int, "l1_distance"), dp.max_divergence(), scale=noise)
    return served(release, pure(release.map(1)))


# Geometric noise: Laplace noise on integers, with bounds in constant time.


@row(about="Geometric noise on an integer.", **INTEGER)
def geometric(noise=1.0):
    dp = library()
    release = dp.m.make_geometric(*scalar(dp, int), scale=noise)
    return served(release, pure(release.map(1)), first)


@row(about="Geometric noise in constant time, clamped to 0..10.", **INTEGER)
def geometric_bounded(noise=1.0):
    dp = library()
    release = dp.m.make_geometric(*scalar(dp, int), scale=noise, bounds=(0, 10))
    return served(release, pure(release.map(1)), first)


@row(about="Geometric noise on three integers.", **COUNTS_1)
def geometric_vector(noise=1.0):
    dp = library()
    release = dp.m.make_geometric(*vector(dp, int, "l1_distance"), scale=noise)
    return served(release, pure(release.map(1)))


@row(about="Geometric noise in constant time on three integers, clamped to 0..10.", **COUNTS_1)
def geometric_vector_bounded(noise=1.0):
    dp = library()
    release = dp.m.make_geometric(*vector(dp, int, "l1_distance"), scale=noise, bounds=(0, 10))
    return served(release, pure(release.map(1)))


# Gaussian noise, zero-concentrated differential privacy.


@row(about="Gaussian on floats, claimed by its trade-off function: tight.", **NUMBER, **EIGHTH)
def gaussian(noise=1.0):
    dp = library()
    release = dp.m.make_gaussian(*scalar(dp, float), scale=noise)
    # Noise of one scale with loss rho is (2 rho)^(1/2)-GDP.
    return served(release, {"mu": (2.0 * release.map(1.0)) ** 0.5}, first)


@row(about="Gaussian on floats, claimed by zCDP.", **NUMBER, **EIGHTH)
def gaussian_zcdp(noise=1.0):
    dp = library()
    release = dp.m.make_gaussian(*scalar(dp, float), scale=noise)
    return served(release, concentrated(release.map(1.0)), first)


@row(about="Gaussian on single-precision floats.", **NUMBER, **EIGHTH)
def gaussian_singles(noise=1.0):
    dp = library()
    release = dp.m.make_gaussian(*scalar(dp, "f32"), scale=noise)
    return served(release, concentrated(release.map(1.0)), first)


@row(about="Gaussian on integers.", **INTEGER, **EIGHTH)
def gaussian_integers(noise=1.0):
    dp = library()
    release = dp.m.make_gaussian(*scalar(dp, int), scale=noise)
    return served(release, concentrated(release.map(1)), first)


@row(
    about="Gaussian on a grid of 1: 0.4 and 0.6 are rounded to neighbors at distance 1, which the map includes.",
    pairs=[([0.4], [0.6])],
    relation={"linf": 0.2},
    **EIGHTH,
)
def gaussian_on_a_grid(noise=1.0):
    dp = library()
    release = dp.m.make_gaussian(*scalar(dp, float), scale=noise, k=0)
    return served(release, concentrated(release.map(0.2)), first)


@row(about="Three floats that move by 1 in L2 norm.", **VECTOR_2, **EIGHTH)
def gaussian_vector(noise=1.0):
    dp = library()
    release = dp.m.make_gaussian(*vector(dp, float, "l2_distance"), scale=noise)
    return served(release, concentrated(release.map(1.0)))


@row(about="Three integers that move by 1 in L2 norm.", **COUNTS_2, **EIGHTH)
def gaussian_vector_of_integers(noise=1.0):
    dp = library()
    release = dp.m.make_gaussian(*vector(dp, int, "l2_distance"), scale=noise)
    return served(release, concentrated(release.map(1)))


@row(about="The constructor for any noise, with zCDP as its measure.", **COUNTS_2, **EIGHTH)
def noise_zcdp(noise=1.0):
    dp = library()
    release = dp.m.make_noise(*vector(dp, int, "l2_distance"), dp.zero_concentrated_divergence(), scale=noise)
    return served(release, concentrated(release.map(1)))


# Canonical noise: its trade-off function is the one of (epsilon, delta), exactly.


def canonical(noise, epsilon, delta):
    dp = library()
    release = dp.m.make_canonical_noise(*scalar(dp, float), d_in=noise, d_out=(epsilon, delta))
    return served(release, approximate(release.map(noise)), first)


CANONICAL = dict(mistake="noise for half the sensitivity", **NUMBER)


@row(about="Canonical noise for (1, 1e-5).", **CANONICAL)
def canonical_noise(noise=1.0):
    return canonical(noise, 1.0, 1e-5)


@row(about="Canonical noise with a large delta.", **CANONICAL)
def canonical_noise_large_delta(noise=1.0):
    return canonical(noise, 0.5, 0.1)


# Conversions between measures.


@row(about="Laplace noise, converted from pure privacy to zCDP.", **INTEGER, **EIGHTH)
def pure_to_zcdp(noise=1.0):
    dp = library()
    release = dp.c.make_pureDP_to_zCDP(dp.m.make_laplace(*scalar(dp, int), scale=noise))
    return served(release, concentrated(release.map(1)), first)


@row(about="Laplace noise as an approximate measure with delta 0.", **INTEGER)
def pure_to_approximate(noise=1.0):
    dp = library()
    release = dp.c.make_approximate(dp.m.make_laplace(*scalar(dp, int), scale=noise))
    return served(release, approximate(release.map(1)), first)


@row(about="Laplace noise as a privacy profile, read at delta 1e-3.", **INTEGER)
def fixed_to_profile(noise=1.0):
    dp = library()
    release = dp.c.make_approximate(dp.m.make_laplace(*scalar(dp, int), scale=noise))
    release = dp.c.make_fixed_approxDP_to_approxDP(release)
    return served(release, approximate((release.map(1).epsilon(1e-3), 1e-3)), first)


# zCDP gives a larger epsilon at this delta than the noise needs: twice the epsilon would hide the mistake.
CONVERTED = dict(wrong={"noise": 0.25}, mistake="a quarter of the noise")


@row(about="Gaussian noise, converted to a privacy profile, read at delta 0.01.", **NUMBER, **CONVERTED)
def zcdp_to_profile(noise=1.0):
    dp = library()
    release = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*scalar(dp, float), scale=noise))
    return served(release, approximate((release.map(1.0).epsilon(0.01), 0.01)), first)


@row(about="Gaussian noise, converted to (epsilon, delta) with delta fixed.", **INTEGER, **CONVERTED)
def zcdp_with_fixed_delta(noise=1.0):
    dp = library()
    release = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*scalar(dp, int), scale=noise))
    release = dp.c.make_fix_delta(release, 0.001)
    return served(release, approximate(release.map(1)), first)


# Counts by key, of which those below a threshold are dropped.


def counted(dp, T):
    return dp.map_domain(dp.atom_domain(T=str), atoms(dp, T))


def thresholded(make, metric, T, scale, threshold, lower=0):
    """A measurement on counts by key, and its map at distance 1. `lower` moves the threshold, not the claim."""
    dp = library()
    space = counted(dp, T), getattr(dp, metric)(dp.absolute_distance(T=T))
    release = getattr(dp.m, make)(*space, scale=scale, threshold=T(threshold - lower))
    return dp, release, (1, T(1), T(1)), lambda dataset: {key: T(count) for key, count in dataset.items()}


@row(
    about="Counts of 3 or more are released. The map's delta omits noise that just reaches the threshold: a count of 1 "
    "needs noise of 2, with probability 0.0989.",
    expect="violated",
    **KEYS,
)
def laplace_threshold():
    _, release, distance, read = thresholded("make_laplace_threshold", "l01inf_distance", int, 1.0, 3)
    return served(release, approximate(release.map(distance)), read)


@row(about="Counts as floats, released from 3 on.", **KEYS, **LOWER)
def laplace_threshold_floats(lower=0):
    _, release, distance, read = thresholded("make_laplace_threshold", "l01inf_distance", float, 1.0, 3, lower)
    return served(release, approximate(release.map(distance)), read)


def gaussian_counts(T, lower=0):
    dp, release, distance, read = thresholded("make_gaussian_threshold", "l02inf_distance", T, 1.0, 2, lower)
    release = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(release), 0.2)
    # Too low a threshold has no map.
    return served(release, lambda: approximate(release.map(distance)), read)


@row(
    about="Gaussian noise on counts, released from 2 on. The map's delta is a tail of continuous noise beyond 1, 0.159; "
    "discrete noise reaches 1 with probability 0.301. The claim is made at delta 0.2.",
    expect="violated",
    **KEYS,
)
def gaussian_threshold():
    return gaussian_counts(int)


@row(about="Gaussian noise on counts as floats, released from 2 on.", **KEYS, **LOWER)
def gaussian_threshold_floats(lower=0):
    return gaussian_counts(float, lower)


@row(about="The constructor for any noise with a threshold, on floats.", **KEYS, **LOWER)
def noise_threshold(lower=0):
    dp = library()
    space = counted(dp, float), dp.l01inf_distance(dp.absolute_distance(T=float))
    measure = dp.approximate(dp.max_divergence())
    release = dp.m.make_noise_threshold(*space, measure, scale=1.0, threshold=3.0 - lower)
    return served(
        release, approximate(release.map((1, 1.0, 1.0))), lambda dataset: {k: float(n) for k, n in dataset.items()}
    )
