"""The ways to many machines of examples/scale, and plaudit.ray: each is run here, and its report is that of one run."""

import contextlib
import importlib.util
import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

TESTS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(TESTS, "..", "..")
SCALE = os.path.join(ROOT, "examples", "scale")
# Where no package is installed, the one beside these tests.
sys.path.append(os.path.join(ROOT, "python"))

if not os.path.isdir(SCALE):
    raise unittest.SkipTest("the tests are apart from the repository")
if os.name != "posix":
    raise unittest.SkipTest("the examples are of Unix")


def program():
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    built = [os.path.join(target, profile, "plaudit") for profile in ("release", "debug")]
    for path in [os.environ.get("PLAUDIT"), shutil.which("plaudit"), *built]:
        if path and os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.abspath(path)
    return None


PLAUDIT = program()
NO_PROGRAM = "there is no program plaudit: name it in PLAUDIT, or build it (cargo build --release)"

SPEC = """
[defaults]
trials = 30_000
min_power = false

[[audit]]
name = "laplace"
mechanism = { kind = "laplace", scale = 1.0 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }, { d = [0.0], d_prime = [0.5] }]
claim = { epsilon = 1.0 }

[[audit]]
name = "half-the-noise"
mechanism = { kind = "laplace", scale = 0.5 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
expect = "violated"
"""

RESPONSE = """
[[audit]]
name = "program"
mechanism = { command = ["python3", "response.py"], batch = 512 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.2 }
outcomes = [0, 1]
"""

SEARCHED = """
[[audit]]
name = "searched"
mechanism = { kind = "sum", column = "income", lower = 0, upper = 1, noise = "laplace", scale = 0.5 }
relation = "add-remove"
domain = { columns = { income = { lower = 0, upper = 1 } }, size = [0, 4] }
claim = { epsilon = 1.0 }
expect = "violated"
"""

PROGRAM = """
import json, random, sys
for line in sys.stdin:
    asked = json.loads(line)
    rng = random.Random(asked['seed'])
    bit = int(asked['dataset'][0])
    for _ in range(asked['runs']):
        print(bit if rng.random() < 0.75 else 1 - bit)
    sys.stdout.flush()
"""

# As sbatch: runs each task of the array at once, from a copy of the script, and fails a job whose dependency failed.
SBATCH = r"""
import os, re, shutil, subprocess, sys

options, words = {}, sys.argv[1:]
while words and words[0].startswith("--"):
    name, _, value = words.pop(0)[2:].partition("=")
    options[name] = value
with open(words[0]) as script:
    for name, value in re.findall(r"^#SBATCH --([\w-]+)=(\S+)", script.read(), re.M):
        options.setdefault(name, value)
spool = os.path.join(os.environ["STUB"], "slurm_script")
shutil.copy(words[0], spool)
job = 1 + len(os.listdir(os.environ["STUB"]))

def ended(job):
    with open(os.path.join(os.environ["STUB"], "job-%s" % job)) as file:
        return file.read() == "0"

def run(**more):
    with open(os.path.join(os.environ["STUB"], "log"), "ab") as log:
        environment = dict(os.environ, SLURM_CPUS_PER_TASK=options["cpus-per-task"], **more)
        command = ["bash", spool, *words[1:]]
        return subprocess.run(command, env=environment, stdout=log, stderr=log).returncode

codes = []
after = options.get("dependency")
if after is None or ended(re.fullmatch(r"afterok:(\d+)", after).group(1)):
    if "array" in options:
        parts = [part.split("-") for part in options["array"].partition("%")[0].split(",")]
        tasks = [task for part in parts for task in range(int(part[0]), int(part[-1]) + 1)]
        known = {"COUNT": len(tasks), "MIN": min(tasks), "MAX": max(tasks)}
        known = {"SLURM_ARRAY_TASK_" + name: str(value) for name, value in known.items()}
        codes = [run(SLURM_ARRAY_TASK_ID=str(task), **known) for task in tasks]
    else:
        codes = [run(SLURM_JOB_ID=str(job))]
with open(os.path.join(os.environ["STUB"], "job-%d" % job), "w") as file:
    file.write(str(max(codes, default=1)))
assert "parsable" in options or after
print("%d;cluster" % job if "parsable" in options else "Submitted batch job %d" % job)
"""


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def write(text, *path):
    os.makedirs(os.path.join(*path[:-1]), exist_ok=True)
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        file.write(text)


def executable(text, *path):
    write(text, *path)
    os.chmod(os.path.join(*path), 0o755)


def few_trials(text):
    """The same with as few trials as a test needs."""
    changed = re.sub(r"--trials 1e\d+", "--trials 30000", text)
    assert changed != text, text
    return changed


def report(folder):
    """A report but for its provenance and its times."""
    value = json.loads(read(folder, "report.json"))
    value.pop("provenance", None)
    for audit in value["audits"]:
        audit["wall_s"] = None
    return value


@unittest.skipIf(PLAUDIT is None, NO_PROGRAM)
class Scale(unittest.TestCase):
    """A folder with specs, and with the program on PATH."""

    maxDiff = 2000
    spec = SPEC

    def setUp(self):
        self.folder = self.enter(tempfile.TemporaryDirectory())
        self.bin = self.enter(tempfile.TemporaryDirectory())
        os.symlink(PLAUDIT, os.path.join(self.bin, "plaudit"))
        write(self.spec, self.folder, "audits", "audits.toml")
        write(PROGRAM, self.folder, "audits", "response.py")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PLAUDIT", "SHARDS"))}
        kept["PATH"] = self.bin + os.pathsep + kept["PATH"]
        self.environment = kept

    def enter(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def run_in(self, folder, command, **environment):
        environment = dict(self.environment, **environment)
        return subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300
        )

    def whole(self, *more):
        """The report of one run."""
        run = ["plaudit", "audit", "audits", "--trials", "30000", "--no-regressions", "--out", "whole"]
        ended = self.run_in(self.folder, run + list(more))
        self.assertIn(ended.returncode, (0, 1), ended.stdout.decode())
        return report(os.path.join(self.folder, "whole"))


class Slurm(Scale):
    def setUp(self):
        super().setUp()
        self.stub = self.enter(tempfile.TemporaryDirectory())
        executable("#!%s\n%s" % (sys.executable, SBATCH), self.bin, "sbatch")
        shutil.copytree(SCALE, os.path.join(self.folder, "examples", "scale"))

    def submit(self, script):
        ended = self.run_in(self.folder, ["bash", "-euc", script], STUB=self.stub)
        log = read(self.stub, "log") if os.path.exists(os.path.join(self.stub, "log")) else ""
        self.assertEqual(ended.returncode, 0, ended.stdout.decode() + log)
        return log

    def shards(self):
        return sorted(os.listdir(os.path.join(self.folder, "shards")))

    def test_what_the_readme_says_is_the_whole(self):
        section = read(SCALE, "README.md").split("## Slurm")[1].split("\n## ")[0]
        first, again, _ = re.findall(r"^```sh\n(.*?)^```$", section, re.M | re.S)
        log = self.submit(few_trials(first))
        self.assertEqual(self.shards(), sorted("shard-%d-of-16.json" % k for k in range(1, 17)))
        self.assertEqual(report(os.path.join(self.folder, "reports")), self.whole(), log)
        shutil.rmtree(os.path.join(self.folder, "reports"))
        for number in (3, 7):
            os.remove(os.path.join(self.folder, "shards", "shard-%d-of-16.json" % number))
        self.submit(few_trials(again))
        self.assertEqual(report(os.path.join(self.folder, "reports")), self.whole())

    def test_explore_once_as_the_readme_says_is_the_whole(self):
        section = read(SCALE, "README.md").split("## Slurm")[1].split("\n## ")[0]
        once = re.findall(r"^```sh\n(.*?)^```$", section, re.M | re.S)[2]
        write(SPEC + RESPONSE + SEARCHED, self.folder, "audits", "audits.toml")
        log = self.submit(few_trials(once).replace("16", "3"))
        self.assertEqual(log.count("The frozen parts are in shards/frozen.json"), 1, log)
        self.assertEqual(report(os.path.join(self.folder, "reports")), self.whole(), log)

    def test_arrays_from_zero(self):
        self.submit("sbatch --parsable --array=0-2%1 examples/scale/slurm.sh audits")
        self.assertEqual(self.shards(), ["shard-%d-of-3.json" % k for k in (1, 2, 3)])

    def test_arrays_with_gaps_are_refused_and_not_merged(self):
        log = self.submit(
            "job=$(sbatch --parsable --array=1,3 examples/scale/slurm.sh audits); "
            'sbatch --dependency=afterok:"${job%%;*}" examples/scale/slurm-merge.sh 2'
        )
        self.assertEqual(log.count("the array has gaps"), 2, log)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "reports")))


def yaml_documents(name):
    try:
        import yaml
    except ImportError:
        raise unittest.SkipTest("pyyaml is not installed") from None
    return list(yaml.safe_load_all(read(SCALE, name)))


class Kubernetes(Scale):
    def setUp(self):
        super().setUp()
        self.documents = yaml_documents("kubernetes.yaml")
        _, self.shards, self.merge = self.documents
        # As a config map is mounted.
        audits = os.path.join(self.folder, "audits")
        os.rename(audits, os.path.join(self.folder, "specs"))
        shutil.copytree(os.path.join(self.folder, "specs"), os.path.join(audits, "..2026_11_27"))
        os.symlink("..2026_11_27", os.path.join(audits, "..data"))
        os.symlink("..data/audits.toml", os.path.join(audits, "audits.toml"))

    def container(self, job):
        (container,) = job["spec"]["template"]["spec"]["containers"]
        return container

    def pod(self, job, **more):
        """Runs a container's command, as the kubelet would but for the number of trials."""
        container = self.container(job)
        environment = dict(more)
        for variable in container["env"]:
            value = variable.get("value")
            if value is None:
                self.assertEqual(variable["valueFrom"]["resourceFieldRef"]["resource"], "limits.cpu")
                value = container["resources"]["limits"]["cpu"]
            environment[variable["name"]] = value

        def value(found):
            return "$" if found.group() == "$$" else environment.get(found.group(1), found.group())

        command = [re.sub(r"\$\$|\$\(([^)]*)\)", value, word) for word in container["command"]]
        command[-1] = re.sub(r"--trials \S+", "--trials 30000", command[-1])
        for mount in container["volumeMounts"]:
            self.assertEqual(os.path.dirname(mount["mountPath"]), container["workingDir"])
            os.makedirs(os.path.join(self.folder, os.path.basename(mount["mountPath"])), exist_ok=True)
        return self.run_in(self.folder, command, **environment)

    def test_the_manifest_fits_its_schema(self):
        try:
            import kubernetes_validate
        except ImportError:
            raise unittest.SkipTest("kubernetes-validate is not installed") from None
        for document in self.documents:
            kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)

    def test_both_jobs_know_how_many_shards_there_are(self):
        completions = str(self.shards["spec"]["completions"])
        self.assertEqual(self.shards["spec"]["completionMode"], "Indexed")
        for job in (self.shards, self.merge):
            self.assertIn({"name": "SHARDS", "value": completions}, self.container(job)["env"])
            volumes = {volume["name"]: volume for volume in job["spec"]["template"]["spec"]["volumes"]}
            claim = volumes["shared"]["persistentVolumeClaim"]["claimName"]
            self.assertEqual(claim, self.documents[0]["metadata"]["name"])
            for mount in self.container(job)["volumeMounts"]:
                self.assertIn(mount["name"], volumes)

    def test_the_readme_names_what_there_is(self):
        page = read(SCALE, "README.md")
        jobs = {job["metadata"]["name"] for job in (self.shards, self.merge)}
        self.assertEqual(set(re.findall(r"job/([\w-]+)", page)), jobs)
        configmap = re.search(r"create configmap (\S+) --from-file=(\S+)", page)
        volume = self.shards["spec"]["template"]["spec"]["volumes"][0]
        self.assertEqual(configmap.groups(), (volume["configMap"]["name"], volume["name"]))

    def test_the_pods_are_the_whole(self):
        for index in range(self.shards["spec"]["completions"]):
            ended = self.pod(self.shards, JOB_COMPLETION_INDEX=str(index))
            self.assertEqual(ended.returncode, 0, ended.stdout.decode())
        ended = self.pod(self.merge)
        self.assertEqual(ended.returncode, 0, ended.stdout.decode())
        self.assertEqual(report(os.path.join(self.folder, "reports")), self.whole())

    def test_a_mistake_in_a_spec_fails_the_job_at_once(self):
        write("[[audit]]\n", self.folder, "audits", "audits.toml")
        rules = self.shards["spec"]["podFailurePolicy"]["rules"]
        (codes,) = [rule["onExitCodes"]["values"] for rule in rules if rule["action"] == "FailJob"]
        self.assertIn(self.pod(self.shards, JOB_COMPLETION_INDEX="0").returncode, codes)


class GitHub(Scale):
    def setUp(self):
        super().setUp()
        (self.workflow,) = yaml_documents("github.yml")
        # Artifacts, by name: what upload-artifact would keep.
        self.artifacts = self.enter(tempfile.TemporaryDirectory())
        os.mkdir(os.path.join(self.artifacts, "program"))
        shutil.copy(PLAUDIT, os.path.join(self.artifacts, "program", "plaudit"))
        os.chmod(os.path.join(self.artifacts, "program", "plaudit"), stat.S_IRUSR | stat.S_IWUSR)

    def run_job(self, name, values):
        """Runs the steps of a job in a fresh checkout, and returns the exit code of the first that fails."""
        here = self.enter(tempfile.TemporaryDirectory())
        code = 0

        def fill(text):
            return re.sub(r"\$\{\{ (\S+) \}\}", lambda found: str(values[found.group(1)]), text)

        for step in self.workflow["jobs"][name]["steps"]:
            uses, given = step.get("uses", "").partition("@")[0], step.get("with", {})
            if code != 0 and step.get("if") != "always()":
                continue
            if "run" in step:
                arguments = few_trials(self.workflow["env"]["ARGUMENTS"])
                ended = self.run_in(here, ["bash", "-e", "-c", fill(step["run"])], ARGUMENTS=arguments)
                self.output = ended.stdout.decode()
                code = code or ended.returncode
            elif uses == "actions/checkout":
                shutil.copytree(self.folder, here, dirs_exist_ok=True)
            elif uses == "actions/upload-artifact":
                kept = os.path.join(self.artifacts, fill(given["name"]))
                shutil.copytree(os.path.join(here, given["path"]), kept, dirs_exist_ok=True)
            elif uses == "actions/download-artifact":
                self.assertNotEqual("name" in given, given.get("merge-multiple", False))
                wanted = given.get("name", given.get("pattern", "")).replace("*", ".*")
                for artifact in os.listdir(self.artifacts):
                    if re.fullmatch(wanted, artifact):
                        there = os.path.join(here, given["path"])
                        shutil.copytree(os.path.join(self.artifacts, artifact), there, dirs_exist_ok=True)
            else:
                self.fail("a step that is not known here: %r" % step)
        return code

    def run_workflow(self):
        jobs = self.workflow["jobs"]
        self.assertEqual(
            [jobs[name].get("needs") for name in ("program", "shards", "merge")], [None, "program", "shards"]
        )
        shards = jobs["shards"]["strategy"]["matrix"]["shard"]
        for shard in shards:
            values = {"matrix.shard": shard, "strategy.job-total": len(shards)}
            self.assertEqual(self.run_job("shards", values), 0, self.output)
        return self.run_job("merge", {})

    def test_the_workflow_fits_its_schema(self):
        try:
            import check_jsonschema
        except ImportError:
            raise unittest.SkipTest("check-jsonschema is not installed") from None
        del check_jsonschema
        command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
        ended = self.run_in(SCALE, command + ["github.yml"])
        self.assertEqual(ended.returncode, 0, ended.stdout.decode())

    def test_the_program_is_uploaded_from_where_it_is_installed(self):
        _, install, upload = self.workflow["jobs"]["program"]["steps"]
        root = re.search(r"^cargo install .*--root (\S+)$", install["run"]).group(1)
        self.assertEqual(upload["with"]["path"], root + "/bin/plaudit")

    def test_the_jobs_are_the_whole(self):
        self.assertEqual(self.run_workflow(), 0, self.output)
        self.assertEqual(report(os.path.join(self.artifacts, "report")), self.whole())

    def test_a_violation_fails_the_merge_and_the_report_is_uploaded(self):
        write(self.spec.replace('expect = "violated"', ""), self.folder, "audits", "audits.toml")
        self.assertEqual(self.run_workflow(), 1, self.output)
        self.assertEqual(report(os.path.join(self.artifacts, "report")), self.whole())


class WithoutRay(unittest.TestCase):
    def test_it_says_what_is_missing(self):
        import plaudit.ray

        missing = mock.patch.dict(sys.modules, {"ray": None})
        with missing, self.assertRaisesRegex(ImportError, "needs Ray: pip install ray"):
            plaudit.ray.audit("audits", shards=2, out="reports")

    def test_numbers_that_make_no_sense(self):
        import plaudit.ray

        for wrong in ({"shards": 0}, {"shards": 1.5}, {"shards": 1, "retries": -1}, {"shards": 1, "cpus": 0}):
            with self.assertRaisesRegex(ValueError, "is a whole number from"):
                plaudit.ray.audit("audits", out="reports", **wrong)
        with self.assertRaisesRegex(ValueError, "name a spec"):
            plaudit.ray.audit([], shards=1, out="reports")

    def test_what_plaudit_said_is_one_line(self):
        from plaudit.ray import _line

        said = "error: unknown key `x` in a spec\n --> bad.toml:1:1\n  |\n1 | x=1\n\nerror: 1 mistake in the specs\n"
        self.assertEqual(_line(said, 2), "unknown key `x` in a spec (bad.toml:1:1)")
        self.assertEqual(_line("error: no audits\n", 4), "no audits")
        self.assertEqual(_line("", 9), "plaudit ended with exit code 9 and said nothing")


def is_alive(pid):
    try:
        return read("/proc", str(pid), "stat").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def start_ray(case):
    """A cluster of two processors on this machine, for a class of tests; where there can be none they are skipped."""
    import ray

    try:
        ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    except Exception as why:
        raise unittest.SkipTest("Ray does not start here: %s" % why) from why
    case.addClassCleanup(ray.shutdown)


@unittest.skipIf(importlib.util.find_spec("ray") is None, "Ray is not installed: pip install ray")
class Ray(Scale):
    @classmethod
    def setUpClass(cls):
        start_ray(cls)

    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.program = os.path.join(self.bin, "plaudit")

    def audit(self, program=None, **options):
        import plaudit.ray

        options = dict({"shards": 2, "out": "reports", "arguments": ["--trials", "30000"]}, **options)
        return plaudit.ray.audit("audits", program=program or self.program, **options)

    def broken(self, once):
        """A program that does something of a shell, once, when it is asked for the second shard."""
        script = (
            '#!/bin/sh\ncase "$*" in *"--shard 2/2"*) mkdir "%s/told" 2>/dev/null && { %s; } ;; esac\nexec "%s" "$@"\n'
        )
        executable(script % (self.folder, once, PLAUDIT), self.bin, "broken")
        return os.path.join(self.bin, "broken")

    def test_two_shards_are_the_whole(self):
        told = []
        self.assertEqual(self.audit(progress=lambda done, of: told.append((done, of))), 0)
        self.assertEqual(told, [(1, 2), (2, 2)])
        self.assertEqual(report("reports"), self.whole())
        self.assertEqual(sorted(os.listdir("reports/shards")), ["shard-1-of-2.json", "shard-2-of-2.json"])

    def test_a_shard_whose_worker_is_killed_is_played_again(self):
        # It would go on for a minute if it did not die with its worker.
        broken = self.broken("echo $$ > pid; kill -9 $PPID; exec sleep 60")
        self.assertEqual(self.audit(broken), 0)
        self.assertEqual(report("reports"), self.whole())
        pid = int(read("pid"))
        if sys.platform == "linux":
            self.assertFalse(is_alive(pid))

    def test_a_shard_whose_program_is_killed_midway_is_played_again(self):
        broken = self.broken('"%s" "$@" & sleep 0.05; kill -9 $!; kill -9 $$' % PLAUDIT)
        self.assertEqual(self.audit(broken), 0)
        self.assertEqual(report("reports"), self.whole())

    def test_explore_in_one_task_gives_the_whole(self):
        write(SPEC + RESPONSE + SEARCHED, self.folder, "audits", "audits.toml")
        told = []
        broken = self.broken("kill -9 $PPID; exec sleep 60")
        self.assertEqual(self.audit(broken, frozen=True, progress=lambda done, of: told.append((done, of))), 0)
        self.assertEqual(told, [(1, 2), (2, 2)])
        self.assertEqual(report("reports"), self.whole())
        self.assertIn("frozen.json", os.listdir("reports/shards"))

    def test_retries_have_an_end(self):
        with self.assertRaisesRegex(
            RuntimeError, r"^shard 2 of 2 was given up: the program was ended by a signal \(-9\)$"
        ):
            self.audit(self.broken("kill -9 $$"), retries=0)
        os.rmdir("told")
        with self.assertRaisesRegex(RuntimeError, r"^shard 2 of 2 was given up: "):
            self.audit(self.broken("kill -9 $PPID; exec sleep 60"), retries=0)
        self.assertFalse(os.path.exists("reports"))

    def test_a_mistake_in_a_spec_ends_all_with_one_line(self):
        write("x = 1\n", self.folder, "audits", "audits.toml")
        with self.assertRaisesRegex(
            RuntimeError, r"^shard \d of 2: unknown key `x` in a spec \(audits/audits.toml:1:1\)$"
        ):
            self.audit()

    def test_a_shard_that_fails_ends_the_others(self):
        # The first shard would go on for a minute.
        script = '#!/bin/sh\ncase "$*" in *"--shard 1/2"*) echo $$ > pid; exec sleep 60 ;; esac\n'
        executable(
            script + 'while [ ! -s pid ]; do sleep 0.1; done\necho "error: no" >&2\nexit 2\n', self.bin, "uneven"
        )
        with self.assertRaisesRegex(RuntimeError, "^shard 2 of 2: no$"):
            self.audit(os.path.join(self.bin, "uneven"))
        import time

        until = time.monotonic() + 20
        while is_alive(int(read("pid"))) and time.monotonic() < until:
            time.sleep(0.1)
        self.assertFalse(is_alive(int(read("pid"))))

    def test_settings_of_the_environment_go_along(self):
        with mock.patch.dict(os.environ, {"PLAUDIT_TRIALS": "20000"}):
            self.assertEqual(self.audit(arguments=()), 0)
        self.assertEqual(report("reports")["audits"][0]["trials"]["total"], 20000)

    def test_a_program_that_is_not_there(self):
        with self.assertRaisesRegex(RuntimeError, r"^shard \d of 2: /no/plaudit: there is no such program on \S+$"):
            self.audit("/no/plaudit")

    def test_the_command(self):
        import plaudit.ray

        words = ["audits", "--shards", "2", "--out", "reports", "--program", self.program]
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(plaudit.ray.main(words + ["--", "--trials", "30000"]), 0)
            self.assertEqual(plaudit.ray.main(words + ["--", "--filter", "nothing"]), 2)
        self.assertIn("1 of 2 shards\n2 of 2 shards\n", said.getvalue())
        self.assertIn("error: shard ", said.getvalue())
        self.assertEqual(report("reports"), self.whole())


@unittest.skipIf(importlib.util.find_spec("ray") is None, "Ray is not installed: pip install ray")
class RayAsAModule(Scale):
    # A program, too, which is found beside its spec.
    spec = SPEC + RESPONSE

    @classmethod
    def setUpClass(cls):
        start_ray(cls)
        cls.doClassCleanups()

    def test_it_starts_a_cluster_of_its_own(self):
        package = os.path.dirname(os.path.dirname(os.path.abspath(importlib.util.find_spec("plaudit").origin)))
        command = [sys.executable, "-m", "plaudit.ray", "audits", "--shards", "2", "--out", "reports"]
        ended = self.run_in(self.folder, command + ["--", "--trials", "30000"], PYTHONPATH=package)
        self.assertEqual(ended.returncode, 0, ended.stdout.decode())
        self.assertEqual(report(os.path.join(self.folder, "reports")), self.whole())


# The folder with specs is none to be run.
del Scale

if __name__ == "__main__":
    unittest.main()
