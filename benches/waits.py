#!/usr/bin/env python3
"""Times every command with its defaults on the first board of each file in `puzzles`, the slowest first.

    cargo build --release && benches/waits.py [--limit SECONDS] [--all] [PATH...]

Prints a Markdown table of the runs that take longer than a second (with `--all`, of all). A run that reaches the limit is
interrupted with Ctrl-C. The last column is the progress line shown longest; a run of more than 10 s without one is a fault, and
the exit code is then 1.
"""

import argparse
import collections
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

PROGRAM = os.environ.get("GETAWAY", "target/release/getaway")
PATIENCE = 10
COMMANDS = {
    "solve": ["solve", "BOARD"],
    "solve --shortest": ["solve", "--shortest", "BOARD"],
    "solve --explain": ["solve", "--explain", "BOARD"],
    "solve --certificate": ["solve", "--certificate", "OUT", "BOARD"],
    "check": ["check", "BOARD"],
    "trace": ["trace", "BOARD"],
    "render (page)": ["render", "-o", "OUT.html", "BOARD"],
    "render (gif)": ["render", "-o", "OUT.gif", "BOARD"],
    "render (svg)": ["render", "-o", "OUT.svg", "BOARD"],
    "analyse": ["analyse", "BOARD"],
    "rate": ["rate", "BOARD"],
    "mutate": ["mutate", "BOARD"],
    "simulate": ["simulate", "BOARD"],
    "compare": ["compare", "--runner", "random", "--runner", "greedy", "BOARD"],
    "bench": ["bench", "BOARD"],
    "convert": ["convert", "BOARD", "-"],
    "play": ["play", "BOARD"],
    "agent talk": ["agent", "talk", "python3 AGENT", "BOARD"],
}


def run(arguments, limit, keys):
    """Returns the seconds that a command takes in a terminal, and the progress line shown longest. `keys` are typed
    after the first output."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    environment = dict(os.environ, TERM="xterm-256color")
    out = theirs if keys else subprocess.DEVNULL
    start = time.perf_counter()
    process = subprocess.Popen(arguments, stdin=theirs, stdout=out, stderr=theirs, env=environment)
    os.close(theirs)
    shown, line, seconds = collections.Counter(), "", None
    last = start
    while True:
        ready = select.select([ours], [], [], 0.1)[0]
        now = time.perf_counter()
        shown[line] += now - last
        last = now
        if ready:
            try:
                text = os.read(ours, 1 << 16)
            except OSError:
                break
            # Before its first output, the program does not read single keys.
            if keys:
                keys = os.write(ours, keys) and b""
            lines = [plain(part) for part in re.split(rb"[\r\n]", text)]
            line = next((part for part in reversed(lines) if part), line)
        if seconds is None and now - start > limit:
            seconds = now - start
            process.send_signal(signal.SIGINT)
        if now - start > limit + 10:
            process.kill()
    process.wait()
    os.close(ours)
    words = [(time, re.sub(r"^\W+", "", line)) for line, time in shown.items() if line]
    return seconds or time.perf_counter() - start, max(words, default=(0, ""))[1]


def plain(text):
    return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", text).decode("utf-8", "replace").strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=30, help="seconds for a run")
    parser.add_argument("--all", action="store_true", help="show fast runs as well")
    parser.add_argument("paths", nargs="*", type=Path)
    options = parser.parse_args()
    boards = sorted(path for path in options.paths or Path("puzzles").glob("*/[0-9]*.*") if path.suffix != ".csv")
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        agent = os.path.join(folder, "agent.py")
        subprocess.run([PROGRAM, "agent", "new", "python", "-o", agent], check=True, stdout=subprocess.DEVNULL)
        tasks = [(name, board) for board in boards for name in COMMANDS]
        tasks += [("census", rules) for rules in ("jimmy", "baddies")]
        for name, board in tasks:
            template = COMMANDS.get(name, ["census", "BOARD"])
            names = {"BOARD": str(board) if name == "census" else f"{board}#1", "OUT": folder + "/out", "AGENT": agent}
            command = [re.sub("BOARD|OUT|AGENT", lambda found: names[found[0]], part) for part in template]
            seconds, line = run([PROGRAM, *command], options.limit, b"\x03" if name == "play" else b"")
            runs.append((seconds, name, str(board), line))
            print(f"{seconds:7.2f}  {name}  {board}", file=sys.stderr, flush=True)
    runs.sort(reverse=True)
    print("| seconds | command | board | shown |\n| --- | --- | --- | --- |")
    for seconds, name, board, line in runs:
        if options.all or seconds > 1:
            bound = "over " if seconds > options.limit else ""
            print(f"| {bound}{min(seconds, options.limit):.1f} | {name} | {board} | {line.replace('|', '/')} |")
    silent = [run for run in runs if run[0] > PATIENCE and not run[3]]
    print(f"\n{len(runs)} runs, {sum(run[0] <= PATIENCE for run in runs)} within {PATIENCE} s, {len(silent)} silent for longer")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
