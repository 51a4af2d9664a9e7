"""Registers the environments for `gymnasium.make`."""

import re

from gymnasium.envs.registration import register, registry

from ._core import rulesets

MOST_TURNS = 1000

MAZE = """\
; ruleset: maze
R....
.aaa.
.a..*
.A...
"""
"""A board whose optimum is found at once, unlike that of the larger one in the rules."""


def example(rules: str) -> str:
    """Returns the example board in the text of the rules."""
    boards = re.findall(r"```\w*\n(; ruleset:.*?)```", rules, re.DOTALL)
    return str(boards[0])


def register_envs() -> None:
    """Registers `getaway/Pursuit-v0`, and an environment with its own board for each ruleset."""
    boards = {name.capitalize(): {"board": example(rules)} for name, _, rules in rulesets()}
    boards["Maze"]["board"] = MAZE
    for name, arguments in {"Pursuit": {}, **boards}.items():
        if f"getaway/{name}-v0" not in registry:
            register(
                id=f"getaway/{name}-v0",
                entry_point="getaway.envs:PursuitEnv",
                vector_entry_point="getaway.envs:PursuitVectorEnv",
                max_episode_steps=MOST_TURNS,
                kwargs=arguments,
            )
