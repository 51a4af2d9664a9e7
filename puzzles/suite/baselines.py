"""Plays the test boards with simple agents: `python puzzles/suite/baselines.py` prints the table in README.md.

A figure is the mean over a level's boards of the share of games won, divided by the optimum.
"""

import json
import subprocess
import sys
from pathlib import Path
from statistics import mean

FOLDER = Path(__file__).parent
sys.path.append(str(FOLDER.parents[1] / "python" / "examples"))

from make import files  # noqa: E402
from q_learning import boards, rate  # noqa: E402

GAMES = 200
TURNS = 100


def share(board, runner):
    """The share of games that an agent of the program wins."""
    args = ["--runner", runner, "--runs", str(GAMES), "--turns", str(TURNS), "--seed", "1", "--json"]
    command = [sys.executable, "-P", "-m", "getaway", "simulate", *args, "-"]
    run = subprocess.run(command, input=board, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["escaped"] / GAMES


def main():
    print("| level | random | greedy | Q-learning |")
    print("| --- | --- | --- | --- |")
    for path in (FOLDER / name for name, _ in files() if "-test" in name):
        rows = []
        for board in boards(path):
            learned, optimum = rate(board)
            shares = [share(board, "random"), share(board, "greedy"), learned]
            rows.append([won / optimum for won in shares])
        name = path.stem.removesuffix("-test").replace("-", ", ")
        print("| {} | {:.2f} | {:.2f} | {:.2f} |".format(name, *map(mean, zip(*rows))), flush=True)


if __name__ == "__main__":
    main()
