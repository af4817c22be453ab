#!/bin/sh
# opendp 0.16.0: a mean over frames is released without noise if the margin has invariant="lengths" and the privacy
# unit is one contribution.
#
# Known lengths are usual for a mean under replaced rows. With contributions=1, neighbors have one row more or less, so
# no two datasets with equal lengths are neighbors: every loss is 0, and the solver of the context takes the smallest
# scale. No error or warning names it. With changes=1, or contributions=2, the noise is that of the range.
#
# Output of 29 November 2026 (three values in 0 to 10, whose mean is 4; epsilon is 1):
#   contributions=1  without invariant    scale of the sum 20
#   contributions=1  invariant="lengths"  scale of the sum 3.997e-14, the mean 4.000000000000
#   contributions=2  invariant="lengths"  scale of the sum 10
#   changes=1        invariant="lengths"  scale of the sum 10
#
# Needs Python 3.10 or later with venv, and PyPI. Exits with 0 if the noise is missing, with 1 if it is not.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet 'opendp[polars]==0.16.0'

"$folder/venv/bin/python" - <<'PROGRAM'
import sys

import opendp.prelude as dp
import polars

dp.enable_features("contrib")
frame = polars.LazyFrame({"age": [1.0, 2.0, 9.0]})


def query(unit, invariant):
    margin = dp.polars.Margin(max_length=3, invariant=invariant)
    context = dp.Context.compositor(
        data=frame,
        privacy_unit=dp.unit_of(**unit),
        privacy_loss=dp.loss_of(epsilon=1.0),
        split_evenly_over=1,
        margins=[margin],
    )
    return context.query().select(polars.col("age").fill_nan(0.0).dp.mean((0.0, 10.0)))


scales = {}
for name, unit, invariant in (
    ("contributions=1", {"contributions": 1}, None),
    ("contributions=1", {"contributions": 1}, "lengths"),
    ("contributions=2", {"contributions": 2}, "lengths"),
    ("changes=1", {"changes": 1}, "lengths"),
):
    asked = query(unit, invariant)
    scale = asked.summarize()["scale"][0]
    words = 'invariant="lengths"' if invariant else "without invariant"
    mean = ", the mean %.12f" % asked.release().collect()["age"][0] if scale < 1e-6 else ""
    print("%-16s %-20s scale of the sum %.4g%s" % (name, words, scale, mean))
    scales[name, invariant] = scale
usual = [scale for key, scale in scales.items() if key != ("contributions=1", "lengths")]
sys.exit(0 if scales["contributions=1", "lengths"] < 1e-6 and min(usual) >= 10.0 else 1)
PROGRAM
