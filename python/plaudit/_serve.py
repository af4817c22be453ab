"""The loop that reads requests and writes outcomes."""

from __future__ import annotations

import itertools
import json
import os
import sys
from time import perf_counter_ns
from typing import Any, Callable, Dict, Iterable, Iterator, NoReturn, Optional, Tuple, Union

from . import _npy, _outcome
from ._calls import Batch, Single, WrongCount, is_array
from ._dataset import as_table
from ._outcome import Error, Timed, Unseen
from ._seed import fewer_bits, seed_generators
from ._staged import parts

_CHUNK = 1024

Request = Dict[str, Any]
Answer = Callable[[Request], Iterable[Any]]
Seed = Optional[Callable[[int], Any]]


def serve(
    function: Optional[Callable[..., Any]] = None,
    *,
    batch: Optional[Callable[..., Any]] = None,
    query: Optional[Callable[[Any], Any]] = None,
    load: Optional[Callable[[str], Any]] = None,
    seed: Seed = seed_generators,
    seed_bits: int = 63,
    clock: bool = False,
) -> None:
    """Answer plaudit's requests with outcomes of a mechanism, until there are no more requests.

    `function(dataset, random)` is called once for each run. `dataset` is as the spec has it, and
    `random` is a `random.Random` with the request's seed; called `rng`, or annotated so, it is a
    `numpy.random.Generator`. A function of the dataset alone is also fine. The outcome is its return value
    or its exception.

    `batch(dataset, runs, seed)`, instead, draws all outcomes of a request: a numpy array of shape
    (runs,) or (runs, k), a list, or an iterator of `runs` outcomes. `seed` is an integer below
    2**63; a third parameter called `rng` gets a `numpy.random.Generator` in its place. A batch that raises
    is called again run by run (runs = 1, with seeds of their own), so that an exception is the outcome of
    the run that it hits.

    `query(dataset)` is what the mechanism adds noise to, exactly as it computes it: a number, a list
    of numbers, or a numpy array. With `sensitivity` in the spec, plaudit searches for neighbors on which
    the answers are further apart than declared. An exception is also an answer. Hand over the very
    function that the mechanism calls, and no noise.

    `load(path)` reads a dataset that is a file in the spec, such as `numpy.load`, `pandas.read_parquet`
    or a function of your own; the mechanism gets what it returns. A file is loaded once, so do not
    change it in place. Without `load` the mechanism gets the file's path, a text.

    `seed` is called with the request's seed before each request; by default it seeds the global
    generators of `random` and numpy. None leaves them alone: use this if the seeds that the program
    sets itself are part of what is audited.

    `seed_bits=32` makes every seed that is handed on smaller than 2**32, for generators that take no
    larger one, such as `numpy.random.RandomState`. All bits of plaudit's seed go into it.

    `clock=True` times each call of `function`; the nanoseconds become part of the outcome. With `interleaved = true`
    in the spec a request holds many runs on both datasets, in an order; they are read, and loaded, once for it.

    While it serves, and afterwards, standard output belongs to plaudit: what the mechanism or a
    library prints goes to standard error, and standard input is empty.
    """
    if (function is None) == (batch is None):
        raise TypeError("serve takes a function, or batch=function, and not both")
    whole = function if batch is None else batch
    function, clean = parts(function)
    if batch is not None:
        batch, clean = parts(batch)
    if clock and (batch is not None or clean is not None):
        raise TypeError("clock=True needs a function of one stage that is called once for each run")
    if seed_bits not in range(1, 64):
        raise ValueError("seed_bits is a whole number from 1 to 63, and not %r" % (seed_bits,))
    if function is not None:
        answer = one_by_one(function, clock)
    else:
        assert batch is not None
        answer = in_batch(batch, seed_bits)
    traced = os.environ.get("PLAUDIT_TRACE")
    requests, output = _take_streams()
    load_file = _reader(load)

    def raw(written: Any) -> Any:
        return as_table(load_file(written))

    def read(written: Any) -> Any:
        return raw(written) if clean is None else clean.value(written, raw(written))

    if traced:
        from ._tracing.program import answer as trace

        trace(traced, whole if batch is None else None, whole if batch is not None else None, raw, output)
        return
    try:
        answer_all(requests, output, answer, (read, raw), query, seed, seed_bits, clock)
    except BrokenPipeError:
        pass  # plaudit went away, and nobody is left to tell.
    except Unseen as unseen:
        _stop(str(unseen))
    except KeyboardInterrupt:
        sys.exit(130)


def answer_all(
    requests: Iterable[bytes],
    output: Any,
    answer: Answer,
    read: Tuple[Callable[[Any], Any], Callable[[Any], Any]],
    query: Optional[Callable[[Any], Any]] = None,
    seed: Seed = seed_generators,
    seed_bits: int = 63,
    clock: bool = False,
) -> None:
    """Answers requests until there are no more; `read` makes of the datasets of requests what the function gets, and
    what the query gets."""
    for line in requests:
        if line.strip():
            request = _request(line, clock)
            if request["ask"] != "capabilities":
                made = read[request["ask"] == "query"]
                request["datasets"] = [made(dataset) for dataset in request["datasets"]]
                request["dataset"] = request["datasets"][0]
            if request["ask"] == "capabilities":
                known = [] if query is None else ["query"]
                _write(output, json.dumps({"$capabilities": known}).encode() + b"\n")
            elif request["ask"] == "query":
                _write_json([_queried(query, request["dataset"])], output)
            else:
                _answer(request, answer, seed, seed_bits, output)


def _take_streams() -> Tuple[Any, Any]:
    """Moves standard input and output away from where the mechanism could use them: descriptor 1
    becomes standard error, also for C libraries and child processes."""
    requests = os.fdopen(os.dup(0), "rb")
    if requests.isatty():
        _say("waiting for requests on standard input; plaudit writes them when it runs this program")
    # Unbuffered: a buffer would be written twice if the mechanism forks.
    output = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    # What was printed before and still waits in the buffer goes to standard error, too.
    sys.stdout.flush()
    sys.stdout = sys.stderr
    return requests, output


def _request(line: bytes, clock: bool) -> Request:
    try:
        request = json.loads(line, object_hook=_number)
        if request["plaudit"] != 1:
            _stop("this program speaks version 1 of plaudit's protocol, and not %r" % request["plaudit"])
        runs = int(request["runs"])
        # Runs on two datasets, in an order.
        both = "datasets" in request
        request = {
            "datasets": request["datasets"] if both else [request["dataset"]],
            "order": request["order"] if both else [0] * runs,
            "runs": runs,
            "seed": int(request["seed"]),
            "format": request.get("format", "json"),
            "ask": request.get("ask", "runs"),
        }
    except (ValueError, KeyError, TypeError) as mistake:
        _stop("this line is no request of plaudit (%s: %s): %r" % (type(mistake).__name__, mistake, line[:200]))
    if request["format"] not in ("json", "npy"):
        _stop("the format %r is unknown: json and npy are known" % request["format"])
    if len(request["datasets"]) > 1 and not clock:
        _stop("runs on two datasets are timed: call serve with clock=True, or leave `interleaved` out of the spec")
    if request["ask"] not in ("runs", "capabilities", "query"):
        _stop("plaudit asks for %r, which this program does not know" % request["ask"])
    return request


def _reader(load: Optional[Callable[[str], Any]]) -> Callable[[Any], Any]:
    """What makes datasets of those of requests: files are loaded, and the last two kept."""
    loaded: Dict[Tuple[str, str], Any] = {}

    def read(dataset: Any) -> Any:
        if not (isinstance(dataset, dict) and set(dataset) == {"file", "sha256"}):
            return dataset
        if load is None:
            return dataset["file"]
        known = (dataset["file"], dataset["sha256"])
        if known not in loaded:
            if len(loaded) >= 2:
                del loaded[next(iter(loaded))]
            loaded[known] = load(dataset["file"])
        return loaded[known]

    return read


def _queried(query: Optional[Callable[[Any], Any]], dataset: Any) -> Any:
    """The answer of the query: a number or a list of numbers, or the exception that it raised."""
    if query is None:
        _stop("plaudit asks for the answer of a query, and serve was given none")
    try:
        return query(dataset)
    except KeyboardInterrupt:
        raise
    except BaseException as exception:
        return Error(exception)


def _number(pairs: Dict[str, Any]) -> Any:
    if len(pairs) == 1 and "$number" in pairs:
        return float(pairs["$number"])
    return pairs


def _answer(request: Request, answer: Answer, seed: Seed, seed_bits: int, output: Any) -> None:
    if seed is not None:
        seed(fewer_bits(request["seed"], seed_bits))
    outcomes = answer(request)
    if request["format"] == "npy":
        _write_npy(outcomes, output)
    else:
        _write_json(outcomes, output)


def one_by_one(function: Callable[..., Any], clock: bool) -> Answer:
    """The answer to a request by a function that is called once for each run: an iterator."""
    calls = Single(function)
    calls.called.tell = _say

    def answer(request: Request) -> Iterator[Any]:
        datasets = request["datasets"]
        if clock and request["format"] == "npy":
            _stop('clock=True needs format = "json" in the spec: an NPY array has no room for times')
        first = calls.arguments(datasets[0], request["seed"])
        # The same stream goes on, whichever dataset a run is on.
        arguments = [first] + [(dataset, *first[1:]) for dataset in datasets[1:]]
        for which in request["order"]:
            start = perf_counter_ns()
            try:
                # A copy takes time.
                called = calls.function if clock else calls.called.now()
                outcome = called(*arguments[which])
            except KeyboardInterrupt:
                raise
            # Whatever else ends a call is what an observer sees, sys.exit and a panic of an
            # extension module included.
            except BaseException as exception:
                outcome = Error(exception)
            if clock:
                outcome = Timed(outcome, perf_counter_ns() - start)
            yield outcome

    return answer


def in_batch(batch: Callable[..., Any], seed_bits: int) -> Answer:
    """The answer to a request by a function that draws many outcomes: a numpy array or a list."""
    calls = Batch(batch, seed_bits)
    calls.called.tell = _say

    def answer(request: Request) -> Any:
        dataset, runs, seed = request["dataset"], request["runs"], request["seed"]
        try:
            outcomes = calls.draw(dataset, runs, seed)
        except (KeyboardInterrupt, Unseen):
            raise
        except BaseException:
            try:
                singles = calls.singles(dataset, runs, seed)
                return [outcome if raised is None else Error(raised) for outcome, raised in singles]
            except WrongCount as wrong:
                _stop(str(wrong))
        if len(outcomes) != runs:
            _stop(str(WrongCount(runs, len(outcomes))))
        return outcomes

    return answer


def _write_json(outcomes: Any, output: Any) -> None:
    if is_array(outcomes):
        for start in range(0, len(outcomes), 64 * _CHUNK):
            _write(output, _outcome.array_lines(outcomes[start : start + 64 * _CHUNK]))
        return
    outcomes = iter(outcomes)
    while True:
        chunk = list(itertools.islice(outcomes, _CHUNK))
        if not chunk:
            return
        _write(output, _outcome.lines(chunk))


def _write_npy(outcomes: Any, output: Any) -> None:
    try:
        if is_array(outcomes):
            header, data = _npy.of_array(outcomes)
        else:
            header, data = _npy.of_list(list(outcomes))
    except _npy.NotAnArray as reason:
        _stop(str(reason))
    _write(output, header)
    _write(output, data)


def _write(output: Any, data: Union[bytes, memoryview]) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[output.write(rest) :]


def _say(message: str) -> None:
    print("plaudit: " + message, file=sys.stderr, flush=True)


def _stop(message: str) -> NoReturn:
    """Ends the program: plaudit shows the message as the cause."""
    _say(message)
    sys.exit(2)
