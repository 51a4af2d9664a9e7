"""Registers the environments for `gymnasium.make`."""

import re
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from ._core import rulesets

REGISTRY = "gymnasium.envs.registration"

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
    from gymnasium.envs.registration import register, registry

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


class Registrar:
    """Registers the environments once Gymnasium is imported, whose import takes too long for those who only solve."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """Adds the registration to the import of Gymnasium's registry, which another finder finds."""
        if name != REGISTRY:
            return None
        others = [finder for finder in sys.meta_path if finder is not Registrar]
        specs = (finder.find_spec(name, path, target) for finder in others)
        spec = next(filter(None, specs), None)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            execute(module)
            register_envs()

        spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec


if REGISTRY in sys.modules:
    register_envs()
sys.meta_path.insert(0, Registrar)
