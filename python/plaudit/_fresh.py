"""Calls of a function in a fork of this process, which leave nothing behind in this one."""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import warnings
from typing import Any, Callable

_SECONDS = 120
"""A fork beside threads may hang."""


def in_a_fork(function: Callable[[], Any]) -> Any:
    """What the function returns; None if it raises an exception, and where there are no forks: they need Linux."""
    if sys.platform != "linux":
        return None
    flush()
    reads, writes = os.pipe()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            process = os.fork()
        if process == 0:
            _answer(function, writes)
    except OSError:
        os.close(reads)
        return None
    finally:
        os.close(writes)
    parts = []
    waiting = select.poll()
    waiting.register(reads)
    try:
        while waiting.poll(_SECONDS * 1000):
            part = os.read(reads, 1 << 20)
            if not part:
                break
            parts.append(part)
        else:
            raise ValueError("verify: a path in a fork of this process does not end in %d s" % _SECONDS)
    finally:
        os.close(reads)
        try:
            # It has answered, or is not waited for.
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        except (ChildProcessError, ProcessLookupError):
            pass  # Somebody else has waited for all children.
    return pickle.loads(b"".join(parts)) if parts else None


def _answer(function: Callable[[], Any], writes: int) -> None:
    """In the fork. Never returns."""
    try:
        answer = function()
        with os.fdopen(writes, "wb") as output:
            output.write(pickle.dumps(answer))
    finally:
        os._exit(0)


def flush() -> None:
    """Of what waits in a buffer, a fork would write a second copy."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
