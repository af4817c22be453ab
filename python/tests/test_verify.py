"""Proofs of functions of answers and draws: what is proved, refuted, left open and refused."""

import importlib.util
import math
import os
import random
import sys
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")

import plaudit

EACH = {"linf": 1.0}
HIGH, LOW = [1.0] * 6, [2.0] * 3 + [0.0] * 3


def sparse(noise=4.0, threshold=2.0, fresh=None, gap=False):
    def vector(answers, draws):
        limit = draws.laplace(threshold) if threshold else 0.0
        told = []
        for answer in answers:
            noisy = answer + draws.laplace(noise) if noise else answer
            if noisy >= limit:
                told.append(answer + draws.laplace(fresh) if fresh else noisy - limit if gap else True)
                break
            told.append(False)
        return told

    return vector


def largest(law, scale, by_loop):
    def place(answers, draws):
        noisy = [answer + getattr(draws, law)(scale) for answer in answers]
        if not by_loop:
            return draws.argmax(noisy)
        best = 0
        for at in range(1, len(noisy)):
            if noisy[at] > noisy[best]:
                best = at
        return best

    return place


def verify(function, d=HIGH, d_prime=LOW, epsilon=1.0, relation=EACH, **more):
    return plaudit.verify(function, d, d_prime, relation=relation, epsilon=epsilon, **more)


class Decisions(unittest.TestCase):
    def is_(self, proof, decision, upper=None):
        self.assertEqual(proof.decision, decision, proof)
        if upper is not None:
            self.assertAlmostEqual(proof.epsilon[1], upper, places=9)
            self.assertLessEqual(proof.epsilon[0], proof.epsilon[1])

    def test_sparse_vectors(self):
        self.is_(verify(sparse()), "verified", 1.0)
        self.is_(verify(sparse(gap=True)), "verified", 1.0)
        self.is_(verify(sparse(noise=6.0, threshold=3.0, fresh=3.0)), "verified", 1.0)
        self.is_(verify(sparse(noise=1.0)), "refuted", 2.5)
        self.is_(verify(sparse(noise=None), [0.0] * 3 + [2.0] * 3, HIGH), "refuted")

    def test_maxima(self):
        d, d_prime = [2.0, 0.0, 0.0, 0.0], [1.0] * 4
        for law in ("laplace", "exponential", "gumbel"):
            for by_loop in (False, True):
                with self.subTest(law, by_loop=by_loop):
                    self.is_(verify(largest(law, 2.0, by_loop), d, d_prime), "verified", 1.0)
                    self.is_(verify(largest(law, 1.0, by_loop), d, d_prime), "refuted", 2.0)

    def test_sums_and_relations(self):
        def mean(answers, draws):
            return {"sum": sum(answers) / 2 + draws.laplace(1.0), "count": len(answers)}

        self.is_(verify(mean, [0.0, 1.0], [1.0, 1.0], 0.5, {"l1": 1.0}), "verified", 0.5)
        self.is_(verify(mean, [0.0, 1.0], [1.0, 1.0], 0.5, "histogram"), "verified", 0.5)
        self.is_(verify(mean, [0.0, 0.0], [1.0, 1.0], 0.5), "refuted", 1.0)

    def test_gaussian_noise_is_proved_on_the_pair(self):
        found = verify(largest("gaussian", 2.0, False), [2.0, 0.0, 0.0], [1.0] * 3, delta=0.2)
        self.assertEqual((found.decision, found.covers_relation), ("verified", False))
        self.assertIn("not for all neighbors", str(found))
        self.is_(verify(largest("gaussian", 0.5, False), [2.0, 0.0, 0.0], [1.0] * 3, delta=0.01), "refuted")

    def test_outcomes_are_told_apart_as_they_are(self):
        def kinds(first, second):
            return lambda answers, draws: first if answers[0] + draws.laplace(1.0) >= 0 else second

        for pair in ((True, 1), (1, 1.0), (None, "None"), ([1], (1,)), ("a", b"a")):
            with self.subTest(pair):
                self.is_(verify(kinds(*pair), [1.0], [0.0], 0.1), "refuted", 1.0)
        self.is_(verify(kinds("same", "same"), [1.0], [0.0], 0.1), "verified", 0.0)

    def test_open(self):
        def spread(answers, draws):
            noisy = sorted(answer + draws.laplace(2.0) for answer in answers)
            return noisy[-1] - noisy[-2]

        found = verify(spread, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
        self.assertIn(found.decision, ("undecided", "verified"))


class Refusals(unittest.TestCase):
    def refused(self, function, words, d=(0.0, 0.0), d_prime=(1.0, 1.0), **more):
        with self.assertRaises(ValueError) as caught:
            verify(function, list(d), list(d_prime), **more)
        self.assertIn(words, str(caught.exception))
        self.assertTrue(str(caught.exception).startswith("verify: "))

    def test_what_cannot_be_followed(self):
        cases = [
            (lambda a, draws: float(a[0]), "makes a float"),
            (lambda a, draws: "%s" % a[0], "text"),
            (lambda a, draws: f"{a[0]:.2f}", "text"),
            (lambda a, draws: {a[0]: 1}, "key"),
            (lambda a, draws: math.floor(a[0] + draws.laplace(1.0)), "whole number"),
            (lambda a, draws: round(a[0] + draws.laplace(1.0)), "whole number"),
            (lambda a, draws: a[0] // 1, "remainder"),
            (lambda a, draws: divmod(a[0], 2), "remainder"),
            (lambda a, draws: a[0] ** 2, "power"),
            (lambda a, draws: a[0] * a[1], "multiplies"),
            (lambda a, draws: draws.laplace(1.0) / a[1], "divides"),
            (lambda a, draws: a[0] == a[1], "equality"),
            (lambda a, draws: bool(a[0]), "equality"),
            (lambda a, draws: a[0].is_integer(), "is_integer"),
            (lambda a, draws: a[0] + math.nan, "not a finite number"),
            (lambda a, draws: draws.laplace(-1.0), "above 0"),
            (lambda a, draws: draws.laplace(a[0]), "scale depends"),
            (lambda a, draws: draws.laplace("big"), "not a finite number"),
            (lambda a, draws: {1} | a, "ends with TypeError"),
            (lambda a, draws: object(), "object"),
        ]
        for at, (function, words) in enumerate(cases):
            with self.subTest(case=at):
                self.refused(function, words)

    def test_a_refusal_cannot_be_caught(self):
        def careful(answers, draws):
            try:
                return [float(answers[0])]
            except Exception:
                return []

        self.refused(careful, "makes a float")

    def test_runs_that_differ(self):
        self.refused(lambda a, draws: random.random(), "another path")
        kept = []

        def remembers(answers, draws):
            kept.append(answers[0] + draws.laplace(1.0))
            return kept[0] >= 0

        self.refused(remembers, "another path")

    def test_endless_and_many(self):
        def endless(answers, draws):
            while draws.laplace(1.0) < 0:
                pass

        def many(answers, draws):
            return [draws.laplace(1.0) >= answer for answer in answers]

        self.refused(endless, "more than")
        self.refused(many, "more than 20000 paths", [0.0] * 14, [1.0] * 14)

    def test_arguments(self):
        self.refused(sparse(), "different lengths", [0.0], [1.0, 2.0])
        self.refused(sparse(), "relation is", relation="add-remove")
        self.refused(sparse(), "relation is", relation={"l1": -1.0})
        with self.assertRaises(ValueError):
            plaudit.verify(sparse(), epsilon=1.0)
        with self.assertRaises(ValueError):
            verify(sparse(), epsilon=-1.0)


class Runs(unittest.TestCase):
    def test_audits_run_the_same_function(self):
        for function, verdict in ((sparse(), "not violated"), (sparse(noise=0.5), "violated")):
            result = plaudit.audit(function, HIGH, LOW, relation=EACH, epsilon=1.0, trials=30_000)
            self.assertEqual(result.verdict == "violated", verdict == "violated", result)

    def test_draws_by_keyword_and_by_annotation(self):
        def by_name(answers, *, draws):
            return answers[0] + draws.laplace(1.0)

        def annotated(answers, source: plaudit.Draws):
            return answers[0] + source.laplace(1.0)

        for function in (by_name, annotated):
            result = plaudit.audit(function, [0.0], [1.0], relation=EACH, epsilon=1.0, trials=2_000, floats="ideal")
            self.assertNotEqual(result.verdict, "violated", result)

    def test_laws(self):
        draws = plaudit.Draws(random.Random(7))
        laws = [
            (lambda: draws.laplace(2.0), "laplace(scale=2)"),
            (lambda: draws.gaussian(2.0), "gaussian(sigma=2)"),
            (lambda: draws.exponential(2.0), lambda x: 1 - math.exp(-max(x, 0.0) / 2)),
            (lambda: draws.gumbel(2.0), lambda x: math.exp(-math.exp(min(-x / 2, 700.0)))),
            (draws.uniform, lambda x: min(max(x, 0.0), 1.0)),
        ]
        for at, (draw, law) in enumerate(laws):
            with self.subTest(law=at):
                self.assertFalse(plaudit.law([draw() for _ in range(50_000)], law).refuted)
        self.assertEqual(draws.argmax([1.0, 3.0, 3.0]), 1)

    def test_a_trace_of_it(self):
        def count(answers, draws):
            return answers[0] + draws.laplace(1.0)

        self.assertFalse(plaudit.trace(count, [0.0], [1.0], epsilon=1.0).suspected)


if __name__ == "__main__":
    unittest.main()
