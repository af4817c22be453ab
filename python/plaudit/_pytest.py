"""The pytest plugin: the marker and the fixture `privacy`.

pytest loads this in every session of an environment where plaudit is installed. So the engine and numpy are imported
only when an audit runs.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import re
import shlex
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Sequence, Set, Tuple, Union

import pytest

if TYPE_CHECKING:
    from ._result import Result

_DEFAULTS: Dict[str, Any] = {"trials": 100_000, "alpha": 1e-6, "seed": 0}
_CLAIM = ("epsilon", "delta", "mu", "rho", "claim")
_NAME = 100
"""Characters that the name of an audit may have."""
_LISTED = 50
"""Audits that the summary lists, unless pytest is told to be verbose."""
_SECTIONS = 20
"""Audits that a test's own section tells of."""
_MARKER = (
    "privacy(epsilon=None, delta=None, mu=None, rho=None, claim=None, relation=None, batch=False, mutant=None, "
    "trials=100000, alpha=1e-6, seed=0, until='clear', ...): audit the mechanism that the test returns, as "
    "(mechanism, d, d_prime), and fail unless the verdict is as expected. Other keywords go to plaudit.audit. "
    "mutant: a broken mechanism that must be found out"
)
_SAME = "The same seed gives the same evidence: a rerun is no second opinion."


class PlauditInconclusive(UserWarning):
    """An audit was inconclusive, and `--plaudit-inconclusive warn` lets it pass."""


# Options.


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("plaudit", "privacy audits (plaudit)")
    group.addoption(
        "--plaudit-trials", type=_argument(_trials), metavar="N", help="Runs of an audit, or a time such as 30s."
    )
    group.addoption(
        "--plaudit-alpha", type=_argument(_alpha), metavar="A", help="Chance of a false alarm in an audit, at most."
    )
    group.addoption("--plaudit-seed", type=_argument(_seed), metavar="S", help="Seed of all audits.")
    group.addoption("--plaudit-report", metavar="DIR", help="Write one report of all audits to this folder.")
    group.addoption(
        "--plaudit-inconclusive",
        choices=("fail", "warn", "pass"),
        default="fail",
        help="What becomes of a test whose audit is inconclusive (default: fail).",
    )
    parser.addini("plaudit_trials", "Runs of an audit, unless its test says otherwise (default: 100000).")
    parser.addini("plaudit_alpha", "Chance of a false alarm, unless the test says otherwise (default: 1e-6).")
    parser.addini("plaudit_seed", "Seed of the audits, unless their tests say otherwise (default: 0).")


def _trials(text: str) -> Union[int, str]:
    if re.fullmatch(r"[0-9.]+ ?(s|min|h)", text):
        return text
    runs = _whole(text)
    if not 100 <= runs <= 10**12:
        raise ValueError("must be between 100 and 10**12, or a time such as 30s")
    return runs


def _alpha(text: str) -> float:
    alpha = float(text)
    if not 1e-12 <= alpha <= 0.5:
        raise ValueError("must be between 1e-12 and 0.5")
    return alpha


def _seed(text: str) -> int:
    seed = _whole(text)
    if not 0 <= seed < 2**64:
        raise ValueError("must be between 0 and 2**64 - 1")
    return seed


def _whole(text: str) -> int:
    """100000, 100_000 or 1e5."""
    try:
        return int(text)
    except ValueError:
        pass
    number = float(text)
    if not number.is_integer():
        raise ValueError("must be a whole number")
    return int(number)


_PARSERS: Dict[str, Callable[[str], Any]] = {"trials": _trials, "alpha": _alpha, "seed": _seed}


def _argument(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """A parser with errors that argparse shows."""

    def parsed(text: str) -> Any:
        import argparse

        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError("%r: %s" % (text, error)) from None

    return parsed


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)
    plugin = _Plugin(config)
    config.stash[_PLUGIN] = plugin
    config.pluginmanager.register(plugin, "plaudit-session")


# Tests.


@pytest.fixture(scope="session")
def privacy(request: pytest.FixtureRequest) -> Privacy:
    """Audits in a test: `privacy.assert_claim(function, d, d_prime, epsilon=1.0)`."""
    return Privacy(request.config.stash[_PLUGIN])


class Privacy:
    """The fixture `privacy`. It lives as long as the session, so that property-based tests may use it, too."""

    def __init__(self, plugin: _Plugin) -> None:
        self._plugin = plugin

    def __repr__(self) -> str:
        return "privacy"

    def assert_claim(
        self, function: Any = None, d: Any = None, d_prime: Any = None, *, mutant: Any = None, **keywords: Any
    ) -> Result:
        """Audits a claim, and fails the test unless the verdict is as expected.

        The keywords are the same as for `plaudit.audit`; `mutant` is a broken mechanism that must be found out.
        """
        __tracebackhide__ = True
        frame = inspect.currentframe()
        caller = None if frame is None else frame.f_back
        where = None
        if caller is not None:
            where = "%s, line %d" % (os.path.basename(caller.f_code.co_filename), caller.f_lineno)
        del frame, caller
        batch = keywords.pop("batch", None)
        if batch is not None and not isinstance(batch, bool):
            if function is not None:
                _misuse("assert_claim takes a function, or batch=function, and not both")
            function, batch = batch, True
        if function is None:
            _misuse("assert_claim needs a mechanism: privacy.assert_claim(function, d, d_prime, epsilon=1.0)")
        pairs = keywords.pop("pairs", None)
        if pairs is not None and (d is not None or d_prime is not None):
            _misuse("assert_claim takes two datasets, or pairs=[…], and not both")
        given = [(d, d_prime)] if pairs is None else pairs
        return self._plugin.check(_Plan(function, given, bool(batch), mutant, keywords), where)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Optional[object]:
    if pyfuncitem.get_closest_marker("privacy") is None:
        return None
    plugin = pyfuncitem.config.stash[_PLUGIN]
    plugin.of(pyfuncitem).is_audited = True
    said = _marked(pyfuncitem)
    test = pyfuncitem.obj
    if getattr(test, "is_hypothesis_test", False):
        _misuse("a property-based test returns nothing: call the fixture's privacy.assert_claim(…), without the marker")
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    returned = test(**arguments)
    if hasattr(returned, "__await__") or hasattr(returned, "__aiter__"):
        if hasattr(returned, "close"):
            returned.close()
        _misuse("a privacy test cannot be async: it returns (mechanism, d, d_prime) at once")
    plugin.check(_plan(returned, said), None)
    return True


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """After the test: nothing that is marked passes without an audit."""
    execution = item.config.stash[_PLUGIN].of(item)
    if item.get_closest_marker("privacy") is not None and not execution.is_audited:
        _misuse(
            "this test is marked with privacy, and pytest does not call it as a plain function, so nothing was "
            "audited. In a unittest.TestCase, call plaudit.audit"
        )
    execution.tell()


def _marked(item: pytest.Item) -> Dict[str, Any]:
    """The keywords of all markers of a test. Those of the function come before those of its class and module."""
    said: Dict[str, Any] = {}
    said_by: Dict[str, Any] = {}
    for node, mark in item.iter_markers_with_node("privacy"):
        if mark.args:
            _misuse("privacy takes keywords only: @pytest.mark.privacy(epsilon=1.0)")
        for key, value in mark.kwargs.items():
            if key not in said:
                said[key], said_by[key] = value, node
            elif said_by[key] is node and said[key] is not value and repr(said[key]) != repr(value):
                words = "two privacy markers of this test give %s: %r and %r" % (key, said[key], value)
                _misuse(_clean(words, 500))
    for key in ("function", "mechanism", "d", "d_prime", "pairs"):
        if key in said:
            _misuse("%s does not go into the marker: the test returns (mechanism, d, d_prime)" % key)
    return said


class _Plan(NamedTuple):
    """What is to be audited."""

    function: Any
    pairs: Any
    is_batch: bool
    mutant: Any
    keywords: Dict[str, Any]


def _plan(returned: Any, said: Dict[str, Any]) -> _Plan:
    """What a marked test returned, and what its marker says."""
    said = dict(said)
    if isinstance(returned, dict):
        said.update(returned)
        function = said.pop("mechanism", None)
        if "function" in said:
            function = said.pop("function") if function is None else function
        pairs = said.pop("pairs", None)
        if pairs is None:
            if "d" not in said or "d_prime" not in said:
                _misuse('a dictionary that a privacy test returns has "mechanism", "d" and "d_prime", or "pairs"')
            pairs = [(said.pop("d"), said.pop("d_prime"))]
    elif isinstance(returned, (tuple, list)) and len(returned) == 3:
        function, pairs = returned[0], [(returned[1], returned[2])]
    elif isinstance(returned, (tuple, list)) and len(returned) == 2:
        function, pairs = returned
    else:
        what = "None" if returned is None else "a %s" % type(returned).__name__
        _misuse("a test marked with privacy returns (mechanism, d, d_prime), and this one returned %s" % what)
    batch = said.pop("batch", False)
    if callable(batch):
        if function is not None:
            _misuse("give a mechanism, or batch=function, and not both")
        function, batch = batch, True
    if not callable(function):
        _misuse(
            "a test marked with privacy returns (mechanism, d, d_prime), and its mechanism is no function but a %s"
            % type(function).__name__
        )
    return _Plan(function, pairs, bool(batch), said.pop("mutant", None), said)


def _checked_pairs(pairs: Any) -> List[Tuple[Any, Any]]:
    try:
        found = [(d, d_prime) for d, d_prime in pairs]
    except (TypeError, ValueError):
        _misuse("pairs of datasets are a list: [(d, d_prime), …]")
    if not found:
        _misuse("there is no pair of datasets")
    return found


# The session.


class _Record(NamedTuple):
    """An audit that was done, as it travels from a worker to the controller."""

    nodeid: str
    report: str
    certificate: Optional[str]
    other_leak: Optional[Tuple[str, str]]

    def packed(self) -> List[Any]:
        return [self.nodeid, self.report, self.certificate, None if self.other_leak is None else list(self.other_leak)]

    @staticmethod
    def unpacked(packed: Sequence[Any]) -> _Record:
        nodeid, report, certificate, leak = packed
        return _Record(nodeid, report, certificate, None if leak is None else (leak[0], leak[1]))

    def evidence(self) -> Tuple[str, str]:
        """The same for the same evidence, found again at another time."""
        import hashlib

        report = json.loads(self.report)
        report.pop("provenance", None)
        return self.nodeid, hashlib.sha256(json.dumps(report).encode()).hexdigest()


class _Execution:
    """One time that a test is run: a rerun is another."""

    def __init__(self, item: pytest.Item) -> None:
        self.item = item
        self.is_audited = False
        self.texts: List[str] = []

    def tell(self) -> None:
        """Adds what was found to the test's own report."""
        if self.texts:
            more = len(self.texts) - _SECTIONS
            texts = self.texts[:_SECTIONS] + (["… and %d more audits" % more] if more > 0 else [])
            self.item.add_report_section("call", "plaudit", "\n".join(texts))
            self.texts = []


class _Plugin:
    """The audits of a session."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._options = {key: config.getoption("plaudit_" + key) for key in _DEFAULTS}
        self._ini: Dict[str, Any] = {}
        for key, parse in _PARSERS.items():
            text = str(config.getini("plaudit_" + key) or "").strip()
            if text:
                try:
                    self._ini[key] = parse(text)
                except ValueError as error:
                    raise pytest.UsageError("plaudit_%s = %r in the ini file: %s" % (key, text, error)) from None
        folder = config.getoption("plaudit_report")
        # A test may change the folder that it runs in.
        self._folder = None if folder is None else os.path.join(str(config.invocation_params.dir), folder)
        self._on_inconclusive = str(config.getoption("plaudit_inconclusive"))
        self._execution: Optional[_Execution] = None
        self._records: List[_Record] = []
        self._known: Set[Tuple[str, str]] = set()
        self._red: Dict[str, str] = {}
        self._lost = 0
        self._page: Optional[str] = None
        self._trouble: Optional[str] = None

    def of(self, item: pytest.Item) -> _Execution:
        """The execution that is going on."""
        if self._execution is None or self._execution.item is not item:
            self._execution = _Execution(item)
        return self._execution

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._execution = _Execution(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        self._stay_red(item.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Remembers the tests that failed by an audit."""
        if call.excinfo is not None:
            failure = call.excinfo.value
            found = _failure_in(failure)
            if found is not None:
                self._red.setdefault(item.nodeid, found)
            if isinstance(failure, pytest.fail.Exception) and hasattr(failure, "plaudit"):
                # pytest shows no notes of a failure without a traceback, and hypothesis notes its example there.
                notes = [_clean(line) for note in getattr(failure, "__notes__", ()) for line in note.splitlines()]
                failure.msg = "\n".join([failure.plaudit, *notes])

    def _stay_red(self, nodeid: str) -> None:
        if nodeid in self._red:
            _fail("plaudit: this test failed before in this session. %s\n%s" % (_SAME, self._red[nodeid]))

    def check(self, plan: _Plan, where: Optional[str]) -> Result:
        """Audits, and fails the test unless all is as expected."""
        __tracebackhide__ = True
        execution = self._execution
        if execution is None:
            _misuse("privacy.assert_claim works only while a test runs")
        nodeid = execution.item.nodeid
        self._stay_red(nodeid)
        keywords = self._keywords(plan, nodeid)
        pairs = _checked_pairs(plan.pairs)
        result = self._audit(execution, plan.function, pairs, plan.is_batch, keywords)
        self._judge(execution, result, where, (plan.function, pairs, plan.is_batch))
        mutants = [] if plan.mutant is None else plan.mutant
        for number, mutant in enumerate(mutants if isinstance(mutants, (list, tuple)) else [mutants], 1):
            suffix = "-mutant" if number == 1 else "-mutant-%d" % number
            own = dict(keywords, expect="violated", name=_with_suffix(keywords["name"], suffix))
            found = self._audit(execution, mutant, pairs, plan.is_batch, own)
            if not found.as_expected:
                head = "plaudit: the mutant was not found: this test has not shown that it can fail"
                hint = "Plant a larger mistake, or give the audit more trials."
                self._fail_for(execution, found, head, where, hint)
        return result

    def _keywords(self, plan: _Plan, nodeid: str) -> Dict[str, Any]:
        """What `plaudit.audit` is called with."""
        from ._api import audit

        keywords = dict(plan.keywords)
        known = set(inspect.signature(audit).parameters) - {"function", "batch", "d", "d_prime", "pairs"}
        for key in keywords:
            if key not in known:
                _misuse("privacy has no keyword %s%s" % (_clean(str(key), 100), _meant(str(key), known)))
        if all(keywords.get(key) is None for key in _CLAIM):
            _misuse("there is no claim to audit: say epsilon=…, epsilon=… with delta=…, mu=…, rho=… or claim={…}")
        for key, default in _DEFAULTS.items():
            if self._options[key] is not None:
                keywords[key] = self._options[key]
            elif keywords.get(key) is None:
                keywords[key] = self._ini.get(key, default)
        keywords.setdefault("until", "clear")
        keywords.setdefault("progress", False)
        if keywords.get("name") is None:
            keywords["name"] = _name(nodeid)
        return keywords

    def _audit(
        self,
        execution: _Execution,
        function: Any,
        pairs: List[Tuple[Any, Any]],
        is_batch: bool,
        keywords: Dict[str, Any],
    ) -> Result:
        from ._api import audit

        guarded, stopped = _guarded(function)
        try:
            result = audit(**{"batch" if is_batch else "function": guarded}, pairs=pairs, **keywords)
        except KeyboardInterrupt:
            if stopped:
                raise stopped[0] from None
            raise
        except ImportError as error:
            if not str(error.name).startswith("plaudit") and "_native" not in str(error):
                raise
            _misuse("plaudit's native module is missing: install plaudit from a wheel")
        except (TypeError, ValueError, RuntimeError) as error:
            _misuse("this cannot be audited: %s" % _clean(str(error), 1000))
        record = _Record(_clean(execution.item.nodeid), result._report, result._certificate, result._other_leak)
        self._add(record)
        execution.texts.append(_passed(result))
        return result

    def _add(self, record: _Record) -> None:
        """Keeps an audit, once: a property-based test replays its examples."""
        evidence = record.evidence()
        if evidence not in self._known:
            self._known.add(evidence)
            self._records.append(record)

    def _judge(
        self, execution: _Execution, result: Result, where: Optional[str], traced: Tuple[Any, Any, bool]
    ) -> None:
        if result.as_expected:
            return
        verdict = result.verdict.value
        if result.finding["expected"] == "violated":
            head = "plaudit: a violation was expected, and the verdict is: %s" % verdict
        elif verdict == "inconclusive":
            if self._on_inconclusive == "pass":
                return
            if self._on_inconclusive == "warn":
                execution.item.warn(PlauditInconclusive("plaudit: inconclusive. " + _clean(result.reason, 1000)))
                return
            head = "plaudit: inconclusive, which is no pass (--plaudit-inconclusive warn or pass makes it one)"
        else:
            head = "plaudit: %s" % verdict
            self._fail_for(execution, result, head, where, _trace(result, *traced))
        self._fail_for(execution, result, head, where, None)

    def _fail_for(
        self, execution: _Execution, result: Result, head: str, where: Optional[str], hint: Optional[str]
    ) -> NoReturn:
        lines = [head if where is None else "%s (%s)" % (head, _clean(where)), *_found(result)]
        if hint is not None:
            lines.append(hint)
        command = "pytest %s --plaudit-seed %d" % (_quoted(execution.item.nodeid), result.seed)
        for key in ("trials", "alpha"):
            if self._options[key] is not None:
                command += " --plaudit-%s %s" % (key, _quoted(str(self._options[key])))
        lines.append("To repeat this: %s" % command)
        if result.certificate is not None:
            lines.append(
                "For fresh evidence take another seed. In Python, result.certificate.replay() does so for what "
                "plaudit.audit returns."
            )
        _fail("\n".join(lines), result)

    # The end.

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        """A worker of xdist has ended."""
        output = getattr(node, "workeroutput", None) or {}
        if "plaudit" not in output:
            self._lost += 1
            return
        for packed in output["plaudit"]:
            self._add(_Record.unpacked(packed))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(self._config, "workeroutput", None)
        if output is not None:
            output["plaudit"] = [record.packed() for record in self._records]
        elif self._folder is not None and self._records:
            from ._result import save

            try:
                self._page = save(_results(self._records), self._folder)
            except (ImportError, OSError, ValueError, RuntimeError) as error:
                self._trouble = "The report could not be written: %s" % _clean(str(error))
                if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                    session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._config.getoption("collectonly", False) or not (self._records or self._lost or self._folder):
            return
        results = _results(self._records)
        terminalreporter.section("plaudit")
        # What is not as expected comes first, so that the limit never hides it.
        ordered = sorted(results, key=lambda result: result.as_expected)
        limit = len(ordered) if self._config.getoption("verbose", 0) > 0 else _LISTED
        for result in ordered[:limit]:
            color = {} if result.as_expected else {"yellow" if result.verdict.value == "inconclusive" else "red": True}
            terminalreporter.write_line(_line(result), **color)
        if len(ordered) > limit:
            terminalreporter.write_line("… and %d more audits (-v lists all)" % (len(ordered) - limit))
        if results:
            total = sum(result.alpha for result in results)
            audits = "1 audit" if len(results) == 1 else "%d audits" % len(results)
            terminalreporter.write_line(
                "%s, sum of alpha %.3g: at most %.3g false alarms in 1000 runs with fresh seeds."
                % (audits, total, 1000 * total)
            )
        if self._lost:
            lost = "a worker" if self._lost == 1 else "%d workers" % self._lost
            terminalreporter.write_line("The audits of %s that ended early are missing here." % lost, yellow=True)
        if self._trouble is not None:
            terminalreporter.write_line(self._trouble, red=True)
        elif self._page is not None:
            terminalreporter.write_line("Report: %s" % self._page)
        elif self._folder is not None:
            terminalreporter.write_line("No audit ran, so no report was written.")


_PLUGIN = pytest.StashKey[_Plugin]()


def _guarded(function: Any) -> Tuple[Any, List[BaseException]]:
    """The function, and what pytest raised in it: a timeout or a skip ends the test, and is no outcome."""
    stopped: List[BaseException] = []
    if not callable(function):
        return function, stopped
    ends = (pytest.fail.Exception, pytest.skip.Exception, pytest.exit.Exception)

    @functools.wraps(function)
    def guarded(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except ends as exception:
            stopped.append(exception)
            raise KeyboardInterrupt from exception

    return guarded, stopped


def _results(records: Sequence[_Record]) -> List[Result]:
    """The results in the order of their tests, each with a name of its own."""
    from ._result import Result

    found: List[Result] = []
    taken: Set[str] = set()
    for record in sorted(records, key=lambda record: record.nodeid):
        result = Result(record.report, record.certificate, record.other_leak)
        own = name = result.name
        number = 1
        while name in taken:
            number += 1
            name = _with_suffix(own, "-%d" % number)
        taken.add(name)
        if name != own:
            value = json.loads(record.report)
            finding = value["audits"][0]
            finding["name"] = name
            for origin in (value.get("provenance") or {}).get("audits", []):
                origin["audit"] = name
            finding.setdefault("notes", []).append("This audit ran as `%s`: its random streams have that name." % own)
            report = json.dumps(value, ensure_ascii=False)
            result = Result(report, record.certificate, record.other_leak)
        found.append(result)
    return found


def _name(nodeid: str) -> str:
    """The name of an audit. Where a node id is too long, its end says most."""
    words = re.sub(r"[^A-Za-z0-9_.-]+", "-", nodeid).strip("-.")
    return words[-_NAME:].strip("-.") or "test"


def _with_suffix(name: str, suffix: str) -> str:
    return str(name)[: _NAME - len(suffix)] + suffix


# Words.


def _clean(text: str, most: Optional[int] = None) -> str:
    """The text on one line, without anything that a terminal obeys."""
    if most is not None and len(text) > most:
        text = text[: most - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _quoted(text: str) -> str:
    text = _clean(text)
    if re.fullmatch(r"[A-Za-z0-9_./:,+-]+", text):
        return text
    return shlex.quote(text) if re.search(r'["$`\\!]', text) else '"%s"' % text


def _meant(key: str, known: Set[str]) -> str:
    import difflib

    close = difflib.get_close_matches(key, sorted(known | {"mutant", "batch"}), 1)
    return ": do you mean %s?" % close[0] if close else ""


def _headline(result: Result) -> str:
    headline = result.finding.get("headline") or {}
    words = headline.get("words") or "ε ≥ %.4g" % result.epsilon_lower
    allowed = headline.get("allowed_words")
    return _clean("%s, %s allowed" % (words, allowed) if allowed else str(words), 200)


def _line(result: Result) -> str:
    """An audit in one line."""
    verdict = result.verdict.value
    if result.finding["expected"] == "violated":
        verdict += ", as planted" if result.as_expected else ", and a violation was expected"
    p_value = "p ≤ 1e-300" if result.p_value <= 1e-300 else "p = %.3g" % result.p_value
    runs = "%s runs" % format(result.trials, ",").replace(",", " ")
    return "%s: %s: %s, %s, %s" % (_clean(result.name), verdict, _headline(result), p_value, runs)


def _level(result: Result) -> str:
    return "With a fresh seed, a right claim is called violated with probability at most %.3g." % result.alpha


def _promise(result: Result) -> str:
    words = _level(result)
    return "%s %s" % (words, _clean(result.power, 1000)) if result.trials else words


def _passed(result: Result) -> str:
    return "%s\n%s" % (_line(result), _promise(result))


def _found(result: Result) -> List[str]:
    """What an audit found, in lines."""
    lines = [_clean(line, 1000) for line in (result.reason, *result.telling()["lines"])]
    d, d_prime = result.datasets
    lines += ["d:       " + _shown(d), "d_prime: " + _shown(d_prime)]
    lines.append(_level(result))
    return lines


def _shown(dataset: Any) -> str:
    return _clean(json.dumps(dataset, ensure_ascii=False), 300)


# Failures.


def _trace(result: Result, function: Any, pairs: Any, is_batch: bool) -> Optional[str]:
    """The trace of a violated claim; None where the function cannot be traced."""
    from ._tracing import trace

    claim = result.finding["claim"]
    confirmed = result.certificate.value if result.certificate is not None else {}
    called, batch = (None, function) if is_batch else (function, None)
    try:
        found = trace(
            called,
            batch=batch,
            pairs=[pairs[confirmed.get("pair_index", 0)]],
            epsilon=claim["reference_epsilon"],
            delta=claim["reference_delta"],
            name="trace of %s" % result.name,
        )
    except Exception:
        return None
    return "\n".join(_clean(line, 1000) for line in str(found).splitlines())


def _fail(text: str, result: Optional[Result] = None) -> NoReturn:
    """Fails the test by what an audit found."""
    __tracebackhide__ = True
    failure = pytest.fail.Exception(text, pytrace=False)
    failure.plaudit = text  # type: ignore[attr-defined]
    failure.result = result  # type: ignore[attr-defined]
    raise failure


def _misuse(text: str) -> NoReturn:
    """Fails the test because it is written wrongly."""
    __tracebackhide__ = True
    raise pytest.fail.Exception("plaudit: " + text, pytrace=False) from None


def _failure_in(exception: Optional[BaseException]) -> Optional[str]:
    """What an audit found, if this exception or one that led to it comes from there."""
    todo, seen = [exception], set()
    while todo:
        one = todo.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        text = getattr(one, "plaudit", None)
        if isinstance(text, str):
            return text.split("%s\n" % _SAME)[-1]
        todo += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
    return None
