"""An environment for PettingZoo's parallel API, in which agents play the runner and lead the chasers.

All agents act at the same time: the runner moves first, then each chaser in the order of the rules. A chaser whose order
has become impossible moves by its own rules. The runner gets 1 for an escape, and the chasers get 1 for a capture.
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

Views = dict[str, Any]


class PursuitParallelEnv(ParallelEnv[str, Views, int]):  # type: ignore[misc]
    """Games on a board of `baddies`, or of `dungeon` with one player."""

    metadata = {"name": "getaway_pursuit_v0", "render_modes": ["ansi"]}

    def __init__(
        self, board: BoardLike, *, most_turns: int = MOST_TURNS, render_mode: str | None = None
    ) -> None:
        self.render_mode = render_mode
        self.table = Table([board], 1, most_turns)
        self.games = self.table.games
        if not self.games.orders:
            ruleset = self.table.boards[0].ruleset
            raise ValueError(f"nobody can lead the chasers of `{ruleset}`")
        if not self.games.has_one_runner:
            raise ValueError("the board must have exactly one runner")
        counts: Counter[str] = Counter()
        self.chasers = []
        for role, _, _ in self.games.chasers():
            self.chasers.append(f"{role}_{counts[role]}")
            counts[role] += 1
        self.possible_agents = [RUNNER, *self.chasers]
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
        return self.games.moves if agent == RUNNER else self.games.orders

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Views], dict[str, dict[str, Any]]]:
        self.table.reset([seed])
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
        orders = [actions.get(agent) for agent in self.chasers]
        self.games.lead(actions[RUNNER], orders, self.table.views, self.table.results)
        is_over = bool(self.table.terminations[0])
        is_cut = bool(self.table.truncations[0])
        has_escaped = bool(self.table.rewards[0])
        fallen = {
            agent for agent, (_, cell, _) in zip(self.chasers, self.games.chasers()) if cell is None
        }
        agents = self.agents
        views = self._views()
        rewards = {
            agent: float(is_over and has_escaped == (agent == RUNNER)) for agent in agents
        }
        terminations = {agent: is_over or agent in fallen for agent in agents}
        truncations = {agent: is_cut for agent in agents}
        self.agents = [] if is_over or is_cut else [a for a in agents if a not in fallen]
        return views, rewards, terminations, truncations, {agent: {} for agent in agents}

    def _views(self) -> dict[str, Views]:
        picture = self.table.observations[0].copy()
        masks = {RUNNER: self.table.masks[0].copy()}
        for agent, (_, _, possible) in zip(self.chasers, self.games.chasers()):
            masks[agent] = np.zeros(len(self.games.orders), np.int8)
            masks[agent][possible] = 1
        return {
            agent: {"observation": picture, "action_mask": masks[agent]} for agent in self.agents
        }

    def render(self) -> str | None:
        return self.table.picture(0) if self.render_mode == "ansi" else None
