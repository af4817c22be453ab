"""Serves the release of this record to plaudit."""

from diffpriv_pure import private_count


def release(count):
    return private_count(count[0], 1.0)


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
