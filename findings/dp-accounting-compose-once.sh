#!/bin/sh
# dp-accounting 0.6.0: composing a privacy-loss distribution with itself once changes it, and then its optimistic
# estimate is above the true epsilon.
#
# privacy_loss_distribution.py has optimistic estimates as lower bounds (pessimistic_estimate=False), and
# self_compose(1) as the composition of one copy. For Gaussian noise of 0.7491 at delta 2e-12 the optimistic epsilon is
# 9.80121 before self_compose(1), below the true 9.80126, and 9.80130 after it, above. The pessimistic one moves, too.
#
# Output of 29 November 2026:
#   dp-accounting: optimistic   9.801211, after self_compose(1)   9.801303
#   dp-accounting: pessimistic  9.801261, after self_compose(1)   9.801357
#   closed form:                9.801261
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

from dp_accounting.pld import privacy_loss_distribution as pld
from scipy.special import log_ndtr

SIGMA, DELTA = 0.7491, 2e-12


def delta(epsilon):
    near, far = 0.5 / SIGMA - epsilon * SIGMA, -0.5 / SIGMA - epsilon * SIGMA
    return math.exp(log_ndtr(near)) - math.exp(epsilon + log_ndtr(far))


low, high = 0.0, 50.0
for _ in range(100):
    middle = 0.5 * (low + high)
    low, high = (middle, high) if delta(middle) > DELTA else (low, middle)

found = {}
for name, pessimistic in (("optimistic", False), ("pessimistic", True)):
    law = pld.from_gaussian_mechanism(SIGMA, pessimistic_estimate=pessimistic, value_discretization_interval=1e-4)
    found[name] = (law.get_epsilon_for_delta(DELTA), law.self_compose(1).get_epsilon_for_delta(DELTA))
    print("dp-accounting: %-11s %9.6f, after self_compose(1)  %9.6f" % (name, *found[name]))
print("closed form:              %10.6f" % low)
before, after = found["optimistic"]
sys.exit(0 if before < low < after - 1e-5 else 1)
PROGRAM
