"""How often an audit in the process calls a right function violated.

    python python/benches/null.py [AUDITS [FIRST]]      (2000, and the row to begin with: 0)

Audits of right functions whose loss is exactly what they claim, each with a seed of its own, at α = 0.05. Prints a
Markdown table row by row: for each function how many were violated, how many may be at most (the 0.999 quantile of a
binomial distribution), and how many had a p-value of at most 10⁻⁶.
"""

import math
import sys

import plaudit


def quantile(runs, chance, level):
    """The smallest count that a binomial variable does not exceed with this probability."""
    term = (1.0 - chance) ** runs
    total, count = term, 0
    while total < level:
        count += 1
        term *= (runs - count + 1) / count * chance / (1.0 - chance)
        total += term
    return count


def response(dataset, random):
    return (len(dataset) == 3) == (random.random() < 0.75)


def geometric_count(dataset, random):
    def geometric():
        return math.floor(math.log(1.0 - random.random()) / -0.5)

    return len(dataset) + geometric() - geometric()


def two_responses(dataset, random):
    return [float(response(dataset, random)), float(response(dataset, random))]


def report_largest(dataset, random):
    """Report noisy max with exponential noise on two counts, of which one moves by one."""
    counts = {"a": len(dataset), "b": 2}
    return max(counts, key=lambda name: counts[name] + random.expovariate(0.5))


def words(dataset, random):
    return "yes" if response(dataset, random) else "no"


def in_batches(dataset, runs, random):
    return [response(dataset, random) for _ in range(runs)]


def failing(dataset, random):
    if response(dataset, random):
        raise ValueError("yes")


CASES = [
    (response, math.log(3.0), False),
    (geometric_count, 0.5, False),
    (two_responses, math.log(9.0), False),
    (report_largest, 0.5, False),
    (words, math.log(3.0), False),
    (in_batches, math.log(3.0), True),
    (failing, math.log(3.0), False),
]


def count(function, epsilon, batch, audits, first):
    """Violations at 0.05 and at 10⁻⁶ among so many audits."""
    violated = grave = 0
    for seed in range(first, first + audits):
        given = {"batch": function} if batch else {"function": function}
        result = plaudit.audit(
            d=[1, 2, 3], d_prime=[1, 2], epsilon=epsilon, trials=4000, alpha=0.05, seed=seed, forks=False,
            no_difference="allowed", min_power=1e9, **given,
        )
        violated += result.verdict is plaudit.Verdict.VIOLATED
        grave += result.p_value <= 1e-6
    return violated, grave


def main():
    audits = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    begin = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    each = -(-audits // len(CASES))
    print("| function | audits | violated at α = 0.05 | at most | p ≤ 10⁻⁶ |")
    print("|---|--:|--:|--:|--:|")
    whole = [0, 0]
    for at, (function, epsilon, batch) in enumerate(CASES):
        if at < begin:
            continue
        violated, grave = count(function, epsilon, batch, each, at * each)
        whole[0] += violated
        whole[1] += grave
        most = quantile(each, 0.05, 0.999)
        print("| %s | %d | %d | %d | %d |" % (function.__name__, each, violated, most, grave), flush=True)
    all_of_them = each * (len(CASES) - begin)
    print("| all | %d | %d | %d | %d |" % (all_of_them, *whole[:1], quantile(all_of_them, 0.05, 0.999), whole[1]))


if __name__ == "__main__":
    main()
