"""The auditors, and their processes: each runs in its own environment, one process for many audits."""

import json
import os
import selectors
import subprocess
import time
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENTS = os.environ.get("BENCHMARK_ENVIRONMENTS", os.path.join(os.path.dirname(HERE), "target", "benchmark"))


@dataclass(frozen=True)
class Auditor:
    """The runner `auditors/RUNNER.py`, in the environment `target/benchmark/ENVIRONMENT`."""

    runner: str
    environment: str
    package: str
    variables: dict = field(default_factory=dict)


ALL = {
    "plaudit": Auditor("plaudit", "plaudit", "plaudit"),
    "statdp": Auditor("statdp", "statdp", "statdp"),
    "dp-sniper": Auditor("dp-sniper", "dp-sniper", "dpsniper"),
    "dp-sniper-c0.1": Auditor("dp-sniper", "dp-sniper", "dpsniper", {"DP_SNIPER_C": "0.1"}),
    "privacy-estimates": Auditor("privacy-estimates", "privacy-estimates", "privacy-estimates"),
    "dp-recorder": Auditor("dp-recorder", "dp-recorder", "dp-recorder"),
    "dp-auditorium": Auditor("dp-auditorium", "dp-auditorium", "dp-auditorium"),
}

# The first audit of a process also imports, and compiles.
START = 60.0


def python(auditor):
    """The interpreter of an auditor, or None if it is not installed."""
    path = os.path.join(ENVIRONMENTS, ALL[auditor].environment, "bin", "python")
    return path if os.path.exists(path) else None


def version(auditor):
    """The package's version, with the commit that install.sh pinned; None if it is not installed."""
    path = python(auditor)
    if path is None:
        return None
    if auditor == "plaudit":
        command = [os.environ.get("PLAUDIT", "plaudit"), "--version"]
    else:
        code = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"
        command = [path, "-c", code, ALL[auditor].package]
    found = subprocess.run(command, capture_output=True, text=True).stdout.replace("plaudit", "").strip() or "unknown"
    try:
        with open(os.path.join(ENVIRONMENTS, ALL[auditor].environment, "COMMIT")) as file:
            return "%s (%s)" % (found, file.read().strip()[:8])
    except FileNotFoundError:
        return found


def start(auditor, interpreter, mechanism_names, seeds, runs):
    peer = ALL[auditor]
    command = [interpreter, os.path.join(HERE, "auditors", peer.runner + ".py"), "--runs", str(runs),
               "--seeds", "%d:%d" % (seeds[0], seeds[-1] + 1), *mechanism_names]
    environment = {**os.environ, **peer.variables}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)


def run(auditor, interpreter, mechanism_names, seeds, runs, limit, done=()):
    """Yields a result for each mechanism and seed that is not done. An audit that exceeds `limit` seconds, or ends the
    process, gets a note; the process is started again for the others."""
    left = [(name, seed) for seed in seeds for name in mechanism_names if (name, seed) not in done]
    while left:
        names, batch = next_batch(left)
        for row in until_stopped(start(auditor, interpreter, names, batch, runs), len(names) * len(batch), limit):
            if row["mechanism"] is None:
                row.update(mechanism=left[0][0], seed=left[0][1], budget=runs)
            left.remove((row["mechanism"], row["seed"]))
            yield row


def next_batch(left):
    """Mechanisms and successive seeds of one process: all seeds of one mechanism, or all mechanisms of one seed."""
    name, seed = left[0]
    if any(other != name for other, _ in left):
        return [other for other, same in left if same == seed], [seed]
    batch = [seed]
    while (name, batch[-1] + 1) in left:
        batch.append(batch[-1] + 1)
    return [name], batch


def until_stopped(process, expected, limit):
    """Results of one process; the last one has no mechanism if the process was too slow, or ended early."""
    ready = selectors.DefaultSelector()
    ready.register(process.stdout, selectors.EVENT_READ, "result")
    ready.register(process.stderr, selectors.EVENT_READ, "message")
    begun, extra, seen, message, rest = time.monotonic(), START, 0, b"", b""
    while seen < expected:
        left = begun + limit + extra - time.monotonic()
        events = ready.select(left) if left > 0 else []
        if not events:
            process.kill()
            yield {"mechanism": None, "note": "> %g s" % limit, "seconds": limit, "runs": None}
            break
        for key, _ in events:
            chunk = os.read(key.fd, 65536)
            if not chunk:
                ready.unregister(key.fileobj)
            elif key.data == "message":
                message = (message + chunk)[-500:]
            else:
                rest += chunk
        *lines, rest = rest.split(b"\n")
        for line in lines:
            row = json.loads(line)
            if row["seconds"] > limit:
                row.pop("epsilon", None)
                row["note"] = "> %g s" % limit
            yield row
            seen, begun, extra = seen + 1, time.monotonic(), 0.0
        if not ready.get_map() and seen < expected:
            text = message.decode(errors="replace").strip().splitlines()
            yield {"mechanism": None, "note": "failed: " + (text[-1] if text else "it ended early"),
                   "seconds": round(time.monotonic() - begun, 2), "runs": None}
            break
    process.wait()
    process.stdout.close()
    process.stderr.close()
