"""trasgodp.geoindis.metric_privacy: the distance to the true place is released."""

import math

import pandas
from trasgodp.geoindis import metric_privacy

RUNS = 200


def release(latitudes):
    frame = pandas.DataFrame({"lat": latitudes, "lon": [0.0] * len(latitudes)})
    found = metric_privacy(frame, "lat", "lon", epsilon=0.1, seed=None)
    metres = math.radians(1) * 6_371_000
    from_zero = math.hypot(found["lat"][0], found["lon"][0]) * metres
    return round(abs(found["radius_m"][0] - from_zero), 4) + 0.0


def event(outcome):
    return outcome == 0


if __name__ == "__main__":
    for name, dataset in (("D", [0.0]), ("D'", [8e-05])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
