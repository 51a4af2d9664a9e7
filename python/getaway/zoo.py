"""An environment for PettingZoo's parallel API, in which agents play the runners and lead the chasers.

All agents act at the same time: the runners move first, then the chasers, each in the order of the rules. A chaser whose
order has become impossible moves by its own rules. So has a runner's move if another one has stepped in the way: the runner
waits. The runners get 1 for an escape, all of them together, and the chasers get 1 for a capture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import ParallelEnv

from .envs import BoardLike, Table
from .registration import MOST_TURNS

RUNNER = "runner"
WAIT = "."
"""The move of a player in a `dungeon` that stays in place."""

Views = dict[str, Any]


class PursuitParallelEnv(ParallelEnv[str, Views, int]):  # type: ignore[misc]
    """Games on a board of `baddies` or `dungeon`.

    The agents are `runner`, or `runner_0`, `runner_1` and so on in reading order, and the chasers by their roles, such as
    `ghost_0`.
    """

    metadata = {"name": "getaway_pursuit_v0", "render_modes": ["ansi"]}

    def __init__(
        self, board: BoardLike, *, most_turns: int = MOST_TURNS, render_mode: str | None = None
    ) -> None:
        self.render_mode = render_mode
        self.table = Table([board], 1)
        self.most_turns = most_turns
        self.turns = 0
        self.games = self.table.games
        if not self.games.orders:
            ruleset = self.table.boards[0].ruleset
            raise ValueError(f"nobody can lead the chasers of `{ruleset}`")
        count = len(self.games.runners())
        if count == 0:
            raise ValueError("the board has no runner")
        self.runners = [RUNNER] if count == 1 else [f"{RUNNER}_{n}" for n in range(count)]
        counts: Counter[str] = Counter()
        self.chasers = []
        for role, _, _ in self.games.chasers():
            self.chasers.append(f"{role}_{counts[role]}")
            counts[role] += 1
        self.possible_agents = [*self.runners, *self.chasers]
        self.agents: list[str] = []
        self.action_spaces = {
            agent: spaces.Discrete(len(self.names(agent))) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                observation=self.table.observation_space,
                action_mask=spaces.Box(0, 1, (len(self.names(agent)),), np.int8),
            )
            for agent in self.possible_agents
        }

    def names(self, agent: str) -> list[str]:
        """Returns the names of an agent's actions."""
        return self.games.moves if agent in self.runners else self.games.orders

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Views], dict[str, dict[str, Any]]]:
        self.table.reset([seed])
        self.turns = 0
        self.agents = list(self.possible_agents)
        return self._views(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Views],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        if not self.agents:
            raise ResetNeeded("there is no game in progress: call `reset` before `step`")
        self._play(actions)
        self.turns += 1
        is_over = bool(self.table.terminations[0])
        is_cut = self.turns >= self.most_turns
        has_escaped = bool(self.table.rewards[0])
        gone = set() if is_over else self._gone()
        agents = self.agents
        views = self._views()
        rewards = {
            agent: float(is_over and has_escaped == (agent in self.runners)) for agent in agents
        }
        terminations = {agent: is_over or agent in gone for agent in agents}
        truncations = {agent: is_cut for agent in agents}
        self.agents = [] if is_over or is_cut else [a for a in agents if a not in gone]
        return views, rewards, terminations, truncations, {agent: {} for agent in agents}

    def _play(self, actions: Mapping[str, int]) -> None:
        """Plays a turn of all runners and chasers."""
        orders = [actions.get(agent) for agent in self.chasers]
        runners = [
            (cell, actions[agent], moves)
            for agent, (cell, moves) in zip(self.runners, self.games.runners())
            if cell is not None
        ]
        for _, action, moves in sorted(runners):  # they move in reading order
            is_blocked = action in moves and not self.table.masks[0][action]
            action = self.games.moves.index(WAIT) if is_blocked else action
            self.games.lead(action, orders, self.table.views, self.table.results)
            if self.table.terminations[0]:
                break

    def _gone(self) -> set[str]:
        """Returns the runners and chasers that have left the board."""
        runners = zip(self.runners, (cell for cell, _ in self.games.runners()))
        chasers = zip(self.chasers, (cell for _, cell, _ in self.games.chasers()))
        return {agent for agent, cell in [*runners, *chasers] if cell is None}

    def _views(self) -> dict[str, Views]:
        picture = self.table.observations[0].copy()
        masks = {agent: np.zeros(len(self.games.moves), np.int8) for agent in self.runners}
        for agent, (_, legal) in zip(self.runners, self.games.runners()):
            masks[agent][legal or slice(None)] = 1  # after the end, every move is as good
        for agent, (_, _, possible) in zip(self.chasers, self.games.chasers()):
            masks[agent] = np.zeros(len(self.games.orders), np.int8)
            masks[agent][possible] = 1
        return {
            agent: {"observation": picture, "action_mask": masks[agent]} for agent in self.agents
        }

    def render(self) -> str | None:
        return self.table.picture(0) if self.render_mode == "ansi" else None
