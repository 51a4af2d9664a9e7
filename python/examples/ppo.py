"""Proximal policy optimisation on the suite, measured by the optimum: `python ppo.py [--steps N] RULESET...`.

One file in the style of CleanRL, for PyTorch on one core. An agent learns to play the training boards of a ruleset, of
all levels at once, and then plays test boards that it has never seen. The regret on a board is the optimum minus the
share of games won. The file prints its mean for each level over five seeds, with an interval of 95 %.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import gymnasium
import numpy as np
import torch
from gymnasium.vector import VectorEnv
from q_learning import boards as read_boards
from torch import nn

import getaway.envs  # noqa: F401

SUITE = Path(__file__).parents[2] / "puzzles" / "suite"
LEVELS = ["easy", "medium", "hard"]
SEEDS = range(1, 6)
TURNS = 100
RUNNERS = list(b"oHRPT")
T_95 = 2.776  # Student's t for five seeds
MISTAKE = 0.1  # a move that loses so much of the probability of escape
SHIFTS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1), "w": (-1, 0), "x": (1, 0), "a": (0, -1), "d": (0, 1)}
SHIFTS |= {"q": (-1, -1), "e": (-1, 1), "z": (1, -1), "c": (1, 1), "0": (-1, 0), "1": (0, 1), "2": (1, 0), "3": (0, -1)}
"""The change of row and column of each move; any other move waits."""

STEPS = 150_000
ENVIRONMENTS = 72  # four games for each training board
ROLLOUT, EPOCHS, MINIBATCH = 32, 4, 384
RATE, DISCOUNT, LAMBDA, CLIP, ENTROPY, VALUE, NORM = 1e-3, 0.99, 0.95, 0.2, 0.01, 0.5, 0.5
EVALUATIONS = 10  # points of a learning curve after the first

Policy = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Chooses an action for each observation, given the masks of the legal ones."""


def texts(ruleset: str, part: str) -> tuple[str, ...]:
    """Returns the boards of all levels."""
    return tuple(board for level in LEVELS for board in read_boards(SUITE / f"{ruleset}-{level}-{part}.txt"))


def make_envs(boards: tuple[str, ...], count: int, **arguments: object) -> VectorEnv:
    arguments |= {"boards": boards, "max_episode_steps": TURNS}
    return gymnasium.make_vec("getaway/Pursuit-v0", num_envs=count, **arguments)


@cache
def arena(ruleset: str, part: str, games: int) -> VectorEnv:
    """Returns environments with this many games on each board, whose optima are computed once."""
    boards = texts(ruleset, part)
    return make_envs(boards, games * len(boards), limits={"timeout": 600.0})


class Network(nn.Module):
    """A perceptron with two outputs: a number for each action, and the value of the position."""

    def __init__(self, ruleset: str, width: int = 128, features: int = 8) -> None:
        super().__init__()
        envs = [arena(ruleset, part, 1) for part in ("train", "test")]
        # One empty row and column separate the edges of the board.
        self.rows, self.columns = 1 + np.max([env.single_observation_space.shape[1:] for env in envs], axis=0)
        self.planes = nn.ModuleList(nn.Embedding(256, features) for _ in range(2))
        layers = [nn.Linear(self.rows * self.columns * features, width), nn.Linear(width, width)]
        self.actor, self.critic = nn.Linear(width, envs[0].single_action_space.n), nn.Linear(width, 1)
        gains = [2**0.5, 2**0.5, 0.01, 1.0]
        for layer, gain in zip([*layers, self.actor, self.critic], gains):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)
        self.body = nn.Sequential(layers[0], nn.ReLU(), layers[1], nn.ReLU())

    def centre(self, observations: np.ndarray) -> torch.Tensor:
        """Moves the runner to the first cell of a torus, so that what is learned holds anywhere on a board."""
        count, _, height, width = observations.shape
        planes = np.zeros((count, 2, self.rows, self.columns), np.uint8)
        planes[:, :, :height, :width] = observations
        runner = np.isin(planes[:, 0], RUNNERS).reshape(count, -1).argmax(axis=1)
        rows = (runner[:, None] // self.columns + np.arange(self.rows)) % self.rows
        columns = (runner[:, None] + np.arange(self.columns)) % self.columns
        games = np.arange(count)[:, None, None]
        return torch.from_numpy(planes[games, :, rows[:, :, None], columns[:, None, :]])

    def forward(self, cells: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        glyphs, state = (plane(cells[..., index].int()) for index, plane in enumerate(self.planes))
        hidden = self.body((glyphs + state).flatten(1))
        return self.actor(hidden), self.critic(hidden).squeeze(1)

    def choices(self, cells: torch.Tensor, masks: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """Returns the policy over legal actions, and the values."""
        logits, values = self(cells)
        return torch.distributions.Categorical(logits=logits.masked_fill(~masks, -1e8), validate_args=False), values

    def sample(self, cells: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        return self.choices(cells, masks)[0].sample()


def as_masks(info: dict) -> torch.Tensor:
    return torch.from_numpy(info["action_mask"] == 1)


@torch.no_grad()
def regrets(network: Network, policy: Policy, ruleset: str, part: str, games: int) -> list[float]:
    """Returns the regret on each board: its optimum minus the share of games won."""
    envs = arena(ruleset, part, games)
    observations, info = envs.reset(seed=1)
    optima, won, is_over = info["value"], np.zeros(envs.num_envs), np.zeros(envs.num_envs, bool)
    while not is_over.all():
        actions = policy(network.centre(observations), as_masks(info)).numpy()
        observations, rewards, terminated, truncated, info = envs.step(actions)
        won += rewards * ~is_over
        is_over |= terminated | truncated
    return (optima - won).reshape(games, -1).mean(axis=0).tolist()


def heading(glyphs: np.ndarray, move: str) -> str:
    """Returns whether a move aims nearer to the goal: the key, else the exit, or the border in `jimmy`."""
    shift = np.array(SHIFTS.get(move, (0, 0)))
    if not shift.any():
        return "waits"
    cell = np.argwhere(np.isin(glyphs, RUNNERS))[0]
    goals = np.argwhere(glyphs == ord("K"))
    goals = goals if len(goals) else np.argwhere(np.isin(glyphs, list(b"E*")))
    last = np.argwhere(glyphs).max(axis=0)

    def distance(cell: np.ndarray) -> int:
        return int(np.abs(goals - cell).sum(axis=1).min() if len(goals) else min(*cell, *(last - cell)))

    change = distance(cell + shift) - distance(cell)
    return "nearer" if change < 0 else "farther" if change > 0 else "sideways"


@torch.no_grad()
def endings(network: Network, policy: Policy, ruleset: str) -> list[dict]:
    """Plays two games on each test board up to the first mistake, and describes how each of them ends."""
    envs = arena(ruleset, "test", 2)
    observations, info = envs.reset(seed=1)
    games: list[dict] = [{} for _ in range(envs.num_envs)]
    for _ in range(TURNS):
        actions = policy(network.centre(observations), as_masks(info)).numpy()
        for number in (number for number, game in enumerate(games) if not game):
            optimum, move = envs.unwrapped.optimal(number), envs.unwrapped.moves[actions[number]]
            if optimum.regret(move)[0] >= MISTAKE:
                good = [other for other, _ in optimum.moves if optimum.regret(other)[1] < MISTAKE]
                ways = {name: heading(observations[number, 0], name) for name in [move, *good]}
                picture = envs.unwrapped.table.picture(number)
                games[number] = {"end": "mistake", "move": move, "good": good, "ways": ways, "board": picture}
        observations, rewards, terminated, truncated, info = envs.step(actions)
        for number in (number for number, game in enumerate(games) if not game):
            if terminated[number] or truncated[number]:
                end = "escaped" if rewards[number] else "caught" if terminated[number] else "out of turns"
                games[number] = {"end": end}
    return games


class Curve:
    """Evaluates an agent at equal distances while it learns."""

    def __init__(self, ruleset: str, network: Network, policy: Policy, steps: int) -> None:
        self.ruleset, self.network, self.policy, self.steps = ruleset, network, policy, steps
        self.points: list[tuple[int, float, float]] = []

    def measure(self, games: int) -> list[list[float]]:
        """Returns the regret on each training board and on each test board."""
        parts = ("train", "test")
        return [regrets(self.network, self.policy, self.ruleset, part, games) for part in parts]

    def add(self, step: int) -> None:
        if step * EVALUATIONS >= len(self.points) * self.steps:
            train, test = self.measure(4)
            self.points.append((step, float(np.mean(train)), float(np.mean(test))))

    def result(self) -> dict:
        train, test = self.measure(32)
        games = endings(self.network, self.policy, self.ruleset)
        return {"curve": self.points, "train": train, "test": test, "games": games}


def collect(network: Network, ruleset: str, seed: int) -> Iterator[dict[str, torch.Tensor]]:
    """Plays training boards with the present policy for ever, and yields rollouts with advantages and returns."""
    envs = make_envs(texts(ruleset, "train"), ENVIRONMENTS, optimum=False)
    observations, info = envs.reset(seed=seed * 1_000_000)
    cells, masks, begins = network.centre(observations), as_masks(info), torch.zeros(ENVIRONMENTS, dtype=torch.bool)
    while True:
        turns = []
        for _ in range(ROLLOUT):
            with torch.no_grad():
                policy, values = network.choices(cells, masks)
                actions = policy.sample()
                chances = policy.log_prob(actions)
            observations, rewards, terminated, truncated, info = envs.step(actions.numpy())
            is_over = torch.from_numpy(terminated | truncated)
            turn = {"cells": cells, "masks": masks, "actions": actions, "chances": chances, "values": values}
            turns.append(turn | {"rewards": torch.from_numpy(rewards).float(), "over": is_over, "learned": ~begins})
            # The next step of a finished game only starts it again, so nothing is learned from it.
            cells, masks, begins = network.centre(observations), as_masks(info), is_over
        rollout = {name: torch.stack([turn[name] for turn in turns]) for name in turns[0]}
        with torch.no_grad():
            rollout["advantages"] = estimate_advantages(rollout, network(cells)[1])
        rollout["returns"] = rollout["advantages"] + rollout["values"]
        learned = rollout["learned"]
        yield {name: part[learned] for name, part in rollout.items()}


def estimate_advantages(rollout: dict[str, torch.Tensor], next_values: torch.Tensor) -> torch.Tensor:
    """Returns the generalised advantage estimates."""
    advantages, advantage = torch.zeros_like(rollout["values"]), torch.zeros_like(next_values)
    for turn in reversed(range(ROLLOUT)):
        goes_on, values = ~rollout["over"][turn], rollout["values"][turn]
        surprise = rollout["rewards"][turn] + DISCOUNT * next_values * goes_on - values
        advantage = surprise + DISCOUNT * LAMBDA * advantage * goes_on
        advantages[turn], next_values = advantage, values
    return advantages


def loss_of(network: Network, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Returns the clipped loss of a minibatch."""
    policy, values = network.choices(batch["cells"], batch["masks"])
    ratio = (policy.log_prob(batch["actions"]) - batch["chances"]).exp()
    advantages = batch["advantages"]
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    gain = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
    return VALUE * (values - batch["returns"]).square().mean() - gain - ENTROPY * policy.entropy().mean()


def train(ruleset: str, seed: int, steps: int = STEPS) -> dict:
    """Trains an agent and returns its learning curve and its regret on each board."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network = Network(ruleset)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)
    curve = Curve(ruleset, network, network.sample, steps)
    for update, rollout in enumerate(collect(network, ruleset, seed)):
        step = update * ROLLOUT * ENVIRONMENTS
        curve.add(step)
        if step >= steps:
            return curve.result()
        optimizer.param_groups[0]["lr"] = RATE * (1 - step / steps)
        for _ in range(EPOCHS):
            minibatches = torch.randperm(len(rollout["actions"])).split(MINIBATCH)
            for rows in (rows for rows in minibatches if len(rows) > 1):  # a single advantage has no deviation
                loss = loss_of(network, {name: part[rows] for name, part in rollout.items()})
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), NORM)
                optimizer.step()
    raise AssertionError("rollouts never end")


def interval(values: list[float]) -> str:
    """Returns the mean over five seeds with an interval of 95 %."""
    width = T_95 * np.std(values, ddof=1) / len(values) ** 0.5
    return f"{np.mean(values):.2f} ± {width:.2f}"


def by_level(regrets: list[float]) -> list[float]:
    """Returns the mean regret of each level, of boards in the order of `texts`."""
    return np.reshape(regrets, (len(LEVELS), -1)).mean(axis=1).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="+")
    parser.add_argument("--steps", type=int, default=STEPS)
    options = parser.parse_args()
    for ruleset in options.rulesets:
        runs = [train(ruleset, seed, options.steps) for seed in SEEDS]
        for number, level in enumerate(LEVELS):
            known, unseen = (interval([by_level(run[part])[number] for run in runs]) for part in ("train", "test"))
            print(f"{ruleset}, {level}: regret {unseen} on test boards, {known} on training boards", flush=True)


if __name__ == "__main__":
    main()
