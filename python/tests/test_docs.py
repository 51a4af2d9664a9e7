"""Runs each example in the README in an interpreter of its own."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_readme_has_examples() -> None:
    assert len(EXAMPLES) == README.count("```python") >= 8
    assert README.count(">>> ") == "".join(EXAMPLES).count(">>> ")


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_shows_what_python_prints(example: str, tmp_path: Path) -> None:
    file = tmp_path / "example.txt"
    file.write_text(example)
    run = [sys.executable, "-m", "doctest", str(file)]
    result = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
