"""distributed_random_forest DPClientRF.summary: the counts of labels are exact."""

from distributed_random_forest import DPClientRF

RUNS = 1000


def release(labels):
    client = DPClientRF("a", epsilon=1.0, rf_params={"n_estimators": 1, "max_depth": 1, "n_jobs": 1})
    client.train([[0.0], [1.0], [0.0], [1.0]], labels)
    return int(client.summary()["class_distribution"]["1"])


def event(outcome):
    return outcome == 3


if __name__ == "__main__":
    for name, dataset in (("D", [0, 0, 1, 1]), ("D'", [0, 1, 1, 1])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
