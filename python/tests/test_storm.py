"""Storm, an independent model checker, reads the boards that `convert` writes and agrees with the answers.

Skipped without `stormpy`. Storm computes small models with fractions, so their values are exact. For the others, where
that would take hours, it computes sound bounds within a relative error of 0.000001.
"""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from getaway import Board

stormpy = pytest.importorskip("stormpy")
storm_io = pytest.importorskip("stormpy.io")

EXACT = 3_000
"""The number of states up to which Storm computes with fractions."""

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("getaway")


def texts(path: Path) -> list[str]:
    """Returns the boards of a file, each as text or as a line of JSON."""
    if path.suffix == ".jsonl":
        return [line for line in path.read_text().splitlines() if line.strip()]
    return path.read_text().strip().split("\n\n")


def boards(*paths: Path) -> list[object]:
    numbered = ((path, *each) for path in paths for each in enumerate(texts(path)))
    return [pytest.param(text, id=f"{path.stem}-{number}") for path, number, text in numbered]


def model_of(text: str, folder: Path) -> Path | None:
    """Returns the board as a model, or `None` if it has too many states."""
    ending = ".jsonl" if text.startswith("{") else ".txt"
    board, model = folder / f"board{ending}", folder / "model.drn"
    board.write_text(text)
    args = map(str, (PROGRAM, "convert", "--max-states", 2_000_000, board, model))
    run = subprocess.run(list(args), capture_output=True, text=True)
    if run.returncode == 3 or "states, and at most 2000000 can be written" in run.stderr:
        return None
    assert run.returncode == 0, run.stderr
    return model


def best_value(path: Path) -> tuple[Fraction, Fraction]:
    """Returns bounds on the greatest probability of escape, as Storm computes them."""
    _, _, counts = path.read_text().partition("@nr_states\n")
    numbers = stormpy.Rational if int(counts.split()[0]) <= EXACT else float
    options = storm_io.DirectEncodingParserOptions()
    options.build_choice_labeling = True
    model = stormpy.build_model_from_drn[numbers](str(path), options=options)
    assert model.has_choice_labeling()
    labels = set(model.labeling.get_labels())
    assert {"init", "escape", "caught"} <= labels
    formula = stormpy.parse_properties('Pmax=? [F "escape"]')[0]
    bounds = stormpy.model_checking(model, formula)[model.initial_states[0]]
    lower, upper = (Fraction(str(bound)) for bound in (bounds.lower, bounds.upper))
    assert lower <= upper <= lower + (Fraction(0) if numbers is not float else Fraction(1, 100_000))
    return lower, upper


DUNGEONS = boards(
    *sorted((ROOT / "puzzles" / "dungeon").glob("*.txt")), ROOT / "tests" / "cases" / "dungeon.jsonl"
)


@pytest.mark.parametrize("text", DUNGEONS)
def test_storms_value_of_a_dungeon_lies_within_the_bounds(text: str, tmp_path: Path) -> None:
    solution = Board(text).solve(timeout=60)
    if solution.bounds is None:
        pytest.skip("a board without exactly one player has no answer")
    model = model_of(text, tmp_path)
    if model is None:
        pytest.skip("more than 2 million states")
    lower, upper = map(Fraction, solution.bounds)
    least, most = best_value(model)
    assert lower <= most and least <= upper


DETERMINISTIC = boards(
    *(
        path
        for ruleset in ("jimmy", "baddies", "theseus")
        for path in sorted((ROOT / "puzzles" / ruleset).glob("*.txt"))
        if path.read_text().count("\n\n") == 0 and path.stat().st_size < 900
    )
)


@pytest.mark.parametrize("text", DETERMINISTIC)
def test_storm_finds_a_sure_escape_exactly_where_there_is_one(text: str, tmp_path: Path) -> None:
    model = model_of(text, tmp_path)
    if model is None:
        pytest.skip("more than 2 million states")
    value = Fraction(Board(text).solve().verdict == "escape")
    assert best_value(model) == (value, value)
