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

# More than a function names; what a hostile one could name is bounded.
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
    words = getattr(sys, "orig_argv", None) or [sys.executable or "python", *sys.argv]
    return {
        # What is not UTF-8 is shown as well as it can be.
        "command": [os.fsencode(word).decode("utf-8", "replace") for word in words],
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
        if name in found or len(found) == MOST_PACKAGES:
            continue
        try:
            path = sys.modules[name].__file__
            if path:
                found[name] = (os.fspath(path), "%s %s" % (name, importlib.metadata.version(name)))
        except Exception:  # The standard library, a file beside the function, broken metadata.
            continue
    return [found[name] for name in sorted(found)]


def _modules(function: Any) -> Iterator[str]:
    """The modules that a function, or an object that can be called, is from, and those of what it names."""
    yield from map(_module, (function, type(function), getattr(function, "__self__", None)))
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return
    known = getattr(function, "__globals__", {})
    yield from (_module(known.get(name)) for name in code.co_names)
    for cell in getattr(function, "__closure__", None) or ():
        try:
            yield _module(cell.cell_contents)
        except ValueError:  # It has no value yet.
            continue


def _module(value: Any) -> str:
    """The module that a value is or is from; "" if it has none. A proxy may raise whatever it likes."""
    try:
        if isinstance(value, ModuleType):
            return value.__name__
        return str(getattr(value, "__module__", None) or type(value).__module__)
    except Exception:
        return ""
