"""Serves the release of this record to plaudit."""

import pandas
from trasgodp.geoindis import metric_privacy


def release(latitude):
    frame = pandas.DataFrame({"lat": latitude, "lon": [0.0] * len(latitude)})
    return round(float(metric_privacy(frame, "lat", "lon", epsilon=0.1)["lat"][0]), 7)


if __name__ == "__main__":
    from plaudit import serve

    serve(release, seed=None)
