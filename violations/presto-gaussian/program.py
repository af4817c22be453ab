"""Serves the release of this record to plaudit."""

from ornl_presto.privacy_mechanisms import applyDPGaussian


def release(numbers):
    return applyDPGaussian(numbers, sensitivity=10, delta=0.01, epsilon=1)


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
