"""Serves the release of this record to plaudit."""

import opendp.prelude as dp


dp.enable_features("contrib")
SPACE = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)), dp.l02inf_distance(dp.absolute_distance(T=int))
COUNTS = dp.m.make_gaussian_threshold(*SPACE, scale=1.0, threshold=2)


def release(counts):
    return int("a" in COUNTS(counts))


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
