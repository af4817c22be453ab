"""Three risks of a released table: plaudit beside anonymeter, on the tables of examples/synthetic.rs.

    cargo build --release --bin plaudit --example synthetic
    python -m pip install anonymeter==1.1.0
    python benches/attacks/anonymeter_risks.py target/release > benches/results/anonymeter.md

anonymeter's guesses for singling out come from a generator that this does not seed: they vary from run to run.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator, SinglingOutEvaluator

warnings.filterwarnings("ignore")
NOTES = """
What is asked otherwise:

* **Singling out.** Up to 500 guesses each. plaudit compares guesses about different people alone, so that its bound holds; its
  shares are those of the compared guesses. anonymeter counts all guesses, and treats them as independent of one another. With
  one condition there are 146 guesses: it divides by the 500 that were asked for.
* **Inference.** The same attack: the nearest released row by Gower's distance, numbers right within 5 %. The shares agree to 0.001. anonymeter's bound is an interval for the risk by Wilson's scores and propagation of errors; plaudit's is of
  both exact intervals together, and lower.
* **Linkage.** Another question: anonymeter splits the columns of a person into two halves, and asks whether both halves have the
  same nearest released row. `plaudit attack link` joins a table with another one on equal values, and has no control."""
KNOWN = ["zip", "year", "sex", "job", "income"]
NAMES = ["original.csv", "released.csv", "control.csv"]


def timed(act):
    start = time.perf_counter()
    found = act()
    return found, time.perf_counter() - start


def plaudit(program, folder, *arguments):
    command = [program, "attack", *arguments, "--format", "json"]
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(output.stdout)


def evaluated(make, **settings):
    np.random.seed(0)
    random.seed(0)
    evaluator = make()
    evaluator.evaluate(**settings)
    # Two-sided 90 %: its lower end is wrong one time in twenty, as plaudit's bound.
    return evaluator.results(confidence_level=0.90), evaluator.risk(confidence_level=0.90)


def row(what, ours, theirs):
    (people, others, excess), took = ours
    (results, risk), their_time = theirs
    rates = f"{results.attack_rate.value:.3f}, {results.control_rate.value:.3f}"
    told = f"{risk.value:.3f} (≥ {max(risk.ci[0], 0.0):.3f})"
    own = f"{excess['estimate']:.3f} (≥ {excess['lower']:.3f})" if excess else "–"
    first = f"{people:.3f}, {others:.3f}" if people is not None else "–"
    print(f"| {what} | {first} | {own} | {took:.2f} s | {rates} | {told} | {their_time:.2f} s |")


def single(program, folder, tables, conditions):
    def ours():
        found = plaudit(program, folder, "single-out", *NAMES[:2], "--control", NAMES[2],
                        "--conditions", str(conditions), "--guesses", "500")["compared"]
        shares = [found[side]["share"]["estimate"] for side in ("original", "control")]
        return *shares, found["excess"]

    original, released, control = tables
    mode = "univariate" if conditions == 1 else "multivariate"
    make = lambda: SinglingOutEvaluator(
        ori=original, syn=released, control=control, n_attacks=500, n_cols=conditions
    )
    row(f"singling out, {conditions} conditions", timed(ours),
        timed(lambda: evaluated(make, mode=mode)))


def inference(program, folder, tables, secret):
    known = [name for name in [*KNOWN, "diagnosis"] if name != secret]

    def ours():
        found = plaudit(program, folder, "infer", *NAMES[:2], "--control", NAMES[2],
                        "--secret", secret, "--known", ",".join(known))
        shares = [found[side]["share"]["estimate"] for side in ("original", "control")]
        return *shares, found["excess"]

    original, released, control = tables
    make = lambda: InferenceEvaluator(
        ori=original, syn=released, control=control, aux_cols=known, secret=secret,
        regression=secret == "income", n_attacks=len(original),
    )
    row(f"inference of {secret}", timed(ours), timed(lambda: evaluated(make, n_jobs=1)))


def linkage(program, folder, tables):
    def ours():
        plaudit(program, folder, "link", *NAMES[1::-1], "--on", "zip,year,sex,job")
        return None, None, None

    original, released, control = tables
    make = lambda: LinkabilityEvaluator(
        ori=original, syn=released, control=control, n_attacks=len(original), n_neighbors=1,
        aux_cols=(["zip", "year", "sex"], ["job", "income", "diagnosis"]),
    )
    row("linkage", timed(ours), timed(lambda: evaluated(make, n_jobs=1)))


def main():
    programs = Path(sys.argv[1]).resolve()
    print("# Risks of a released table beside anonymeter\n")
    print("`benches/attacks/anonymeter_risks.py`, which says how to run it: anonymeter 1.1.0, "
          f"numpy {np.__version__}, pandas {pd.__version__}.")
    print("Tables of `examples/synthetic.rs`, 1 000 rows each: one released row in five is a copy. "
          "Shares of right guesses about\nthe original and the control, the excess with the lower "
          "bound at α = 0.05, and the time.\n")
    print("| risk | plaudit, shares | excess | time | anonymeter, shares | risk | time |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([programs / "examples/synthetic", folder, "1000"], check=True)
        tables = [pd.read_csv(Path(folder) / name) for name in NAMES]
        program = programs / "plaudit"
        for conditions in (1, 3, 6):
            single(program, folder, tables, conditions)
        for secret in ("diagnosis", "income"):
            inference(program, folder, tables, secret)
        linkage(program, folder, tables)
    print(NOTES)


main()
