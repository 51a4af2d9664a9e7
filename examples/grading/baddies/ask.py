"""Plays each board with a student's program: python3 ask.py PROGRAM...

The program reads the board, an empty line, and a move per line. It prints the board and an empty line after each turn,
until the game is over. A hero who has escaped is on the ladder; one who was caught is not on the board.
"""

import os
import subprocess
import sys

from answers import OUTPUT, serve


def turns(board):
    lines = [*board["rows"], "", *board["moves"], ""]
    ended = subprocess.run(sys.argv[1:], input="\n".join(lines), text=True).returncode
    if ended:
        sys.exit(ended if ended > 0 else f"the program was ended by signal {-ended}")
    shown = os.pread(1, OUTPUT, 0).decode(errors="replace").replace(".", " ")
    if not shown.strip():
        sys.exit("the program printed nothing")
    rows, cols = len(board["rows"]), len(board["rows"][0])
    lines = [line.rstrip("\r").ljust(cols) for line in shown.rstrip().split("\n")]
    lines += [" " * cols] * (-len(lines) % (rows + 1) - 1)  # blank rows at the end
    return {"turns": [lines[at : at + rows] for at in range(0, len(lines), rows + 1)]}


serve(turns)
