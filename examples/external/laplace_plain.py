#!/usr/bin/env python3
# Laplace noise on a number, for plaudit, without a library of plaudit's: what an external program is.
# Specs: laplace.toml in this folder. Protocol: docs/external.md.
import io
import json
import sys

import numpy

for line in sys.stdin:
    request = json.loads(line)
    noise = numpy.random.default_rng(request["seed"])
    # Multiples of 2**-10 all along: noise added to a double would leak through its low bits.
    steps = noise.geometric(1 - 2.718281828459045 ** -(2**-10), size=(2, request["runs"]))
    outcomes = request["dataset"][0] + (steps[0] - steps[1]) * 2.0**-10
    if request["format"] == "npy":
        # Not to standard output itself: numpy asks a file for its position, and a pipe has none.
        array = io.BytesIO()
        numpy.save(array, outcomes)
        sys.stdout.buffer.write(array.getvalue())
    else:
        print("\n".join(map(json.dumps, outcomes.tolist())))
    sys.stdout.flush()
