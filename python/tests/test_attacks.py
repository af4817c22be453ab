"""Attacks from Python answer as `plaudit attack` does."""

import contextlib
import csv
import importlib.util
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")

import plaudit


def logistic(draw):
    u = draw.random()
    return math.log(u / (1.0 - u))


def scores(shift, seed):
    draw = random.Random(seed)
    return [shift + logistic(draw) for _ in range(4000)]


def people(count, seed):
    """People whose ward depends on their town; their numbers are their own."""
    draw = random.Random(seed)
    towns = [draw.randrange(20) for _ in range(count)]
    return [{"town": "t%d" % town, "ward": (7 * town) % 5, "visits": draw.randrange(10**6)} for town in towns]


def commanded(*arguments):
    """The answer of the program, as JSON."""
    command = [sys.executable, "-m", "plaudit", "attack", *arguments, "--format", "json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    return json.loads(done.stdout), done.returncode


class Membership(unittest.TestCase):
    def test_it_is_what_the_program_certifies(self):
        members, others = scores(1.0, 1), scores(0.0, 2)
        found = plaudit.membership(members, others, epsilon=0.3, delta=1e-5)
        self.assertTrue(found.failed, "a shift of 1 is no 0.3-DP")
        self.assertGreater(found["certified"]["epsilon"]["lower"], 0.3)
        self.assertIn("members.txt: 4 000 scores", str(found))
        self.assertNotIn(tempfile.gettempdir(), str(found))
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("members.txt", "others.txt")]
            for path, numbers in zip(paths, (members, others)):
                with open(path, "w") as file:
                    file.writelines("%r\n" % x for x in numbers)
            told, code = commanded("membership", *paths, "--epsilon", "0.3", "--delta", "1e-5")
            of_files = plaudit.membership(*paths, epsilon=0.3, delta=1e-5)
        self.assertEqual(code, 1)
        self.assertEqual(told["certified"], found["certified"])
        self.assertEqual(told, of_files.values)

    def test_a_claim_that_holds_is_not_refuted(self):
        self.assertFalse(plaudit.membership(scores(1.0, 1), scores(0.0, 2), epsilon=1.0).failed)

    def test_several_attacks_share_the_level(self):
        members = {"loss": scores(1.0, 1), "margin": scores(0.0, 3)}
        others = {"loss": scores(0.0, 2), "margin": scores(0.0, 4)}
        found = plaudit.membership(members, others)
        self.assertEqual([column["column"] for column in found["columns"]], ["loss", "margin"])
        self.assertEqual(found["best"]["mu"]["column"], "loss")
        with self.assertRaisesRegex(ValueError, "different names"):
            plaudit.membership(members, {"loss": others["loss"]})
        with self.assertRaisesRegex(ValueError, "different lengths"):
            plaudit.membership({"a": [1.0], "b": [1.0, 2.0]}, {"a": [1.0], "b": [1.0]})

    def test_groups_that_differ_are_refused(self):
        old = [{"year": 1950 + at % 20, "town": at % 7} for at in range(500)]
        new = [{"year": 1960 + at % 20, "town": at % 7} for at in range(500)]
        members, others = scores(1.0, 1), scores(0.0, 2)
        with self.assertRaisesRegex(ValueError, "differ without any model: `year`"):
            plaudit.membership(members, others, rows=(old, new))
        alike = plaudit.membership(members, others, rows=(old, old[::-1]))
        self.assertIn("do not tell the groups apart", alike.words)

    def test_counts(self):
        found = plaudit.membership_counts(432, 208, 2000, 2000, epsilon=0.3)
        self.assertTrue(found.failed)
        with self.assertRaises(ValueError):
            plaudit.membership_counts(2001, 0, 2000, 2000)

    def test_mistakes_are_value_errors(self):
        good = scores(0.0, 1)
        for members, words in (([math.nan] * 200, "NaN"), ([1.0] * 5, "5"), (["x"] * 200, "not a number")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                plaudit.membership(members, good)
        with self.assertRaisesRegex(ValueError, "alpha"):
            plaudit.membership(good, good, alpha=2.0)


class Canaries(unittest.TestCase):
    def coins_and_scores(self, shift, seed=1, count=1000):
        draw = random.Random(seed)
        coins = [draw.random() < 0.5 for _ in range(count)]
        return coins, [shift * coin + logistic(draw) for coin in coins]

    def test_a_strong_canary_refutes_a_claim(self):
        coins, numbers = self.coins_and_scores(3.0)
        for choose in ("bonferroni", "split", "ordered"):
            found = plaudit.canaries(numbers, coins, epsilon=0.5, choose=choose)
            self.assertTrue(found.failed)
            self.assertGreater(found["certified"]["epsilon"], 0.5)
            self.assertFalse(plaudit.canaries(numbers, coins, epsilon=3.0, choose=choose).failed)

    def test_it_is_what_the_program_certifies(self):
        coins, numbers = self.coins_and_scores(3.0)
        found = plaudit.canaries(numbers, coins, guesses=(100, 50), delta=1e-6)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "canaries.jsonl")
            with open(path, "w") as file:
                file.writelines('{"score": %r, "in": %d}\n' % row for row in zip(numbers, coins))
            command = [sys.executable, "-m", "plaudit", "canaries", path, "--guesses=100,50", "--delta=1e-6"]
            done = subprocess.run(command + ["--format=json"], stdout=subprocess.PIPE, check=False)
        self.assertEqual(json.loads(done.stdout)["certified"], found["certified"])

    def test_looks_in_turn(self):
        coins, strong = self.coins_and_scores(3.0)
        _, weak = self.coins_and_scores(0.0)
        found = plaudit.canaries({"one": weak, "two": strong}, coins, epsilon=0.5, in_turn=True)
        self.assertTrue(found.failed)
        self.assertEqual(found["first_refuting"], "two")

    def test_coins_that_are_not_fair_are_warned_of(self):
        coins, numbers = self.coins_and_scores(0.0)
        half = sorted(range(1000), key=lambda at: (coins[at], at))[:500]
        with self.assertWarnsRegex(UserWarning, "exactly half"):
            plaudit.canaries(numbers, [at in set(half) for at in range(1000)])

    def test_versions(self):
        draw = random.Random(3)
        names = ["a", "b", "c"]
        versions = [draw.choice(names) for _ in range(600)]
        numbers = {name: [4.0 * (name == version) + logistic(draw) for version in versions] for name in names}
        found = plaudit.canary_versions(numbers, versions, epsilon=1.0)
        self.assertTrue(found.failed)
        self.assertGreater(found["epsilon"], 1.0)
        with self.assertRaisesRegex(ValueError, "'d' has no scores: there are a, b, c"):
            plaudit.canary_versions(numbers, ["d"] * 600)

    def test_mistakes_are_value_errors(self):
        coins, numbers = self.coins_and_scores(0.0)
        for scores_, included, words in (
            (numbers, [2] * 1000, "included has 2.0"),
            (numbers, coins[:-1], "different lengths"),
            ({"in": numbers}, coins, "'in' is that of the column of coins"),
            ([1.0] * 1000, coins, "canaries.csv"),
        ):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                plaudit.canaries(scores_, included)


class Tables(unittest.TestCase):
    def test_a_copy_is_singled_out_and_told_from_a_control(self):
        original, control = people(400, 1), people(400, 2)
        copied = plaudit.single_out(original, original, control=control, at_most=0.2)
        self.assertTrue(copied.failed)
        fresh = plaudit.single_out(original, people(400, 3), control=control, at_most=0.2)
        self.assertFalse(fresh.failed)
        self.assertIn("released.csv", copied.words)

    def test_a_secret_of_a_copy_is_inferred(self):
        original, control = people(400, 1), people(400, 2)
        known = ["town", "visits"]
        found = plaudit.infer(original, original, control=control, secret="ward", known=known, at_most=0.99)
        self.assertFalse(found.failed, "the ward follows from the town, for the control as well")
        with self.assertRaisesRegex(ValueError, "secrets"):
            plaudit.infer(original, original, secret="secrets", known=known)

    def test_frames_and_files_are_the_same_tables(self):
        original = people(300, 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "released.csv")
            with open(path, "w", newline="") as file:
                writer = csv.DictWriter(file, list(original[0]))
                writer.writeheader()
                writer.writerows(original)
            of_file = plaudit.link(path, original, on=["town", "visits"])
        of_rows = plaudit.link(original, original, on=["town", "visits"])
        for name in set(of_rows.values) - {"files"}:
            self.assertEqual(of_rows[name], of_file[name])
        for library in ("pandas", "polars"):
            with contextlib.suppress(ImportError):
                frame = importlib.import_module(library).DataFrame(original)
                self.assertEqual(plaudit.link(frame, frame, on=["town", "visits"]).values, of_rows.values)

    def test_what_is_no_table_is_refused(self):
        for table, words in (([], "not a table"), ([1, 2], "not a table"), ([{"a": 1}, {"b": 1}], "different columns")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                plaudit.link(table, table, on=["a"])
        with self.assertRaisesRegex(ValueError, "missing.csv"):
            plaudit.link("missing.csv", "missing.csv", on=["a"])


class Answers(unittest.TestCase):
    def test_reconstruction(self):
        table = [at % 2 for at in range(30)]
        told = plaudit.reconstruct("bounded", [1.0, 15.0], entries=table, decoder="least-squares")
        rows = told["rows"]
        self.assertEqual(len(rows), 2)
        self.assertEqual(told["ones"], 15)
        with self.assertRaisesRegex(ValueError, "magic"):
            plaudit.reconstruct("magic", [1.0])

    def test_average(self):
        told = plaudit.average("laplace", 2.0, queries=500, delta=1e-6)
        expected, code = commanded("average", "--noise=laplace", "--scale=2", "--queries=500", "--delta=1e-6")
        self.assertEqual((told.values, told.failed), (expected, code != 0))


class Quiet(unittest.TestCase):
    def test_nothing_is_printed_and_no_file_stays(self):
        before = set(os.listdir(tempfile.gettempdir()))
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            plaudit.membership_counts(432, 208, 2000, 2000)
            plaudit.link(people(50, 1), people(50, 1), on=["town"])
        self.assertEqual((out.getvalue(), err.getvalue()), ("", ""))
        left = {name for name in set(os.listdir(tempfile.gettempdir())) - before if name.startswith("plaudit-")}
        self.assertEqual(left, set())


if __name__ == "__main__":
    unittest.main()
