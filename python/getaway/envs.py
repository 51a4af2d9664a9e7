"""Environments for Gymnasium, in which an agent plays the runner.

An observation has two planes of bytes: the glyphs of a board file as character codes, and the state that the
glyphs do not show, such as visited cells. An action is an index in `moves`; an illegal action loses the game. The
reward is 1 for an escape and 0 otherwise, so the best expected return is the probability of escape under best play.
"""

from __future__ import annotations

import operator
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._core import Board, Games
from ._types import Optimum

BoardLike = str | Mapping[str, Any] | Board
Observation = NDArray[np.uint8]
Info = dict[str, Any]

LIMITS = {"timeout": 10.0}
"""The limits on the search for the optimum of a board."""


class Table:
    """Games with their arrays."""

    def __init__(
        self, boards: Sequence[BoardLike], count: int, most_turns: int | None = None, threads: int = 1
    ) -> None:
        self.boards = [Board(board) for board in boards]
        self.games = Games(self.boards, count, most_turns, threads)
        self.observations = np.zeros((count, *self.games.shape), np.uint8)
        self.masks = np.zeros((count, len(self.games.moves)), np.int8)
        self.rewards = np.zeros(count, np.float64)
        self.terminations = np.zeros(count, np.bool_)
        self.truncations = np.zeros(count, np.bool_)
        self.views = (self.observations, self.masks)
        self.results = (self.rewards, self.terminations, self.truncations)
        self.best: list[Optimum] | None = None
        self.is_reset = False
        self.observation_space = spaces.Box(0, 255, self.games.shape, np.uint8)
        self.action_space = spaces.Discrete(len(self.games.moves))

    def reset(self, seeds: Sequence[int | None]) -> None:
        """Restarts all games. Without a seed, a game continues its random numbers, which begin with fresh entropy."""
        if not self.is_reset:
            seeds = [secrets.randbits(64) if seed is None else seed for seed in seeds]
        self.games.reset(seeds, self.views)
        self.is_reset = True

    def optima(self, limits: Mapping[str, Any]) -> list[Optimum]:
        """Returns the value of each board, computed once."""
        if self.best is None:
            boards = range(len(self.boards))
            self.best = [self.games.optimal(board, True, **limits) for board in boards]
        return self.best

    def picture(self, game: int) -> str:
        """Returns the board as text."""
        rows = (bytes(row).rstrip(b"\0").decode("latin-1") for row in self.observations[game, 0])
        return "\n".join(rows).rstrip("\n")


class PursuitEnv(gymnasium.Env[Observation, np.int64]):
    """Games of a runner on one board.

    `info` contains an `action_mask` of the legal moves. After a reset, unless `optimum=False`, it also contains `bounds`
    on the best expected return, and its `value` if the bounds are within 0.000001 of each other. `limits` are those of
    `Board.solve`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        board: BoardLike,
        *,
        optimum: bool = True,
        limits: Mapping[str, Any] = LIMITS,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self.table = Table([board], 1)
        self.board = self.table.boards[0]
        self.moves = self.table.games.moves
        self.observation_space = self.table.observation_space
        self.action_space = self.table.action_space
        self.limits = limits
        self._optimum = optimum
        self._action = np.zeros(1, np.int64)
        self._is_over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        super().reset(seed=seed)
        self.table.reset([seed])
        self._is_over = False
        observation, info = self._see()
        if self._optimum:
            optimum = self.table.optima(self.limits)[0]
            info["bounds"] = optimum.bounds
            if optimum.value is not None:
                info["value"] = optimum.value
        return observation, info

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        if self._is_over:
            raise ResetNeeded("the game is over: call `reset` before `step`")
        self._action[0] = action
        table = self.table
        table.games.step(self._action, table.views, table.results)
        self._is_over = bool(table.terminations[0])
        observation, info = self._see()
        if self._is_over:
            info["reason"] = table.games.reason(0)
        return observation, float(table.rewards[0]), self._is_over, False, info

    def _see(self) -> tuple[Observation, Info]:
        return self.table.observations[0].copy(), {"action_mask": self.table.masks[0].copy()}

    def optimal(self) -> Optimum:
        """Returns the value of the current position and of its moves."""
        return self.table.games.optimal(0, **self.limits)

    def render(self) -> str | None:
        return self.table.picture(0) if self.render_mode == "ansi" else None


class PursuitVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games of runners, on one board or on several of one ruleset in turn.

    With any number of threads, game `n` has the same random events as a `PursuitEnv` whose seed is higher by `n`. The
    next step restarts a finished game, and ignores its action. With `copy=False`, each step returns the same arrays.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        num_envs: int = 1,
        *,
        board: BoardLike | None = None,
        boards: Sequence[BoardLike] | None = None,
        max_episode_steps: int | None = None,
        threads: int = 1,
        copy: bool = True,
        optimum: bool = True,
        limits: Mapping[str, Any] = LIMITS,
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"`num_envs` must be at least 1, not {num_envs}")
        if boards is None:
            if board is None:
                raise ValueError("name a `board`, or several `boards`")
            boards = [board]
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.table = Table(boards, num_envs, max_episode_steps, threads)
        self.moves = self.table.games.moves
        self.single_observation_space = self.table.observation_space
        self.single_action_space = self.table.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.limits = limits
        self._copy = copy
        self._optimum = optimum

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, Info]:
        first = seed if seed is None or isinstance(seed, Sequence) else operator.index(seed)
        super().reset(seed=None if isinstance(first, Sequence) else first)
        if isinstance(first, int):
            first = [(first + game) % 2**64 for game in range(self.num_envs)]
        self.table.reset([None] * self.num_envs if first is None else first)
        (observations, masks), _ = self._arrays()
        info: Info = {"action_mask": masks}
        if self._optimum:
            optima = self.table.optima(self.limits)
            values = np.array([optimum.value for optimum in optima], np.float64)
            bounds = np.array([optimum.bounds for optimum in optima])
            info["bounds"] = np.resize(bounds, (self.num_envs, 2))
            info["value"] = np.resize(values, self.num_envs)
            info["_value"] = ~np.isnan(info["value"])
        return observations, info

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], Info]:
        table = self.table
        if not table.is_reset:
            raise ResetNeeded("call `reset` before the first `step`")
        actions = np.ascontiguousarray(actions, np.int64)
        table.games.step(actions, table.views, table.results)
        (observations, masks), (rewards, terminations, truncations) = self._arrays()
        return observations, rewards, terminations, truncations, {"action_mask": masks}

    def _arrays(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        views, results = self.table.views, self.table.results
        if not self._copy:
            return views, results
        return tuple(map(np.copy, views)), tuple(map(np.copy, results))

    def optimal(self, game: int = 0) -> Optimum:
        """Returns the value of a game's current position and of its moves."""
        return self.table.games.optimal(game, **self.limits)

    def render(self) -> tuple[str, ...] | None:
        if self.render_mode != "ansi":
            return None
        return tuple(self.table.picture(game) for game in range(self.num_envs))
