#!/usr/bin/env python3
"""Large and slow `dungeon` levels, one after the other: states, seconds, peak memory, and whether the answer is right.

benches/dungeons.py GETAWAY LEVELS.jsonl [ANSWERS.jsonl] [-- options of `getaway solve`]

An answer is an object with the `id` of a level and its `probability`, or a `lower` and an `upper` bound on it.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

TOLERANCE = 1e-6


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def run(program, level, options):
    """What the program answers, how many seconds it takes of the clock and of all processors, and its peak memory."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        json.dump(level, file)
        file.flush()
        begin = time.monotonic()
        process = subprocess.Popen([program, "solve", "--json", *options, file.name], stdout=subprocess.PIPE)
        output = process.stdout.read()
        _, _, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
    return json.loads(output), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def is_right(found, answer):
    low, high = (answer.get(side, answer.get("probability")) for side in ("lower", "upper"))
    lower, upper = found.get("bounds") or [found["probability"]] * 2
    return lower <= high + TOLERANCE and low <= upper + TOLERANCE


def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1 :]
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    program, levels, *answers = arguments
    known = {answer["id"]: answer for path in answers for answer in read(path)}
    wrong = 0
    print(f"{'level':12} {'states':>12} {'seconds':>8} {'CPU':>8} {'MB':>6}  answer")
    for level in read(levels):
        found, seconds, processor, memory = run(program, level, options)
        answer = found.get("probability", found.get("bounds"))
        verdict = ""
        if {"probability", "lower"} & known.get(level["id"], {}).keys():
            holds = is_right(found, known[level["id"]])
            wrong += not holds
            verdict = "right" if holds else "WRONG"
        print(f"{level['id']:12} {found['states']:12} {seconds:8.2f} {processor:8.2f} {memory:6.0f}  {answer} {verdict}")
    sys.exit(1 if wrong else 0)


main()
