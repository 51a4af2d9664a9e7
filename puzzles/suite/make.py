"""Makes the boards of the suite, byte for byte: `python puzzles/suite/make.py [FOLDER]`.

It needs the Python package in `python`. The boards come from `getaway generate`, and each one names the command that
made it.
"""

import re
import subprocess
import sys
from pathlib import Path

COUNTS = {"train": (6, 1), "test": (3, 1001)}
"""The number of boards of a level in each part, and the first seed."""

LEVELS = {
    "jimmy": {
        "easy": "--rows 7 --cols 7 --difficulty 0..2 --min-moves 3",
        "medium": "--rows 9 --cols 9 --difficulty 3..5 --min-moves 5",
        "hard": "--rows 11 --cols 11 --difficulty 6..20 --min-moves 8",
    },
    "baddies": {
        "easy": "--rows 6 --cols 8 --monsters 1 --super-monsters 0..1 --bats 0..1 --abyss 2..4 --difficulty 0..3",
        "medium": "--rows 7 --cols 10 --monsters 1..2 --super-monsters 1 --bats 1 --abyss 4..8 --difficulty 4..8",
        "hard": "--rows 8 --cols 12 --monsters 2..3 --super-monsters 1..2 --bats 1..2 --abyss 6..12 --difficulty 8..40",
    },
    "maze": {
        "easy": "--rows 5 --cols 5 --walls 0 --food 2",
        "medium": "--rows 4 --cols 5 --walls 1 --food 1",
        "hard": "--rows 4 --cols 5 --walls 2 --food 1",
    },
    "dungeon": {
        "easy": "--rooms 1 --ghosts 1 --zombies 0..1 --probability 0.9..1 --max-states 10000",
        "medium": "--rooms 1 --ghosts 1 --zombies 1..2 --probability 0.5..0.9 --max-states 10000",
        "hard": "--rooms 2 --ghosts 1 --zombies 1 --probability 0.1..0.5 --max-states 10000",
    },
    "theseus": {
        "easy": "--rows 4 --cols 4 --difficulty 0..4",
        "medium": "--rows 6 --cols 6 --difficulty 5..9",
        "hard": "--rows 8 --cols 8 --difficulty 10..60",
    },
}


def files():
    """The name and the command of each file of boards."""
    for ruleset, levels in LEVELS.items():
        for level, criteria in levels.items():
            for part, (count, seed) in COUNTS.items():
                # Without a limit on time, the boards depend on the seed alone.
                options = f"{criteria} --count {count} --seed {seed} --timeout 3600"
                yield f"{ruleset}-{level}-{part}.txt", ["generate", ruleset, *options.split()]


def boards(command):
    """The boards that a command makes, each of which expects its optimum."""
    run = subprocess.run([sys.executable, "-P", "-m", "getaway", *command], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return re.sub("(; expect: )escape\n; probability of escape: (.*\n)", r"\1\2", run.stdout)


def make(folder):
    for name, command in files():
        (folder / name).write_text(boards(command))
        print(name)


if __name__ == "__main__":
    make(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parent)
