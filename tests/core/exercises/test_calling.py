"""The same Python is named wherever a student or teacher reads how the exercises are called."""

import re
import sys
import warnings
from pathlib import Path

import pytest

import core
from core.exercises.calling import command, command_here, python
from core.exercises.contract import NAMES
from core.exercises.stubs import stub

README = (Path(core.__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_windows_keeps_its_python_elsewhere():
    assert python("posix") == ".venv/bin/python"
    assert python("nt") == ".venv\\Scripts\\python"
    assert command("nt") == ".venv\\Scripts\\python -m core.exercises"


def test_where_the_readmes_python_is_not_the_one_that_runs_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", "/home/a student/long-gap/.venv/bin/python")
    assert command_here("posix") == "'/home/a student/long-gap/.venv/bin/python' -m core.exercises"
    assert command_here("nt") == '"/home/a student/long-gap/.venv/bin/python" -m core.exercises'
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch()
    assert command_here("posix") == ".venv/bin/python -m core.exercises"
    monkeypatch.setattr(sys, "executable", "")
    assert command_here("nt") == ".venv\\Scripts\\python -m core.exercises"


def test_the_readme_and_every_stub_name_it():
    assert f"\n{command('posix')} new lstm_cell\n{command('posix')} check lstm_cell.py\n" in README
    for text in (README, *map(stub, NAMES)):
        assert ".venv\\Scripts" in text
        called = re.findall(r"\S+ -m \S+", text)
        assert called
        assert {line.strip("`(").split()[0] for line in called} <= {"python3", python("posix")}


@pytest.mark.parametrize("name", NAMES)
def test_a_stub_is_compiled_without_a_warning(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(stub(name), name, "exec")
