"""One run of a command: its request, the lines with which it asks for draws, and its output, all within bounds."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from typing import Callable, Dict, List, Sequence

from .outcomes import Failed
from .record import Stopped

VARIABLE = "PLAUDIT_DRAWS"
LINE = 1 << 20
"""Bytes of a line that asks for a draw."""
_LINES = 64 << 20
"""Bytes of all of these lines of a run."""
_OUTPUT = 16 << 20
"""Bytes of standard output."""
_ERRORS = 1 << 16
"""Bytes of standard error that are kept, the last ones."""
_TICK = 0.05
"""Seconds after which a program is seen to have ended although a child of its own holds its pipes."""


def run(command: Sequence[str], request: bytes, timeout: float, answer: Callable[[bytes], bytes]) -> bytes:
    """Standard output of a command that gets `request` on standard input; `answer` replies to each line of its draws.

    The command and its children are killed at the end, whatever happens. Raises Failed for a command that ends with an
    error, and Stopped for one that cannot be started, takes longer than `timeout` seconds or writes too much.
    """
    if os.name != "posix":
        raise Stopped("commands are traced on POSIX systems only: trace a Python function here")
    replies, to_program = os.pipe()
    from_program, asks = os.pipe()
    environment = {key: value for key, value in os.environ.items() if key != "PLAUDIT_TRACE"}
    environment.update({"PLAUDIT": "1", VARIABLE: "%d,%d" % (replies, asks)})
    try:
        child = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(replies, asks),
            start_new_session=True,
            env=environment,
            bufsize=0,
        )
    except (OSError, ValueError) as error:
        os.close(to_program)
        os.close(from_program)
        raise Stopped("%s cannot be started: %s" % (command[0], error)) from None
    finally:
        os.close(replies)
        os.close(asks)
    try:
        return _Talk(child, request, (from_program, to_program), answer).output(timeout)
    finally:
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            if stream is not None:
                stream.close()
        os.close(to_program)
        os.close(from_program)


class _Talk:
    """The pipes of a running command."""

    def __init__(
        self, child: subprocess.Popen[bytes], request: bytes, draws: Sequence[int], answer: Callable[[bytes], bytes]
    ) -> None:
        assert child.stdin is not None and child.stdout is not None and child.stderr is not None
        self._child, self._answer = child, answer
        self._asks, self._replies = draws
        self._stdin, self._stdout, self._stderr = child.stdin, child.stdout.fileno(), child.stderr.fileno()
        self._read: Dict[int, bytearray] = {fd: bytearray() for fd in (self._stdout, self._stderr, self._asks)}
        self._unsent: Dict[int, bytearray] = {self._stdin.fileno(): bytearray(request), self._replies: bytearray()}
        self._draws, self._asked = 0, 0

    def output(self, timeout: float) -> bytes:
        deadline = time.monotonic() + timeout
        with selectors.DefaultSelector() as pipes:
            for fd in [*self._read, *self._unsent]:
                os.set_blocking(fd, False)
            for fd in self._read:
                pipes.register(fd, selectors.EVENT_READ)
            pipes.register(self._stdin.fileno(), selectors.EVENT_WRITE)
            open_ = set(self._read)
            while open_:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise self._late(timeout)
                ready = pipes.select(min(left, _TICK))
                for key, _ in ready:
                    if key.fd in self._unsent:
                        self._write(pipes, key.fd)
                    elif not self._received(pipes, key.fd):
                        open_.discard(key.fd)
                        pipes.unregister(key.fd)
                if not ready and self._child.poll() is not None:
                    break
        try:
            code = self._child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise self._late(timeout) from None
        return self._ended(code)

    def _send(self, fd: int) -> None:
        left = self._unsent[fd]
        try:
            del left[: os.write(fd, left[: 1 << 16])]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            left.clear()  # It reads no more.

    def _write(self, pipes: selectors.BaseSelector, fd: int) -> None:
        self._send(fd)
        if not self._unsent[fd]:
            pipes.unregister(fd)
            if fd != self._replies:
                self._stdin.close()

    def _received(self, pipes: selectors.BaseSelector, fd: int) -> bool:
        """Reads what there is; false at the end."""
        try:
            part = os.read(fd, 1 << 16)
        except BlockingIOError:
            return True
        kept = self._read[fd]
        kept += part
        if fd == self._asks:
            self._asked += len(part)
            if self._asked > _LINES:
                raise Stopped("its draws are lines of more than 64 MiB: trace a smaller dataset")
            self._answered(pipes, kept)
        elif fd == self._stderr:
            del kept[:-_ERRORS]
        elif len(kept) > _OUTPUT:
            raise Stopped("its outcome is longer than 16 MiB: release less, or trace a smaller dataset")
        return bool(part)

    def _answered(self, pipes: selectors.BaseSelector, kept: bytearray) -> None:
        *lines, rest = kept.split(b"\n")
        kept[:] = rest
        if max(map(len, (*lines, rest))) > LINE:
            raise Stopped("its draw %d is a line of more than 1 MiB: send fewer values at once" % (self._draws + 1))
        unsent = self._unsent[self._replies]
        is_waiting = bool(unsent)
        for line in lines:
            self._draws += 1
            unsent += self._answer(bytes(line))
        if unsent and not is_waiting:
            self._send(self._replies)
            if unsent:
                pipes.register(self._replies, selectors.EVENT_WRITE)

    def _late(self, timeout: float) -> Stopped:
        kept = self._read
        if self._child.poll() is None and kept[self._stdout].endswith(b"\n"):
            doing = "it wrote an outcome, but did not end: exit when standard input ends"
        else:
            doing = "it made %d draws and wrote no outcome: flush each line, or give a longer timeout" % self._draws
        return Stopped("no end within %g s: %s%s" % (timeout, doing, self.errors()))

    def _ended(self, code: int) -> bytes:
        if code:
            how = "exit code %d" % code if code > 0 else "signal %d" % -code
            raise Failed(how, bytes(self._read[self._stderr]).decode("utf-8", "replace"))
        if self._read[self._asks]:
            raise Stopped("its draw %d has no line feed: end each line with one" % (self._draws + 1))
        return bytes(self._read[self._stdout])

    def errors(self) -> str:
        """The last line of standard error, in brackets."""
        words = last_line(bytes(self._read[self._stderr]).decode("utf-8", "replace"))
        return " (standard error: %s)" % words if words else ""


def last_line(text: str) -> str:
    """The last line of a text that has words, without what cannot be printed."""
    lines: List[str] = [line for line in map(printable, text.splitlines()) if line.strip()]
    return lines[-1].strip() if lines else ""


def printable(text: str, most: int = 200) -> str:
    """A text of a program for one line of a trace."""
    if len(text) <= most and text.isprintable():
        return text
    found = "".join(one if one.isprintable() else " " if one == "\t" else "?" for one in text[: most + 1])
    return found if len(found) <= most else found[: most - 1] + "…"
