"""NPY arrays, with numpy and without: what is written is what was drawn, in a type that plaudit reads."""

import math
import os
import struct
import sys
import unittest

# Where no package is installed, the one beside these tests.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from support import arrays

from plaudit import _npy
from plaudit._outcome import Error

ORDER = _npy._ORDER


def bytes_of(parts):
    return bytes(parts[0]) + bytes(parts[1])


class WithoutNumpy(unittest.TestCase):
    def test_lists(self):
        for outcomes, descr, shape, body in [
            ([1.0, -0.0], ORDER + "f8", (2,), struct.pack("2d", 1.0, -0.0)),
            ([1.0, 2], ORDER + "f8", (2,), struct.pack("2d", 1.0, 2.0)),
            ([1, -2], ORDER + "i8", (2,), struct.pack("2q", 1, -2)),
            ([True, False], "|b1", (2,), b"\x01\x00"),
            ([[1.0, 2.0], (3.0, math.inf)], ORDER + "f8", (2, 2), struct.pack("4d", 1, 2, 3, math.inf)),
            ([], ORDER + "f8", (0,), b""),
        ]:
            self.assertEqual(arrays(bytes_of(_npy.of_list(outcomes))), [(descr, shape, body)])

    def test_what_is_no_array_says_why(self):
        for outcomes, why in [
            ([1.0, "a"], "'a'"),
            ([1.0, None], "None"),
            ([[1.0], [1.0, 2.0]], "different lengths"),
            ([Error(ValueError("no rows"))], "ValueError: no rows"),
            ([2**70], "11805916207174113"),
            ([0.5, 2**53 + 1], "9007199254740993"),
        ]:
            with self.assertRaises(_npy.NotAnArray) as caught:
                _npy.of_list(outcomes)
            self.assertIn(why, str(caught.exception))


try:
    import numpy
except ImportError:
    numpy = None


@unittest.skipIf(numpy is None, "numpy is not installed")
class WithNumpy(unittest.TestCase):
    def read(self, parts):
        import io

        return numpy.load(io.BytesIO(bytes_of(parts)), allow_pickle=False)

    def test_numpy_reads_what_was_written(self):
        for kind in ["f8", ">f8", "f4", "i8", ">i8", "i4", "u1", "b1"]:
            for shape in [(6,), (2, 3), (0,), (3, 0), (1, 1)]:
                for order in "CF":
                    array = numpy.arange(math.prod(shape)).astype(kind).reshape(shape, order=order)
                    back = self.read(_npy.of_array(array))
                    self.assertEqual(back.dtype, array.dtype)
                    numpy.testing.assert_array_equal(back, array)

    def test_a_view_that_is_not_contiguous(self):
        array = numpy.arange(20.0)[::-3]
        numpy.testing.assert_array_equal(self.read(_npy.of_array(array)), array)

    def test_other_types_become_wider_ones(self):
        for kind, wider in [("f2", "f4"), ("i1", "i8"), ("i2", "i8"), ("u2", "i8"), ("u4", "i8"), ("u8", "i8")]:
            back = self.read(_npy.of_array(numpy.array([1, 2], dtype=kind)))
            self.assertEqual((back.dtype, back.tolist()), (numpy.dtype(wider), [1, 2]))

    def test_what_plaudit_does_not_read_is_refused(self):
        for array in [
            numpy.array([1j]),
            numpy.array(["a"]),
            numpy.array([None]),
            numpy.array([2**63], dtype="u8"),
            numpy.ones((2, 2, 2)),
            numpy.ones(2, dtype="longdouble"),
        ]:
            with self.assertRaises(_npy.NotAnArray):
                _npy.of_array(array)

    def test_rows_of_numpy_without_an_array_around_them(self):
        rows = [numpy.array([1.0, 2.0]), numpy.array([3.0, 4.0])]
        self.assertEqual(self.read(_npy.of_list(rows)).tolist(), [[1.0, 2.0], [3.0, 4.0]])
        self.assertEqual(self.read(_npy.of_list([numpy.float64(0.1), numpy.float32(0.5)])).tolist(), [0.1, 0.5])


if __name__ == "__main__":
    unittest.main()
