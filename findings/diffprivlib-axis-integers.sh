#!/bin/sh
# diffprivlib 0.6.6: with an axis, noisy statistics of whole numbers are cut to whole numbers, towards zero.
#
# tools.mean, var and sum fill an array of the input's type where an axis is given, and noise is added after that: the
# fraction of each noisy value is lost. Of a list of Python integers the mean is then too small by about a half. Without
# an axis, and of floats, the values are what the documentation has.
#
# Output of 29 November 2026 (the mean of 1, 2, 3 and 6 is 3; epsilon is 100, so that the noise is .025):
#   floats, axis=0      mean of 2000 releases 3.001
#   integers, no axis   mean of 2000 releases 2.998
#   integers, axis=0    mean of 2000 releases 2.519, all of them whole
#
# Needs Python 3.10 to 3.12 with venv, and PyPI. Exits with 0 if the fractions are lost, with 1 if they are not.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet diffprivlib==0.6.6 numpy==2.2.6 scikit-learn==1.6.1 scipy==1.15.3

"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import numpy
from diffprivlib.tools import mean

RUNS = 2000


def releases(rows, axis):
    return [float(numpy.ravel(mean(rows, epsilon=100.0, bounds=(0, 10), axis=axis))[0]) for _ in range(RUNS)]


found = {}
for name, rows, axis in (
    ("floats, axis=0", [[1.0], [2.0], [3.0], [6.0]], 0),
    ("integers, no axis", [1, 2, 3, 6], None),
    ("integers, axis=0", [[1], [2], [3], [6]], 0),
):
    values = releases(rows, axis)
    whole = all(value == int(value) for value in values)
    found[name] = sum(values) / RUNS, whole
    print("%-19s mean of %d releases %.3f%s" % (name, RUNS, found[name][0], ", all of them whole" if whole else ""))
average, whole = found["integers, axis=0"]
others = [found[name][0] for name in found if name != "integers, axis=0"]
sys.exit(0 if whole and average < 2.7 and all(abs(other - 3.0) < 0.05 for other in others) else 1)
PROGRAM
