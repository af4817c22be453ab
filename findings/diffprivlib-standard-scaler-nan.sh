#!/bin/sh
# diffprivlib 0.6.6: StandardScaler documents that missing values are left out, and refuses them.
#
# The notes of the class, as those of scikit-learn's: "NaNs are treated as missing values". Its fit checks the data with
# scikit-learn's validate_data without ensure_all_finite, whose default refuses NaN. scikit-learn's own scaler, in the
# same environment, fits the same rows.
#
# Output of 29 November 2026:
#   documented: NaNs are treated as missing values: disregarded in fit, and maintained in transform.
#   scikit-learn 1.6.1: mean 0.25
#   diffprivlib 0.6.6: ValueError: Input X contains NaN.
#
# Needs Python 3.10 to 3.12 with venv, and PyPI. Exits with 0 if NaN is refused, with 1 if it is not.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet diffprivlib==0.6.6 numpy==2.2.6 scikit-learn==1.6.1 scipy==1.15.3

"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import numpy
import sklearn.preprocessing
from diffprivlib.models import StandardScaler

rows = numpy.array([[0.1], [numpy.nan], [0.4]])
documented = [line.strip() for line in StandardScaler.__doc__.splitlines() if "NaNs are treated" in line]
print("documented: %s" % " ".join(documented))
print("scikit-learn %s: mean %g" % (sklearn.__version__, sklearn.preprocessing.StandardScaler().fit(rows).mean_[0]))
try:
    print("diffprivlib 0.6.6: mean %g" % StandardScaler(epsilon=1.0, bounds=(0, 1)).fit(rows).mean_[0])
    refused = False
except ValueError as error:
    print("diffprivlib 0.6.6: ValueError: %s" % str(error).splitlines()[0])
    refused = "NaN" in str(error)
sys.exit(0 if documented and refused else 1)
PROGRAM
