"""Grid pursuit puzzles: an exact solver, and environments with a known optimum for learning agents."""

from . import registration as registration
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
