"""Imports among the exercises run one way: the contract at the bottom, then three parts that do not know each other."""

import ast
from pathlib import Path

import pytest

from core import exercises

HOUSE = Path(exercises.__file__).parent
GROUND = ("calling", "contract", "links", "stubs")
PARTS = ("apart", "judged", "said")
TOP = ("solution", "hiding", "example", "checking", "folder", "command", "__main__")
"""Each may import what stands before it, and the parts may import the ground."""
MAY_IMPORT = (
    {name: set(GROUND[:number]) for number, name in enumerate(GROUND)}
    | {part: {part, *GROUND} for part in PARTS}
    | {name: {*GROUND, *PARTS, *TOP[:number]} for number, name in enumerate(TOP)}
)


def imported(path: Path) -> set[str]:
    """What stands directly below `core.exercises` of all that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name.split(".")[2] for name in names if name.startswith("core.exercises.")}


def test_every_file_has_its_place():
    there = {path.relative_to(HOUSE).parts[0].removesuffix(".py") for path in HOUSE.rglob("*.py")}
    assert there - {"__init__"} == set(MAY_IMPORT)


@pytest.mark.parametrize("name", MAY_IMPORT)
def test_imports_run_one_way(name):
    files = [*(HOUSE / name).rglob("*.py")] or [HOUSE / f"{name}.py"]
    for path in files:
        assert imported(path) <= MAY_IMPORT[name], path


def test_only_the_way_to_a_run_knows_what_is_run_apart():
    knowing = {path.stem for path in HOUSE.glob("*.py") if "apart" in imported(path)}
    assert knowing == {"checking", "folder"}
