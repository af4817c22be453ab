"""The program: `plaudit`, and `python -m plaudit`."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    import signal

    if sys.argv[1:2] == ["check"]:
        from ._check_command import run

        sys.exit(run(sys.argv[2:]))
    if sys.argv[1:2] in (["trace"], ["serve"]):
        from . import _trace_command

        sys.exit((_trace_command.run if sys.argv[1] == "trace" else _trace_command.serve)(sys.argv[2:]))

    # Ctrl-C is the program's own affair.

    from . import _native

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.main(["plaudit"] + sys.argv[1:]))


if __name__ == "__main__":
    main()
