"""pure_ldp RAPPORClient: a set bit of the filter is always reported."""

from pure_ldp.core import generate_hash_funcs
from pure_ldp.frequency_oracles.rappor import RAPPORClient

RUNS = 1000
COHORTS = [generate_hash_funcs(1, 8)]
CLIENT = RAPPORClient(f=0.5, m=8, hash_funcs=COHORTS, num_of_cohorts=1, index_mapper=int)


def release(values):
    return CLIENT.privatise(values[0])[0]


def event(outcome):
    return outcome[4] == 1


if __name__ == "__main__":
    for name, dataset in (("D", [0]), ("D'", [2])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
