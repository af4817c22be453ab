"""trasgodp.geoindis.metric_privacy: the default seed is 42."""

import pandas
from trasgodp.geoindis import metric_privacy

RUNS = 20


def release(latitude):
    frame = pandas.DataFrame({"lat": latitude, "lon": [0.0] * len(latitude)})
    return round(float(metric_privacy(frame, "lat", "lon", epsilon=0.1)["lat"][0]), 7)


def event(outcome):
    return outcome == release([0.0])


if __name__ == "__main__":
    for name, dataset in (("D", [0.0]), ("D'", [8e-05])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
