"""Fresh copies of a function: forks of this process, made from one that was forked before the function was called.

An audit asks them what a function says that was never called before. If it says something else than the function that
was, it keeps something: a cache, a counter, noise that was drawn once.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import warnings
from typing import Any, Callable, List, Optional, TextIO, cast

from ._fresh import flush

_CONNECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_connect.py")


class Forks:
    """`serve(requests, output)` answers requests in a fork. `command` starts one, or is None where there are none:
    they need Linux, and a Python that can be started."""

    def __init__(self, serve: Callable[[Any, Any], None], wanted: bool) -> None:
        self.command: Optional[List[str]] = None
        self._folder: Optional[str] = None
        self._process = 0
        self._alive = -1
        if not (wanted and sys.platform == "linux" and sys.executable):
            return
        self._folder = tempfile.mkdtemp(prefix="plaudit-")
        path = os.path.join(self._folder, "fork")
        listener = socket.socket(socket.AF_UNIX)
        try:
            listener.bind(path)
            listener.listen(64)
            flush()
            ended, self._alive = os.pipe()
            parent = os.getpid()
            with warnings.catch_warnings():
                # A fork beside threads may hang: it is given up then, and the report says so.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._process = os.fork()
            if self._process == 0:
                os.close(self._alive)
                _hand_out(listener, ended, parent, self._folder, serve)
            os.close(ended)
            self.command = [sys.executable, "-I", "-S", _CONNECT, path]
        except OSError:
            self.close()
        finally:
            listener.close()

    def close(self) -> None:
        """Ends the process that forks are made from."""
        if self._alive >= 0:
            os.close(self._alive)
            self._alive = -1
        if self._process > 0:
            try:
                # Not left to the pipe: a child of the function that lives on may hold its other end.
                os.kill(self._process, signal.SIGKILL)
                os.waitpid(self._process, 0)
            except (ChildProcessError, ProcessLookupError):
                pass  # Somebody else has waited for all children.
            self._process = 0
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def __enter__(self) -> "Forks":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _hand_out(
    listener: socket.socket, ended: int, parent: int, folder: str, serve: Callable[[Any, Any], None]
) -> None:
    """In the first fork: makes one for each connection, until the parent ends it or is gone. Never returns."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # Nobody waits for the forks.
        while os.getppid() == parent:
            waited: List[Any] = [listener, ended]
            ready, _, _ = select.select(waited, [], [], 1.0)
            if ended in ready:
                break
            if listener in ready:
                connection, _ = listener.accept()
                if os.fork() == 0:
                    listener.close()
                    os.close(ended)
                    _answer(connection, serve)
                connection.close()
        # The parent is gone, and has left this.
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os._exit(0)


def _answer(connection: socket.socket, serve: Callable[[Any, Any], None]) -> None:
    """In a fork of its own: answers the requests of one connection. Never returns."""
    status = 70
    try:
        # The function may want these as they were.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        group, streams, _, _ = socket.recv_fds(connection, 32, 3)
        # Who ends the program that connected ends this, too.
        os.setpgid(0, int(group))
        for stream, at in zip(streams, range(3)):
            os.dup2(stream, at)
            if stream > 2:
                os.close(stream)
        # What the function prints goes to standard error, whatever the streams of the parent were.
        sys.stdout = sys.stderr = cast(TextIO, os.fdopen(os.dup(2), "w", buffering=1))
        requests = os.fdopen(os.dup(0), "rb")
        output = os.fdopen(os.dup(1), "wb", buffering=0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        serve(requests, output)
        status = 0
    except SystemExit as ending:
        status = ending.code if isinstance(ending.code, int) else 1
    except BrokenPipeError:
        status = 0
    finally:
        try:
            connection.send(bytes([status & 0xFF]))
        except OSError:
            pass
        os._exit(status & 0xFF)
