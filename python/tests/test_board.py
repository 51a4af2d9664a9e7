"""Tests reading, solving, replaying, pickling and drawing boards."""

import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import getaway
from getaway import Board, BoardError, Solution, solve_many

PUZZLES = Path(__file__).parents[2] / "puzzles"
SIMPLE = "###\n#o.\n###\n"
DUNGEON = (PUZZLES / "dungeon" / "42-two-ghosts-and-their-cooldowns.txt").read_text()


def boards_in(folder: str) -> list[Path]:
    return sorted((PUZZLES / folder).glob("*.txt"))


def command(*args: str, text: str = "") -> str:
    """Returns the output of the installed command."""
    program = Path(sys.executable).with_name("getaway")
    run = subprocess.run([program, *args], input=text, capture_output=True, text=True)
    return run.stdout


@pytest.mark.parametrize("ruleset", ["jimmy", "baddies", "maze", "dungeon", "theseus"])
def test_answers_are_those_of_the_program(ruleset: str) -> None:
    compared = 0
    for path in boards_in(ruleset):
        answers = command("check", "--json", "--no-timing", str(path)).splitlines()
        if len(answers) != 1 or "error" in answers[0]:
            continue
        answer = json.loads(answers[0])
        solution = Board(path.read_text()).solve()
        for key, value in answer.items():
            if key in ("moves", "steps") or not hasattr(solution, key):
                continue
            wanted = tuple(value) if key == "bounds" else value
            assert getattr(solution, key) == wanted, (path, key)
        if solution.moves is not None:
            assert solution.moves == answer["moves"]
        compared += 1
    assert compared >= 10


def test_a_shortest_line_is_found_and_replayed() -> None:
    board = Board((PUZZLES / "theseus" / "01-a-maze.txt").read_text())
    solution = board.solve(shortest=True)
    assert solution.moves is not None and solution.length == 33
    replay = board.replay(solution.moves)
    assert (replay.ending, replay.turns) == ("escaped", 33)
    assert replay.halves == board.replay("".join(solution.moves)).halves
    assert replay.halves[0].who == "Theseus" and replay.halves[1].move is None
    assert board.replay("U").ending == "open"
    assert Board(SIMPLE).replay("L").ending == "illegal"


def test_moves_of_a_dungeon_may_stand_together() -> None:
    board = Board("; ruleset: dungeon\n------\n|P..E|\n------\n")
    for moves in ("RRR", "R R R", ["R", "R", "R"]):
        assert board.replay(moves).ending == "escaped"


def test_faults_have_places() -> None:
    with pytest.raises(BoardError) as raised:
        Board("; ruleset: jimmy\n#####\n#oo.#\n#..?#\n#####\n")
    faults = raised.value.faults
    assert [(fault.line, fault.column) for fault in faults] == [(3, 3), (4, 4)]
    assert all(fault.message and fault.help for fault in faults)
    assert str(raised.value).startswith("line ")


LEVEL = {"ruleset": "dungeon", "rows": ["-------", "|P.Z.E|", "|.....|", "-------"]}
ROWS = ["###", "#o.", "###"]


@pytest.mark.parametrize(
    "board, spots",
    [
        # Rows and columns, from 1, also behind characters with escapes in JSON.
        ({"ruleset": "jimmy", "rows": ["oo"]}, [(1, 2)]),
        ({"rows": ["#####", "#oo.#", "#..?#", "####"], "ruleset": "jimmy"}, [(2, 3), (3, 4), (4, 5)]),
        ({"rows": ['"\t\\é?', "o...."], "ruleset": "jimmy"}, [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5)]),
        ({"rows": ["#o.", 5]}, [(2, 1)]),
        ({"rows": ["#o.", "\ud800"]}, [(2, 1)]),
        ({"Rows": ["#o.", None]}, [(2, 1)]),
        ({"ruleset": "maze", "rows": [[1, 0, 0], [0, 10, "x"]]}, [(2, 3)]),
        ({"ruleset": "maze", "rows": [[1, 0], [0, 10, 0]]}, [(2, 3)]),
        # Keys.
        ({}, ["rows"]),
        ({"row": ROWS}, ["rows"]),
        ({"rows": []}, ["rows"]),
        ({"rows": "no list"}, ["rows"]),
        ({"rows": None}, ["rows"]),
        ({"rows": {"a": 1}}, ["rows"]),
        ({"rows": ROWS, "Rows": ROWS}, ["Rows"]),
        ({"name": "a", "Name": "b", "rows": ROWS}, ["Name"]),
        ({"rows": ROWS, "name": {}}, ["name"]),
        ({"name": "\ud800", "rows": ROWS}, ["name"]),
        ({"rows": ROWS, "expect": ["a", 1]}, ["expect"]),
        ({"name": '"é', "seed": -1, "rows": ROWS}, ["seed"]),
        ({"rows": ROWS, "ruleset": "jimy"}, ["ruleset"]),
        ({"rows": ROWS, "ruleset": "jimmy", "things": []}, ["things"]),
        ({**LEVEL, "strategy": "x"}, ["strategy"]),
        ({**LEVEL, "things": 5}, ["things"]),
        ({"things": [{"glyph": "K", "at": [1, 2]}, {"glyph": "K", "at": [9, 3]}], **LEVEL}, ["things[1]"]),
        ({**LEVEL, "things": [7, {"glyph": "x", "at": [1, 2]}]}, ["things[0]", "things[1]"]),
        ({"rows": ["oo"], "ruleset": "jimmy", "seed": "x"}, ["seed"]),
        ({"rows": ROWS, "revisitt": "on"}, ["revisitt"]),
        ({**LEVEL, "goals": "all", "revisit": "on"}, ["goals", "revisit"]),
    ],
)
def test_faults_of_a_dictionary_name_a_row_and_a_column_or_a_key(board, spots) -> None:  # type: ignore[no-untyped-def]
    def name(spot: str | tuple[int, int]) -> str:
        return f"`{spot}`: " if isinstance(spot, str) else f"row {spot[0]}, column {spot[1]}: "

    with pytest.raises(BoardError) as raised:
        Board(MappingProxyType(board))
    error = raised.value
    assert [fault.key or (fault.line, fault.column) for fault in error.faults] == spots
    assert str(error).startswith(name(spots[0])) and "line 1" not in str(error)
    other = solve_many([SIMPLE, board])[1]
    assert isinstance(other, BoardError)
    assert (str(other), other.faults) == (str(error), error.faults)
    assert pickle.loads(pickle.dumps(error)).faults == error.faults


def test_faults_of_a_dictionary_name_other_places_too() -> None:
    boards: list[tuple[dict[str, Any], str]] = [
        ({"ruleset": "jimmy", "rows": ["o", "o"]}, "two Jimmys: the first is at row 1, column 1"),
        ({**LEVEL, "things": [{"glyph": "E", "at": [1, 2]}]}, "two exits: the first is at row 2, column 6"),
        (
            {**LEVEL, "things": [{"glyph": "K", "at": [1, 2]}, {"glyph": "K", "at": [1, 3]}]},
            "two keys: the first is at `things[0]`",
        ),
    ]
    for board, message in boards:
        with pytest.raises(BoardError) as raised:
            Board(board)
        assert raised.value.faults[0].message == message


@pytest.mark.parametrize("value", [{"#o."}, [b"#o."], float("nan"), object()], ids=str)
def test_a_value_that_json_lacks_is_an_error_that_names_the_key(value: object) -> None:
    board: dict[str, object] = {"rows": ROWS, "seed": value}
    with pytest.raises((TypeError, ValueError), match="^`seed`: "):
        Board(board)
    with pytest.raises((TypeError, ValueError), match="^`seed`: "):
        solve_many([board])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Board(1),  # type: ignore[arg-type]
        lambda: Board({1, 2}),  # type: ignore[arg-type]
        lambda: Board("\ud800"),
        lambda: Board(SIMPLE).replay("?"),
        lambda: Board(SIMPLE).replay(3),  # type: ignore[arg-type]
        lambda: Board(SIMPLE).solve(timeout=-1),
        lambda: Board(SIMPLE).solve(timeout=float("nan")),
        lambda: Board(SIMPLE).solve(width=2),
        lambda: Board(SIMPLE).solve(max_states=-1),
        lambda: Board(DUNGEON).svg("?"),
        lambda: solve_many(3),  # type: ignore[arg-type]
        lambda: solve_many([3]),  # type: ignore[list-item]
    ],
)
def test_bad_input_raises(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises((ValueError, TypeError, OverflowError)):
        wrong()


def test_a_dictionary_is_a_board() -> None:
    board = Board({"ruleset": "jimmy", "rows": ["###", "#o.", "###"], "name": "right", "author": "me"})
    assert (board.name, board.solve().moves) == ("right", ["R"])
    assert Board(board.text) == board


def test_many_boards_are_solved_in_order_on_any_number_of_threads() -> None:
    texts: list[str] = [SIMPLE, "nonsense", DUNGEON] * 20
    alone = solve_many(texts, threads=1)
    together = solve_many(texts, threads=3)
    for one, other in zip(alone, together, strict=True):
        assert str(one) == str(other)
    assert isinstance(alone[1], BoardError) and alone[1].faults
    assert alone[0] == Board(SIMPLE).solve() and isinstance(alone[2], Solution)


def test_limits_leave_boards_undecided() -> None:
    solution = Board(DUNGEON).solve(max_states=1)
    assert solution.verdict == "undecided" or solution.limit == "states"
    assert Board(DUNGEON).solve(timeout=0).limit == "time"
    limited = solve_many([DUNGEON], max_states=1)[0]
    assert isinstance(limited, Solution) and limited.limit == "states"


def hard() -> str:
    """Returns a board that takes minutes to solve."""
    rows = ["|" + "." * 38 + "|"] * 12
    rows[0] = "|P" + "." * 37 + "|"
    rows[5] = "|" + "." * 10 + "G" + "." * 8 + "G" + "." * 18 + "|"
    rows[8] = "|" + "." * 10 + "G" + "." * 8 + "Z" + "." * 8 + "G" + "." * 9 + "|"
    rows[11] = "|" + "." * 20 + "Z" + "." * 16 + "E|"
    wall = "-" * 40
    return "\n".join(["; ruleset: dungeon", "; strategy: cooldown", wall, *rows, wall, ""])


def test_ctrl_c_is_heard() -> None:
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solve_many([hard()] * 4, timeout=60)
    assert time.monotonic() - start < 30


def test_other_threads_run_during_a_search() -> None:
    turns = 0
    is_done = False

    def count() -> None:
        nonlocal turns
        while not is_done:
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    Board(hard()).solve(timeout=1)
    is_done = True
    thread.join()
    assert turns > 50


def test_boards_answers_and_errors_can_be_pickled() -> None:
    board = Board(DUNGEON)
    for value in (board, board.solve(), board.replay("D"), Board(SIMPLE).replay("R")):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
    error = solve_many(["nonsense"])[0]
    assert isinstance(error, BoardError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.faults) == (str(error), error.faults)
    assert hash(board) == hash(Board(DUNGEON)) and board != Board(SIMPLE)


def test_notebooks_draw_boards_and_games() -> None:
    board = Board(SIMPLE)
    assert board._repr_svg_().startswith("<svg")
    assert "<svg" in board.replay("R")._repr_svg_()
    assert board._repr_svg_() != board.replay("R")._repr_svg_()
    assert (str(board), eval(repr(board))) == (SIMPLE, board)


def test_a_panic_is_an_exception() -> None:
    script = f"""
import getaway
board = getaway.Board("; name: odd\\n" + {SIMPLE!r})
for solve in (board.solve, lambda: getaway.solve_many([board])):
    try:
        print(solve())
    except getaway.InternalError as error:
        print("caught:", error)
print(getaway.Board({SIMPLE!r}).solve().verdict)
"""
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "GETAWAY_TEST_PANIC": "odd"},
        cwd=Path(__file__).parent,  # where the package is the installed one
        capture_output=True,
        text=True,
    )
    lines = run.stdout.splitlines()
    assert run.returncode == 0 and lines[-1] == "escape", run.stderr
    if not lines[0].startswith("Solution"):  # a release build has no panics on purpose
        assert [line.startswith("caught: internal error") for line in lines[:2]] == [True, True]


def test_the_command_is_the_program(tmp_path: Path) -> None:
    assert command("solve", "--shortest", "-", text=SIMPLE) == "escape in 1 move: R\n"
    made = command("generate", "theseus", "--rows", "4", "--seed", "1")
    assert "; made by: getaway generate theseus --rows 4 --seed 1\n" in made
    resumed = ("check", "--resume", str(tmp_path / "state"), str(PUZZLES / "jimmy"))
    assert "0 mismatched" in command(*resumed) and "0 mismatched" in command(*resumed)
    program = Path(sys.executable).with_name("getaway")
    for args, code in ((["solve", "-"], 2), (["solve", "--bogus"], 2), (["--version"], 0)):
        run = subprocess.run([program, *args], input="?", capture_output=True, text=True)
        assert run.returncode == code
    module = [sys.executable, "-m", "getaway", "solve", "-"]
    caught = "#####\n#o#g#\n#####\n"
    assert subprocess.run(module, input=caught, capture_output=True, text=True).returncode == 1


def test_the_rules_are_known() -> None:
    assert [name for name, _, _ in getaway.rulesets()] == [
        "jimmy",
        "baddies",
        "maze",
        "dungeon",
        "theseus",
    ]
