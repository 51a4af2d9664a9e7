"""A Gymnasium environment: trains the runner of a board against its chasers.

    env = Getaway("level.txt")                        # or with more arguments of `getaway simulate`:
    env = Getaway("level.txt", "--ghost", "./sly")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(0)

An observation is the board as an array of character codes. An action is an index into `env.moves`; `info["mask"]` marks the legal
ones. An illegal move ends the game. The reward is 1 for an escape, -1 for a capture, and 0 otherwise.

getaway is the referee. It starts this file again as its agent (`--relay`), which passes messages on.
`python3 gym.py level.txt` checks the environment and plays ten games. Set GETAWAY if the program is not on the PATH.
"""

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile


def relay(path):
    """Passes on the referee's messages and the answers."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        with line.makefile("rw") as env:
            for message in sys.stdin:
                env.write(message)
                env.flush()
                if json.loads(message)["type"] in ("hello", "move"):
                    print(env.readline(), end="", flush=True)


if __name__ == "__main__" and sys.argv[1:2] == ["--relay"]:
    relay(sys.argv[2])
    sys.exit()

import gymnasium  # noqa: E402  (not needed by a relay)
import numpy as np  # noqa: E402

MOVES = {"jimmy": "URDL", "baddies": "qweasdzxc", "maze": "0123", "theseus": "URDLS"}


def moves_of(start):
    """All moves of a game, legal or not."""
    if start["ruleset"] != "dungeon":
        return list(MOVES[start["ruleset"]])
    longest = [""]
    moves = ["."]
    for _ in range(int(start["settings"].get("speed", 1))):
        longest = [move + step for move in longest for step in "URDL"]
        moves += longest
    return moves


class Getaway(gymnasium.Env):
    """Games of a runner on one board."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, board, *arguments, render_mode=None):
        self.render_mode = render_mode
        self.arguments = [board, *arguments]
        self.folder = tempfile.mkdtemp()
        self.errors = tempfile.TemporaryFile()
        self.referee = None
        self.open(seed=0)
        start = self.next("start")
        self.moves = moves_of(start)
        shape = (len(start["rows"]), max(map(len, start["rows"])))
        self.observation_space = gymnasium.spaces.Box(0, 255, shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(len(self.moves))
        self.close()

    def open(self, seed):
        """Starts a referee, which plays game after game."""
        self.close()
        path = os.path.join(self.folder, "line")
        agent = shlex.join([sys.executable, __file__, "--relay", path])
        program = os.environ.get("GETAWAY", "getaway")
        games = ["--seed", str(seed), "--runs", "1000000000", "--threads", "1"]
        patience = ["--move-timeout", "1000000", "--start-timeout", "60"]
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path)
            server.listen()
            server.settimeout(0.1)
            self.referee = subprocess.Popen(
                [program, "simulate", "--runner", agent, *games, *patience, *self.arguments],
                stdout=subprocess.DEVNULL,
                stderr=self.errors,
            )
            while True:
                try:
                    self.line, _ = server.accept()
                    break
                except TimeoutError:
                    if self.referee.poll() is not None:
                        self.errors.seek(0)
                        raise RuntimeError(self.errors.read().decode()) from None
        os.remove(path)
        self.line.settimeout(None)
        self.said = self.line.makefile("rw")
        self.next("hello")
        self.answer({"type": "hello", "protocol": 1})

    def next(self, *kinds):
        """The next message, which must be of one of these kinds."""
        line = self.said.readline()
        message = json.loads(line) if line else {"type": "nothing"}
        if message["type"] not in kinds:
            raise RuntimeError(f"unexpected message {message}: not one of {kinds}")
        return message

    def answer(self, answer):
        self.said.write(json.dumps(answer) + "\n")
        self.said.flush()

    def observe(self):
        """The board and the mask of legal moves."""
        board = np.full(self.observation_space.shape, ord(" "), np.uint8)
        for row, text in enumerate(self.question["rows"]):
            board[row, : len(text)] = [ord(glyph) for glyph in text]
        legal = self.question["legal"]
        return board, {"mask": np.array([move in legal for move in self.moves], np.int8)}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if seed is not None or self.referee is None or self.question is not None:
            self.open(int(self.np_random.integers(2**32)))
        self.next("start")
        self.question = self.next("move")
        return self.observe()

    def step(self, action):
        move = self.moves[action]
        if move not in self.question["legal"]:
            return self.observe()[0], -1.0, True, False, {"reason": f"{move} is illegal"}
        self.answer({"move": move})
        message = self.next("move", "end")
        if message["type"] == "move":
            self.question = message
            board, mask = self.observe()
            return board, 0.0, False, False, mask
        board = self.observe()[0]
        self.question = None
        result = message["result"]
        reward = {"escaped": 1.0, "caught": -1.0}.get(result, 0.0)
        return board, reward, result != "open", result == "open", {"reason": message["reason"]}

    def render(self):
        return "\n".join(self.question["rows"]) if self.question else ""

    def close(self):
        self.question = None
        if self.referee is not None:
            self.said.close()
            self.line.close()
            self.referee.terminate()
            self.referee.wait()
            self.referee = None

    def __del__(self):
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)


if __name__ == "__main__":
    from gymnasium.utils.env_checker import check_env

    env = Getaway(*sys.argv[1:])
    check_env(env, skip_render_check=True)
    print("check_env: passed")
    for game in range(10):
        _, info = env.reset(seed=game)
        env.action_space.seed(game)
        over, turns = False, 0
        while not over:
            _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["mask"]))
            over, turns = terminated or truncated, turns + 1
        print(f"game {game}: {info['reason']}, reward {reward} after {turns} moves")
