"""plaudit's attacks beside public implementations of the same, in one run on the same input.

    python3 -m venv target/attacks-venv
    target/attacks-venv/bin/pip install -r benches/attacks/requirements.txt
    target/attacks-venv/bin/python benches/attacks/compare.py target/release/plaudit > benches/results/attacks.md

Times are of whole processes for plaudit (start, reading and writing included), and of the call alone for the others.
"""

import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd
import scipy
from scipy.optimize import linprog

DELTA = 1e-5


def jax_auditing():
    """jax_privacy's auditor alone: the package would import JAX."""
    place = pathlib.Path(importlib.util.find_spec("jax_privacy").origin).parent / "auditing.py"
    spec = importlib.util.spec_from_file_location("auditing", place)
    module = importlib.util.module_from_spec(spec)
    sys.modules["auditing"] = module
    spec.loader.exec_module(module)
    return module


def grouped(count):
    return f"{count:_}".replace("_", " ")


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def plaudit(program, *arguments):
    def run():
        done = subprocess.run([program, "attack", *map(str, arguments), "--format", "json"],
                              capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        return json.loads(done.stdout)

    return timed(run)


def memberships(program, folder):
    print("## Membership\n")
    print("Certified ε at δ = 10⁻⁵, each bound wrong with probability at most 0.0125; medians of 11 draws of the scores, and times of one.\n"
          "jax_privacy chooses its threshold on one half of the scores (`Split`) or pays for all of them (`Bonferroni`), and looks at\n"
          "high scores alone (`one_sided=True`, its default) or at both ends.\n")
    print("| scores (members, others) | a side | true ε | plaudit | jax_privacy, Split | Split, both ends | Bonferroni |")
    print("|---|---|---|---|---|---|---|")
    auditing = jax_auditing()
    for name, n, truth, draw in [
        ("logistic + 1, logistic: 1-DP", 1_000, 1.0, lambda r, n: (r.logistic(1, 1, n), r.logistic(0, 1, n))),
        ("logistic + 1, logistic: 1-DP", 10_000, 1.0, lambda r, n: (r.logistic(1, 1, n), r.logistic(0, 1, n))),
        ("N(1, 1), N(0, 1): 1-GDP", 10_000, 4.377, lambda r, n: (r.normal(1, 1, n), r.normal(0, 1, n))),
        ("N(1, 1), N(0, 1): 1-GDP", 100_000, 4.377, lambda r, n: (r.normal(1, 1, n), r.normal(0, 1, n))),
    ]:
        bounds, times = [], None
        for seed in range(11):
            members, others = draw(np.random.default_rng(seed), n)
            files = [folder / "members.txt", folder / "others.txt"]
            for file, scores in zip(files, (members, others)):
                file.write_text("".join(f"{score!r}\n" for score in scores.tolist()))
            ours, own = plaudit(program, "membership", *files, "--delta", DELTA, "--alpha", 0.05, "--seed", seed)
            auditor = auditing.CanaryScoreAuditor(members, others)

            def theirs(strategy, one_sided):
                return timed(lambda: auditor.epsilon_clopper_pearson(
                    0.0125, DELTA, one_sided, threshold_strategy=strategy))

            others_said = [theirs(auditing.Split(seed=seed), True), theirs(auditing.Split(seed=seed), False),
                           theirs(auditing.Bonferroni(), True)]
            bounds.append([ours["certified"]["epsilon"]["lower"], *(float(bound) for bound, _ in others_said)])
            times = [own, *(seconds for _, seconds in others_said)]
        medians = np.median(np.array(bounds), axis=0)
        cells = " | ".join(f"{bound:.3f} ({seconds:.2f} s)" for bound, seconds in zip(medians, times))
        print(f"| {name} | {grouped(n)} | {truth} | {cells} |")
    print("\nHalf of plaudit's scores choose events, and half are counted. A Bonferroni correction counts all of them, which is worth more where\n"
          "few thresholds are in question: there it may certify more.\n")


def decoding(program, folder):
    print("## Decoding\n")
    print("Bits that are right of a table of n bits, half of them ones, after 4n sums over random subsets with Gaussian noise: scipy's `linprog`\n"
          "(HiGHS) on the same kind of problem, written down as textbooks do. Both solve the same linear program on queries of their own.\n")
    print("| n | σ | plaudit, linear program | scipy `linprog` | plaudit, least squares |")
    print("|---|---|---|---|---|")
    for n, sigma in [(100, 2.0), (200, 5.0), (400, 5.0)]:
        (ours, own) = plaudit(program, "reconstruct", "--noise", "gaussian", "--scale", sigma, "--entries", n,
                              "--decoder", "linear-program")
        (fast, quick) = plaudit(program, "reconstruct", "--noise", "gaussian", "--scale", sigma, "--entries", n,
                                "--decoder", "least-squares")
        r = np.random.default_rng(0)
        bits = r.permutation(np.arange(n) % 2)
        queries = r.integers(0, 2, (4 * n, n)).astype(float)
        answers = queries @ bits + r.normal(0, sigma, 4 * n)
        eye = np.eye(4 * n)

        def solve():
            cost = np.concatenate([np.zeros(n), np.ones(4 * n)])
            sides = np.block([[queries, -eye], [-queries, -eye]])
            return linprog(cost, A_ub=sides, b_ub=np.concatenate([answers, -answers]),
                           bounds=[(0, 1)] * n + [(0, None)] * 4 * n, method="highs")

        solved, seconds = timed(solve)
        right = int(((solved.x[:n] > 0.5) == bits).sum())
        print(f"| {n} | {sigma} | {ours['rows'][0]['right']} ({own:.2f} s) | {right} ({seconds:.2f} s) "
              f"| {fast['rows'][0]['right']} ({quick:.2f} s) |")
    print()


def linkage(program, folder):
    from anonymeter.evaluators import LinkabilityEvaluator

    print("## Linkage\n")
    print("Patients, seven in ten of whom are on a list. plaudit joins on equal values of ZIP code, birth and sex, and says who is linked.\n"
          "anonymeter asks another question: whether two halves of a row's columns, (ZIP code, birth) and (sex, diagnosis), have the same\n"
          "nearest neighbor among released rows. With six kinds of the second half that is rare, though nearly all rows are given away.\n")
    print("| rows | plaudit: rows linked, rightly | anonymeter: success rate of 500 attacks |")
    print("|---|---|---|")
    for n in (1_000, 10_000, 100_000):
        r = random.Random(n)
        people = [(i, 10_000 + r.randrange(max(20, n // 1_250)), f"{r.randrange(1930, 2008)}-{r.randrange(1, 13):02}-{r.randrange(1, 29):02}",
                   r.choice("fm"), r.choice(["asthma", "flu", "fracture"])) for i in range(n)]
        table = pd.DataFrame(people, columns=["id", "zip", "birth", "sex", "diagnosis"])
        table.to_csv(folder / "released.csv", index=False)
        table.sample(frac=0.7, random_state=1)[["id", "zip", "birth", "sex"]].to_csv(folder / "known.csv", index=False)
        found, own = plaudit(program, "link", folder / "released.csv", folder / "known.csv", "--on", "zip,birth,sex", "--truth", "id")
        plain = table.drop(columns="id").astype(str)

        def attack():
            evaluator = LinkabilityEvaluator(ori=plain, syn=plain, n_attacks=min(500, n), n_neighbors=1,
                                             aux_cols=(["zip", "birth"], ["sex", "diagnosis"]))
            evaluator.evaluate(n_jobs=1)
            return evaluator.risk().value

        rate, seconds = timed(attack)
        right = found["truth"]["right"]
        print(f"| {grouped(n)} | {grouped(found['linked'])}, {grouped(right)} ({own:.2f} s) | {rate:.2f} ({seconds:.1f} s) |")
    print("\nanonymeter's singling-out attack looks for predicates that one released row fulfils; `plaudit attack link` says how many rows are\n"
          "alone on given columns, exactly, and searches for no predicates.\n")


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        print("# Attacks beside public implementations\n")
        print("`benches/attacks/compare.py`, which says how to run it. Python", sys.version.split()[0], "numpy", np.__version__,
              "scipy", scipy.__version__ + ".\n")
        memberships(program, folder)
        sys.stdout.flush()
        decoding(program, folder)
        sys.stdout.flush()
        linkage(program, folder)


if __name__ == "__main__":
    main()
