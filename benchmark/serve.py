"""A mechanism of the benchmark as a program of plaudit: `serve.py NAME`."""

import sys

import numpy as np
from plaudit import serve

from mechanisms import ALL

draw = ALL[sys.argv[1]].draw
serve(batch=lambda dataset, runs, rng: draw(np.array(dataset, float), runs, rng))
