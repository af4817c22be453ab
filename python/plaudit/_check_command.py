"""The command `plaudit check`: audits what a library's object claims, by its name."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import os
import sys
from typing import Any, Dict, List, Tuple

USAGE = """\
usage: plaudit check MODULE:NAME [--PARAMETER VALUE ...] --d VALUE [--d-prime VALUE] [OPTIONS]

Audits the claim of a mechanism, a tool or a model of diffprivlib, a measurement of opendp, or a callable with a
dp_event.
A class is made, and a function that is not a tool of diffprivlib is called, with the parameters.

  --PARAMETER VALUE  parameter of the class or function, in Python: --epsilon 1 --bounds '(0, 1)'
  --d, --d-prime     datasets, in Python: 0, '[0, 1, 1]' or '([[0.1], [0.9]], [0, 1])'; neighbors are made without d'
  --d-in X           distance at which an opendp map is asked
  --delta X          delta at which a privacy profile or an event is read; a parameter of the object, if it has one
  --trials N, --alpha A, --seed S, --relation R
                     as of `plaudit audit`
  --out DIR          folder of the report
  --format FORMAT    human or json

examples:
  plaudit check diffprivlib.mechanisms:Laplace --epsilon 1 --sensitivity 1 --d 0
  plaudit check diffprivlib.tools:mean --epsilon 1 --bounds '(0, 1)' --d '[0, 0, 1]' --trials 20000
  plaudit check mine:measurement --d 10 --d-prime 11

exit codes: 0 not violated, 1 violated, 2 wrong usage, 3 inconclusive"""

_OWN = {"d", "d_prime", "d_in", "trials", "alpha", "seed", "relation", "out", "format"}


class _Usage(Exception):
    """A mistake on the command line."""


def run(arguments: List[str]) -> int:
    """Runs the command, and gives its exit code."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0 if arguments else 2
    try:
        return _checked(arguments)
    except BrokenPipeError:
        # Its reader has seen enough.
        sys.stdout = open(os.devnull, "w")
        return 2
    except SystemExit as error:
        print("error: the object ended the program with %r" % (error.code,), file=sys.stderr)
        return 2
    except Exception as error:
        kind = "" if isinstance(error, (_Usage, TypeError, ValueError)) else type(error).__name__ + ": "
        print("error: %s%s" % (kind, error), file=sys.stderr)
        return 2


def _checked(arguments: List[str]) -> int:
    from . import Verdict, check, save

    given = _options(arguments[1:])
    own = {name: given.pop(name) for name in list(given) if name in _OWN}
    if "d" not in own:
        raise _Usage("--d is missing: give a dataset, such as --d 0 or --d '[0, 1]'")
    measurement, own_delta = _made(arguments[0], given)
    out, form = own.pop("out", None), own.pop("format", "human")
    if form not in ("human", "json"):
        raise _Usage("--format is human or json, and not %r" % (form,))
    if own_delta is not None:
        own["delta"] = own_delta
    datasets = [own.pop("d"), own.pop("d_prime", None)]
    result = check(measurement, *datasets, name=arguments[0].replace(":", "."), **own)
    print(json.dumps(result.finding) if form == "json" else result, flush=True)
    if out is not None:
        print("report: %s" % save([result], out), file=sys.stderr)
    return {Verdict.VIOLATED: 1, Verdict.INCONCLUSIVE: 3}.get(result.verdict, 0)


def _options(words: List[str]) -> Dict[str, Any]:
    """Options and their values, in Python's spelling of names."""
    given: Dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            raise _Usage("%r is not an option: write --NAME VALUE" % word)
        name, equals, text = word[2:].partition("=")
        if not equals:
            if not rest:
                raise _Usage("--%s has no value" % name)
            text = rest.pop(0)
        key = name.replace("-", "_")
        if key in given:
            raise _Usage("--%s is given twice" % name)
        given[key] = _value(text)
    return given


def _value(text: str) -> Any:
    """A value as Python writes it, else a text."""
    if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        return float(text)
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _made(path: str, parameters: Dict[str, Any]) -> Tuple[Any, Any]:
    """The object of a path, made with its parameters; and the delta that is not one of them."""
    module, colon, name = path.partition(":")
    if not colon or not name:
        raise _Usage("%r does not name an object: write MODULE:NAME, such as diffprivlib.mechanisms:Laplace" % path)
    sys.path.insert(0, os.getcwd())
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    is_class, is_function = inspect.isclass(found), inspect.isfunction(found)
    delta = None
    if not (is_class or is_function):
        delta = parameters.pop("delta", None)
        if parameters:
            raise _Usage("%s is made already, and takes no --%s" % (path, sorted(parameters)[0]))
        return found, delta
    known = inspect.signature(found).parameters
    if "delta" not in known:
        delta = parameters.pop("delta", None)
    if is_function and found.__module__.startswith("diffprivlib.tools"):
        return functools.partial(found, **parameters), delta
    return found(**parameters), delta
