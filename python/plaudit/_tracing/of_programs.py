"""Commands: programs in any language that ask for their draws in lines of JSON, and are recorded like a function."""

from __future__ import annotations

import json
import math
import os
import random
import re
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Sequence, Tuple

from .._dataset import Table, shown
from . import process
from .draws import PRIVATE, drawn
from .of_users import Utilities, called
from .outcomes import Failed, Path
from .record import STATE, Called, Foreign, Stopped
from .scalars import Tracked, is_number, plain, sum_of

_MOST = 100_000
"""Draws of a run."""
_TEXT = 4 << 20
"""Bytes of a file whose lines are shown."""


class _Law(NamedTuple):
    """A law by the names of its parameters: its family among the recorded draws, and noise of it."""

    family: str
    parameters: Tuple[str, ...]
    noise: Callable[..., Any]


def _gumbel(source: random.Random, scale: float) -> float:
    return -scale * math.log(source.expovariate(1.0) or 1e-300)


def _geometric(source: random.Random, scale: float) -> int:
    return int(source.expovariate(1.0) * scale) - int(source.expovariate(1.0) * scale)


_LAWS: Dict[str, _Law] = {
    "laplace": _Law("laplace", ("scale",), lambda s, scale: (s.expovariate(1.0) - s.expovariate(1.0)) * scale),
    "gaussian": _Law("normal", ("scale",), lambda s, scale: s.gauss(0.0, 1.0) * scale),
    "exponential": _Law("exponential", ("scale",), lambda s, scale: s.expovariate(1.0) * scale),
    "gumbel": _Law("gumbel", ("scale",), _gumbel),
    "discrete-laplace": _Law("dlaplace", ("scale",), _geometric),
    "uniform": _Law("uniform", ("low", "high"), lambda s, low, high: s.uniform(low, high)),
    "integer": _Law("randint", ("low", "high"), lambda s, low, high: s.randint(low, high)),
    "bernoulli": _Law("random", ("p",), lambda s, p: s.random()),
}
_LAWS["normal"] = _LAWS["gaussian"]
_RENAMED = {"sigma": "scale"}
_TOLD = ("scale", "sensitivity", "epsilon", "delta")
_DEFAULTS = {"low": 0, "high": 1}


class Values(Utilities):
    """Numbers that get noise of one sensitivity: they move by their L1 or L2 distance."""

    def __init__(self, values: Any, power: int) -> None:
        super().__init__(values, True)
        self._power = power

    def spread(self, other: Utilities) -> Any:
        if len(self.values) != len(other.values):
            return None
        moves = [abs(float(a) - float(b)) for a, b in zip(self.values, other.values)]
        return math.sqrt(math.fsum(one * one for one in moves)) if self._power == 2 else math.fsum(moves)

    def __repr__(self) -> str:
        return repr(self.values[0] if len(self.values) == 1 else self.values)


class Program:
    """A command as a function of a dataset: each call is one run, in a process of its own."""

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        if not command or not all(isinstance(word, str) for word in command):
            raise TypeError("trace: a command is a list of texts: the program and its arguments")
        if not (timeout > 0 and math.isfinite(timeout)):
            raise ValueError("trace: timeout is %r, and must be a number of seconds above 0" % (timeout,))
        self._command, self._timeout = list(command), timeout
        files = [word for word in command if os.path.isfile(word)]
        self._script = files[-1] if files else command[0]
        self.__name__ = process.printable(os.path.basename(self._script))
        self._folders = [os.getcwd(), *(os.path.dirname(os.path.abspath(file)) for file in files)]
        self._files: Dict[str, Tuple[str, List[str]]] = {}
        self._source = random.Random(0)
        self._draws = 0
        self._last: Optional[Foreign] = None

    def __call__(self, dataset: Any, source: random.Random) -> Any:
        run = STATE.recorder
        if run is None:
            raise Stopped("a command runs only in a trace")
        seed = run.unseen(lambda: source.getrandbits(62))
        self._source, self._draws, self._last = source, 0, None
        request = {"plaudit": 1, "id": 0, "dataset": _as_json(dataset), "runs": 1, "seed": seed, "format": "json"}
        try:
            output = process.run(self._command, json.dumps(request).encode() + b"\n", self._timeout, self._answer)
            return self._outcome(output)
        except Failed as error:
            self._locate(error)
            raise
        except Stopped as error:
            raise Stopped("%s: %s" % (self.__name__, error)) from None

    def place(self, path: Path) -> Foreign:
        """The last line of the program that names a part of the outcome; else the program."""
        file, lines = self._lines(self._script)
        for step in path:
            if isinstance(step, str) and step.isidentifier():
                found = [i for i, line in enumerate(lines) if re.search(r"\b%s\b" % re.escape(step), line)]
                if found:
                    return self._site(file, found[-1] + 1, lines)
        return self._site(file, 0, [])

    def _outcome(self, output: bytes) -> Any:
        if output.startswith(b"\x93NUMPY"):
            return _of_npy(output)
        lines = [line for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
        if len(lines) != 1:
            raise Stopped(
                "it wrote %d lines for one run: write one outcome on standard output, all else on standard error"
                % len(lines)
            )
        try:
            outcome = json.loads(lines[0], parse_int=_whole)
        except (ValueError, RecursionError):
            raise Stopped("its outcome is not JSON: %s" % process.printable(lines[0], 80)) from None
        if isinstance(outcome, dict) and "$ns" in outcome:
            outcome = outcome.get("value")
        if isinstance(outcome, dict) and set(outcome) == {"$error"}:
            raise Failed(process.printable(str(outcome["$error"])), "")
        return _value(outcome)

    def _locate(self, error: Failed) -> None:
        """Finds the line of an error in what the program wrote about it; else that of the last draw."""
        error.site = self._last or self.place(())
        known = {os.path.basename(self._script): self._script}
        known.update((os.path.basename(file), file) for file, _ in self._files.values())
        for name, file in known.items():
            found = re.findall(re.escape(name) + r"\"?(?::|,? line )(\d{1,9})\b", error.errors)
            if found:
                file, lines = self._lines(file)
                error.site = self._site(file, int(found[-1]), lines)
        error.detail = process.last_line(error.errors)

    def _answer(self, line: bytes) -> bytes:
        """The reply to a draw."""
        try:
            asked = json.loads(line.decode("utf-8"), parse_int=_whole)
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict) or not isinstance(asked.get("draw"), str):
            self._wrong(line, 'a draw is a line such as {"draw": "laplace", "value": 3.0, "scale": 2.0}')
        STATE.at = self._last = self._asked_at(line, asked.get("at"))
        try:
            out = self._drawn(line, asked)
        finally:
            STATE.at = None
        return json.dumps({"out": out}).encode() + b"\n"

    def _wrong(self, line: bytes, words: str) -> NoReturn:
        sent = process.printable(line.decode("utf-8", "replace"), 80)
        raise Stopped("its draw %d is wrong (%s): %s" % (self._draws + 1, sent, words))

    def _drawn(self, line: bytes, asked: Dict[str, Any]) -> Any:
        kind = process.printable(asked["draw"], 60)
        name = process.printable(str(asked.get("name", kind)), 60)
        given = {_RENAMED.get(key, key): _value(one) for key, one in asked.items() if key not in ("draw", "at", "name")}
        value, has_value, out = given.get("value"), "value" in given, given.get("out")
        many = value if isinstance(value, list) else [value]
        self._draws += max(1, len(many))
        if self._draws > _MOST:
            raise Stopped("a run has more than %d draws: trace a smaller dataset" % _MOST)
        for key in _TOLD:
            if key in given and not (_is_real(given[key]) and given[key] >= 0):
                self._wrong(line, "%s is a number of at least 0" % key)
        law = _LAWS.get(kind)
        if law is None:
            if "out" not in given:
                self._wrong(line, "of a law that is not known, send `out`, the release (known: %s)" % ", ".join(_LAWS))
            if not has_value:
                return drawn(kind, lambda: out, lambda: out)
            told: Dict[str, Any] = {key: given[key] for key in _TOLD if key in given}
            return plain(called(name, value, lambda: out, told))
        if has_value and not all(map(_is_number, many)):
            self._wrong(line, 'value is a number or a list of numbers; NaN is written {"$number": "nan"}')
        parameters = self._parameters(line, law, given)
        if kind == "bernoulli":
            found = self._noisy(law, parameters, None, None) < parameters["p"]
            return int(bool(found))  # A decision, which may be the other way on D'.
        if not has_value:
            return plain(self._noisy(law, parameters, None, out))
        outs = out if isinstance(out, list) else [out] * len(many)
        if len(outs) != len(many) or "out" in given and not all(map(_is_number, outs)):
            self._wrong(line, "out has a number for each value")
        sums = [self._noisy(law, parameters, one, own) for one, own in zip(many, outs)]
        if "sensitivity" in given and sums:
            self._tell(name, law, given, many, sums)
        found = [plain(one) for one in sums]
        return found if isinstance(value, list) else found[0]

    def _parameters(self, line: bytes, law: _Law, given: Dict[str, Any]) -> Dict[str, Any]:
        if "scale" not in given and law.family != "normal" and given.get("epsilon") and "sensitivity" in given:
            given["scale"] = given["sensitivity"] / given["epsilon"]
        parameters: Dict[str, Any] = {key: given.get(key, _DEFAULTS.get(key)) for key in law.parameters}
        for key, one in parameters.items():
            if not _is_real(one) or law.family == "randint" and one != int(one):
                self._wrong(line, "%s is %s, and has to be a number" % (key, "missing" if one is None else one))
        if law.family == "randint":
            parameters = {key: int(one) for key, one in parameters.items()}
        if parameters.get("low", 0) > parameters.get("high", 1):
            self._wrong(line, "low is above high")
        return parameters

    def _noisy(self, law: _Law, parameters: Dict[str, Any], value: Any, out: Any) -> Any:
        """A draw, added to a value if there is one; with `out`, the program drew it."""

        def draw() -> Any:
            if out is not None:
                return out
            noise = law.noise(self._source, **parameters)
            return noise if value is None else value + noise

        recorded = dict(parameters)
        if law.family == "dlaplace":
            recorded = {"a": 1 / parameters["scale"] if parameters["scale"] else math.inf}
        if law.family == "random":
            recorded = {}
        found = drawn(law.family, draw, lambda: law.noise(PRIVATE, **parameters), shift=value, parameters=recorded)
        if value is not None and isinstance(found, Tracked):
            # It is followed: the program has the sum, and no more.
            found.history.terms[0].variable.lost = False
        return found

    def _tell(self, name: str, law: _Law, given: Dict[str, Any], values: List[Any], sums: List[Any]) -> None:
        """Keeps the sensitivity that the values of a draw have by the program."""
        run = STATE.recorder
        assert run is not None and STATE.at is not None
        number = sum_of(sums[0]).terms[0].variable.id
        told = {"sensitivity": given["sensitivity"]}
        if "scale" in law.parameters and law.family != "normal":
            told["scale"] = given["scale"]
        power = 2 if law.family == "normal" else 1
        run.told[number] = Called(number, STATE.at, name, Values(values, power), None, told, {})

    def _asked_at(self, line: bytes, at: Any) -> Foreign:
        if at is None:
            return self._site(self.__name__ + "#draw", self._draws + 1, [])
        file, _, number = at.rpartition(":") if isinstance(at, str) else ("", "", "")
        if not file or not re.fullmatch("[0-9]{1,9}", number):
            self._wrong(line, "at is a file and a line, such as release.js:12")
        file, lines = self._lines(file)
        return self._site(file, int(number), lines)

    def _site(self, file: str, number: int, lines: List[str]) -> Foreign:
        found = Foreign(file, number, self.__name__)
        found.text = process.printable(lines[number - 1].strip()) if 0 < number <= len(lines) else ""
        return found

    def _lines(self, file: str) -> Tuple[str, List[str]]:
        """The path and the lines of a file in the folder of the program or in the current one; else no lines."""
        if file not in self._files:
            if len(self._files) >= 1000:
                return process.printable(file), []
            self._files[file] = (process.printable(file), [])
            for folder in self._folders:
                path = os.path.realpath(os.path.join(folder, file.replace("\0", "")))
                inside = path.startswith(os.path.realpath(folder) + os.sep)
                if inside and os.path.isfile(path) and os.path.getsize(path) <= _TEXT:
                    with open(path, encoding="utf-8", errors="replace") as text:
                        self._files[file] = (os.path.join(folder, os.path.relpath(path, os.path.realpath(folder))), [])
                        self._files[file][1].extend(text.read(_TEXT).split("\n"))
                    break
        return self._files[file]


def _as_json(dataset: Any) -> Any:
    if isinstance(dataset, Table):
        dataset = dict(dataset.items())
    found = shown(dataset)
    if not found.whole:
        raise Stopped("the dataset is a %s, and a command gets JSON: give lists or numbers" % type(dataset).__name__)
    return found.value


def _whole(text: str) -> Any:
    return int(text) if len(text) < 40 else float(text)


def _is_number(value: Any) -> bool:
    return is_number(value) and not isinstance(value, bool)


def _is_real(value: Any) -> bool:
    return _is_number(value) and math.isfinite(value)


def _value(value: Any) -> Any:
    """A value of the protocol: numbers that JSON has no words for, and sets."""
    if isinstance(value, list):
        return [_value(one) for one in value]
    if isinstance(value, dict) and set(value) == {"$number"}:
        try:
            return float(value["$number"])
        except (TypeError, ValueError):
            return value
    if isinstance(value, dict) and set(value) == {"$set"} and isinstance(value["$set"], list):
        return frozenset(one if isinstance(one, str) else json.dumps(one) for one in value["$set"])
    return {key: _value(one) for key, one in value.items()} if isinstance(value, dict) else value


def _of_npy(output: bytes) -> Any:
    import io

    try:
        import numpy

        return numpy.load(io.BytesIO(output), allow_pickle=False)[0].tolist()
    except ImportError:
        raise Stopped("its outcome is an NPY array, which numpy reads: install numpy, or write JSON") from None
    except Exception as error:
        raise Stopped("its outcome is not an NPY array of one run: %s" % error) from None
