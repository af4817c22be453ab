"""Serves the release of this record to plaudit."""

from diffprivlib.models import KMeans


def release(numbers):
    model = KMeans(n_clusters=2, epsilon=0.1, bounds=(0, 1)).fit([[x, x, x] for x in numbers])
    return sorted([round(float(number), 3) for number in center] for center in model.cluster_centers_)


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
