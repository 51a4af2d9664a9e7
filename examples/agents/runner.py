"""A runner that makes random legal moves. Start here and make it smarter."""

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
        luck.seed(message["seed"])  # makes games repeatable
    elif message["type"] == "move":
        say({"move": luck.choice(message["legal"])})
