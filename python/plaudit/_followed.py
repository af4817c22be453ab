"""All paths of a function of answers and draws.

A proof may be wrong where the function can learn something of a number, or make something of it, that is not on the
path. Each such operation is refused, and a refusal ends the proof even if the function catches its exception.
"""

from __future__ import annotations

import dis
import fractions
import random
import re
import sys
import threading
from fractions import Fraction
from typing import Any, Callable, List

from . import _unknown
from ._fresh import in_a_fork
from ._unknown import ANOTHER, Proof, Sum, Tape, written
from ._words import words_of

_FEW = 64
"""Paths that are followed `_OFTEN` times. More are followed twice. Also the most that are followed in a fork."""
_OFTEN = 8
_OF_RUNS = (
    *(LookupError, AttributeError, ArithmeticError, OSError, ImportError, UnicodeError),
    *(StopIteration, StopAsyncIteration, GeneratorExit),
)
"""Exceptions that code in C also raises where no number is unknown."""
_SAID_IN_RUNS = re.compile(
    r"(max|min)\(\) |the largest of an empty list|invalid literal for int|could not convert string|(list|tuple)\.|"
    r".* not in (list|tuple)$|.* values to unpack|(substring|subsection) not found"
)
"""Of other exceptions, the texts of such."""
_RAISES = (dis.opmap["RAISE_VARARGS"], dis.opmap["RERAISE"])


def paths(function: Callable[..., Any], length: int) -> List[List[Any]]:
    """All paths of a function on lists of a length, as the engine reads them.

    Raises ValueError for a function that cannot be followed.
    """
    before = _states()
    with Proof() as proof:
        fresh = _fresh(function, length, proof)
        ways: List[List[Any]] = []
        taken: List[List[Any]] = []
        found: List[List[Any]] = []
        proof.steps = 0
        while not found or _next(ways):
            found.append(_path(function, length, ways, proof))
            taken.append([list(way) for way in ways])
            if len(found) > _unknown.MOST:
                raise ValueError("verify: the function has more than %d paths" % _unknown.MOST)
        if fresh != found[: len(fresh)]:
            raise ValueError("verify: " + ANOTHER)
        # Now the first way first: each path after others than before. At last each several times in a row.
        found.reverse()
        taken.reverse()
        _again(_watched(function, proof), length, found, taken, proof, 1)
        if len(found) <= _FEW:
            _again(function, length, found, taken, proof, _OFTEN - 2)
    if any(one is not None and one != other for one, other in zip(before, _states())):
        raise ValueError("verify: the function draws from `random` or `numpy.random`: all noise comes from `draws`")
    return found


def _fresh(function: Callable[..., Any], length: int, proof: Proof) -> List[List[Any]]:
    """The first paths, each in a fork of its own, in which the function was never called; none where forks are not
    possible. What the function remembers of one path on another is not there."""

    def follow() -> Any:
        try:
            return _path(function, length, ways, proof), ways
        except ValueError as error:
            return [str(error)], None

    ways: List[List[Any]] = []
    found: List[List[Any]] = []
    while len(found) < _FEW and (not found or _next(ways)):
        answer = in_a_fork(follow)
        if answer is None:
            break
        path, ways = answer
        found.append(path)
        if ways is None:
            break  # The same path here raises the same error, and shows where.
    return found


def _next(ways: List[List[Any]]) -> bool:
    """Goes on to the next path, the last way at each branch first; False if there are no more."""
    while ways:
        way, of, value = ways.pop()
        if way > 0:
            ways.append([way - 1, of, value])
            return True
    return False


def _again(
    function: Callable[..., Any], length: int, found: List[Any], taken: List[Any], proof: Proof, times: int
) -> None:
    """Follows each path again, so many times in a row."""
    proof.steps = 0
    for path, ways in zip(found, taken):
        for _ in range(times):
            if _path(function, length, list(ways), proof) != path:
                raise ValueError("verify: " + ANOTHER)


def _states() -> List[Any]:
    """States of the generators that all code shares."""
    if "numpy" not in sys.modules:
        return [random.getstate(), None]
    from numpy.random import get_state

    state: Any = get_state()
    return [random.getstate(), (state[0], state[1].tobytes(), *state[2:])]


def _watched(function: Callable[..., Any], proof: Proof) -> Callable[..., Any]:
    """The function, whose proof is refused if it catches an exception that code in C raised where it wants a double,
    without a call of any method: it takes a path that no run takes."""
    own, fraction = vars(_unknown), vars(fractions)
    last: List[Any] = [None]

    def in_call(frame: Any, event: str, argument: Any) -> Any:
        if frame.f_globals is own or frame.f_globals is fraction:
            return None
        frame.f_trace_lines = False
        return in_frame

    def in_frame(frame: Any, event: str, argument: Any) -> Any:
        if event == "exception" and proof.refused is None:
            kind, value, _ = argument
            by_code_in_c = value is not last[0] and frame.f_code.co_code[frame.f_lasti] not in _RAISES
            last[0] = value
            if issubclass(kind, TypeError) or (by_code_in_c and not _is_of_runs(kind, value)):
                what = "a path catches a %s, which a run may not raise: %s" % (kind.__name__, value)
                proof.refused = ValueError("verify: " + what)
        return in_frame

    def run(*arguments: Any) -> Any:
        before, of_threads = sys.gettrace(), getattr(threading, "_trace_hook", None)
        sys.settrace(in_call)
        threading.settrace(in_call)
        try:
            return function(*arguments)
        finally:
            sys.settrace(before)
            threading.settrace(of_threads)
            last[0] = None

    return run


def _is_of_runs(kind: Any, value: Any) -> bool:
    return issubclass(kind, _OF_RUNS) or _SAID_IN_RUNS.match(str(value)) is not None


def _path(function: Callable[..., Any], length: int, ways: List[List[Any]], proof: Proof) -> List[Any]:
    """The path that takes these ways, which are added to."""
    tape = Tape(ways, proof)
    answers = [Sum(tape, Fraction(0), {("answer", at): Fraction(1)}) for at in range(length)]
    released: List[Sum] = []
    words, ended = "", None
    try:
        words = words_of(function(answers, tape), tape, released)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        ended = error
    finally:
        tape.is_over = True
    if proof.refused is not None:
        raise proof.refused
    if ended is not None:
        proof.end()
        raise ValueError("verify: a path ends with %r: %s" % (ended, _advice(ended))) from ended
    if tape.at < len(ways):
        raise ValueError("verify: " + ANOTHER)
    rows = [[written(tape, constant, terms), strict] for constant, terms, strict in tape.rows]
    sums = [written(tape, number.constant, number.terms) for number in released]
    return [[[law, str(scale)] for law, scale in tape.draws], rows, words, sums]


def _advice(ended: BaseException) -> str:
    if isinstance(ended, TypeError):
        return "code that wants a double, such as some operations of numpy, cannot be followed"
    return "return it as an outcome instead"
