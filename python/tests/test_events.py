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
            (event("DiscreteGaussian", sigma=2.0, sensitivity=2.0, dimension=None), "zero-concentrated(rho=0.5)"),
            (event("DiscreteGaussian", sigma=2.0, sensitivity=2.0, dimension=3), "zero-concentrated(rho=0.5)"),
            (event("DiscreteGaussian", sigma=2.0, sensitivity=0.5, dimension=1), "zero-concentrated(rho=0.03125)"),
            (response(0.25, 3), "randomized-response(truth=0.75, values=3)"),
            (response(0.0, 1), "epsilon-delta(epsilon=0)"),
            (event("ExponentialMechanism", epsilon=1), "exponential-mechanism(epsilon=1.0)"),
            (event("PermuteAndFlip", epsilon=0.5), "laplace(scale=2.0)"),
            (event("ZC", rho=0.1, xi=0.0), "zero-concentrated(rho=0.1)"),
            (tree(2.0, 7), "gaussian(sigma=%r)" % (2.0 / math.sqrt(3))),
            (tree(2.0, [1, 8, 3]), "gaussian(sigma=1.0)"),
            (times(3, tree(2.0, 15)), "gaussian(sigma=1.0) x 3"),
            (mixture([2.0], [1.0]), "gaussian(sigma=1.0, sensitivity=2.0)"),
            (mixture([0.0, -2.0], [0.75, 0.25]), "gaussian(sigma=1.0, sensitivity=2.0) @ poisson(0.25)"),
            (mixture([0.0, 1.0, 2.0], [0.5, 0.25, 0.25]), "gaussian(sigma=1.0, sensitivity=2.0) @ poisson(0.5)"),
            (mixture([0.0], [1.0]), "epsilon-delta(epsilon=0)"),
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
                event("SampledWithReplacement", source_dataset_size=9, sample_size=3, event=gaussian()),
                "^SampledWithReplacementDpEvent has no expression: a row can be several times",
            ),
            (
                event("RepeatAndSelect", event=gaussian(), mean=2.0, shape=1.0),
                r"^RepeatAndSelectDpEvent has no expression: .*\(2 \+ shape\)",
            ),
            (event("TruncatedSubsampledGaussian"), "^TruncatedSubsampledGaussianDpEvent has no expression: truncation"),
            (event("ZC", rho=1.0, xi=0.5), "^ZCDpEvent has no expression unless xi is 0"),
            (mixture([-1.0, 1.0], [0.5, 0.5]), "^MixtureOfGaussiansDpEvent has an expression only if"),
            (mixture([1.0], [0.5]), "add up to 1"),
            (gaussian(0.0), "positive and finite"),
            (response(0.0, 2), "noise parameter above 0"),
            (response(1.5, 2), "noise parameter above 0"),
            (poisson(1.5, gaussian()), "between 0 and 1: PoissonSampled"),
            (poisson(math.nan, gaussian()), "between 0 and 1: PoissonSampled"),
            (mixture([0.0, 1.0], [-0.5, 1.5]), "add up to 1"),
            (event("ZC", rho=-1.0, xi=0.0), "rho must be at least 0"),
            (times(2.5, gaussian()), "count must be a whole number"),
            (tree(1.0, 0), "at least one step"),
            (tree(1.0, []), "at least one step"),
            (fixed_size(10, 11, gaussian()), "at most the rows"),
            (poisson(0.1, mixture([0.0, 1.0], [0.5, 0.5])), "no samples of samples"),
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
            "gaussian(sigma=1.0) @ poisson(0.5) + gaussian(sigma=1.0)",
        )

    def test_relations_that_contradict(self):
        for given, relation, words in [
            (poisson(0.1, response()), "substitution", "Gaussian and Laplace noise alone"),
            (fixed_size(9, 3, gaussian()), "add-remove", "SampledWithoutReplacementDpEvent .*replace a row"),
            (tree(1.0, 3), "substitution", "SingleEpochTreeAggregationDpEvent .*special one.*leave the relation out"),
            (response(), "add-remove", "RandomizedResponseDpEvent .*replace a row"),
            (composed(poisson(0.1, gaussian()), fixed_size(9, 3, gaussian())), None, "account for the two apart"),
            (composed(tree(1.0, 3), response()), None, "account for the two apart"),
            (gaussian(), "replace-one", "relation is 'add-remove', 'substitution' or None"),
            ("gaussian(sigma=1)", "replace-one", "relation is 'add-remove', 'substitution' or None"),
            ("gaussian(sigma=1) @ poisson(0.1)", "substitution", "poisson samples are those of relation='add-remove'"),
            ("gaussian(sigma=1) @without-replacement(0.1)", "add-remove", "relation='substitution'"),
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

    def test_permute_and_flip_is_bounded_by_laplace_noise(self):
        lower, upper = plaudit.account(event("PermuteAndFlip", epsilon=1.0), epsilon=0.5)
        self.assertEqual(lower, 0.0)
        self.assertAlmostEqual(upper, -math.expm1(-0.25), delta=1e-9)
        # Two candidates whose scores cross: the first wins with 1 - e^(-g/2)/2 at a gap g, in units of the sensitivity.
        for gap in (0.0, 0.5, 1.0, 1.5):
            first, second = (
                1.0 - math.exp(-max(g, 0.0) / 2) / 2 if g >= 0 else math.exp(g / 2) / 2 for g in (2.0 - gap, -gap)
            )
            self.assertLessEqual(first - math.exp(0.5) * second, upper + 1e-12)

    def test_a_mixture_is_bounded_by_its_furthest_shift(self):
        shifts, shares = [0.0, 1.0, 2.0], [0.2, 0.6, 0.2]
        lower, upper = plaudit.account(mixture(shifts, shares), epsilon=1.0)
        self.assertEqual(lower, 0.0)
        true = max(
            sum(share * normal(shift - at) for shift, share in zip(shifts, shares)) - math.e * normal(-at)
            for at in (step / 1000 for step in range(-3000, 5000))
        )
        self.assertLess(true, upper)

    def test_a_discrete_gaussian_in_several_dimensions_is_bounded_by_its_concentration(self):
        one, several = (
            plaudit.account(event("DiscreteGaussian", sigma=2.0, sensitivity=1.0, dimension=n), delta=1e-5)
            for n in (1, None)
        )
        self.assertEqual(several.lower, 0.0)
        self.assertLess(one.upper, several.upper)


@unittest.skipUnless(importlib.util.find_spec("dp_accounting"), "dp-accounting is not installed")
class DpAccounting(unittest.TestCase):
    def test_every_class_has_an_answer(self):
        from dp_accounting import dp_event as e

        from plaudit import _events

        known = {*_events._NOISES, *_events._CLAIMS, *_events._NEEDS, *_events._REFUSED}
        known |= {"DpEvent", "ComposedDpEvent", "SelfComposedDpEvent"}
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

    def test_trees(self):
        from dp_accounting import NeighboringRelation
        from dp_accounting import dp_event as e
        from dp_accounting.rdp import RdpAccountant

        given = e.SelfComposedDpEvent(e.SingleEpochTreeAggregationDpEvent(8.83, [1600, 20]), 2)
        theirs = RdpAccountant(neighboring_relation=NeighboringRelation.REPLACE_SPECIAL).compose(given)
        for delta in (1e-6, 1e-3):
            self.assertLess(plaudit.account(given, delta=delta).upper, theirs.get_epsilon(delta))
        self.assertEqual(composition_of(given), "gaussian(sigma=%r) x 2" % (8.83 / math.sqrt(11)))


if __name__ == "__main__":
    unittest.main()
