"""Runs the command `getaway`, the same program as in Rust."""

import signal
import sys

from ._core import run


def main() -> int:
    """Runs the program with the arguments of this process."""
    # The program has its own handlers; Python's handler would act only after the program ends.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["getaway", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
