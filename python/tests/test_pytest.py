"""The pytest plugin: what it makes red and green, what it says, and what it writes."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Where no package is installed, the one beside these tests.
sys.path.append(PACKAGE)

try:
    import pytest  # noqa: F401

    from plaudit import _native
except ImportError as error:
    raise unittest.SkipTest("the plugin needs pytest and the native module: %s" % error) from None

from importlib import metadata, util

HEAD = '''
import plaudit, pytest

def response(probability):
    def answer(votes, random):
        truth = sum(votes) % 2
        return truth if random.random() < probability else 1 - truth
    return answer

good, bad = response(0.75), response(0.95)      # Losses of 1.099 and 2.944.
D, E = [0, 1], [1, 1]

def privacy(**keywords):
    return pytest.mark.privacy(**dict(dict(epsilon=1.1, trials=10_000), **keywords))
'''


def is_installed():
    points = metadata.entry_points()
    group = points.select(group="pytest11") if hasattr(points, "select") else points.get("pytest11", [])
    return any(point.name == "plaudit" for point in group)


class Ran:
    """What a run of pytest came to."""

    def __init__(self, tests, *arguments, ini="", head=HEAD, plugin=True, conftest="", strict=True, **variables):
        with tempfile.TemporaryDirectory() as folder:
            texts = {"test_it.py": head + tests, "pytest.ini": "[pytest]\n" + ini, "conftest.py": conftest}
            for name, text in texts.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            package = os.path.dirname(os.path.dirname(_native.__file__))
            environment = dict(os.environ, PYTHONPATH=package, COLUMNS="200", PYTHONIOENCODING="utf-8")
            environment.pop("PYTEST_ADDOPTS", None)
            environment.update(variables)
            load = ["-p", "plaudit._pytest"] if plugin and not is_installed() else []
            ran = subprocess.run(
                [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rAR", "-q"]
                + ["--strict-markers"] * strict
                + load
                + list(arguments),
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=300,
            )
            self.code = ran.returncode
            self.bytes = ran.stdout
            self.text = ran.stdout.decode("utf-8")
            self.report = None
            report = os.path.join(folder, "report", "report.json")
            if os.path.exists(report):
                with open(report, encoding="utf-8") as file:
                    self.report = json.load(file)
            self.folder = sorted(
                os.path.relpath(os.path.join(place, name), folder).replace(os.sep, "/")
                for place, _, names in os.walk(os.path.join(folder, "report"))
                for name in names
            )
        # "PASSED test_it.py::test_a" and the like, of -rA.
        self.outcomes = {}
        for outcome, test in re.findall(r"^(PASSED|FAILED|ERROR|XFAIL|RERUN) test_it\.py::(\S+)", self.text, re.M):
            self.outcomes.setdefault(outcome, set()).add(test)

    def names(self):
        return [audit["name"] for audit in self.report["audits"]]


class Tests(unittest.TestCase):
    maxDiff = None

    def ran(self, ran, **outcomes):
        """The run, once it is sure that these tests passed and failed, and no others."""
        found = {outcome: sorted(tests) for outcome, tests in ran.outcomes.items()}
        self.assertEqual(found, {outcome: sorted(tests.split()) for outcome, tests in outcomes.items()}, ran.text)
        return ran

    def section(self, ran, title):
        """What stands below a title, up to the next line of dashes."""
        found = re.search(r"^[_-]+ %s [_-]+\n(.*?)^(?:[_=-]{3,})" % re.escape(title), ran.text, re.M | re.S)
        self.assertIsNotNone(found, ran.text)
        return found.group(1)


class Marker(Tests):
    def test_right_is_green_and_wrong_is_red(self):
        ran = self.ran(
            Ran(
                """
@privacy()
def test_good():
    return good, D, E

@privacy()
def test_bad():
    return bad, D, E

@privacy(epsilon=0.5)
def test_dictionary():
    return {"mechanism": good, "d": D, "d_prime": E, "epsilon": 1.1}

@privacy()
def test_weaker_claim_of_a_dictionary():
    return {"mechanism": bad, "d": D, "d_prime": E, "epsilon": 3.2}

@privacy()
def test_pairs():
    return good, [(D, E), ([0], [1])]

@privacy()
def test_bad_pairs():
    return bad, [([0, 0], [0, 2]), ([0], [1])]

@privacy(batch=True, delta=0.0)
def test_batch():
    def draw(votes, runs, random):
        return [good(votes, random) for _ in range(runs)]
    return draw, D, E

@privacy(trials=10_000)
class TestClass:
    @pytest.mark.privacy(epsilon=3.2)
    @pytest.mark.parametrize("probability", [0.75, pytest.param(0.999, marks=pytest.mark.xfail(strict=True))])
    def test_method(self, probability, votes):
        return response(probability), *votes

@pytest.fixture
def votes():
    return D, E

@privacy()
def test_planted():
    return plaudit.mutant(bad), D, E

@privacy()
def test_planted_and_not_found():
    return plaudit.mutant(good), D, E

def test_not_marked():
    pass
"""
            ),
            PASSED="test_good test_dictionary test_weaker_claim_of_a_dictionary test_pairs test_batch "
            "TestClass::test_method[0.75] test_planted test_not_marked",
            FAILED="test_bad test_bad_pairs test_planted_and_not_found",
            XFAIL="TestClass::test_method[0.999]",
        )
        self.assertEqual(ran.code, 1)
        self.assertNotIn("warning", ran.text.lower())
        bad = self.section(ran, "test_bad")
        for words in (
            "plaudit: violated\nThe claim 1.1-DP is refuted.",
            "witness: says D",
            "counts: says D",
            "d:       [0, 1]\nd_prime: [1, 1]\n",
            "called violated with probability at most 1e-06.",
            "To repeat this: pytest test_it.py::test_bad --plaudit-seed 0\n",
            "result.certificate.replay()",
            "trace of test_it.py-test_bad: suspected at ",
            "a decision by noise: its odds cost epsilon 2.94444",
        ):
            self.assertIn(words, bad)
        self.assertNotIn("Traceback", ran.text)
        self.assertIn("verdict is: not refuted", self.section(ran, "test_planted_and_not_found"))
        # What a test that passed has to say.
        good = ran.text.split("PASSES")[1]
        self.assertIn("test_it.py-test_good: not refuted: ε ≥", good)
        self.assertIn("with probability at most 1e-06. A true ε of", good)
        self.assertIn("\n11 audits, sum of alpha 1.1e-05: at most 0.011 false alarms in 1000 runs with ", ran.text)
        words = r"\ntest_it\.py-test_bad: violated: ε ≥ [12]\.\d+ at δ = 0, 1\.1 allowed, p .* \d+ runs"
        self.assertRegex(ran.text, words)

    def test_mutants(self):
        ran = self.ran(
            Ran(
                """
@privacy(mutant=bad)
def test_can_fail():
    return good, D, E

@privacy(mutant=[bad, good])
def test_cannot():
    return good, D, E

@privacy(mutant=lambda votes: 3)
def test_inconclusive_mutant():
    return good, D, E

@privacy(mutant=bad)
def test_bad_itself():
    return bad, D, E
""",
                "--plaudit-report",
                "report",
                "--plaudit-inconclusive=pass",
            ),
            PASSED="test_can_fail",
            FAILED="test_cannot test_inconclusive_mutant test_bad_itself",
        )
        words = "the mutant was not found: this test has not shown that it can fail"
        self.assertIn(words, self.section(ran, "test_cannot"))
        self.assertIn("the mutant was not found", self.section(ran, "test_inconclusive_mutant"))
        self.assertIn("plaudit: violated", self.section(ran, "test_bad_itself"))
        verdicts = {audit["name"][len("test_it.py-test_") :]: audit["verdict"] for audit in ran.report["audits"]}
        self.assertEqual(
            verdicts,
            {
                "can_fail": "not refuted",
                "can_fail-mutant": "violated",
                "cannot": "not refuted",
                "cannot-mutant": "violated",
                "cannot-mutant-2": "not refuted",
                "inconclusive_mutant": "not refuted",
                "inconclusive_mutant-mutant": "inconclusive",
                "bad_itself": "violated",
            },
        )

    def test_wrong_use_is_said_in_a_line(self):
        cases = {
            "nothing": ("", "None", "this one returned None"),
            "number": ("", "3", "this one returned a int"),
            "no_function": ("", "3, D, E", "its mechanism is no function but a int"),
            "keyword": ("epsilom=1.0", "good, D, E", "privacy has no keyword epsilom: do you mean epsilon?"),
            "no_claim": ("epsilon=None", "good, D, E", "there is no claim to audit"),
            "datasets": ("d=[1]", "good, D, E", "d does not go into the marker"),
            "negative": ("epsilon=-1", "good, D, E", "this cannot be audited: epsilon = -1 is invalid"),
            "no_pair": ("", "good, []", "there is no pair of datasets"),
            "pairs": ("", "good, D", "pairs of datasets are a list"),
            "arguments": ("", "(lambda: 1), D, E", "this cannot be audited: too many positional arguments"),
            "unseen": ("", "(lambda votes: object()), D, E", "of which nothing can be seen"),
            "half": ("", '{"mechanism": good, "d": D}', 'has "mechanism", "d" and "d_prime", or "pairs"'),
        }
        tests = "".join(
            "@privacy(%s)\ndef test_%s():\n    return %s\n" % (keywords, name, returned)
            for name, (keywords, returned, _) in cases.items()
        )
        tests += """
@pytest.mark.privacy(1.0)
def test_position():
    return good, D, E

@privacy(epsilon=1.0)
@privacy(epsilon=2.0)
def test_twice():
    return good, D, E

@privacy()
async def test_async():
    return good, D, E

def test_call(privacy):
    privacy.assert_claim(D, E, epsilon=1)

import unittest

class TestOfUnittest(unittest.TestCase):
    @privacy()
    def test_method(self):
        pass
"""
        cases.update(
            position=("", "", "privacy takes keywords only"),
            twice=("", "", "two privacy markers of this test give epsilon: 2.0 and 1.0"),
            call=("", "", "a mechanism is a function of a dataset, and this is a list"),
        )
        cases["async"] = ("", "", "cannot be async")
        failed = " ".join("test_" + name for name in cases) + " TestOfUnittest::test_method"
        ran = self.ran(Ran(tests), FAILED=failed)
        for name, (_, _, words) in cases.items():
            section = self.section(ran, "test_" + name)
            self.assertTrue(section.startswith("plaudit: "), section)
            self.assertIn(words, section)
            self.assertEqual(section.count("\n"), 1, section)
        self.assertIn("so nothing was audited", self.section(ran, "TestOfUnittest.test_method"))

    def test_a_timeout_or_a_skip_is_no_outcome(self):
        ran = self.ran(
            Ran(
                """
@privacy()
def test_stops():
    def f(votes, random):
        if random.random() < 0.01:
            pytest.fail("stopped by another plugin")
        return good(votes, random)
    return f, D, E
"""
            ),
            FAILED="test_stops",
        )
        self.assertIn("stopped by another plugin", ran.text)
        self.assertNotIn("refuted", ran.text)


class Fixture(Tests):
    def test_claims(self):
        ran = self.ran(
            Ran(
                """
def test_result(privacy):
    result = privacy.assert_claim(good, D, E, epsilon=1.1, trials=10_000)
    assert result.verdict is plaudit.Verdict.NOT_REFUTED
    assert result.seed == 0 and result.alpha == 1e-6 and 500 < result.trials < 10_000

def test_failure(privacy):
    with pytest.raises(pytest.fail.Exception) as caught:
        privacy.assert_claim(bad, D, E, epsilon=1.1, trials=10_000)
    assert caught.value.result.certificate.replay().confirmed

def test_bad(privacy):
    privacy.assert_claim(bad, D, E, epsilon=1.1, trials=10_000)

def test_more(privacy):
    def draw(votes, runs, random):
        return [good(votes, random) for _ in range(runs)]
    privacy.assert_claim(draw, D, E, epsilon=1.1, trials=10_000, batch=True, mutant=draw_bad)
    # The same evidence once more, which a report has but once.
    privacy.assert_claim(batch=draw, pairs=[(D, E)], epsilon=1.1, trials=10_000)
    privacy.assert_claim(bad, D, E, epsilon=1.1, trials=10_000, expect="violated")

def draw_bad(votes, runs, random):
    return [bad(votes, random) for _ in range(runs)]
""",
                "--plaudit-report=report",
            ),
            PASSED="test_result test_failure test_more",
            FAILED="test_bad",
        )
        self.assertRegex(self.section(ran, "test_bad"), r"^plaudit: violated \(test_it\.py, line \d+\)\n")
        names = [name[len("test_it.py-test_") :] for name in ran.names() if "more" in name]
        self.assertEqual(sorted(names), ["more", "more-2", "more-mutant"])

    @unittest.skipUnless(util.find_spec("hypothesis"), "needs hypothesis")
    def test_examples_of_hypothesis_replay(self):
        tests = """
from hypothesis import given, settings, strategies

short = settings(deadline=None, max_examples=4, database=None, derandomize=True)
lists = strategies.lists(strategies.integers(0, 1), min_size=1, max_size=3)

@short
@given(votes=lists)
def test_good(privacy, votes):
    privacy.assert_claim(good, votes, [1 - votes[0]] + votes[1:], epsilon=1.1, trials=1000)

@short
@given(votes=lists)
def test_bad(privacy, votes):
    answer = bad if len(votes) > 1 else good
    privacy.assert_claim(answer, votes, [1 - votes[0]] + votes[1:], epsilon=1.1, trials=1000)

@privacy()
@given(votes=lists)
def test_marked(votes):
    return good, votes, votes
"""
        first = self.ran(Ran(tests), PASSED="test_good", FAILED="test_bad test_marked")
        bad = self.section(first, "test_bad")
        self.assertIn("d:       [0, 0]\nd_prime: [1, 0]\n", bad)
        if sys.version_info >= (3, 11):
            self.assertIn("votes=[0, 0]", bad)
        self.assertNotIn("Flaky", first.text)
        self.assertIn("a property-based test returns nothing", first.text)
        second = Ran(tests)
        self.assertEqual(bad, self.section(second, "test_bad"))


class Options(Tests):
    TESTS = """
@pytest.mark.privacy(epsilon=1.1, until=None)
def test_default():
    return good, D, E

@pytest.mark.privacy(epsilon=1.1, trials=10_000, alpha=1e-5, seed=5, until=None)
def test_marker():
    return good, D, E
"""

    def settings(self, ran):
        return {
            audit["name"][len("test_it.py-test_") :]: (audit["trials"]["total"], audit["alpha"], audit["seed"])
            for audit in ran.report["audits"]
        }

    def test_the_command_line_comes_first_and_the_ini_last(self):
        ini = "plaudit_trials = 4_000\nplaudit_alpha = 1e-4\nplaudit_seed = 7\n"
        ran = self.ran(Ran(self.TESTS, "--plaudit-report=report", ini=ini), PASSED="test_default test_marker")
        self.assertEqual(self.settings(ran), {"default": (4000, 1e-4, 7), "marker": (10_000, 1e-5, 5)})
        options = ["--plaudit-trials=2e4", "--plaudit-alpha=0.001", "--plaudit-seed=9"]
        ran = self.ran(
            Ran(self.TESTS, "--plaudit-report=report", *options, ini=ini), PASSED="test_default test_marker"
        )
        self.assertEqual(self.settings(ran), {"default": (20_000, 0.001, 9), "marker": (20_000, 0.001, 9)})
        self.assertIn("2 audits, sum of alpha 0.002: at most 2 false alarms in 1000 runs", ran.text)

    def test_the_command_that_repeats_a_failure_has_the_options(self):
        ran = Ran("@privacy()\ndef test_bad():\n    return bad, D, E\n", "--plaudit-trials=2000", "--plaudit-seed=3")
        self.assertIn("pytest test_it.py::test_bad --plaudit-seed 3 --plaudit-trials 2000\n", ran.text)

    def test_wrong_values(self):
        for arguments, ini, words in [
            (["--plaudit-trials=3"], "", "must be between 100 and 10**12"),
            (["--plaudit-trials=many"], "", "--plaudit-trials"),
            (["--plaudit-alpha=2"], "", "must be between 1e-12 and 0.5"),
            (["--plaudit-seed=-1"], "", "must be between 0 and 2**64 - 1"),
            (["--plaudit-inconclusive=maybe"], "", "invalid choice"),
            ([], "plaudit_seed = x\n", "plaudit_seed = 'x' in the ini file"),
        ]:
            ran = Ran(self.TESTS, *arguments, ini=ini)
            self.assertEqual(ran.code, 4, ran.text)
            self.assertIn(words, ran.text)
            self.assertNotIn("Traceback", ran.text)

    def test_inconclusive(self):
        tests = """
@privacy()
def test_constant():
    return (lambda votes: 3), D, E

def test_call(privacy):
    result = privacy.assert_claim(lambda votes: 3, D, E, epsilon=1.1, trials=10_000)
    assert result.verdict is plaudit.Verdict.INCONCLUSIVE

def test_planted(privacy):
    privacy.assert_claim(lambda votes: 3, D, E, epsilon=1.1, trials=10_000, expect="violated")
"""
        ran = self.ran(Ran(tests), FAILED="test_constant test_call test_planted")
        self.assertIn("plaudit: inconclusive, which is no pass", self.section(ran, "test_constant"))
        self.assertIn("all outcomes on both datasets were the same", self.section(ran, "test_constant"))
        ran = Ran(tests, "--plaudit-inconclusive=warn")
        self.ran(ran, PASSED="test_constant test_call", FAILED="test_planted")
        self.assertIn("PlauditInconclusive: plaudit: inconclusive. The claim could not be tested", ran.text)
        ran = Ran(tests, "--plaudit-inconclusive=pass")
        self.ran(ran, PASSED="test_constant test_call", FAILED="test_planted")
        self.assertNotIn("PlauditInconclusive", ran.text)

    def test_nothing_runs_and_nothing_is_loaded_without_need(self):
        check = """
import sys

def test_not_marked():
    for name in ("numpy", "plaudit._native", "plaudit._api", "plaudit._result"):
        assert name not in sys.modules, name
"""
        ran = self.ran(Ran(check, "-p", "no:hypothesispytest", head=""), PASSED="test_not_marked")
        self.assertNotIn("plaudit", ran.text)
        for arguments in (["--collect-only"], ["-k", "nothing"], ["--setup-only", "-k", "nothing"]):
            ran = Ran("@privacy()\ndef test_a():\n    open('ran', 'w'); assert 0\n", *arguments)
            self.assertNotIn("audit", ran.text)
            self.assertIn(ran.code, (0, 5))
        self.assertIn("@pytest.mark.privacy(epsilon=None", Ran("", "--markers").text)


class WithoutThePlugin(Tests):
    """Marked tests where pytest does not load the plugin: an error, whatever else."""

    TESTS = """
@pytest.fixture
def votes():
    return D

@privacy()
def test_good(votes):
    return good, votes, E

@privacy()
def test_bad(votes):
    return bad, votes, E
"""
    LINE = 'pytest_plugins = ["plaudit.pytest"]\n'
    OFF = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def test_the_line_loads_it(self):
        for options in ({}, {"plugin": False, **self.OFF}, {"plugin": False, "strict": False, **self.OFF}):
            ran = self.ran(Ran(self.TESTS, conftest=self.LINE, **options), PASSED="test_good", FAILED="test_bad")
            self.assertIn("violated", ran.text)
            self.assertNotIn("already", ran.text)
        ran = Ran(self.TESTS, "--plaudit-trials", "2000", conftest=self.LINE, plugin=False, **self.OFF)
        self.assertEqual(ran.code, 1, ran.text)

    def test_the_line_is_an_error_where_it_is_switched_off_or_missing(self):
        for strict in (True, False):
            ran = Ran(self.TESTS, "-p", "no:plaudit", conftest=self.LINE, plugin=False, strict=strict)
            self.assertEqual(ran.code, 4, ran.text)
            self.assertIn("-p no:plaudit switches off the audits", ran.text)
            self.assertEqual(ran.outcomes, {})
        missing = self.LINE.replace("plaudit", "plaudit_that_is_not_installed")
        ran = Ran(self.TESTS, conftest=missing, plugin=False)
        self.assertNotIn(ran.code, (0, 1), ran.text)
        self.assertEqual(ran.outcomes, {})

    def test_strict_markers_refuse_the_marker(self):
        for arguments, variables in ((["-p", "no:plaudit"], {}), ([], self.OFF)):
            ran = Ran(self.TESTS, *arguments, plugin=False, **variables)
            self.assertNotEqual(ran.code, 0, ran.text)
            self.assertIn("'privacy' not found in `markers` configuration option", ran.text)
            self.assertNotIn("PASSED", ran.outcomes)


class Report(Tests):
    TESTS = """
@privacy()
@pytest.mark.parametrize("i", ["a/b", "a b", "..", "\\N{GREEK SMALL LETTER EPSILON}"])
def test_p(i):
    return good, D, E

class TestOf1:
    @privacy()
    def testLONG(self):
        return good, D, E

class TestOf2(TestOf1):
    pass

@privacy(mutant=bad)
def testLONG():
    return good, D, E

@privacy()
def test_bad():
    return bad, D, E

def test_calls(privacy):
    for d_prime in ([1, 1], [0, 0], [1, 1]):
        privacy.assert_claim(good, D, d_prime, epsilon=1.1, trials=10_000)
""".replace("LONG", "x" * 100)

    def check(self, ran):
        self.assertEqual(ran.code, 1)
        names = ran.names()
        self.assertEqual(len(names), len(set(names)))
        for name in names:
            self.assertRegex(name, r"\A[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}\Z")
        # Four, two, two with the mutant, one; and of three calls the third is the first again.
        self.assertEqual(len(names), 11, names)
        self.assertIn("test_it.py-test_p-a-b", names)
        self.assertIn("test_it.py-test_p-a-b-2", names)
        self.assertIn("test_it.py-test_calls-2", names)
        self.assertEqual(sum(name.startswith("report/certificates/") for name in ran.folder), 2)
        self.assertIn("report/index.html", ran.folder)
        self.assertIn("Report: ", ran.text)
        second = next(audit for audit in ran.report["audits"] if audit["name"] == "test_it.py-test_calls-2")
        self.assertIn("This audit ran as `test_it.py-test_calls`: its random streams have that name.", second["notes"])
        return sorted((audit["name"], audit["verdict"], audit["epsilon_lower"]) for audit in ran.report["audits"])

    def test_one_report_with_names_of_its_own_whatever_runs_the_tests(self):
        alone = self.check(Ran(self.TESTS, "--plaudit-report=report"))
        if util.find_spec("xdist") is None:
            self.skipTest("needs pytest-xdist")
        shared = Ran(self.TESTS, "--plaudit-report=report", "-n2")
        self.assertEqual(alone, self.check(shared))
        self.assertIn("11 audits, sum of alpha 1.1e-05", shared.text)

    @unittest.skipUnless(util.find_spec("xdist"), "needs pytest-xdist")
    def test_a_worker_that_dies_is_missed(self):
        ran = Ran(
            """
import os

@privacy()
def test_a():
    return good, D, E

def test_b():
    os._exit(1)
""",
            "-n1",
        )
        self.assertEqual(ran.code, 1)
        self.assertIn("The audits of a worker that ended early are missing here.", ran.text)

    def test_no_audit_and_no_place(self):
        ran = Ran("def test_a():\n    pass\n", "--plaudit-report=report")
        self.assertEqual((ran.code, ran.report), (0, None))
        self.assertIn("No audit ran, so no report was written.", ran.text)
        ran = Ran("@privacy()\ndef test_a():\n    return good, D, E\n", "--plaudit-report=test_it.py")
        self.assertEqual(ran.code, 1, ran.text)
        self.assertIn("The report could not be written", ran.text)


class Reruns(Tests):
    @unittest.skipUnless(util.find_spec("pytest_rerunfailures"), "needs pytest-rerunfailures")
    def test_red_stays_red(self):
        tests = """
count = {}

def first(test):
    count[test] = count.get(test, 0) + 1
    return count[test] == 1

@privacy()
def test_marked():
    return bad if first("marked") else good, D, E

def test_call(privacy):
    privacy.assert_claim(bad if first("call") else good, D, E, epsilon=1.1, trials=10_000)

def test_no_call(privacy):
    if first("no call"):
        privacy.assert_claim(bad, D, E, epsilon=1.1, trials=10_000)

@privacy()
def test_flaky():
    assert not first("flaky")
    return good, D, E

def test_flaky_though_caught(privacy):
    with pytest.raises(pytest.fail.Exception):
        privacy.assert_claim(bad, D, E, epsilon=1.1, trials=10_000)
    assert not first("caught")
"""
        ran = self.ran(
            Ran(tests, "--reruns=2"),
            FAILED="test_marked test_call test_no_call",
            PASSED="test_flaky test_flaky_though_caught",
            RERUN="test_marked test_call test_no_call test_flaky test_flaky_though_caught",
        )
        self.assertIn("3 failed, 2 passed, 8 rerun", ran.text)
        for name in ("test_marked", "test_call", "test_no_call"):
            section = self.section(ran, name)
            self.assertEqual(section.count("The same seed gives the same evidence: a rerun is no second opinion."), 1)
            self.assertIn("The claim 1.1-DP is refuted.", section)


class Hostile(Tests):
    def test_no_control_characters_reach_the_terminal(self):
        evil = "\\x1b[31m\\x07\\u202e\\x9b2J\\r\\nPASSED test_it.py::test_forged\\n\\ud800\\x1b]0;title\\x07"
        ran = Ran(
            """
EVIL = "%s"

@privacy()
def test_text():
    return (lambda votes: EVIL + str(len(votes))), [EVIL], [EVIL, "b"]

@privacy()
def test_error():
    def f(votes):
        if len(votes) > 1:
            raise ValueError(EVIL)
        return {EVIL: EVIL}
    return f, [EVIL], [EVIL, "b" * 5000]

@privacy()
def test_constant():
    return (lambda votes: EVIL), [EVIL], [EVIL, "b"]

@privacy(relation=EVIL)
def test_relation():
    return good, D, E

@privacy()
@pytest.mark.parametrize("i", [EVIL.replace("\\ud800", "")])
def test_p(i):
    return bad, D, E
"""
            % evil,
            "--color=no",
        )
        self.assertEqual(ran.code, 1)
        for character in (b"\x1b", b"\x07", b"\r", "\u202e".encode(), "\x9b".encode()):
            self.assertNotIn(character, ran.bytes)
        self.assertNotIn("\nPASSED test_it.py::test_forged", ran.text)
        self.assertIn("\\x1b", ran.text)
        self.assertLess(max(map(len, ran.text.splitlines())), 3000)


class Page(Tests):
    def test_the_example_runs(self):
        page = os.path.join(os.path.dirname(PACKAGE), "docs", "pytest.md")
        if not os.path.exists(page):
            self.skipTest("the documentation is not here")
        with open(page, encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertEqual(len(blocks), 2)
        self.ran(Ran(blocks[0], head="", conftest=blocks[1]), PASSED="test_answer test_sizes")


if __name__ == "__main__":
    unittest.main()
