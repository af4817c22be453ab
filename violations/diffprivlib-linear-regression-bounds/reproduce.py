"""diffprivlib.models.LinearRegression: no noise on the squares for bounds from 0."""

from diffprivlib.models import LinearRegression

RUNS = 200


def release(numbers):
    model = LinearRegression(epsilon=1.0, bounds_X=(0, 1), bounds_y=(0, 1), fit_intercept=False)
    return float(abs(model.fit([[x] for x in numbers], [0.0] * len(numbers)).coef_[0]))


def event(outcome):
    return outcome > 20


if __name__ == "__main__":
    for name, dataset in (("D", [0.1]), ("D'", [1.0])):
        count = sum(bool(event(release(dataset))) for _ in range(RUNS))
        print(f"{name}: {count} of {RUNS} runs")
