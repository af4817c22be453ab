"""Answers for benches/accountant.rs: the brackets of dp-accounting and PLD_accounting (PyPI), and the time they take.

Reads names of rows from standard input, and answers each with a line of JSON: ε at δ = 1e-5 from
the optimistic and the pessimistic privacy-loss distribution at a discretisation of 1e-4, and the
seconds that each took, from building to the answer, at best of some turns. With the name of a row
of PLD_accounting as its argument it answers that one, once.
"""
import json
import sys
import time

from dp_accounting import NeighboringRelation
from dp_accounting.pld import privacy_loss_distribution as pld

STEP = 1e-4
TURNS = 3


def gaussian(sigma, count, rate=1.0):
    return lambda pessimistic: pld.from_gaussian_mechanism(
        sigma, pessimistic_estimate=pessimistic, value_discretization_interval=STEP,
        sampling_prob=rate), count


def substituted(sigma, count, rate):
    return lambda pessimistic: pld.from_gaussian_mechanism(
        sigma, pessimistic_estimate=pessimistic, value_discretization_interval=STEP,
        sampling_prob=rate, neighboring_relation=NeighboringRelation.REPLACE_ONE), count


def of(make, count, *parameters):
    return lambda pessimistic: make(
        *parameters, pessimistic_estimate=pessimistic, value_discretization_interval=STEP), count


ROWS = {
    "substituted_q.1_s1_x1": substituted(1.0, 1, 0.1),
    "substituted_q.01_s1_T1000": substituted(1.0, 1000, 0.01),
    "substituted_q.004_s.8_T2000": substituted(0.8, 2000, 0.004),
    "substituted_q.05_s2_T100": substituted(2.0, 100, 0.05),
    "substituted_q.01_s1_T10000": substituted(1.0, 10000, 0.01),
    "gaussian_s1_x1": gaussian(1.0, 1),
    "gaussian_s10_x100": gaussian(10.0, 100),
    "laplace_b1_x1": of(pld.from_laplace_mechanism, 1, 1.0),
    "laplace_b1_x50": of(pld.from_laplace_mechanism, 50, 1.0),
    "dpsgd_q.01_s1_T1000": gaussian(1.0, 1000, 0.01),
    "dpsgd_q.004_s.8_T10000": gaussian(0.8, 10000, 0.004),
    "rr_p.75_x20": of(pld.from_randomized_response, 20, 0.5, 2),
    "discrete_laplace_a1_x1": of(pld.from_discrete_laplace_mechanism, 1, 1.0),
    "discrete_laplace_a.5_x10": of(pld.from_discrete_laplace_mechanism, 10, 0.5),
    "discrete_gaussian_s1_x1": of(pld.from_discrete_gaussian_mechanism, 1, 1.0),
    "discrete_gaussian_s10_x100": of(pld.from_discrete_gaussian_mechanism, 100, 10.0),
}


def epsilon(make, count, pessimistic):
    law = make(pessimistic)
    if count > 1:
        law = law.self_compose(count)
    return law.get_epsilon_for_delta(1e-5)


def allocation(steps, sigma):
    from PLD_accounting import gaussian_allocation_epsilon_range

    start = time.perf_counter()
    upper, lower = gaussian_allocation_epsilon_range(
        delta=1e-5, sigma=sigma, num_steps=steps, epsilon_accuracy=1e-3)
    return {"lower": lower, "upper": upper, "seconds": time.perf_counter() - start}


OTHERS = {
    "allocation_t2_s1": lambda: allocation(2, 1.0),
    "allocation_t1000_s1": lambda: allocation(1000, 1.0),
}

if len(sys.argv) > 1:
    print(json.dumps(OTHERS[sys.argv[1]]()))
    sys.exit()
for line in sys.stdin:
    make, count = ROWS[line.strip()]
    answer = {}
    for name, pessimistic in (("lower", False), ("upper", True)):
        best = float("inf")
        for _ in range(TURNS):
            start = time.perf_counter()
            answer[name] = epsilon(make, count, pessimistic)
            best = min(best, time.perf_counter() - start)
        answer[name + "_s"] = best
    print(json.dumps(answer), flush=True)
