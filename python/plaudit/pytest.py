"""For a project's conftest.py: `pytest_plugins = ["plaudit.pytest"]`.

pytest loads plaudit's plugin by itself, unless that is switched off; then a test marked with privacy would pass
without an audit. This module loads the plugin where pytest did not, and is an error where it must not.
"""

from __future__ import annotations

import pytest

from . import _pytest

__all__: list[str] = []

_NAME = "plaudit"
"""Name of the plugin's entry point, which `-p no:plaudit` means."""


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    if pluginmanager.is_blocked(_NAME):
        raise pytest.UsageError(
            "-p no:plaudit switches off the audits of tests marked with privacy, and conftest.py asks for them with "
            "plaudit.pytest: leave one of both out. To run the other tests, use -m 'not privacy'"
        )
    if _pytest not in pluginmanager.get_plugins():
        pluginmanager.register(_pytest, _NAME)
