"""Random streams from the seed of a request."""

import random
import sys


def seed_generators(seed):
    """Seed the global generators: `random` and, if numpy is imported, `numpy.random`.

    None of these streams is that of `random.Random(seed)`, which a mechanism gets as its argument:
    noise drawn from both must not be the same noise.
    """
    random.seed("plaudit %d" % seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed([seed & 0xFFFFFFFF, seed >> 32, 0x706C6175])


def single_seeds(seed):
    """Endless seeds below 2**63, one for each run of a request that is answered run by run."""
    stream = random.Random("plaudit runs %d" % seed)
    while True:
        yield stream.getrandbits(63)
