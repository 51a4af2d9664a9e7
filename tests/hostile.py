#!/usr/bin/env python3
"""Runs the program on damaged files: boards, compressed boards, tables, and the state files of `--resume`.

    tests/hostile.py target/debug/getaway --runs 1000 --seed 1

Whatever the damage, the program must end in time with one of its exit codes, without a panic or control characters, and
with the same output for one thread and two.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 60
LIMITS = ["--max-states", "2000", "--max-memory", "256MB"]


def damaged(data, chance):
    """Returns the bytes with a few changes: some replaced, removed, repeated, or cut off."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data) + 1)
        length = chance.choice([1, 1, 2, 8, 64])
        kind = chance.randrange(6)
        if kind == 0:
            data[at : at + length] = chance.randbytes(length)
        elif kind == 1:
            del data[at : at + length]
        elif kind == 2:
            data[at:at] = data[at : at + length] * chance.choice([1, 2, 50])
        elif kind == 3 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 4:
            data[at:at] = chance.choice([b"\0", b"\x1b[31m", b"\xff", b"\r", b"\n\n", b"[" * 300, b"-1", b"9" * 40])
        elif chance.random() < 0.2:
            del data[at:]
    return bytes(data)


def is_control(char):
    code = ord(char)
    return (code < 32 and char not in "\n\t") or 127 <= code < 160


def run(program, arguments, folder):
    """Returns the output and exit code. Ends this script if either is wrong."""
    command = [program, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=False)
    text = (done.stdout + done.stderr).decode("utf-8")
    wrong = [char for char in text if is_control(char)]
    if done.returncode not in (0, 1, 2, 3) or "panicked" in text or wrong:
        print(f"exit code {done.returncode}, control characters {wrong[:3]}: {command}\n{text[-2000:]}")
        kept = pathlib.Path(tempfile.mkdtemp(prefix="hostile-"))
        for file in pathlib.Path(folder).iterdir():
            (kept / file.name).write_bytes(file.read_bytes())
        sys.exit(f"files kept in {kept}")
    return done.stdout, done.returncode


def seeds(program, folder):
    """Returns intact files of all kinds, each with the commands to run on it."""
    boards = sorted(ROOT.glob("puzzles/*/*.txt"))
    check = ["check", "--json", "--no-timing", *LIMITS]
    whole = [(path.suffix, path.read_bytes(), [check, ["convert", "--to", "jsonl"]]) for path in boards[::4]]
    together = folder / "boards.jsonl"
    run(program, ["convert", *map(str, boards[::9]), "boards.jsonl"], folder)
    for ending in ["jsonl", "jsonl.gz", "jsonl.zst", "parquet", "arrow"]:
        file = folder / f"all.{ending}"
        _, status = run(program, ["convert", "boards.jsonl", file.name], folder)
        if status == 0:
            whole.append((f".{ending}", file.read_bytes(), [check]))
    levels = ROOT / "tests" / "corpus" / "levels" / "state"
    whole.append((".json", levels.read_bytes(), [["convert", "--to", "jsonl"], check]))
    state = folder / "run.state"
    run(program, [*check, "--resume", state.name, together.name], folder)
    whole.append(("state", state.read_bytes(), []))
    return whole


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    options.add_argument("--runs", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        whole = seeds(options.program, folder)
        check = ["check", "--json", "--no-timing", *LIMITS]
        expected = run(options.program, [*check, "boards.jsonl"], folder)
        statuses = {}
        for _ in range(options.runs):
            ending, data, commands = chance.choice(whole)
            bad = damaged(data, chance)
            if ending == "state":
                (folder / "bad.state").write_bytes(bad)
                found = run(options.program, [*check, "--resume", "bad.state", "boards.jsonl"], folder)
                # The program refuses the state file, or resumes from its intact part.
                if found[1] != 2 and found != expected:
                    sys.exit("a damaged state file led to different answers")
                statuses[found[1]] = statuses.get(found[1], 0) + 1
                continue
            file = folder / f"bad{ending}"
            file.write_bytes(bad)
            for command in commands:
                one, two = (run(options.program, [*command, *threads, file.name], folder)
                            for threads in ([["-j", "1"], ["-j", "2"]] if command[0] == "check" else [[], []]))
                if one != two:
                    sys.exit(f"different output with two threads: {command} {bad!r}")
                statuses[one[1]] = statuses.get(one[1], 0) + 1
            file.unlink()
    print(f"{options.runs} damaged files, seed {options.seed}, by exit code: {dict(sorted(statuses.items()))}")


if __name__ == "__main__":
    main()
