"""What libraries claim of right and of broken mechanisms, and compositions that both accountants read alike."""

import contextlib
import importlib.util
import io
import math
import os
import random
import sys
import unittest
import warnings

# Where no package is installed, the one beside these tests.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")

import plaudit
from plaudit import _check_command as command
from plaudit import adapters

VIOLATED = plaudit.Verdict.VIOLATED
NOISE = random.Random(1)


def loaded(name):
    """A library, or None where it is missing or does not work with what is installed beside it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def two_sided(epsilon):
    def steps():
        return int(math.log(1.0 - NOISE.random()) / -epsilon)

    return steps() - steps()


class Others(unittest.TestCase):
    def test_what_is_known_is_named(self):
        for other in (len, 3, random.Random()):
            with self.assertRaisesRegex(TypeError, "measurements of opendp, and mechanisms and models of diffprivlib"):
                plaudit.check(other, [1])

    def test_the_claim_is_the_librarys(self):
        with self.assertRaisesRegex(TypeError, "use audit to test another epsilon"):
            plaudit.check(len, [1], epsilon=1.0)


@unittest.skipUnless(loaded("opendp"), "opendp is not installed")
class OpenDP(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import opendp.prelude as dp

        dp.enable_features("contrib", "honest-but-curious")
        cls.dp = dp
        cls.floats = dp.atom_domain(T=float, nan=False)

    def check(self, measurement, *datasets, trials=2_000, **options):
        return plaudit.check(measurement, *datasets, trials=trials, **options)

    def test_laplace(self):
        dp = self.dp
        for laplace in (
            dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=1.0),
            dp.m.make_laplace(self.floats, dp.absolute_distance(T=float), scale=1.0),
        ):
            result = self.check(laplace, 5)
            self.assertNotEqual(result.verdict, VIOLATED)
            self.assertEqual(result.finding["claim"]["epsilon"], 1.0)
            self.assertEqual(result.finding["relation"], "l1 distance 1")
            self.assertEqual(self.check(laplace, 5, 8, trials=200).finding["claim"]["epsilon"], 3.0)
            self.assertEqual(self.check(laplace, 5, 6, d_in=4, trials=200).finding["claim"]["epsilon"], 4.0)
            with self.assertRaisesRegex(ValueError, "apart, and d_in is 1"):
                self.check(laplace, 5, 8, d_in=1)

    def test_other_measures(self):
        dp = self.dp
        gauss = dp.m.make_gaussian(self.floats, dp.absolute_distance(T=float), scale=1.0)
        self.assertIn("0.5-zCDP", self.check(gauss, 0.0, 1.0).finding["claim"]["words"])
        curve = dp.c.make_zCDP_to_approxDP(gauss)
        claim = self.check(curve, 0.0, 1.0, delta=1e-5, trials=200).finding["claim"]
        self.assertEqual((claim["epsilon"], claim["delta"]), (curve.map(1.0).epsilon(1e-5), 1e-5))
        fixed = self.check(dp.c.make_fix_delta(curve, 1e-5), 0.0, trials=200).finding["claim"]
        self.assertEqual((fixed["epsilon"], fixed["delta"]), (claim["epsilon"], 1e-5))
        with self.assertRaisesRegex(TypeError, "delta is for"):
            self.check(gauss, 0.0, 1.0, delta=1e-5)

    def test_vectors(self):
        dp = self.dp
        space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
        result = self.check(dp.m.make_laplace(*space, scale=2.0), [3, 4], [2, 5])
        self.assertNotEqual(result.verdict, VIOLATED)
        self.assertEqual(result.finding["claim"]["epsilon"], 1.0)
        space = dp.vector_domain(self.floats), dp.l2_distance(T=float)
        result = self.check(dp.m.make_gaussian(*space, scale=5.0), [0.0, 0.0], [3.0, 4.0], trials=200)
        self.assertIn("0.5-zCDP", result.finding["claim"]["words"])

    def test_rows(self):
        dp = self.dp
        space = dp.vector_domain(dp.atom_domain(bounds=(0, 10))), dp.symmetric_distance()
        total = space >> dp.t.then_sum() >> dp.m.then_laplace(scale=10.0)
        result = self.check(total, [3, 10, 7, 1])
        self.assertNotEqual(result.verdict, VIOLATED)
        self.assertEqual(result.finding["claim"]["epsilon"], 1.0)
        self.assertEqual(result.finding["relation"], "add-remove")
        changed = self.check(total, [3, 10], [3, 0], trials=200)
        self.assertEqual(changed.finding["claim"]["epsilon"], total.map(2))
        self.assertEqual(changed.finding["relation"], "substitution")
        apart = self.check(total, [3, 10, 5], [3], trials=200)
        self.assertIn("unchecked", apart.finding["relation"])
        space = dp.vector_domain(dp.atom_domain(bounds=(0, 10)), size=3), dp.symmetric_distance()
        sized = self.check(space >> dp.t.then_sum() >> dp.m.then_laplace(scale=10.0), [3, 10, 7], trials=500)
        self.assertEqual((sized.finding["relation"], sized.finding["claim"]["epsilon"]), ("substitution", 1.0))
        self.assertEqual(len(sized.datasets[1]), 3)

    def test_a_broken_map_is_found(self):
        dp = self.dp
        broken = dp.m.make_user_measurement(
            dp.vector_domain(dp.atom_domain(T=int)),
            dp.symmetric_distance(),
            dp.max_divergence(),
            lambda rows: len(rows) + two_sided(2.0),
            lambda d_in: 0.5 * d_in,
        )
        result = self.check(broken, [1, 2, 3])
        self.assertEqual(result.verdict, VIOLATED)
        self.assertGreater(result.epsilon_lower, 0.5)

    def test_queries_of_a_context(self):
        dp = self.dp
        context = dp.Context.compositor(
            data=[1, 2, 3],
            privacy_unit=dp.unit_of(contributions=1),
            privacy_loss=dp.loss_of(epsilon=2.0),
            split_evenly_over=2,
        )
        result = self.check(context.query().count().laplace(), [1, 2, 3], trials=1_000)
        self.assertNotEqual(result.verdict, VIOLATED)
        self.assertEqual(result.finding["claim"]["epsilon"], 1.0)
        self.assertEqual(result.finding["relation"], "add-remove")

    @unittest.skipUnless(loaded("polars"), "polars is not installed")
    def test_queries_of_a_frame(self):
        import polars

        dp = self.dp
        frame = polars.LazyFrame({"a": [1, 2]})
        context = dp.Context.compositor(
            data=frame,
            privacy_unit=dp.unit_of(contributions=1),
            privacy_loss=dp.loss_of(epsilon=1.0),
            split_evenly_over=1,
        )
        query = context.query().select(dp.len(signed=True))
        result = self.check(query, frame, polars.LazyFrame({"a": [1, 2, 3]}), trials=300)
        self.assertEqual(result.finding["claim"]["epsilon"], 1.0)
        self.assertNotEqual(result.verdict, VIOLATED)

    def test_randomized_response_and_renyi(self):
        dp = self.dp
        self.assertNotEqual(self.check(dp.m.make_randomized_response_bool(prob=0.75), True).verdict, VIOLATED)
        renyi = dp.m.make_user_measurement(
            dp.vector_domain(dp.atom_domain(T=int)),
            dp.symmetric_distance(),
            dp.renyi_divergence(),
            lambda rows: len(rows) + two_sided(1.0),
            lambda d_in: lambda alpha: d_in * alpha / 2,
        )
        self.assertEqual(self.check(renyi, [1, 2, 3]).finding["claim"]["form"], "renyi")


@unittest.skipUnless(loaded("diffprivlib"), "diffprivlib is not installed")
class Diffprivlib(unittest.TestCase):
    def test_geometric(self):
        from diffprivlib.mechanisms import Geometric

        result = plaudit.check(Geometric(epsilon=1.0, sensitivity=2), 10, trials=5_000)
        self.assertNotEqual(result.verdict, VIOLATED)
        self.assertGreater(result.epsilon_lower, 0.2)
        self.assertEqual(result.finding["claim"]["epsilon"], 1.0)
        self.assertEqual(result.datasets, ([10], [12]))
        self.assertEqual(result.name, "diffprivlib.mechanisms.Geometric")

    def test_gaussian_has_a_delta(self):
        from diffprivlib.mechanisms import GaussianAnalytic

        mechanism = GaussianAnalytic(epsilon=1.0, delta=1e-5, sensitivity=1.0)
        claim = plaudit.check(mechanism, 0.0, 1.0, trials=200).finding["claim"]
        self.assertEqual((claim["epsilon"], claim["delta"]), (1.0, 1e-5))

    def test_a_broken_one_is_found(self):
        from diffprivlib.mechanisms import Geometric

        class Broken(Geometric):
            def randomise(self, value):
                return value + two_sided(2.0 * self.epsilon)

        self.assertEqual(plaudit.check(Broken(epsilon=1.0), 10, 11, trials=5_000).verdict, VIOLATED)

    def test_values_that_are_no_numbers(self):
        from diffprivlib.mechanisms import Binary, Exponential, Laplace

        binary = Binary(epsilon=1.0, value0="no", value1="yes")
        self.assertNotEqual(plaudit.check(binary, "no", "yes", trials=2_000).verdict, VIOLATED)
        for mechanism, datasets, words in [
            (binary, ("no",), "give d_prime"),
            (Exponential(epsilon=1.0, sensitivity=1.0, utility=[0, 1]), ([0, 1],), "takes no value"),
            (Laplace(epsilon=1.0, sensitivity=1.0), (0.0, 2.0), "2.0 apart, and the sensitivity is 1.0"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                plaudit.check(mechanism, *datasets)

    def test_tools(self):
        import functools

        from diffprivlib.tools import count_nonzero, histogram, mean

        result = plaudit.check(functools.partial(count_nonzero, epsilon=0.5), [0, 1, 1], trials=400)
        self.assertNotEqual(result.verdict, VIOLATED)
        self.assertEqual((result.finding["claim"]["epsilon"], result.finding["relation"]), (0.5, "substitution"))
        result = plaudit.check(functools.partial(histogram, bins=3, range=(0, 3)), [0, 1, 2], trials=400)
        self.assertEqual((result.finding["claim"]["epsilon"], result.finding["relation"]), (1.0, "add-remove"))
        with self.assertRaisesRegex(ValueError, "random_state"):
            plaudit.check(functools.partial(mean, bounds=(0, 1), random_state=1), [0.0, 1.0])
        with self.assertRaisesRegex(TypeError, "states its own"):
            plaudit.check(functools.partial(mean, bounds=(0, 1)), [0.0, 1.0], delta=0.1)

    def test_the_command(self):
        mechanism = "diffprivlib.mechanisms:Geometric"
        for arguments, code, words in [
            ([mechanism, "--epsilon", "1", "--d", "10", "--trials", "20000"], 0, "not refuted"),
            ([mechanism, "--epsilon", "1", "--d", "10", "--trials", "20000", "--format", "json"], 0, '"claim"'),
            (["diffprivlib.tools:count_nonzero", "--epsilon=1", "--d=[0, 1]", "--trials=20000"], 0, "not refuted"),
            ([mechanism, "--epsilon", "1"], 2, "--d is missing"),
            ([mechanism, "--epsilon"], 2, "--epsilon has no value"),
            (["diffprivlib.mechanisms", "--d", "1"], 2, "does not name an object"),
            (["diffprivlib.mechanisms:No", "--d", "1"], 2, "no attribute"),
            (["math:pi", "--d", "1", "--epsilon", "1"], 2, "is made already"),
            (["--help"], 0, "exit codes"),
        ]:
            out, errors = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
                ended = command.run(arguments)
            self.assertEqual(ended, code, (arguments, errors.getvalue()))
            self.assertIn(words, out.getvalue() + errors.getvalue())

    def test_models(self):
        import numpy
        from diffprivlib.models import DecisionTreeClassifier, GaussianNB, StandardScaler

        x = numpy.array([[0.1, 0.2], [0.9, 0.7], [0.4, 0.8], [0.6, 0.1]])
        y = numpy.array([0, 1, 1, 0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = plaudit.check(GaussianNB(epsilon=1.0, bounds=(0, 1)), (x, y), trials=150)
            self.assertEqual(result.finding["relation"], "substitution")
            self.assertEqual(result.finding["claim"]["epsilon"], 1.0)
            self.assertEqual(result.trials, 150)
            model = StandardScaler(epsilon=0.1, bounds=(0, 1))
            # What tells the number of rows, without noise.
            result = plaudit.check(model, x, x[:3], outcome=lambda m: int(m.n_samples_seen_ > 3.5), trials=200)
            self.assertEqual((result.verdict, result.finding["relation"]), (VIOLATED, "add-remove"))
            with self.assertRaisesRegex(ValueError, "give outcome"):
                plaudit.check(DecisionTreeClassifier(epsilon=1.0, bounds=(0, 1), classes=[0, 1]), (x, y))
            with self.assertRaisesRegex(ValueError, "random_state"):
                plaudit.check(GaussianNB(epsilon=1.0, bounds=(0, 1), random_state=1), (x, y))


@unittest.skipUnless(loaded("diffprivlib"), "diffprivlib is not installed")
class DiffprivlibTraces(unittest.TestCase):
    def test_a_sensitivity_that_is_exceeded(self):
        from diffprivlib.tools import nansum

        nan, wide = float("nan"), [100.0] * 9
        for bounds, suspected in [((100, 101), True), ((0, 101), False)]:
            trace = plaudit.trace(
                lambda x, bounds=bounds: float(nansum(x, epsilon=1.0, bounds=bounds)),
                [100.0, *wide],
                [nan, *wide],
                epsilon=1.0,
            )
            self.assertEqual(trace.suspected, suspected, str(trace))
            if suspected:
                self.assertEqual(trace.differences[0].kind, "sensitivity")
                self.assertIn("utils.py", trace.differences[0].file)


@unittest.skipUnless(loaded("opendp"), "opendp is not installed")
class OpendpTraces(unittest.TestCase):
    def test_what_measurements_cost(self):
        import opendp.prelude as dp

        dp.enable_features("contrib")

        def laplace(scale):
            return (dp.atom_domain(T=int), dp.absolute_distance(T=int)) >> dp.m.then_laplace(scale)

        one, half = laplace(1.0), laplace(2.0)
        for function, spent in [
            (lambda x: one(len(x)), 1.0),
            (lambda x: (one(len(x)), one(sum(x))), 2.0),
            (lambda x: (half(len(x)), half(min(1, sum(x)))), 0.5),
        ]:
            trace = plaudit.trace(function, [1, 0], [1, 0, 1], epsilon=1.0)
            self.assertAlmostEqual(trace.spent["epsilon"], spent, 6)
            self.assertEqual(trace.suspected, spent > 1.0, str(trace))


@unittest.skipUnless(loaded("opacus"), "opacus is not installed")
class Opacus(unittest.TestCase):
    def test_a_step(self):
        import torch
        from opacus import GradSampleModule
        from opacus.optimizers import DPOptimizer

        def optimizer(noise, norm):
            model = GradSampleModule(torch.nn.Linear(2, 1, bias=False))
            inner = torch.optim.SGD(model.parameters(), lr=1.0)
            return DPOptimizer(inner, noise_multiplier=noise, max_grad_norm=norm, expected_batch_size=4)

        rounded = {"floats": "rounded", "grid": 2.0**-10, "trials": 2_000}
        rows = [[3.0, 0.0], [0.0, 1.0], [0.3, 0.3]]
        right = plaudit.check(optimizer(2.0, 1.0), rows, rows[1:], **rounded)
        self.assertNotEqual(right.verdict, VIOLATED)
        self.assertEqual(right.finding["claim"]["mu"], 0.5)
        self.assertEqual(right.finding["relation"], "add-remove")

        class Unclipped(DPOptimizer):
            def clip_and_accumulate(self):
                for parameter in self.params:
                    parameter.summed_grad = parameter.grad_sample.sum(dim=0)

        broken = optimizer(2.0, 1.0)
        broken.__class__ = Unclipped
        far = [[30.0, 0.0]] + rows[1:]
        self.assertEqual(plaudit.check(broken, far, far[1:], **rounded).verdict, VIOLATED)
        with self.assertRaisesRegex(ValueError, "one gradient for each of the 2"):
            plaudit.check(optimizer(2.0, 1.0), [[1.0]], [])


@unittest.skipUnless(loaded("dp_accounting"), "dp-accounting is not installed")
class DpAccounting(unittest.TestCase):
    def test_what_states_its_event(self):
        from dp_accounting import dp_event as e

        class Count:
            def __init__(self, scale, stated):
                self.scale, self.stated = scale, stated

            @property
            def dp_event(self):
                return e.DiscreteLaplaceDpEvent(1.0 / self.stated, 1)

            def __call__(self, rows):
                return len(rows) + two_sided(1.0 / self.scale)

        right = plaudit.check(Count(2.0, 2.0), [1, 2, 3], delta=0.01, trials=3_000)
        self.assertNotEqual(right.verdict, VIOLATED)
        self.assertEqual(right.finding["claim"]["delta"], 0.01)
        self.assertEqual(right.finding["relation"], "add-remove")
        self.assertEqual(plaudit.check(Count(0.5, 2.0), [1, 2, 3], trials=3_000).verdict, VIOLATED)

    def test_both_accountants_agree(self):
        from dp_accounting import dp_event as e
        from dp_accounting.pld import PLDAccountant

        for event, expression in [
            (e.GaussianDpEvent(1.0), "gaussian(sigma=1.0)"),
            (e.LaplaceDpEvent(2), "laplace(scale=2.0)"),
            (e.DiscreteLaplaceDpEvent(0.5, 2), "discrete-laplace(scale=2.0, sensitivity=2)"),
            (
                e.SelfComposedDpEvent(e.PoissonSampledDpEvent(0.01, e.GaussianDpEvent(1.0)), 100),
                "gaussian(sigma=1.0) @ poisson(0.01) x 100",
            ),
            (
                e.ComposedDpEvent(
                    [e.LaplaceDpEvent(2.0), e.NoOpDpEvent(), e.SelfComposedDpEvent(e.GaussianDpEvent(2.0), 3)]
                ),
                "laplace(scale=2.0) + gaussian(sigma=2.0) x 3",
            ),
            (e.PoissonSampledDpEvent(0.1, e.LaplaceDpEvent(2.0)), "laplace(scale=2.0) @ poisson(0.1)"),
        ]:
            with self.subTest(expression):
                self.assertEqual(adapters.composition_of(event), expression)
                bracket = plaudit.account(event, delta=1e-5)
                theirs = PLDAccountant().compose(event).get_epsilon(1e-5)
                # dp-accounting rounds each loss up, to multiples of 1e-4.
                self.assertGreater(theirs, bracket.lower - 1e-4)
                self.assertLess(theirs, bracket.upper + 1e-3)
                back = PLDAccountant().compose(adapters.to_dp_event(expression)).get_epsilon(1e-5)
                self.assertAlmostEqual(back, theirs, 9)

    def test_there_and_back(self):
        for expression in (
            "gaussian(sigma=0.5) @ poisson(0.1) x 7",
            "randomized-response(truth=0.75, values=3)",
            "zero-concentrated(rho=0.1) + laplace(scale=1e-05)",
            "zero-concentrated(rho=0.1, xi=0.5) + tree-aggregation(sigma=2.0, steps=7) x 2",
            "gaussian(sigma=2.0) @ truncated-poisson(rate=0.1, batch=3, rows=9) x 7",
            "epsilon-delta(epsilon=0)",
        ):
            self.assertEqual(adapters.composition_of(adapters.to_dp_event(expression)), expression)
        # A replaced row, read as one that is clipped: the safe side.
        event = adapters.to_dp_event("gaussian(sigma=2) @ without-replacement(0.1)")
        self.assertEqual(event.event.noise_multiplier, 2.0)
        self.assertEqual(
            adapters.composition_of(event), "gaussian(sigma=2.0, sensitivity=2.0) @ without-replacement(0.1)"
        )
        event = adapters.to_dp_event("gaussian(sigma=2) @ with-replacement(rows=9, draws=3)")
        self.assertEqual((event.source_dataset_size, event.sample_size), (9, 3))
        event = adapters.to_dp_event("gaussian(sigma=2, sensitivity=4) * 1_000 @ poisson(rate=1e-2)")
        self.assertEqual(adapters.composition_of(event), "gaussian(sigma=0.5) @ poisson(0.01) x 1000")
        event = adapters.to_dp_event("gaussian(sigma=2, sensitivity=4) * 1_000 @ poisson(1e-2)")
        self.assertEqual(adapters.composition_of(event), "gaussian(sigma=0.5) @ poisson(0.01) x 1000")
        self.assertEqual(adapters.composition_of(adapters.to_dp_event("gdp(mu=0.5)")), "gaussian(sigma=2.0)")

    def test_several_gaussians_on_one_sample(self):
        from dp_accounting import dp_event as e

        event = e.PoissonSampledDpEvent(0.1, e.SelfComposedDpEvent(e.GaussianDpEvent(1.0), 4))
        self.assertEqual(adapters.composition_of(event), "gaussian(sigma=0.5) @ poisson(0.1)")
        self.assertEqual(plaudit.account(e.NoOpDpEvent(), delta=1e-5), (0.0, 0.0))

    def test_what_there_is_not(self):
        from dp_accounting import dp_event as e

        for event in (
            e.UnsupportedDpEvent(),
            e.SampledWithReplacementDpEvent(100, 10, e.LaplaceDpEvent(1.0)),
            e.RepeatAndSelectDpEvent(e.GaussianDpEvent(1.0), 2.0, 1.0),
            e.GaussianDpEvent(0.0),
            e.ZCDpEvent(0.1, -0.2),
            e.PoissonSampledDpEvent(0.1, e.SelfComposedDpEvent(e.LaplaceDpEvent(1.0), 2)),
            e.PoissonSampledDpEvent(0.1, e.PoissonSampledDpEvent(0.1, e.GaussianDpEvent(1.0))),
        ):
            with self.assertRaisesRegex(ValueError, type(event).__name__):
                plaudit.account(event, delta=1e-5)
        with self.assertRaises(TypeError):
            plaudit.account(3, delta=1e-5)
        for expression in (
            "renyi(alpha=2, epsilon=1)",
            "gaussian",
            "gaussian(mu=1)",
            "gaussian()",
            "laplace(scale=x)",
            "laplace(scale=1) @ truncated-poisson(rate=0.1, batch=3, rows=9)",
            "gaussian(sigma=1) @ with-replacement(draws=3)",
            "gaussian(sigma=1) @ balls-in-bins(3)",
            "",
        ):
            with self.assertRaises(ValueError):
                adapters.to_dp_event(expression)


if __name__ == "__main__":
    unittest.main()
