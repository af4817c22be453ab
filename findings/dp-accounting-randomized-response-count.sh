#!/bin/sh
# dp-accounting 0.6.0: PLDAccountant counts repeated randomized response once.
#
# Its documentation (dp_event.py) has SelfComposedDpEvent(event, count) as "equivalent to ComposedDpEvent that contains
# a list of length count of identical copies of event". For RandomizedResponseDpEvent the PLDAccountant composes one
# copy whatever the count is, so that the epsilon of ten uses is that of one. Ten uses of binary randomized response
# with noise 1/2 (the true answer with probability 3/4) have a likelihood ratio of 3^10 on an event of probability
# (3/4)^10 = 0.056: at delta 1e-5 the epsilon is just below 10 ln 3 = 10.986, and not 1.0987.
#
# Output of 29 November 2026:
#   dp-accounting: epsilon   1.0987 at delta 1e-05  one use
#   dp-accounting: epsilon   1.0987 at delta 1e-05  SelfComposedDpEvent(once, 10)
#   dp-accounting: epsilon   1.0987 at delta 1e-05  compose(once, 10)
#   dp-accounting: epsilon  10.9868 at delta 1e-05  ComposedDpEvent([once] * 10)
#   closed form:   epsilon  10.9859 at least, for ten uses
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

from dp_accounting import ComposedDpEvent, NeighboringRelation, RandomizedResponseDpEvent, SelfComposedDpEvent
from dp_accounting.pld import PLDAccountant

DELTA = 1e-5
once = RandomizedResponseDpEvent(0.5, 2)
replace = NeighboringRelation.REPLACE_ONE
found = {
    "one use": PLDAccountant(replace).compose(once).get_epsilon(DELTA),
    "SelfComposedDpEvent(once, 10)": PLDAccountant(replace).compose(SelfComposedDpEvent(once, 10)).get_epsilon(DELTA),
    "compose(once, 10)": PLDAccountant(replace).compose(once, 10).get_epsilon(DELTA),
    "ComposedDpEvent([once] * 10)": PLDAccountant(replace).compose(ComposedDpEvent([once] * 10)).get_epsilon(DELTA),
}
for name, epsilon in found.items():
    print("dp-accounting: epsilon %8.4f at delta %g  %s" % (epsilon, DELTA, name))

# The event "ten true answers" alone needs this much: (3/4)^10 <= e^epsilon (1/4)^10 + delta.
least = math.log((0.75**10 - DELTA) / 0.25**10)
print("closed form:   epsilon %8.4f at least, for ten uses" % least)
sys.exit(0 if found["SelfComposedDpEvent(once, 10)"] < least - 1.0 else 1)
PROGRAM
