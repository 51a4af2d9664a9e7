#!/usr/bin/env python3
"""Measures the processor time per turn that `getaway simulate` takes as the referee, without the agent's own.

    cargo build --release && benches/agents.py [GAMES]

Plays 10,000 games on a standard `baddies` board with a runner in Python that takes the first legal move. Each runner process records
its own time; the rest is the referee's. Exits with 1 if the referee takes more than 50 microseconds per turn.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

PROGRAM = os.environ.get("GETAWAY", "target/release/getaway")
BOARD = "puzzles/baddies/01-the-standard-board.txt"
LIMIT = 50e-6


def used(usage):
    return usage.ru_utime + usage.ru_stime


def play(folder):
    """The runner: takes the first legal move."""
    for line in sys.stdin:
        begin = line.find('"legal":[')
        if begin >= 0:
            print('{"move":' + line[begin + 9 : line.index('"', begin + 10) + 1] + "}", flush=True)
        elif '"hello"' in line:
            print('{"protocol":1}', flush=True)
    own = used(resource.getrusage(resource.RUSAGE_SELF))
    pathlib.Path(folder, str(os.getpid())).write_text(str(own))


def measure(games):
    with tempfile.TemporaryDirectory() as folder:
        runner = f"{sys.executable} {__file__} --play {folder}"
        args = ["simulate", "--json", "--seed", "1", "--runs", str(games), "--runner", runner, BOARD]
        done = subprocess.run([PROGRAM, *args], stdout=subprocess.PIPE, check=True)
        whole = used(resource.getrusage(resource.RUSAGE_CHILDREN))
        own = sum(float(file.read_text()) for file in pathlib.Path(folder).iterdir())
    turns = json.loads(done.stdout)["turns"]["mean"] * games
    return turns, whole, own


def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    turns, whole, own = measure(games)
    cost = (whole - own) / turns
    print(f"{games} games, {turns:.0f} turns: {whole:.2f} s, of which the agent took {own:.2f} s")
    print(f"referee: {cost * 1e6:.1f} microseconds a turn")
    sys.exit(cost > LIMIT)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--play"]:
        play(sys.argv[2])
    else:
        main()
