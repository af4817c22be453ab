"""Serves the release of this record to plaudit."""

import opendp.prelude as dp


dp.enable_features("contrib")
WORDS = dp.vector_domain(dp.atom_domain(T=str))
COUNTS = dp.t.make_count_by(WORDS, dp.symmetric_distance()) >> dp.m.then_laplace_threshold(scale=1.0, threshold=5)


def release(words):
    return int("a" in COUNTS(words))


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
