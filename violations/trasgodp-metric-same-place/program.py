"""Serves the release of this record to plaudit."""

import pandas
from trasgodp.geoindis import metric_privacy


def release(latitudes):
    frame = pandas.DataFrame({"lat": latitudes, "lon": [0.0] * len(latitudes)})
    found = metric_privacy(frame, "lat", "lon", epsilon=0.1, seed=None)
    return bool(found["lat"][0] == found["lat"][1])


if __name__ == "__main__":
    from plaudit import serve

    serve(release, seed=None)
