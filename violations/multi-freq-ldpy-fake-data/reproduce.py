"""multi_freq_ldpy RS+FD: the amplified epsilon is for a change of one attribute."""

from multi_freq_ldpy.mdim_freq_est.RSpFD_solution import RSpFD_GRR_Client

RUNS = 1000


def release(values):
    return [int(value) for value in RSpFD_GRR_Client(values, [2, 2, 2], 3, 1.0)]


def event(outcome):
    return outcome == [1, 1, 1]


if __name__ == "__main__":
    for name, dataset in (("D", [0, 0, 0]), ("D'", [1, 1, 1])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
