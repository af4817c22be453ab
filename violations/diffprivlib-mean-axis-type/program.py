"""Serves the release of this record to plaudit."""

from diffprivlib.tools import mean


def release(numbers):
    return mean([[number] for number in numbers], epsilon=1.0, bounds=(0, 1), axis=0)[0].item()


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
