"""Serves the release of this record to plaudit."""

from diffprivlib.models import GaussianNB


def release(labels):
    model = GaussianNB(epsilon=1.0, bounds=(100, 101)).fit([[100.5]] * 6, labels)
    return [*model.class_count_.tolist(), *model.theta_[:, 0].tolist()]


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
