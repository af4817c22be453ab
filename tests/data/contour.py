"""Privacy profiles of many Poisson-subsampled Gaussian uses, by contour integration: contour.csv.

    python3 -m venv venv && venv/bin/pip install numpy && venv/bin/python tests/data/contour.py > tests/data/contour.csv

At small delta no other accountant is a reference: they compute with absolute errors near 1e-15. Here
delta is the inverse Laplace transform of the composed privacy loss Z = L1 + ... + Ln (L = ln p/q under p):

    delta(epsilon) = E[(1 - exp(epsilon - Z))+] = 1/(2 pi i) * integral of K(s)^n e^(-s epsilon) / (s (s + 1)) ds

along Re s = c > 0, with K(s) = E exp(s L), as 1/(s (s + 1)) is the transform of 1 - e^(-u). Through the saddle point c of the
integrand nothing cancels, so doubles give delta to many digits, however small it is. K is a sum over a grid in the noise (the
trapezoidal rule, which converges geometrically for these analytic integrands), as is the outer integral.
Both are computed twice, the second time on grids of half the step: `within` is three times what they differ by, and at
least 2e-6. Where the integrand falls off too slowly for that to be small, there is no row.

Poisson sampling with rate r, noise sigma, sensitivity 1; a row is present ("remove": p is the mixture) or
absent ("add": p is the normal law). delta is the larger of both.
"""

import sys

import numpy as np


def integral(sigma, rate, uses, epsilon, direction, fine):
    def losses(x):
        shift = (2 * x - 1) / (2 * sigma**2)
        mixed = np.logaddexp(np.log1p(-rate), np.log(rate) + shift)
        normal = -0.5 * (x / sigma) ** 2 - np.log(sigma * np.sqrt(2 * np.pi))
        return (mixed, normal + mixed) if direction == "remove" else (-mixed, normal)

    def grid(c, step):
        right = 1 + c + 14 * sigma if direction == "remove" else 14 * sigma
        x = np.arange(-14 * sigma, right + step, step)
        loss, log_p = losses(x)
        weights = c * loss + log_p + np.log(step)
        keep = weights > weights.max() - 80
        return loss[keep], weights[keep]

    def exponent(c):
        _, weights = grid(c, sigma / 20)
        top = weights.max()
        return uses * (top + np.log(np.exp(weights - top).sum())) - c * epsilon - np.log(c * (c + 1))

    # The saddle point: the exponent is convex in c.
    low, high = 1e-6, 1.0
    while exponent(high * 1.01) < exponent(high):
        high *= 2
    for _ in range(200):
        a, b = low + (high - low) * 0.382, low + (high - low) * 0.618
        low, high = (low, b) if exponent(a) < exponent(b) else (a, high)
    c = (low + high) / 2
    height = exponent(c)
    dt = min(c, 1.0) / 12 / fine
    # Where the integrand has fallen to nothing decides how fine the inner grid must be.
    reach = 50.0
    while True:
        step = min(sigma / 12, sigma**2 / reach) / fine
        loss, weights = grid(c, step)
        top = weights.max()
        mass = np.exp(weights - top)
        # No single place tells: K comes back now and then.
        places = reach * np.linspace(0.7, 1.3, 41)
        far = max(abs((mass * np.exp(1j * t * loss)).sum()) for t in places) / mass.sum()
        if uses * np.log(max(far, 1e-300)) - 2 * np.log(reach / (1 + c)) < -32:
            break
        if reach > 4000:
            raise ArithmeticError("the integrand does not fall off")
        reach *= 1.3
    turn, now = np.exp(1j * dt * loss), mass.astype(complex)
    total, all_mass = 0.0, mass.sum()
    for k in range(int(reach / dt) + 1):
        s = c + 1j * k * dt
        ratio = now.sum() / all_mass
        value = ratio**uses * np.exp(-1j * k * dt * epsilon) * c * (c + 1) / (s * (s + 1))
        total += value.real * (0.5 if k == 0 else 1.0)
        now *= turn
    return np.log(total * dt / np.pi) + height


def profile(sigma, rate, uses, epsilon):
    both = []
    for direction in ["remove", "add"]:
        if direction == "add" and epsilon >= -uses * np.log1p(-rate):
            continue  # The loss of an absent row never gets there.
        rough, fine = (integral(sigma, rate, uses, epsilon, direction, f) for f in (1, 2))
        if abs(rough - fine) > 3e-5:
            raise ArithmeticError(f"{direction}: {rough} and {fine} at {epsilon}")
        both.append((fine, max(2e-6, 3 * abs(rough - fine))))
    return max(both)


def at_delta(sigma, rate, uses, log_delta):
    """An epsilon of four digits near which delta is what is asked for."""
    low, high = 1e-3, 1.0
    value = lambda e: integral(sigma, rate, uses, e, "remove", 0.7)
    while value(high) > log_delta:
        high *= 2
    for _ in range(14):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) > log_delta else (low, middle)
    return float(f"{high:.4g}")


print("sigma,rate,uses,epsilon,ln_delta,within")
for sigma, rate, uses in [(2.0, 0.25, 40), (1.0, 0.3, 60), (1.5, 0.5, 10), (1.0, 0.1, 400), (1.0, 0.01, 5000), (3.0, 0.05, 2000), (0.4, 0.01, 50)]:
    for exponent in (-6, -12, -20, -30):
        try:
            epsilon = at_delta(sigma, rate, uses, exponent * np.log(10))
            value, within = profile(sigma, rate, uses, epsilon)
        except ArithmeticError as problem:
            print(sigma, rate, uses, exponent, problem, file=sys.stderr)
            continue
        print(f"{sigma},{rate},{uses},{epsilon},{value:.6f},{within:.0e}", flush=True)
