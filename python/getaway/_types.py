"""The values that boards and environments return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fault:
    """A fault in a board, with its place: line and column from 1."""

    message: str
    line: int
    column: int
    help: str


class BoardError(ValueError):
    """A text that is not a valid board, with all its faults."""

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message, faults)
        self.message = message
        self.faults = list(faults)

    def __str__(self) -> str:
        return self.message


class InternalError(RuntimeError):
    """A bug in getaway."""


@dataclass(frozen=True)
class Solution:
    """The answer to a board. What a ruleset does not know, or a limit left open, is `None`."""

    verdict: str
    """`escape`, `caught`, `food`, `no-food` or `undecided`."""
    states: int
    """The number of states that the search visited."""
    moves: list[str] | None = None
    """A line of play that escapes."""
    length: int | None = None
    """The number of these moves."""
    probability: float | None = None
    """The probability of escape under best play, if its bounds are within 0.000001 of each other."""
    bounds: tuple[float, float] | None = None
    """The probability lies between these bounds for certain."""
    certain: bool | None = None
    """Whether some strategy always escapes within a bounded number of turns."""
    survives: bool | None = None
    """Whether a runner who can't escape can live for ever."""
    direction: int | None = None
    """The next move in a maze, -1 to 3."""
    steps: list[tuple[int, int]] | None = None
    """The cells from the head to the food, as rows and columns from 0."""
    limit: str | None = None
    """The limit that left something open: `states`, `time`, `memory` or `interrupt`."""


@dataclass(frozen=True)
class HalfTurn:
    """A move of the runner, or the moves of all chasers, for which `move` is `None`."""

    turn: int
    who: str
    move: str | None
    picture: str


@dataclass(frozen=True)
class Replay:
    """A game along a line of play. Notebooks show it as a moving picture."""

    board: str
    moves: str
    halves: list[HalfTurn] = field(repr=False)
    ending: str
    """`escaped`, `caught`, `open`, `illegal` or `forfeited`."""
    turns: int
    reason: str

    def __str__(self) -> str:
        pictures = [half.picture for half in self.halves]
        moves = "1 move" if self.turns == 1 else f"{self.turns} moves"
        return "\n\n".join([*pictures, f"{self.ending} after {moves}: {self.reason}"])

    def _repr_svg_(self) -> str:
        from ._core import Board

        return Board(self.board).svg(self.moves)


Bounds = tuple[float, float]


@dataclass(frozen=True)
class Optimum:
    """The value of a position: the probability of escape under best play, which is the best expected return."""

    bounds: Bounds
    value: float | None
    """The value, if its bounds are within 0.000001 of each other."""
    move: str | None
    """A best move; `None` if the game is over."""
    moves: list[tuple[str, Bounds]]
    """Each legal move with bounds on its value."""

    def regret(self, move: str) -> Bounds:
        """Bounds on what a move gives away. It is never negative; an illegal move gives everything away."""
        lower, upper = dict(self.moves).get(move, (0.0, 0.0))
        return max(0.0, self.bounds[0] - upper), max(0.0, self.bounds[1] - lower)
