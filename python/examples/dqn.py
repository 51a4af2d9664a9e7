"""Deep Q-learning on the suite, measured by the optimum, in the style of CleanRL: `train(ruleset, seed)`.

The network, the boards and the evaluation are those of `ppo.py`.
"""

import copy

import numpy as np
import torch
from ppo import DISCOUNT, ENVIRONMENTS, NORM, STEPS, Curve, Network, as_masks, make_envs, texts
from torch import nn

CAPACITY, BATCH, START = 50_000, 256, 5_000
RATE, COPIED = 5e-4, 100
EXPLORED, EXPLORATION = (1.0, 0.05), 0.5
"""The first and the last share of random actions, and the part of the training in which it falls."""


class Memory:
    """A ring of transitions."""

    def __init__(self, cells: torch.Size, actions: int) -> None:
        self.count = 0
        kinds = {"cells": torch.uint8, "next_cells": torch.uint8, "next_masks": torch.bool}
        shapes = {"cells": cells, "next_cells": cells, "next_masks": (actions,)}
        parts = {name: torch.zeros(CAPACITY, *shape, dtype=kinds[name]) for name, shape in shapes.items()}
        self.parts = parts | {"actions": torch.zeros(CAPACITY, dtype=torch.int64)}
        self.parts |= {name: torch.zeros(CAPACITY) for name in ("rewards", "goes_on")}

    def add(self, transitions: dict[str, torch.Tensor]) -> None:
        count = len(transitions["actions"])
        rows = torch.arange(self.count, self.count + count) % CAPACITY
        for name, part in transitions.items():
            self.parts[name][rows] = part.to(self.parts[name].dtype)
        self.count += count

    def sample(self) -> dict[str, torch.Tensor]:
        rows = torch.randint(min(self.count, CAPACITY), (BATCH,))
        return {name: part[rows] for name, part in self.parts.items()}


def best(network: Network, cells: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Returns the legal actions of the highest value."""
    return network(cells)[0].masked_fill(~masks, -1e8).argmax(dim=1)


def explore(actions: torch.Tensor, masks: torch.Tensor, share: float) -> torch.Tensor:
    """Replaces a share of the actions by random legal ones."""
    random = (torch.rand(masks.shape) * masks).argmax(dim=1)
    return torch.where(torch.rand(len(actions)) < share, random, actions)


def loss_of(network: Network, target: Network, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Returns the loss of double Q-learning."""
    with torch.no_grad():
        actions = best(network, batch["next_cells"], batch["next_masks"])
        following = target(batch["next_cells"])[0].gather(1, actions[:, None]).squeeze(1)
        goals = batch["rewards"] + DISCOUNT * batch["goes_on"] * following
    values = network(batch["cells"])[0].gather(1, batch["actions"][:, None]).squeeze(1)
    return nn.functional.smooth_l1_loss(values, goals)


def train(ruleset: str, seed: int, steps: int = STEPS) -> dict:
    """Trains an agent and returns its learning curve and its regret on each board."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    envs = make_envs(texts(ruleset, "train"), ENVIRONMENTS, optimum=False)
    network = Network(ruleset)
    target = copy.deepcopy(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)

    def policy(cells: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        return best(network, cells, masks)

    curve = Curve(ruleset, network, policy, steps)
    observations, info = envs.reset(seed=seed * 1_000_000)
    cells, masks, begins = network.centre(observations), as_masks(info), np.zeros(ENVIRONMENTS, bool)
    memory = Memory(cells.shape[1:], masks.shape[1])
    for turn, step in enumerate(range(0, steps, ENVIRONMENTS)):
        curve.add(step)
        share = max(EXPLORED[1], EXPLORED[0] + (EXPLORED[1] - EXPLORED[0]) * step / (EXPLORATION * steps))
        with torch.no_grad():
            actions = explore(policy(cells, masks), masks, share)
        observations, rewards, terminated, truncated, info = envs.step(actions.numpy())
        next_cells, next_masks = network.centre(observations), as_masks(info)
        outcome = {"rewards": torch.from_numpy(rewards), "goes_on": torch.from_numpy(~terminated)}
        transitions = {"cells": cells, "actions": actions, "next_cells": next_cells, "next_masks": next_masks} | outcome
        # The next step of a finished game only starts it again, so nothing is learned from it.
        memory.add({name: part[torch.from_numpy(~begins)] for name, part in transitions.items()})
        cells, masks, begins = next_cells, next_masks, terminated | truncated
        if step >= START:
            loss = loss_of(network, target, memory.sample())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), NORM)
            optimizer.step()
        if turn % COPIED == 0:
            target.load_state_dict(network.state_dict())
    curve.add(steps)
    return curve.result()
