"""Functions that were once verified, or ended without a clear message, and that a proof cannot follow."""

import concurrent.futures
import contextlib
import enum
import importlib.util
import marshal
import os
import sqlite3
import sys
import threading
import unittest
from collections import OrderedDict, defaultdict, namedtuple
from decimal import Decimal
from fractions import Fraction
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")

import plaudit

HAS_NUMPY = importlib.util.find_spec("numpy") is not None
HAS_PANDAS = importlib.util.find_spec("pandas") is not None
HAS_FORKS = sys.platform == "linux"
MEMORY = "another path|used in another|released in another"
_NO_NUMBER = "<number that a proof follows>"


def latch(kept, answers, draws):
    kept["hit"] = kept.get("hit") or answers[0] >= 5
    return bool(kept["hit"])


def latch_that_turns_off(kept, answers, draws):
    kept["off"] = kept.get("off") or answers[0] < 5
    return not kept["off"]


def latch_at_both_ends(kept, answers, draws):
    kept["hit"] = kept.get("hit") or abs(answers[0]) >= 5
    return bool(kept["hit"])


def noisy_latch(kept, answers, draws):
    if answers[0] + draws.laplace(0.1) >= 5:
        kept[1] = 1
    return sorted(kept)


def highest(kept, answers, draws):
    kept["top"] = max(kept.get("top", 0), 3 if answers[0] >= 5 else 1)
    return kept["top"]


def cached(kept, answers, draws):
    if "v" not in kept:
        kept["v"] = bool(answers[0] >= 1)
    return kept["v"]


def last_of_a_type(kept, answers, draws):
    out = kept.get(0, 0.0)
    kept[0] = answers[0]
    return out if isinstance(out, float) else 0.0


def last_compared(kept, answers, draws):
    before, kept[0] = kept.get(0), answers[0]
    with contextlib.suppress(ValueError):
        return before is not None and bool(before >= 1)
    return False


def last_draws(kept, answers, draws):
    before, kept[0] = kept.get(0), draws
    try:
        return answers[0] + before.laplace(1e-3)
    except (ValueError, AttributeError):
        return 0


def last_text(kept, answers, draws):
    before, kept[0] = kept.get(0), answers[0]
    return _NO_NUMBER if before is None else repr(before)


def last_number(kept, answers, draws):
    before, kept[0] = kept.get(0), answers[0] + draws.laplace(1.0)
    return kept[0] if before is None else before


def many_runs(kept, answers, draws):
    kept["n"] = kept.get("n", 0) + 1
    return [answers[0] + draws.laplace(1.0) >= limit for limit in range(5)] if kept["n"] < 7 else None


def period(of):
    def counts(kept, answers, draws):
        kept["n"] = kept.get("n", 0) + 1
        above = bool(answers[0] >= 1)
        return above if kept["n"] % of == 1 else not above

    return counts


class Basic(enum.Enum):
    A = ("basic", 1)
    B = ("basic", 2)

    @property
    def name(self):
        return self.value[0]


class Bits(enum.IntFlag):
    A = 1


class Slots(list):
    __slots__ = ("extra",)


class Boom(BaseException):
    pass


class Carried(Exception):
    pass


def slots(extra):
    made = Slots([1])
    made.extra = extra
    return made


def in_a_thread(answers, draws):
    out = []

    def asks():
        try:
            out.append(Decimal(answers[0]) > 1)
        except TypeError:
            out.append(False)

    thread = threading.Thread(target=asks)
    thread.start()
    thread.join()
    return out


def in_a_pool(answers, draws):
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        try:
            return pool.submit(marshal.dumps, answers[0]).result().hex()
        except ValueError:
            return 0


def catches(error, ask):
    def asks(answers, draws):
        try:
            return ask(answers)
        except error:
            return 0

    return asks


def select(answers):
    return sqlite3.connect(":memory:").execute("select ?", (answers[0],)).fetchone()


class Refused(unittest.TestCase):
    def refused(self, function, words, **claim):
        with self.assertRaisesRegex(ValueError, "^verify: .*(%s)" % words):
            proof = plaudit.verify(function, [0.0], **dict({"epsilon": 1.0}, **claim))
            self.fail(proof)

    def test_memory(self):
        of_forks = [latch, latch_that_turns_off, latch_at_both_ends, noisy_latch, highest, cached]
        for of in [
            *(of_forks if HAS_FORKS else []),
            *(last_of_a_type, last_compared, last_draws, last_text, last_number, many_runs),
            *(period(count) for count in (2, 3, 5)),
        ]:
            with self.subTest(of.__name__):
                kept = {}
                self.refused(lambda answers, draws, of=of, kept=kept: of(kept, answers, draws), MEMORY)

    def test_memory_where_there_are_no_forks(self):
        with mock.patch("plaudit._followed.in_a_fork", lambda function: None):
            for of in (latch, noisy_latch, highest, cached):
                with self.subTest(of.__name__):
                    kept = {}
                    self.refused(lambda answers, draws, of=of, kept=kept: of(kept, answers, draws), MEMORY)

    def test_a_number_of_a_proof_before(self):
        kept = []

        def first(answers, draws):
            kept[:] = kept or [answers[0]]
            return answers[0] + draws.laplace(1.0)

        self.assertEqual(plaudit.verify(first, [0.0], epsilon=1.0).decision, "verified")
        self.assertEqual(repr(kept[0]), _NO_NUMBER)
        self.refused(lambda answers, draws: isinstance(kept[0], float), "used in another")
        self.refused(catches(ValueError, lambda answers: bool(kept[0] >= 1)), "used in another")

    def test_what_only_looks_like_memory(self):
        def caches(answers, draws, kept={}):  # noqa: B006
            kept["scale"] = kept.get("scale", 1.0)
            return answers[0] + draws.laplace(kept["scale"])

        self.assertEqual(plaudit.verify(caches, [0.0], epsilon=1.0).decision, "verified")

        def catches_of_runs(answers, draws):
            for ask in (lambda: max([]), lambda: int("x"), lambda: [].index(1), lambda: {}[1], lambda: 1 / 0):
                try:
                    ask()
                except (ValueError, LookupError, ArithmeticError):
                    continue
            return answers[0] + draws.laplace(1.0)

        def carries(answers, draws):
            try:
                raise Carried(answers[0] + draws.laplace(1.0))
            except Carried as carried:
                return carried.args[0]

        self.assertEqual(plaudit.verify(carries, [0.0], epsilon=1.0).decision, "verified")
        self.assertEqual(plaudit.verify(catches_of_runs, [0.0], epsilon=1.0).decision, "verified")

    def told_apart(self, one, other):
        """An exact answer chooses between the two: that may not be verified."""
        try:
            made = plaudit.verify(lambda answers, draws: (one if answers[0] >= 1 else other)(), [0.0], epsilon=1.0)
        except ValueError as error:
            self.assertRegex(str(error), "an outcome has a")
            return
        self.assertEqual(made.decision, "refuted")

    def test_outcomes_that_differ(self):
        point = [namedtuple("Point", name) for name in "xy"]
        for at, (one, other) in enumerate(
            [
                (lambda: Bits(8), lambda: Bits(16)),
                (lambda: Bits(0), lambda: Bits(16)),
                (lambda: Basic.A, lambda: Basic.B),
                (lambda: enum.Enum("E", {"A": 1}).A, lambda: enum.Enum("E", {"A": 2}).A),
                (lambda: enum.Enum("E", {"A": 1}, module="a").A, lambda: enum.Enum("E", {"A": 1}, module="b").A),
                (lambda: slots(1), lambda: slots(2)),
                (lambda: defaultdict(int), lambda: defaultdict(list)),
                (lambda: OrderedDict(a=1), dict),
                (lambda: point[0](1), lambda: point[1](1)),
            ]
        ):
            with self.subTest(at):
                self.told_apart(one, other)

    @unittest.skipUnless(HAS_NUMPY and HAS_PANDAS, "numpy or pandas is not installed")
    def test_arrays_that_differ(self):
        import numpy
        import pandas

        class Noted(numpy.ndarray):
            pass

        def noted(note):
            array = numpy.zeros(1).view(Noted)
            array.note = note
            return array

        def with_metadata(note):
            return numpy.zeros(1, dtype=[("x", numpy.dtype("f8", metadata={"note": note}))])

        for at, (one, other) in enumerate(
            [
                (lambda: noted(1), lambda: noted(2)),
                (lambda: with_metadata(1), lambda: with_metadata(2)),
                (lambda: numpy.ma.array([1], mask=[True]), lambda: numpy.ma.array([0], mask=[True])),
                (lambda: pandas.Series([0], index=["a"]), lambda: pandas.Series([0], index=["b"])),
                (lambda: pandas.Series([0], name="a"), lambda: pandas.Series([0], name="b")),
                (lambda: pandas.Index(["x"], name="a"), lambda: pandas.Index(["x"], name="b")),
                (lambda: pandas.Categorical(["x"], ["x", "y"]), lambda: pandas.Categorical(["x"], ["x", "z"])),
            ]
        ):
            with self.subTest(at):
                self.told_apart(one, other)

    def test_what_doubles_do_otherwise(self):
        for name, function, words in [
            ("a zero", catches(ZeroDivisionError, lambda answers: answers[0] / 0), "divides by 0"),
            ("a sum of 0", catches(ZeroDivisionError, lambda a: a[0] / (a[0] - a[0])), "divides by 0"),
            ("a thread", in_a_thread, "catches a TypeError"),
            ("a pool", in_a_pool, "catches a ValueError"),
            ("marshal", catches(ValueError, lambda answers: marshal.dumps(answers[0])), "catches a ValueError"),
            ("an attribute", catches(AttributeError, lambda a: a[0].__getnewargs__()), "takes `__getnewargs__`"),
            ("sqlite3", catches(sqlite3.Error, select), "catches a .*Error, which"),
        ]:
            with self.subTest(name):
                self.refused(function, words)

    @unittest.skipUnless(HAS_NUMPY, "numpy is not installed")
    def test_what_numpy_does_otherwise(self):
        import numpy

        for name, ask, words in [
            ("zero", lambda answers: answers[0] / numpy.float64(0.0), "divides by 0"),
            ("zeros", lambda answers: float((numpy.array(answers) / numpy.zeros(1))[0]), "divides by 0"),
            ("view", lambda answers: numpy.array(answers).view("u8"), "catches a TypeError"),
        ]:
            with self.subTest(name):
                self.refused(catches((ZeroDivisionError, ValueError, TypeError), ask), words)
        for name, ask, words in [
            ("rint", lambda answers: numpy.rint(numpy.array(answers)), "takes `rint`"),
            ("round", lambda answers: numpy.round(numpy.array(answers)), "takes `rint`"),
            ("sign", lambda answers: numpy.sign(numpy.array(answers)), "compares answers for equality|of numpy"),
            ("out", lambda answers: numpy.zeros(1).__iadd__(answers[0]), "of numpy, cannot be followed"),
            ("median", lambda answers: numpy.median(numpy.array(answers)), "asks in `numpy.*` for the type"),
            ("mean", lambda answers: numpy.mean(numpy.array(answers)), "asks in `numpy.*` for the type"),
        ]:
            with self.subTest(name):
                self.refused(lambda answers, draws, ask=ask: ask(answers), words)

    def test_paths_that_end_badly(self):
        def booms(answers, draws):
            if answers[0] >= 1:
                raise Boom

        def grows(answers, draws):
            number = answers[0] + draws.laplace(1)
            for _ in range(400):
                number = number * 1e300
            return bool(number >= 1)

        def counts_down(answers, draws):
            number = answers[0]
            while number > 0:
                number = number - 1

        for name, function, words in [
            ("an exception", booms, "a path ends with Boom"),
            ("digits", grows, "too many digits"),
            ("digits of an outcome", lambda answers, draws: 10**5000, "too many digits"),
            ("large", lambda answers, draws: answers[0] + draws.laplace(10**400), "scale inf"),
            ("small", lambda answers, draws: answers[0] + draws.laplace(Fraction(1, 10**400)), "scale 0.0"),
            ("a loop", counts_down, "a loop whose number of rounds depends on answers or noise"),
        ]:
            with self.subTest(name):
                self.refused(function, words)

    def test_a_sum_of_many_draws(self):
        proof = plaudit.verify(lambda a, draws: sum(draws.laplace(1) for _ in range(2000)) + a[0], [0.0], epsilon=1.0)
        self.assertEqual(proof.decision, "verified")


if __name__ == "__main__":
    unittest.main()
