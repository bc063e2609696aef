"""Running a text as a student's file."""

import numpy as np
import pytest

from core.exercises.apart.limits import Limits
from core.exercises.apart.running import run
from core.exercises.contract import Case


def cases(count=2):
    """Calls of a function of a vector and of a dict of two."""
    return [
        Case(
            f"case {k}",
            {"x": np.arange(3.0) + k, "P": {"W": np.full((3, 4), k + 1.0), "b": np.arange(4.0)}},
        )
        for k in range(count)
    ]


@pytest.fixture
def ran(tmp_path):
    """Run a file of this text; its functions are called lstm_cell and gru_cell."""

    def run_text(text, *, names=("lstm_cell",), count=2, constants=()):
        path = tmp_path / "handed.py"
        path.write_text(text, encoding="utf-8")
        return run(path, {name: cases(count) for name in names}, constants)

    return run_text


@pytest.fixture
def fault_of(tmp_path):
    """The fault of the first call of a function with this body, or of the file that this head begins."""
    calls = [Case("a call", {"x": np.arange(3.0)})]

    def run_body(body, head="", hurried=False):
        path = tmp_path / "handed.py"
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        path.write_text(f"{head}\ndef lstm_cell(x):\n{lines}", encoding="utf-8")
        limits = Limits(seconds=1) if hurried else Limits()
        found = run(path, {"lstm_cell": calls}, (), limits)
        return found.fault or found.outcomes["lstm_cell"][0].fault

    return run_body
