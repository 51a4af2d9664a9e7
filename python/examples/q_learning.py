"""Tabular Q-learning on boards, measured by the optimum: `python q_learning.py FILE...`.

The agent stores a value for each action in each observation. It plays many games at a time, and chooses the best known
legal action or, in a tenth of the turns, a random one. Then it plays as many games again without random actions. A file
contains one or more boards, with empty lines between them.
"""

import sys
from pathlib import Path

import gymnasium
import numpy as np

import getaway.envs

GAMES = 64
TURNS = 4_000
RATE, DISCOUNT, EXPLORED = 0.2, 0.995, 0.1


class Agent:
    """A table of values, with a row for each observation and a column for each action."""

    def __init__(self, actions: int, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.values = np.zeros((1, actions))
        self.rows: dict[bytes, int] = {}

    def look_up(self, observations: np.ndarray) -> np.ndarray:
        """Returns the rows of these observations; the values of new ones are 0."""
        rows = [self.rows.setdefault(o.tobytes(), len(self.rows)) for o in observations]
        missing = len(self.rows) - len(self.values)
        if missing > 0:
            more = np.zeros((missing + len(self.values), self.values.shape[1]))
            self.values = np.concatenate([self.values, more])
        return np.array(rows)

    def act(self, rows: np.ndarray, masks: np.ndarray, explored: float) -> np.ndarray:
        """Returns the best legal actions, breaking ties at random, but random actions in a share of the games."""
        noise = self.rng.random(masks.shape)
        is_random = self.rng.random(len(rows)) < explored
        values = np.where(is_random[:, None], 0, self.values[rows]) + 1e-6 * noise
        return np.where(masks == 1, values, -1).argmax(axis=1)

    def learn(self, rows, actions, rewards, is_over, next_rows, next_masks) -> None:
        best = np.where(next_masks == 1, self.values[next_rows], 0).max(axis=1)
        target = rewards + DISCOUNT * np.where(is_over, 0, best)
        np.add.at(self.values, (rows, actions), RATE * (target - self.values[rows, actions]))
        np.clip(self.values, 0, 1, out=self.values)


def rate(board: str, turns: int = TURNS, seed: int = 1) -> tuple[float, float]:
    """Returns the share of games that a trained agent wins, and the optimum."""
    arguments = {"board": board, "max_episode_steps": 100}
    envs = gymnasium.make_vec("getaway/Pursuit-v0", num_envs=GAMES, **arguments)
    agent = Agent(envs.single_action_space.n, seed)
    won = games = 0
    observations, info = envs.reset(seed=seed)
    optimum = info["value"][0]
    masks, rows = info["action_mask"], agent.look_up(observations)
    begins = np.zeros(GAMES, bool)  # games whose next step only starts them again
    for turn in range(2 * turns):
        is_training = turn < turns
        actions = agent.act(rows, masks, EXPLORED if is_training else 0)
        observations, rewards, terminated, truncated, info = envs.step(actions)
        masks, next_rows = info["action_mask"], agent.look_up(observations)
        if is_training:
            learned = ~begins
            outcome = (rewards, terminated, next_rows, masks)
            agent.learn(rows[learned], actions[learned], *(part[learned] for part in outcome))
        else:
            won += int(rewards.sum())
            games += int((terminated | truncated).sum())
        rows, begins = next_rows, terminated | truncated
    return won / max(games, 1), optimum


def boards(path: Path) -> list[str]:
    return [board for board in path.read_text().split("\n\n") if board.strip()]


def main(paths: list[str]) -> None:
    for path in paths:
        for board in boards(Path(path)):
            won, optimum = rate(board)
            name = getaway.Board(board).name
            print(f"{name}: {won:.3f} of the optimum {optimum:.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
