"""Local protocols: plaudit beside ldp-audit, on the same clients, at as many runs.

    git clone https://github.com/hharcolezi/ldp-audit target/ldp-audit    # 5cd1c5d
    python3.11 -m venv target/ldp-venv
    target/ldp-venv/bin/pip install multi-freq-ldpy==0.2.5 pure-ldp==1.1.2 numba==0.59.1 numpy==1.26.4 ray==2.20.0 \
        'pandas<3' 'xxhash<4' 'setuptools<80' statsmodels scikit-learn psutil ./python
    PYTHONPATH=target/ldp-audit target/ldp-venv/bin/python benches/attacks/local_protocols.py \
        > benches/results/ldp-audit.md

The clients are those that ldp-audit calls. Arguments `RUNS PROTOCOL…` keep the rows of these runs, and of these protocols.
"""

import sys

import numpy as np
import plaudit
import ray
import xxhash
from ldp_audit import LDPAuditor, LongitudinalLDPAuditor, MultidimensionalLDPAuditor
from ldp_audit.approximate_ldp import AGRR_Client, ALH_Client, ASUE_Client, GM_Client, find_scale
from ldp_audit.utils import find_tresh, setting_seed
from multi_freq_ldpy.mdim_freq_est.RSpFD_solution import RSpFD_GRR_Client, RSpFD_UE_rnd_Client, RSpFD_UE_zero_Client
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.HE import HE_Client
from multi_freq_ldpy.pure_frequency_oracles.LH import LH_Client
from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Client
from pure_ldp.frequency_oracles.unary_encoding import UEClient
from scipy.optimize import minimize_scalar

K = 5
ALPHA = 0.05
DELTA = 1e-5
SEEDS = range(1, 4)
CLOSE = ("GRR", "SS", "AGRR")
CLOSE_SEEDS = range(1, 11)
IDEAL = ("SHE", "AGM", "GM")
REPORTS = 2
ATTRIBUTES = 2
PURE = ("GRR", "SS", "SUE", "OUE", "THE", "SHE", "BLH", "OLH")
APPROXIMATE = ("AGRR", "ASUE", "AGM", "GM", "ABLH", "AOLH")
PACKAGE = ("SUE_pure_ldp_pck", "OUE_pure_ldp_pck")
FAKE = ("RS+FD[GRR]", "RS+FD[SUE-z]", "RS+FD[SUE-r]", "RS+FD[OUE-z]", "RS+FD[OUE-r]")


def supported(report, buckets):
    """Which answers have the reported bucket: a bit for each, as ldp-audit's attack looks at the report."""
    bucket, seed = report
    return [xxhash.xxh32(str(v), seed=seed).intdigest() % buckets == bucket for v in range(K)]


def optimal_buckets(epsilon):
    return int(np.round(np.exp(epsilon))) + 1


def approximate_buckets(epsilon):
    """AOLH's number of buckets, as ldp-audit computes it."""
    e = np.exp(epsilon)
    root = np.sqrt(e - 1) * np.sqrt((1 - DELTA) * (e + DELTA - 9 * e * DELTA - 1))
    return max(2, int(np.round((-3 * e * DELTA - root + e + 3 * DELTA - 1) / (2 * DELTA))))


def client(name, epsilon):
    """A function of the person's value that returns one report, as numbers."""
    if name.startswith("RS+FD"):
        return fake_client(name, epsilon)
    analytic, classic = find_scale(epsilon, DELTA, np.sqrt(2)), np.sqrt(2) / epsilon * np.sqrt(2 * np.log(1.25 / DELTA))
    threshold = minimize_scalar(find_tresh, bounds=[0.5, 1], method="bounded", args=(epsilon)).x
    symmetric = UEClient(epsilon, K, use_oue=False, index_mapper=lambda x: x)
    optimized = UEClient(epsilon, K, use_oue=True, index_mapper=lambda x: x)
    buckets, many = optimal_buckets(epsilon), approximate_buckets(epsilon)
    return {
        "GRR": lambda v: [GRR_Client(v, K, epsilon)],
        "SS": lambda v: np.sort(SS_Client(v, K, epsilon)),
        "SUE": lambda v: UE_Client(v, K, epsilon, False),
        "OUE": lambda v: UE_Client(v, K, epsilon, True),
        "THE": lambda v: HE_Client(v, K, epsilon) > threshold,
        "SHE": lambda v: HE_Client(v, K, epsilon),
        "BLH": lambda v: supported(LH_Client(v, K, epsilon, False), 2),
        "OLH": lambda v: supported(LH_Client(v, K, epsilon, True), buckets),
        "AGRR": lambda v: [AGRR_Client(v, K, epsilon, DELTA)],
        "ASUE": lambda v: ASUE_Client(v, K, epsilon, DELTA),
        "AGM": lambda v: GM_Client(v, K, analytic),
        "GM": lambda v: GM_Client(v, K, classic),
        "ABLH": lambda v: supported(ALH_Client(v, epsilon, DELTA, False), 2),
        "AOLH": lambda v: supported(ALH_Client(v, epsilon, DELTA, True), many),
        "SUE_pure_ldp_pck": symmetric.privatise,
        "OUE_pure_ldp_pck": optimized.privatise,
    }[name]


def fake_client(name, epsilon):
    """A client of sampling plus fake data, all of whose attributes are v."""
    sizes = [K] * ATTRIBUTES
    if name == "RS+FD[GRR]":
        return lambda v: RSpFD_GRR_Client([v] * ATTRIBUTES, sizes, ATTRIBUTES, epsilon)
    of = RSpFD_UE_zero_Client if name.endswith("z]") else RSpFD_UE_rnd_Client
    return lambda v: np.concatenate(of([v] * ATTRIBUTES, sizes, ATTRIBUTES, epsilon, "OUE" in name))


def ours(name, epsilon, claim, delta, runs, seed, reports=1):
    report = client(name, epsilon)

    def batch(value, runs, seed):
        np.random.seed(seed % 2**32)
        setting_seed(seed % 2**32)
        return np.array([np.concatenate([report(value) for _ in range(reports)]) for _ in range(runs)], float)

    result = plaudit.audit(
        batch=batch,
        d=0,
        d_prime=K - 1,
        relation="unchecked: any two values of one person",
        epsilon=claim,
        delta=delta,
        trials=runs,
        alpha=ALPHA,
        seed=seed,
        floats="ideal" if name in IDEAL else None,
        progress=False,
    )
    return result.epsilon_lower


def theirs(auditor, name, epsilon, delta, runs, seed):
    auditor.epsilon, auditor.delta, auditor.random_state, auditor.nb_trials = epsilon, delta, seed, runs // 2
    auditor.lst_trial_per_core = [len(part) for part in np.array_split(range(runs // 2), auditor.nb_cores)]
    return auditor.run_audit(name)


def families(runs):
    """Each family's auditor, its name, its protocols with their δ, and its reports."""
    settings = dict(nb_trials=100, alpha=ALPHA, epsilon=1.0, k=K, n_jobs=2)
    pure = [(name, 0.0) for name in PURE]
    if runs > 100_000:
        yield LDPAuditor(**settings), "one report", pure, 1
        return
    single = pure + [(name, 0.0) for name in PACKAGE] + [(name, DELTA) for name in APPROXIMATE]
    yield LDPAuditor(**settings), "one report", single, 1
    repeated = pure + [(name, DELTA) for name in ("AGM", "GM")]
    yield LongitudinalLDPAuditor(**settings, tau=REPORTS), f"{REPORTS} reports", repeated, REPORTS
    fake = [(name, 0.0) for name in FAKE]
    yield MultidimensionalLDPAuditor(**settings, d=ATTRIBUTES), f"{ATTRIBUTES} attributes", fake, 1


def row(auditor, family, name, delta, reports, epsilon, runs):
    seeds = CLOSE_SEEDS if name in CLOSE and reports == 1 else SEEDS
    us = np.mean([ours(name, epsilon, epsilon * reports, delta, runs, seed, reports) for seed in seeds])
    them = np.mean([theirs(auditor, name, epsilon, delta, runs, seed) for seed in seeds])
    lower = "" if us >= them else " (lower)"
    name = name.replace("_pure_ldp_pck", " of pure-ldp")
    total = f"{epsilon * reports:g}"
    print(f"| {name} | {family} | {runs} | {len(seeds)} | {total} | {them:.3f} | {us:.3f}{lower} |", flush=True)


def main():
    only, names = (int(sys.argv[1]), sys.argv[2:]) if len(sys.argv) > 1 else (None, [])
    print("| protocol | what is seen | runs | seeds | claimed ε | ldp-audit | plaudit |")
    print("|---|---|---|---|---|---|---|")
    for runs, epsilons in ((100_000, (1.0, 2.0)), (1_000_000, (1.0,))):
        if only not in (None, runs):
            continue
        for auditor, family, protocols, reports in families(runs):
            for name, delta in protocols:
                for epsilon in epsilons if not names or name in names else ():
                    row(auditor, family, name, delta, reports, epsilon, runs)
    ray.shutdown()


if __name__ == "__main__":
    main()
