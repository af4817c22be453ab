"""Serves the release of this record to plaudit."""

from pydp.ml.mechanisms.geometric import Geometric


def release(numbers):
    mechanism = Geometric().set_epsilon(1.0).set_sensitivity(1).set_probability(0.5)
    return mechanism.randomise(int(numbers[0]))


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
