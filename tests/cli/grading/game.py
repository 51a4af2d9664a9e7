import sys

lines = sys.stdin.read().split("\n")
end = lines.index("")
rows = lines[:end]
cells = {(r, c): glyph for r, row in enumerate(rows) for c, glyph in enumerate(row)}
hero = next(cell for cell, glyph in cells.items() if glyph == "H")
baddies = {cell: glyph for cell, glyph in cells.items() if glyph in "mM~"}
floor = {cell: glyph if glyph in "+#*" else "." for cell, glyph in cells.items()}
KEYS = {key: (at // 3 - 1, at % 3 - 1) for at, key in enumerate("qweasdzxc")}


def moved(cell, change, walls):
    r, c = (place + step for place, step in zip(cell, change))
    r = r if 0 <= r < len(rows) else cell[0]
    c = c if 0 <= c < len(rows[0]) else cell[1]
    if floor[r, c] in walls:
        c = cell[1]
    return cell if floor[r, c] in walls else (r, c)


def towards(cell, glyph):
    r, c = (there - here for there, here in zip(hero, cell))
    if glyph == "~":
        return 0, c
    step = 2 if glyph == "M" else 1
    return step * ((r > 0) - (r < 0)), step * ((c > 0) - (c < 0))


def play(key):
    """Returns whether the game goes on."""
    global hero
    hero = moved(hero, KEYS[key], "+")
    if floor[hero] == "*":
        return False
    if floor[hero] == "#" or hero in baddies:
        hero = None
        return False
    for cell in sorted(baddies):
        glyph = baddies.pop(cell)
        to = moved(cell, towards(cell, glyph), "+*")
        if to in baddies:
            to = cell
        if floor[to] != "#":
            baddies[to] = glyph
        if to == hero:
            hero = None
            return False
    return True


for key in filter(None, lines[end + 1 :]):
    goes_on = play(key)
    shown = floor | baddies | ({hero: "H"} if hero else {})
    for r in range(len(rows)):
        print("".join(shown[r, c] for c in range(len(rows[0]))))
    print()
    if not goes_on:
        break
