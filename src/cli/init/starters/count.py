"""A mechanism for plaudit: a count with noise. Put a call of your own code into `release`.

plaudit starts this program, writes requests to its standard input, a line of JSON each, and reads one line for each run.
With the package of plaudit (python/ in its repository) all below `release` is `serve(release)`.
"""

import json
import random
import sys

SCALE = float(sys.argv[1])


def release(ages, noise):
    """What is released of a dataset; `noise` is a seeded generator."""
    exact = sum(age >= 18 for age in ages)
    # Whole noise for a whole count. Noise in doubles would leak through their lowest bits.
    return exact + int(noise.expovariate(1 / SCALE)) - int(noise.expovariate(1 / SCALE))


for line in sys.stdin:
    request = json.loads(line)
    noise = random.Random(request["seed"])
    for _ in range(request["runs"]):
        print(json.dumps(release(request["dataset"], noise)))
    sys.stdout.flush()
