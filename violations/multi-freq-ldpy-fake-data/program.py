"""Serves the release of this record to plaudit."""

from multi_freq_ldpy.mdim_freq_est.RSpFD_solution import RSpFD_GRR_Client


def release(values):
    return [int(value) for value in RSpFD_GRR_Client(values, [2, 2, 2], 3, 1.0)]


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
