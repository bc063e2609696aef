"""The same Python is named wherever a student or teacher reads how the exercises are called."""

import re
import warnings
from pathlib import Path

import pytest

import core
from core.exercises.calling import command, python
from core.exercises.contract import NAMES
from core.exercises.stubs import stub

README = (Path(core.__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_windows_keeps_its_python_elsewhere():
    assert python("posix") == ".venv/bin/python"
    assert python("nt") == ".venv\\Scripts\\python"
    assert command("nt") == ".venv\\Scripts\\python -m core.exercises"


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
