#!/usr/bin/env python3
"""Tests `--timeout` and `--max-memory` in all commands that have them, on boards of all rulesets with 1 to 4,000,000 cells.

    tests/limits.py target/release/getaway
    tests/limits.py target/release/getaway --commands mutate,render-html --rulesets baddies --sides 100,600

Prints the longest overrun of the time and the largest share of the memory for each command and ruleset. Lists each run that exceeds
`--timeout` by more than a second, or uses more than 1.5 times `--max-memory` plus 60 MB, and then exits with 1. Takes about an
hour on an idle machine; on a busy one, runs exceed the time.
"""

import argparse
import multiprocessing
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

TRIES = 3
KILLED_AFTER = 20
MB = 10**6
SLACK = 60 * MB
# Seconds, and bytes or None.
LIMITS = [(2, 100 * MB), (1, None)]
FILES = {"html", "svg", "gif", "png"}

COMMANDS = {
    "solve": ["solve", "BOARD"],
    "solve-shortest": ["solve", "--shortest", "BOARD"],
    "solve-explain": ["solve", "--explain", "BOARD"],
    "solve-certificate": ["solve", "--certificate", "OUT.gz", "BOARD"],
    "solve-json": ["solve", "--json", "BOARD"],
    "check": ["check", "BOARD"],
    "check-verify": ["check", "--verify", "BOARD"],
    "trace": ["trace", "BOARD"],
    "trace-json": ["trace", "--json", "BOARD"],
    "simulate": ["simulate", "--seed", "1", "BOARD"],
    "simulate-random": ["simulate", "--seed", "1", "--policy", "random", "--runs", "100000", "BOARD"],
    "simulate-greedy": ["simulate", "--seed", "1", "--policy", "greedy", "BOARD"],
    "simulate-runs": ["simulate", "--seed", "1", "--runs", "1000", "BOARD"],
    "render-html": ["render", "BOARD", "-o", "OUT.html"],
    "render-svg": ["render", "BOARD", "-o", "OUT.svg"],
    "render-gif": ["render", "BOARD", "-o", "OUT.gif"],
    "render-png": ["render", "BOARD", "--turn", "last", "-o", "OUT.png"],
    "render-random": ["render", "BOARD", "--policy", "random", "-o", "OUT.html"],
    "analyse": ["analyse", "BOARD"],
    "rate": ["rate", "BOARD"],
    "mutate": ["mutate", "BOARD"],
    "mutate-flip": ["mutate", "--flip", "BOARD"],
    "generate": ["generate", "RULESET", "--seed", "1", "--rows", "SIDE", "--cols", "SIDE"],
    "census": ["census", "RULESET", "--rows", "SIDE", "--cols", "SIDE"],
    "verify": ["verify", "BOARD", "--moves", "MOVES"],
    "verify-certificate": ["verify", "BOARD", "CERTIFICATE"],
    "compare": ["compare", "--seed", "1", "--runner", "solver", "--runner", "random", "BOARD"],
    "convert": ["convert", "BOARD", "OUT.jsonl"],
}
# The largest sides that these commands accept.
SIDES = {"generate": 200, "census": 5}
MOVES = {"jimmy": "R", "baddies": "d", "maze": "1", "dungeon": "R", "theseus": "R"}


class Sheet:
    """A drawing as rows of cells."""

    def __init__(self, side, glyph):
        self.side = side
        self.rows = [bytearray(glyph * side, "ascii") for _ in range(side)]

    def put(self, row, col, glyph):
        side = self.side
        self.rows[max(0, min(side - 1, row))][max(0, min(side - 1, col))] = ord(glyph)

    def scatter(self, chance, glyph, count):
        for _ in range(count):
            self.put(chance.randrange(self.side), chance.randrange(self.side), glyph)

    def frame(self, glyph):
        for at in range(self.side):
            for row, col in [(0, at), (self.side - 1, at), (at, 0), (at, self.side - 1)]:
                self.put(row, col, glyph)

    def text(self, *headers):
        headers = "".join(f"; {header}\n" for header in headers)
        return headers + "".join(row.decode("ascii") + "\n" for row in self.rows)


def jimmy(side, kind, chance):
    sheet = Sheet(side, ".")
    cells = side * side
    if kind != "open":
        sheet.scatter(chance, "#", cells // 5)
    if kind == "sealed":
        sheet.frame("#")
    sheet.scatter(chance, "g", {"open": 0, "crowd": min(cells // 30, 2000), "sealed": 5}[kind])
    sheet.put(side // 2, side // 2, "o")
    return sheet.text("ruleset: jimmy")


def baddies(side, kind, chance):
    sheet = Sheet(side, ".")
    cells = side * side
    if kind != "open":
        for glyph, share in [("+", 10), ("#", 40)]:
            sheet.scatter(chance, glyph, cells // share)
        for glyph, share in [("m", 50), ("M", 100), ("~", 200)]:
            sheet.scatter(chance, glyph, cells // share if kind == "crowd" else min(cells // 50, 2))
    at = side - 1
    if kind == "sealed":
        for row, col in [(at, at - 1), (at - 1, at), (at - 1, at - 1)]:
            sheet.put(row, col, "+")
        for col in range(side):
            sheet.put(at - 1, col, "+")
    sheet.put(0, 0, "H")
    sheet.put(at, at, "*")
    return sheet.text("ruleset: baddies")


def maze(side, kind, chance):
    sheet = Sheet(side, ".")
    cells = side * side
    if kind != "open":
        used = set("Rr")
        for letter in "ABCDEFGHIJKLMNOPQSTUVWXYZ":
            if kind == "crowd" and letter not in used:
                sheet.put(chance.randrange(side), chance.randrange(side), letter)
    if kind == "crowd":
        sheet.scatter(chance, "*", cells // 100)
    if kind == "sealed":
        for at in range(side):
            sheet.put(at, side // 2, "a" if at else "A")
    sheet.put(side - 1, side - 1, "*")
    sheet.put(0, 0, "R")
    return sheet.text("ruleset: maze")


def dungeon(side, kind, chance):
    # A grid of 7 x 7 rooms, with doors to the corridors between them.
    sheet = Sheet(side, "." if kind == "open" else "X")
    if kind == "open":
        sheet.frame("|")
        for col in range(side):
            sheet.put(0, col, "-")
            sheet.put(side - 1, col, "-")
    else:
        for top in range(0, side - 8, 10):
            for left in range(0, side - 8, 10):
                for row in range(9):
                    for col in range(9):
                        glyph = "-" if row in (0, 8) else "|" if col in (0, 8) else "."
                        sheet.put(top + row, left + col, glyph)
                sheet.put(top + 4, left + 8, "D")
                if left:
                    sheet.put(top + 4, left, "D")
                sheet.put(top + 4, left + 9, ".")
                sheet.put(top + 8, left + 4, "D")
                sheet.put(top + 9, left + 4, ".")
                if top:
                    sheet.put(top, left + 4, "D")
    floors = [(r, c) for r in range(side) for c in range(side) if sheet.rows[r][c] == ord(".")] or [(0, 0)]
    actors = {"open": "E", "crowd": "KE" + "GGZZ" * 10, "sealed": "EGZ"}[kind]
    for glyph in actors:
        sheet.put(*chance.choice(floors), glyph)
    sheet.put(*floors[0], "P")
    ruleset = ["strategy: cooldown", "speed: 2"] if kind == "sealed" else []
    return sheet.text("ruleset: dungeon", "drawing: compact", *ruleset)


def theseus(side, kind, chance):
    wide = 2 * side + 1
    sheet = Sheet(wide, " ")
    for row in range(0, wide, 2):
        for col in range(0, wide, 2):
            sheet.put(row, col, "+")
    if kind != "open":
        for _ in range(side * side // 3):
            row, col = 2 * chance.randrange(side), 2 * chance.randrange(side) + 1
            if chance.random() < 0.5:
                sheet.put(row, col, "-")
            else:
                sheet.put(col, row, "|")
    for at in range(1, wide, 2):
        for end in (0, wide - 1):
            sheet.put(end, at, "-")
            sheet.put(at, end, "|")
    last = wide - 2
    if kind == "sealed":
        sheet.put(last - 1, last, "-")
        sheet.put(last, last - 1, "|")
    sheet.put(side | 1, side | 1, "M")
    sheet.put(last, last, "E")
    sheet.put(1, 1, "T")
    return sheet.text("ruleset: theseus")


RULESETS = {"jimmy": jimmy, "baddies": baddies, "maze": maze, "dungeon": dungeon, "theseus": theseus}
KINDS = ["open", "crowd", "sealed"]


def run(command, folder):
    """Returns the exit code (None if killed), the seconds, and the peak memory in bytes."""
    start = time.monotonic()
    child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    killer = threading.Timer(KILLED_AFTER, child.kill)
    killer.start()
    _, status, usage = os.wait4(child.pid, 0)
    took = time.monotonic() - start
    killer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    # In kilobytes, on Linux.
    return child.returncode, took, usage.ru_maxrss * 1024


class Table:
    """The worst run of each command and ruleset, and all runs that exceed a limit."""

    def __init__(self):
        self.worst = {}
        self.broken = []

    def add(self, place, run_of):
        (status, took, taken), (seconds, memory), command = run_of
        over = took - seconds
        share = (taken - SLACK) / memory if memory else 0
        known = self.worst.get(place, (-9, 0))
        self.worst[place] = (max(known[0], over), max(known[1], share))
        if status in (0, 1, 2, 3) and over <= 1 and share <= 1.5:
            return
        self.broken.append(f"- exit code {status}, {took:.1f} s, {taken // MB} MB: `{' '.join(command)}`")
        print(self.broken[-1], file=sys.stderr, flush=True)

    def text(self, commands, rulesets):
        def cell(place):
            if place not in self.worst:
                return ""
            over, share = self.worst[place]
            mark = "**" if over > 1 or share > 1.5 else ""
            return f"{mark}{over:+.1f} s, {max(share, 0):.1f}{mark}"

        lines = [["command", *rulesets], ["---"] * (1 + len(rulesets))]
        lines += [[command, *(cell((command, ruleset)) for ruleset in rulesets)] for command in commands]
        return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def certificate(program, board, folder):
    """Returns the name of a file with a certificate, which is empty if none is found quickly."""
    made = board.with_suffix(".evidence.gz")
    if not made.exists():
        run([program, "solve", "--timeout", "2", "--max-memory", "1GB", "--certificate", made.name, board.name], folder)
        if not made.exists():
            made.write_bytes(b"")
    return made.name


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    options.add_argument("--seed", type=int, default=1)
    for name, default in [("sides", "1,3,10,40,150,600,2000"), ("commands", ",".join(COMMANDS)),
                          ("rulesets", ",".join(RULESETS)), ("kinds", ",".join(KINDS))]:
        options.add_argument(f"--{name}", type=lambda text: text.split(","), default=default.split(","))
    options = options.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for ruleset in options.rulesets:
            for side in map(int, options.sides):
                for kind in options.kinds:
                    chance = random.Random(f"{options.seed} {ruleset} {side} {kind}")
                    board = folder / f"{ruleset}-{side}-{kind}.txt"
                    # In a separate process: memory of this one would count as the program's.
                    make = RULESETS[ruleset]
                    maker = multiprocessing.Process(target=lambda: board.write_text(make(side, kind, chance)))
                    maker.start()
                    maker.join()
                    for command in options.commands:
                        measure(options.program, (command, ruleset, side, kind), folder, table)
                    board.unlink()
    print(table.text(options.commands, options.rulesets))
    print("Longest time above `--timeout`, largest share of `--max-memory` (after subtracting 60 MB).")
    sys.exit(1 if table.broken else 0)


def measure(program, what, folder, table):
    command, ruleset, side, kind = what
    if "BOARD" not in COMMANDS[command] and kind != "open":
        return
    if command == "census" and ruleset not in ("jimmy", "baddies"):
        return
    board = folder / f"{ruleset}-{side}-{kind}.txt"
    words = {"BOARD": board.name, "RULESET": ruleset, "SIDE": str(min(side, SIDES.get(command, side))), "MOVES": MOVES[ruleset] * 5}
    if command == "verify-certificate":
        words["CERTIFICATE"] = certificate(program, board, folder)
    line = [words.get(word, word.replace("OUT", "out")) for word in COMMANDS[command]]
    for seconds, memory in LIMITS:
        limits = ["--timeout", str(seconds)]
        limits += ["--max-memory", str(memory)] if memory else []
        if command == "convert":
            # `convert` does not search, so it has no time limit.
            if not memory:
                continue
            limits, seconds = limits[2:], KILLED_AFTER
        # A run that took too long may have waited for other processes.
        for _ in range(TRIES):
            found = run([program, *line[:1], *limits, *line[1:]], folder)
            if found[1] <= seconds + 1:
                break
        for left in folder.glob("out*"):
            left.unlink()
        table.add((command, ruleset), (found, (seconds, memory), [*line[:1], *limits, *line[1:]]))


if __name__ == "__main__":
    main()
