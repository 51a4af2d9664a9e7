"""Plays each board with a student's program: python3 ask.py PROGRAM...

The program reads the board, an empty line, and a move per line. It prints the board and an empty line after each turn,
until the game is over. A hero who has escaped stands on the ladder; one who was caught is gone.
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
    return {"turns": [turn.split("\n") for turn in shown.strip("\n").split("\n\n")]}


serve(turns)
