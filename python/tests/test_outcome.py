"""Every kind of Python value becomes the JSON line that stands for it, and nothing is rounded."""

import dataclasses
import decimal
import enum
import fractions
import json
import math
import os
import random
import struct
import sys
import unittest

# Where no package is installed, the one beside these tests.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from plaudit import _outcome
from plaudit._outcome import Error, Timed


def line(value):
    return _outcome.lines([value]).decode("ascii").rstrip("\n")


class Lines(unittest.TestCase):
    def test_scalars(self):
        for value, text in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1, "1"),
            (True, "true"),
            (None, "null"),
            ("a\nb", r'"a\nb"'),
            (b"ab\xff", r'"ab\\xff"'),
            ("\ud800", r'"\\ud800"'),
            (math.nan, "NaN"),
            (math.inf, "Infinity"),
            (-math.inf, "-Infinity"),
            (2**63 - 1, "9223372036854775807"),
            (-(2**63), "-9223372036854775808"),
            (2**63, '"9223372036854775808"'),
            (decimal.Decimal("0.5"), "0.5"),
            (fractions.Fraction(1, 4), "0.25"),
            (1 + 2j, "[1.0,2.0]"),
        ]:
            self.assertEqual(line(value), text)

    def test_containers(self):
        for value, text in [
            ([1.5, None, math.nan], "[1.5,null,NaN]"),
            ((1, "a"), '[1,"a"]'),
            ([], "[]"),
            ([[1, 2], [3]], "[[1,2],[3]]"),
            (range(3), "[0,1,2]"),
            (iter([1, 2]), "[1,2]"),
            ({"b": 1, "a": [2.0]}, '{"b":1,"a":[2.0]}'),
            ({1: 2}, '{"1":2}'),
            ({1: 2, "1": 3}, '{"1":2,"\'1\'":3}'),
            ({"$error": 1}, '{"$$error":1}'),
            ({"b", "a"}, '{"$set":["a","b"]}'),
            (frozenset([2, 1]), '{"$set":["1","2"]}'),
            (set(), '{"$set":[]}'),
        ]:
            self.assertEqual(line(value), text)

    def test_errors_and_times(self):
        self.assertEqual(line(Error(ValueError("no\nrows"))), r'{"$error":"ValueError: no\nrows"}')
        self.assertEqual(line(Error(KeyError())), '{"$error":"KeyError"}')
        self.assertEqual(line(ValueError("returned")), '{"$error":"ValueError: returned"}')
        self.assertEqual(line(Timed(1.5, 12)), '{"$ns":12,"value":1.5}')
        self.assertEqual(line(Timed(Error(ValueError("x")), 3)), '{"$ns":3,"value":{"$error":"ValueError: x"}}')

    def test_an_object_is_its_representation_without_its_address(self):
        class Odd:
            def __repr__(self):
                return "<Odd at 0x%x>" % id(self)

        self.assertNotIn("0x", line(Odd()))
        self.assertIn("Odd", line(Odd()))
        self.assertEqual(line(Error(ValueError(Odd()))), line(Error(ValueError(Odd()))))

    def test_a_value_that_contains_itself_is_an_error_and_does_no_harm(self):
        loop = []
        loop.append(loop)
        first, second = _outcome.lines([loop, 1]).splitlines()
        self.assertIn("RecursionError", json.loads(first)["$error"])
        self.assertEqual(second, b"1")

    def test_dataclasses_and_enumerations(self):
        @dataclasses.dataclass
        class Release:
            mean: float
            keys: set

        class Color(enum.IntEnum):
            RED = 3

        self.assertEqual(line(Release(0.5, {"a"})), '{"mean":0.5,"keys":{"$set":["a"]}}')
        self.assertEqual(line(Color.RED), "3")

    def test_doubles_survive_bit_for_bit(self):
        stream = random.Random(1)
        doubles = [struct.unpack("<d", stream.getrandbits(64).to_bytes(8, "little"))[0] for _ in range(20000)]
        doubles = [d for d in doubles if d == d] + [5e-324, 1.7976931348623157e308, 0.1 + 0.2]
        read = [json.loads(text) for text in _outcome.lines(doubles).splitlines()]
        self.assertEqual(struct.pack("<%dd" % len(doubles), *doubles), struct.pack("<%dd" % len(read), *read))

    def test_the_fast_path_and_the_slow_one_agree(self):
        values = [1.5, -0.0, math.nan, math.inf, 1e300, 3, -7, 2**62, True, None]
        slow = b"".join(_outcome.lines([value, "text"]).splitlines(True)[0] for value in values)
        self.assertEqual(_outcome.lines(values), slow)
        self.assertEqual(_outcome.lines([]), b"")


try:
    import numpy
except ImportError:
    numpy = None


@unittest.skipIf(numpy is None, "numpy is not installed")
class WithNumpy(unittest.TestCase):
    def test_numpy_scalars_and_arrays(self):
        for value, text in [
            (numpy.float64(0.1), "0.1"),
            (numpy.float32(0.1), "0.10000000149011612"),
            (numpy.int64(3), "3"),
            (numpy.bool_(True), "true"),
            (numpy.str_("a"), '"a"'),
            (numpy.array(2.5), "2.5"),
            (numpy.array([1.0, numpy.nan]), "[1.0,NaN]"),
            (numpy.array([[1, 2], [3, 4]]), "[[1,2],[3,4]]"),
            (numpy.array(["a", "b"]), '["a","b"]'),
            (numpy.array([1, "a"], dtype=object), '[1,"a"]'),
            ({numpy.int64(1): numpy.float64(2)}, '{"1":2.0}'),
            (numpy.longdouble(0.5), "0.5"),
        ]:
            self.assertEqual(line(value), text)

    def test_arrays_of_outcomes(self):
        for array, text in [
            (numpy.array([1.0, -0.0, numpy.inf]), b"1.0\n-0.0\nInfinity\n"),
            (numpy.array([1, 2], dtype=">i4"), b"1\n2\n"),
            (numpy.array([2**63], dtype="u8"), b'"9223372036854775808"\n'),
            (numpy.array([[2**63]], dtype="u8"), b'["9223372036854775808"]\n'),
            (numpy.array([True, False]), b"true\nfalse\n"),
            (numpy.array([[1.0, 2.0], [3.0, 4.0]], order="F"), b"[1.0,2.0]\n[3.0,4.0]\n"),
            (numpy.zeros((2, 0)), b"[]\n[]\n"),
            (numpy.array([["a", "],["]]), b'["a","],["]\n'),
            (numpy.ones((1, 1, 1)), b"[[1.0]]\n"),
            (numpy.array(["a", "b"]), b'"a"\n"b"\n'),
        ]:
            self.assertEqual(_outcome.array_lines(array), text)


class LikePandas(unittest.TestCase):
    def test_a_series_keeps_its_keys(self):
        class Series:
            dtype, shape = "float64", (1,)

            def to_dict(self):
                return {"a": 1.5}

            def tolist(self):
                return [1.5]

        self.assertEqual(line(Series()), '{"a":1.5}')


if __name__ == "__main__":
    unittest.main()
