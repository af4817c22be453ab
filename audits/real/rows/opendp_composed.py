"""opendp: compositions, odometers, amplification and selection of candidates.

A dataset is a list of rows. Claims are what the privacy map returns for one row added or removed.
"""

from rows.opendp import EIGHTH, library, served
from table import approximate, concentrated, pure, row

LIBRARY = "opendp"
DISTRIBUTION = "opendp"
ENVIRONMENT = "opendp"

ADDED = dict(pairs=[([1, 2, 3], [1, 2])], relation="add-remove")


def space(dp):
    return dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()


def count(dp, scale):
    return dp.t.make_count(*space(dp)) >> dp.m.then_laplace(scale)


def gaussian_count(dp, scale):
    return dp.t.make_count(*space(dp)) >> dp.m.then_gaussian(scale)


@row(about="Two noisy counts, composed.", **ADDED)
def composition(noise=1.0):
    dp = library()
    release = dp.c.make_composition([count(dp, 2.0 * noise), count(dp, 2.0 * noise)])
    return served(release, pure(release.map(1)))


@row(about="Two noisy counts in the older call.", **ADDED)
def basic_composition(noise=1.0):
    dp = library()
    release = dp.c.make_basic_composition([count(dp, 2.0 * noise), count(dp, 2.0 * noise)])
    return served(release, pure(release.map(1)))


@row(about="Two counts with Gaussian noise: rho adds up.", **ADDED, **EIGHTH)
def composition_zcdp(noise=1.0):
    dp = library()
    release = dp.c.make_composition([gaussian_count(dp, noise), gaussian_count(dp, noise)])
    return served(release, concentrated(release.map(1)))


@row(
    about="Two (epsilon, delta) measurements: both parameters add up.",
    **ADDED,
    **EIGHTH,
)
def composition_approximate(noise=1.0):
    dp = library()
    part = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(gaussian_count(dp, 2.0 * noise)), 0.01)
    release = dp.c.make_composition([part, part])
    return served(release, approximate(release.map(1)))


def adaptive(dp, compositor, noise):
    """Two counts; the first answer decides which query is second."""

    def ask(dataset):
        queryable = compositor(dataset)
        answer = queryable(count(dp, 2.0 * noise))
        distinct = dp.t.make_count_distinct(*space(dp)) >> dp.m.then_laplace(2.0 * noise)
        return [answer, queryable(count(dp, 2.0 * noise) if answer > 2 else distinct)]

    return ask


UNSPENT = dict(
    wrong={"noise": 0.5, "budget": 2.0},
    mistake="half the noise and twice the budget",
    trials=6_000,
)


@row(about="An adaptive composition: the first answer decides the second query.", **ADDED, **UNSPENT)
def adaptive_composition(noise=1.0, budget=1.0):
    dp = library()
    parts = [budget / 2.0, budget / 2.0]
    release = dp.c.make_adaptive_composition(*space(dp), dp.max_divergence(), d_in=1, d_mids=parts)
    return served(adaptive(dp, release, noise), pure(release.map(1)))


@row(about="The older call for an adaptive composition.", **ADDED, **UNSPENT)
def sequential_composition(noise=1.0, budget=1.0):
    dp = library()
    parts = [budget / 2.0, budget / 2.0]
    release = dp.c.make_sequential_composition(*space(dp), dp.max_divergence(), d_in=1, d_mids=parts)
    return served(adaptive(dp, release, noise), pure(release.map(1)))


@row(
    about="An odometer: the claim is the loss that it reports after two counts.",
    **{**UNSPENT, "wrong": {"noise": 0.5}, "mistake": "half the noise"},
    **ADDED,
)
def odometer(noise=1.0):
    dp = library()
    make = dp.c.make_fully_adaptive_composition(*space(dp), dp.max_divergence())

    def spent():
        queryable = make([1, 2])
        queryable(count(dp, 2.0)), queryable(count(dp, 2.0))
        return pure(queryable.privacy_loss(1))

    return served(adaptive(dp, make, noise), spent)


@row(
    about="A privacy filter of 1: of three counts that cost 0.5 each, the third is refused.",
    wrong={"noise": 0.5, "budget": 2.0},
    mistake="half the noise and twice the budget",
    trials=6_000,
    **ADDED,
)
def privacy_filter(noise=1.0, budget=1.0):
    dp = library()
    odometer = dp.c.make_fully_adaptive_composition(*space(dp), dp.max_divergence())
    release = dp.c.make_privacy_filter(odometer, d_in=1, d_out=budget)
    query = count(dp, 2.0 * noise)

    def ask(dataset):
        queryable = release(dataset)
        answers = []
        for _ in range(3):
            try:
                answers.append(float(queryable(query)))
            except dp.OpenDPException:
                answers.append(float("nan"))
        return answers

    return served(ask, pure(release.map(1)))


@row(
    about="A sum of four rows sampled from a population of eight, amplified: the row draws the sample itself.",
    pairs=[([5, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0])],
    relation="substitution",
    wrong={"sampled": False},
    mistake="the first four rows instead of a sample",
)
def population_amplification(sampled=True):
    import random

    dp = library()
    rows = dp.vector_domain(dp.atom_domain(T=int, bounds=(0, 5)), size=4), dp.symmetric_distance()
    release = dp.t.make_sum(*rows) >> dp.m.then_laplace(2.5)
    release = dp.c.make_population_amplification(release, population_size=8)
    draw = random.SystemRandom()
    return served(
        lambda population: release(draw.sample(population, 4) if sampled else population[:4]), pure(release.map(2))
    )


@row(
    about="A candidate whose noisy score is above a threshold; it is drawn again until then, or until a coin stops it.",
    trials=8_000,
    wrong={"noise": 0.25},
    mistake="a quarter of the noise",
    format="json",
    pairs=[([1, 2, 3], [1, 2])],
    relation="add-remove",
)
def select_private_candidate(noise=1.0):
    dp = library()
    rows, metric = space(dp)
    query = count(dp, noise)
    candidate = dp.m.make_user_measurement(
        rows,
        metric,
        dp.max_divergence(),
        lambda dataset: (float(query(dataset)), "candidate"),
        lambda d_in: float(d_in),
        TO="(f64, ExtrinsicObject)",
    )
    release = dp.c.make_select_private_candidate(candidate, stop_probability=0.5, threshold=3.0)

    def score(dataset):
        selected = release(dataset)
        return None if selected is None else selected[0]

    return served(score, pure(release.map(1)))


@row(about="A count whose negative answers are replaced by 0 afterwards.", **ADDED)
def postprocessed(noise=1.0):
    dp = library()
    positive = dp.new_function(lambda answer: max(answer, 0), TO=int)
    release = dp.c.make_chain_pm(positive, count(dp, noise))
    return served(release, pure(release.map(1)))


@row(
    about="A mechanism of the user's own, with the user's map: randomized response.",
    pairs=[([0], [1])],
    relation="substitution",
    wrong={"truth": 0.9},
    mistake="the true answer with probability 0.9",
)
def user_measurement(truth=0.75):
    dp = library()
    bit = dp.m.make_randomized_response_bool(prob=truth)
    release = dp.m.make_user_measurement(
        *space(dp),
        dp.max_divergence(),
        lambda dataset: int(bit(dataset[0] == 1)) if dataset else 0,
        lambda d_in: bit.map(1) if d_in <= 2 else float("inf"),
        TO=int,
    )
    return served(release, pure(release.map(2)))
