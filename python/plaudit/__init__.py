"""Turns a function into a program that plaudit audits.

    from plaudit import serve

    def mechanism(dataset, random):
        return sum(dataset) + random.choice([-1, 1]) * random.expovariate(1.0)

    serve(mechanism)

See `serve` for functions that draw many outcomes at once (with numpy, say) and for timing.
"""

from ._seed import seed_generators
from ._serve import serve

__all__ = ["seed_generators", "serve"]
