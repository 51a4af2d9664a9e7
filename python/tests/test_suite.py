"""One command reproduces the frozen suite byte for byte, and each board has its optimum."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from getaway import Board
from getaway.envs import PursuitEnv

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "puzzles" / "suite"


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make: Any = load(SUITE / "make.py")
learner: Any = load(ROOT / "python" / "examples" / "q_learning.py")


def test_the_command_makes_the_same_bytes(tmp_path: Path) -> None:
    make.make(tmp_path)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_text() for path in SUITE.glob("*.txt")}
    assert len(made) == 5 * 3 * 2


def test_no_board_is_both_for_training_and_for_testing() -> None:
    seen: dict[str, str] = {}
    for path in sorted(SUITE.glob("*.txt")):
        boards = learner.boards(path)
        assert len(boards) == make.COUNTS[path.stem.split("-")[-1]][0]
        for board in boards:
            rows = "\n".join(row for row in board.split("\n") if not row.startswith(";"))
            assert rows not in seen, (path, seen[rows])
            seen[rows] = path.name


@pytest.mark.parametrize("path", sorted(SUITE.glob("*-test.txt")), ids=lambda path: path.stem)
def test_the_optimum_in_the_header_is_that_of_the_environment(path: Path) -> None:
    for board in learner.boards(path):
        found = re.search("; expect: (.*)", board)
        assert found is not None and found[1] != "caught"
        optimum = float(found[1]) if path.name.startswith("dungeon") else 1.0
        _, info = PursuitEnv(board, limits={"timeout": 600.0}).reset(seed=1)
        assert info["value"] == pytest.approx(optimum, abs=1e-6)
        if path.name.startswith("dungeon"):
            assert Board(board).solve().probability == pytest.approx(optimum, abs=1e-6)


def test_the_learner_is_short_and_learns() -> None:
    path = ROOT / "python" / "examples" / "q_learning.py"
    assert len(path.read_text().splitlines()) <= 100
    level = learner.boards(SUITE / "jimmy-easy-test.txt")[0]
    trained, optimum = learner.rate(level, turns=400)
    untrained, _ = learner.rate(level, turns=1)
    assert untrained < trained <= optimum
