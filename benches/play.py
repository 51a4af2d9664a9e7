#!/usr/bin/env python3
"""Measures the time from a key in `getaway play` to the next frame, in an 80x24 terminal.

    cargo build --release && benches/play.py [BOARD...]

By default, plays the first board of every playable file in `puzzles`. Presses each key as soon as the previous frame is
complete, while the adviser is still busy with the first positions. A frame is complete after 2 ms without output.
Exits with 1 if a key takes longer than 50 ms.
"""

import fcntl
import glob
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import termios
import time

PROGRAM = os.environ.get("GETAWAY", "target/release/getaway")
LIMIT = 0.050
# Each of these changes the screen: an illegal move shows a message.
ARROWS = [b"\x1b[A", b"\x1b[C", b"\x1b[B", b"\x1b[D"]
KEYS = [
    ("move", key) for key in ARROWS
] + [
    ("undo", b"u"), ("redo", b"]"), ("hint", b"i"), ("trail", b"t"), ("values", b"v"), ("help", b"?"), ("close", b"\x1b"),
    ("start", b"\x1b[H"), ("end", b"\x1b[F"), ("jump", b"g"), ("number", b"1"), ("go", b"\r"),
]


class Game:
    """The program in its own terminal."""

    def __init__(self, board):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm-256color")
            os.execve(PROGRAM, [PROGRAM, "play", "--seed", "1", board], environment)

    def read(self, patience):
        """Returns the output up to a pause of 2 ms, and the time of its last part."""
        text, last = b"", None
        while select.select([self.terminal], [], [], patience if last is None else 0.002)[0]:
            try:
                part = os.read(self.terminal, 1 << 16)
            except OSError:
                break
            if not part:
                break
            text, last = text + part, time.perf_counter()
        return text, last

    def press(self, key):
        """Returns the seconds until the screen has changed, or None if it does not."""
        start = time.perf_counter()
        os.write(self.terminal, key)
        _, last = self.read(1.0)
        return last and last - start

    def close(self):
        os.write(self.terminal, b"\x03")
        self.read(1.0)
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def measure(board):
    """Returns the times of all keys on a board in three rounds; empty if it is not playable."""
    game = Game(board)
    text = b""
    while b"leave" not in text and (more := game.read(2.0)[0]):
        text += more
    if b"? keys" not in text:
        game.close()
        return []
    times = []
    for _ in range(3):
        for name, key in KEYS:
            taken = game.press(key)
            if taken is not None:
                times.append((taken, name))
    game.close()
    return times


def main():
    boards = sys.argv[1:] or sorted(glob.glob("puzzles/*/*.txt"))
    subprocess.run([PROGRAM, "--version"], check=True, stdout=subprocess.DEVNULL)
    rows = [(board, measure(board)) for board in boards]
    rows = [(board, times) for board, times in rows if times]
    every = [taken for _, times in rows for taken, _ in times]
    rows.sort(key=lambda row: max(row[1]), reverse=True)
    print(f"{len(rows)} boards, {len(every)} keys: median {statistics.median(every) * 1e3:.1f} ms, slowest:")
    for board, times in rows[:10]:
        slowest, name = max(times)
        median = statistics.median(taken for taken, _ in times)
        print(f"{slowest * 1e3:6.1f} ms  {name:<7} (median {median * 1e3:4.1f} ms)  {board}")
    sys.exit(max(every) > LIMIT)


if __name__ == "__main__":
    main()
