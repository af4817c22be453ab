"""Published libraries as programs for plaudit.

    serve.py LIBRARY ROW             the row as it is
    serve.py LIBRARY ROW --mutant    the row with its mistake
    serve.py LIBRARY --claims        the claims of all rows, and the library's version, as JSON
    serve.py LIBRARY --check         a few runs of each row and mutant

Libraries draw their noise from their default source, mostly the system's entropy: the same seed gives other outcomes.
"""

import importlib.metadata
import json
import os
import sys
import warnings

# Small fits: more threads would only wait for each other. numpy reads it when imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# With RUST_BACKTRACE=1, a refusal of opendp takes a quarter of a second: for a trace of its calls.
os.environ.setdefault("RUST_LIB_BACKTRACE", "0")
warnings.simplefilter("ignore")

import table  # noqa: E402


def claims(library):
    """Claims by row, or the error of a row that cannot be made here."""
    module, rows = table.load(library)
    made, errors = {}, {}
    for name, row in rows.items():
        try:
            claim = row.served().claim
            made[name] = claim() if callable(claim) else claim
        except Exception as exception:
            errors[name] = "%s: %s" % (type(exception).__name__, exception)
    try:
        version = importlib.metadata.version(module.DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        version = None
    return {"version": version, "claims": made, "errors": errors}


def sample(row):
    """A dataset of the row's first pair."""
    first = row.pairs[0]
    return [1.0] * first["size"] if isinstance(first, dict) else first[0]


def outcomes(row, mutant, runs):
    how = row.served(mutant).how
    if "batch" in how:
        return list(how["batch"](sample(row), runs, 1))
    return [how["function"](sample(row)) for _ in range(runs)]


def check(library):
    """Runs each row and mutant, and returns the number of those that fail."""
    _, rows = table.load(library)
    failed = 0
    for name, row in rows.items():
        for mutant in [False] + [True] * (row.wrong is not None):
            shown = "%s-%s%s" % (library.strip("_"), name, "-mutant" * mutant)
            try:
                print("%-48s %s" % (shown, outcomes(row, mutant, 3)[0]))
            except Exception as exception:
                failed += 1
                print("%-48s FAILS: %s: %s" % (shown, type(exception).__name__, exception))
    return failed


def serve(library, name, mutant):
    from plaudit import serve

    _, rows = table.load(library)
    if name not in rows:
        sys.exit("serve.py: %s has no row %s; use one of\n  %s" % (library, name, "\n  ".join(rows)))
    serve(**rows[name].served(mutant).how)


def main():
    arguments = sys.argv[1:]
    if len(arguments) not in (2, 3) or arguments[0] not in table.libraries() or arguments[2:] not in ([], ["--mutant"]):
        sys.exit("%s\nlibraries: %s" % (__doc__.strip(), " ".join(table.libraries())))
    library, name = arguments[:2]
    if name == "--claims":
        print(json.dumps(claims(library)))
    elif name == "--check":
        sys.exit(1 if check(library) else 0)
    else:
        serve(library, name, len(arguments) == 3)


if __name__ == "__main__":
    main()
