"""Optimizers of opacus: their step of clipping and noise, under the claim of their noise multiplier."""

from __future__ import annotations

from typing import Any, List

from ._events import is_of
from ._neighbors import neighbors
from ._prepared import Prepared, Release, same


def is_opacus(measurement: Any) -> bool:
    return is_of(measurement, "opacus.optimizers", "DPOptimizer")


def prepare(optimizer: Any, d: Any, d_prime: Any) -> Prepared:
    """A dataset is a list of rows: the gradients of one example each, over all parameters. Each run clips and sums
    them and adds noise; the outcome is the gradient that a step would use."""
    import torch

    sizes = [parameter.numel() for parameter in optimizer.params]
    pairs = neighbors(d, "add-remove") if d_prime is None else [(d, d_prime)]

    def release(rows: List[List[float]]) -> List[float]:
        if any(len(row) != sum(sizes) for row in rows):
            raise ValueError("a row has one gradient for each of the %d numbers in the parameters" % sum(sizes))
        parts = torch.tensor(rows, dtype=torch.float32).reshape(len(rows), sum(sizes)).split(sizes, dim=1)
        for parameter, part in zip(optimizer.params, parts):
            parameter.grad_sample = part.reshape(len(rows), *parameter.shape)
            parameter.summed_grad = parameter.grad = None
        optimizer.clip_and_accumulate()
        optimizer.add_noise()
        optimizer.scale_grad()
        return [float(x) for parameter in optimizer.params for x in parameter.grad.ravel()]

    # Shows what is wrong with the rows, once.
    release(pairs[0][0])
    name = "opacus.optimizers." + type(optimizer).__name__
    claim = {"mu": 1.0 / float(optimizer.noise_multiplier)}
    return Prepared(Release(name, release, same), pairs, "add-remove", claim)
