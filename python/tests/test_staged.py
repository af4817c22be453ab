"""Mechanisms in two stages: the clean one runs once for each dataset."""

import json
import os
import pathlib
import random as standard
import subprocess
import sys
import tempfile
import time
import unittest

import engine  # noqa: F401  (skips where there is no engine)

import plaudit
from plaudit import staged

try:
    import numpy
except ImportError:
    numpy = None

LONGER, SHORTER = [0, 1, 1, 2], [1, 1, 2]


def laplace(random, scale):
    return scale * (random.expovariate(1.0) - random.expovariate(1.0))


def histogram(dataset):
    return [dataset.count(value) for value in range(3)]


def noisy_winner(counts, random):
    noisy = [count + laplace(random, 1.0) for count in counts]
    return noisy.index(max(noisy))


# Clean stage, noise stage, and whether the loss is at most 1 when a row is removed.
MECHANISMS = [
    (len, lambda n, random: round(n + laplace(random, 1.0), 3), True),
    (len, lambda n, random: round(n + laplace(random, 0.4)), False),
    (lambda dataset: 0 in dataset, lambda bit, random: bit == (random.random() < 0.9), False),
    (histogram, lambda counts, random: [round(n + laplace(random, 1.0), 3) for n in counts], True),
    (histogram, noisy_winner, True),
]


def audit(function, **settings):
    return plaudit.audit(function, LONGER, SHORTER, **{"epsilon": 1.0, "trials": 20_000, **settings})


class Stages(unittest.TestCase):
    def test_they_have_the_verdicts_of_whole_runs(self):
        for clean, noise, is_right in MECHANISMS:

            def whole(dataset, random, clean=clean, noise=noise):
                return noise(clean(dataset), random)

            for function in (whole, staged(clean, noise)):
                result = audit(function, name="a")
                self.assertEqual(result.verdict == plaudit.Verdict.VIOLATED, not is_right, result)

    def test_the_clean_stage_runs_seldom_and_the_noise_stage_for_each_run(self):
        calls = {"clean": 0, "noise": 0}

        def clean(dataset):
            calls["clean"] += 1
            return len(dataset)

        def noise(n, random):
            calls["noise"] += 1
            return n + laplace(random, 0.3)

        result = audit(staged(clean, noise), forks=False)
        self.assertEqual(result.verdict, plaudit.Verdict.VIOLATED)
        self.assertLessEqual(calls["clean"], 18)
        self.assertGreaterEqual(calls["noise"], 20_000)
        words = "That assumes that the clean stage draws nothing"
        self.assertIn(words, result.to_json())
        self.assertIn(words, result.certificate.to_json())
        again = result.certificate.replay()
        self.assertTrue(again.confirmed, again)
        self.assertTrue(result.certificate.replay(staged(clean, noise)).confirmed)

    def test_a_slow_clean_stage_costs_its_time_a_few_times(self):
        def clean(dataset):
            time.sleep(0.1)
            return len(dataset)

        start = time.monotonic()
        audit(staged(clean, lambda n, random: n + laplace(random, 1.0)), trials=4_000)
        # Whole runs take 400 s.
        self.assertLess(time.monotonic() - start, 100)

    @unittest.skipIf(numpy is None, "needs numpy")
    def test_batches_have_stages_too(self):
        result = plaudit.audit(
            batch=staged(len, lambda n, runs, rng: n + rng.laplace(0, 0.3, runs)),
            d=LONGER,
            d_prime=SHORTER,
            epsilon=1.0,
            trials=20_000,
        )
        self.assertEqual(result.verdict, plaudit.Verdict.VIOLATED)
        with self.assertRaisesRegex(TypeError, "one stage"):
            audit(staged(len, lambda n, random: n), clock=True)

    def test_a_clean_stage_that_draws_is_refused(self):
        with self.assertRaisesRegex(ValueError, "`Stages.*` is not deterministic.*Draw all randomness in the noise"):
            audit(staged(lambda dataset: len(dataset) + standard.random(), lambda n: n))

    def test_what_cannot_be_compared_is_refused(self):
        with self.assertRaisesRegex(ValueError, "it said a function, which neither pickles nor compares"):
            audit(staged(lambda dataset: lambda: standard.random(), lambda draw: draw()))

    def test_what_it_raises_is_told(self):
        with self.assertRaisesRegex(RuntimeError, "raised ZeroDivisionError: where that is an outcome"):
            audit(staged(lambda dataset: 1 / 0, lambda n: n))
        for wrong in ((1, len), (len, None)):
            with self.assertRaisesRegex(TypeError, "is a function, and this is a"):
                staged(*wrong)

    def test_neither_stage_can_change_what_the_other_gets(self):
        def clean(dataset):
            dataset.sort()
            return dataset[:1]

        def noise(first, random):
            first.append(7)
            return first[0] + len(first) + laplace(random, 1.0)

        given = [2, 1, 0]
        result = plaudit.audit(staged(clean, noise), given, [2, 1], epsilon=1.0, trials=4_000)
        self.assertEqual(given, [2, 1, 0])
        self.assertIn("changes the dataset", str(result.notes))

    def test_a_mutant_and_a_whole_run(self):
        noise = plaudit.mutant(staged(len, lambda n, random: n))
        self.assertTrue(audit(noise, constant="allowed").as_expected)
        self.assertEqual(staged(len, lambda n, random: n + 1)([1, 2], None), 3)

    def test_a_program_has_stages(self):
        code = "import plaudit, time\nplaudit.serve(plaudit.staged(len, lambda n, random: [n, random.random()]))\n"
        request = {"plaudit": 1, "id": 0, "runs": 2, "seed": 1, "format": "json", "dataset": [1, 2, 3]}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.py")
            path.write_text(code)
            done = subprocess.run(
                [sys.executable, str(path)],
                input=json.dumps(request) + "\n",
                capture_output=True,
                text=True,
                timeout=60,
                env=dict(os.environ),
            )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line[0] for line in lines], [3, 3], done.stderr)
        self.assertNotEqual(*[line[1] for line in lines])

    def test_a_search_asks_the_clean_stage_for_its_answers(self):
        result = plaudit.search(
            staged(sum, lambda n, random: n + laplace(random, 1.0)),
            domain=plaudit.rows(lower=0, upper=5, integers=True, size=(1, 3)),
            relation="substitution",
            sensitivity={"l1": 1.0},
            epsilon=1.0,
            trials=4_000,
        )
        self.assertEqual(result.verdict, plaudit.Verdict.VIOLATED)
        self.assertEqual(json.loads(result.to_json())["audits"][0]["sensitivity"]["distance"], 5.0)


if __name__ == "__main__":
    unittest.main()
