"""What plaudit says of two broken functions, and how fast, beside the tools that do the same.

    python python/benches/peers.py [RUNS ...]      (100000 1000000 unless said)

The peers are imported where they can be, and left out, with a line that says so, where they cannot: DP-Auditorium (in
the repository google/differential-privacy, under python/dp_auditorium; its testers want tensorflow and google-vizier),
StatDP (the repository cmla-psu/statdp; numba and tqdm) and DP-Sniper (the repository eth-sri/dp-sniper; torch,
tensorboard and scikit-learn). Put the folders that hold their packages on PYTHONPATH.

Each tool gets the same function, the same pair of datasets, about the same number of runs in all, and the same chance
of a wrong answer. They take turns, and the fastest of three turns counts; one that takes over 15 seconds has one turn.
Each has a process of its own, as the libraries of some abort beside those of others. Prints Markdown tables.
"""

import contextlib
import importlib
import importlib.metadata
import json
import logging
import multiprocessing
import os
import platform
import subprocess
import sys
import tempfile
import time

import numpy

import plaudit

EPSILON = 0.5
ALPHA = 0.05
TURNS = 3
LONG = 15.0
LONGEST = 120.0

# Seconds spent in the function, and its runs: a place for each process, as some tools run it in forks.
PLACES = 4096
SPENT = multiprocessing.RawArray("d", PLACES)
RUNS = multiprocessing.RawArray("q", PLACES)
PLACE = 0


def forked():
    global PLACE
    PLACE = 1 + os.getpid() % (PLACES - 1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forked)


class Case:
    """A function that does not keep its claim of EPSILON, run by run and in batches."""

    def __init__(self, name, one, batch, datasets, relation, span):
        self.name = name
        self.datasets = datasets
        self.relation = relation
        self.span = span

        def run(dataset, rng):
            start = time.perf_counter()
            value = one(dataset, rng)
            SPENT[PLACE] += time.perf_counter() - start
            RUNS[PLACE] += 1
            return value

        def many(dataset, runs, rng):
            start = time.perf_counter()
            values = batch(dataset, runs, rng)
            SPENT[PLACE] += time.perf_counter() - start
            RUNS[PLACE] += runs
            return values

        self.one = run
        self.batch = many


def count(dataset, rng):
    return len(dataset) + rng.laplace(0.0, 1.0)


def count_batch(dataset, runs, rng):
    return len(dataset) + rng.laplace(0.0, 1.0, runs)


def top(dataset, rng):
    return (dataset + rng.laplace(0.0, 2.0 / EPSILON, len(dataset))).max()


def top_batch(dataset, runs, rng):
    return (dataset + rng.laplace(0.0, 2.0 / EPSILON, (runs, len(dataset)))).max(axis=1)


CASES = [
    Case(
        "count: the number of rows, with Laplace noise of scale 1; its true loss is 1",
        count, count_batch, ([17.0, 34.0], [17.0, 34.0, 71.0]), None, (-4.0, 9.0),
    ),
    Case(
        "noisy max: the greatest of five answers with noise, not only its index; its true loss is 1.25",
        top, top_batch, ([1.0] * 5, [2.0] * 5), "unchecked: each of five answers changes by at most 1", (-4.0, 30.0),
    ),
]  # fmt: skip


def audited(case, runs, alpha, **function):
    """What plaudit says."""
    d, d_prime = case.datasets
    result = plaudit.audit(
        d=d, d_prime=d_prime, relation=case.relation, epsilon=EPSILON, trials=runs, alpha=alpha, **function
    )
    bounds = "ε ≥ %.3f; δ ≥ %.3f" % (result.epsilon_lower, result.delta_lower)
    return result.verdict is plaudit.Verdict.VIOLATED, bounds, alpha


def plaudit_one(case, runs):
    return audited(case, runs, ALPHA, function=case.one)


def plaudit_batch(case, runs):
    return audited(case, runs, ALPHA, batch=case.batch)


def plaudit_default(case, runs):
    return audited(case, runs, 1e-6, batch=case.batch)


def statdp_count(prng, queries, epsilon):
    return CASES[0].one(queries, prng)


def statdp_top(prng, queries, epsilon):
    return CASES[1].one(queries, prng)


def statdp(case, runs):
    """A sixth of the runs chooses the event, as by default. One process, as with the other tools."""
    found = importlib.import_module("statdp").detect_counterexample(
        (statdp_count, statdp_top)[CASES.index(case)],
        EPSILON,
        default_kwargs={"epsilon": EPSILON},
        databases=case.datasets,
        event_iterations=runs // 12,
        detect_iterations=5 * runs // 12,
        cores=1,
        quiet=True,
        loglevel=logging.ERROR,
    )
    p = found[0][1]
    return p <= ALPHA, "p = %.2g" % p, ALPHA


def auditorium(case, runs, kind, tester):
    configs = importlib.import_module("dp_auditorium.configs.privacy_test_runner_config")
    runner = importlib.import_module("dp_auditorium.privacy_test_runner")
    rng = numpy.random.default_rng()
    config = configs.PrivacyTestRunnerConfig(
        property_tester=configs.PropertyTester[kind],
        max_num_trials=1,
        failure_probability=ALPHA,
        num_samples=runs // 2,
        post_processing=configs.PostProcessing.NONE,
    )
    found = runner.PrivacyTestRunner(config, lambda _: case.datasets, tester).test_privacy(
        lambda dataset, size: case.batch(dataset, size, rng), case.name
    )
    delta = found.lower_bound_divergence_estimates[0]
    return found.found_privacy_violation is not None, "δ ≥ %.3f" % delta, ALPHA


def claimed():
    return importlib.import_module("dp_auditorium.configs.privacy_property").ApproximateDp(EPSILON, 0.0)


def histogram(case, runs):
    """The user says where the outcomes are; twenty bins."""
    configs = importlib.import_module("dp_auditorium.configs.property_tester_config")
    testers = importlib.import_module("dp_auditorium.testers.histogram_tester")
    config = configs.HistogramPropertyTesterConfig(
        test_discrete_mechanism=False,
        histogram_size=20,
        min_value=case.span[0],
        max_value=case.span[1],
        approximate_dp=claimed(),
    )
    return auditorium(case, runs, "HISTOGRAM_TESTER", testers.HistogramTester(config))


def hockey_stick(case, runs):
    """The default model and training."""
    configs = importlib.import_module("dp_auditorium.configs.property_tester_config")
    testers = importlib.import_module("dp_auditorium.testers.hockey_stick_tester")
    config = configs.HockeyStickPropertyTesterConfig(
        training_config=testers.make_default_hs_training_config(), approximate_dp=claimed()
    )
    tester = testers.HockeyStickPropertyTester(config, testers.make_default_hs_base_model())
    return auditorium(case, runs, "HOCKEY_STICK_TESTER", tester)


class Sniped:
    """A mechanism as DP-Sniper takes it."""

    def __init__(self, case):
        self.case = case
        self.rng = numpy.random.default_rng()

    def m(self, a, n_samples=1):
        return self.case.batch(a, n_samples, self.rng)


def sniper(case, runs):
    """Logistic regression, as in its example. Both orders of the datasets are searched with half of the runs; the
    better one is confirmed with the other half. In this process: its own search would start others.
    """
    attack = importlib.import_module("dpsniper.attack.dpsniper")
    classifiers = importlib.import_module("dpsniper.classifiers.classifier_factory")
    optimizers = importlib.import_module("dpsniper.classifiers.torch_optimizer_factory")
    estimators = importlib.import_module("dpsniper.probability.estimators")
    search = importlib.import_module("dpsniper.search.ddconfig")
    witnesses = importlib.import_module("dpsniper.search.ddwitness")
    importlib.import_module("dpsniper.utils.torch").torch_initialize()
    share = runs // 20
    config = search.DDConfig(
        n_train=share, n=share, n_check=share, n_final=runs // 4, n_processes=1, confidence=1.0 - ALPHA
    )
    mechanism = Sniped(case)
    witness = None
    with tempfile.TemporaryDirectory() as folder:
        importlib.import_module("dpsniper.utils.paths").set_output_directory(folder)
        factory = classifiers.LogisticRegressionFactory(
            in_dimensions=1, optimizer_factory=optimizers.SGDOptimizerFactory()
        )
        for a1, a2 in (case.datasets, case.datasets[::-1]):
            one = witnesses.DDWitness(a1, a2, attack.DPSniper(mechanism, factory, config).best_attack(a1, a2))
            one.compute_eps_using_estimator(
                estimators.EpsEstimator(estimators.PrEstimator(mechanism, config.n_check, config))
            )
            if witness is None or one > witness:
                witness = one
        witness.compute_eps_using_estimator(
            estimators.EpsEstimator(estimators.PrEstimator(mechanism, config.n_final, config))
        )
    return witness.lower_bound > EPSILON, "ε ≥ %.3f" % witness.lower_bound, ALPHA


# The tool, what must be importable, how the function is run.
TOOLS = [
    ("plaudit", None, "one by one", plaudit_one),
    ("StatDP", "statdp", "one by one", statdp),
    ("plaudit", None, "batch", plaudit_batch),
    ("plaudit, its default α", None, "batch", plaudit_default),
    ("DP-Auditorium, histogram", "dp_auditorium.testers.histogram_tester", "batch", histogram),
    ("DP-Auditorium, hockey stick", "dp_auditorium.testers.hockey_stick_tester", "batch", hockey_stick),
    ("DP-Sniper", "dpsniper.attack.dpsniper", "batch", sniper),
]


def turn(tool, case, runs):
    """One audit by one tool."""
    for place in range(PLACES):
        SPENT[place] = 0.0
        RUNS[place] = 0
    before = sum(os.times()[:4])
    start = time.perf_counter()
    violated, bounds, alpha = tool(case, runs)
    seconds = time.perf_counter() - start
    cpu = sum(os.times()[:4]) - before
    return {
        "violated": bool(violated), "bounds": bounds, "alpha": alpha, "seconds": seconds, "cpu": cpu,
        "spent": sum(SPENT), "runs": sum(RUNS),
    }  # fmt: skip


def serve(index):
    """In the process of a tool: a turn for each line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    if "fork" in multiprocessing.get_all_start_methods():
        multiprocessing.set_start_method("fork")
    _, module, _, tool = TOOLS[index]
    if tool is sniper:
        sys.modules["tensorflow"] = None  # Tensorboard would load it, and torch may abort beside it.
    try:
        if module is not None:
            importlib.import_module(module)
        turn(tool, CASES[0], 20_000)  # What is loaded or compiled at first is not counted.
        answer = {}
    except Exception as error:
        answer = {"error": "%s: %s" % (type(error).__name__, error)}
    print(json.dumps(answer), file=answers, flush=True)
    for line in sys.stdin:
        case, runs = map(int, line.split())
        print(json.dumps(turn(tool, CASES[case], runs)), file=answers, flush=True)


class Tool:
    """A tool in its own process."""

    def __init__(self, index):
        self.name, _, self.way, _ = TOOLS[index]
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--serve", str(index)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True,
        )  # fmt: skip
        self.error = self.answer().get("error")
        self.rate = 0.0
        self.turns = []

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "it ended"}

    def turn(self, case, runs):
        if self.error or self.rate * runs > LONGEST or (self.turns and self.turns[0]["seconds"] > LONG):
            return
        self.process.stdin.write("%d %d\n" % (case, runs))
        self.process.stdin.flush()
        answer = self.answer()
        self.error = answer.get("error")
        if not self.error:
            self.turns.append(answer)

    def print_row(self, runs):
        if not self.turns:
            why = self.error or "left out: it would take %.0f s" % (self.rate * runs)
            print("| %s | %s | – | – | – | – | – | %s | – |" % (self.name, self.way, why), flush=True)
            return
        best = min(self.turns, key=lambda turn: turn["seconds"])
        own = 100.0 * max(0.0, 1.0 - best["spent"] / best["seconds"])
        answer = "violated" if best["violated"] else "not found"
        same = sum(turn["violated"] == best["violated"] for turn in self.turns)
        print(
            "| %s | %s | %d | %.2f | %.2f | %.3f | %.0f %% | %s (%d of %d); %s | %g |" % (
                self.name, self.way, best["runs"], best["seconds"], best["cpu"], best["spent"], own, answer, same,
                len(self.turns), best["bounds"], best["alpha"],
            ),
            flush=True,
        )  # fmt: skip
        self.rate = best["seconds"] / runs
        self.turns = []


def versions():
    found = ["Python " + platform.python_version()]
    for name in ("plaudit", "numpy", "numba", "tensorflow-cpu", "tensorflow", "torch"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found.append(name + " " + importlib.metadata.version(name))
    return ", ".join(found)


def main():
    if sys.argv[1:2] == ["--serve"]:
        return serve(int(sys.argv[2]))
    sizes = [int(text) for text in sys.argv[1:]] or [100_000, 1_000_000]
    print("%s; %s cores\n" % (versions(), os.cpu_count()), flush=True)
    tools = []
    for index in range(len(TOOLS)):
        tool = Tool(index)
        if tool.error:
            print("Left out: %s (%s).\n" % (tool.name, tool.error), flush=True)
        else:
            tools.append(tool)
    for number, case in enumerate(CASES):
        print("## %s\n" % (case.name[0].upper() + case.name[1:]), flush=True)
        for tool in tools:
            tool.rate = 0.0
        for runs in sizes:
            for _ in range(TURNS):
                for tool in tools:
                    tool.turn(number, runs)
            print("%d runs, claimed ε %g:\n" % (runs, EPSILON))
            print("| tool | run | runs | seconds | CPU seconds | in the function | the tool's own | answer | α |")
            print("|---|---|--:|--:|--:|--:|--:|---|--:|", flush=True)
            for tool in tools:
                tool.print_row(runs)
            print(flush=True)
    for tool in tools:
        tool.process.stdin.close()
        tool.process.wait()


if __name__ == "__main__":
    main()
