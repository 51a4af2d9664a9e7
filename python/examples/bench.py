"""Measures the environments, beside FrozenLake of Gymnasium in the same run: `python examples/bench.py`.

Each figure is the best of several runs on one core, in processor time. Actions are drawn before the clock starts, so that it measures the
environments; an illegal one loses a game, which then starts again.
"""

import time
from collections.abc import Callable

import gymnasium
import numpy as np

import getaway.envs  # noqa: F401

ENVIRONMENTS = 1024
SECONDS = 0.3
RUNS = 3
RULESETS = ["jimmy", "baddies", "maze", "dungeon", "theseus"]


def rate(step: Callable[[int], None], count: int) -> float:
    """Returns the steps per second; each call of `step` makes `count` steps."""
    rates = []
    for _ in range(RUNS):
        start, calls = time.process_time(), 0
        while time.process_time() - start < SECONDS:
            for call in range(64):
                step(calls + call)
            calls += 64
        rates.append(calls * count / (time.process_time() - start))
    return max(rates)


def many(name: str, **arguments: object) -> float:
    """Returns the steps per second of a vector environment with random legal moves."""
    envs = gymnasium.make_vec(name, num_envs=ENVIRONMENTS, **arguments)
    rng = np.random.default_rng(1)
    _, info = envs.reset(seed=1)
    draws = rng.random((64, ENVIRONMENTS))
    masks = info["action_mask"]

    def step(call: int) -> None:
        nonlocal masks
        counts = np.cumsum(masks, axis=1, dtype=np.int8)
        wanted = (draws[call % 64] * counts[:, -1]).astype(np.int8)
        actions = (counts > wanted[:, None]).argmax(axis=1)
        masks = envs.step(actions)[4]["action_mask"]

    return rate(step, ENVIRONMENTS)


def single(env: gymnasium.Env) -> float:
    """Returns the steps per second of a single environment with random actions."""
    actions = np.random.default_rng(1).integers(env.action_space.n, size=4096)
    env.reset(seed=1)

    def step(call: int) -> None:
        _, _, terminated, truncated, _ = env.step(actions[call % 4096])
        if terminated or truncated:
            env.reset()

    return rate(step, 1)


def reset_time(env: gymnasium.Env) -> float:
    """Returns the microseconds of a reset with a seed."""

    def step(call: int) -> None:
        env.reset(seed=call)

    return 1e6 / rate(step, 1)


def main() -> None:
    print("| environment | 1,024 at a time, steps/s | one, steps/s | seeded reset |")
    print("| --- | --- | --- | --- |")
    for ruleset in RULESETS:
        name = f"getaway/{ruleset.capitalize()}-v0"
        env = gymnasium.make(name)
        figures = many(name), single(env), reset_time(env)
        print("| `{}` | {:,.0f} | {:,.0f} | {:.1f} µs |".format(name, *figures), flush=True)
    lake = gymnasium.make("FrozenLake-v1")
    figures = single(lake), reset_time(lake)
    print("| `FrozenLake-v1` | | {:,.0f} | {:.1f} µs |".format(*figures))


if __name__ == "__main__":
    main()
