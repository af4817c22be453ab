"""diffprivlib.models.KMeans: inertia_ has no noise."""

from diffprivlib.models import KMeans

RUNS = 200


def release(numbers):
    model = KMeans(n_clusters=1, epsilon=1.0, bounds=(0, 1)).fit([[x] for x in numbers])
    center = model.cluster_centers_[0, 0]
    return round(float(model.inertia_ - len(numbers) * center**2 + 2 * center), 6)


def event(outcome):
    return outcome == 1.0


if __name__ == "__main__":
    for name, dataset in (("D", [0.0, 0.0, 0.0, 0.0]), ("D'", [0.0, 0.0, 0.0, 1.0])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
