"""Audits whose trials are dealt out to the tasks of Ray.

    python -m plaudit.ray audits --shards 16 --out reports -- --trials 1e9

Each task runs the program, `plaudit audit --shard K/N`, and hands back the file that it wrote; `plaudit merge` makes
one report of them, the same as that of one machine but for provenance and times. Needs Ray
(`pip install ray`).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

# What a task hands back: the exit code, the bytes of the shard's file, and what was said on standard error.
Played = Tuple[int, bytes, str]
# Seconds after which a task that was interrupted is ended by force.
_LOST = 5.0
# The file of what was frozen.
_FROZEN = "frozen.json"


def audit(
    specs: Union[str, Sequence[str]],
    *,
    shards: int,
    out: str,
    arguments: Sequence[str] = (),
    program: str = "plaudit",
    retries: int = 3,
    cpus: int = 1,
    frozen: bool = False,
    progress: Optional[Callable[[int, int], None]] = None,
) -> int:
    """Audits specs in so many shards, each a task of Ray, and writes one report.

    Returns the exit code of `plaudit merge`: 0 if every verdict is as expected, 1 if one is not, 3 if a claim could not
    be tested.

    * `specs`: spec files, or folders of them. They are not shipped: tasks read them, and what they name, from this
      working directory, under the same paths, so all nodes must see it. If Ray's runtime environment has a
      `working_dir`, tasks read them there.
    * `out`: folder of the report. The files of the shards, and of the frozen witnesses, are written to its folder
      `shards`.
    * `arguments`: more arguments of `plaudit audit`, the same for all shards, such as `["--trials", "1e9"]`.
    * `program`: a path, or a name that each node looks up on its PATH and beside its Python.
    * `retries`: how often a shard is played again whose worker, node or program was killed.
    * `cpus`: processors, and threads, of each task.
    * `frozen`: explore once, in a task before the shards, which read what it froze (`plaudit audit --explore-only`).
    * `progress`: a function of the shards that are there and of all.

    Uses the cluster of `ray.init()`, unless Ray runs already. Raises ImportError without Ray, ValueError for numbers
    that make no sense, and RuntimeError, in one line, if a shard or the merge fails; then the tasks that still run are
    cancelled.
    """
    for name, number, least in (("shards", shards, 1), ("retries", retries, 0), ("cpus", cpus, 1)):
        if not isinstance(number, int) or number < least:
            raise ValueError("%s is a whole number from %d up, and not %r" % (name, least, number))
    paths = [specs] if isinstance(specs, str) else list(specs)
    if not paths:
        raise ValueError("name a spec file, or a folder of them")
    try:
        import ray
    except ImportError:
        raise ImportError("plaudit.ray needs Ray: pip install ray") from None
    own = not ray.is_initialized()
    if own:
        ray.init(log_to_driver=False)
    if os.path.dirname(program):
        program = os.path.abspath(program)
    try:
        asked = [*arguments, "--jobs", str(cpus), "--no-progress"]
        played = _play(ray, (paths, asked, program), (shards, retries, cpus), frozen, progress)
    finally:
        if own:
            ray.shutdown()
    return _merge(*played, program, out, "--no-provenance" in arguments)


def _play(
    ray: Any,
    what: Tuple[List[str], List[str], str],
    how: Tuple[int, int, int],
    frozen: bool,
    progress: Optional[Callable[[int, int], None]],
) -> Tuple[Optional[bytes], List[bytes]]:
    """The bytes of the file of what was frozen, if it is asked for, and of the files of all shards, in order."""
    paths, asked, program = what
    shards, retries, cpus = how
    shipped = "working_dir" in ray.get_runtime_context().runtime_env
    folder = None if shipped else os.getcwd()
    settings = {name: value for name, value in os.environ.items() if name.startswith("PLAUDIT_")}
    task = ray.remote(num_cpus=cpus, max_retries=retries, retry_exceptions=[ChildProcessError])(_task())
    # The specs come last: they may begin with a dash.
    last = [*asked, "--", *paths]
    waiting: List[Any] = []

    def ended(names: Dict[Any, str]) -> Iterator[Tuple[Any, bytes]]:
        waiting[:] = names
        while waiting:
            (done, *_), waiting[:] = ray.wait(waiting, num_returns=1)
            try:
                code, file, said = ray.get(done)
            except ray.exceptions.RayError as error:
                cause = getattr(error, "cause", None) or error
                why = str(cause).strip().split("\n")[0] or type(error).__name__
                raise RuntimeError("%s was given up: %s" % (names[done], why)) from None
            if code != 0:
                raise RuntimeError("%s: %s" % (names[done], _line(said, code)))
            yield done, file

    known = None
    files: Dict[int, bytes] = {}
    try:
        if frozen:
            first = task.remote(program, last, _FROZEN, folder, settings, None)
            ((_, known),) = ended({first: "explore"})
        numbers: Dict[Any, int] = {}
        for number in range(1, shards + 1):
            arguments = ["--shard", "%d/%d" % (number, shards), *last]
            name = "shard-%d-of-%d.json" % (number, shards)
            numbers[task.remote(program, arguments, name, folder, settings, known)] = number
        for done, file in ended({done: "shard %d of %d" % (number, shards) for done, number in numbers.items()}):
            files[numbers[done]] = file
            if progress is not None:
                progress(len(files), shards)
    finally:
        # Not by force: a task that is interrupted ends its program. By force if an interrupt was lost: the program dies
        # with its worker.
        late = list(waiting)
        for left in late:
            ray.cancel(left, force=False)
        if late:
            _, late = ray.wait(late, num_returns=len(late), timeout=_LOST)
        for left in late:
            ray.cancel(left, force=True)
    return known, [files[number] for number in sorted(files)]


def _task() -> Callable[..., Played]:
    """What Ray runs. A function in a function goes to the workers as its code: they need no plaudit package."""

    def shard(
        program: str,
        arguments: List[str],
        name: str,
        folder: Optional[str],
        settings: Dict[str, str],
        known: Optional[bytes],
    ) -> Played:
        import os
        import platform
        import shutil
        import signal
        import subprocess
        import sys
        import tempfile
        import time

        beside = os.path.dirname(sys.executable)
        found = shutil.which(program, path=os.environ.get("PATH", os.defpath) + os.pathsep + beside)
        if found is None:
            return 2, b"", "error: %s: there is no such program on %s" % (program, platform.node())
        if folder is not None and not os.path.isdir(folder):
            return 2, b"", "error: %s: there is no such folder on %s" % (folder, platform.node())
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PLAUDIT_")}
        environment.update(settings, NO_COLOR="1")
        before: List[str] = []
        if sys.platform == "linux":
            # The program dies with its worker (1: PR_SET_PDEATHSIG).
            code = (
                "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, %d); "
                "os.getppid() == %d and os.execv(sys.argv[1], sys.argv[1:])" % (signal.SIGKILL, os.getpid())
            )
            before = [sys.executable, "-I", "-c", code]
        with tempfile.TemporaryDirectory(prefix="plaudit-") as out, tempfile.TemporaryFile() as errors:
            frozen = os.path.join(out, "frozen.json")
            more: List[str] = []
            if known is not None:
                with open(frozen, "wb") as file:
                    file.write(known)
                more = ["--frozen", frozen]
            elif name == "frozen.json":
                more = ["--explore-only", frozen]
            child = subprocess.Popen(
                [*before, found, "audit", "--out", out, *more, *arguments],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
            try:
                # Ray interrupts a task between two steps of Python, and no wait.
                while child.poll() is None:
                    time.sleep(0.02)
            finally:
                child.kill()
                child.wait()
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace")
            # By a signal, or by plaudit when it got one.
            if child.returncode < 0 or child.returncode in (130, 143):
                raise ChildProcessError("the program was ended by a signal (%d)" % child.returncode)
            if child.returncode != 0:
                return child.returncode, b"", said
            with open(os.path.join(out, name), "rb") as file:
                return 0, file.read(), said

    return shard


def _merge(known: Optional[bytes], files: List[bytes], program: str, out: str, no_provenance: bool) -> int:
    folder = os.path.join(out, "shards")
    os.makedirs(folder, exist_ok=True)
    paths = []
    more = ["--no-provenance"] if no_provenance else []
    if known is not None:
        more += ["--frozen", os.path.join(folder, _FROZEN)]
        with open(more[-1], "wb") as file:
            file.write(known)
    for number, data in enumerate(files, 1):
        paths.append(os.path.join(folder, "shard-%d-of-%d.json" % (number, len(files))))
        with open(paths[-1], "wb") as file:
            file.write(data)
    beside = os.environ.get("PATH", os.defpath) + os.pathsep + os.path.dirname(sys.executable)
    found = shutil.which(program, path=beside)
    if found is None:
        raise RuntimeError("%s: there is no such program here" % program)
    ended = subprocess.run([found, "merge", "--out", out, *more, "--", *paths], stderr=subprocess.PIPE)
    said = ended.stderr.decode("utf-8", "replace")
    if ended.returncode not in (0, 1, 3):
        raise RuntimeError("merge: %s" % _line(said, ended.returncode))
    sys.stderr.write(said)
    return ended.returncode


def _line(said: str, code: int) -> str:
    """What plaudit said, in one line: its first message, and the place in the spec."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if not lines:
        return "plaudit ended with exit code %d and said nothing" % code
    first = next((at for at, line in enumerate(lines) if line.startswith("error: ")), 0)
    words = lines[first][len("error: ") :] if lines[first].startswith("error: ") else lines[first]
    place = lines[first + 1] if first + 1 < len(lines) else ""
    return "%s (%s)" % (words, place[len("--> ") :]) if place.startswith("--> ") else words


def main(words: Optional[Sequence[str]] = None) -> int:
    given = list(sys.argv[1:] if words is None else words)
    at = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(
        prog="python -m plaudit.ray",
        usage="%(prog)s SPEC… --shards N --out DIR [--program FILE] [--retries R] [--cpus C]\n"
        "       [--frozen] [-- ARGUMENTS]",
        description="Audits specs in shards, each a task of Ray, and writes one report.",
        epilog="What follows -- are arguments of `plaudit audit`, such as --trials 1e9. The exit code is that of "
        "`plaudit merge`, and 2 if a shard fails.",
    )
    parser.add_argument("specs", nargs="+", metavar="SPEC", help="spec file (TOML), or a folder of them")
    parser.add_argument("--shards", type=int, required=True, metavar="N", help="how many shards")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder of the report")
    parser.add_argument("--program", default="plaudit", metavar="FILE", help="plaudit, where it is not on the PATH")
    parser.add_argument("--retries", type=int, default=3, metavar="R", help="tries more of a shard that was killed [3]")
    parser.add_argument("--cpus", type=int, default=1, metavar="C", help="processors of a shard [1]")
    parser.add_argument("--frozen", action="store_true", help="explore once, in a task before the shards")
    asked = parser.parse_args(given[:at])
    try:
        return audit(
            asked.specs,
            shards=asked.shards,
            out=asked.out,
            arguments=given[at + 1 :],
            program=asked.program,
            retries=asked.retries,
            cpus=asked.cpus,
            frozen=asked.frozen,
            progress=lambda done, of: print("%d of %d shards" % (done, of), file=sys.stderr, flush=True),
        )
    except (ImportError, ValueError, OSError, RuntimeError) as error:
        print("error: %s" % error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
