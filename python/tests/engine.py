"""Tests of the engine are left out where the package has no native module."""

import unittest

try:
    from plaudit import _native  # noqa: F401
except ImportError:
    raise unittest.SkipTest("the native module is not built: pip install ./python") from None
