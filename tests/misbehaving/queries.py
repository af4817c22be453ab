"""Programs that say what their query answers without noise: right ones, and those with mistakes."""

import json
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))

from plaudit import serve

asked = 0


def clamped(x):
    # NaN survives this: max(NaN, 0.0) is NaN in Python.
    return min(max(x, 0.0), 1.0)


def drifting(rows):
    global asked
    asked += 1
    return float(7 * asked + os.getpid() % 1000)


def overflowing(rows):
    total = 0
    for x in rows:
        total = (total + int(x) + 2**31) % 2**32 - 2**31
    return total


QUERIES = {
    "sum": lambda rows: math.fsum(clamped(x) for x in rows if not math.isnan(x)),
    "nan-survives": lambda rows: sum(clamped(x) for x in rows),
    "rounded": lambda rows: float(sum(min(max(x, 2.0**52), 2.0**52 + 1.0) for x in rows)),
    "mean": lambda rows: sum(map(clamped, rows)) / len(rows),
    "clamped-after": lambda rows: clamped(sum(rows) / len(rows)) * len(rows),
    "overflow": overflowing,
    "fails": lambda rows: 1 / 0 if any(x > 1.5 for x in rows) else 0.0,
    "always-fails": lambda rows: 1 / 0,
    "drifts": drifting,
    "text": lambda rows: "three",
}


def plain(form):
    """Knows nothing of queries, and ignores keys that it does not know.

    Noise, and not a constant: dozens of fresh copies would be asked whether they say it, too."""
    for line in sys.stdin:
        request = json.loads(line)
        draws = random.Random(request["seed"])
        noise = [draws.random() for _ in range(request["runs"])]
        if form == "npy":
            import struct

            header = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % request["runs"]
            header += " " * (117 - len(header)) + "\n"
            data = struct.pack("<%dd" % request["runs"], *noise)
            sys.stdout.buffer.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode() + data)
            sys.stdout.buffer.flush()
        else:
            print("".join("%r\n" % x for x in noise), end="", flush=True)


name = sys.argv[1]
if name in ("old-json", "old-npy"):
    plain(name[4:])
elif name == "without-query":
    serve(lambda rows, random: random.random())
else:
    query = QUERIES[name]
    serve(lambda rows, random: random.random(), query=query)
