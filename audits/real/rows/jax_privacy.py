"""jax_privacy: steps of private gradient descent on the CPU. A dataset is the rows of a batch.

The loss of a row is its product with the weights, so its gradient is the row. The claim is Gaussian DP for an added or
removed row: the sensitivity that the library states of its clipped gradients, over the standard deviation of its noise.
Outcomes are single-precision numbers, and are rounded to a grid first.
"""

from table import Served, approximate, gaussian, row

LIBRARY = "jax-privacy"
DISTRIBUTION = "jax_privacy"
ENVIRONMENT = "jax"
ROUNDED = dict(floats="rounded", grid=2.0**-10)
REMOVED = dict(pairs=[([[0.5], [1.0]], [[0.5]])], relation="add-remove", trials=20_000, **ROUNDED)
OUTLIER = dict(REMOVED, pairs=[([[0.5], [100.0]], [[0.5]])])
# Runs of one compiled call: a call for each run would take a thousand times as long.
CHUNK = 1024


def many(one):
    """Runs of `one(rows, key)`, drawn in chunks with fresh keys."""
    import jax
    import numpy

    together = jax.jit(jax.vmap(lambda rows, key: one(rows, jax.random.wrap_key_data(key)), in_axes=(None, 0)))
    entropy, drawn = numpy.random.default_rng(), {}

    def release(dataset):
        waiting = drawn.setdefault(repr(dataset), [])
        if not waiting:
            keys = entropy.integers(2**32, size=(CHUNK, 2), dtype="uint32")
            waiting += numpy.asarray(together(numpy.asarray(dataset, dtype="float32"), keys)).tolist()
        return waiting.pop()

    return release


def clipped(norm=1.0, **more):
    """The sum of clipped gradients of a linear model."""
    from jax_privacy import clipped_grad

    return clipped_grad(lambda weights, rows: (rows @ weights).sum(), l2_clip_norm=norm, **more)


def noisy(grad, deviation, width=1, weights="float32", dtype=None):
    """The function of one step from weights of 0; `more` are arguments of the gradient."""
    import jax.numpy
    from jax_privacy.noise_addition import gaussian_privatizer

    def one(rows, key, **more):
        zero = jax.numpy.zeros(width, dtype=weights)
        privatizer = gaussian_privatizer(stddev=deviation, prng_key=key, dtype=dtype)
        released, _ = privatizer.update(grad(zero, rows.astype(weights), **more), privatizer.init(zero))
        return released.astype("float32")

    return one


def step(noise, width=1, norm=1.0, **more):
    """A step whose noise is `noise` times the sensitivity, and its claim."""
    grad = clipped(norm, **more)
    return Served(gaussian(1 / noise), function=many(noisy(grad, noise * grad.sensitivity(), width)))


@row(about="A step with a noise multiplier of 2: tight.", **REMOVED, wrong={"noise": 1.0})
def step_of_one_weight(noise=2.0):
    return step(noise)


@row(
    about="Two weights, clipped in L2 norm.",
    **dict(REMOVED, pairs=[([[0.5, 0.0], [3.0, 4.0]], [[0.5, 0.0]])]),
    wrong={"noise": 1.0},
)
def step_of_two_weights(noise=2.0):
    return step(noise, width=2)


@row(
    about="A row with a gradient of 100, clipped to 1.",
    **OUTLIER,
    wrong={"norm": 100.0},
    mistake="clipping to 100, with the noise for 1",
)
def step_of_an_outlier(norm=1.0):
    return Served(gaussian(1 / 2.0), function=many(noisy(clipped(norm), 2.0)))


@row(
    about="A row with a NaN: it becomes 0 before it is clipped.",
    **dict(REMOVED, pairs=[([[0.5], [float("nan")]], [[0.5]])]),
    no_difference="allowed",
    mutant={"trials": 2000},
    wrong={"safe": False},
    mistake="`nan_safe=False`, which the documentation excludes",
)
def step_of_a_nan(safe=True):
    return step(2.0, nan_safe=safe)


@row(
    about="Gradients clipped to 4, divided by it, and averaged over an expected batch of 4.",
    **OUTLIER,
    wrong={"noise": 1.0},
)
def step_rescaled(noise=2.0):
    return step(noise, norm=4.0, rescale_to_unit_norm=True, normalize_by=4.0)


@row(
    about="People with two rows each: the gradient of a person is clipped.",
    **dict(REMOVED, pairs=[([[[0.5], [0.0]], [[5.0], [5.0]]], [[[0.5], [0.0]]])]),
    wrong={"apart": True},
    mistake="clipping of each row, with the noise for one",
)
def step_of_people(apart=False):
    one = noisy(clipped(keep_batch_dim=False), 2.0)
    if apart:
        return Served(gaussian(1 / 2.0), function=many(lambda people, key: one(people.reshape(-1, 1, 1), key)))
    return Served(gaussian(1 / 2.0), function=many(one))


@row(about="Gradients in microbatches of one row.", **OUTLIER, wrong={"noise": 1.0})
def step_in_microbatches(noise=2.0):
    return step(noise, microbatch_size=1)


@row(
    about="Weights and gradients of 16 bits (bfloat16), with noise of 32 bits, as the documentation asks for.",
    **REMOVED,
    wrong={"dtype": None},
    mistake="noise of 16 bits, the default for such gradients: it has 128 values, and none beyond 2.9 deviations",
)
def step_of_16_bits(dtype="float32"):
    grad = clipped()
    one = noisy(grad, 2.0 * grad.sensitivity(), weights="bfloat16", dtype=dtype)
    return Served(gaussian(1 / 2.0), function=many(one))


# Noise that is correlated over steps.


def correlated(noising, deviation, steps=3):
    """Three steps with the noise of a matrix; a row takes part in the first one."""
    import jax.numpy
    from jax_privacy.noise_addition import matrix_factorization_privatizer

    grad = clipped()

    def one(rows, key):
        zero = jax.numpy.zeros(1)
        privatizer = matrix_factorization_privatizer(noising, stddev=deviation, prng_key=key)
        state, sums = privatizer.init(zero), [grad(zero, rows)] + [zero] * (steps - 1)
        released = []
        for clean in sums:
            update, state = privatizer.update(clean, state)
            released.append(update)
        return jax.numpy.concatenate(released)

    return many(one)


# Coefficients of the strategy: a row moves the sums by their L2 norm, before the noise is correlated.
COEFFICIENTS = [1.0, 0.5, 0.25]


def norm_of_coefficients():
    import jax.numpy
    from jax_privacy.matrix_factorization import toeplitz

    return float(toeplitz.sensitivity_squared(jax.numpy.array(COEFFICIENTS))) ** 0.5


@row(
    about="Three steps with banded Toeplitz noise: by all three together, tight.",
    **REMOVED,
    wrong={"noise": 1.0},
)
def correlated_toeplitz(noise=2.0):
    import jax.numpy
    from jax_privacy.matrix_factorization import toeplitz

    noising = toeplitz.inverse_as_streaming_matrix(jax.numpy.array(COEFFICIENTS))
    return Served(gaussian(norm_of_coefficients() / noise), function=correlated(noising, noise))


@row(about="The same noise from a dense matrix.", **REMOVED, wrong={"noise": 1.0})
def correlated_dense(noise=2.0):
    import jax.numpy
    from jax_privacy.matrix_factorization import toeplitz

    strategy = toeplitz.materialize_lower_triangular(jax.numpy.array(COEFFICIENTS))
    return Served(gaussian(norm_of_coefficients() / noise), function=correlated(jax.numpy.linalg.inv(strategy), noise))


# Sampling, under the epsilon of the library's accountant.


def sampled(noise, multiplier=1.0, delta=0.01):
    """A step on a Poisson sample of half the rows. The claim is the accountant's epsilon for `multiplier`."""
    import jax
    import numpy
    from jax_privacy.accounting import accountants, analysis
    from jax_privacy.batch_selection import CyclicPoissonSampling

    grad = clipped()
    one = jax.jit(noisy(grad, noise * grad.sensitivity()))
    sampling = CyclicPoissonSampling(sampling_prob=0.5, iterations=1)
    generator = numpy.random.default_rng()

    def release(dataset):
        rows = numpy.asarray(dataset, dtype="float32")
        [chosen] = sampling.batch_iterator(len(rows), generator)
        # Batches of two rows: those that are missing are padding. An empty batch would be an error.
        padding = numpy.arange(2) >= len(chosen)
        batch = numpy.zeros((2, 1), dtype="float32")
        batch[~padding] = rows[chosen]
        key = jax.random.key(int(generator.integers(2**31)))
        return [float(x) for x in one(batch, key, is_padding_example=padding)]

    def claim():
        accountant = analysis.DpsgdTrainingAccountant(accountants.PldAccountantConfig())
        spent = analysis.DpParams(noise_multipliers=multiplier, num_samples=2, delta=delta, batch_size=1)
        return approximate((accountant.compute_epsilon(1, spent), delta))

    return Served(claim, function=release)


@row(
    about="A step on a Poisson sample: half of the rows are drawn.",
    **dict(REMOVED, pairs=[([[0.0], [1.0]], [[0.0]])], trials=10_000),
    wrong={"noise": 0.2},
    mistake="a fifth of the noise",
)
def sampled_step(noise=1.0):
    return sampled(noise)
