"""What the program writes in formats of others, and its own report, by a validator of JSON Schema that is not ours."""

import copy
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Where no package is installed, the one beside these tests.
sys.path.append(os.path.join(ROOT, "python"))

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")
for library in ("jsonschema", "yaml"):
    if importlib.util.find_spec(library) is None:
        raise unittest.SkipTest(f"{library} is not installed")

import jsonschema
import yaml

SAMPLE = os.path.join(ROOT, "tests", "data", "sample-report.json")
GONE = object()

HOSTILE = "</script>]]>|`::error::%0A"
SPEC = """
[[audit]]
name = "{name}"
about = {about}
mechanism = {{ kind = "laplace", scale = {scale} }}
relation = {{ l1 = 1.0 }}
pairs = [{{ d = [1.0], d_prime = [0.0] }}]
claim = {{ epsilon = 1.0 }}
alpha = {alpha}
"""


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return json.load(file)


def program(*arguments, folder, codes=(0,)):
    command = [sys.executable, "-m", "plaudit", *arguments]
    ran = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=300)
    assert ran.returncode in codes, (ran.returncode, ran.stderr)
    return ran.stdout


def with_mistake(value, path, mistake):
    """A copy with one value replaced, or gone."""
    value = copy.deepcopy(value)
    *parents, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    place = value
    for part in parents:
        place = place[part]
    if mistake is GONE:
        del place[last]
    else:
        place[last] = mistake
    return value


class Schemas(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def shipped(self):
        """The report of some shipped audits, on few trials."""
        specs = [os.path.join(ROOT, "audits", name + ".toml") for name in ("laplace", "claims", "survey", "attacks")]
        arguments = ["audit", *specs, "--trials", "1000", "--out", "shipped"]
        program(*arguments, folder=self.folder, codes=(0, 1, 3))
        return read(self.folder, "shipped", "report.json")

    def assert_only_valid(self, validator, good, mistakes):
        validator.validate(good)
        for path, mistake in mistakes:
            with self.subTest(path):
                self.assertFalse(validator.is_valid(with_mistake(good, path, mistake)))

    def test_the_schema_accepts_reports_and_nothing_else(self):
        schema = json.loads(program("schema", folder=self.folder))
        self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        jsonschema.Draft202012Validator.check_schema(schema)
        mistakes = [
            ("audits/0/verdict", "safe"),
            ("audits/0/p_value", "small"),
            ("audits/0/claim/form", "renyi"),
            ("audits/0/claim/reference_delta", GONE),
            ("audits/0/tally/d/0", -1),
            ("run/seed", 1.5),
        ]
        validator = jsonschema.Draft202012Validator(schema)
        self.assert_only_valid(validator, read(SAMPLE), mistakes)
        validator.validate(self.shipped())

    def test_what_the_gate_writes_is_valid_sarif(self):
        """By the schema that OASIS publishes: a violation with a hostile text, one that is accepted, an audit whose
        level is another than before, and one with a hostile name that is gone."""

        def gate(alpha, *arguments):
            audits = [("new", 0.5, 1e-6), ("known", 0.5, 1e-6), ("right", 1.0, alpha)]
            with open(os.path.join(self.folder, "spec.toml"), "w", encoding="utf-8") as spec:
                for name, scale, alpha in audits:
                    spec.write(SPEC.format(name=name, about=json.dumps(HOSTILE), scale=scale, alpha=alpha))
            arguments = ["gate", "spec.toml", "--trials", "20000", "--accepted", "accepted.toml", *arguments]
            program(*arguments, folder=self.folder, codes=(1,))

        with open(os.path.join(self.folder, "accepted.toml"), "w", encoding="utf-8") as accepted:
            accepted.write('[[accepted]]\naudit = "known"\nrule = "violated"\nreason = "known"\nexpires = 2999-12-31\n')
        gate(1e-6, "--out", "before")
        # Names in a report that somebody else wrote are no names of a spec.
        baseline = read(self.folder, "before", "report.json")
        baseline["audits"].append(dict(baseline["audits"][2], name=HOSTILE))
        with open(os.path.join(self.folder, "baseline.json"), "w", encoding="utf-8") as file:
            json.dump(baseline, file)
        gate(1e-9, "--out", "after", "--baseline", "baseline.json", "--sarif", "log.sarif")
        log = read(self.folder, "log.sarif")
        results = log["runs"][0]["results"]
        self.assertTrue(any(HOSTILE in result["message"]["text"] for result in results), results)
        self.assertTrue({"error", "warning"} <= {result["level"] for result in results}, results)
        # Information alone is not a finding.
        self.assertNotIn("note", {result["level"] for result in results})
        self.assertTrue(any("suppressions" in result for result in results))
        mistakes = [
            ("version", "2.0"),
            ("runs/0/results/0/level", "bad"),
            ("runs/0/results/0/message", {}),
            ("runs/0/tool/driver/name", GONE),
        ]
        validator = jsonschema.Draft4Validator(read("tests", "data", "sarif-schema-2.1.0.json"))
        self.assert_only_valid(validator, log, mistakes)

    def test_records_for_the_registry_meet_its_schema(self):
        schema = read("crates", "report", "src", "report", "registry", "deployments-schema.json")
        records = list(yaml.safe_load_all(program("sheet", SAMPLE, "--format", "registry", folder=self.folder)))
        self.assertGreater(len(records), 3)
        self.shipped()
        sheet = ["sheet", os.path.join("shipped", "report.json"), "--format", "registry"]
        records += yaml.safe_load_all(program(*sheet, folder=self.folder))
        validator = jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())
        mistakes = [
            ("surprise", "..."),
            ("status", GONE),
            ("tier", 0),
            ("deployment/basic/publication_date", "1/1/2026"),
            ("deployment/basic/publication_date", "2026-02-29"),
            ("deployment/basic/data_curators", []),
            ("deployment/basic/data_product_type", "A poem"),
            ("deployment/privacy_loss/privacy_parameters", {"epsilon": "1e-05"}),
            ("deployment/administrative/registry_authors", [1]),
        ]
        for record in records:
            self.assert_only_valid(validator, record, mistakes)


if __name__ == "__main__":
    unittest.main()
