"""Whether audits in one process leak.

    python python/benches/leak.py [AUDITS]      (10000 unless said)

Prints the resident memory in megabytes after each tenth of the audits, of functions that return numbers, texts, lists
and exceptions, and how much it grew from the first fifth to the last.
"""

import gc
import sys

import plaudit


def number(dataset, random):
    return random.random() < 0.5


def text(dataset, random):
    return "x" * random.randrange(1, 5)


def vector(dataset, random):
    return [float(random.randrange(3)), 1.0]


def raises(dataset, random):
    raise ValueError("no %d" % random.randrange(3))


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def main():
    audits = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    functions = [number, text, vector, raises]
    told = []
    for at in range(1, audits + 1):
        plaudit.audit(
            functions[at % len(functions)], [1, 2, 3], [1, 2], epsilon=1.0, trials=200, seed=at, forks=False, threads=1
        )
        if at % (audits // 10) == 0:
            gc.collect()
            told.append(resident())
            print("after %d audits: %.1f MB" % (at, told[-1]), flush=True)
    print("grew by %.1f %%" % (100.0 * (told[-1] / told[1] - 1.0)))


if __name__ == "__main__":
    main()
