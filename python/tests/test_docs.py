"""Runs the examples in the README."""

import doctest
from pathlib import Path


def test_the_readme_shows_what_python_prints() -> None:
    readme = Path(__file__).parents[1] / "README.md"
    failed, tried = doctest.testfile(str(readme), module_relative=False)
    assert tried > 15 and failed == 0
