"""The examples with neural networks train on the suite and measure what they lose to the optimum."""

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed")
sys.path.append(str(Path(__file__).parents[1] / "examples"))

ppo: Any = importlib.import_module("ppo")
dqn: Any = importlib.import_module("dqn")

STEPS = 300


@pytest.mark.parametrize("learner", [ppo, dqn], ids=lambda learner: learner.__name__)
def test_a_few_hundred_steps_yield_a_curve_and_the_regret_on_each_board(
    learner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dqn, "START", 0)
    result = learner.train("jimmy", seed=1, steps=STEPS)
    steps = [point[0] for point in result["curve"]]
    assert steps[0] == 0 and steps[-1] >= STEPS and steps == sorted(steps)
    assert (len(result["train"]), len(result["test"]), len(result["games"])) == (18, 9, 18)
    assert all(0 <= regret <= 1 for regret in result["train"] + result["test"])
    assert any(0 < regret for regret in result["test"])
    assert learner.train("jimmy", seed=1, steps=STEPS) == result
    assert learner.train("jimmy", seed=2, steps=STEPS) != result


def test_ppo_learns_the_easy_training_boards() -> None:
    untrained, trained = (ppo.by_level(ppo.train("jimmy", 1, steps)["train"])[0] for steps in (1, 10_000))
    assert trained < untrained / 2


def test_training_boards_and_test_boards_differ() -> None:
    assert not {*ppo.texts("jimmy", "train")} & {*ppo.texts("jimmy", "test")}


def test_a_finished_game_gives_no_advantage_to_the_game_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ppo, "ROLLOUT", 3)
    rollout = {
        "rewards": torch.tensor([[0.0], [1.0], [0.0]]),
        "values": torch.tensor([[0.5], [0.25], [0.125]]),
        "over": torch.tensor([[False], [True], [False]]),
    }
    advantages = ppo.estimate_advantages(rollout, torch.tensor([100.0])).flatten().tolist()
    later = 0.99 * 100 - 0.125
    assert advantages == pytest.approx([0.99 * 0.25 - 0.5 + 0.99 * 0.95 * 0.75, 0.75, later])


def test_the_runner_is_the_first_cell_wherever_it_stands() -> None:
    network = ppo.Network("jimmy")
    board = np.zeros((2, 2, 3, 4), np.uint8)
    board[0, :, 1, 2] = board[1, :, 2, 3] = (ord("o"), 1)
    board[0, 0, 1, 3] = board[1, 0, 2, 2] = ord("g")
    cells = network.centre(board)
    assert cells[:, 0, 0].tolist() == [[ord("o"), 1]] * 2
    assert cells[0, 0, 1, 0] == cells[1, 0, -1, 0] == ord("g")


@pytest.mark.parametrize(
    "rows, move, way",
    [
        ([".....", ".....", "..o..", ".....", "....."], "R", "nearer"),
        ([".....", ".....", ".o...", ".....", "....."], "R", "farther"),
        (["P.K.E"], "R", "nearer"),
        (["R.*"], "1", "nearer"),
        (["K.P.E"], "R", "farther"),
        (["..P.E"], ".", "waits"),
        (["....*", "..H..", "....."], "q", "sideways"),
    ],
)
def test_a_move_aims_nearer_to_the_goal_or_not(rows: list[str], move: str, way: str) -> None:
    glyphs = np.array([list(row.encode()) for row in rows], np.uint8)
    assert ppo.heading(glyphs, move) == way
