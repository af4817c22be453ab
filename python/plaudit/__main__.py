"""The program: `plaudit`, and `python -m plaudit`."""

import sys
from typing import NoReturn


def main() -> NoReturn:
    # Ctrl-C is the program's own affair.
    import signal

    from . import _native

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.main(["plaudit"] + sys.argv[1:]))


if __name__ == "__main__":
    main()
