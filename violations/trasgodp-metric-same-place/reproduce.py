"""trasgodp.geoindis.metric_privacy: people at one place get the same noise."""

import pandas
from trasgodp.geoindis import metric_privacy

RUNS = 200


def release(latitudes):
    frame = pandas.DataFrame({"lat": latitudes, "lon": [0.0] * len(latitudes)})
    found = metric_privacy(frame, "lat", "lon", epsilon=0.1, seed=None)
    return bool(found["lat"][0] == found["lat"][1])


def event(outcome):
    return outcome


if __name__ == "__main__":
    for name, dataset in (("D", [0.0, 0.0]), ("D'", [0.0, 8e-05])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
