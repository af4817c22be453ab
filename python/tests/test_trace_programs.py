"""Traces of programs in other languages: none of them imports plaudit."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, ".."))

import plaudit

if os.name != "posix":
    raise unittest.SkipTest("commands are traced on POSIX systems")

# What a program needs, in Python: one line to open, one to write, one to read.
HEAD = """\
import json, os, sys
r, w = (os.fdopen(int(fd), mode) for fd, mode in zip(os.environ["PLAUDIT_DRAWS"].split(","), "rw"))
data = json.loads(sys.stdin.readline())["dataset"]
def ask(draw, **more):
    at = "release.py:%d" % sys._getframe(1).f_lineno
    print(json.dumps({"draw": draw, "at": at, **more}), file=w, flush=True)
    return json.loads(r.readline())["out"]
def noisy(value, scale, **more):
    more.setdefault("at", "release.py:%d" % sys._getframe(1).f_lineno)
    return ask("laplace", value=value, scale=scale, **more)
"""
SHELL = """\
IFS=, read -r r w <<END
$PLAUDIT_DRAWS
END
exec 3<"/dev/fd/$r" 4>"/dev/fd/$w"
read -r request
count=$(printf '%s' "$request" | tr -cd a | wc -c)
printf '{"draw": "laplace", "value": %d, "scale": 1.0, "at": "count.sh:7"}\\n' "$count" >&4
read -r reply <&3
printf '%s\\n' "$reply" | sed 's/.*: \\(.*\\)}/\\1/'
"""


class InAFolder(unittest.TestCase):
    def setUp(self):
        before = os.getcwd()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, before)
        os.chdir(folder.name)

    def program(self, body, head=HEAD, name="release.py"):
        with open(name, "w") as file:
            file.write(head + textwrap.dedent(body))
        return [sys.executable, name]

    def trace(self, body, d=(1, 2, 9), d_prime=(1, 2), **named):
        return plaudit.trace(self.program(body), list(d), list(d_prime), **named)

    def line(self, words):
        with open("release.py") as file:
            return 1 + [i for i, line in enumerate(file) if words in line][-1]

    def found(self, trace):
        return [(one.kind, one.file, one.line) for one in trace.differences]


class Differences(InAFolder):
    def test_a_count_in_a_shell_is_right(self):
        with open("count.sh", "w") as file:
            file.write(SHELL)
        trace = plaudit.trace(["sh", "count.sh"], ["a", "a"], ["a"], epsilon=1.0)
        self.assertFalse(trace.suspected, str(trace))
        self.assertEqual((trace.runs, trace.spent, trace.name), (2, {"epsilon": 1.0, "mu": 0.0}, "count.sh"))
        trace = plaudit.trace(["sh", "count.sh"], ["a", "a", "a"], ["a"], epsilon=1.0)
        self.assertEqual(self.found(trace), [("loss", "count.sh", 7)])
        self.assertIn('printf \'{"draw": "laplace"', str(trace))

    @unittest.skipIf(shutil.which("perl") is None, "perl is not installed")
    def test_a_list_in_perl_is_right(self):
        program = r"""
            my ($r, $w) = split /,/, $ENV{PLAUDIT_DRAWS};
            open(my $in, "<&=$r"); open(my $out, ">&=$w"); $out->autoflush(1);
            my @ages = (<STDIN> =~ /"dataset": \[(.*?)\]/) ? split(/, /, $1) : ();
            my ($young, $old) = (scalar(grep { $_ < 50 } @ages), scalar(grep { $_ >= 50 } @ages));
            print $out "{\"draw\": \"gaussian\", \"value\": [$young, $old], \"sigma\": 2}\n";
            print(<$in> =~ /(\[.*\])/, "\n");
        """
        trace = plaudit.trace(["perl", "-MIO::Handle", "-e", textwrap.dedent(program)], [40, 60], [40], mu=0.5)
        self.assertFalse(trace.suspected, str(trace))
        self.assertEqual(trace.spent, {"epsilon": 0.0, "mu": 0.5})
        self.assertEqual(trace.draws, [("perl#draw:1", "normal", 2)])

    def test_a_number_without_noise_is_data(self):
        trace = self.trace(
            """
            count = noisy(len(data), 1.0)
            print(json.dumps({"count": count, "largest": max(data)}))
            """,
            epsilon=1.0,
        )
        self.assertEqual(self.found(trace), [("data", "release.py", self.line("largest"))], str(trace))
        self.assertTrue(trace.differences[0].exact)

    def test_noise_that_is_used_twice_is_data(self):
        trace = self.trace("x = noisy(sum(data), 9.0)\nprint(json.dumps([x, x - sum(data) + len(data)]))")
        self.assertEqual([one.kind for one in trace.differences], ["data"], str(trace))

    def test_a_value_that_moves_too_far_is_sensitivity(self):
        body = "print(noisy(sum(data), 1.0, sensitivity=1))"
        trace = self.trace(body, epsilon=20.0)
        self.assertEqual(self.found(trace), [("sensitivity", "release.py", self.line("sum(data)"))], str(trace))
        self.assertIn("moves by 9, and laplace was told a sensitivity of 1", trace.differences[0].words)
        self.assertEqual((trace.differences[0].epsilon, trace.spent["epsilon"]), (9.0, 9.0))
        self.assertFalse(self.trace(body.replace("=1)", "=9)"), epsilon=9.0).suspected)

    def test_sensitivities_of_lists_are_of_their_norm(self):
        for draw, bound in [("laplace", 2.0), ("gaussian", 1.42)]:
            for sensitivity, suspected in [(bound, False), (bound - 0.1, True)]:
                body = "print(ask(%r, value=[len(data), -len(data)], scale=1.0, sensitivity=%r))" % (draw, sensitivity)
                with self.subTest(draw, sensitivity=sensitivity):
                    self.assertEqual(self.trace(body).suspected, suspected)

    def test_a_scale_from_the_data_is_scale(self):
        trace = self.trace("print(noisy(len(data), max(data)))")
        self.assertEqual(self.found(trace), [("scale", "release.py", self.line("max(data)"))], str(trace))

    def test_only_one_dataset_raises(self):
        trace = self.trace(
            "x = noisy(len(data), 1.0)\n[][9 - max(data)] if max(data) > 2 else 0\nprint(x)", (1, 2), (1, 9)
        )
        self.assertEqual(self.found(trace), [("exception", "release.py", self.line("[][9"))], str(trace))
        self.assertIn("exit code 1 (IndexError: list index out of range) on D'", trace.differences[0].words)
        trace = self.trace("""print('{"$error": "no rows"}' if len(data) < 3 else noisy(3, 1.0))""")
        self.assertEqual([one.kind for one in trace.differences], ["exception"], str(trace))

    def test_both_end_with_an_error(self):
        trace = self.trace("sys.exit('%d rows' % len(data))")
        self.assertFalse(trace.suspected)
        self.assertIn("nothing is suspected, but both runs end with exit code 1 (3 rows)", str(trace))


class Draws(InAFolder):
    def test_each_law(self):
        body = "print(ask(%r, value=len(data), **%r))"
        for draw, given, spent in [
            ("laplace", {"scale": 2.0}, (0.5, 0.0)),
            ("laplace", {"sensitivity": 1, "epsilon": 0.5}, (0.5, 0.0)),
            ("normal", {"sigma": 2.0}, (0.0, 0.5)),
            ("discrete-laplace", {"scale": 2.0}, (0.5, 0.0)),
            ("gumbel", {"scale": 2.0}, (0.5, 0.0)),
            ("laplace", {"scale": 2.0, "out": 3.25}, (0.5, 0.0)),
            ("snapping", {"sensitivity": 1, "epsilon": 0.5, "out": 3.25}, (0.5, 0.0)),
        ]:
            with self.subTest(draw, **given):
                trace = self.trace(body % (draw, given), epsilon=0.5, delta=0.2)
                self.assertFalse(trace.suspected, str(trace))
                self.assertEqual((trace.spent["epsilon"], trace.spent["mu"]), spent)

    def test_their_spread(self):
        body = "print([x for _ in range(2000) for x in [ask(%r, **%r)]])"
        for draw, given, mean, square in [
            ("laplace", {"scale": 2.0}, 0.0, 8.0),
            ("gaussian", {"scale": 2.0}, 0.0, 4.0),
            ("exponential", {"scale": 2.0}, 2.0, 8.0),
            ("gumbel", {"scale": 1.0}, 0.5772, 1.978),
            ("discrete-laplace", {"scale": 2.0}, 0.0, 7.835),
            ("uniform", {"low": 1, "high": 3}, 2.0, 4.333),
            ("integer", {"low": 1, "high": 3}, 2.0, 4.667),
            ("bernoulli", {"p": 0.25}, 0.25, 0.25),
        ]:
            # Means of 2000 seeded draws, at a distance of many deviations.
            with self.subTest(draw):
                out = self.trace(body % (draw, given), (), ()).outcome
                self.assertAlmostEqual(sum(out) / 2000, mean, delta=0.3)
                self.assertAlmostEqual(sum(x * x for x in out) / 2000, square, delta=0.25 * square)

    def test_the_coin_of_a_randomized_response(self):
        body = "bit = data[0]\nprint(bit if ask('bernoulli', p=0.75) else 1 - bit)"
        trace = self.trace(body, [0], [1], epsilon=1.0986123)
        self.assertFalse(trace.suspected, str(trace))
        self.assertAlmostEqual(trace.spent["epsilon"], 1.0986123, places=6)
        self.assertEqual([one.kind for one in self.trace(body, [0], [1], epsilon=1.0).differences], ["loss"])

    def test_a_uniform_draw_that_decides_is_no_evidence(self):
        body = "bit = data[0]\nprint(bit if ask('uniform') < 0.75 else 1 - bit)"
        trace = self.trace(body, [0], [1], epsilon=1.0986123)
        self.assertFalse(trace.suspected, str(trace))
        self.assertIn("the draw of uniform at line", str(trace))

    def test_noise_of_its_own_is_no_evidence(self):
        body = "import random\nprint([noisy(0, 1.0), len(data) + random.gauss(0, 1)])"
        trace = self.trace(body, epsilon=1.0)
        self.assertFalse(trace.suspected, str(trace))
        self.assertIn("of its own", str(trace))

    def test_the_same_seed_gives_the_same(self):
        body = (
            "import random\nrandom.seed(json.dumps(data))\nprint([noisy(len(data), 1.0), ask('gaussian', sigma=1.0)])"
        )
        first, second, third = (self.trace(body, seed=seed).outcome for seed in (3, 3, 4))
        self.assertEqual(first, second)
        self.assertNotEqual(first, third)

    def test_outcomes(self):
        for text, outcome in [
            ("1", 1),
            ('{"$number": "inf"}', float("inf")),
            ('{"$set": ["a", [1]]}', frozenset(["a", "[1]"])),
            ('{"$ns": 12, "value": [null, "a"]}', [None, "a"]),
        ]:
            with self.subTest(text):
                self.assertEqual(self.trace("print(%r)" % text).outcome, outcome)


class Bounds(InAFolder):
    def refused(self, body, words, **named):
        with self.assertRaisesRegex(RuntimeError, words):
            self.trace(body, **named)

    def test_a_program_that_hangs_is_killed_with_its_children(self):
        start = time.monotonic()
        body = """
            import subprocess, time
            child = subprocess.Popen(["sleep", "600"])
            open("pids", "w").write("%d %d" % (os.getpid(), child.pid))
            time.sleep(600)
            """
        self.refused(body, r"release.py: no end within 1 s: it made 0 draws .* flush", timeout=1)
        self.assertLess(time.monotonic() - start, 20)
        with open("pids") as file:
            for pid in map(int, file.read().split()):
                self.assertTrue(self.ends(pid), pid)

    def ends(self, pid):
        for _ in range(100):
            try:
                os.kill(pid, 0)
                with open("/proc/%d/stat" % pid) as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                        return True
            except OSError:
                return True
            time.sleep(0.05)
        return False

    def test_a_child_that_holds_the_pipes_does_not_hold_the_trace(self):
        body = "import subprocess\nsubprocess.Popen(['sleep', '600'], close_fds=False)\nprint(noisy(len(data), 1.0))"
        self.assertFalse(self.trace(body, epsilon=1.0, timeout=20).suspected)

    def test_what_is_refused(self):
        for body, words in [
            (
                "print('garbage', file=w, flush=True)\nr.readline()",
                r"draw 1 is wrong \(garbage\): a draw is a line such",
            ),
            (
                "w.write('\\x1b]0;x\\x07' + '[' * 9999 + '\\n')\nw.flush()\nr.readline()",
                r"draw 1 is wrong \(\?\]0;x\?\[",
            ),
            ("w.write('x' * 2000000)\nw.flush()", "more than 1 MiB"),
            ("ask('cauchy', value=1)", "law that is not known, send `out`"),
            ("ask('laplace', value=1)", "scale is missing"),
            ("ask('laplace', value=None, scale=1)", "NaN is written"),
            ("ask('laplace', value=1, scale=-1)", "scale is a number of at least 0"),
            ("ask('laplace', value=[0] * 100001, scale=1)", "more than 100000 draws"),
            ('print(\'{"draw": "laplace", "at": "x"}\', file=w, flush=True)\nr.readline()', "at is a file and a line"),
            ("w.write('{')", "has no line feed"),
            ("for _ in range(99): ask('own', out='x' * 1000000)", "more than 64 MiB"),
            ("", "wrote 0 lines for one run"),
            ("print(1)\nprint(2)", "wrote 2 lines"),
            ("print('hello')", "outcome is not JSON: hello"),
            ("print('x' * (17 << 20))", "longer than 16 MiB"),
        ]:
            with self.subTest(body[:60]):
                self.refused(body, words, timeout=20)
        with self.assertRaisesRegex(RuntimeError, "missing: .*cannot be started"):
            plaudit.trace(["./missing"], [1], [2])
        with self.assertRaisesRegex(TypeError, "list of texts"):
            plaudit.trace([], [1], [2])
        with self.assertRaisesRegex(ValueError, "timeout"):
            plaudit.trace(["true"], [1], [2], timeout=0)
        with self.assertRaisesRegex(RuntimeError, "a command gets JSON"):
            plaudit.trace(["true"], object(), [2])

    def test_lines_of_other_files_are_not_read(self):
        for at in ("/etc/passwd:1", "../x:1", "/dev/zero:1", ".:1", "\\0:1", "release.py:999999999"):
            with self.subTest(at):
                trace = self.trace("print(noisy(9 * len(data), 1.0, at='%s'))" % at, epsilon=1.0)
                self.assertEqual([(one.kind, one.text) for one in trace.differences], [("loss", "")])

    def test_large_datasets_and_replies(self):
        trace = self.trace("print(noisy(data, 1.0))", [1] * 40_000, [1] * 40_000)
        self.assertEqual((len(trace.outcome), trace.suspected), (40_000, False))


class Commands(InAFolder):
    def plaudit(self, *arguments, **variables):
        path = os.path.dirname(os.path.dirname(plaudit.__file__))
        environment = {**os.environ, "PYTHONPATH": path, **variables}
        words = [sys.executable, "-m", "plaudit", *arguments]
        return subprocess.run(words, capture_output=True, text=True, env=environment, input="", timeout=60)

    def test_trace(self):
        command = self.program("print(noisy(len(data), 1.0))")
        for name, dataset in [("d.json", [1, 2]), ("e.json", [1]), ("bad.json", None)]:
            with open(name, "w") as file:
                file.write("{" if dataset is None else json.dumps(dataset))
        for claim, code in [("1", 0), ("0.5", 1)]:
            ran = self.plaudit("trace", "--epsilon", claim, "d.json", "e.json", "--", *command)
            self.assertEqual(ran.returncode, code, ran.stderr)
            self.assertIn("the draws cost epsilon 1", ran.stdout)
        for arguments in [
            ("d.json", "bad.json", "--", *command),
            ("d.json", "e.json"),
            ("d.json", "e.json", "--", "false-"),
        ]:
            ran = self.plaudit("trace", *arguments)
            self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran.stderr)
            self.assertNotIn("Traceback", ran.stderr)

    def test_serve(self):
        command = self.program("print(noisy(sum(data), 1.0))")
        asked = json.dumps({"d": [1, 5], "d_prime": [1], "epsilon": 1.0})
        ran = self.plaudit("serve", "--", *command, PLAUDIT_TRACE=asked)
        reply = json.loads(ran.stdout)["trace"]
        self.assertEqual([one["kind"] for one in reply["differences"]], ["loss"], ran.stderr)
        ran = self.plaudit("serve", "--", "sh", "-c", "echo $1; exit 3", "-", "word", PLAUDIT_TRACE="")
        self.assertEqual((ran.returncode, ran.stdout), (3, "word\n"))


PAGE = os.path.join(HERE, "..", "..", "docs", "trace.md")


@unittest.skipIf(shutil.which("node") is None, "node is not installed")
@unittest.skipUnless(os.path.exists(PAGE), "the tests are apart from the repository")
class Page(InAFolder):
    def test_the_example_prints_what_the_page_says(self):
        with open(PAGE, encoding="utf-8") as file:
            section = file.read().split("## Programs in other languages", 1)[1]
        code, printed = (re.search("```%s\n(.*?)```" % word, section, re.S).group(1) for word in ("js", "text"))
        with open("release.js", "w") as file:
            file.write(code)
        trace = plaudit.trace(["node", "release.js"], [40, 60, 95], [40, 60], epsilon=1.0)
        self.assertEqual(str(trace) + "\n", printed)
        request = json.dumps({"dataset": [40, 60]}) + "\n"
        ran = subprocess.run(["node", "release.js"], input=request, capture_output=True, text=True, timeout=60)
        self.assertEqual(set(json.loads(ran.stdout)), {"total", "mean", "oldest"}, ran.stderr)


if __name__ == "__main__":
    unittest.main()
