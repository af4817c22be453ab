"""docs/python-api*.md say what the docstrings say."""

import importlib.util
import os
import sys
import unittest

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# Where no package is installed, the one beside these tests.
sys.path.append(PACKAGE)

if not os.path.exists(os.path.join(PACKAGE, "reference.py")):
    raise unittest.SkipTest("the tests are apart from the repository")

spec = importlib.util.spec_from_file_location("reference", os.path.join(PACKAGE, "reference.py"))
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)


class Reference(unittest.TestCase):
    def test_the_pages_are_current(self):
        for name, whole in reference.pages().items():
            with self.subTest(name), open(os.path.join(reference.DOCS, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), whole, "run python python/reference.py")


if __name__ == "__main__":
    unittest.main()
