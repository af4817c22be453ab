"""Serves the release of this record to plaudit."""

from diffprivlib.mechanisms import Laplace


def release(answer):
    return float(Laplace(epsilon=1.0, sensitivity=1.0).randomise(answer[0]))


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
