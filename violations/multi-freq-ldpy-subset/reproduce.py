"""multi_freq_ldpy SS_Client: the true value is the first of the subset."""

from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Client

RUNS = 1000


def release(values):
    return int(SS_Client(values[0], 1000, 1.0)[0])


def event(outcome):
    return outcome == 0


if __name__ == "__main__":
    for name, dataset in (("D", [0]), ("D'", [1])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
