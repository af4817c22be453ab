"""A search over a Hypothesis strategy finds what breaks on special datasets alone, and nothing in a right mechanism."""

import importlib.util
import math
import os
import random
import sys
import unittest
from unittest import mock

# Where no package is installed, the one beside these tests.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")

import plaudit
from plaudit import _strategies

try:
    import hypothesis.strategies as st
except ImportError:
    st = None


def two_sided(rng: random.Random, epsilon):
    """Whole numbers z with probability proportional to exp(-epsilon |z|)."""

    def steps():
        return int(math.log(1.0 - rng.random()) / -epsilon)

    return steps() - steps()


def count(d, rng: random.Random):
    return len(d) + two_sided(rng, 1.0)


def breaks_above(d, rng: random.Random):
    """Has hardly any noise where a value is above 0.9."""
    return len(d) + two_sided(rng, 4.0 if any(value > 0.9 for value in d) else 1.0)


def without_one(d, draw):
    at = draw.randrange(len(d))
    return d[:at] + d[at + 1 :]


class Found:
    def __init__(self, epsilon_lower, p_value):
        self.epsilon_lower = epsilon_lower
        self.p_value = p_value


class Ranking(unittest.TestCase):
    def pilot(self, pair, **options):
        self.seen.append((pair, options))
        return Found(0.1 * (pair[0] // 2), 1.0 if pair[0] % 2 else 0.5)

    def test_the_best_are_kept(self):
        self.seen = []
        pairs = [(number, -number) for number in range(40)]
        best = _strategies.most_telling(pairs, self.pilot, 1_000_000, 7)
        # The larger bound first; of equal bounds the smaller p-value.
        self.assertEqual([d for d, _ in best], [38, 39, 36, 37, 34, 35, 32, 33, 30, 31, 28, 29, 26, 27, 24, 25])
        self.assertEqual({options["trials"] for _, options in self.seen}, {1000})
        self.assertEqual(len({options["seed"] for _, options in self.seen} - {7}), 40)

    def test_few_pairs_need_no_pilots_and_few_trials_small_ones(self):
        self.seen = []
        pairs = [(number, -number) for number in range(16)]
        self.assertEqual(_strategies.most_telling(pairs, self.pilot, 1000, 0), pairs)
        self.assertEqual(self.seen, [])
        _strategies.most_telling(pairs * 2, self.pilot, 1000, 0)
        self.assertEqual({options["trials"] for _, options in self.seen}, {100})

    def test_pilots_end_after_a_quarter_of_the_time(self):
        self.seen = []
        clock = iter(range(1000))
        pairs = [(number, -number) for number in range(200)]
        _strategies.most_telling(pairs, self.pilot, "2 min", 0, lambda: next(clock))
        self.assertEqual(len(self.seen), 30)


class WithoutHypothesis(unittest.TestCase):
    def test_it_says_what_to_install(self):
        with mock.patch.dict(sys.modules, {"hypothesis": None}):
            with self.assertRaisesRegex(ImportError, "pip install hypothesis"):
                plaudit.search(count, strategy=object(), neighbor=lambda d: d[1:], epsilon=1.0)


@unittest.skipIf(st is None, "hypothesis is not installed")
class Search(unittest.TestCase):
    def test_a_right_mechanism_is_not_violated(self):
        result = plaudit.search(
            count, strategy=st.lists(st.floats(0, 1), min_size=1), neighbor=lambda d: d[1:], epsilon=1.0, trials=20_000
        )
        self.assertEqual(result.verdict, plaudit.Verdict.NOT_REFUTED)
        self.assertEqual(result.finding["relation"], "add-remove")
        self.assertEqual(result.trials, 20_000)

    def test_what_breaks_on_special_datasets_alone_is_found(self):
        ordinary = plaudit.audit(breaks_above, [0.5, 0.3], [0.3], epsilon=1.0, trials=10_000)
        self.assertEqual(ordinary.verdict, plaudit.Verdict.NOT_REFUTED)
        result = plaudit.search(
            breaks_above,
            strategy=st.lists(st.floats(0, 1), min_size=1),
            neighbor=without_one,
            epsilon=1.0,
            trials=20_000,
        )
        self.assertEqual(result.verdict, plaudit.Verdict.VIOLATED)
        self.assertGreater(max(result.datasets[0] + [0.0]), 0.9)
        self.assertTrue(result.certificate.replay().confirmed)

    def test_the_seed_decides(self):
        def found(seed):
            return _strategies.pairs(st.lists(st.integers(0, 100), min_size=2), without_one, 40, seed)

        self.assertEqual(found(3), found(3))
        self.assertNotEqual(found(3), found(4))

    def test_pairs_are_different_and_occur_once(self):
        pairs = _strategies.pairs(st.booleans(), lambda d: True, 40, 0)
        self.assertEqual(pairs, [(False, True)])

        def in_place(d):
            d.pop()
            return d

        for d, d_prime in _strategies.pairs(st.lists(st.integers(), min_size=1), in_place, 20, 0):
            self.assertEqual(d[:-1], d_prime)

    def test_mistakes(self):
        lists = st.lists(st.integers())
        domain = plaudit.rows(values=[1], size=2)
        for error, options, words in [
            (TypeError, {"strategy": lists}, "needs a neighbor"),
            (TypeError, {"strategy": lists, "neighbor": 3}, "function of a dataset"),
            (TypeError, {"strategy": [1], "neighbor": len}, "no Hypothesis strategy"),
            (TypeError, {"strategy": lists, "neighbor": len, "query": len}, "go with a domain"),
            (TypeError, {"domain": domain, "neighbor": len, "relation": "add-remove"}, "strategy"),
            (TypeError, {"domain": domain}, "needs a relation"),
            (TypeError, {}, "needs a domain"),
            (ValueError, {"strategy": lists, "neighbor": lambda d: d}, "the dataset itself"),
            (ValueError, {"strategy": st.nothing(), "neighbor": lambda d: d[1:]}, "no examples"),
        ]:
            with self.subTest(words):
                with self.assertRaisesRegex(error, words):
                    plaudit.search(count, epsilon=1.0, **options)


if __name__ == "__main__":
    unittest.main()
