"""plaudit.trace beside dp-recorder, on the mistakes of dp-recorder's own examples.

    benchmark/install.sh plaudit dp-recorder
    python3 benchmark/traces.py

dp-recorder runs its own tests, in which primitives are marked and what must not depend on the data is named. plaudit
runs the same mistakes, written afresh below without any marks. Each line of the table: which tool finds it, where, and
the milliseconds of the fastest of five runs.
"""

import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

RECORDER = """
import contextlib, importlib, io, json, sys, time
sys.path.insert(0, sys.argv[1])
found = {}
for module, name in json.loads(sys.argv[2]):
    test = getattr(importlib.import_module(module), name)
    best, passed = 1e9, True
    for _ in range(5):
        start = time.perf_counter()
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                test()
        except BaseException as error:
            passed = False
        best = min(best, time.perf_counter() - start)
    found[module] = [passed, 1000 * best]
print(json.dumps(found))
"""

PLAUDIT = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import traces
import plaudit
found = {}
for module, (function, d, d_prime, line) in traces.mistakes().items():
    best = 1e9
    for _ in range(5):
        start = time.perf_counter()
        trace = plaudit.trace(function, d, d_prime, epsilon=1.0)
        best = min(best, time.perf_counter() - start)
    lines = [(one.kind, one.line - function.__code__.co_firstlineno) for one in trace.differences]
    at = [one.line for one in trace.differences] + [one.line for d in trace.differences for one in d.lines]
    right = not lines if line is None else line + function.__code__.co_firstlineno in at
    found[module] = [right, 1000 * best, lines]
print(json.dumps(found))
"""

TESTS = [
    ("test_buggy_private_mean", "test_invariant_violation"),
    ("test_sensitivity_miscalibration", "test_sensitivity_bug"),
    ("test_noise_miscalibration", "test_noise_miscalibration_bug"),
    ("test_domain_inference", "test_domain_inference_bug"),
    ("test_double_spending", "test_accounting_bug"),
    ("test_nan_injection", "test_nan_injection_bug"),
    ("test_correct_mechanism", "test_correct_count_mechanism"),
]


def mistakes():
    """By the name of dp-recorder's test: the function, its pair, and the line of the mistake below its first."""
    import numpy as np

    def mean(rows, rng):
        total = np.clip(rows, -1, 1).sum() + rng.laplace(0, 1)
        return total / len(rows)

    def sum_of_raw_rows(rows, rng):
        kept = np.clip(rows, -5, 5)
        assert len(kept) == len(rows)
        return np.sum(rows) + rng.laplace(0, 5)

    def no_noise(rows, rng):
        sensitivity = float(5 - 5)
        return np.sum(rows) + rng.laplace(0, sensitivity)

    def classes_of_the_rows(rows, rng):
        classes = np.unique(rows)
        return [np.sum(rows == one) + rng.laplace(0, len(classes)) for one in classes]

    def twice_the_budget(rows, rng):
        total = np.sum(rows) + rng.laplace(0, 1)
        count = len(rows) + rng.laplace(0, 1)
        return total, count

    def not_a_number(rows, rng):
        kept = np.clip(rows, -5, 5)
        return np.sum(kept) + rng.laplace(0, 5)

    def right_count(rows, rng):
        return np.sum(rows == 1) + rng.laplace(0, 1)

    zeros = np.zeros(100)
    return {
        "test_buggy_private_mean": (mean, np.full(3, 0.5), np.full(2, 0.5), 2),
        "test_sensitivity_miscalibration": (
            sum_of_raw_rows, np.array([1.0, -2.0, 3.0]), np.array([1.0, -2.0, 100.0]), 3),
        "test_noise_miscalibration": (no_noise, np.ones(2), np.ones(1), 2),
        "test_domain_inference": (classes_of_the_rows, np.array([0, 1, 2, 0]), np.array([0, 1, 0]), 2),
        "test_double_spending": (twice_the_budget, zeros, np.append(zeros, 1.0), 1),
        "test_nan_injection": (not_a_number, np.array([1.0, 2.0]), np.array([1.0, np.nan]), 1),
        "test_correct_mechanism": (right_count, np.array([0, 1, 1, 0]), np.array([0, 1, 0]), None),
    }


def ran(environment, program, *arguments):
    python = os.path.join(ROOT, "target", "benchmark", environment, "bin", "python")
    if not os.path.exists(python):
        sys.exit("traces.py: run benchmark/install.sh plaudit dp-recorder")
    done = subprocess.run([python, "-c", program, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit("traces.py: %s: %s" % (environment, done.stderr[-500:]))
    return json.loads(done.stdout.splitlines()[-1])


def sources():
    """Where install.sh puts the checkout of dp-recorder."""
    base = os.path.realpath(os.path.join(ROOT, "target", "benchmark"))
    places = [base, os.path.dirname(os.path.realpath(os.path.join(base, "dp-recorder")))]
    found = [os.path.join(place, name, "tests") for place in places for name in sorted(os.listdir(place))
             if name.endswith("dp-recorder") and os.path.isdir(os.path.join(place, name, "tests"))]
    if not found:
        sys.exit("traces.py: no checkout of dp-recorder: run benchmark/install.sh dp-recorder")
    return found[0]


def main():
    theirs = ran("dp-recorder", RECORDER, sources(), json.dumps(TESTS))
    ours = ran("plaudit", PLAUDIT, os.path.dirname(os.path.abspath(__file__)))
    print("| dp-recorder's example | dp-recorder, marked | ms | plaudit.trace, unmarked | ms |")
    print("|---|---|---|---|---|")
    for name, _ in TESTS:
        found, seconds, lines = ours[name]
        words = ", ".join("%s at line %d" % (kind, line) for kind, line in lines) or "nothing suspected"
        print("| %s | %s | %.1f | %s: %s | %.1f |" % (
            name[5:].replace("_", " "), "yes" if theirs[name][0] else "no", theirs[name][1],
            "yes" if found else "no", words, seconds))


if __name__ == "__main__":
    main()
