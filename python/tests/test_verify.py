"""Proofs of functions of answers and draws: right ones, broken ones, and those that a proof cannot follow."""

import copy
import enum
import functools
import importlib.util
import inspect
import json
import math
import os
import pickle
import random
import statistics
import sys
import unittest
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))
sys.path.append(HERE)

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")

from support import outcomes, request

import plaudit

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
LINF = {"linf": 1.0}
GOOD = ([1.0] * 4, [2.0] * 2 + [0.0] * 2)


def sparse_vector(threshold=2.0, noise=4.0, stops=True, release=lambda gap, draws: True, fresh=False):
    """The first answer above a noisy threshold, and what is released for it."""

    def first(answers, draws):
        limit, told = draws.laplace(threshold) if threshold else 0.0, []
        for answer in answers:
            noisy = answer + draws.laplace(noise) if noise else answer
            if noisy >= limit:
                told.append(release(answer + draws.laplace(4.0) if fresh else noisy - limit, draws))
                if stops:
                    break
            else:
                told.append(False)
        return told

    return first


def noisy_max(law, scale, loop):
    def largest(answers, draws):
        noisy = [answer + getattr(draws, law)(scale) for answer in answers]
        if not loop:
            return draws.argmax(noisy)
        best, at = -math.inf, None
        for place, number in enumerate(noisy):
            if number > best:
                best, at = number, place
        return at

    return largest


def count(answers, draws):
    return answers[0] + draws.laplace(1.0)


def verify(function, d=(0.0,), d_prime=(1.0,), **claim):
    return plaudit.verify(function, d, d_prime, **dict({"epsilon": 1.0}, **claim))


class Decisions(unittest.TestCase):
    def decided(self, function, pair, decision, **claim):
        proof = verify(function, *pair, **claim)
        self.assertEqual(proof.decision, decision, proof)
        return proof

    def test_a_list_alone_is_refuted_by_a_neighbor_or_left_open(self):
        wrong = self.decided(sparse_vector(noise=1.0), ([1.0] * 4, None), "refuted", relation=LINF, epsilon=1.0)
        self.assertNotEqual(wrong.report["worst"]["d"], wrong.report["worst"]["d_prime"])
        self.decided(sparse_vector(), ([1.0] * 4, None), "verified", relation=LINF, epsilon=1.0)
        # The true epsilon is 2.5 of more answers: nothing here refutes 2.4, and nothing proves it.
        self.decided(sparse_vector(noise=1.0), ([1.0] * 6, None), "undecided", relation=LINF, epsilon=2.4999)

    def test_sparse_vectors(self):
        def gap(gap, draws):
            return gap

        for right, epsilon in [
            (sparse_vector(), 1.0),
            (sparse_vector(release=gap), 1.0),
            (sparse_vector(release=gap, fresh=True), 1.25),
        ]:
            proof = self.decided(right, GOOD, "verified", relation=LINF, epsilon=epsilon)
            self.assertEqual((proof.covers_relation, proof.epsilon[1], proof.paths), (True, epsilon, 5))
            self.assertIn("verified", str(proof))
        for broken, pair in [
            (sparse_vector(noise=None), ([0.0, 1.0], [1.0, 0.0])),
            (sparse_vector(threshold=None, noise=2.0, stops=False), ([0.0] * 4, [1.0] * 4)),
            (sparse_vector(noise=1.0), ([1.0] * 6, [2.0] * 3 + [0.0] * 3)),
        ]:
            self.decided(broken, pair, "refuted", relation=LINF)

    def test_the_largest_of_noisy_answers(self):
        good = ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])
        far = ([0.0, 5.0], [1.0, 4.0])
        for law in ("laplace", "exponential", "gumbel"):
            for loop in (True, False):
                with self.subTest(law, loop=loop):
                    right = self.decided(noisy_max(law, 2.0, loop), good, "verified", relation=LINF)
                    self.assertTrue(right.covers_relation)
                    self.decided(noisy_max(law, 1.0, loop), far, "refuted", relation=LINF)

    def test_sums_and_pairs(self):
        def each(answers, draws):
            return {"sums": [answer + draws.laplace(2.0) for answer in answers]}

        pair = ([0.0, 0.0], [1.0, 1.0])
        self.decided(each, pair, "verified", relation={"l1": 2.0})
        self.decided(each, ([0.0, 0.0], [2.0, 0.0]), "refuted", relation={"l1": 2.0}, epsilon=0.9)
        proof = verify(count, None, None, pairs=[([0.0], [1.0]), ([1], [0])])
        self.assertEqual((proof.decision, proof.covers_relation), ("verified", True))

    def test_gaussian_noise_on_a_pair(self):
        def largest(answers, draws):
            return draws.argmax([answer + draws.gaussian(3.0) for answer in answers])

        proof = self.decided(largest, ([0.0, 0.0], [1.0, 0.0]), "verified", delta=0.1, relation=LINF)
        self.assertFalse(proof.covers_relation)
        self.assertLessEqual(proof.delta[1], 0.1)

    def test_what_neither_decides(self):
        def squeezed(answers, draws):
            return answers[0] + draws.uniform() + draws.gaussian(5.0)

        self.decided(squeezed, ([0.0], [1.0]), "undecided")

    def test_outcomes_of_all_kinds(self):
        class Color(enum.Enum):
            A = 1
            B = 2

        noisy = functools.partial(functools.partial, lambda pair, answers, draws: pair[count(answers, draws) >= 0])
        for pair in [
            ({"a": 1}, {"a": 2}),
            ((), None),
            ("x", "y"),
            (b"x", "x"),
            (Color.A, Color.B),
            ([Fraction(1, 3)], [Decimal("0.1")]),
        ]:
            self.decided(noisy(pair), ([0.0], [1.0]), "verified")

    def test_outcomes_that_differ_are_told_apart(self):
        Point = namedtuple("Point", "x")
        distinct = [
            *(1, True, 1.0, "1", b"1", None, (1,), [1], {1: 1}, {"1": 1}, {True: 1}, Point(1), 0.0, -0.0, "…"),
            *(2**53, 2**53 + 1, float(2**53), Fraction(1, 3), 1 / 3, Decimal("0.1"), Decimal("0.10"), 0.1, 1j),
            *({"a": 1, "b": 2}, {"b": 2, "a": 1}, "[1]", ["1, 2"], ["1", "2"], math.nan, -math.inf),
        ]
        if HAS_NUMPY:
            import numpy

            distinct += [numpy.float32(0.1), numpy.int64(2**60 + 1), numpy.int64(2**60)]
            distinct += [numpy.zeros(0), numpy.zeros((0, 1)), numpy.array([1]), numpy.array([1.0]), numpy.bool_(True)]
        for at, one in enumerate(distinct):
            # An answer without noise chooses between the two: they are alike, or it is a leak.
            other = distinct[at - 1]
            for pair, decision in [((one, other), "refuted"), ((one, one), "verified")]:
                with self.subTest(pair=repr(pair)):
                    leak = functools.partial(lambda pair, answers, draws: pair[answers[0] >= 0.5], pair)
                    self.assertEqual(verify(leak).decision, decision)

    def test_constants_are_exact(self):
        def leak(answers, draws):
            nothing = draws.laplace(1.0) * 0
            return nothing + (2**53 + 1 if answers[0] >= 0.5 else 2**53)

        self.decided(leak, ([0.0], [1.0]), "refuted")

    def test_loops_lists_and_known_comparisons(self):
        def median(answers, draws):
            noisy = sorted(answer + draws.laplace(1.0) for answer in answers)
            assert noisy[0] in noisy and noisy[0] <= noisy[1] <= max(noisy) and noisy[0] == noisy[0]
            assert noisy[0] < math.inf and noisy[0] > -math.inf and noisy[0] != math.inf and noisy[0] != "text"
            assert bool(noisy[0]) and noisy[0] is not None and noisy[0] != None  # noqa: E711
            other = copy.deepcopy(noisy[1])
            return [+noisy[0] / 2, abs(other) * Fraction(1, 2), sum(noisy)]

        pair = ([0.0, 1.0], [1.0, 1.0])
        self.assertIn(verify(median, *pair, relation={"l1": 1.0}).decision, ("verified", "undecided"))

    def test_one_draw_and_many_branches(self):
        def many(answers, draws):
            noisy = count(answers, draws)
            return next((limit for limit in range(200) if noisy < limit), None)

        proof = self.decided(many, ([0.0], [1.0]), "verified")
        self.assertEqual((proof.paths, proof.epsilon[1]), (201, 1.0))

    @unittest.skipUnless(HAS_NUMPY, "numpy is not installed")
    def test_arrays_of_numbers(self):
        import numpy

        def first(answers, draws):
            noisy = numpy.array(answers) + [draws.laplace(2.0) for _ in answers]
            return int(numpy.argmax(noisy))

        def scaled(answers, draws):
            parts = numpy.array([0.5, 1.5]) * answers[0] + draws.laplace(1.0)
            assert not parts[0] == numpy.float32(3) and numpy.float64(0) * parts[0] == 0
            return numpy.int64(2) * count(answers, draws) * numpy.float64(0.5)

        pair = ([0.0, 0.0], [1.0, 0.0])
        self.decided(first, pair, "verified", relation=LINF)
        self.decided(scaled, ([0.0], [1.0]), "verified")

    @unittest.skipUnless(HAS_NUMPY, "numpy is not installed")
    def test_factors_of_numpy_are_exact(self):
        import numpy

        def large(answers, draws):
            # As 64-bit numbers the product would be 0, and the answer would vanish.
            return (answers[0] * numpy.int64(2**40) * numpy.int64(2**40) + draws.laplace(1.0)) * numpy.float32(0.5)

        self.decided(large, ([0.0], [1.0]), "refuted", relation=LINF)


class Refusals(unittest.TestCase):
    def refused(self, function, words, *pair, **claim):
        with self.subTest(words):
            with self.assertRaisesRegex(ValueError, "^verify: .*" + words):
                verify(function, *pair, **claim)

    def test_what_is_asked_of_a_number(self):
        """Each is refused, also where the function catches the exception."""
        asked = {
            "makes a float": [float, int, round, math.floor, math.ceil, math.trunc, complex, math.exp, range],
            "a function value": [
                *(lambda x: x**2, lambda x: 2**x, lambda x: x // 1, lambda x: 7 // x, lambda x: x % 2, lambda x: 7 % x),
                *(lambda x: divmod(x, 1), lambda x: divmod(1, x), lambda x: [1, 2][x], lambda x: round(x, 2)),
                *(lambda x: "%d" % x, lambda x: math.copysign(1, x), lambda x: math.isnan(x), lambda x: [0] * x),
            ],
            "makes text": [str, repr, ascii, lambda x: f"{x}", lambda x: "{:.2f}".format(x), lambda x: "%s" % x],
            "type": [
                *(lambda x: isinstance(x, float), lambda x: isinstance(x, (int, str)), lambda x: x.__class__),
                *(json.dumps, functools.singledispatch(lambda x: 1)),
            ],
            "into a set, or looks it up": [
                *(hash, lambda x: {x}, lambda x: {1: 2}.get(x), functools.lru_cache(lambda x: 1))
            ],
            "`as_integer_ratio`": [lambda x: x.as_integer_ratio(), lambda x: statistics.mean([x, x])],
            "`real`": [lambda x: x.real],
            "`is_integer`": [lambda x: x.is_integer()],
            "pickles": [pickle.dumps],
            "divides by an unknown": [lambda x: 1 / x, lambda x: x / x],
            "multiplies two unknown": [lambda x: x * x],
            "with a Decimal": [lambda x: x < Decimal(1), lambda x: x == Decimal(1), lambda x: Decimal(1) * x],
            "with a complex": [lambda x: x + 1j],
            "not a finite number": [lambda x: x + math.nan, lambda x: x * math.inf, lambda x: x < math.nan],
        }
        for words, askings in asked.items():
            for asking in askings:

                def catches(answers, draws, asking=asking):
                    noisy = answers[0] + draws.laplace(1.0)
                    try:
                        asking(noisy)
                        return None
                    except Exception:
                        return None

                with self.subTest(words, asking=getattr(asking, "__name__", asking)):
                    with self.assertRaisesRegex(ValueError, "^verify: .*" + words):
                        verify(catches)

    def test_a_type_error_that_is_caught(self):
        def catches(answers, draws):
            try:
                return Decimal(count(answers, draws)) >= 0
            except TypeError:
                return None

        before = sys.gettrace()
        self.refused(catches, "a path catches a TypeError")
        self.assertIs(sys.gettrace(), before)

        def catches_another(answers, draws):
            try:
                return {}["x"]
            except KeyError:
                return count(answers, draws)

        self.assertEqual(verify(catches_another).decision, "verified")

    @unittest.skipUnless(HAS_NUMPY, "numpy is not installed")
    def test_what_numpy_asks_of_a_number(self):
        import numpy

        for asking in [
            lambda x: numpy.isnan(x),
            *(lambda x: numpy.exp(x), lambda x: numpy.sqrt(x), lambda x: numpy.floor(numpy.array([x]))),
            *(lambda x: numpy.array([x]).astype(float), lambda x: numpy.array([x], dtype=float)),
            *(lambda x: numpy.zeros(1).__setitem__(0, x), lambda x: numpy.array(["%s" % x])),
        ]:

            def catches(answers, draws, asking=asking):
                try:
                    asking(answers[0] + draws.laplace(1.0))
                except Exception:
                    return None

            with self.subTest(inspect.getsource(asking)):
                with self.assertRaisesRegex(ValueError, "a proof cannot follow|catches a TypeError"):
                    verify(catches)

    def test_answers_compared_for_equality(self):
        self.refused(lambda answers, draws: answers[0] == 1, "compares answers for equality")
        self.refused(lambda answers, draws: 1 in answers, "compares answers for equality")
        self.refused(lambda answers, draws: bool(answers[0]), "compares answers for equality")
        if HAS_NUMPY:
            import numpy

            self.refused(lambda answers, draws: answers[0] == numpy.int64(1), "compares answers for equality")
            self.refused(lambda answers, draws: numpy.float32(1) != answers[0], "compares answers for equality")

    def test_too_many_paths_draws_and_branches(self):
        def wide(answers, draws):
            return [draws.laplace(1.0) >= 0 for _ in range(15)]

        def until_above(answers, draws):
            while draws.laplace(1.0) < 0:
                pass

        def until_below(answers, draws):
            while draws.laplace(1.0) >= 0:
                pass

        def draws_only(answers, draws):
            while True:
                draws.laplace(1.0)

        def branches(answers, draws):
            noisy = count(answers, draws)
            for limit in range(30_000):
                if noisy >= limit:
                    break

        self.refused(until_above, "more than 20000 draws")
        self.refused(draws_only, "more than 20000 draws")
        self.refused(lambda answers, draws: [count(answers, draws) >= -n for n in range(30_000)], "more than 20000")
        with mock.patch("plaudit._unknown.MOST_STEPS", 50_000):
            self.refused(until_below, "more than 50000 draws and branches: a loop whose number of rounds depends on")
        with mock.patch("plaudit._unknown.MOST", 200):
            self.refused(wide, "the function has more than 200 paths")
            self.refused(branches, "more than 200 branches")

    def test_noise_that_is_not_of_draws(self):
        words = "takes another path|draws from `random`"
        own = random.Random(1)
        self.refused(lambda answers, draws: random.random() < 0.5, words)
        self.refused(lambda answers, draws: answers[0] + random.gauss(0, 1), words)
        self.refused(lambda answers, draws: answers[0] + own.gauss(0, 1), words)
        self.refused(lambda answers, draws: answers[0] + plaudit.Draws().laplace(1), words)
        if HAS_NUMPY:
            import numpy

            self.refused(lambda answers, draws: numpy.random.random() < 2, words)

    def test_copies_of_draws(self):
        for copied in (copy.copy, copy.deepcopy):
            self.refused(lambda answers, draws, copied=copied: copied(draws).laplace(1.0), "copies `draws`")

    def test_paths_that_raise(self):
        def raises(answers, draws):
            if count(answers, draws) >= 0:
                raise IndexError("too large")

        self.refused(raises, r"a path ends with IndexError\('too large'\)")
        self.refused(lambda answers, draws: sys.exit(1), "a path ends with SystemExit")
        self.refused(lambda answers, draws: draws.argmax([]), "the largest of an empty list")
        self.refused(lambda answers, draws: answers[0] + "text", "a path ends with TypeError")

    def test_scales(self):
        finite = "not a finite number"
        for scale, words in [(-1.0, "scale -1.0"), (0, "scale 0.0"), (math.nan, finite), (math.inf, finite)]:
            self.refused(lambda answers, draws, scale=scale: draws.laplace(scale), words)
            for law in ("laplace", "exponential", "gumbel", "gaussian"):
                with self.assertRaisesRegex(ValueError, "noise of scale .* above 0"):
                    getattr(plaudit.Draws(random.Random(1)), law)(scale)
        self.refused(lambda answers, draws: draws.laplace(answers[0]), "noise of an unknown scale")
        self.refused(lambda answers, draws: draws.laplace("2"), "not a finite number")

    def test_outcomes(self):
        class Own(list):
            pass

        hides = Own([1])
        hides.more = 2
        for out, kind in [({1}, "set"), (iter([1]), "list_iterator"), (object(), "object"), (hides, "Own")]:
            self.refused(lambda answers, draws, out=out: out, "an outcome has a %s" % kind)
        self.refused(lambda answers, draws: {frozenset(): 1}, "an outcome has a frozenset")

    def test_arguments(self):
        for words, pair, claim in [
            ("different lengths", ([0.0], [1.0, 2.0]), {}),
            ("relation is", ([0.0], [1.0]), {"relation": "add-remove"}),
            ("relation is", ([0.0], [1.0]), {"relation": {"l3": 1.0}}),
            ("relation is", ([0.0], [1.0]), {"relation": {"l1": -1.0}}),
            ("relation is", ([0.0], [1.0]), {"relation": {"l1": math.nan}}),
            ("not neighbors under histogram", ([0.0], [2.0]), {}),
            ("not neighbors under histogram", ([0.0, 0.0], [0.5, 0.5]), {}),
            ("not neighbors under .*l1", ([0.0, 0.0], [1.0, 1.0]), {"relation": {"l1": 1.0}}),
            ("not neighbors under .*l2", ([0.0, 0.0], [1.0, 1.0]), {"relation": {"l2": 1.0}}),
            ("not neighbors under .*linf", ([0.0], [1.5]), {"relation": LINF}),
            ("not finite", ([math.nan], [1.0]), {}),
            ("not finite", ([0.0], [math.inf]), {}),
            ("not a list of numbers", ("12", "34"), {}),
            ("give d, or d and d_prime, or pairs", (None, [1.0]), {}),
            ("give d, or d and d_prime, or pairs", ([0.0], [1.0]), {"pairs": [([0.0], [1.0])]}),
            ("pairs are empty", (None, None), {"pairs": []}),
            ("", ([0.0], [1.0]), {"epsilon": math.nan}),
            ("", ([0.0], [1.0]), {"epsilon": -1.0}),
            ("", ([0.0], [1.0]), {"delta": 2.0}),
        ]:
            self.refused(count, words, *pair, **claim)
        verify(count, [0.4], [0.3], relation={"linf": 0.1})


class Runs(unittest.TestCase):
    def test_an_audit_of_the_same_function_agrees(self):
        def by_keyword(answers, *, draws):
            return sparse_vector(noise=1.0)(answers, draws)

        def annotated(answers, noise: plaudit.Draws):
            return sparse_vector(noise=1.0)(answers, noise)

        d, d_prime = [1.0] * 6, [2.0] * 3 + [0.0] * 3
        for wrong in (sparse_vector(noise=1.0), by_keyword, annotated):
            self.assertEqual(verify(wrong, d, d_prime, relation=LINF).decision, "refuted")
            result = plaudit.audit(wrong, d, d_prime, relation=LINF, epsilon=1.0, trials=20_000, seed=1)
            self.assertIs(result.verdict, plaudit.Verdict.VIOLATED)
        right = plaudit.audit(sparse_vector(), *GOOD, relation=LINF, epsilon=1.0, trials=20_000, seed=1)
        self.assertIs(right.verdict, plaudit.Verdict.NOT_REFUTED)

    def test_a_served_function(self):
        program = "import plaudit\nserve(lambda d, draws: [d[0] + draws.laplace(1.0), type(draws) is plaudit.Draws])"
        first, again = outcomes(program, request(2, [3.0]), request(2, [3.0]))[::2]
        self.assertEqual(first, again)
        self.assertTrue(first[1])

    def test_a_batch(self):
        def batch(answers, runs, draws):
            # Rounded: the lowest bits of doubles leak, which a proof with real numbers does not cover.
            return [round(answers[0] + draws.laplace(1.0), 2) for _ in range(runs)]

        result = plaudit.audit(batch=batch, d=[0.0], d_prime=[1.0], relation=LINF, epsilon=1.0, trials=20_000, seed=1)
        self.assertIs(result.verdict, plaudit.Verdict.NOT_REFUTED)

    @unittest.skipUnless(HAS_NUMPY, "numpy is not installed")
    def test_a_trace(self):
        trace = plaudit.trace(count, [0.0], [1.0], relation=LINF, epsilon=1.0)
        self.assertFalse(trace.suspected, trace)

    def test_the_samplers_have_their_laws(self):
        """Each fails by chance with probability 10⁻⁹ at most, and is seeded."""
        draws = plaudit.Draws(random.Random(5))
        for law in (
            *("laplace(scale=2)", "exponential(scale=2)", "gumbel(scale=2)", "gaussian(sigma=2)"),
            "uniform(low=0, high=1)",
        ):
            name = law.partition("(")[0]
            sampled = [getattr(draws, name)(*[] if name == "uniform" else [2]) for _ in range(100_000)]
            with self.subTest(law):
                self.assertFalse(plaudit.law(sampled, law, alpha=1e-9).refuted)
                self.assertTrue(plaudit.law([1.1 * x for x in sampled], law, alpha=1e-9).refuted)
        self.assertEqual(draws.argmax([1.0, 3.0, 3.0]), 1)
        self.assertNotEqual(plaudit.Draws().laplace(1.0), plaudit.Draws().laplace(1.0))


if __name__ == "__main__":
    unittest.main()
