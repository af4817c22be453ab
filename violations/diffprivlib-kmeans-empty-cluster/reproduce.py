"""diffprivlib.models.KMeans: a cluster without rows keeps its first center, without noise."""

from diffprivlib.models import KMeans

RUNS = 500


def release(numbers):
    model = KMeans(n_clusters=2, epsilon=0.1, bounds=(0, 1)).fit([[x, x, x] for x in numbers])
    return model.cluster_centers_


def event(centers):
    return any(all(0.25 < number < 0.75 for number in center) for center in centers)


if __name__ == "__main__":
    for name, dataset in (("D", [0.0, 0.0, 1.0]), ("D'", [0.0, 0.0])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
