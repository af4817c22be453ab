"""opendp laplace_threshold: delta leaves out the counts equal to the threshold."""

import opendp.prelude as dp

RUNS = 10000


dp.enable_features("contrib")
WORDS = dp.vector_domain(dp.atom_domain(T=str))
COUNTS = dp.t.make_count_by(WORDS, dp.symmetric_distance()) >> dp.m.then_laplace_threshold(scale=1.0, threshold=5)


def release(words):
    return int("a" in COUNTS(words))


def event(outcome):
    return outcome == 1


if __name__ == "__main__":
    for name, dataset in (("D", ['a']), ("D'", [])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
