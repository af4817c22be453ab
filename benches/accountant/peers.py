"""Random compositions by the accountant and by its peers: every value of a peer that lies outside of our bracket.

    python benches/accountant/peers.py target/release/plaudit benches/results/peers.md [COMPOSITIONS [SEED]]

Runs with dp-accounting, opendp and opacus where they are installed (pip install dp-accounting==0.6.0 opendp==0.16.0
opacus==1.6.0), and writes a table to the file. An upper end of a peer is outside if it is below our lower end, a lower
end if it is above our upper end.
"""
import importlib.metadata
import importlib.util
import json
import logging
import math
import random
import subprocess
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable()
NOISES = {"continuous": ("gaussian", "laplace"), "discrete": ("discrete-gaussian", "discrete-laplace")}
STEP = 1e-4


def between(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def composition(rng):
    """Events (kind, noise, count, rate), their sample, and a delta. Two in three events are used once."""
    sample = rng.choice([None, None, "poisson", "poisson-substitution"])
    kinds = NOISES["continuous" if sample else rng.choice(sorted(NOISES))]
    events = []
    for _ in range(rng.randint(1, 3)):
        count = round(rng.choice([1, 1, between(rng, 1, 200)]))
        rate = float("%.3g" % between(rng, 1e-4, 0.9)) if sample and rng.random() < 0.8 else 1.0
        noise = float("%.4g" % (between(rng, 0.25, 30) * max(1.0, math.sqrt(count) * (1 if rate == 1 else 2 * rate))))
        kind = kinds[0] if sample == "poisson-substitution" else rng.choice(kinds)
        events.append((kind, noise, count, rate))
    return events, sample, float("%.2g" % between(rng, 1e-12, 0.3))


def expression(events, sample):
    def word(kind, noise, count, rate):
        name = "sigma" if "gaussian" in kind else "scale"
        return "%s(%s=%r) x %d%s" % (kind, name, noise, count, " @ %s(%r)" % (sample, rate) if rate < 1 else "")

    return " + ".join(word(*event) for event in events)


def ours(plaudit, words, delta):
    command = [plaudit, "account", words, "--delta", repr(delta), "--format", "json"]
    answer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return answer["epsilon"]["lower"], answer["epsilon"]["upper"]


def dp_accounting_pld(events, sample, delta):
    from dp_accounting import NeighboringRelation
    from dp_accounting.pld import privacy_loss_distribution as pld

    for end, pessimistic in (("upper", True), ("lower", False)):
        whole = None
        for kind, noise, count, rate in events:
            given = {"pessimistic_estimate": pessimistic, "value_discretization_interval": STEP}
            if rate < 1:
                given["sampling_prob"] = rate
                if sample == "poisson-substitution":
                    given["neighboring_relation"] = NeighboringRelation.REPLACE_ONE
            make = getattr(pld, "from_%s_mechanism" % kind.replace("-", "_"))
            # A discrete Laplace mechanism has the inverse of the scale.
            law = make(1 / noise if kind == "discrete-laplace" else noise, **given).self_compose(count)
            whole = law if whole is None else whole.compose(law)
        yield end, whole.get_epsilon_for_delta(delta)


def dp_accounting_rdp(events, sample, delta):
    from dp_accounting import dp_event as e
    from dp_accounting.rdp import RdpAccountant

    if sample == "poisson-substitution":
        return
    accountant = RdpAccountant()
    for kind, noise, count, rate in events:
        one = {"gaussian": e.GaussianDpEvent, "laplace": e.LaplaceDpEvent}.get(kind)
        if one is None:
            return
        event = one(noise) if rate == 1 else e.PoissonSampledDpEvent(rate, one(noise))
        if not accountant.supports(event):
            return
        accountant.compose(event, count)
    yield "upper", accountant.get_epsilon(delta)


def opendp(events, sample, delta):
    import opendp.prelude as dp

    if sample:
        return
    dp.enable_features("contrib")
    number = int if events[0][0].startswith("discrete") else float
    domain = dp.atom_domain(T=int) if number is int else dp.atom_domain(T=float, nan=False)
    space, parts = (domain, dp.absolute_distance(T=number)), []
    is_pure = all("laplace" in kind for kind, *_ in events)
    for kind, noise, count, _ in events:
        make = dp.m.make_laplace if "laplace" in kind else dp.m.make_gaussian
        part = make(*space, scale=noise)
        parts += count * [part if is_pure or "gaussian" in kind else dp.c.make_pureDP_to_zCDP(part)]
    whole = dp.c.make_composition(parts)
    if is_pure:
        yield "upper", whole.map(number(1))
    else:
        yield "upper", dp.c.make_zCDP_to_approxDP(whole).map(number(1)).epsilon(delta)


def of_opacus(name):
    def answer(events, sample, delta):
        from opacus.accountants import create_accountant

        if sample == "poisson-substitution" or any(kind != "gaussian" for kind, *_ in events):
            return
        accountant = create_accountant(name)
        accountant.history = [(noise, rate, count) for _, noise, count, rate in events]
        yield "upper", float(accountant.get_epsilon(delta))

    return answer


PEERS = [
    ("dp-accounting pld", "dp-accounting", dp_accounting_pld),
    ("dp-accounting rdp", "dp-accounting", dp_accounting_rdp),
    ("opendp", "opendp", opendp),
    ("opacus prv", "opacus", of_opacus("prv")),
    ("opacus rdp", "opacus", of_opacus("rdp")),
]


def main(plaudit, file, compositions=200, seed=1):
    rng = random.Random(int(seed))
    there = [peer for peer in PEERS if importlib.util.find_spec(peer[1].replace("-", "_"))]
    values, outside, failed, widths = {peer[0]: 0 for peer in there}, [], [], []
    for _ in range(int(compositions)):
        events, sample, delta = composition(rng)
        words = expression(events, sample)
        lower, upper = ours(plaudit, words, delta)
        widths.append((upper - lower, words, delta))
        for name, _, answer in there:
            try:
                for end, value in answer(events, sample, delta):
                    values[name] += 1
                    if value < lower if end == "upper" else value > upper:
                        outside.append((words, delta, lower, upper, name, end, value))
            except Exception as error:  # A peer's error is one of its answers.
                failed.append((words, delta, name, str(error).splitlines()[0][:120]))
    versions = sorted({"%s %s" % (package, importlib.metadata.version(package)) for _, package, _ in there})
    lines = [
        "# The accountant and its peers on random compositions",
        "",
        "`python benches/accountant/peers.py target/release/plaudit benches/results/peers.md %s %s`: %s"
        % (compositions, seed, ", ".join(versions)) + "; dp-accounting's PLD at a discretisation of 1e-4.",
        "",
        "Our brackets of ε are %.1e wide in the median, %.1e at most (`%s` at δ = %r). A value is outside if it is an "
        "upper end below our lower end, or a lower end above our upper end."
        % (sorted(widths)[len(widths) // 2][0], *max(widths)),
        "",
        "| peer | values | outside | no answer |",
        "|---|---|---|---|",
    ]
    for name, *_ in there:
        counts = (sum(row[at] == name for row in rows) for rows, at in ((outside, 4), (failed, 2)))
        lines.append("| %s | %d | %d | %d |" % (name, values[name], *counts))
    if outside:
        lines += ["", "| composition | δ | our lower | our upper | peer | end | value | beyond |"]
        lines += ["|---|---|---|---|---|---|---|---|"]
    for words, delta, lower, upper, name, end, value in outside:
        beyond = lower - value if end == "upper" else value - upper
        lines.append("| `%s` | %r | %.12g | %.12g | %s | %s | %.12g | %.1e |" % (
            words, delta, lower, upper, name, end, value, beyond))
    lines += ["", "| composition | δ | peer | error |", "|---|---|---|---|"] if failed else []
    lines += ["| `%s` | %r | %s | %s |" % row for row in failed]
    with open(file, "w", encoding="utf-8") as table:
        table.write("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
