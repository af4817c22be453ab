#!/usr/bin/env python3
"""A program that misbehaves in one way: python3 misbehave.py MODE [ARGUMENT].

Standard library only. Its mechanism, where the mode leaves it alone, is Laplace noise of scale 1
around the dataset, a number (or around the first number of a list), drawn from the request's seed.
D2 below is a dataset whose number is 1 or more.

Right programs
  good               answers as asked, JSON or NPY by the request's "format"
  slow-start         sleeps 2 s (or ARGUMENT seconds), then like good
  stderr-chatter     like good, with two lines on standard error for each request
  late-banner        like good, with a line on standard error first, and exit code 3 at the end
  errors             one run in four is {"$error": ..}, on both datasets alike
  mostly-errors      three runs in five are {"$error": ..}, on both datasets alike
  errors-on-d2       {"$error": ..} for D2, always
  shapes             cycles through every spelling of an outcome of docs/external.md
  python-numbers     NaN, Infinity, -Infinity, -0.0, 5e-324, 1e308 as Python writes them, in turn
  node-numbers       as JavaScript writes them: {"$number": ..}, 0 for 0.0 and -0.0, 5e-324, 1e+308
  rare               one outcome in 50 is 1, all others are 0, on both datasets alike
  timed              {"$ns": .., "value": ..}, 1000 ns on D, 2000 ns on D2
  crlf               like good, with lines that end in CR LF
  npy-split          NPY: like good, in arrays of at most 100 runs
  npy-v1, npy-v2, npy-v3   NPY: like good, header of that version
  npy-big-endian     NPY: like good, >f8
  npy-f4, npy-i8, npy-i4, npy-u1, npy-b1   NPY: this type (integers: the rounded outcome; u1: modulo
                     256; b1: outcome > 0)
  npy-vector         NPY: shape (runs, 3), the same number three times
  npy-fortran-1d     NPY: fortran_order True on a 1-d array, which is all the same to it

Before the first answer
  banner             a line of text on standard output first, then like good
  exit               exits with code 3 and a line on standard error, having read nothing
  exit-0             exits with code 0, having read nothing
  never-reads        sleeps and never reads standard input, so that its pipe fills
  hang               reads a request and sleeps
  hang-ignores-term  the same, ignoring SIGTERM, SIGINT and SIGHUP
  closes-stdout      closes standard output, and sleeps
  forks-and-exits    a child takes over the pipes and sleeps; the program exits with 0
  garbage            endless random bytes on standard output
  flood-stderr       4 MB, 60 times what a pipe holds, on standard error before each answer, with line feeds;
                     then like good
  flood-stderr-line  4 MB on standard error without a line feed; then like good

In mid-answer (after half of the outcomes of the request)
  hang-middle, hang-middle-ignores-term
  trickle            one outcome each 0.8 s
  die                exits with code 9, and a last line on standard error
  kill               SIGKILL to itself
  segfault           SIGSEGV to itself
  abort              SIGABRT to itself
  die-once           like die, but only if the file ARGUMENT does not exist; makes it. Works in the
                     next process, and says "good" afterwards
  die-on-d2          like die, for D2 only, always
  die-later          good for the first request, like die for the second
  hang-on-d2         hangs, for D2 only
  too-few-waits      one outcome too few, then waits for the next request
  too-few-exits      one outcome too few, then exits with code 0
  too-many           one outcome too many
  too-many-late      the right number, and another one 0.3 s later, unasked
  malformed          a line that is no JSON: {"a":
  not-json           a line of text
  no-outcome         a JSON object with an unknown word: {"$nonsense": 1}
  nothing            an empty line
  two-in-a-line      1.0 2.0
  deep               a list in a list, a million deep
  endless-line       an endless line
  endless-number     an endless number: 0.1111..
  not-utf-8          a text with the bytes FF FE in it
  lone-surrogate     the text "\\ud800"
  big-string         a text of 1 GB (or ARGUMENT bytes), with its quotation marks and line feed
  huge-number        1e999 and an integer of 400 digits
  no-last-newline    the last outcome lacks its line feed; exits with code 0

Processes
  grandchild         good, but a child of it holds standard output and sleeps for 300 s (or ARGUMENT)
  grandchild-dies    the same, and the program dies in mid-answer
  grandchild-session the same as grandchild, in a session of its own (setsid): out of its process group
  lingers            good, but sleeps at end of input instead of exiting

State: answers well-formed, and wrong
  ignores-seed       noise from the system's entropy
  fixed-noise        the same noise for every run, in every process
  process-noise      noise drawn once for each process
  cached             the first answer for a dataset, again and again
  budget             the first 1000 (or ARGUMENT) releases of a process are good; then {"$error": ..}
  free-budget        the same, with noise from the system's entropy
  counter            every release of a process adds 1 to the next: the noise-free answer drifts
  alternates         says whether its process has answered an odd or an even number of requests (one time
                     in 16 a bit of the system's entropy), and a number of the system's entropy
  remembers          releases the number of the previous request's dataset with its own
  seed-is-noise      releases the seed: the outcome tells nothing about the dataset
  same-for-all       the outcomes of a request are all the same number, freshly drawn for each request

NPY gone wrong (answer in NPY whatever was asked for)
  npy-pickle         dtype object: an array that is a pickle, which runs code if it is read as one
  npy-complex        dtype <c16
  npy-float16        dtype <f2
  npy-structured     dtype [('a', '<f8')]
  npy-fortran-2d     fortran_order True, shape (runs, 2)
  npy-3d             shape (runs, 1, 1)
  npy-0d             shape ()
  npy-truncated      half of the data, then exits with code 0
  npy-truncated-waits  half of the data, then waits
  npy-too-many       shape (runs + 1,)
  npy-too-few-exits  shape (runs - 1,), then exits
  npy-empty          arrays of shape (0,), without end
  npy-huge-shape     shape (2**62,) in the header
  npy-negative-shape shape (-1,)
  npy-huge-header    version 2 with a header of 1 GB (spaces)
  npy-bad-header     a header that is no dictionary
  npy-bad-magic      eight bytes that are not NPY's
  npy-version-9      version 9.0
  npy-widths         a request in two arrays of shapes (k, 2) and (k, 3)
  npy-kinds          a request in two arrays of types <f8 and <i8
  npy-nan            every fourth outcome is NaN
  npy-late-vector    scalars for D, vectors for D2
"""

import json
import math
import os
import random
import signal
import struct
import sys
import time

OUT = sys.stdout.buffer
MODE = sys.argv[1] if len(sys.argv) > 1 else "good"
ARGUMENT = sys.argv[2] if len(sys.argv) > 2 else None


def center(dataset):
    while isinstance(dataset, list):
        dataset = dataset[0] if dataset else 0.0
    return float(dataset)


def laplace(stream):
    return stream.choice((-1.0, 1.0)) * stream.expovariate(1.0)


def draw(request):
    """Outcomes of the right mechanism."""
    stream = random.Random(request["seed"])
    return [center(request["dataset"]) + laplace(stream) for _ in range(request["runs"])]


def lines(outcomes, end="\n"):
    return "".join(json.dumps(outcome) + end for outcome in outcomes).encode()


def npy(values, descr="<f8", code="d", shape=None, version=1, fortran=False):
    """An NPY array of any type and shape, right or wrong."""
    order = ">" if descr[0] == ">" else "<"
    data = struct.pack("%s%d%s" % (order, len(values), code), *values)
    return npy_header(repr(descr), shape or (len(values),), version, fortran) + data


def npy_header(descr, shape, version=1, fortran=False, padding=0):
    text = "{'descr': %s, 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)
    prefix = 10 if version == 1 else 12
    text += " " * (-(len(text) + prefix + 1) % 64 + padding) + "\n"
    length = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode()


def put(data):
    OUT.write(data)
    OUT.flush()


def answer(request, outcomes):
    put(npy(outcomes) if request.get("format") == "npy" else lines(outcomes))


def good(request):
    answer(request, draw(request))


def half(request):
    """The first half of an answer, for what happens then; of an NPY answer, half of its bytes."""
    outcomes = draw(request)
    if request.get("format") == "npy":
        data = npy(outcomes)
        put(data[: len(data) // 2])
    else:
        put(lines(outcomes[: len(outcomes) // 2]))


def is_d2(request):
    return center(request["dataset"]) >= 1.0


def sleep_forever():
    while True:
        time.sleep(1000)


def ignore_signals():
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)


def die(code=9):
    print("misbehave: about to die with code %d" % code, file=sys.stderr, flush=True)
    os._exit(code)


def signal_itself(number):
    print("misbehave: about to send signal %d to itself" % number, file=sys.stderr, flush=True)
    os.kill(os.getpid(), number)
    sleep_forever()


def requests():
    for line in sys.stdin.buffer:
        yield json.loads(line)


def each(function):
    """A program that answers each request by a function of it."""

    def program():
        for request in requests():
            function(request)

    return program


def middle(then, when=lambda request: True):
    """A program that answers half of a request and goes on with `then`."""

    def function(request):
        if not when(request):
            return good(request)
        half(request)
        then()

    return each(function)


def odd_line(line):
    """A program whose middle outcome is this line (bytes, with its line feed)."""

    def function(request):
        outcomes = draw(request)
        middle = len(outcomes) // 2
        put(lines(outcomes[:middle]) + line + lines(outcomes[middle + 1 :]))

    return each(function)


def mapped(function, where=lambda request: True):
    """A program whose outcomes are function(place, outcome of the right mechanism), for some requests."""

    def changed(request):
        outcomes = draw(request)
        return [function(i, o) for i, o in enumerate(outcomes)] if where(request) else outcomes

    return each(lambda request: answer(request, changed(request)))


def text_lines(spellings):
    """A program that cycles through outcomes that are spelled out."""

    def function(request):
        put("".join(spellings[i % len(spellings)] + "\n" for i in range(request["runs"])).encode())

    return each(function)


def as_npy(build):
    """A program that answers with build(outcomes) (bytes)."""
    return each(lambda request: put(build(draw(request))))


# Before the first answer.


def after(first):
    """A program that does something first and is good then."""

    def program():
        first()
        each(good)()

    return program


def forks_and_exits():
    if os.fork() == 0:
        sleep_forever()
    os._exit(0)


def closes_stdout():
    next(requests())
    os.close(1)
    sleep_forever()


def garbage():
    while True:
        put(os.urandom(1 << 16))


def flood(chunk):
    def function(request):
        for _ in range(4 * 1024 * 1024 // len(chunk)):
            sys.stderr.buffer.write(chunk)
        sys.stderr.buffer.write(b"\nmisbehave: end of the flood\n")
        sys.stderr.buffer.flush()
        good(request)

    return each(function)


# In mid-answer.


def trickle(request):
    for outcome in draw(request):
        put(lines([outcome]))
        time.sleep(0.8)


def die_once(request):
    if os.path.exists(ARGUMENT):
        return good(request)
    with open(ARGUMENT, "w"):
        pass
    half(request)
    die()


def die_later():
    for number, request in enumerate(requests()):
        if number == 1:
            half(request)
            die()
        good(request)


def too_few_exits(request):
    answer(request, draw(request)[1:])
    sys.exit(0)


def too_many_late(request):
    good(request)
    time.sleep(0.3)
    put(b"0.5\n")


def endless(start, chunk):
    def then():
        put(start)
        while True:
            put(chunk)

    return middle(then)


def big_string():
    left = int(ARGUMENT or 1 << 30)
    put(b'"')
    while left > 0:
        put(b"x" * min(left, 1 << 20))
        left -= 1 << 20
    put(b'"\n')


def no_last_newline(request):
    put(lines(draw(request))[:-1])
    sys.exit(0)


# Processes.


def grandchild(session=False):
    """Starts a child that keeps our standard output open and outlives us."""
    if os.fork() == 0:
        if session:
            os.setsid()
        ignore_signals()
        os.close(0)
        time.sleep(float(ARGUMENT or 300))
        os._exit(0)


def grandchild_dies():
    grandchild()
    middle(die)()


def lingers():
    each(good)()
    sleep_forever()


# State.


def rare(request):
    stream = random.Random(request["seed"])
    answer(request, [float(stream.random() < 0.02) for _ in range(request["runs"])])


def free(request):
    stream = random.SystemRandom()
    return [center(request["dataset"]) + laplace(stream) for _ in range(request["runs"])]


def mostly_errors(request):
    stream, error = random.Random(request["seed"]), {"$error": "ValueError: unlucky"}
    answer(request, [error if stream.random() < 0.6 else laplace(stream) for _ in range(request["runs"])])


def fixed_noise(request):
    noise = laplace(random.Random(1))
    answer(request, [center(request["dataset"]) + noise] * request["runs"])


def process_noise():
    noise = laplace(random.SystemRandom())
    each(lambda request: answer(request, [center(request["dataset"]) + noise] * request["runs"]))()


def cached():
    cache = {}

    def function(request):
        key = json.dumps(request["dataset"])
        first = cache.setdefault(key, draw(request)[0])
        answer(request, [first] * request["runs"])

    each(function)()


def budget(noise=draw):
    spent = [0]
    limit = int(ARGUMENT or 1000)

    def function(request):
        outcomes = noise(request)
        left = max(0, limit - spent[0])
        spent[0] += len(outcomes)
        put(lines(outcomes[:left] + [{"$error": "BudgetError: spent"}] * (len(outcomes) - left)))

    each(function)()


def counter():
    released = [0]

    def function(request):
        outcomes = [outcome + released[0] + i for i, outcome in enumerate(draw(request))]
        released[0] += len(outcomes)
        answer(request, outcomes)

    each(function)()


def alternates():
    stream = random.SystemRandom()
    requests = [0]

    def function(request):
        requests[0] += 1
        odd = requests[0] % 2
        noisy = (stream.randrange(2) if stream.randrange(16) == 0 else odd for _ in range(request["runs"]))
        answer(request, [[float(bit), stream.random()] for bit in noisy])

    each(function)()


def remembers():
    previous = [0.0]

    def function(request):
        outcomes = [outcome + previous[0] for outcome in draw(request)]
        previous[0] = center(request["dataset"])
        answer(request, outcomes)

    each(function)()


# NPY.


class Payload:
    """What a pickle that is loaded carelessly can do."""

    def __reduce__(self):
        return (os.system, ("touch " + (ARGUMENT or "/tmp/plaudit-pickle-was-run"),))


def npy_pickle(outcomes):
    import pickle

    return npy_header("'|O'", (len(outcomes),)) + pickle.dumps([Payload()] * len(outcomes))


def npy_split(outcomes):
    return b"".join(npy(outcomes[i : i + 100]) for i in range(0, len(outcomes), 100))


def npy_halves(first, second):
    """Two arrays; each is made from as many rows."""

    def build(outcomes):
        k = len(outcomes) // 2
        return first(outcomes[:k]) + second(outcomes[k:])

    return build


def columns(n):
    return lambda rows: npy([row for row in rows for _ in range(n)], shape=(len(rows), n))


def npy_truncated(then):
    def function(request):
        data = npy(draw(request))
        put(data[: len(data) // 2])
        then()

    return each(function)


def npy_endless(request):
    while True:
        put(npy([]))


def npy_huge_header(request):
    put(b"\x93NUMPY\x02\x00" + (1 << 30).to_bytes(4, "little"))
    for _ in range(1 << 10):
        put(b" " * (1 << 20))


def npy_too_few_exits(request):
    put(npy(draw(request)[1:]))
    sys.exit(0)


def npy_late_vector(request):
    put(columns(2)(draw(request)) if is_d2(request) else npy(draw(request)))


def rounded(outcomes):
    return [round(outcome) for outcome in outcomes]


SHAPES = [
    "1.5", "1", "1.0", "1e3", "-0.0", "true", "false", "null", '"text"', '"\\u00fc \\ud83d\\ude00"', "NaN",
    "Infinity", "-Infinity", '{"$number": "nan"}', '{"$number": "inf"}', '{"$number": "-inf"}', "[]", "[1.0, 2.5]",
    "[1, null, NaN]", '["a", 1]', "[[1], [2]]", "{}", '{"a": 1.5, "b": [1, 2]}', '{"$set": []}', '{"$set": ["a", "b"]}',
    '{"$error": "ValueError: no"}', '{"$ns": 1234, "value": 1.5}', '{"$ns": 5, "value": {"$error": "x"}}',
    "9223372036854775807", "-9223372036854775808",
]  # fmt: skip

MODES = {
    "good": each(good),
    "slow-start": after(lambda: time.sleep(float(ARGUMENT or 2))),
    "stderr-chatter": each(lambda r: (print("a line\nand another", file=sys.stderr, flush=True), good(r))),
    "late-banner": lambda: (print("starting", file=sys.stderr, flush=True), each(good)(), sys.exit(3)),
    "errors": mapped(lambda i, o: {"$error": "ValueError: unlucky"} if i % 4 == 3 else o),
    "mostly-errors": each(mostly_errors),
    "errors-on-d2": mapped(lambda i, o: {"$error": "ValueError: unlucky"}, is_d2),
    "shapes": text_lines(SHAPES),
    "python-numbers": text_lines(["NaN", "Infinity", "-Infinity", "-0.0", "5e-324", "1e308"]),
    "node-numbers": text_lines(
        ['{"$number":"nan"}', '{"$number":"inf"}', '{"$number":"-inf"}', "0", "5e-324", "1e+308"]
    ),
    "timed": each(lambda r: put(lines({"$ns": 1000 + 1000 * is_d2(r), "value": o} for o in draw(r)))),
    "crlf": each(lambda r: put(lines(draw(r), "\r\n"))),
    "npy-split": as_npy(npy_split),
    "npy-v1": as_npy(npy),
    "npy-v2": as_npy(lambda o: npy(o, version=2)),
    "npy-v3": as_npy(lambda o: npy(o, version=3)),
    "npy-big-endian": as_npy(lambda o: npy(o, ">f8")),
    "npy-f4": as_npy(lambda o: npy(o, "<f4", "f")),
    "npy-i8": as_npy(lambda o: npy(rounded(o), "<i8", "q")),
    "npy-i4": as_npy(lambda o: npy(rounded(o), "<i4", "i")),
    "npy-u1": as_npy(lambda o: npy([x % 256 for x in rounded(o)], "|u1", "B")),
    "npy-b1": as_npy(lambda o: npy([x > 0 for x in o], "|b1", "B")),
    "npy-vector": as_npy(columns(3)),
    "npy-fortran-1d": as_npy(lambda o: npy(o, fortran=True)),
    "banner": after(lambda: put(b"Welcome to the mechanism!\n")),
    "exit": lambda: die(3),
    "exit-0": lambda: None,
    "never-reads": sleep_forever,
    "hang": each(lambda r: sleep_forever()),
    "hang-ignores-term": lambda: (ignore_signals(), each(lambda r: sleep_forever())()),
    "closes-stdout": closes_stdout,
    "forks-and-exits": forks_and_exits,
    "garbage": garbage,
    "flood-stderr": flood(b"x" * 99 + b"\n"),
    "flood-stderr-line": flood(b"x" * 1024),
    "hang-middle": middle(sleep_forever),
    "hang-middle-ignores-term": lambda: (ignore_signals(), middle(sleep_forever)()),
    "trickle": each(trickle),
    "die": middle(die),
    "kill": middle(lambda: signal_itself(signal.SIGKILL)),
    "segfault": middle(lambda: signal_itself(signal.SIGSEGV)),
    "abort": middle(lambda: signal_itself(signal.SIGABRT)),
    "die-once": each(die_once),
    "die-on-d2": middle(die, is_d2),
    "die-later": die_later,
    "hang-on-d2": middle(sleep_forever, is_d2),
    "too-few-waits": each(lambda r: answer(r, draw(r)[1:])),
    "too-few-exits": each(too_few_exits),
    "too-many": each(lambda r: answer(r, draw(r) + [0.5])),
    "too-many-late": each(too_many_late),
    "malformed": odd_line(b'{"a":\n'),
    "not-json": odd_line(b"what is this?\n"),
    "no-outcome": odd_line(b'{"$nonsense": 1}\n'),
    "nothing": odd_line(b"\n"),
    "two-in-a-line": odd_line(b"1.0 2.0\n"),
    "deep": odd_line(b"[" * 1000000 + b"]" * 1000000 + b"\n"),
    "endless-line": endless(b"", b"x" * 65536),
    "endless-number": endless(b"0.", b"1" * 65536),
    "not-utf-8": odd_line(b'"\xff\xfe"\n'),
    "lone-surrogate": odd_line(b'"\\ud800"\n'),
    "big-string": middle(big_string),
    "huge-number": text_lines(["1e999", "-1e999", "1" * 400]),
    "no-last-newline": each(no_last_newline),
    "grandchild": after(grandchild),
    "grandchild-dies": grandchild_dies,
    "grandchild-session": after(lambda: grandchild(session=True)),
    "lingers": lingers,
    "rare": each(rare),
    "ignores-seed": each(lambda r: answer(r, free(r))),
    "fixed-noise": each(fixed_noise),
    "process-noise": process_noise,
    "cached": cached,
    "budget": budget,
    "free-budget": lambda: budget(free),
    "counter": counter,
    "alternates": alternates,
    "remembers": remembers,
    "seed-is-noise": each(lambda r: answer(r, [float(r["seed"])] * r["runs"])),
    "same-for-all": each(lambda r: answer(r, draw(r)[:1] * r["runs"])),
    "npy-pickle": as_npy(npy_pickle),
    "npy-complex": as_npy(lambda o: npy_header("'<c16'", (len(o),)) + bytes(16 * len(o))),
    "npy-float16": as_npy(lambda o: npy(o, "<f2", "e")),
    "npy-structured": as_npy(lambda o: npy_header("[('a', '<f8')]", (len(o),)) + bytes(8 * len(o))),
    "npy-fortran-2d": as_npy(lambda o: npy(o + o, shape=(len(o), 2), fortran=True)),
    "npy-3d": as_npy(lambda o: npy(o, shape=(len(o), 1, 1))),
    "npy-0d": as_npy(lambda o: npy_header("'<f8'", ()) + bytes(8)),
    "npy-truncated": npy_truncated(lambda: sys.exit(0)),
    "npy-truncated-waits": npy_truncated(lambda: None),
    "npy-too-many": as_npy(lambda o: npy(o + [0.5])),
    "npy-too-few-exits": each(npy_too_few_exits),
    "npy-empty": each(npy_endless),
    "npy-huge-shape": as_npy(lambda o: npy(o, shape=(2**62,))),
    "npy-negative-shape": as_npy(lambda o: npy(o, shape=(-1,))),
    "npy-huge-header": each(npy_huge_header),
    "npy-bad-header": as_npy(lambda o: b"\x93NUMPY\x01\x00\x06\x00hello\n"),
    "npy-bad-magic": as_npy(lambda o: b"\x89PNG\r\n\x1a\n" + bytes(100)),
    "npy-version-9": as_npy(lambda o: npy(o, version=9)),
    "npy-widths": as_npy(npy_halves(columns(2), columns(3))),
    "npy-kinds": as_npy(npy_halves(npy, lambda o: npy(rounded(o), "<i8", "q"))),
    "npy-nan": as_npy(lambda o: npy([math.nan if i % 4 == 3 else x for i, x in enumerate(o)])),
    "npy-late-vector": each(npy_late_vector),
}


if __name__ == "__main__":
    if MODE not in MODES:
        sys.exit("misbehave: unknown mode %r; there are: %s" % (MODE, " ".join(MODES)))
    # A seen end of our pipe is an end, and no trace on standard error.
    if MODE not in ("hang-ignores-term", "hang-middle-ignores-term"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    MODES[MODE]()
