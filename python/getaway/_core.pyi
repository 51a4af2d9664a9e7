from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._types import BoardError, Optimum, Replay, Solution

class Board:
    """A board of any ruleset, read from a drawing, a line of JSON, or a dictionary with the fields of such a line."""

    def __new__(cls, board: str | Mapping[str, Any] | Board) -> Board: ...
    @property
    def text(self) -> str: ...
    @property
    def ruleset(self) -> str: ...
    @property
    def name(self) -> str | None: ...
    def solve(
        self,
        *,
        shortest: bool = False,
        timeout: float | None = None,
        max_memory: int | None = None,
        max_states: int | None = None,
        width: float | None = None,
    ) -> Solution:
        """Decides the board; Ctrl-C ends the search."""

    def replay(self, moves: str | Sequence[str]) -> Replay:
        """Replays these moves, with chance seeded by 0."""

    def svg(self, moves: str | None = None) -> str:
        """Draws the board or, with moves, an animation of the game."""

    def _repr_svg_(self) -> str: ...

def solve_many(
    boards: Iterable[str | Mapping[str, Any] | Board],
    *,
    shortest: bool = False,
    threads: int | None = None,
    timeout: float | None = None,
    max_memory: int | None = None,
    max_states: int | None = None,
    width: float | None = None,
) -> list[Solution | BoardError]:
    """Decides many boards on all cores; for an invalid board, the list contains its error."""

def rulesets() -> list[tuple[str, str, str]]:
    """Returns the name, a summary and the rules of each ruleset."""

def run(args: Sequence[str]) -> int: ...

_Views = tuple[NDArray[np.uint8], NDArray[np.int8]]
_Results = tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]

class Games:
    def __new__(
        cls, boards: Sequence[Board], count: int, most_turns: int | None = None, threads: int = 1
    ) -> Games: ...
    @property
    def moves(self) -> list[str]: ...
    @property
    def orders(self) -> list[str]: ...
    @property
    def shape(self) -> tuple[int, int, int]: ...
    def reset(self, seeds: Sequence[int | None], views: _Views) -> None: ...
    def step(self, actions: NDArray[np.int64], views: _Views, results: _Results) -> None: ...
    def lead(
        self, action: int, orders: Sequence[int | None], views: _Views, results: _Results
    ) -> None: ...
    def runners(self) -> list[tuple[tuple[int, int] | None, list[int]]]: ...
    def chasers(self) -> list[tuple[str, tuple[int, int] | None, list[int]]]: ...
    def reason(self, game: int) -> str | None: ...
    def optimal(
        self,
        number: int,
        is_new: bool = False,
        *,
        timeout: float | None = None,
        max_memory: int | None = None,
        max_states: int | None = None,
        width: float | None = None,
    ) -> Optimum: ...
