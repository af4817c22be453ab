"""What shards cost: one Laplace audit, whole and in 1 to 64 shards, on one thread.

    python3 benches/scale.py target/release/plaudit [TRIALS [ROUNDS [SHARDS…]]]

Prints a table in Markdown. Times are seconds of a processor, medians of so many rounds (5); each round runs all of them in turn,
so that a machine that is slow for a while is so for all. "Explore" is a shard that plays next to nothing of the trials that
count, one of 100 000. "Reckoned" is explore in each shard and the other trials once; "beyond" is what all shards take beyond it,
the median of the rounds.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile

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
# Shards of each number that a round plays, spread over all of them.
PLAYED = 4


def main():
    program = os.path.abspath(sys.argv[1])
    trials = sys.argv[2] if len(sys.argv) > 2 else "1e9"
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    counts = [int(word) for word in sys.argv[4:]] or [1, 2, 4, 16, 64]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PLAUDIT")}
    environment["RAYON_NUM_THREADS"] = "1"
    if hasattr(os, "sched_setaffinity"):
        # For `merge`, which takes all the processors that it may.
        os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "laplace.toml"), "w") as file:
            file.write(SPEC)

        def timed(*arguments):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            ended = subprocess.run(
                [program, *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            if ended.returncode != 0:
                sys.exit(ended.stdout.decode())
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        def audit(*arguments):
            return timed("audit", "laplace.toml", "--trials", trials, "--jobs", "1", "--no-regressions", *arguments)

        def shard(number, of):
            return audit("--shard", "%d/%d" % (number, of), "--out", "shards-%d" % of)

        def file(number, of):
            return os.path.join(folder, "shards-%d" % of, "shard-%d-of-%d.json" % (number, of))

        # For `merge`.
        for of in counts:
            for number in range(1, of + 1):
                shard(number, of)
        whole, explore, one, merge, beyond = [], [], {}, {}, {}
        for _ in range(rounds):
            whole.append(audit("--no-provenance", "--out", "whole"))
            explore.append(shard(MOST, MOST))
            for of in counts:
                numbers = sorted({1 + (of - 1) * place // (PLAYED - 1) for place in range(PLAYED)})
                mean = statistics.mean(shard(number, of) for number in numbers)
                one.setdefault(of, []).append(mean)
                reckoned = of * explore[-1] + whole[-1] - explore[-1]
                beyond.setdefault(of, []).append(of * mean / reckoned - 1)
                files = [file(number, of) for number in range(1, of + 1)]
                merging = timed("merge", *files, "--no-provenance", "--out", "merged-%d" % of)
                merge.setdefault(of, []).append(merging)
        whole, explore = statistics.median(whole), statistics.median(explore)
        words = "One Laplace audit of %s trials on one thread: %.2f s whole, of which explore %.2f s.\n"
        print(words % (trials, whole, explore))
        columns = ["shards", "one of them", "all", "reckoned", "beyond", "merge", "bytes of a file"]
        print("| %s |\n|%s" % (" | ".join(columns), "---|" * len(columns)))
        for of in counts:
            mean = statistics.median(one[of])
            size = max(os.path.getsize(file(number, of)) for number in range(1, of + 1))
            cells = (of, mean, of * mean, of * explore + whole - explore)
            more = (100 * statistics.median(beyond[of]), statistics.median(merge[of]), size)
            print("| %d | %.2f s | %.2f s | %.2f s | %+.1f %% | %.2f s | %d |" % (cells + more))


if __name__ == "__main__":
    main()
