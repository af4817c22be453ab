#!/bin/sh
# jax_privacy 2.0.0: noise for gradients of 16 bits (bfloat16) has 128 values and ends at 2.9 standard deviations.
#
# gaussian_privatizer draws noise in the type of the gradients, unless it is given a dtype. jax draws a uniform number
# with the 7 bits of a bfloat16, and turns it into a normal one. Its documentation asks for noise of at least 32 bits, for
# stability; there is no error and no warning. Its Keras interface (keras_api) has no setting for the type: gradients of
# bfloat16 weights get such noise. A step beyond the largest noise shows that a gradient was not 0, with certainty.
#
# Output of 30 November 2026:
#   bfloat16: 128 values of a million, from -2.89 to 2.52; normal noise is above 2.52 in 0.0059 of all draws
#   float16: 1024 values of a million, from -3.49 to 3.18; normal noise is above 3.18 in 0.00073 of all draws
#   float32: 942712 values of a million, from -4.69 to 5.06; normal noise is above 5.06 in 2.1e-07 of all draws
#
# Needs python3 (3.11 or later) with venv, and PyPI. Exits with 0 if the noise has few values, with 1 if it has more.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet jax_privacy==2.0.0 jax==0.10.2

JAX_PLATFORMS=cpu "$folder/venv/bin/python" - <<'PROGRAM'
import math
import sys

import jax.numpy
import numpy
from jax_privacy.noise_addition import gaussian_privatizer

values = {}
for name in ("bfloat16", "float16", "float32"):
    privatizer = gaussian_privatizer(stddev=1.0, prng_key=0)
    gradient = jax.numpy.zeros(1_000_000, dtype=name)
    noisy, _ = privatizer.update(gradient, privatizer.init(gradient))
    noise = numpy.asarray(noisy, dtype="float64")
    values[name] = len(numpy.unique(noise))
    above = math.erfc(noise.max() / math.sqrt(2.0)) / 2.0
    print(
        "%s: %d values of a million, from %.2f to %.2f; normal noise is above %.2f in %.2g of all draws"
        % (name, values[name], noise.min(), noise.max(), noise.max(), above)
    )
sys.exit(0 if values["bfloat16"] < 1000 else 1)
PROGRAM
