"""plaudit: its command on a generated spec, at alpha 0.05. Certified: `epsilon_lower` of the report.

The claim that is audited is 1 in all rows: the runner has no knowledge of the exact epsilon.
"""

import json
import os
import subprocess
import sys
import tempfile

import _common

SERVE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "serve.py")
SPEC = """\
[[audit]]
name = "row"
mechanism = {{ command = [{python}, {serve}, {name}], format = "npy" }}
relation = "unchecked: the pair of the benchmark"
pairs = [{{ d = {d}, d_prime = {d_prime} }}]
claim = {{ epsilon = 1.0, delta = {delta} }}
trials = {runs}
alpha = {alpha}
seed = {seed}
min_power = false
"""


def audit(source):
    mechanism = _common.ALL[source.name]
    with tempfile.TemporaryDirectory() as folder:
        spec, reports = os.path.join(folder, "row.toml"), os.path.join(folder, "out")
        with open(spec, "w") as file:
            file.write(SPEC.format(
                python=json.dumps(sys.executable), serve=json.dumps(SERVE), name=json.dumps(source.name),
                d=list(mechanism.d), d_prime=list(mechanism.d_prime), delta=float(source.delta), runs=source.runs,
                alpha=_common.ALPHA, seed=source.seed))
        command = [os.environ.get("PLAUDIT", "plaudit"), "audit", spec, "--no-regressions", "--out", reports]
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if ran.returncode not in (0, 1):
            raise RuntimeError("plaudit ended with code %d: %s" % (ran.returncode, ran.stdout[-300:]))
        with open(os.path.join(reports, "report.json")) as file:
            report = json.load(file)["audits"][0]
    source.used = report["trials"]["total"] if "trials" in report else source.runs
    bound = report["epsilon_lower"]
    return float("inf") if bound is None else bound


if __name__ == "__main__":
    _common.main(audit)
