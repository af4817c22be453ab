"""Events of dp-accounting as the accountant takes them, against closed forms and against dp-accounting itself."""

import importlib.util
import math
import os
import pickle
import sys
import unittest

# Where no package is installed, the one beside these tests.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")

import plaudit
from plaudit.adapters import composition_of


def normal(x):
    """The normal law's distribution function, exact in its lower tail, too."""
    return math.erfc(-x / math.sqrt(2.0)) / 2.0


def event(kind, **fields):
    """An event with the name and the fields of dp-accounting's, whether or not that is installed."""
    made = type(kind + "DpEvent", (), {"__module__": "dp_accounting.dp_event", "__repr__": lambda self: kind})()
    vars(made).update(fields)
    return made


def gaussian(noise_multiplier=1.0):
    return event("Gaussian", noise_multiplier=noise_multiplier)


def poisson(rate, inner):
    return event("PoissonSampled", sampling_probability=rate, event=inner)


def fixed_size(rows, sample, inner):
    return event("SampledWithoutReplacement", source_dataset_size=rows, sample_size=sample, event=inner)


def with_replacement(rows, draws, inner):
    return event("SampledWithReplacement", source_dataset_size=rows, sample_size=draws, event=inner)


def truncated(rows, rate, batch, noise_multiplier=1.0):
    return event(
        "TruncatedSubsampledGaussian",
        dataset_size=rows,
        sampling_probability=rate,
        truncated_batch_size=batch,
        noise_multiplier=noise_multiplier,
    )


def selected(inner, mean=2.0, shape=1.0):
    return event("RepeatAndSelect", event=inner, mean=mean, shape=shape)


def claim(epsilon, delta=0):
    return event("EpsilonDelta", epsilon=epsilon, delta=delta)


def times(count, inner):
    return event("SelfComposed", event=inner, count=count)


def composed(*events):
    return event("Composed", events=list(events))


def tree(noise_multiplier, step_counts):
    return event("SingleEpochTreeAggregation", noise_multiplier=noise_multiplier, step_counts=step_counts)


def mixture(sensitivities, sampling_probs):
    return event(
        "MixtureOfGaussians", standard_deviation=1.0, sensitivities=sensitivities, sampling_probs=sampling_probs
    )


def response(noise_parameter=0.5, num_buckets=2):
    return event("RandomizedResponse", noise_parameter=noise_parameter, num_buckets=num_buckets)


def gaussian_delta(epsilon, mu):
    """Balle & Wang 2018, theorem 8."""
    return normal(mu / 2 - epsilon / mu) - math.exp(epsilon) * normal(-mu / 2 - epsilon / mu)


class Expressions(unittest.TestCase):
    def test_each_kind(self):
        for given, expression in [
            (event("NoOp"), "epsilon-delta(epsilon=0)"),
            (event("NonPrivate"), "epsilon-delta(epsilon=0.0, delta=1.0)"),
            (event("EpsilonDelta", epsilon=1, delta=0), "epsilon-delta(epsilon=1.0)"),
            (event("EpsilonDelta", epsilon=1, delta=1e-5), "epsilon-delta(epsilon=1.0, delta=1e-05)"),
            (gaussian(2), "gaussian(sigma=2.0)"),
            (event("Laplace", noise_multiplier=2), "laplace(scale=2.0)"),
            (
                event("DiscreteLaplace", noise_parameter=0.5, sensitivity=2),
                "discrete-laplace(scale=2.0, sensitivity=2)",
            ),
            (
                event("DiscreteGaussian", sigma=1.5, sensitivity=2.0, dimension=1),
                "discrete-gaussian(sigma=1.5, sensitivity=2)",
            ),
            (
                event("DiscreteGaussian", sigma=2.0, sensitivity=2.0, dimension=None),
                "discrete-gaussian-vector(sigma=2.0, sensitivity=2.0)",
            ),
            (
                event("DiscreteGaussian", sigma=2.0, sensitivity=1.5, dimension=3),
                "discrete-gaussian-vector(sigma=2.0, sensitivity=1.5)",
            ),
            (event("DiscreteGaussian", sigma=2.0, sensitivity=0.5, dimension=1), "zero-concentrated(rho=0.03125)"),
            (response(0.25, 3), "randomized-response(truth=0.75, values=3)"),
            (response(0.0, 1), "epsilon-delta(epsilon=0)"),
            (event("ExponentialMechanism", epsilon=1), "exponential-mechanism(epsilon=1.0)"),
            (event("PermuteAndFlip", epsilon=0.5), "report-noisy-max(epsilon=0.5)"),
            (event("PermuteAndFlip", epsilon=0), "epsilon-delta(epsilon=0)"),
            (event("ZC", rho=0.1, xi=0.0), "zero-concentrated(rho=0.1)"),
            (event("ZC", rho=0.1, xi=0.5), "zero-concentrated(rho=0.1, xi=0.5)"),
            (event("ZC", rho=0, xi=0.5), "zero-concentrated(rho=0.0, xi=0.5)"),
            (event("ZC", rho=0, xi=0), "epsilon-delta(epsilon=0)"),
            (tree(2.0, 7), "tree-aggregation(sigma=2.0, steps=7)"),
            (tree(2.0, [1, 8, 3]), "tree-aggregation(sigma=2.0, steps=8)"),
            (times(3, tree(2.0, 15)), "tree-aggregation(sigma=2.0, steps=15) x 3"),
            (mixture([2.0], [1.0]), "gaussian(sigma=1.0, sensitivity=2.0)"),
            (
                mixture([0.0, -2.0], [0.75, 0.25]),
                "mixture-of-gaussians(sigma=1.0, shifts=[0.0, 2.0], weights=[0.75, 0.25])",
            ),
            (
                mixture([0.0, 1.0, 2.0, 1.0, 3.0], [0.5, 0.125, 0.25, 0.125, 0.0]),
                "mixture-of-gaussians(sigma=1.0, shifts=[0.0, 1.0, 2.0], weights=[0.5, 0.25, 0.25])",
            ),
            (mixture([-1.0, 1.0], [0.5, 0.5]), "gaussian(sigma=1.0)"),
            (mixture([0.0], [1.0]), "epsilon-delta(epsilon=0)"),
            (truncated(4, 0.5, 2), "gaussian(sigma=1.0) @ truncated-poisson(rate=0.5, batch=2, rows=4)"),
            (truncated(4, 0.0, 2), "epsilon-delta(epsilon=0)"),
            (
                times(3, with_replacement(100, 10, composed(gaussian(), times(3, gaussian())))),
                "gaussian(sigma=0.5, sensitivity=2.0) @ with-replacement(draws=10, rows=100) x 3",
            ),
            (with_replacement(100, 0, gaussian()), "epsilon-delta(epsilon=0)"),
            (selected(claim(0.5), shape=0), "repeat-and-select(epsilon=0.5, shape=0.0)"),
            (selected(event("Laplace", noise_multiplier=2)), "repeat-and-select(epsilon=0.5, shape=1.0)"),
            (
                selected(composed(times(2, event("ExponentialMechanism", epsilon=0.5)), claim(1))),
                "repeat-and-select(epsilon=2.0, shape=1.0)",
            ),
            (selected(selected(claim(0.5)), shape=2), "repeat-and-select(epsilon=1.5, shape=2.0)"),
            (
                selected(composed(event("PermuteAndFlip", epsilon=0.5), response(0.5, 4))),
                "repeat-and-select(epsilon=%r, shape=1.0)" % math.fsum((0.5, math.log1p(4.0))),
            ),
            (selected(gaussian(), mean=1), "gaussian(sigma=1.0)"),
            (selected(event("NoOp")), "epsilon-delta(epsilon=0)"),
            (poisson(0.1, times(4, gaussian())), "gaussian(sigma=0.5) @ poisson(0.1)"),
            (
                times(2, fixed_size(100, 10, gaussian())),
                "gaussian(sigma=1.0, sensitivity=2.0) @ without-replacement(0.1) x 2",
            ),
        ]:
            with self.subTest(expression):
                self.assertEqual(composition_of(given), expression)

    def test_what_has_no_expression_is_named_with_a_remedy(self):
        for given, words in [
            (event("Unsupported"), "^UnsupportedDpEvent has no expression: .*If you know an epsilon and a delta"),
            (event("Novel"), "^NovelDpEvent is not an event that the accountant knows"),
            (
                with_replacement(9, 3, response()),
                "^samples with replacement are accounted for with Gaussian noise alone",
            ),
            (with_replacement(0, 3, gaussian()), "that has some rows"),
            (selected(gaussian()), r"^RepeatAndSelectDpEvent has an expression only if each run is epsilon-DP"),
            (selected(claim(1, 1e-9)), r"^RepeatAndSelectDpEvent has an expression only if each run is epsilon-DP"),
            (
                selected(poisson(0.5, event("Laplace", noise_multiplier=1))),
                "only if each run is epsilon-DP, on the whole",
            ),
            (selected(claim(1), shape=math.inf), "^RepeatAndSelectDpEvent has no expression with a Poisson number"),
            (selected(claim(1), mean=0.5), "mean of at least 1"),
            (selected(claim(1), shape=-0.5), "shape of at least 0"),
            (truncated(4, 1.5, 2), "between 0 and 1: TruncatedSubsampledGaussian"),
            (truncated(4, 0.5, 2.5), "truncated_batch_size must be a whole number"),
            (truncated(4, 0.5, 2, 0.0), "positive and finite"),
            (event("ZC", rho=1.0, xi=-0.5), "rho and xi must be at least 0"),
            (event("PermuteAndFlip", epsilon=-1.0), "epsilon must be at least 0"),
            (mixture([1.0], [0.5]), "add up to 1"),
            (gaussian(0.0), "positive and finite"),
            (response(0.0, 2), "noise parameter above 0"),
            (response(1.5, 2), "noise parameter above 0"),
            (poisson(1.5, gaussian()), "between 0 and 1: PoissonSampled"),
            (poisson(math.nan, gaussian()), "between 0 and 1: PoissonSampled"),
            (mixture([0.0, 1.0], [-0.5, 1.5]), "add up to 1"),
            (event("ZC", rho=-1.0, xi=0.0), "rho and xi must be at least 0"),
            (times(2.5, gaussian()), "count must be a whole number"),
            (tree(1.0, 0), "at least one step"),
            (tree(1.0, []), "at least one step"),
            (fixed_size(10, 11, gaussian()), "at most the rows"),
            (poisson(0.1, mixture([0.0, 1.0], [0.5, 0.5])), "no samples for mixtures and trees"),
            (poisson(0.1, tree(1.0, 3)), "no samples for mixtures and trees"),
            (poisson(0.1, poisson(0.1, gaussian())), "no samples of samples"),
        ]:
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                plaudit.account(given, delta=1e-5)


class Relations(unittest.TestCase):
    def test_a_replaced_row_moves_a_sum_of_clipped_rows_twice_as_far(self):
        for given, mu, relation, words in [
            (gaussian(), 1.0, None, "add/remove one row, the default of dp-accounting"),
            (gaussian(), 1.0, "add-remove", "add/remove one row"),
            (
                gaussian(),
                2.0,
                "substitution",
                "substitution of one row, which moves a sum of rows of norm at most C by up to 2C",
            ),
            (tree(1.0, 1), 1.0, None, "substitution of one row by a special one, such as zeros"),
        ]:
            bracket = plaudit.account(given, delta=1e-5, relation=relation)
            self.assertLess(bracket.upper - bracket.lower, 1e-9)
            self.assertAlmostEqual(gaussian_delta(bracket.lower, mu), 1e-5, delta=1e-13)
            self.assertEqual(bracket.relation, words)

    def test_noise_of_each_kind(self):
        laplace = event("Laplace", noise_multiplier=2.0)
        discrete = event("DiscreteLaplace", noise_parameter=0.5, sensitivity=3)
        exact = event("DiscreteGaussian", sigma=1.5, sensitivity=2.0, dimension=1)
        self.assertEqual(composition_of(laplace, "substitution"), "laplace(scale=2.0, sensitivity=2.0)")
        self.assertEqual(composition_of(discrete, "substitution"), "discrete-laplace(scale=2.0, sensitivity=6)")
        # It has the sensitivity of the function itself.
        self.assertEqual(composition_of(exact, "substitution"), composition_of(exact))
        sample = fixed_size(10, 1, composed(gaussian(), times(3, gaussian())))
        self.assertEqual(composition_of(sample), "gaussian(sigma=0.5, sensitivity=2.0) @ without-replacement(0.1)")

    def test_samples_without_replacement_replace_a_row(self):
        # P = 0.9 N(0, 1) + 0.1 N(2, 1) against N(0, 1) is some pair's: all other rows are like the replaced one.
        bracket = plaudit.account(fixed_size(100, 10, gaussian()), delta=1e-5)
        self.assertIn("up to 2C", bracket.relation)
        amplified = math.log1p(math.expm1(bracket.lower) / 0.1)
        self.assertAlmostEqual(0.1 * gaussian_delta(amplified, 2.0), 1e-5, delta=1e-13)
        self.assertEqual(plaudit.account(fixed_size(100, 10, gaussian()), delta=1e-5, relation="substitution"), bracket)

    def test_one_part_decides_for_all(self):
        self.assertEqual(
            composition_of(composed(gaussian(), response())),
            "gaussian(sigma=1.0, sensitivity=2.0) + randomized-response(truth=0.5, values=2)",
        )
        self.assertEqual(
            composition_of(composed(poisson(0.5, gaussian()), tree(1.0, 1))),
            "gaussian(sigma=1.0) @ poisson(0.5) + tree-aggregation(sigma=1.0, steps=1)",
        )

    def test_relations_that_contradict(self):
        for given, relation, words in [
            (poisson(0.1, response()), "substitution", "Gaussian and Laplace noise alone"),
            (fixed_size(9, 3, gaussian()), "add-remove", "SampledWithoutReplacementDpEvent .*replace a row"),
            (tree(1.0, 3), "substitution", "SingleEpochTreeAggregationDpEvent .*special one.*leave the relation out"),
            (truncated(4, 0.5, 2), "substitution", "TruncatedSubsampledGaussianDpEvent .*add or remove a row"),
            (with_replacement(9, 3, gaussian()), "add-remove", "SampledWithReplacementDpEvent .*replace a row"),
            (response(), "add-remove", "RandomizedResponseDpEvent .*replace a row"),
            (composed(poisson(0.1, gaussian()), fixed_size(9, 3, gaussian())), None, "account for the two apart"),
            (composed(tree(1.0, 3), response()), None, "account for the two apart"),
            (gaussian(), "replace-one", "relation is 'add-remove', 'substitution' or None"),
            ("gaussian(sigma=1)", "replace-one", "relation is 'add-remove', 'substitution' or None"),
            ("gaussian(sigma=1) @ poisson(0.1)", "substitution", "poisson samples are those of relation='add-remove'"),
            ("gaussian(sigma=1) @without-replacement(0.1)", "add-remove", "relation='substitution'"),
            ("gaussian(sigma=1) @ with-replacement(draws=1, rows=9)", "add-remove", "relation='substitution'"),
            ("gaussian(sigma=1) @ allocation(steps=2)", "substitution", "relation='add-remove'"),
            ("gaussian(sigma=1) @ poisson-group(rate=0.1, rows=3)", "add-remove", "neighbors of their own"),
            (
                "mixture-of-gaussians(sigma=1, shifts=[0, 1], weights=[.5, .5])",
                "substitution",
                "^the neighbors of mixture-of-gaussians events are those of relation='add-remove'",
            ),
        ]:
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                plaudit.account(given, delta=1e-5, relation=relation)
        # All rows are in the sample.
        self.assertEqual(
            composition_of(poisson(0.1, gaussian()), "substitution"), "gaussian(sigma=1.0) @ poisson-substitution(0.1)"
        )
        both = composed(poisson(0.1, gaussian()), fixed_size(9, 3, gaussian()))
        self.assertEqual(composition_of(both, "substitution").count("@"), 2)
        self.assertEqual(composition_of(poisson(1, gaussian()), "substitution"), "gaussian(sigma=1.0, sensitivity=2.0)")

    def test_an_expression_states_its_sensitivity(self):
        for expression, relation, words in [
            ("gaussian(sigma=1)", None, "that of the sensitivities and of the claims that the events make"),
            ("gaussian(sigma=1)", "substitution", "substitution of one row"),
            ("gaussian(sigma=1) @ poisson(0.1)", None, "add/remove one row"),
            ("gaussian(sigma=1) @ without-replacement(0.1)", "substitution", "substitution of one row"),
            ("gaussian(sigma=1) @ with-replacement(draws=1, rows=9)", None, "substitution of one row"),
            ("gaussian(sigma=1) @ truncated-poisson(0.1, batch=3, rows=9)", None, "add/remove one row"),
            ("gaussian(sigma=1) @ balls-in-bins(2)", None, "add/remove one row"),
            ("gaussian(sigma=1) @ poisson-group(0.1, rows=3)", None, "add/remove 3 rows"),
        ]:
            bracket = plaudit.account(expression, delta=1e-5, relation=relation)
            self.assertEqual(bracket.relation, words)
            self.assertEqual(bracket, plaudit.account(expression, delta=1e-5))

    def test_a_bracket_is_a_tuple_of_two(self):
        bracket = plaudit.account(gaussian(), delta=1e-5)
        lower, upper = bracket
        self.assertEqual((lower, upper, len(bracket)), (bracket.lower, bracket.upper, 2))
        self.assertEqual(bracket, (lower, upper))
        self.assertEqual(pickle.loads(pickle.dumps(bracket)).relation, bracket.relation)
        self.assertRegex(repr(bracket), r"^Bracket\(lower=4.377\d*, upper=4.377\d*, relation='add/remove")


class ClosedForms(unittest.TestCase):
    def test_trees(self):
        for noise, epsilon in ((1.13, 17.6667507612), (8.83, 1.64865884108)):
            bracket = plaudit.account(tree(noise, 1600), delta=1e-6)
            self.assertAlmostEqual(gaussian_delta(epsilon, math.sqrt(11) / noise), 1e-6, delta=1e-15)
            self.assertAlmostEqual(bracket.lower, epsilon, delta=1e-9)
            self.assertAlmostEqual(bracket.upper, epsilon, delta=1e-9)

    def test_claims(self):
        both = composed(event("EpsilonDelta", epsilon=1, delta=0.1), event("EpsilonDelta", epsilon=2, delta=0.2))
        lower, upper = plaudit.account(both, epsilon=3.0)
        self.assertTrue(lower <= 0.28 + 1e-12 and 0.28 - 1e-12 <= upper < 0.28 + 1e-9)
        self.assertEqual(plaudit.account(event("NonPrivate"), delta=1e-5), (math.inf, math.inf))

    def test_the_exponential_mechanism_has_a_range_of_epsilon(self):
        # Dong, Durfee and Rogers 2020: the total variation of a mechanism of range epsilon, not of one that is only
        # epsilon-DP, which is tanh(epsilon / 2).
        lower, upper = plaudit.account(event("ExponentialMechanism", epsilon=1.0), epsilon=0.0)
        self.assertAlmostEqual(lower, math.tanh(0.25), delta=1e-9)
        self.assertAlmostEqual(upper, math.tanh(0.25), delta=1e-9)

    def test_permute_and_flip_is_between_two_scores_and_laplace_noise(self):
        lower, upper = plaudit.account(event("PermuteAndFlip", epsilon=1.0), epsilon=0.5)
        self.assertAlmostEqual(upper, -math.expm1(-0.25), delta=1e-9)
        # Two candidates whose scores cross: the first wins with 1 - e^(-g/2)/2 at a gap g, in units of the sensitivity.
        pairs = []
        for gap in (0.0, 0.5, 1.0, 1.5):
            first, second = (
                1.0 - math.exp(-max(g, 0.0) / 2) / 2 if g >= 0 else math.exp(g / 2) / 2 for g in (2.0 - gap, -gap)
            )
            pairs.append(first - math.exp(0.5) * second)
        self.assertAlmostEqual(lower, pairs[2], delta=1e-9)
        self.assertLessEqual(max(pairs), upper + 1e-12)

    def test_a_mixture_of_one_sign_is_exact_and_bounds_others(self):
        shares = [0.2, 0.6, 0.2]

        def true(shifts, epsilon, sign):
            # The likelihood ratio rises with the noise where shifts have one sign: the best events are half-lines.
            def gain(at):
                moved = sum(share * normal(sign * (shift - at)) for shift, share in zip(shifts, shares))
                one, other = (moved, normal(-sign * at))[::sign]
                return one - math.exp(epsilon) * other

            return max(gain(step / 1000) for step in range(-5000, 9000))

        for epsilon in (0.25, 1.0):
            lower, upper = plaudit.account(mixture([0.0, 1.0, 2.0], shares), epsilon=epsilon)
            most = max(true([0.0, 1.0, 2.0], epsilon, sign) for sign in (1, -1))
            self.assertAlmostEqual(lower, most, delta=1e-7)
            self.assertAlmostEqual(upper, most, delta=1e-7)
            self.assertEqual(plaudit.account(mixture([0.0, -1.0, -2.0], shares), epsilon=epsilon), (lower, upper))
            both = plaudit.account(mixture([0.0, 1.0, -2.0], shares), epsilon=epsilon)
            self.assertEqual(both, (0.0, upper))
            self.assertLess(true([0.0, 1.0, -2.0], epsilon, 1), upper)

    def test_a_choice_among_runs(self):
        # Papernot and Steinke 2022, theorem 2, at the order infinity; below, a choice that depends on no answer.
        lower, upper = plaudit.account(selected(claim(0.5), shape=0.0), delta=0.0)
        self.assertAlmostEqual(upper, 1.0, delta=1e-9)
        self.assertAlmostEqual(lower, 0.5, delta=1e-9)
        laplace = selected(event("Laplace", noise_multiplier=2.0), shape=0.0)
        self.assertEqual(plaudit.account(laplace, delta=0.0), (0.0, upper))

    def test_truncated_and_repeated_rows(self):
        # A batch that holds all rows is not truncated.
        whole = plaudit.account(truncated(4, 0.25, 4, 2.0), epsilon=0.5)
        plain = plaudit.account(poisson(0.25, gaussian(2.0)), epsilon=0.5)
        self.assertAlmostEqual(whole.upper, plain.upper, delta=1e-9)
        self.assertAlmostEqual(whole.lower, plain.lower, delta=1e-9)
        cut = plaudit.account(truncated(40, 0.25, 4, 2.0), epsilon=0.5)
        self.assertLess(cut.lower, plain.lower)
        # Balle, Barthe and Gaboardi 2018, theorem 10, for a row that moves a draw by twice the norm.
        rows, draws, epsilon = 100, 10, 0.5
        ever = 1.0 - (1.0 - 1.0 / rows) ** draws
        inner = math.log1p(math.expm1(epsilon) / ever)
        bound = math.fsum(
            math.comb(draws, k) / rows**k * (1.0 - 1.0 / rows) ** (draws - k) * gaussian_delta(inner, k * 2.0 / 4.0)
            for k in range(1, draws + 1)
        )
        lower, upper = plaudit.account(with_replacement(rows, draws, gaussian(4.0)), epsilon=epsilon)
        self.assertAlmostEqual(upper, bound, delta=1e-9)
        self.assertTrue(0.0 < lower < upper)

    def test_a_discrete_gaussian_in_several_dimensions_loses_more(self):
        one, several, small = (
            plaudit.account(event("DiscreteGaussian", sigma=2.0, sensitivity=s, dimension=n), delta=1e-5)
            for s, n in ((1.0, 1), (1.0, None), (0.5, 1))
        )
        self.assertAlmostEqual(several.lower, one.lower, delta=1e-9)
        self.assertLess(one.upper, several.upper)
        self.assertEqual(small.lower, 0.0)


@unittest.skipUnless(importlib.util.find_spec("dp_accounting"), "dp-accounting is not installed")
class DpAccounting(unittest.TestCase):
    def test_every_class_has_an_answer(self):
        from dp_accounting import dp_event as e

        from plaudit import _events

        known = {*_events._NOISES, *_events._CLAIMS, *_events._NEEDS, *_events._REFUSED}
        known |= {"DpEvent", "ComposedDpEvent", "SelfComposedDpEvent", "RepeatAndSelectDpEvent"}
        classes = {name for name, kind in vars(e).items() if isinstance(kind, type) and issubclass(kind, e.DpEvent)}
        self.assertEqual(classes - known, set())

    def test_replaced_rows(self):
        from dp_accounting import NeighboringRelation
        from dp_accounting import dp_event as e
        from dp_accounting.pld import PLDAccountant

        for given in (
            e.GaussianDpEvent(1.0),
            e.SelfComposedDpEvent(e.GaussianDpEvent(4.0), 3),
            e.ComposedDpEvent([e.RandomizedResponseDpEvent(0.5, 2), e.RandomizedResponseDpEvent(0.25, 3)]),
            e.ComposedDpEvent([e.RandomizedResponseDpEvent(0.5, 4), e.GaussianDpEvent(2.0)]),
        ):
            theirs = PLDAccountant(NeighboringRelation.REPLACE_ONE).compose(given).get_epsilon(1e-5)
            lower, upper = plaudit.account(given, delta=1e-5, relation="substitution")
            self.assertGreater(theirs, lower - 1e-4)
            self.assertLess(theirs, upper + 1e-3)

    def test_mixtures(self):
        from dp_accounting import dp_event as e
        from dp_accounting.pld import PLDAccountant

        for shifts, shares in (([0.0, 1.5], [0.75, 0.25]), ([0.0, 1.0, 2.0], [0.2, 0.6, 0.2])):
            given = e.MixtureOfGaussiansDpEvent(1.0, shifts, shares)
            theirs = PLDAccountant(value_discretization_interval=0.01).compose(given).get_epsilon(1e-6)
            lower, upper = plaudit.account(given, delta=1e-6)
            self.assertGreater(theirs, lower - 0.01)
            self.assertLess(theirs, upper + 0.01)

    def test_truncated_samples(self):
        from dp_accounting import dp_event as e
        from dp_accounting.pld import PLDAccountant

        given = e.ComposedDpEvent(
            [
                e.SelfComposedDpEvent(e.TruncatedSubsampledGaussianDpEvent(4, 0.5, 2, 1.0), 3),
                e.SelfComposedDpEvent(e.TruncatedSubsampledGaussianDpEvent(3, 0.5, 2, 1.0), 2),
            ]
        )
        theirs = PLDAccountant().compose(given).get_epsilon(1e-6)
        lower, upper = plaudit.account(given, delta=1e-6)
        self.assertGreater(theirs, lower - 1e-4)
        self.assertGreater(theirs, upper - 1e-4)

    def test_trees(self):
        from dp_accounting import NeighboringRelation
        from dp_accounting import dp_event as e
        from dp_accounting.rdp import RdpAccountant

        given = e.SelfComposedDpEvent(e.SingleEpochTreeAggregationDpEvent(8.83, [1600, 20]), 2)
        theirs = RdpAccountant(neighboring_relation=NeighboringRelation.REPLACE_SPECIAL).compose(given)
        for delta in (1e-6, 1e-3):
            self.assertLess(plaudit.account(given, delta=delta).upper, theirs.get_epsilon(delta))
        self.assertEqual(composition_of(given), "tree-aggregation(sigma=8.83, steps=1600) x 2")


if __name__ == "__main__":
    unittest.main()
