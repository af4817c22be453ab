"""Serves the release of this record to plaudit."""

from distributed_random_forest import DPClientRF


def release(labels):
    client = DPClientRF("a", epsilon=1.0, rf_params={"n_estimators": 1, "max_depth": 1, "n_jobs": 1})
    client.train([[0.0], [1.0], [0.0], [1.0]], labels)
    return int(client.summary()["class_distribution"]["1"])


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
