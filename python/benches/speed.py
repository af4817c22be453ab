"""What the engine costs beside the function that it audits.

    python python/benches/speed.py [RUNS]      (10000000 unless said)

Prints a Markdown table: for each way to call a function, the seconds of the whole audit, those spent in the function,
and the share of the rest; then the speed of an audit of numpy's Laplace noise beside a bare loop that draws the same
arrays and does nothing with them, in turns, the best of three.
"""

import sys
import time

import numpy

import plaudit

DATASETS = ([17.0, 34.0], [17.0, 34.0, 71.0])


class Timed:
    """A function that takes about so many seconds a run, and counts the seconds spent in it."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.spent = 0.0

    def batch(self, dataset, runs, rng):
        start = time.perf_counter()
        until = start + runs * self.seconds
        noise = rng.geometric(0.5, runs) - rng.geometric(0.5, runs) + len(dataset)
        while time.perf_counter() < until:
            pass
        self.spent += time.perf_counter() - start
        return noise

    def single(self, dataset, random):
        start = time.perf_counter()
        until = start + self.seconds
        value = len(dataset) + (random.random() < 0.5)
        while time.perf_counter() < until:
            pass
        self.spent += time.perf_counter() - start
        return value


def row(name, runs, seconds, **function):
    timed = Timed(seconds)
    kind = getattr(timed, "batch" if "batch" in function else "single")
    start = time.perf_counter()
    if "batch" in function:
        result = plaudit.audit(batch=kind, d=DATASETS[0], d_prime=DATASETS[1], epsilon=1.0, trials=runs)
    else:
        result = plaudit.audit(kind, *DATASETS, epsilon=1.0, trials=runs)
    whole = time.perf_counter() - start
    own = 100.0 * (1.0 - timed.spent / whole)
    print(
        "| %s | %d | %.2f | %.2f | %.1f %% | %s |" % (name, runs, whole, timed.spent, own, result.verdict), flush=True
    )


def laplace(dataset, runs, rng):
    return rng.laplace(0.0, 1.0, runs) + len(dataset)


def bare(runs, size=32768):
    rng = numpy.random.default_rng(0)
    start = time.perf_counter()
    for _ in range(runs // size):
        laplace(DATASETS[0], size, rng)
    return time.perf_counter() - start


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    print("| function | runs | seconds | in the function | the engine's own | verdict |")
    print("|---|--:|--:|--:|--:|---|")
    row("1 µs a run, in batches", runs, 1e-6, batch=True)
    row("10 µs a run, one by one", runs // 10, 1e-5)
    row("10 µs a run, one by one", runs // 2, 1e-5)
    speeds = []
    for _ in range(3):
        alone = bare(30 * runs)
        start = time.perf_counter()
        plaudit.audit(
            batch=laplace, d=DATASETS[0], d_prime=DATASETS[1], epsilon=1.0, trials=30 * runs, requests_of=32768,
            floats="ideal",
        )
        whole = time.perf_counter() - start
        speeds.append((alone / whole, alone, whole))
    best, alone, whole = max(speeds)
    print("\nnumpy Laplace, %d runs: %.2f s; a bare loop that draws them: %.2f s; %.2f of its speed"
          % (30 * runs, whole, alone, best))


if __name__ == "__main__":
    main()
