"""The Python blocks of docs/python.md run, and so does the one of README.md that calls `plaudit.audit`."""

import contextlib
import importlib.util
import io
import os
import re
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Where no package is installed, the one beside these tests.
sys.path.append(os.path.join(ROOT, "python"))

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")
if importlib.util.find_spec("numpy") is None:
    raise unittest.SkipTest("numpy is not installed")


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as page:
        return page.read()


def blocks(name):
    return re.findall(r"^```python\n(.*?)^```$", read(name), re.M | re.S)


def is_missing(code):
    """A library that a block imports and that is not installed."""
    found = re.findall(r"^(?:import|from) (\w+)", code, re.M)
    return next((name for name in found if importlib.util.find_spec(name) is None), None)


@contextlib.contextmanager
def elsewhere():
    """A folder of its own, for what blocks write."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


class Pages(unittest.TestCase):
    def run_blocks(self, name, found):
        names = {"__name__": "page"}
        with elsewhere() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
            for at, code in enumerate(found):
                with self.subTest(name, block=at + 1):
                    missing = is_missing(code)
                    if missing is not None:
                        self.skipTest("%s is not installed" % missing)
                    exec(compile(code, "%s, block %d" % (name, at + 1), "exec"), names)
            written = {os.path.relpath(at, folder) for at, _, files in os.walk(folder) if "index.html" in files}
        return names, printed.getvalue(), written

    def test_the_blocks_of_the_page_run(self):
        found = blocks("docs/python.md")
        self.assertGreaterEqual(len(found), 10)
        _, printed, written = self.run_blocks("docs/python.md", found)
        self.assertTrue(printed.startswith("count: violated\n"), printed[:200])
        self.assertEqual(written, {os.path.join("reports", "count"), os.path.join("reports", "all")})

    def test_the_blocks_of_traces_run(self):
        _, printed, _ = self.run_blocks("docs/trace.md", blocks("docs/trace.md"))
        self.assertIn("suspected at", printed)

    def test_the_block_of_proofs_runs(self):
        _, printed, _ = self.run_blocks("docs/verify.md", blocks("docs/verify.md"))
        self.assertIn("is refuted", printed)

    def test_the_block_of_the_readme_runs(self):
        found = [code for code in blocks("README.md") if "plaudit.audit(" in code]
        self.assertEqual(len(found), 1)
        _, printed, _ = self.run_blocks("README.md", found)
        self.assertIn(": violated\n", printed)

    def test_links_lead_somewhere(self):
        api = ["docs/python-api%s.md" % part for part in ("", "-results", "-verify", "-more")]
        for name in ["docs/python.md", "docs/python-program.md", *api, "python/README.md", "README.md"]:
            for link in re.findall(r"\]\(([^)\s]+)\)", read(name)):
                target, _, anchor = link.partition("#")
                if "://" in link:
                    continue
                path = os.path.join(os.path.dirname(name), target) if target else name
                with self.subTest(name, link=link):
                    self.assertTrue(os.path.exists(os.path.join(ROOT, path)))
                    if anchor:
                        self.assertIn(anchor, anchors(read(path)))


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", page, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


if __name__ == "__main__":
    unittest.main()
