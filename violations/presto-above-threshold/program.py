"""Serves the release of this record to plaudit."""

from ornl_presto.privacy_mechanisms import applySVTAboveThreshold_full


def release(numbers):
    return applySVTAboveThreshold_full(numbers, epsilon=1.0)


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
