"""Serves the release of this record to plaudit."""

from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Client


def release(values):
    return int(SS_Client(values[0], 1000, 1.0)[0])


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
