"""A runner: it makes any legal move. Start from here, and make better ones."""

import json
import random
import sys

luck = random.Random()


def say(answer):
    print(json.dumps(answer), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1})
    elif message["type"] == "start":
        luck.seed(message["seed"])  # so that a game can be repeated
    elif message["type"] == "move":
        say({"move": luck.choice(message["legal"])})
