"""Traces: of mechanisms with mistakes at known lines, and of right ones."""

import importlib.util
import inspect
import json
import os
import random
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))
sys.path.append(os.path.join(HERE, "traced"))

if importlib.util.find_spec("numpy") is None:
    raise unittest.SkipTest("numpy is not installed")

import numpy
import right
import wrong
from support import start

import plaudit
from plaudit import rows

HAS_ENGINE = importlib.util.find_spec("plaudit._native") is not None


def lines_with(function, word):
    source, first = inspect.getsourcelines(function)
    return {first + i for i, line in enumerate(source) if word in line}


def named(function):
    return getattr(function, "__name__", type(function).__name__)


@unittest.skipIf(tuple(map(int, numpy.__version__.split(".")[:2])) < (2, 1), "numpy is older than 2.1")
class Lines(unittest.TestCase):
    def test_mistakes_are_found_at_their_lines(self):
        for function, (d, d_prime), claim in wrong.CASES:
            if function is wrong.many and not HAS_ENGINE:
                continue
            with self.subTest(function.__name__):
                trace = plaudit.trace(function, d, d_prime, **claim)
                self.assertTrue(trace.suspected)
                found = {one.line for one in trace.differences}
                from_here = {line.line for one in trace.differences for line in one.lines}
                self.assertTrue(lines_with(function, "# BUG") & (found | from_here), (found, from_here))
                self.assertEqual({os.path.abspath(one.file) for one in trace.differences}, {wrong.__file__})

    def test_mistakes_are_found_from_a_domain(self):
        for function, (d, d_prime), claim in wrong.CASES:
            domain = wrong.DOMAINS.get(function, rows(lower=0, upper=3, integers=True, size=(0, 8)))
            if function is wrong.many and not HAS_ENGINE:
                continue
            relation = "substitution" if len(d) == len(d_prime) else "add-remove"
            with self.subTest(function.__name__):
                trace = plaudit.trace(function, domain=domain, relation=relation, **claim)
                found = {line.line for one in trace.differences for line in (one, *one.lines)}
                self.assertTrue(lines_with(function, "# BUG") & found, str(trace))
                self.assertLessEqual(trace.pairs, 60)

    def test_right_ones_are_not_suspected(self):
        for function, (d, d_prime), claim in right.CASES:
            for seed in range(5):
                with self.subTest(named(function), seed=seed):
                    trace = plaudit.trace(function, d, d_prime, seed=seed, **claim)
                    self.assertFalse(trace.suspected, str(trace))

    def test_what_is_spent(self):
        for function, spent in [
            (right.count, {"epsilon": 1.0, "mu": 0.0}),
            (right.histogram, {"epsilon": 1.0, "mu": 0.0}),
            (right.response, {"epsilon": 1.0, "mu": 0.0}),
            (right.gaussian_vector, {"epsilon": 0.0, "mu": 0.25}),
            (right.two_sums, {"epsilon": 1.0, "mu": 0.0}),
        ]:
            with self.subTest(function.__name__):
                d, d_prime = next(pair for one, pair, _ in right.CASES if one is function)
                found = plaudit.trace(function, d, d_prime).spent
                for word, value in spent.items():
                    self.assertAlmostEqual(found[word], value, delta=0.06 * value)


class Untouched(unittest.TestCase):
    def test_the_outcome_is_that_without_a_trace(self):
        for function, (d, d_prime), _ in right.CASES:
            kind = "rng" if "rng" in inspect.signature(function).parameters else "random"
            if kind not in inspect.signature(function).parameters:
                continue
            with self.subTest(named(function)):
                trace = plaudit.trace(function, d, d_prime, seed=5)
                given = numpy.random.default_rng(5) if kind == "rng" else random.Random(5)
                outcome = function(d, given)
                self.assertIs(type(trace.outcome), type(outcome))
                numpy.testing.assert_equal(trace.outcome, outcome)

    def test_nothing_stays(self):
        def raises(data, rng):
            rng.laplace()
            raise KeyError("3")

        before = {name: vars(random)[name] for name in ("random", "gauss", "choice", "seed")}
        classes = dict(vars(random.Random))
        numpy_before = (numpy.array, numpy.random.laplace, numpy.random.default_rng, numpy.random.RandomState)
        code, state = raises.__code__, random.getstate()
        trace = plaudit.trace(raises, [1], [2])
        self.assertFalse(trace.suspected)
        for stop in (KeyboardInterrupt, SystemExit):

            def stopped(data, stop=stop):
                raise stop

            with self.assertRaises(stop):
                plaudit.trace(stopped, [1], [2])
        self.assertEqual(before, {name: vars(random)[name] for name in before})
        self.assertEqual(classes, dict(vars(random.Random)))
        self.assertEqual(
            numpy_before, (numpy.array, numpy.random.laplace, numpy.random.default_rng, numpy.random.RandomState)
        )
        self.assertIs(raises.__code__, code)
        self.assertEqual(random.getstate(), state)
        self.assertIs(type(numpy.random.default_rng(0)), numpy.random.Generator)

    def test_datasets_stay(self):
        data = [1, 2]
        plaudit.trace(lambda data: data.append(3), data, [1])
        self.assertEqual(data, [1, 2])

    def test_it_is_imported_when_it_is_asked_for(self):
        import subprocess

        program = "import plaudit, sys; plaudit.serve; print('plaudit._tracing' in sys.modules, 'numpy' in sys.modules)"
        environment = dict(os.environ, PYTHONPATH=os.path.join(HERE, ".."))
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
        self.assertEqual(out.stdout.split(), ["False", "False"])

    def test_a_slow_function_runs_twice(self):
        def slow(data, rng):
            time.sleep(0.2)
            return len(data) + rng.laplace()

        trace = plaudit.trace(slow, [1], [], epsilon=1.0)
        self.assertEqual((trace.runs, trace.suspected), (2, False))


class Ways(unittest.TestCase):
    def test_batch_and_primitives(self):
        def noisy(value, scale, rng):
            return value + scale * float(numpy.random.default_rng().standard_cauchy())

        plaudit.primitive(noisy, scale="scale", sensitivity=1.0)
        self.addCleanup(plaudit._tracing.REGISTERED.clear)

        def count(data, rng):
            return noisy(3 * len(data), 3.0, rng)

        globals()["noisy"] = noisy
        trace = plaudit.trace(count, [1], [1, 2], epsilon=1.0)
        self.assertEqual([one.kind for one in trace.differences][0], "sensitivity")
        self.assertIn("moves by 3", trace.differences[0].words)

        def batch(data, runs, rng):
            return len(data) + rng.laplace(0, 1, runs)

        trace = plaudit.trace(batch=batch, d=[1], d_prime=[1, 2], epsilon=1.0)
        self.assertFalse(trace.suspected, str(trace))

    def test_what_a_closure_holds(self):
        import numpy as library

        generator = library.random.default_rng(1)

        def count(data):
            return library.round(len(data) + generator.laplace(0, 0.5), 3) + library.random.laplace(0, 0.5)

        trace = plaudit.trace(count, [1], [1, 2], epsilon=1.0)
        self.assertEqual([one.kind for one in trace.differences], ["loss"], str(trace))
        self.assertEqual(trace.notes, [])
        self.assertIs(type(generator), numpy.random.Generator)

    def test_methods_and_parts_of_arrays(self):
        class Mechanism:
            def __init__(self, scale):
                self.scale = scale

            def release(self, data, rng):
                steps = rng.geometric(1 - numpy.exp(-1 / self.scale), (2, 3))
                return numpy.round(numpy.bincount(data, minlength=3) + steps[0] - steps[1], 2)

        for scale, suspected in [(2.0, False), (1.0, True)]:
            trace = plaudit.trace(Mechanism(scale).release, [0, 1, 2], [0, 1, 1], epsilon=1.0)
            self.assertEqual((trace.suspected, trace.notes), (suspected, []), str(trace))
            self.assertAlmostEqual(trace.spent["epsilon"], 2 / scale)

    def test_an_exception_of_both_runs_is_noted(self):
        trace = plaudit.trace(lambda data: data.missing, [1], [2])
        self.assertFalse(trace.suspected)
        self.assertIn("both runs end with AttributeError", trace.notes[0])

    def test_state_between_runs_is_no_difference(self):
        left = [1]

        def once(data, rng):
            left.pop()
            return len(data) + rng.laplace()

        trace = plaudit.trace(once, [1], [1, 2], epsilon=1.0)
        self.assertFalse(trace.suspected, str(trace))
        self.assertIn("keeps state between runs", trace.notes[0])

    def test_relations_of_domains(self):
        def wrapped(numbers, rng):
            return (numbers[0] + 2**31) % 2**32 - 2**31 + rng.laplace(0, 1)

        numbers = rows(lower=0, upper=2**32 - 1, integers=True, size=1)
        trace = plaudit.trace(wrapped, domain=numbers, relation={"linf": 1.0}, epsilon=1.0)
        self.assertEqual([one.kind for one in trace.differences], ["loss"])
        self.assertEqual(sorted(trace.pair, key=repr), [[2**31 - 1], [2**31]])

        def visits(table, rng):
            return len(table["rows"]) + rng.laplace(0, 1)

        people = plaudit.table(
            {"who": plaudit.column(values=["a", "b"]), "x": plaudit.column(lower=0, upper=1)}, size=(0, 9)
        )
        for relation, suspected in [("remove_all", True), ("replace_all", False)]:
            trace = plaudit.trace(visits, domain=people, relation={relation: "who"}, epsilon=1.0)
            self.assertEqual(trace.suspected, suspected, str(trace))

    def test_a_program(self):
        program = "def f(data, rng):\n    return sum(data) + rng.laplace(0, 1)\nserve(f)\n"
        request = json.dumps({"d": [1, 5], "d_prime": [1], "epsilon": 1.0})
        os.environ["PLAUDIT_TRACE"] = request
        try:
            child = start(program)
        finally:
            del os.environ["PLAUDIT_TRACE"]
        out, err = child.communicate(timeout=60)
        reply = json.loads(out)["trace"]
        self.assertTrue(reply["suspected"], err)
        self.assertEqual([(one["line"], one["kind"]) for one in reply["differences"]], [(3, "loss")])
        self.assertEqual(reply["spent"], {"epsilon": 5.0, "mu": 0.0})
        self.assertIn("suspected at", reply["words"])

    def test_what_is_said_of_what_was_not_followed(self):
        def hidden(data):
            source = importlib.import_module("os").urandom(8)
            return data[0] + int.from_bytes(source, "big")

        trace = plaudit.trace(hidden, [0], [1], epsilon=1.0)
        self.assertFalse(trace.suspected)
        self.assertIn(
            "nothing is suspected, but outcome differs, and reacts to noise that was not followed", str(trace)
        )

        def nothing(data, rng):
            return data["made"]

        made = {"made": (number for number in [1])}
        self.assertIn("suspected", json.dumps(plaudit.trace(nothing, made, made).to_json()))
        trace = plaudit.trace(lambda data, rng: len(data) + rng.laplace(), [1], [1, 2], rho=0.1)
        self.assertIn("not held against the claim", trace.notes[0])

    def test_what_is_refused(self):
        def f(data, rng):
            return rng.laplace()

        for named_, error, words in [
            ({"epsilon": -1.0}, ValueError, "at least 0"),
            ({"delta": 1.0}, ValueError, "below 1"),
            ({"domain": rows(lower=0, upper=1, size=2), "relation": {"remove_all": "a"}}, ValueError, "give pairs"),
            ({"pairs": []}, ValueError, "no pair"),
        ]:
            with self.assertRaisesRegex(error, words):
                plaudit.trace(f, [1], [2], **named_)
        with self.assertRaisesRegex(TypeError, "give a function"):
            plaudit.trace(d=[1], d_prime=[2])
        with self.assertRaisesRegex(TypeError, "no parameter"):
            plaudit.primitive(f, scale="width")
        with self.assertRaisesRegex(TypeError, "is unknown"):
            plaudit.primitive(f, size=1)


if __name__ == "__main__":
    unittest.main()
