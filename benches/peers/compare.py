#!/usr/bin/env python3
"""Runs all programs on the same boards: `compare.py [--limit SECONDS] [--boards N] [--out FOLDER] [RULESET...]`.

Prints versions and a Markdown table, draws `growth.svg`, and exits with 1 if two answers differ. Needs a release
build of getaway, `rustc`, and the packages in `requirements.txt`.
"""
import argparse
import json
import math
import os
import platform
import random
import signal
import statistics
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OURS = os.environ.get("GETAWAY", str(ROOT / "target/release/getaway"))


# The boards, each determined by its size and its number.


def jimmy(side, luck):
    """Returns a board with one gap in its border, a tenth of the cells solid, and a ghost for every eight columns."""
    edge = lambda r, c: r in (0, side - 1) or c in (0, side - 1)
    cells = [["#" if edge(r, c) or luck.random() < 0.1 else "." for c in range(side)] for r in range(side)]
    cells[0][luck.randrange(1, side - 1)] = "."
    inside = luck.sample([(r, c) for r in range(1, side - 1) for c in range(1, side - 1)], 1 + max(1, side // 8))
    for nth, (r, c) in enumerate(inside):
        cells[r][c] = "g" if nth else "o"
    return "; ruleset: jimmy\n" + "\n".join(map("".join, cells)) + "\n"


def baddies(rows, luck):
    """Returns a board like the standard one: hero left, ladder right, one baddie per 75 cells and one abyss per 12."""
    cols = rows * 8 // 3
    cells = [["."] * cols for _ in range(rows)]
    cells[luck.randrange(rows)][luck.randrange(3)] = "H"
    cells[luck.randrange(rows)][cols - 1 - luck.randrange(3)] = "*"
    count = max(2, rows * cols // 75)
    glyphs = ["mmM~"[nth % 4] for nth in range(count)] + ["#"] * (rows * cols // 12)
    free = [(r, c) for r in range(rows) for c in range(3, cols - 3)]
    for glyph, (r, c) in zip(glyphs, luck.sample(free, len(glyphs))):
        cells[r][c] = glyph
    return "; ruleset: baddies\n" + "\n".join(map("".join, cells)) + "\n"


def theseus(side, luck):
    """Returns a maze without cycles, less a fifth of its walls."""
    drawing = [["+" if (r | c) % 2 == 0 else "-" if r % 2 == 0 else "|" for c in range(2 * side + 1)] for r in range(2 * side + 1)]
    seen, stack = {(0, 0)}, [(0, 0)]
    for r in range(side):
        for c in range(side):
            drawing[2 * r + 1][2 * c + 1] = " "
    while stack:
        r, c = stack[-1]
        ways = [(d, e) for d, e in ((0, 1), (1, 0), (0, -1), (-1, 0)) if 0 <= r + d < side and 0 <= c + e < side]
        ways = [way for way in ways if (r + way[0], c + way[1]) not in seen]
        if not ways:
            stack.pop()
            continue
        d, e = luck.choice(ways)
        drawing[2 * r + 1 + d][2 * c + 1 + e] = " "
        seen.add((r + d, c + e))
        stack.append((r + d, c + e))
    for r in range(1, 2 * side):
        for c in range(1, 2 * side):
            if (r + c) % 2 == 1 and luck.random() < 0.2:
                drawing[r][c] = " "
    places = luck.sample([(r, c) for r in range(side) for c in range(side)], 3)
    for glyph, (r, c) in zip("TME", places):
        drawing[2 * r + 1][2 * c + 1] = glyph
    return "; ruleset: theseus\n" + "\n".join(map("".join, drawing)) + "\n"


def maze(side, luck):
    """Returns a map with walls on a fifth of the cells and one food for every eight columns."""
    cells = [[5 if luck.random() < 0.2 else 0 for _ in range(side)] for _ in range(side)]
    places = luck.sample([(r, c) for r in range(side) for c in range(side)], 1 + max(1, side // 8))
    for nth, (r, c) in enumerate(places):
        cells[r][c] = -1 if nth else 2
    return "; ruleset: maze\n" + "\n".join(map(str, cells)) + "\n"


def dungeon(rows, luck):
    """Returns a level with one room twice as wide as high, two ghosts, and a random radius."""
    cols = 2 * rows
    cells = [["."] * cols for _ in range(rows)]
    for r, c, glyph in ((0, 0, "P"), (rows - 1, cols - 1, "E"), (rows - 1, cols // 2, "G"), (0, cols - 1, "G")):
        cells[r][c] = glyph
    lines = ["-" * (cols + 2)] + ["|" + "".join(row) + "|" for row in cells] + ["-" * (cols + 2)]
    return f"; ruleset: dungeon\n; radius: {luck.randint(2, 6)}\n" + "\n".join(lines) + "\n"


HARD = {board["id"]: board for board in map(json.loads, open(HERE / "hard.jsonl"))}


def hard(name):
    """Returns a board of `hard.jsonl`."""
    board = dict(HARD[name])
    rows = board.pop("rows")
    headers = [f"; {key}: {value}" for key, value in board.items() if key != "id"]
    return "\n".join(headers + rows) + "\n"


def caught(states, luck):
    """Returns a board of `baddies` whose hero can reach this many positions, and no ladder."""
    return hard(f"caught {states}")


def placements(nodes, luck):
    """Returns a `dungeon` level with this many reachable nodes, and thousands of times as many placements of the adversaries."""
    return hard(f"placements {nodes}")


SIZES = {
    jimmy: [6, 8, 10, 12, 16, 24, 32, 64, 128, 256, 512],
    baddies: [4, 6, 9, 12, 15, 18, 21, 24],
    theseus: [4, 6, 8, 12, 16, 24, 32, 48, 64],
    maze: [8, 16, 32, 64, 128, 256, 512],
    dungeon: [3, 4, 5, 6, 7, 8],
    caught: [90, 927, 8484, 64684, 162453, 784070],
    placements: [1770, 4663, 23453],
}


# The programs, with the command for a board.


def peers(naive):
    python = sys.executable
    return {
        "getaway": (set(SIZES), [OURS, "solve", "--json", "--no-timing", "-j", "1"]),
        "Python": ({jimmy, baddies, caught, theseus, maze}, [python, str(HERE / "naive.py")]),
        "Rust": ({jimmy, baddies, caught, theseus}, [naive]),
        "clingo": ({jimmy, baddies, theseus}, [python, str(HERE / "asp.py")]),
        "Storm": ({dungeon, placements}, [python, str(HERE / "storm.py"), OURS]),
    }


def run(command, limit):
    """Returns the output of a command (None if it exceeds the limit) and its seconds of processor time."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=limited(limit))
    # The limit is on processor time; this ends a process that only waits.
    watchdog = threading.Timer(20 * limit, process.send_signal, [signal.SIGKILL])
    watchdog.start()
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    watchdog.cancel()
    seconds = usage.ru_utime + usage.ru_stime
    if process.returncode < 0:
        return None, limit
    return text.strip(), seconds


def limited(limit):
    import resource

    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    return set_limits


def answer(text):
    """Converts output to a verdict, a direction or a probability."""
    if text.startswith("{"):
        found = json.loads(text)
        text = str(found.get("probability", found.get("direction", found["verdict"])))
    return text


def agree(one, other):
    try:
        return abs(float(one) - float(other)) <= 2e-6
    except ValueError:
        return one == other


def measure(arguments, folder):
    naive = str(folder / "naive")
    subprocess.run(["rustc", "-O", "--edition", "2024", "-o", naive, str(HERE / "naive.rs")], check=True)
    table, wrong = {}, []
    for ruleset, sizes in SIZES.items():
        if arguments.rulesets and ruleset.__name__ not in arguments.rulesets:
            continue
        given_up = set()
        for size in sizes:
            boards = []
            for nth in range(arguments.boards):
                path = folder / f"{ruleset.__name__}-{size}-{nth}.txt"
                path.write_text(ruleset(size, random.Random(f"{ruleset.__name__} {size} {nth}")))
                boards.append(path)
            answers = {}
            for peer, (rulesets, command) in peers(naive).items():
                if ruleset not in rulesets or peer in given_up:
                    continue
                times = []
                for path in boards:
                    text, seconds = run(command + [str(path)], arguments.limit)
                    times.append(math.inf if text is None else seconds)
                    if text is None:
                        continue
                    found = answer(text)
                    if not agree(answers.setdefault(path, found), found):
                        wrong.append(f"{path}: {answers[path]}, but {peer} says {found or 'nothing'}")
                table[ruleset.__name__, size, peer] = statistics.median_high(times), sum(map(math.isinf, times))
                if math.isinf(table[ruleset.__name__, size, peer][0]):
                    given_up.add(peer)
                print(ruleset.__name__, size, peer, *(f"{time:.3f}" for time in times), file=sys.stderr, flush=True)
    return table, wrong


def versions():
    first = lambda *command: subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
    import clingo
    import stormpy

    return [first(OURS, "--version"), f"Python {platform.python_version()}", first("rustc", "--version"), f"clingo {clingo.__version__}", f"stormpy {stormpy.__version__}"]


def shown(entry, ours, limit):
    if entry is None:
        return ""
    seconds, late = entry
    if math.isinf(seconds):
        return f"over {limit} s"
    times = seconds / ours[0]
    ratio = f", {times:.{1 if times < 10 else 0}f} times" if entry is not ours else ""
    return f"{seconds:.3g} s{ratio}" + (f" ({late} over {limit} s)" if late else "")


def markdown(table, limit):
    names = ["getaway", "Python", "Rust", "clingo", "Storm"]
    lines = ["| ruleset | size | " + " | ".join(names) + " |", "| --- " * (2 + len(names)) + "|"]
    for ruleset, size in dict.fromkeys((key[0], key[1]) for key in table):
        entries = [table.get((ruleset, size, name)) for name in names]
        cells = [shown(entry, entries[0], limit) for entry in entries]
        lines.append(f"| `{ruleset}` | {size} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


COLORS = {"getaway": "#0072b2", "Python": "#e69f00", "Rust": "#d55e00", "clingo": "#009e73", "Storm": "#cc79a7"}


def picture(table, limit):
    """Draws a chart for each ruleset, with logarithmic axes; a line ends at the top where a program exceeds the limit."""
    width, height, left, top = 300, 200, 62, 40
    low, high = -3.0, math.log10(limit)
    out = []
    for nth, ruleset in enumerate(SIZES):
        name, sizes = ruleset.__name__, SIZES[ruleset]
        ox, oy = (nth % 3) * (width + left + 20) + left, (nth // 3) * (height + top + 44) + top
        x = lambda size: ox + width * math.log(size / sizes[0]) / math.log(sizes[-1] / sizes[0])
        y = lambda seconds: oy + height * (high - max(low, min(high, math.log10(seconds)))) / (high - low)
        out.append(f'<rect x="{ox}" y="{oy}" width="{width}" height="{height}" fill="none" stroke="#999"/>')
        out.append(f'<text x="{ox}" y="{oy - 10}" font-weight="bold">{name}</text>')
        for power in range(-3, int(high) + 1):
            at = y(10.0**power)
            out.append(f'<path d="M{ox} {at:.1f}h{width}" stroke="#ddd"/>')
            out.append(f'<text x="{ox - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
        for size in sizes[:: max(1, len(sizes) // 6)]:
            out.append(f'<text x="{x(size):.1f}" y="{oy + height + 16}" text-anchor="middle">{size}</text>')
        for peer, color in COLORS.items():
            points = [(size, table[name, size, peer][0]) for size in sizes if (name, size, peer) in table]
            line = " ".join(f"{x(size):.1f},{y(seconds):.1f}" for size, seconds in points)
            out.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
            dots = [(size, seconds) for size, seconds in points if not math.isinf(seconds)]
            out += [f'<circle cx="{x(size):.1f}" cy="{y(seconds):.1f}" r="3" fill="{color}"/>' for size, seconds in dots]
    last = len(SIZES)
    ox, oy = (last % 3) * (width + left + 20) + left, (last // 3) * (height + top + 44) + top + 20
    for nth, (peer, color) in enumerate(COLORS.items()):
        out.append(f'<path d="M{ox} {oy + 22 * nth}h24" stroke="{color}" stroke-width="2"/>')
        out.append(f'<text x="{ox + 32}" y="{oy + 22 * nth + 4}">{peer}</text>')
    out.append(f'<text x="{ox}" y="{oy + 22 * len(COLORS) + 6}">across: side, rows or positions of the board</text>')
    out.append(f'<text x="{ox}" y="{oy + 22 * len(COLORS) + 24}">up: processor time, at most {limit} s</text>')
    size = f'viewBox="0 0 {3 * (width + left + 20)} {(last // 3 + 1) * (height + top + 44)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *out, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=20, help="seconds of processor time per board")
    parser.add_argument("--boards", type=int, default=3, help="number of boards of each size")
    parser.add_argument("--out", type=Path, default=ROOT / "target/peers", help="folder for boards and picture")
    parser.add_argument("rulesets", nargs="*", help="only these, and no picture")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    os.nice(5)
    table, wrong = measure(arguments, arguments.out)
    print("\n".join(versions()), "\n")
    print(markdown(table, arguments.limit))
    if not arguments.rulesets:
        (arguments.out / "growth.svg").write_text(picture(table, arguments.limit))
    print(f"\n{len(wrong)} answers differ", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
