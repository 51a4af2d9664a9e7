#!/usr/bin/env python3
"""Computes the best probability of escape with Storm: `storm.py GETAWAY FILE`.

A room with two ghosts is described in the PRISM language; GETAWAY converts other levels to Markov decision processes.
"""
import subprocess
import sys
from pathlib import Path

import stormpy


def room(path):
    """Returns the model of a room with two ghosts, and its property."""
    lines = path.read_text().splitlines()
    rows = [line for line in lines if not line.startswith(";") and line.strip()]
    radius = next(line.split(":")[1].strip() for line in lines if line.startswith("; radius"))
    height, width = len(rows) - 2, len(rows[0]) - 2

    def teleport(own, other, last):
        tiles = [(row, col) for row in range(height) for col in range(width) if (row, col) != (height - 1, width - 1)]
        free = f"1/{len(tiles) - 2}"
        return "\n    + ".join(
            f"((pr={row} & pc={col}) | ({other}r={row} & {other}c={col}) ? 0 : {free}) : "
            f"(turn'=turn=1?{last}:0) & ({own}r'={row}) & ({own}c'={col})"
            for row, col in tiles
        )

    text = Path(__file__).with_name("dungeon.pm").read_text()
    for name, size in (("ROWS", height), ("COLS", width), ("RADIUS", radius)):
        text = text.replace(f"const int {name};", f"const int {name} = {size};")
    text = text.replace("TELEPORT_A;", teleport("a", "b", 2) + ";").replace("TELEPORT_B;", teleport("b", "a", 3) + ";")
    source = path.with_suffix(".pm")
    source.write_text(text)
    program = stormpy.parse_prism_program(str(source))
    [formula] = stormpy.parse_properties('Pmax=? [F "out"]', program)
    return stormpy.build_model(program, [formula]), formula


def level(getaway, path):
    """Returns the model of a level, and its property."""
    process = str(path.with_suffix(".drn"))
    subprocess.run([getaway, "convert", str(path), process], check=True, stdout=subprocess.DEVNULL)
    [formula] = stormpy.parse_properties('Pmax=? [F "escape"]')
    return stormpy.build_model_from_drn(process), formula


def main():
    getaway, path = sys.argv[1], Path(sys.argv[2])
    model, formula = level(getaway, path) if "drawing: compact" in path.read_text() else room(path)
    environment = stormpy.Environment()
    environment.solver().force_soundness = True
    result = stormpy.model_checking(model, formula, environment=environment)
    print(f"{result.get_value(model.initial_states[0]):.9f}")


main()
