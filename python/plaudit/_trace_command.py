"""The commands `trace` and `serve`: traces of programs in any language."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any, List, Tuple

_ENDS = "exit codes: 0 nothing suspected, 1 suspected, 2 error"


def run(arguments: List[str]) -> int:
    """Traces a command on two datasets, prints the trace, and gives the exit code."""
    parser = argparse.ArgumentParser(
        prog="plaudit trace",
        usage="%(prog)s [OPTIONS] D.json D_PRIME.json -- COMMAND ...",
        description="Runs a command on two datasets with the same noise, and names the lines at which the runs differ.",
        epilog=_ENDS,
    )
    for name, meaning in (("epsilon", "claim"), ("delta", "claim"), ("mu", "claim"), ("rho", "claim")):
        parser.add_argument("--" + name, type=float, help=meaning)
    parser.add_argument("--seed", type=int, default=0, help="of the draws (0)")
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds of one run (30)")
    parser.add_argument("--format", choices=("human", "json"), default="human")
    parser.add_argument("d", help="file of JSON, - for standard input")
    parser.add_argument("d_prime")
    own, command = _split(arguments)
    given = vars(parser.parse_args(own))
    if not command:
        parser.error("the command is missing: write it after --")
    form, paths = given.pop("format"), (given.pop("d"), given.pop("d_prime"))
    from . import trace

    try:
        named = {name: value for name, value in given.items() if value is not None}
        found = trace(command, *map(_read, paths), **named)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        print("error: %s" % error, file=sys.stderr)
        return 2
    print(json.dumps(found.to_json()) if form == "json" else found, flush=True)
    return int(found.suspected)


def serve(arguments: List[str]) -> int:
    """Runs a command in place of this program, or answers with its trace if the environment asks for one."""
    parser = argparse.ArgumentParser(
        prog="plaudit serve",
        usage="%(prog)s [--timeout SECONDS] -- COMMAND ...",
        description="Runs a command; with PLAUDIT_TRACE in the environment, answers with its trace.",
    )
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds of one run (30)")
    own, command = _split(arguments)
    timeout = parser.parse_args(own).timeout
    if not command:
        parser.error("the command is missing: write it after --")
    asked = os.environ.get("PLAUDIT_TRACE")
    if asked:
        from ._tracing.program import answer

        answer(asked, command, None, lambda dataset: dataset, sys.stdout.buffer, timeout=timeout)
        return 0
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print("error: %s cannot be started: %s" % (command[0], error), file=sys.stderr)
    return 2


def _split(arguments: List[str]) -> Tuple[List[str], List[str]]:
    """The options, and the command after `--`."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:at], arguments[at + 1 :]


def _read(path: str) -> Any:
    try:
        if path == "-":
            return json.load(sys.stdin)
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (ValueError, RecursionError) as error:
        raise ValueError("%s is not JSON: %s" % (path, error)) from None
