"""Serves the release of this record to plaudit."""

from diffprivlib.models import LinearRegression


def release(numbers):
    model = LinearRegression(epsilon=1.0, bounds_X=(0, 1), bounds_y=(0, 1), fit_intercept=False)
    return float(abs(model.fit([[x] for x in numbers], [0.0] * len(numbers)).coef_[0]))


if __name__ == "__main__":
    from plaudit import serve

    serve(release)
