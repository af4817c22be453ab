"""Neighbors are what the relation says, keep the type of the data, and are the same for the same seed."""

import importlib.util
import os
import random
import sys
import unittest

# Where no package is installed, the one beside these tests.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from plaudit import neighbors
from plaudit._dataset import relation_between, rows_apart, shown


def has(name):
    return importlib.util.find_spec(name) is not None


ORDERS = [
    {"user_id": "a", "spent": 5},
    {"user_id": "b", "spent": 9},
    {"user_id": "a", "spent": 1},
    {"user_id": "c", "spent": 4},
    {"user_id": "a", "spent": 2},
]


def relations(pairs):
    return {relation_between(shown(d), shown(d_prime)) for d, d_prime in pairs}


class Lists(unittest.TestCase):
    def test_a_row_is_removed(self):
        ages = [40, 17, 93, 25, 61]
        pairs = neighbors(ages, random=1, seed=3)
        self.assertTrue(all(d is ages for d, _ in pairs))
        self.assertEqual(relations(pairs), {"add-remove"})
        self.assertIn([40, 93, 25, 61], [other for _, other in pairs])
        self.assertIn([40, 17, 25, 61], [other for _, other in pairs])

    def test_a_row_is_replaced_by_another(self):
        ages = [40, 17, 93, 25, 61]
        pairs = neighbors(ages, "substitution", seed=3)
        self.assertEqual(relations(pairs), {"substitution"})
        self.assertIn([40, 93, 93, 25, 61], [other for _, other in pairs])
        self.assertIn([40, 17, 17, 25, 61], [other for _, other in pairs])
        for _, other in pairs:
            self.assertLessEqual(set(other), set(ages))

    def test_named_rows_alone(self):
        self.assertEqual(neighbors([1, 2, 3], rows=[0, -1]), [([1, 2, 3], [2, 3]), ([1, 2, 3], [1, 2])])
        (pair,) = neighbors([1, 2, 3], "substitution", rows=[1])
        self.assertIn(pair[1], ([1, 1, 3], [1, 3, 3]))

    def test_no_pair_twice_and_the_seed_decides(self):
        data = list(range(50))
        self.assertEqual(neighbors(data, seed=1), neighbors(data, seed=1))
        self.assertNotEqual(neighbors(data, seed=1), neighbors(data, seed=2))
        self.assertEqual(neighbors([1, 1, 1, 2], random=4), [([1, 1, 1, 2], [1, 1, 2]), ([1, 1, 1, 2], [1, 1, 1])])
        others = [repr(other) for _, other in neighbors([1, 2, 1, 2, 1], "substitution", random=5)]
        self.assertEqual(len(others), len(set(others)))

    def test_missing_numbers_are_no_extremes(self):
        data = [2.0, float("nan"), 1.0, None, 3.0]
        self.assertEqual([other for _, other in neighbors(data, random=0)], [data[:2] + data[3:], data[:4]])

    def test_texts_and_tuples(self):
        self.assertEqual(len(neighbors(("x", "y", "z"), random=2)), 2)
        self.assertIsInstance(neighbors(("x", "y", "z"))[0][1], tuple)
        self.assertEqual(neighbors([7]), [([7], [])])

    def test_rows_with_columns(self):
        data = [("ann", 3, 9.0), ("bob", 5, 1.0), ("eve", 4, 4.0)]
        self.assertEqual(
            [other for _, other in neighbors(data, random=0)],
            [[data[1], data[2]], [data[0], data[2]]],
        )

    def test_people(self):
        pairs = neighbors(ORDERS, key="user_id", random=3)
        self.assertEqual(len(pairs), 3)
        self.assertIn([ORDERS[1], ORDERS[3]], [other for _, other in pairs])
        self.assertEqual(pairs, neighbors(ORDERS, {"remove_all": "user_id"}, random=3))
        # The person with the most rows is among them, without being asked for.
        self.assertIn([ORDERS[1], ORDERS[3]], [other for _, other in neighbors(ORDERS, key="user_id", random=0)])

    def test_people_are_replaced_under_their_key(self):
        (pair,) = neighbors(ORDERS, "substitution", key="user_id", rows=[1], seed=1)
        ids = [row["user_id"] for row in pair[1]]
        self.assertEqual(set(ids), {"a", "b", "c"})
        self.assertEqual([row for row in pair[1] if row["user_id"] != "b"], [r for r in ORDERS if r["user_id"] != "b"])
        spent = [row["spent"] for row in pair[1] if row["user_id"] == "b"]
        self.assertIn(spent, ([5, 1, 2], [4]))

    def test_mistakes(self):
        for arguments, options, words in [
            (([],), {}, "no rows"),
            (([1],), {"relation": "adjacent"}, "unknown relation 'adjacent'"),
            (([1],), {"relation": {"remove": "a"}}, "unknown relation"),
            ((ORDERS,), {"key": "name"}, "no column 'name': the columns are 'user_id', 'spent'"),
            (([1, 2],), {"key": "name"}, "no column 'name'"),
            (([1, 2],), {"rows": [2]}, "no row 2: the data has 2"),
            (([1, 1],), {"relation": "substitution"}, "no such neighbors"),
            (([1, 1],), {"random": -1}, "0 or more"),
            (([{"id": None, "x": 1}],), {"key": "id"}, "row 0 has no id"),
        ]:
            with self.subTest(words):
                with self.assertRaises(ValueError) as raised:
                    neighbors(*arguments, **options)
                self.assertIn(words, str(raised.exception))
        for data in ({"a": [1]}, "abc", 5):
            with self.assertRaises(TypeError):
                neighbors(data)


@unittest.skipUnless(has("numpy"), "numpy is not installed")
class Arrays(unittest.TestCase):
    def test_types_stay(self):
        import numpy

        for dtype in ("f4", "i8", "?", "U3"):
            data = numpy.array([0, 1, 0, 1]).astype(dtype)
            for relation in ("add-remove", "substitution"):
                pairs = neighbors(data, relation)
                self.assertEqual({other.dtype for _, other in pairs}, {data.dtype})
                self.assertEqual(relations(pairs), {relation})

    def test_rows_of_a_table(self):
        import numpy

        data = numpy.array([[1.0, 5.0], [2.0, 4.0], [3.0, 6.0]])
        pairs = neighbors(data, random=0)
        left = [[1, 2], [0, 1], [0, 2]]
        self.assertEqual([other.tolist() for _, other in pairs], [data[rows].tolist() for rows in left])
        data.setflags(write=False)
        self.assertEqual(relations(neighbors(data, "substitution")), {"substitution"})

    def test_people(self):
        import numpy

        data = numpy.array([[1, 5], [2, 4], [1, 6]])
        self.assertIn([[2, 4]], [other.tolist() for _, other in neighbors(data, key=0)])
        (pair,) = neighbors(data, "substitution", key=0, rows=[1])
        self.assertEqual(pair[1].tolist(), [[1, 5], [2, 5], [2, 6], [1, 6]])
        named = numpy.array([("a", 1.0), ("b", 2.0), ("a", 3.0)], dtype=[("id", "U1"), ("x", "f8")])
        (pair,) = neighbors(named, "substitution", key="id", rows=[1])
        self.assertEqual(pair[1].tolist(), [("a", 1.0), ("b", 1.0), ("b", 3.0), ("a", 3.0)])

    def test_features_and_labels(self):
        import numpy

        x, y = numpy.array([[1.0], [2.0], [3.0]]), numpy.array([0, 1, 1])
        for relation, left in (("add-remove", 2), ("substitution", 3)):
            for _, (other_x, other_y) in neighbors((x, y), relation):
                self.assertEqual((len(other_x), len(other_y)), (left, left))
        with self.assertRaises(ValueError):
            neighbors((x, y[:2]))


class Frames(unittest.TestCase):
    def check(self, frame, rows, ids):
        for relation in ("add-remove", "substitution"):
            pairs = neighbors(frame, relation)
            self.assertEqual(relations(pairs), {relation})
            self.assertTrue(all(type(other) is type(frame) for _, other in pairs))
            self.assertTrue(all(list(other.dtypes) == list(frame.dtypes) for _, other in pairs))
        without = [rows(other) for _, other in neighbors(frame, random=0, key="user_id")]
        self.assertIn([("b", 9), ("c", 4)], without)
        (pair,) = neighbors(frame, "substitution", key="user_id", rows=[0], seed=2)
        self.assertEqual(set(ids(pair[1])), {"a", "b", "c"})
        self.assertEqual(list(pair[1].dtypes), list(frame.dtypes))
        with self.assertRaises(ValueError):
            neighbors(frame, key="name")

    @unittest.skipUnless(has("pandas"), "pandas is not installed")
    def test_pandas(self):
        import pandas

        frame = pandas.DataFrame(ORDERS)
        self.check(frame, lambda f: list(f.itertuples(index=False, name=None)), lambda f: list(f["user_id"]))
        typed = frame.astype({"user_id": "category", "spent": "Int32"})
        self.check(typed, lambda f: list(zip(f.user_id, f.spent)), lambda f: list(f.user_id))
        labelled = frame.set_axis(["v", "w", "x", "y", "z"])
        self.assertEqual(list(neighbors(labelled, rows=[1])[0][1].index), ["v", "x", "y", "z"])
        self.assertEqual(list(neighbors(labelled, "substitution", rows=[1])[0][1].index), ["v", "w", "x", "y", "z"])
        self.assertIsInstance(neighbors(frame["spent"])[0][1], pandas.Series)
        with self.assertRaises(ValueError):
            neighbors(frame.iloc[:0])

    @unittest.skipUnless(has("polars"), "polars is not installed")
    def test_polars(self):
        import polars

        frame = polars.DataFrame(ORDERS)
        self.check(frame, lambda f: f.rows(), lambda f: f["user_id"].to_list())
        self.assertEqual(neighbors(frame["spent"], rows=[0])[0][1].to_list(), [9, 1, 4, 2])
        self.assertEqual(neighbors(frame[:1])[0][1].shape, (0, 2))
        with self.assertRaises(TypeError):
            neighbors(frame.lazy())


@unittest.skipUnless(has("plaudit._native"), "the native module is not built")
class Audited(unittest.TestCase):
    """The engine checks each pair against the relation, and refuses what is no neighbor."""

    def check(self, data, relation, **options):
        import plaudit

        def nothing(d, rng: random.Random):
            return rng.randrange(2)

        pairs = neighbors(data, relation, **options)
        result = plaudit.audit(nothing, pairs=pairs, relation=relation, epsilon=1.0, trials=2000)
        self.assertEqual(result.finding["pair"]["given"], len(pairs))

    def all(self, data):
        for relation in ("add-remove", "substitution"):
            self.check(data, relation)

    def people(self, data):
        self.all(data)
        for relation in ({"remove_all": "user_id"}, {"replace_all": "user_id"}):
            self.check(data, relation, random=4)

    def test_lists(self):
        self.all([3, 1, 2, 1])
        self.all([(1, "a"), (2, "b"), (2, "c")])
        self.people(ORDERS)

    @unittest.skipUnless(has("numpy"), "numpy is not installed")
    def test_arrays(self):
        import numpy

        self.all(numpy.array([3.0, numpy.nan, 1.0]))
        self.all(numpy.array([[1, 2], [3, 4], [5, 6]]))

    @unittest.skipUnless(has("pandas"), "pandas is not installed")
    def test_pandas(self):
        import pandas

        self.people(pandas.DataFrame(ORDERS))

    @unittest.skipUnless(has("polars"), "polars is not installed")
    def test_polars(self):
        import polars

        self.people(polars.DataFrame(ORDERS))


class WithoutARelation(unittest.TestCase):
    """Datasets whose relation nobody named."""

    def apart(self, d, d_prime):
        return rows_apart(shown(d), shown(d_prime))

    def test_more_than_a_row_apart(self):
        for d, d_prime, why in (
            ([1, 2, 3], [1, 5, 6], "2 rows differ"),
            ([1, 2, 3], [1], "one has 3 rows and the other has 1"),
            ([1, 2, 3], [3, 1], "the shorter one is not"),
            ([{"a": 1}, {"a": 2}], [{"a": 3}, {"a": 4}], "2 rows differ"),
            (["a", "b"], ["c", "d"], "2 rows differ"),
            ({"a": 1, "b": 2}, {"a": 3, "b": 4}, "2 rows differ"),
            ({1, 2}, {1, 2, 3, 4}, "one has 2 rows and the other has 4"),
            ({"columns": ["a"], "rows": [[1], [2]]}, {"columns": ["a"], "rows": [[3], [4]]}, "2 rows differ"),
        ):
            self.assertIn(why, self.apart(d, d_prime) or "")

    def test_a_row_apart_or_not_made_of_rows(self):
        own = object()
        for d, d_prime in (
            ([1, 2, 3], [1, 2]),
            ([1, 2, 3], [1, 2, 9]),
            ([1, 2], [1, 2]),
            (3, 5),
            ("words", "other"),
            ({"a": 1, "b": 2}, {"a": 1, "b": 4}),
            ({"a": [1, 2], "b": [3, 4]}, {"a": [1, 5], "b": [3, 6]}),
            ({1: "x"}, {1: "x", 2: "y"}),
            (own, [1, 2, 3]),
            (own, object()),
            ([], [1]),
        ):
            self.assertIsNone(self.apart(d, d_prime), (d, d_prime))

    def test_rows_across_a_tuple_of_arrays(self):
        for relation in ("add-remove", "substitution"):
            for d, d_prime in neighbors(([[1, 2], [3, 4], [5, 6]], [0, 1, 0]), relation):
                self.assertIsNone(self.apart(d, d_prime))
        self.assertIsNotNone(self.apart(([1, 2, 3], [0, 0, 0]), ([7, 8, 3], [1, 1, 0])))


if __name__ == "__main__":
    unittest.main()
