"""The command `getaway`, the same program as the one written in Rust."""

import signal
import sys

from ._core import run


def main() -> int:
    """Runs the program with the arguments of this process."""
    # The program has handlers of its own; Python's would wait for the program to end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["getaway", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
