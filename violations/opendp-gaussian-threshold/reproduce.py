"""opendp gaussian_threshold: delta leaves out the counts equal to the threshold."""

import opendp.prelude as dp

RUNS = 10000


dp.enable_features("contrib")
SPACE = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)), dp.l02inf_distance(dp.absolute_distance(T=int))
COUNTS = dp.m.make_gaussian_threshold(*SPACE, scale=1.0, threshold=2)


def release(counts):
    return int("a" in COUNTS(counts))


def event(outcome):
    return outcome == 1


if __name__ == "__main__":
    print("claim at distance (1, 1, 1):", dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(COUNTS), 0.2).map((1, 1, 1)))
    for name, dataset in (("D", {"a": 1}), ("D'", {})):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
