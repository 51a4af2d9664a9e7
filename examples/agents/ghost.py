"""A ghost or zombie that approaches the nearest player. Start here and make it smarter."""

import json
import sys

STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1), ".": (0, 0)}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "hello", "protocol": 1}', flush=True)
    elif message["type"] == "move":
        places = {actor["id"]: actor["at"] for actor in message["actors"]}
        players = [actor["at"] for actor in message["actors"] if actor["glyph"] == "P"]
        row, col = places[message["actor"]]

        def distance(move):
            down, right = STEPS[move]
            return min((abs(row + down - r) + abs(col + right - c) for r, c in players), default=0)

        print(json.dumps({"move": min(message["legal"], key=distance)}), flush=True)
