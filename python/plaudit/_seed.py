"""Random streams from the seed of a request."""

from __future__ import annotations

import hashlib
import random
import sys
from typing import Iterator


def seed_generators(seed: int) -> None:
    """Seed the global generators: `random` and, if numpy is imported, `numpy.random`.

    None of these streams is that of `random.Random(seed)`, which a mechanism gets as its argument:
    noise drawn from both must not be the same noise.
    """
    random.seed("plaudit %d" % seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed([seed & 0xFFFFFFFF, seed >> 32, 0x706C6175])


def single_seeds(seed: int) -> Iterator[int]:
    """Endless seeds below 2**63, one for each run of a request that is answered run by run."""
    stream = random.Random("plaudit runs %d" % seed)
    while True:
        yield stream.getrandbits(63)


def fewer_bits(seed: int, bits: int) -> int:
    """A seed below 2**bits that depends on all bits of this one; a seed of 63 bits stays as it is."""
    if bits == 63:
        return seed
    digest = hashlib.sha256(b"plaudit seed %d" % seed).digest()
    return int.from_bytes(digest[:8], "little") >> (64 - bits)
