"""A runner in Python: any legal move. Make a better choice where it says so."""

import json
import random
import sys

luck = random.Random()

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1}
    elif message["type"] == "start":
        luck.seed(message["seed"])  # the same game again makes the same moves
        continue
    elif message["type"] == "move":
        answer = {"move": luck.choice(message["legal"])}  # your idea goes here
    else:
        continue
    print(json.dumps(answer), flush=True)
