"""Draws of samplers, and laws by name and by function."""

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


def exponential_differences(factor):
    draw = random.Random(1)
    return [factor * (draw.expovariate(1.0) - draw.expovariate(1.0)) for _ in range(30_000)]


def laplace(x):
    """The distribution function, of one number at a time."""
    return 0.5 * math.exp(x) if x < 0 else 1 - 0.5 * math.exp(-x)


class Law(unittest.TestCase):
    def test_a_name_and_a_function_agree(self):
        for factor in (1.0, 1.1):
            draws = exponential_differences(factor)
            named, given = plaudit.law(draws, "laplace(scale=1)"), plaudit.law(draws, laplace)
            self.assertEqual((named.refuted, given.refuted), (factor > 1, factor > 1))
            self.assertEqual(named.draws, 29_000)
            self.assertAlmostEqual(named.evidence[0].log10, given.evidence[0].log10, 6)
        self.assertEqual(named.evidence[0].part, "spread")
        self.assertIn("refuted (p ≤", str(named))

    def test_a_law_of_whole_numbers_as_a_function(self):
        draw = random.Random(2)
        draws = [sum(draw.random() < 0.5 for _ in range(4)) for _ in range(5_000)]

        def binomial(x, p=0.5):
            return sum(math.comb(4, k) * p**k * (1 - p) ** (4 - k) for k in range(5) if k <= x)

        self.assertFalse(plaudit.law(draws, binomial, discrete=True).refuted)
        self.assertTrue(plaudit.law(draws, lambda x: binomial(x, 0.55), discrete=True).refuted)
        self.assertEqual(plaudit.law(draws + [0.5], binomial, discrete=True).evidence[0].part, "support")

    def test_what_is_wrong_is_said(self):
        draws = exponential_differences(1.0)
        for wrong, words in [
            (lambda: plaudit.law(draws[:5], "laplace(1)"), "5 draws are too few"),
            (lambda: plaudit.law(draws, "laplaces(1)"), "is unknown"),
            (lambda: plaudit.law(draws, lambda x: 2.0), "it is from 0 to 1"),
            (lambda: plaudit.law(draws, "laplace(1)", alpha=1.0), "alpha is above 0"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                wrong()
        with self.assertRaisesRegex(TypeError, "a name or a distribution function"):
            plaudit.law(draws, 3)
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            plaudit.law(draws, lambda x: 1 / 0)


if __name__ == "__main__":
    unittest.main()
