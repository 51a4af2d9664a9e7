#!/usr/bin/env python3
"""Solves a board with clingo: `asp.py FILE` searches for a line of at most 1, 2, 4, 8, ... moves with the encodings in this folder.

A line in `jimmy` visits no cell twice, so its length is limited. For the other rulesets, clingo cannot prove that there is no escape.
"""
import sys
from pathlib import Path

import clingo

from naive import STEPS, find, read


def jimmy(rows):
    facts = [f"row(0..{len(rows) - 1}). col(0..{len(rows[0]) - 1})."]
    facts += [f"solid({r},{c})." for r, c in find(rows, "#")]
    facts += [f"ghost({nth},{r},{c})." for nth, (r, c) in enumerate(find(rows, "g"))]
    facts += [f"start({r},{c})." for r, c in find(rows, "o")]
    return facts, len(find(rows, ".go"))


def baddies(rows):
    width = max(map(len, rows))
    facts = [f"row(0..{len(rows) - 1}). col(0..{width - 1})."]
    for name, glyph in (("wall", "+"), ("abyss", "#"), ("ladder", "*"), ("hero", "H")):
        facts += [f"{name}({r},{c})." for r, c in find(rows, glyph)]
    kinds = {"m": "m", "M": "s", "~": "b"}
    facts += [f"baddie({nth},{kinds[rows[r][c]]},{r},{c})." for nth, (r, c) in enumerate(find(rows, "mM~"))]
    return facts, None


def theseus(rows):
    cells = {(r // 2, c // 2) for r in range(1, len(rows), 2) for c in range(1, len(rows[r]), 2)}
    glyph = {(r, c): rows[2 * r + 1][2 * c + 1] for r, c in cells}
    facts = []
    for r, c in sorted(cells):
        if glyph[r, c] == "#":
            continue
        facts.append(f"cell({r},{c}).")
        for name, glyphs in (("exit", "Etm"), ("theseus", "Tt"), ("minotaur", "Mm")):
            if glyph[r, c] in glyphs:
                facts.append(f"{name}({r},{c}).")
        for down, right in STEPS.values():
            to = (r + down, c + right)
            if to in cells and glyph[to] != "#" and rows[2 * r + 1 + down][2 * c + 1 + right] == " ":
                facts.append(f"link({r},{c},{to[0]},{to[1]}).")
    return facts, None


def is_satisfiable(ruleset, facts, most):
    control = clingo.Control([f"-ct={most}", "--warn=none"])
    control.load(str(Path(__file__).with_name(f"{ruleset}.lp")))
    control.add("base", [], "\n".join(facts))
    control.ground([("base", [])])
    return control.solve().satisfiable


headers, rows = read(sys.argv[1])
ruleset = headers["ruleset"]
facts, longest = {"jimmy": jimmy, "baddies": baddies, "theseus": theseus}[ruleset](rows)
most = 1
while True:
    if is_satisfiable(ruleset, facts, most):
        print("escape")
        break
    if longest is not None and most >= longest:
        print("caught")
        break
    most *= 2
