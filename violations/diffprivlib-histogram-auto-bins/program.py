"""Serves the release of this record to plaudit."""

from diffprivlib.tools import histogram


def release(numbers):
    counts, edges = histogram(numbers, epsilon=1.0, bins="auto", range=(0, 1))
    return len(counts)


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
