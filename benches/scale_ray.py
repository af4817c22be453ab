"""What a second worker of Ray gives: an audit of a training of some 10 µs, in one shard and in two, on one thread each.

    PYTHONPATH=python python3 benches/scale_ray.py target/release/plaudit [TRIALS [ROUNDS]]

Needs Ray and two processors. Prints, for each round, the seconds of one shard and of two, of explore by one worker and by two at
once (shards that play next to nothing of the trials that count), and how much faster two play the trials that count:
(one - explore) / (two - explore of two).
"""

import os
import statistics
import sys
import tempfile
import time

import ray

from plaudit import ray as plaudit_ray

SPEC = """
[[audit]]
name = "training"
mechanism = { kind = "dp-sgd", model = "logistic", sampling = "full-batch", clip = 1.0, sigma = 2.0, steps = 14, rate = 0.5, batch = 2, releases = "score" }
data = { columns = ["a", "b", "c", "d", "label"], rows = ROWS }
relation = "add-remove"
pairs = [{ remove = 2 }]
claim = { mu = 2.0 }
"""

# As many shards as the program takes: one of them is explore, and a block of trials or none.
MOST = 100_000


def main():
    program = os.path.abspath(sys.argv[1])
    trials = sys.argv[2] if len(sys.argv) > 2 else "2e6"
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    rows = [[(row * 7 % 5) / 3, (row * 3 % 7) / 4, -0.5, (row % 3) / 2, row % 2] for row in range(40)]
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    folder = tempfile.mkdtemp(prefix="plaudit-")
    os.chdir(folder)
    with open("training.toml", "w") as file:
        file.write(SPEC.replace("ROWS", str(rows)))
    task = ray.remote(num_cpus=1)(plaudit_ray._task())

    def play(numbers, of):
        begun = time.perf_counter()
        tasks = []
        for number in numbers:
            arguments = ["--shard", "%d/%d" % (number, of), "--trials", trials, "--jobs", "1", "--", "training.toml"]
            tasks.append(task.remote(program, arguments, "shard-%d-of-%d.json" % (number, of), folder, {}, None))
        for code, _, said in ray.get(tasks):
            if code != 0:
                sys.exit(said)
        return time.perf_counter() - begun

    # So that both workers are there.
    play([MOST - 1, MOST], MOST)
    print("| one shard | two | explore | by two | confirm, times as fast |\n|---|---|---|---|---|", flush=True)
    ratios = []
    for _ in range(rounds):
        times = play([1], 1), play([1, 2], 2), play([MOST], MOST), play([MOST - 1, MOST], MOST)
        one, two, explore, by_two = times
        ratios.append((one - explore) / (two - by_two))
        print("| %.2f s | %.2f s | %.2f s | %.2f s | %.2f |" % (*times, ratios[-1]), flush=True)
    print("\nThe median is %.2f." % statistics.median(ratios))


if __name__ == "__main__":
    main()
