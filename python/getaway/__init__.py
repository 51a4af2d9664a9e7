"""Grid pursuit puzzles: an exact solver, and environments for learning agents whose optimum is known."""

from ._core import Board, rulesets, solve_many
from ._types import BoardError, Fault, HalfTurn, InternalError, Optimum, Replay, Solution

__all__ = [
    "Board",
    "BoardError",
    "Fault",
    "HalfTurn",
    "InternalError",
    "Optimum",
    "Replay",
    "Solution",
    "rulesets",
    "solve_many",
]
