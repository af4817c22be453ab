#!/bin/sh
# jax_privacy 2.0.0: without a prng_key, the noise depends on 31 bits of numpy's global generator.
#
# gaussian_privatizer(stddev=...) draws its key as np.random.randint(0, 2**31). A script that calls numpy.random.seed
# gets the same noise in each run, and anyone can subtract it. Without such a call, there are 2^31 sequences of
# noise for all steps of a training: few enough to try. The parameter prng_key is documented as optional.
#
# Output of 30 November 2026:
#   after numpy.random.seed(0): noise [-0.98908377  1.5476102 ] and [-0.98908377  1.5476102 ]
#
# Needs python3 (3.11 or later) with venv, and PyPI. Exits with 0 if the noise is the same, with 1 if it is not.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet jax_privacy==2.0.0 jax==0.10.2

JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PROGRAM'
import sys

import jax.numpy
import numpy
from jax_privacy.noise_addition import gaussian_privatizer


def noise():
    numpy.random.seed(0)
    privatizer = gaussian_privatizer(stddev=1.0)
    gradient = jax.numpy.zeros(2)
    noisy, _ = privatizer.update(gradient, privatizer.init(gradient))
    return numpy.asarray(noisy)


first, second = noise(), noise()
print("after numpy.random.seed(0): noise %s and %s" % (first, second))
sys.exit(0 if (first == second).all() else 1)
PROGRAM
