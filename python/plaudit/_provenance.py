"""Where an audit of a function comes from: its file, Python, and the packages that it names."""

from __future__ import annotations

import functools
import importlib.metadata
import inspect
import os
import platform
import sys
from types import CodeType, ModuleType
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

MOST_PACKAGES = 32


def provenance(function: Callable[..., Any]) -> Dict[str, Any]:
    """The command of this process, the folder whose git commit counts, and files with their versions."""
    called = _called(function)
    code = getattr(called, "__code__", None)
    source = os.path.abspath(code.co_filename) if isinstance(code, CodeType) else ""
    known = os.path.isfile(source)
    files: List[Tuple[str, Optional[str]]] = [(source, None)] if known else []
    if sys.executable:
        files.append((sys.executable, "%s %s" % (platform.python_implementation(), platform.python_version())))
    files += _packages(called)
    return {
        "command": list(getattr(sys, "orig_argv", None) or [sys.executable or "python", *sys.argv]),
        # Notebooks and consoles have no file: they are in the folder that they run in.
        "folder": os.path.dirname(source) if known else os.curdir,
        "files": files,
    }


def _called(function: Any) -> Any:
    """The function behind decorators, partial arguments, and objects that can be called."""
    function = inspect.unwrap(function)
    if isinstance(function, functools.partial):
        return _called(function.func)
    if not hasattr(function, "__code__") and hasattr(type(function).__call__, "__code__"):
        return type(function).__call__
    return function


def _packages(function: Any) -> List[Tuple[str, str]]:
    """Each installed package that the function names, and numpy, whose generators it may be given: with its version."""
    found: Dict[str, Tuple[str, str]] = {}
    for module in ["numpy", *_modules(function)]:
        name = module.split(".")[0]
        path = getattr(sys.modules.get(name), "__file__", None)
        if name in found or not path or len(found) == MOST_PACKAGES:
            continue
        try:
            found[name] = (path, "%s %s" % (name, importlib.metadata.version(name)))
        except Exception:  # The standard library, a file beside the function, broken metadata.
            continue
    return [found[name] for name in sorted(found)]


def _modules(function: Any) -> Iterator[str]:
    """The modules that a function, or an object that can be called, is from, and those of what it names."""
    for of in (function, type(function), getattr(function, "__self__", None)):
        yield str(getattr(of, "__module__", ""))
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return
    named = [function.__globals__.get(name) for name in code.co_names]
    for cell in function.__closure__ or ():
        try:
            named.append(cell.cell_contents)
        except ValueError:  # It has no value yet.
            continue
    for value in named:
        if isinstance(value, ModuleType):
            yield value.__name__
        elif value is not None:
            yield str(getattr(value, "__module__", None) or type(value).__module__)
