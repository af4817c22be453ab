"""Runs a program that serves, as plaudit does: bytes in, bytes out."""

import json
import os
import subprocess
import sys
import tempfile

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def request(runs=1, dataset=None, seed=7, form="json", number=1):
    return {"plaudit": 1, "id": number, "dataset": dataset, "runs": runs, "seed": seed, "format": form}


def asking(ask, dataset=None, number=1):
    return dict(request(1, dataset, number=number), ask=ask)


def start(program, **options):
    environment = dict(os.environ, PLAUDIT="1", PYTHONPATH=PACKAGE)
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as script:
        script.write("from plaudit import serve\n" + program)
    return subprocess.Popen(
        [sys.executable, script.name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        **options,
    )


def run(program, *requests):
    """Standard output and standard error (bytes) and the exit code for these requests."""
    lines = "".join(r if isinstance(r, str) else json.dumps(r) + "\n" for r in requests)
    child = start(program)
    out, err = child.communicate(lines.encode(), timeout=60)
    return out, err, child.returncode


def outcomes(program, *requests):
    """The outcomes as JSON values; the program must end well."""
    out, err, code = run(program, *requests)
    assert code == 0, (code, err)
    assert out == b"" or out.endswith(b"\n"), out[-100:]
    return [json.loads(line) for line in out.decode("ascii").splitlines()]


def arrays(data):
    """The NPY arrays of version 1.0 in these bytes, as (descr, shape, data), read by hand."""
    found = []
    sizes = {"f8": 8, "f4": 4, "i8": 8, "i4": 4, "u1": 1, "b1": 1}
    while data:
        assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
        length = int.from_bytes(data[8:10], "little")
        assert (10 + length) % 64 == 0
        header = eval(data[10 : 10 + length], {})
        assert header["fortran_order"] is False
        size = sizes[header["descr"][1:]]
        for n in header["shape"]:
            size *= n
        body = data[10 + length : 10 + length + size]
        assert len(body) == size, "truncated"
        found.append((header["descr"], header["shape"], body))
        data = data[10 + length + size :]
    return found
