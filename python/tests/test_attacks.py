"""Attacks from Python answer as `plaudit attack` does."""

import contextlib
import csv
import datetime
import decimal
import importlib.util
import io
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")

import plaudit
from plaudit import _tables


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

    def test_one_group_twice_is_warned_of(self):
        same = scores(0.0, 1)
        with self.assertWarnsRegex(UserWarning, "as if the same people were in both") as caught:
            found = plaudit.membership(same, same)
        self.assertEqual(caught.filename, __file__)
        self.assertEqual(str(caught.warning), found["warnings"][0])
        with self.assertWarnsRegex(UserWarning, "^loss: .*as if the same people were in both"):
            plaudit.membership({"loss": same, "other": scores(0.0, 2)}, {"loss": same, "other": scores(0.0, 3)})

    def test_a_path_is_never_an_option(self):
        with self.assertRaisesRegex(ValueError, "/--help: "):
            plaudit.membership("--help", "--version")

    def test_mistakes_are_value_errors(self):
        good = scores(0.0, 1)
        with self.assertRaisesRegex(ValueError, "members.csv.* NaN"):
            plaudit.membership({"a": [math.nan] * 200, "b": good[:200]}, {"a": good, "b": good})
        with self.assertRaisesRegex(ValueError, "`epsilon` and `mu`"):
            plaudit.membership(good, good, epsilon=1.0, mu=1.0)
        with self.assertRaisesRegex(ValueError, "one of members and others is a dictionary"):
            plaudit.membership({"a": good}, good)
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
            ({}, coins, "`scores` is empty"),
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
        for table, words in (
            ([], "released has no rows"),
            ({"a": []}, "released has no rows"),
            ([1, 2], "released is not a table"),
            ([{"a": 1}, {"b": 1}], "released have different columns: row 2 and row 1 differ in 'b'"),
            ({"a": [1], "b": [1, 2]}, "column 'b' of released has 2 cells"),
            ({"a": 1}, "column 'a' of released is not a list"),
            ({"a": iter([1])}, "column 'a' of released is not a list"),
            ({1: [1], "1": [2]}, "released has two columns of the name '1'"),
        ):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                plaudit.link(table, table, on=["a"])
        with self.assertRaisesRegex(ValueError, "missing.csv"):
            plaudit.link("missing.csv", "missing.csv", on=["a"])

    def test_words_of_a_table_do_not_depend_on_the_folder(self):
        original = people(50, 1)
        found = plaudit.infer(original, original, secret="ward", known=["town"], control=people(50, 2))
        rows = [line for line in str(found).split("\n") if " right " in line or line.startswith("the ")]
        self.assertEqual(len(rows), 4)
        ends = {re.match(r"(?:.*?\S)  +\S+ +\S+  ", row).end() for row in rows}
        self.assertEqual(len(ends), 1, rows)

    def test_codes_are_words(self):
        draw = random.Random(5)
        codes = [
            [{"visits": draw.randrange(10**6), "code": str(400 + draw.randrange(20))} for _ in range(400)]
            for _ in range(2)
        ]
        found = plaudit.infer(codes[0], codes[0], control=codes[1], secret="code", known="visits")
        self.assertEqual(found["tolerance"], 0.0)
        self.assertGreater(found["excess"]["lower"], 0.9)
        near = plaudit.infer(codes[0], codes[0], control=codes[1], secret="code", known="visits", tolerance=0.05)
        self.assertEqual((near["tolerance"], near["excess"]["lower"]), (0.05, 0.0))
        numbers = [{**row, "code": int(row["code"])} for row in codes[0]]
        self.assertEqual(plaudit.infer(numbers, numbers, secret="code", known="visits")["tolerance"], 0.05)

    def test_names_of_columns(self):
        table = people(50, 1)
        one = plaudit.link(table, table, on="town")
        self.assertEqual(one.values, plaudit.link(table, table, on=["town"]).values)
        odd = [{"a,b": 1, "c": 2}]
        with self.assertRaisesRegex(ValueError, "`on` has the column 'a,b'"):
            plaudit.link(odd, odd, on="a,b")
        with self.assertRaisesRegex(ValueError, "`known` has the column 'a,b'"):
            plaudit.infer(odd, odd, secret="c", known=["a,b"])
        with self.assertRaisesRegex(ValueError, "`columns` has the column 'a,b'"):
            plaudit.single_out(odd, odd, columns=["a,b"])
        with self.assertRaisesRegex(ValueError, "`on` has no column"):
            plaudit.link(table, table, on=[])

    def test_limits_need_a_control(self):
        table = people(50, 1)
        with self.assertRaisesRegex(ValueError, "`at_most` needs a `control`"):
            plaudit.single_out(table, table, at_most=0.1)
        with self.assertRaisesRegex(ValueError, "`delta` is that of noisy counts"):
            plaudit.link(table, table, on="town", delta=0.1)
        with self.assertRaisesRegex(ValueError, "^0 conditions are invalid"):
            plaudit.single_out(table, table, conditions=0)


class Cells(unittest.TestCase):
    """A value is the same text in every kind of table."""

    def linked(self, released, known, on):
        return plaudit.link(released, known, on=on)["linked"]

    def test_texts(self):
        for cell, words in (
            (10001.0, "10001"),
            (-0.0, "0"),
            (0.5, "0.5"),
            (2**70, str(2**70)),
            (float(2**70), str(2**70)),
            (math.inf, "inf"),
            (True, "true"),
            (False, "false"),
            (None, ""),
            (math.nan, ""),
            (decimal.Decimal("NaN"), ""),
            (decimal.Decimal("sNaN"), ""),
            (decimal.Decimal("1.50"), "1.50"),
            (b"a", "b'a'"),
            (datetime.date(2020, 1, 2), "2020-01-02"),
            (datetime.datetime(2020, 1, 2), "2020-01-02"),
            (datetime.datetime(2020, 1, 2, 3), "2020-01-02T03:00:00"),
            (datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc), "2020-01-02T00:00:00+00:00"),
            (datetime.time(3, 4), "03:04:00"),
        ):
            with self.subTest(repr(cell)):
                self.assertEqual(_tables.text(cell), words)

    def test_any_text_is_read_back(self):
        for cell in ("a\rb", "a\nb", "a\r\nb", 'a"b', "a,b", " a ", "\u00e9"):
            with self.subTest(repr(cell)):
                released = [{"x": cell, "y": 1}, {"x": "z", "y": 2}]
                self.assertEqual(self.linked(released, [{"x": cell, "y": 3}], "x"), 1)

    def test_scalars_of_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        for cell, words in (
            (numpy.int64(3), "3"),
            (numpy.float32(3.0), "3"),
            (numpy.float64("nan"), ""),
            (numpy.bool_(True), "true"),
            (numpy.str_("x"), "x"),
            (numpy.datetime64("NaT"), ""),
            (numpy.timedelta64("NaT"), ""),
            (numpy.datetime64("2020-01-02"), "2020-01-02"),
            (numpy.datetime64("2020-01-02T03:00:00", "ns"), "2020-01-02T03:00:00"),
        ):
            with self.subTest(repr(cell)):
                self.assertEqual(_tables.text(cell), words)

    def test_a_missing_value_does_not_hide_the_others(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        codes = list(range(10001, 10301))
        released = pandas.DataFrame({"code": [None, None] + codes[2:]})
        self.assertEqual(released["code"].dtype.kind, "f")
        known = pandas.DataFrame({"code": codes})
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "known.csv")
            known.to_csv(path, index=False)
            counts = [self.linked(released, table, "code") for table in (known, path, {"code": codes})]
        self.assertEqual(counts, [298, 298, 298])

    def test_frames_of_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        days = pandas.to_datetime(["2020-01-01", "2020-01-02", None])
        frame = pandas.DataFrame(
            {
                "day": days,
                "count": pandas.array([1, 2, None], dtype="Int64"),
                "is_in": pandas.array([True, False, None], dtype="boolean"),
                "word": pandas.array(["a", "b", None], dtype="string"),
                "kind": pandas.Categorical(["x", "y", None]),
                "$income": [2**63 + 1, 2**64 + 2, 2**65],
                7: [1.0, 2.0, None],
            }
        )
        rows = [
            ["2020-01-01", 1, "true", "a", "x", 2**63 + 1, 1],
            ["2020-01-02", 2, "false", "b", "y", 2**64 + 2, 2],
            [None, None, None, None, None, 2**65, None],
        ]
        names = [str(column) for column in frame.columns]
        for column in names:
            with self.subTest(column):
                self.assertEqual(self.linked(frame, [dict(zip(names, row)) for row in rows], column), 3)
        with self.assertRaisesRegex(ValueError, "known has no rows"):
            plaudit.link(frame, frame[:0], on="word")
        with self.assertRaisesRegex(ValueError, "released has two columns of the name 'a'"):
            plaudit.link(pandas.DataFrame([[1, 2]], columns=["a", "a"]), frame, on="a")

    def test_frames_of_polars(self):
        try:
            import polars
        except ImportError:
            self.skipTest("polars is not installed")
        frame = polars.DataFrame(
            {
                "day": [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2), None],
                "time": [datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 2, 3), None],
                "count": [1.0, 2.0, None],
                "is_in": [True, False, None],
            }
        )
        rows = [
            {"day": "2020-01-01", "time": "2020-01-01", "count": 1, "is_in": "true"},
            {"day": "2020-01-02", "time": "2020-01-02T03:00:00", "count": 2, "is_in": "false"},
            {"day": "", "time": "", "count": "", "is_in": ""},
        ]
        for column in frame.columns:
            with self.subTest(column):
                self.assertEqual(self.linked(frame, rows, column), 3)
        with self.assertRaisesRegex(ValueError, "released has no rows"):
            plaudit.link(frame[:0], frame, on="day")


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

    def test_scalars_and_arrays(self):
        one = plaudit.reconstruct("laplace", 1.0, entries=20, queries=40)
        self.assertEqual(one.values, plaudit.reconstruct("laplace", [1], entries=20, queries=[40]).values)
        told = plaudit.average("laplace", 2.0, queries=50, cached=True)
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        of_arrays = plaudit.reconstruct(
            "laplace", numpy.array([1.0]), entries=numpy.int64(20), queries=numpy.array([40])
        )
        self.assertEqual(of_arrays.values, one.values)
        of_scalars = plaudit.average("laplace", numpy.float64(2), queries=numpy.int32(50), cached=numpy.True_)
        self.assertEqual(of_scalars.values, told.values)
        table = numpy.arange(30) % 2
        self.assertEqual(plaudit.reconstruct("laplace", numpy.float32(1), entries=table)["ones"], 15)

    def test_what_is_not_a_count_is_refused(self):
        for asked, words in (
            ({"entries": 20.5}, "`entries` is 20.5: it must be a whole number"),
            ({"entries": [0, 1.0000001]}, "entries has 1.0000001"),
            ({"queries": 4.5}, "`queries` is 4.5: it must be a whole number"),
            ({"seed": "x"}, "`seed` is 'x': it must be a whole number"),
            ({"delta": "x"}, "`delta` is 'x': it must be a number"),
        ):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                plaudit.reconstruct("laplace", 1.0, **asked)
        with self.assertRaisesRegex(ValueError, "`members` is 10.5"):
            plaudit.membership_counts(1, 1, 10.5, 10)

    def test_errors_name_parameters(self):
        for call, words in (
            (lambda: plaudit.reconstruct("laplace", 1.0, epsilons_per_query=1.0), "`epsilons_per_query`"),
            (lambda: plaudit.reconstruct("laplace"), "`scales`"),
            (lambda: plaudit.membership_counts(1, 1, 10, 10, alpha=2.0), "`alpha`"),
            (lambda: plaudit.membership("scores.csv", "scores.csv", alpha=7), "`alpha`"),
        ):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words) as caught:
                call()
            self.assertNotIn("--", str(caught.exception))


class Defaults(unittest.TestCase):
    """Parameters that are left out are those of the program."""

    def test_they_are_those_of_the_program(self):
        draw = random.Random(7)
        with tempfile.TemporaryDirectory() as folder:

            def written(name, rows):
                path = os.path.join(folder, name)
                with open(path, "w", newline="") as file:
                    writer = csv.DictWriter(file, list(rows[0]))
                    writer.writeheader()
                    writer.writerows(rows)
                return path

            tables = [written("%d.csv" % seed, people(400, seed)) for seed in (1, 2, 3)]
            groups = [written("%s.csv" % shift, [{"s": x} for x in scores(shift, 4)]) for shift in (1.0, 0.0)]
            rows = [{"score": draw.random(), "in": draw.randrange(2)} for _ in range(200)]
            original, released, control = tables
            controlled = [original, released, "--control", control]
            for told, command in (
                (plaudit.single_out(original, released, control=control), ["single-out", *controlled]),
                (
                    plaudit.infer(original, released, control=control, secret="visits", known="town"),
                    ["infer", *controlled, "--secret=visits", "--known=town"],
                ),
                (plaudit.link(original, released, on="town"), ["link", original, released, "--on=town"]),
                (plaudit.membership(*groups), ["membership", *groups]),
                (
                    plaudit.reconstruct("laplace", [1.0, 2.0], entries=30),
                    ["reconstruct", "--noise=laplace", "--scale=1", "--scale=2", "--entries=30"],
                ),
                (plaudit.average("laplace", 1.0), ["average", "--noise=laplace", "--scale=1"]),
            ):
                with self.subTest(command[0]):
                    self.assertEqual(told.values, commanded(*command)[0])
            told = plaudit.canaries([row["score"] for row in rows], [row["in"] for row in rows])
            command = [sys.executable, "-m", "plaudit", "canaries", written("canaries.csv", rows), "--format=json"]
            expected = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)
        self.assertEqual({**told.values, "file": ""}, {**expected, "file": ""})


class Interrupted(unittest.TestCase):
    PROGRAM = """
import os, signal, threading
import plaudit
threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    plaudit.reconstruct("laplace", [1, 2, 5, 10, 20], entries=2000, queries=[40000])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""

    @unittest.skipIf(os.name == "nt", "there is another signal on Windows")
    def test_an_attack_stops_at_ctrl_c(self):
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            command = [sys.executable, "-c", self.PROGRAM]
            environment = {**os.environ, "TMPDIR": folder}
            done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, timeout=60, check=False)
            self.assertEqual((done.stdout.strip(), done.returncode), (b"interrupted", 0))
            self.assertLess(time.monotonic() - begun, 10.0)
            self.assertEqual(os.listdir(folder), [])


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
