"""Asks a student's `move_algo` for the direction on each map: python3 ask.py maze.py"""

import importlib.util
import json
import os
import sys

from answers import serve

sys.path.append(os.path.dirname(sys.argv[1]))  # for other files of the submission


def direction(board):
    spec = importlib.util.spec_from_file_location("maze", sys.argv[1])
    maze = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maze)  # anew for each map, so that maps don't affect each other
    rows = [json.loads(row) for row in board["rows"]]
    runner = int(board["settings"].get("runner", 1))
    answer = maze.move_algo(sum(rows, []), runner, len(rows), len(rows[0]))
    if answer not in range(-1, 4):
        sys.exit(f"move_algo returned {answer!r} instead of -1, 0, 1, 2 or 3")
    return {"expect": str(int(answer))}


serve(direction)
