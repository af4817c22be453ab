"""What shards cost: one Laplace audit, whole and in 1 to 64 shards played one after the other, on one thread.

    python3 benches/scale.py target/release/plaudit [TRIALS [SHARDS…]]

Prints a table in Markdown. "Explore" is a shard that plays next to nothing of the trials that count, one of 100 000.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

SPEC = """
[[audit]]
name = "laplace"
mechanism = { kind = "laplace", scale = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
"""

# As many as the program takes: one shard of them is explore, and a block of trials or none.
MOST = 100_000


def main():
    program = os.path.abspath(sys.argv[1])
    trials = sys.argv[2] if len(sys.argv) > 2 else "1e8"
    counts = [int(word) for word in sys.argv[3:]] or [1, 2, 4, 16, 64]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PLAUDIT")}
    environment["RAYON_NUM_THREADS"] = "1"
    if hasattr(os, "sched_setaffinity"):
        # For `merge`, which takes all the processors that it may.
        os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "laplace.toml"), "w") as file:
            file.write(SPEC)

        def timed(*arguments):
            begun = time.perf_counter()
            ended = subprocess.run(
                [program, *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            if ended.returncode != 0:
                sys.exit(ended.stdout.decode())
            return time.perf_counter() - begun

        def audit(*arguments):
            return timed("audit", "laplace.toml", "--trials", trials, "--jobs", "1", "--no-regressions", *arguments)

        audit("--no-provenance", "--out", "warm")
        whole = statistics.median(audit("--no-provenance", "--out", "whole") for _ in range(3))
        last = "%d/%d" % (MOST, MOST)
        explore = statistics.median(audit("--shard", last, "--out", "explore") for _ in range(3))
        words = "One Laplace audit of %s trials on one thread: %.2f s whole, of which explore %.2f s.\n"
        print(words % (trials, whole, explore))
        columns = ["shards", "all, one after the other", "median shard", "longest", "median of the whole", "reckoned"]
        columns += ["merge", "bytes of a file"]
        print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))
        for of in counts:
            out = "shards-%d" % of
            times = [audit("--shard", "%d/%d" % (number, of), "--out", out) for number in range(1, of + 1)]
            files = [os.path.join(out, "shard-%d-of-%d.json" % (number, of)) for number in range(1, of + 1)]
            merge = timed("merge", *files, "--no-provenance", "--out", "merged-%d" % of)
            sizes = [os.path.getsize(os.path.join(folder, file)) for file in files]
            usual = statistics.median(times)
            # A tenth is explored (docs/scale.md).
            reckoned = 0.1 + 0.9 / of
            print(
                "| %d | %.2f s | %.2f s | %.2f s | %.2f | %.2f | %.2f s | %d |"
                % (of, sum(times), usual, max(times), usual / whole, reckoned, merge, max(sizes)),
                flush=True,
            )


if __name__ == "__main__":
    main()
