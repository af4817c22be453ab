"""Answers for benches/accountant.rs: the brackets of dp-accounting (PyPI), and the time they take.

Reads names of rows from standard input, and answers each with a line of JSON: ε at δ = 1e-5 from
the optimistic and the pessimistic privacy-loss distribution at a discretisation of 1e-4, and the
seconds that each took, from building to the answer, at best of some turns.
"""
import json
import sys
import time

from dp_accounting.pld import privacy_loss_distribution as pld

STEP = 1e-4
TURNS = 3


def gaussian(sigma, count, rate=1.0):
    return lambda pessimistic: pld.from_gaussian_mechanism(
        sigma, pessimistic_estimate=pessimistic, value_discretization_interval=STEP,
        sampling_prob=rate), count


def of(make, count, *parameters):
    return lambda pessimistic: make(
        *parameters, pessimistic_estimate=pessimistic, value_discretization_interval=STEP), count


ROWS = {
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
