#!/usr/bin/env python3
"""Solves random dungeons that converge slowly, and prints the slowest: `benches/slow.py PROGRAM [LEVELS]`.

The player can wait in a long corridor at almost no risk, with a ghost behind a door and a zombie near the exit. Each
level must be decided within 40 seconds. The levels are always the same.
"""

import json
import random
import subprocess
import sys


def level(rng):
    """Returns a level with a corridor between a ghost's cell and a room with the exit."""
    length, width, height = rng.randint(10, 28), rng.randint(1, 3), rng.randint(1, 3)
    cells = [(row, col) for row in range(height) for col in range(width)]
    rng.shuffle(cells)
    room = [["."] * width for _ in range(height)]
    for glyph, (row, col) in zip(rng.choice(["E", "EZ", "EZ"]), cells):
        room[row][col] = glyph
    corridor = ["."] * length
    corridor[rng.randrange(length)] = "P"
    walls = "X" * length
    lefts = [f"|GD{''.join(corridor)}D", f"---{walls}|"] + [f"XXX{walls}|"] * height
    rows = [f"{left}{''.join(row)}|" for left, row in zip(lefts, room)]
    bar = "-" * (width + 2)
    rows = [f"---{walls}{bar}", *rows, f"{'---' if height == 1 else 'XXX'}{walls}{bar}"]
    return {
        "ruleset": "dungeon",
        "drawing": "compact",
        "strategy": "cooldown",
        "rows": rows,
        "radius": rng.choice([0, 0, 1, 2, 3]),
        "cooldown": rng.choice([5, 15, 30, 60]),
    }


def main():
    program, count = sys.argv[1], int((sys.argv[2:] or ["100"])[0])
    rng = random.Random(7)
    answers = []
    for _ in range(count):
        drawn = level(rng)
        run = subprocess.run(
            [program, "check", "--json", "--timeout", "40", "-"],
            input=json.dumps(drawn),
            capture_output=True,
            text=True,
        )
        answers.append((json.loads(run.stdout), drawn))
    answers.sort(key=lambda pair: -pair[0]["micros"])
    undecided = sum("limit" in answer for answer, _ in answers)
    print(f"{count} levels, {undecided} undecided; the slowest:")
    for answer, drawn in answers[:3]:
        seconds = answer["micros"] / 1e6
        print(f"\n{seconds:.2f} s, {answer['states']} states, {answer['bounds']}")
        print(*drawn["rows"], f"radius {drawn['radius']}, cooldown {drawn['cooldown']}", sep="\n")
    sys.exit(undecided > 0)


main()
