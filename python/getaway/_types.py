"""The values that boards and environments return."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Fault:
    """A fault in a board.

    In a text, `line` and `column` count from 1. In a dictionary, they are a row and a column of `rows`, also from 1;
    for any other fault they are `None`, and `key` names the key, or an item of its list, such as `things[0]`.
    """

    message: str
    line: int | None
    column: int | None
    help: str
    key: str | None = None


class BoardError(ValueError):
    """The error for an invalid board, with all its faults."""

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message, faults)
        self.message = message
        self.faults = list(faults)

    def __str__(self) -> str:
        return self.message


Spot = tuple[str, int | None, int | None, str | None]
"""The name of a place; its line or row, and its column; its key."""


def to_json(board: Mapping[str, Any]) -> str:
    """Returns a dictionary as JSON. An error names the key."""
    fields = []
    for key, value in board.items():
        try:
            fields.append(json.dumps({key: value}, allow_nan=False)[1:-1])
        except (RecursionError, TypeError, ValueError) as error:
            raise type(error)(f"`{key}`: {error}") from error
    return "{" + ", ".join(fields) + "}"


def spot(board: Mapping[str, Any], line: int, column: int) -> Spot:
    """Finds a place in a row, numbered from 1, or in the JSON of a dictionary, as line 0."""
    if line > 0:
        row = next(value for key, value in board.items() if str(key).lower() == "rows")[line - 1]
        if not isinstance(row, str):
            column = json.dumps(row).count(",", 0, column - 1) + 1
        return f"row {line}, column {column}", line, column, None
    name, end = "rows", 1
    for key, value in board.items():
        end += len(json.dumps({key: value}))
        if not 1 < column <= end:  # a missing field has column 1
            continue
        name = str(key)
        start = end - len(json.dumps(value))
        for index, item in enumerate(value if isinstance(value, list | tuple) else ()):
            length = len(json.dumps(item))
            if start <= column < start + length:
                if name.lower() == "rows":
                    return spot(board, index + 1, 1)
                name = f"{name}[{index}]"
            start += length + 2
        break
    return f"`{name}`", None, None, name


class InternalError(RuntimeError):
    """An error caused by a bug in getaway."""


@dataclass(frozen=True)
class Solution:
    """The answer to a board. A field is `None` if the ruleset does not have it, or a limit left it undecided."""

    verdict: str
    """The verdict: `escape`, `caught`, `food`, `no-food` or `undecided`."""
    states: int
    """The number of states that the search visited."""
    moves: list[str] | None = None
    """A line of play that escapes."""
    length: int | None = None
    """The number of moves in the line."""
    probability: float | None = None
    """The probability of escape under best play, if its bounds are within 0.000001 of each other."""
    bounds: tuple[float, float] | None = None
    """Rigorous bounds on the probability."""
    certain: bool | None = None
    """`True` if some strategy always escapes within a bounded number of turns."""
    survives: bool | None = None
    """`True` if the runner can't escape but can survive forever."""
    direction: int | None = None
    """The next move in a maze, -1 to 3."""
    steps: list[tuple[int, int]] | None = None
    """The cells from the head to the food, as rows and columns from 0."""
    limit: str | None = None
    """The limit that was reached: `states`, `time`, `memory` or `interrupt`."""


@dataclass(frozen=True)
class HalfTurn:
    """A ply: the runner's move, or the moves of all chasers with `move` set to `None`."""

    turn: int
    who: str
    move: str | None
    picture: str


@dataclass(frozen=True)
class Replay:
    """A replayed game. Notebooks show it as an animation."""

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
    """One of the best moves; `None` if the game is over."""
    moves: list[tuple[str, Bounds]]
    """Each legal move with bounds on its value."""

    def regret(self, move: str) -> Bounds:
        """Returns bounds on the value that a move loses. They are never negative; an illegal move loses everything."""
        lower, upper = dict(self.moves).get(move, (0.0, 0.0))
        return max(0.0, self.bounds[0] - upper), max(0.0, self.bounds[1] - lower)
