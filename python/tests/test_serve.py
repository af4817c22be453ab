"""Whole programs, run as plaudit runs them: the answers, and nothing but the answers, on standard output."""

import importlib.util
import os
import signal
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import arrays, asking, outcomes, request, run, start

HAS_NUMPY = importlib.util.find_spec("numpy") is not None


class OneByOne(unittest.TestCase):
    def test_a_function_of_the_dataset_and_a_stream(self):
        program = "serve(lambda dataset, random: dataset[0] + random.random())"
        got = outcomes(program, request(3, [10.0]), request(2, [20.0]))
        self.assertEqual([int(o) for o in got], [10, 10, 10, 20, 20])
        self.assertEqual(len(set(o % 10 for o in got[:3])), 3)

    def test_the_seed_decides(self):
        program = "serve(lambda dataset, random: random.random())"
        a, b, c = outcomes(program, request(1, seed=1), request(1, seed=2), request(1, seed=1))
        self.assertEqual(a, c)
        self.assertNotEqual(a, b)

    def test_a_function_of_the_dataset_alone(self):
        for program in [
            "serve(lambda dataset: dataset)",
            "def f(dataset, scale=2.0):\n    return dataset * scale / 2.0\nserve(f)",
            "import functools, operator\nserve(functools.partial(operator.mul, 1.0))",
        ]:
            self.assertEqual(outcomes(program, request(2, 5.0)), [5.0, 5.0])

    def test_global_generators_are_seeded_and_differ_from_the_stream(self):
        program = "import random as r\nserve(lambda d, random: [r.random(), random.random()])"
        first, again = outcomes(program, request(1), request(1))
        self.assertEqual(first, again)
        self.assertNotEqual(first[0], first[1])

    def test_a_hook_for_the_seed_and_none(self):
        hook = "got = []\nserve(lambda d: got[-1], seed=got.append)"
        self.assertEqual(outcomes(hook, request(1, seed=2**63 - 1), request(1, seed=4)), [2**63 - 1, 4])
        left_alone = "import random\nrandom.seed(5)\nserve(lambda d: random.random(), seed=None)"
        first, second = outcomes(left_alone, request(1), request(1))
        self.assertNotEqual(first, second)
        self.assertEqual(outcomes(left_alone, request(1, seed=9)), [first])

    def test_a_table_goes_through_its_rows_by_the_names_of_their_columns(self):
        table = {"columns": ["age", "vote"], "rows": [[31, "yes"], [57, "no"]]}
        for program, expected in [
            ("serve(lambda t: sum(row['age'] for row in t))", 88),
            ("serve(lambda t: len(t))", 2),
            ("serve(lambda t: t['rows'][1][t['columns'].index('vote')])", "no"),
        ]:
            self.assertEqual(outcomes(program, request(1, table)), [expected])
        # No table: it has other keys.
        other = dict(table, more=1)
        self.assertEqual(outcomes("serve(lambda t: len(t))", request(1, other)), [3])

    def test_a_dataset_that_is_a_file_is_loaded_once_or_handed_on_as_its_path(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
            file.write("12")
        dataset = {"file": file.name, "sha256": "0" * 64}
        self.assertEqual(outcomes("serve(lambda d: d)", request(1, dataset)), [file.name])
        loads = "n = []\ndef load(path):\n    n.append(path)\n    return int(open(path).read())\n"
        program = loads + "serve(lambda d: [d, len(n)], load=load, query=lambda d: d)"
        other = dict(dataset, sha256="1" * 64)
        got = outcomes(program, request(2, dataset), asking("query", dataset), request(1, other))
        self.assertEqual(got, [[12, 1], [12, 1], 12, [12, 2]])
        # A value like any other.
        value = dict(dataset, row=1)
        self.assertEqual(outcomes(loads + "serve(lambda d: d['row'], load=load)", request(1, value)), [1])

    def test_seeds_of_fewer_bits(self):
        large = [2**63 - 1, 2**62, 2**62 + 2**40, 5]
        for program, width in [
            ("serve(batch=lambda d, runs, seed: [seed] * runs, seed_bits=32)", 2),
            ("got = []\nserve(lambda d: got[-1], seed=got.append, seed_bits=32)", 2),
        ]:
            got = outcomes(program, *[request(width, seed=seed) for seed in large])
            self.assertTrue(all(0 <= seed < 2**32 for seed in got), got)
            self.assertEqual(len(set(got)), len(large))
            self.assertEqual(got, outcomes(program, *[request(width, seed=seed) for seed in large]))
        # A batch that raises is asked run by run, with seeds of its own that are no larger.
        raises = "def f(d, runs, seed):\n    if runs > 1: raise ValueError\n    return [seed]\n"
        raises += "serve(batch=f, seed_bits=32)"
        got = outcomes(raises, request(5, seed=2**63 - 1))
        self.assertTrue(all(0 <= seed < 2**32 for seed in got), got)
        self.assertEqual(len(set(got)), 5)
        _, err, code = run("serve(lambda d: d, seed_bits=64)")
        self.assertNotEqual(code, 0)
        self.assertIn(b"from 1 to 63", err)

    def test_exceptions_are_outcomes(self):
        program = """
def f(dataset, random):
    if dataset == "exit":
        raise SystemExit(3)
    return 1 / dataset
serve(f)"""
        got = outcomes(program, request(1, 0), request(1, 2), request(1, "exit"))
        self.assertEqual(got, [{"$error": "ZeroDivisionError: division by zero"}, 0.5, {"$error": "SystemExit: 3"}])

    def test_times(self):
        program = "import time\nserve(lambda d: time.sleep(d), clock=True)"
        (got,) = outcomes(program, request(1, 0.02))
        self.assertEqual(set(got), {"$ns", "value"})
        self.assertGreaterEqual(got["$ns"], 20_000_000)

    def test_times_on_two_datasets_in_their_order(self):
        both = dict(request(4), datasets=[5, 7], order=[1, 0, 0, 1])
        del both["dataset"]
        got = outcomes("serve(lambda d: d, clock=True)", both, request(1, 9))
        self.assertEqual([one["value"] for one in got], [7, 5, 5, 7, 9])
        self.assertTrue(all(one["$ns"] > 0 for one in got))
        out, err, code = run("serve(lambda d: d)", both)
        self.assertEqual((out, code), (b"", 2))
        self.assertIn(b"clock=True", err)

    def test_npy_without_numpy(self):
        program = "serve(lambda d, random: random.gauss(d, 1.0))"
        out, err, code = run(program, request(3, 1.0, form="npy"), request(2, 1.0, form="npy"))
        self.assertEqual((err, code), (b"", 0))
        self.assertEqual([shape for _, shape, _ in arrays(out)], [(3,), (2,)])
        lines = outcomes(program, request(3, 1.0))
        self.assertEqual(struct.pack("=3d", *lines), arrays(out)[0][2])

    def test_npy_has_no_errors_and_says_so(self):
        for program, why in [
            ("serve(lambda d: 1 / 0)", b"ZeroDivisionError"),
            ("serve(lambda d: 'a')", b"no number"),
            ("serve(lambda d: 1.0, clock=True)", b"clock"),
        ]:
            out, err, code = run(program, request(3, form="npy"))
            self.assertEqual((out, code), (b"", 2))
            self.assertIn(why, err)
            self.assertIn(b'format = "json"', err)

    def test_many_runs(self):
        got = outcomes("serve(lambda d, random: random.random())", request(5000))
        self.assertEqual(len(set(got)), 5000)


class Queries(unittest.TestCase):
    PROGRAM = "serve(lambda d: 0.0, query=lambda d: [sum(d), len(d)] if d else 1 / 0)"

    def test_what_it_can_do_is_said(self):
        got = outcomes(self.PROGRAM, asking("capabilities", [1.0]), request(1, [1.0]))
        self.assertEqual(got, [{"$capabilities": ["query"]}, 0.0])
        got = outcomes("serve(lambda d: 0.0)", asking("capabilities"))
        self.assertEqual(got, [{"$capabilities": []}])

    def test_answers_have_no_noise_and_exceptions_are_answers(self):
        got = outcomes(self.PROGRAM, asking("query", [0.1, 2.0]), asking("query", []), request(1, []))
        self.assertEqual(got, [[2.1, 2], {"$error": "ZeroDivisionError: division by zero"}, 0.0])

    def test_nobody_asks_in_vain(self):
        for program, ask in [("serve(lambda d: 0.0)", "query"), (self.PROGRAM, "whatever")]:
            out, err, code = run(program, asking(ask, [1.0]))
            self.assertEqual((out, code), (b"", 2))
            self.assertIn(b"plaudit asks for", err)


class InBatch(unittest.TestCase):
    def test_lists_and_iterators(self):
        for body in ["[d] * runs", "(d for _ in range(runs))", "iter([d] * runs)"]:
            self.assertEqual(outcomes("serve(batch=lambda d, runs, seed: %s)" % body, request(3, 1.5)), [1.5] * 3)

    def test_the_seed_is_that_of_the_request(self):
        program = "serve(batch=lambda d, runs, seed: [seed])"
        self.assertEqual(outcomes(program, request(1, seed=2**63 - 1)), [2**63 - 1])

    def test_an_exception_hits_its_own_run_only(self):
        program = """
import random
def f(dataset, runs, seed):
    stream = random.Random(seed)
    answers = [stream.random() for _ in range(runs)]
    if min(answers) < 0.25:
        raise ValueError("too small")
    return answers
serve(batch=f)"""
        got = outcomes(program, request(400))
        errors = [o for o in got if isinstance(o, dict)]
        self.assertEqual(len(got), 400)
        self.assertEqual(errors, [{"$error": "ValueError: too small"}] * len(errors))
        # Bin(400, 0.25) is outside of 40..160 with probability below 1e-10, for a fresh seed.
        self.assertTrue(40 < len(errors) < 160, len(errors))
        self.assertEqual(got, outcomes(program, request(400)))

    def test_a_wrong_number_of_outcomes_ends_the_program(self):
        out, err, code = run("serve(batch=lambda d, runs, seed: [1.0])", request(3))
        self.assertEqual((out, code), (b"", 2))
        self.assertIn(b"returned 1 outcomes where 3 were asked for", err)

    def test_what_is_no_list_is_an_error(self):
        for value in ["'abc'", "{1: 2}", "None", "1.0"]:
            out, err, code = run("serve(batch=lambda d, runs, seed: %s)" % value, request(2))
            self.assertEqual((out, code), (b"", 2))
            self.assertIn(b"the batch function returned", err)

    @unittest.skipUnless(HAS_NUMPY, "numpy is not installed")
    def test_numpy(self):
        program = """
import numpy
def f(dataset, runs, seed):
    return numpy.random.default_rng(seed).normal(dataset, 1.0, (runs, 2))
serve(batch=f)"""
        out, err, code = run(program, request(70000, 1.0, form="npy"))
        self.assertEqual((err, code), (b"", 0))
        ((descr, shape, body),) = arrays(out)
        self.assertEqual(shape, (70000, 2))
        got = outcomes(program, request(70000, 1.0))
        self.assertEqual(struct.pack("=140000d", *(x for row in got for x in row)), body)

    @unittest.skipUnless(HAS_NUMPY, "numpy is not installed")
    def test_numpy_legacy_state_is_seeded(self):
        program = "import numpy\nserve(batch=lambda d, runs, seed: numpy.random.laplace(size=runs))"
        a, b, c = outcomes(program, request(1, seed=2**62), request(1, seed=2), request(1, seed=2**62))
        self.assertEqual(a, c)
        self.assertNotEqual(a, b)


class Streams(unittest.TestCase):
    def test_prints_do_not_reach_plaudit(self):
        program = """
import os, subprocess, sys
def f(dataset, random):
    print("python")
    os.write(1, b"descriptor\\n")
    subprocess.run([sys.executable, "-c", "print('child')"], check=True)
    return 1
serve(f)
print("goodbye")
os.write(1, b"end\\n")"""
        out, err, code = run(program, request(2))
        self.assertEqual((out, code), (b"1\n1\n", 0))
        for text in [b"python", b"descriptor", b"child", b"goodbye", b"end"]:
            self.assertIn(text, err)

    def test_a_mechanism_that_reads_standard_input_takes_no_request(self):
        got = outcomes("import sys\nserve(lambda d: sys.stdin.read())", request(1), request(1))
        self.assertEqual(got, ["", ""])

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_fork_writes_nothing_twice(self):
        program = """
import os
def f(dataset):
    if os.fork() == 0:
        os._exit(0)
    os.wait()
    return 1
serve(f)"""
        self.assertEqual(outcomes(program, request(3)), [1, 1, 1])

    def test_numbers_that_json_lacks_reach_the_mechanism(self):
        program = "serve(lambda d: repr(d))"
        got = outcomes(program, request(1, [{"$number": "nan"}, {"$number": "-inf"}]), request(1, [float("inf")]))
        self.assertEqual(got, ["[nan, -inf]", "[inf]"])

    def test_unknown_keys_and_blank_lines_are_ignored(self):
        got = outcomes("serve(lambda d: d)", "\n", dict(request(1, 5), novelty=[1]), "\n")
        self.assertEqual(got, [5])

    def test_no_requests_no_answers(self):
        self.assertEqual(run("serve(lambda d: d)"), (b"", b"", 0))

    def test_what_is_no_request_ends_the_program_and_says_so(self):
        for line in ["nonsense\n", "[]\n", "{}\n", '{"plaudit": 2}\n', dict(request(1), format="xml")]:
            out, err, code = run("serve(lambda d: d)", line)
            self.assertEqual((out, code), (b"", 2))
            self.assertTrue(err.startswith(b"plaudit: "), err)
            self.assertNotIn(b"Traceback", err)

    def test_a_broken_pipe_is_quiet(self):
        child = start("serve(lambda d: 'x' * 100000)")
        import json

        child.stdin.write((json.dumps(request(100000)) + "\n").encode())
        child.stdin.flush()
        child.stdout.read(10)
        child.stdout.close()
        self.assertEqual(child.wait(timeout=60), 0)
        self.assertEqual(child.stderr.read(), b"")
        child.stderr.close()
        child.stdin.close()

    @unittest.skipIf(os.name == "nt", "no such signals here")
    def test_an_interrupt_is_quiet(self):
        # What runs in the background of a script is born deaf to interrupts.
        hears = "import signal, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        child = start(hears + "serve(lambda d: time.sleep(d))")
        import json
        import time

        child.stdin.write((json.dumps(request(2, 0)) + "\n" + json.dumps(request(1, 60)) + "\n").encode())
        child.stdin.flush()
        self.assertEqual(child.stdout.read(10), b"null\nnull\n")
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        self.assertEqual((out, err, child.returncode), (b"", b"", 130))

    def test_misuse_is_told(self):
        for call in ["serve()", "serve(len, batch=len)", "serve(batch=len, clock=True)"]:
            out, err, code = run(call, request(1))
            self.assertEqual((out, code), (b"", 1))
            self.assertIn(b"TypeError", err)


if __name__ == "__main__":
    unittest.main()
