#!/usr/bin/env python3
"""Kills `getaway check --resume` repeatedly at random moments, and checks that nothing is lost.

    tests/resume.py target/debug/getaway --kills 100 --boards 200000

Each round kills a run over many boards (SIGKILL) and resumes it, until it completes. Rounds repeat until the given number of
kills. After each round, every board must have exactly one answer, and the output must equal that of an uninterrupted run,
except for the line on standard error that says from where the run continues.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def board(dice, number):
    """Returns a board of 8 rows; one in fifty is invalid."""
    if number % 50 == 49:
        return "oo?\n"
    cells = [dice.choice("......####g") for _ in range(64)]
    cells[dice.randrange(64)] = "o"
    rows = ["".join(cells[row * 8:row * 8 + 8]) for row in range(8)]
    expect = dice.choice(["escape", "caught"])
    return f"; name: {number}\n; expect: {expect}\n" + "\n".join(rows) + "\n"


def write_boards(folder, boards, seed):
    """Writes half of the boards to one file, a quarter as JSON Lines, and the rest to small files."""
    dice = random.Random(seed)
    texts = [board(dice, number) for number in range(boards)]
    half, lines = boards // 2, boards // 4
    (folder / "large.txt").write_text("\n".join(texts[:half]))
    with open(folder / "lines.jsonl", "w") as file:
        for text in texts[half:half + lines]:
            rows = [line for line in text.splitlines() if not line.startswith(";")]
            file.write(json.dumps({"rows": rows, "expect": "escape"}) + "\n")
    rest = texts[half + lines:]
    small = folder / "small"
    small.mkdir()
    for at in range(0, len(rest), 20):
        (small / f"{at}.txt").write_text("\n".join(rest[at:at + 20]))


def run(command, folder):
    """Returns the output of the program and its exit code."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    errors = [line for line in done.stderr.splitlines() if b": continuing after " not in line]
    return done.stdout, errors, done.returncode


def killed(command, folder, seconds):
    """Starts the program and kills it after `seconds`; False if it ended before."""
    out = subprocess.DEVNULL
    child = subprocess.Popen(command, cwd=folder, stdout=out, stderr=out)
    try:
        child.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        return True


def judge(output, whole, boards):
    """Prints and checks the numbers of lost and doubled boards."""
    seen = {}
    for line in output[0].splitlines():
        value = json.loads(line)
        place = value["path"], value["board"]
        seen[place] = seen.get(place, 0) + 1
    lost, doubled = boards - len(seen), sum(count - 1 for count in seen.values())
    is_same = output == whole
    print(f"  {lost} lost, {doubled} doubled, output {'identical' if is_same else 'DIFFERENT'}", flush=True)
    return lost == doubled == 0 and is_same


def main():
    """Repeats rounds up to the number of kills."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--boards", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    how = parser.parse_args()
    program = str(Path(how.program).resolve())
    folder = Path(tempfile.mkdtemp(prefix="resume-"))
    try:
        (folder / "boards").mkdir()
        write_boards(folder / "boards", how.boards, how.seed)
        plain = [program, "check", "--json", "--no-timing", "boards"]
        start = time.monotonic()
        whole = run(plain, folder)
        seconds = time.monotonic() - start
        resumed = plain + ["--resume", "state"]
        # Most kills come early, so that a round has many; some come late, during the final output.
        dice, kills, rounds, is_good = random.Random(how.seed), 0, 0, True
        while kills < how.kills:
            rounds += 1
            (folder / "state").unlink(missing_ok=True)
            in_round = 0
            while kills < how.kills and killed(resumed, folder, seconds * dice.random() ** 4):
                kills, in_round = kills + 1, in_round + 1
            print(f"round {rounds}: {in_round} kills", flush=True)
            is_good &= judge(run(resumed, folder), whole, how.boards)
        print(f"{kills} kills over {how.boards} boards: {'passed' if is_good else 'FAILED'}")
        return 0 if is_good else 1
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
