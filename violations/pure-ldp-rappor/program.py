"""Serves the release of this record to plaudit."""

from pure_ldp.core import generate_hash_funcs
from pure_ldp.frequency_oracles.rappor import RAPPORClient

COHORTS = [generate_hash_funcs(1, 8)]
CLIENT = RAPPORClient(f=0.5, m=8, hash_funcs=COHORTS, num_of_cohorts=1, index_mapper=int)


def release(values):
    return CLIENT.privatise(values[0])[0]


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
