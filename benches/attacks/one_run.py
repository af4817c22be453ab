"""What one training certifies by the scores of its canaries: plaudit beside jax_privacy, on the same scores.

    target/attacks-venv/bin/python benches/attacks/one_run.py target/release/plaudit > benches/results/one-run.md

(the environment is that of compare.py). The training is DP-SGD, four full-batch steps, in which each canary contributes
a gradient of the clipping norm in a direction of its own; its score is how far the noisy steps went there. So every
canary is a test of exactly μ-GDP, and the true ε is that of μ.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
from compare import jax_auditing
from scipy.optimize import brentq
from scipy.stats import norm

DELTA = 1e-5
ALPHA = 0.05
STEPS = 4
DRAWS = 100


def trained(rng, canaries, sigma):
    """The scores of one training, and who was in."""
    included = rng.random(canaries) < 0.5
    scores = np.zeros(canaries)
    for _ in range(STEPS):
        scores += included + sigma * rng.standard_normal(canaries)
    return scores, included


def epsilon_of(mu):
    def delta(epsilon):
        return norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu) - DELTA

    return brentq(delta, 0, 200)


def ours(program, folder, scores, included):
    path = os.path.join(folder, "scores.csv")
    with open(path, "w") as file:
        file.write("score,in\n")
        file.writelines(f"{score!r},{int(was_in)}\n" for score, was_in in zip(scores.tolist(), included))
    command = [program, "canaries", path, "--delta", str(DELTA), "--alpha", str(ALPHA), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["certified"]["epsilon"]


def main():
    auditing = jax_auditing()
    program = sys.argv[1]
    print("# Audits of one training, beside jax_privacy\n")
    print(
        f"Means over {DRAWS} trainings of the certified ε at δ = 10⁻⁵, level {ALPHA}, and of how many trainings it was above the truth."
        " `epsilon_one_run` with its default way to choose. Written by `benches/attacks/one_run.py`.\n"
    )
    print("| canaries | μ | true ε | plaudit | above | jax_privacy | above |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for canaries in (200, 1_000, 5_000):
            for mu in (0.5, 1.0, 2.0, 4.0):
                rng = np.random.default_rng(canaries)
                true = epsilon_of(mu)
                found = []
                for _ in range(DRAWS):
                    scores, included = trained(rng, canaries, math.sqrt(STEPS) / mu)
                    auditor = auditing.CanaryScoreAuditor(scores[included], scores[~included])
                    theirs = auditor.epsilon_one_run(ALPHA, DELTA)
                    found.append((ours(program, folder, scores, included), theirs))
                (us, them), above = np.mean(found, axis=0), (np.array(found) > true).sum(axis=0)
                print(
                    f"| {canaries} | {mu} | {true:.2f} | {us:.3f} | {above[0]} | {them:.3f} | {above[1]} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
