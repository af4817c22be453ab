"""DP-Sniper with logistic regression (Bichsel, Steffen, Bogunovic, Vechev 2021), on the pair in both orders.

Half of the runs is for the final bound, Clopper-Pearson on two rates at 95 % in all. The other half is split evenly, over
both orders, between training, the threshold and the choice of the order. Its event has probability c = 0.01 or
more by default; `DP_SNIPER_C` sets another c. It bounds pure epsilon only.
"""

import os
import tempfile

import _common

from dpsniper.attack.dpsniper import DPSniper
from dpsniper.classifiers.classifier_factory import LogisticRegressionFactory
from dpsniper.classifiers.torch_optimizer_factory import AdamOptimizerFactory
from dpsniper.mechanisms.abstract import Mechanism
from dpsniper.probability.estimators import EpsEstimator, PrEstimator
from dpsniper.search.ddconfig import DDConfig
from dpsniper.utils.my_logging import log
from dpsniper.utils.paths import set_output_directory
from dpsniper.utils.torch import torch_initialize


# Steps of the training: its default batch would be all of these runs, and a single step.
STEPS = 50


class Sampled(Mechanism):
    """The inputs of this mechanism are the sides of the source."""

    def __init__(self, source):
        self.source = source

    def m(self, a, n_samples=1):
        return self.source.draw(a, n_samples)


def thousands(runs):
    """DDConfig takes multiples of 1000 from 10 000 runs."""
    return runs if runs < 10_000 else runs - runs % 1000


def audit(source):
    if source.delta:
        raise _common.Unsupported("delta = 0 only")
    part, last = thousands(source.runs // 20), thousands(source.runs // 4)
    config = DDConfig(c=float(os.environ.get("DP_SNIPER_C", "0.01")), n_train=part, n=part, n_check=part, n_final=last,
                      training_batch_size=max(1, part // STEPS), n_processes=1, confidence=1 - _common.ALPHA)
    mechanism = Sampled(source)
    width = _common.ALL[source.name].draw(_common.ALL[source.name].pair()[0], 1, source.rng).shape[1]
    factory = LogisticRegressionFactory(in_dimensions=width, normalize_input=True,
                                        optimizer_factory=AdamOptimizerFactory(learning_rate=0.1, step_size=500))
    check = EpsEstimator(PrEstimator(mechanism, part, config))
    found = []
    for first, second in ((0, 1), (1, 0)):
        attack = DPSniper(mechanism, factory, config).best_attack(first, second)
        found.append((check.compute_eps_estimate(first, second, attack)[0], first, second, attack))
    _, first, second, attack = max(found, key=lambda one: one[0])
    return EpsEstimator(PrEstimator(mechanism, last, config)).compute_eps_estimate(first, second, attack)[1]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        set_output_directory(folder)
        torch_initialize(torch_threads=1)
        log.configure("ERROR")
        _common.main(audit)
