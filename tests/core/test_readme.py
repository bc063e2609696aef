"""The README's example for students runs as it stands, and can tell wrong from right."""

import re
from pathlib import Path

import core
from core import cells

README = (Path(core.__file__).parents[1] / "README.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_example_finds_the_cores_own_backward_right(capsys):
    exec(EXAMPLE, {})
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["dx", "dh", "dc", "dW", "dU", "db"]
    assert all(line.endswith(" right") for line in lines)


def test_the_example_finds_a_forgotten_path_wrong(capsys, monkeypatch):
    right = cells.lstm_cell_backward

    def without_the_cells_error(x, h, c, W, U, b, dh_new, dc_new):
        return right(x, h, c, W, U, b, dh_new, 0 * dc_new)

    monkeypatch.setattr(cells, "lstm_cell_backward", without_the_cells_error)
    exec(EXAMPLE, {})
    assert all(line.endswith(" WRONG") for line in capsys.readouterr().out.splitlines())
