"""Each Python block of docs/python-libraries.md runs."""

import contextlib
import importlib
import importlib.util
import io
import os
import re
import sys
import unittest

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(PACKAGE, "..", "docs", "python-libraries.md")
# Where no package is installed, the one beside these tests.
sys.path.append(PACKAGE)

if importlib.util.find_spec("plaudit._native") is None:
    raise unittest.SkipTest("the native module is not built")

LIBRARIES = ("pandas", "hypothesis", "opendp", "diffprivlib", "dp_accounting", "opacus")


def is_there(name):
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def sections():
    with open(PAGE, encoding="utf-8") as page:
        for section in page.read().split("\n## ")[1:]:
            yield section.partition("\n")[0], "\n".join(re.findall(r"^```python\n(.*?)^```$", section, re.M | re.S))


class Page(unittest.TestCase):
    def test_the_blocks_run(self):
        found = list(sections())
        self.assertTrue(all(code for _, code in found))
        if not is_there("pandas"):
            self.skipTest("pandas is not installed")
        names = {"__name__": "page"}
        for title, code in found:
            needed = [name for name in LIBRARIES if re.search(r"^(import|from) (.*, )?%s\b" % name, code, re.M)]
            self.assertEqual(len(needed), 1, title)
            if is_there(needed[0]):
                with self.subTest(title), contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(code, title, "exec"), names)


class Imports(unittest.TestCase):
    def test_plaudit_imports_none_of_the_libraries(self):
        import subprocess

        program = (
            "import sys, plaudit; plaudit.audit, plaudit.check, plaudit.neighbors; import plaudit._strategies; "
            "sys.exit(', '.join({'numpy', 'sklearn', 'polars', %s} & set(sys.modules)))"
            % ", ".join(map(repr, LIBRARIES))
        )
        environment = dict(os.environ, PYTHONPATH=PACKAGE)
        run = subprocess.run([sys.executable, "-c", program], env=environment, stderr=subprocess.PIPE)
        self.assertEqual(run.stderr.decode().strip(), "")


if __name__ == "__main__":
    unittest.main()
