#!/bin/sh
# dp-accounting 0.6.0: under REPLACE_ONE, RdpAccountant's epsilon of a Gaussian event is less than half of PLDAccountant's.
#
# Its documentation (dp_event.py) has GaussianDpEvent as a sum of values of norm at most C plus noise of noise_multiplier
# times C. If one value is replaced, from C to -C, the sum moves by 2C. PLDAccountant follows that; RdpAccountant takes
# the sum to move by C under every relation, and Laplace noise and samples without replacement likewise. Its epsilon is
# meant as an upper bound, and is below the true one: N(1, 1) against N(-1, 1) has delta 0.043 at 4.7285, and not 1e-5.
#
# Output of 29 November 2026:
#   PLDAccountant(REPLACE_ONE): epsilon 9.9973 at delta 1e-05; the true delta there is 1e-05
#   RdpAccountant(REPLACE_ONE): epsilon 4.7285 at delta 1e-05; the true delta there is 0.0428
#
# Needs python3 with venv, and PyPI. Exits with 0 if the difference is there, with 1 if it is not.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet dp-accounting==0.6.0

"$folder/venv/bin/python" - <<'PROGRAM'
import math
import sys

from dp_accounting import GaussianDpEvent, NeighboringRelation
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

DELTA = 1e-5
event = GaussianDpEvent(noise_multiplier=1.0)
replace = NeighboringRelation.REPLACE_ONE
by_pld = PLDAccountant(replace).compose(event).get_epsilon(DELTA)
by_rdp = float(RdpAccountant(neighboring_relation=replace).compose(event).get_epsilon(DELTA))


def delta(epsilon):
    """Balle and Wang 2018, theorem 8: N(1, 1) against N(-1, 1)."""
    tail = [math.erfc(at / math.sqrt(2.0)) / 2.0 for at in (epsilon / 2.0 - 1.0, epsilon / 2.0 + 1.0)]
    return tail[0] - math.exp(epsilon) * tail[1]


for name, epsilon in (("PLDAccountant", by_pld), ("RdpAccountant", by_rdp)):
    print("%s(REPLACE_ONE): epsilon %.4f at delta %g; the true delta there is %.3g" % (name, epsilon, DELTA, delta(epsilon)))
sys.exit(0 if delta(by_rdp) > 2.0 * DELTA else 1)
PROGRAM
