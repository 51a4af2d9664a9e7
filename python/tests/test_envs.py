"""Tests the environments for Gymnasium and PettingZoo."""

import random
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import parallel_api_test, parallel_seed_test

import getaway
from getaway.envs import PursuitEnv, PursuitVectorEnv
from getaway.zoo import PursuitParallelEnv

PUZZLES = Path(__file__).parents[2] / "puzzles"
RULESETS = ["Jimmy", "Baddies", "Maze", "Dungeon", "Theseus"]
SIMPLE = "###\n#o.\n###\n"
APART = "; ruleset: dungeon\n; goal: all\n-------\n|P....|\n|.P..Z|\n|....E|\n-------\n"
LED = [
    APART,
    (PUZZLES / "dungeon" / "42-two-ghosts-and-their-cooldowns.txt").read_text(),
    (PUZZLES / "baddies" / "18-lure-the-bat-into-the-abyss.txt").read_text(),
    (PUZZLES / "baddies" / "35-lure-them-all.txt").read_text(),
]


MAKE = "print(gymnasium.make('getaway/Pursuit-v0', board='o\\n').unwrapped.moves)"
MOVES = "['U', 'D', 'L', 'R']\n"


@pytest.mark.parametrize(
    "script, output",
    [
        (f"import getaway, gymnasium; {MAKE}", MOVES),
        (f"import gymnasium, getaway; {MAKE}", MOVES),
        (f"import gymnasium, getaway; gymnasium.register_envs(getaway); {MAKE}", MOVES),
        (f"import getaway.envs, gymnasium; {MAKE}", MOVES),
        (f"import getaway.zoo, gymnasium; {MAKE}", MOVES),
        ("import gymnasium; print(gymnasium.make('getaway:getaway/Jimmy-v0').unwrapped.moves)", MOVES),
        ("import gymnasium; print(gymnasium.make_vec('getaway:getaway/Maze-v0', 3).num_envs)", "3\n"),
        # Those who only solve don't wait for Gymnasium, and need not have it.
        ("import sys, getaway; print({'gymnasium', 'numpy'} & {*sys.modules})", "set()\n"),
        ("import sys; sys.modules['gymnasium'] = None; import getaway; print(getaway.Board('o').ruleset)", "jimmy\n"),
    ],
)
def test_a_fresh_interpreter_knows_the_environments(script: str, output: str, tmp_path: Path) -> None:
    run = [sys.executable, "-W", "error", "-c", script]
    result = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
    assert (result.stdout, result.stderr) == (output, "")


def make(name: str, **arguments: Any) -> PursuitEnv:
    env = gymnasium.make(f"getaway/{name}-v0", **arguments).unwrapped
    assert isinstance(env, PursuitEnv)
    return env


def puzzle(path: str) -> str:
    return (PUZZLES / path).read_text()


@pytest.mark.parametrize("name", RULESETS)
def test_gymnasium_finds_no_fault(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(name), skip_render_check=True)
        check_env(make(name, render_mode="ansi"))
    assert make(name).reset(seed=1)[1]["value"] == 1.0


def test_an_environment_shows_the_board() -> None:
    env = make("Pursuit", board=SIMPLE, render_mode="ansi")
    observation, info = env.reset(seed=1)
    assert env.render() == "###\n#o.\n###" and bytes(observation[0, 1]) == b"#o."
    assert observation[1].tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert info["action_mask"].tolist() == [0, 0, 0, 1]
    kept = observation.copy()
    env.step(np.int64(3))
    assert (observation == kept).all()


def test_an_illegal_action_loses_and_an_unknown_one_raises() -> None:
    env = make("Pursuit", board=SIMPLE)
    env.reset(seed=1)
    for action in (-1, 4, 2**40):
        with pytest.raises(ValueError):
            env.step(np.int64(action))
    with pytest.raises((ValueError, TypeError)):
        env.step("U")  # type: ignore[arg-type]
    _, reward, terminated, truncated, info = env.step(np.int64(0))
    assert (reward, terminated, truncated, info["reason"]) == (0.0, True, False, "illegal move")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(3))


def test_bad_boards_raise() -> None:
    with pytest.raises(getaway.BoardError):
        make("Pursuit", board="nonsense")
    wrong: list[dict[str, Any]] = [
        {"boards": []},
        {},
        {"boards": [SIMPLE, LED[0]]},
        {"board": "?"},
    ]
    for arguments in wrong:
        with pytest.raises(ValueError):
            PursuitVectorEnv(4, **arguments)
    with pytest.raises(ValueError):
        PursuitVectorEnv(0, board=SIMPLE)
    envs = PursuitVectorEnv(2, board=SIMPLE)
    envs.reset(seed=1)
    for actions in ([1], [1, 2, 3], [0, 4], [-1, 0]):
        with pytest.raises(ValueError):
            envs.step(np.array(actions))
    with pytest.raises(ValueError):
        envs.reset(seed=[1])


def play(envs: PursuitVectorEnv, steps: int) -> bytes:
    """Returns the results of games with seeded random actions, at least half of them legal."""
    rng = np.random.default_rng(5)
    observations, info = envs.reset(seed=9)
    told = [observations.tobytes(), info["action_mask"].tobytes()]
    for step in range(steps):
        chances = rng.random(info["action_mask"].shape) + step % 2 * info["action_mask"]
        *arrays, info = envs.step(chances.argmax(axis=1))
        told += [array.tobytes() for array in arrays] + [info["action_mask"].tobytes()]
    return b"".join(told)


@pytest.mark.parametrize("name", RULESETS)
def test_a_seed_gives_the_same_bytes_on_any_number_of_threads(name: str) -> None:
    def bytes_with(threads: int, copy: bool) -> bytes:
        envs = gymnasium.make_vec(f"getaway/{name}-v0", num_envs=37, threads=threads, copy=copy)
        assert isinstance(envs, PursuitVectorEnv)
        return play(envs, 60)

    first = bytes_with(1, True)
    assert all(bytes_with(threads, threads != 3) == first for threads in (1, 2, 3, 8))


@pytest.mark.parametrize("name", RULESETS)
def test_a_vector_environment_plays_as_single_ones_do(name: str) -> None:
    envs = gymnasium.make_vec(f"getaway/{name}-v0", num_envs=5, max_episode_steps=7)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    singles = [gymnasium.make(f"getaway/{name}-v0", max_episode_steps=7) for _ in range(5)]
    observations, infos = envs.reset(seed=3)
    results = [env.reset(seed=3 + number) for number, env in enumerate(singles)]
    was_over = [False] * 5
    rng = random.Random(1)
    for _ in range(80):
        for number, (observation, info) in enumerate(results):
            assert (observations[number] == observation).all()
            assert (infos["action_mask"][number] == info["action_mask"]).all()
        actions = [rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]]
        observations, rewards, terminations, truncations, infos = envs.step(np.array(actions))
        for number, env in enumerate(singles):
            outcome: list[Any] = [0.0, False, False]
            if was_over[number]:
                results[number] = env.reset()
            else:
                observation, *outcome, info = env.step(actions[number])
                results[number] = (observation, info)
            assert [rewards[number], terminations[number], truncations[number]] == outcome
            was_over[number] = bool(terminations[number] or truncations[number])


GHOST = """; ruleset: dungeon
-----------
|P..D.....|
|...|..G..|
|...|....E|
-----------
"""

Seeds = int | list[int | None] | None


def waiting(envs: Any, seed: Seeds) -> list[bytes]:
    """Returns what each of four games shows while the player waits for 100 turns."""
    envs.reset(seed=seed)
    wait = make("Pursuit", board=GHOST, optimum=False).moves.index(".")
    seen = [envs.step(np.full(4, wait))[0] for _ in range(100)]
    return [b"".join(each[game].tobytes() for each in seen) for game in range(4)]


def ghosts(kind: dict[str, Any]) -> Any:
    return gymnasium.make_vec("getaway/Pursuit-v0", num_envs=4, board=GHOST, optimum=False, **kind)


KINDS: list[dict[str, Any]] = [
    {},
    {"threads": 2},
    {"vectorization_mode": "vector_entry_point"},
    {"vectorization_mode": "sync"},
    {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": AutoresetMode.SAME_STEP}},
    {"vectorization_mode": "async"},
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_game_without_a_seed_begins_with_entropy(kind: dict[str, Any]) -> None:
    unseeded: list[Seeds] = [None, [None] * 4, [1, None, None, None]]
    for seed in unseeded:
        games = waiting(ghosts(kind), seed) + waiting(ghosts(kind), seed)
        distinct = 8 if seed is None or isinstance(seed, list) and seed[0] is None else 7
        assert len(set(games)) == distinct
    first = waiting(ghosts(kind), [1, None, None, None])[0]
    assert first == waiting(ghosts(kind), [1, 2, 3, 4])[0] == waiting(ghosts(kind), 1)[0]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_game_without_a_new_seed_continues_its_random_numbers(kind: dict[str, Any]) -> None:
    def twice(seed: Seeds) -> list[bytes]:
        envs = ghosts(kind)
        return waiting(envs, 7) + waiting(envs, seed)

    assert twice(None) == twice([None] * 4) == twice(None)
    assert twice([None, 1, None, 1])[4::2] == twice(None)[4::2]


def test_a_step_needs_a_reset() -> None:
    envs = PursuitVectorEnv(4, board=GHOST)
    with pytest.raises(ValueError):
        envs.reset(seed=[1, None])
    steps: list[Callable[[], Any]] = [
        lambda: envs.step(np.zeros(4, np.int64)),
        lambda: PursuitEnv(GHOST).step(np.int64(0)),
        lambda: PursuitParallelEnv(GHOST).step({"runner": 0}),
    ]
    for step in steps:
        with pytest.raises(gymnasium.error.ResetNeeded):
            step()


def test_boards_of_several_sizes_share_a_vector_environment() -> None:
    texts = [SIMPLE, "###\n#o#\n#.#\n#.#\n"]
    envs = gymnasium.make_vec("getaway/Pursuit-v0", num_envs=3, boards=texts)
    observations, info = envs.reset(seed=1)
    assert observations.shape == (3, 2, 4, 3)
    assert observations[0, 0, 3].tolist() == [0, 0, 0]
    assert info["value"].tolist() == [1.0, 1.0, 1.0]
    assert info["bounds"].tolist() == [[1.0, 1.0]] * 3


BOARDS = [
    "jimmy/01-source-left-up-left.txt",
    "jimmy/09-source-dead-end.txt",
    "jimmy/02-source-already-on-the-border.txt",
    "baddies/18-lure-the-bat-into-the-abyss.txt",
    "theseus/01-a-maze.txt",
    "theseus/14-a-minotaur-of-stone.txt",
    "dungeon/27-lucky-teleport.txt",
    "dungeon/39-two-kinds-of-patience.txt",
    "dungeon/42-two-ghosts-and-their-cooldowns.txt",
]


@pytest.mark.parametrize("path", BOARDS)
def test_the_optimum_is_that_of_solve_and_no_regret_is_negative(path: str) -> None:
    env = make("Pursuit", board=puzzle(path))
    solution = getaway.Board(puzzle(path)).solve()
    bounds = solution.bounds or (float(solution.verdict == "escape"),) * 2
    rng = random.Random(path)
    for seed in range(6):
        _, info = env.reset(seed=seed)
        assert info["bounds"] == env.optimal().bounds
        assert info["bounds"][0] <= bounds[1] and bounds[0] <= info["bounds"][1]
        if bounds[1] - bounds[0] <= 1e-6:
            assert info["value"] == pytest.approx((bounds[0] + bounds[1]) / 2, abs=2e-6)
        for _ in range(15):
            optimum = env.optimal()
            regrets = {move: optimum.regret(move) for move, _ in optimum.moves}
            for move, (lower, upper) in regrets.items():
                assert 0 <= lower <= upper + 1e-12, (move, optimum)
            if regrets:
                assert optimum.move is not None and regrets[optimum.move][0] == 0
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            _, _, terminated, _, info = env.step(action)
            if terminated:
                assert env.optimal().bounds in ((0.0, 0.0), (1.0, 1.0))
                break


def test_best_play_earns_the_optimum() -> None:
    env = make("Pursuit", board=puzzle("dungeon/27-lucky-teleport.txt"))
    _, info = env.reset(seed=1)
    wins, games = 0, 400
    for _ in range(games):
        is_over, turns = False, 0
        while not is_over and turns < 200:
            action = env.moves.index(env.optimal().move or "")
            _, reward, is_over, _, _ = env.step(np.int64(action))
            turns += 1
        wins += int(reward)
        env.reset()
    lower, upper = info["bounds"]
    assert lower - 0.1 <= wins / games <= upper + 0.1


def test_a_maze_has_an_optimum() -> None:
    env = make("Pursuit", board="; ruleset: maze\nR.*\n")
    assert env.reset(seed=1)[1]["value"] == 1.0
    assert env.optimal().move == "1"
    assert make("Maze", limits={"max_states": 10}).reset(seed=1)[1]["bounds"] == (0.0, 1.0)


def test_the_optimum_can_be_left_out() -> None:
    _, info = make("Pursuit", board=LED[0], optimum=False).reset(seed=1)
    assert list(info) == ["action_mask"]


@pytest.mark.parametrize("board", LED)
def test_pettingzoo_finds_no_fault(board: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(PursuitParallelEnv(board), num_cycles=300)
    parallel_seed_test(lambda: PursuitParallelEnv(board), num_cycles=50)


@pytest.mark.parametrize("most_turns", [4, 1000])  # truncated games, and finished ones
@pytest.mark.parametrize("turns", [2, 1000])  # after two turns, and to the end
def test_a_seed_determines_all_following_games(most_turns: int, turns: int) -> None:
    def games(seed: int | None) -> list[Any]:
        env = PursuitParallelEnv(GHOST, most_turns=most_turns)
        env.reset(seed=seed)
        rng, seen = random.Random(1), []
        for _ in range(40):
            for _ in range(turns):
                if not env.agents:
                    break
                views, *results = env.step({"runner": rng.randrange(5)})
                seen.append((bytes(views["runner"]["observation"]), results))
            env.reset()
        return seen

    assert games(3) == games(3) != games(4)
    assert games(None) != games(None)


def test_a_finished_game_needs_a_reset() -> None:
    env = PursuitParallelEnv(GHOST, most_turns=1)
    env.reset(seed=1)
    env.step({"runner": env.names("runner").index(".")})
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step({"runner": 0})


def test_led_chasers_obey() -> None:
    board = "; ruleset: dungeon\n-------\n|P...Z|\n-------\n"
    env = PursuitParallelEnv(board, render_mode="ansi")
    views, _ = env.reset(seed=1)
    assert env.agents == ["runner", "zombie_0"] and env.names("zombie_0") == ["U", "D", "L", "R", "."]
    assert views["zombie_0"]["action_mask"].tolist() == [0, 0, 1, 0, 1]
    env.step({"runner": 0, "zombie_0": 4})
    assert env.render() == "-------\n|P...Z|\n-------"
    for _ in range(4):
        _, rewards, terminations, _, _ = env.step({"runner": 0, "zombie_0": 2})
    assert rewards == {"runner": 0.0, "zombie_0": 1.0} and all(terminations.values())
    assert env.agents == []


def test_players_keep_their_names_and_move_in_reading_order() -> None:
    env = PursuitParallelEnv(APART, render_mode="ansi")
    views, _ = env.reset(seed=1)
    assert env.agents == ["runner_0", "runner_1", "zombie_0"]
    wait, up, down, left, right = range(5)
    assert env.names("runner_1") == [".", "U", "D", "L", "R"]
    assert views["runner_0"]["action_mask"].tolist() == [1, 0, 1, 0, 1]
    assert views["runner_1"]["action_mask"].tolist() == [1, 1, 1, 1, 1]
    env.step({"runner_0": right, "runner_1": up, "zombie_0": 4})  # runner_1 finds the tile taken
    assert env.render() == "-------\n|.P...|\n|.P..Z|\n|....E|\n-------"
    env.step({"runner_0": wait, "runner_1": left, "zombie_0": 4})
    env.step({"runner_0": wait, "runner_1": up, "zombie_0": 4})  # from now on, runner_1 moves first
    views, *_ = env.step({"runner_0": down, "runner_1": wait, "zombie_0": 4})
    assert env.render() == "-------\n|P....|\n|.P..Z|\n|....E|\n-------"
    assert views["runner_1"]["action_mask"].tolist() == [1, 0, 1, 0, 1]


def test_one_player_at_a_time_earns_the_joint_optimum() -> None:
    env = make("Pursuit", board=puzzle("dungeon/47-a-decoy-for-the-ghost.txt").split("\n\n")[0])
    wins = 0
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        assert info["value"] == 1.0 and sorted(set(observation[1].flat)) == [0, 1, 2]
        is_over = False
        while not is_over:
            action = env.moves.index(env.optimal().move or "")
            observation, reward, is_over, _, _ = env.step(np.int64(action))
        wins += int(reward)
    assert wins == 20


def test_boards_that_nobody_can_lead_are_refused() -> None:
    for board in (SIMPLE, "nonsense"):
        with pytest.raises(ValueError):
            PursuitParallelEnv(board)
