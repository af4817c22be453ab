"""The code cells of examples/python/tutorial.ipynb run in order, and the notebook has no outputs."""

import contextlib
import importlib.util
import io
import json
import os
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
NOTEBOOK = os.path.join(ROOT, "examples", "python", "tutorial.ipynb")
# Where no package is installed, the one beside these tests.
sys.path.append(os.path.join(ROOT, "python"))

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")
if importlib.util.find_spec("numpy") is None:
    raise unittest.SkipTest("numpy is not installed")


class Notebook(unittest.TestCase):
    def test_the_cells_run(self):
        with open(NOTEBOOK, encoding="utf-8") as file:
            notebook = json.load(file)
        self.assertEqual(notebook["nbformat"], 4)
        names = {"__name__": "notebook"}
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            for at, cell in enumerate(notebook["cells"]):
                if cell["cell_type"] == "code":
                    self.assertEqual(cell["outputs"], [], at)
                    lines = "".join(cell["source"]).splitlines()
                    code = "\n".join(line for line in lines if not line.startswith("%"))
                    exec(compile(code, "cell %d" % at, "exec"), names)
        self.assertIn("count: violated", printed.getvalue())
        self.assertIn("Replay(confirmed=True", printed.getvalue())
        self.assertIn("Replay(confirmed=False", printed.getvalue())
        self.assertIn("repaired_batch: not refuted", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
