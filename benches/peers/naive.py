#!/usr/bin/env python3
"""A naive search in Python: `naive.py FILE` prints the answer for one board.

Written from the rules (`getaway rules NAME`), without any code from the program. `jimmy` tracks the visited cells;
`baddies` and `theseus` store all positions; `maze` keeps OPEN in a list, as the source does.
"""
import sys

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


def sign(n):
    return (n > 0) - (n < 0)


def read(path):
    headers, rows = {}, []
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith(";"):
            key, _, value = line[1:].partition(":")
            headers[key.strip()] = value.strip()
        elif line:
            rows.append(line)
    return headers, rows


def find(rows, glyphs):
    return [(r, c) for r, row in enumerate(rows) for c, glyph in enumerate(row) if glyph in glyphs]


def jimmy(rows):
    height, width = len(rows), len(rows[0])
    solid = set(find(rows, "#"))
    [start], ghosts = find(rows, "o"), find(rows, "g")

    def is_border(at):
        return at[0] in (0, height - 1) or at[1] in (0, width - 1)

    def escapes():
        # An explicit stack: a line can exceed Python's recursion limit.
        stack = [(start, ghosts, frozenset([start]))]
        while stack:
            at, ghosts_at, visited = stack.pop()
            if is_border(at):
                return True
            moved = set()
            for r, c in ghosts_at:
                moved.add((r, c + sign(at[1] - c)) if c != at[1] else (r + sign(at[0] - r), c))
            if at in moved:
                continue
            for down, right in STEPS.values():
                to = (at[0] + down, at[1] + right)
                if to not in solid and to not in visited and to not in moved:
                    stack.append((to, moved, visited | {to}))
        return False

    return escapes()


def baddies(rows):
    height, width = len(rows), max(map(len, rows))
    rows = [row.ljust(width) for row in rows]
    walls, abyss, ladders = (set(find(rows, glyph)) for glyph in "+#*")
    [hero] = find(rows, "H")
    pack = tuple((at, rows[at[0]][at[1]]) for at in find(rows, "mM~"))

    def land(at, change, blocking):
        down, right = change
        row = at[0] + down if 0 <= at[0] + down < height else at[0]
        col = at[1] + right if 0 <= at[1] + right < width else at[1]
        for to in ((row, col), (row, at[1])):
            if to not in blocking:
                return to
        return at

    def chase(hero, pack):
        """Returns the baddies after their moves, or None if one of them catches the hero."""
        taken = {at for at, _ in pack}
        after = []
        for at, kind in pack:
            rows, cols = hero[0] - at[0], hero[1] - at[1]
            change = {"m": (sign(rows), sign(cols)), "M": (2 * sign(rows), 2 * sign(cols)), "~": (0, cols)}[kind]
            to = land(at, change, walls | ladders)
            if to == hero:
                return None
            if to in abyss:
                taken.remove(at)
                continue
            if to in taken:
                to = at
            taken.remove(at)
            taken.add(to)
            after.append((to, kind))
        return tuple(sorted(after))

    stack, seen = [(hero, pack)], {(hero, pack)}
    while stack:
        hero, pack = stack.pop()
        for change in [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)]:
            to = land(hero, change, walls)
            if to in ladders:
                return True
            if to in abyss or any(at == to for at, _ in pack):
                continue
            after = chase(to, pack)
            if after is not None and (to, after) not in seen:
                seen.add((to, after))
                stack.append((to, after))
    return False


def theseus(rows):
    cells = {(r // 2, c // 2) for r in range(1, len(rows), 2) for c in range(1, len(rows[r]), 2)}
    glyph = {(r, c): rows[2 * r + 1][2 * c + 1] for r, c in cells}
    place = lambda glyphs: [at for at in sorted(cells) if glyph[at] in glyphs]
    [start], [minotaur], exits = place("Tt"), place("Mm"), set(place("Etm"))

    def step(at, down, right):
        to = (at[0] + down, at[1] + right)
        if to not in cells or glyph[to] == "#" or rows[2 * at[0] + 1 + down][2 * at[1] + 1 + right] != " ":
            return None
        return to

    def chase(hero, at):
        for _ in range(2):
            ways = [(0, sign(hero[1] - at[1])), (sign(hero[0] - at[0]), 0)]
            to = next((to for way in ways if way != (0, 0) and (to := step(at, *way))), at)
            at = to
            if at == hero:
                return None
        return at

    if start in exits:
        return True
    stack, seen = [(start, minotaur)], {(start, minotaur)}
    while stack:
        hero, at = stack.pop()
        for to in [hero] + [step(hero, *way) for way in STEPS.values()]:
            if to is None or to == at:
                continue
            if to in exits:
                return True
            after = chase(to, at)
            if after and (to, after) not in seen:
                seen.add((to, after))
                stack.append((to, after))
    return False


def maze(rows):
    cells = [[int(n) for n in row.strip("[] ").split(",")] for row in rows]
    height, width = len(cells), len(cells[0])
    everywhere = [(r, c) for r in range(height) for c in range(width)]
    head = next((at for at in everywhere if cells[at[0]][at[1]] == 2), None)
    if head is None:
        return -1
    foods = [at for at in everywhere if cells[at[0]][at[1]] == -1]
    near = {at: min((abs(at[0] - r) + abs(at[1] - c) for r, c in foods), default=0) for at in everywhere}
    around = [(-1, 0), (0, 1), (1, 0), (0, -1)]

    def able(at):
        return 0 <= at[0] < height and 0 <= at[1] < width and cells[at[0]][at[1]] in (0, -1)

    cost, previous, visited, opened = {head: 0}, {}, set(), [head]
    while opened:
        at = min(opened, key=lambda at: (cost[at] + near[at], at))
        if cells[at[0]][at[1]] == -1:
            while previous[at] != head:
                at = previous[at]
            return around.index((at[0] - head[0], at[1] - head[1]))
        visited.add(at)
        opened.remove(at)
        for down, right in around:
            to = (at[0] + down, at[1] + right)
            if able(to) and (to not in visited or cost[to] > cost[at] + 1):
                if to not in opened:
                    opened.append(to)
                cost[to], previous[to] = cost[at] + 1, at
    return next((nth for nth, (r, c) in enumerate(around) if able((head[0] + r, head[1] + c))), -1)


if __name__ == "__main__":
    headers, rows = read(sys.argv[1])
    ruleset = headers["ruleset"]
    answer = {"jimmy": jimmy, "baddies": baddies, "theseus": theseus, "maze": maze}[ruleset](rows)
    print(answer if ruleset == "maze" else "escape" if answer else "caught")
