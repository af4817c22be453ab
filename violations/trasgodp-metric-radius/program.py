"""Serves the release of this record to plaudit."""

import math

import pandas
from trasgodp.geoindis import metric_privacy


def release(latitudes):
    frame = pandas.DataFrame({"lat": latitudes, "lon": [0.0] * len(latitudes)})
    found = metric_privacy(frame, "lat", "lon", epsilon=0.1, seed=None)
    metres = math.radians(1) * 6_371_000
    from_zero = math.hypot(found["lat"][0], found["lon"][0]) * metres
    return round(abs(found["radius_m"][0] - from_zero), 4) + 0.0


if __name__ == "__main__":
    from plaudit import serve

    serve(release, seed=None)
