"""Serves the release of this record to plaudit."""

from diffprivlib.models import KMeans


def release(numbers):
    model = KMeans(n_clusters=1, epsilon=1.0, bounds=(0, 1)).fit([[x] for x in numbers])
    center = model.cluster_centers_[0, 0]
    return round(float(model.inertia_ - len(numbers) * center**2 + 2 * center), 6)


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
