"""The report that is shown for an example is the one that a file with that mistake gets."""

import pytest

from core.exercises.checking import check
from core.exercises.contract import NAMES
from core.exercises.example import example_report
from core.exercises.hiding import MISTAKES
from core.exercises.judged.mistakes import mistakes
from core.exercises.said.report import report

RESET_AFTER = """
import numpy as np

def gru_cell(x, h, W, U, b):
    def sigmoid(a):
        return 1 / (1 + np.exp(-a))

    d = h.shape[-1]
    inputs = x @ W + b
    r = sigmoid(inputs[..., :d] + h @ U[:, :d])
    z = sigmoid(inputs[..., d : 2 * d] + h @ U[:, d : 2 * d])
    n = np.tanh(inputs[..., 2 * d :] + r * (h @ U[:, 2 * d :]))
    return (1 - z) * n + z * h
"""


@pytest.mark.parametrize("name", NAMES)
def test_the_report_names_the_mistake_and_no_other(name):
    titles = {mistake.key: mistake.title for mistake in mistakes(name)}
    for key in MISTAKES[name]:
        said = " ".join(example_report(name, key).split())
        assert said.startswith(f"{name}.py {name}: WRONG")
        assert f"Mistake: {titles[key]}." in said
        assert said.count("Mistake: ") == 1


def test_it_is_the_report_on_a_file_with_that_mistake(tmp_path):
    path = tmp_path / "gru_cell.py"
    path.write_text(RESET_AFTER, encoding="utf-8")
    said = report("gru_cell.py", check(path), server="http://school.example")
    assert said.count("http://school.example/app?lab=cells") == 1
    assert said.replace("http://school.example", "") == example_report("gru_cell", "reset_after")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [72, 80])
def test_its_lines_keep_to_a_width_but_for_the_address(name, width):
    wide, narrow = (example_report(name, MISTAKES[name][0], *given) for given in ((), (width,)))
    lines = [line for line in narrow.splitlines() if "http" not in line]
    assert max(map(len, lines)) <= width < max(map(len, wide.splitlines()))
    # Of the table, which stands before the mistake, a remark at a line's end may be cut.
    said = [" ".join(text[text.index("Mistake:") :].split()) for text in (wide, narrow)]
    assert said[0] == said[1]


@pytest.mark.parametrize(("name", "key"), [("gru", "reset_after"), ("gru_cell", "transpose_missing")])
def test_another_name_or_mistake_is_refused(name, key):
    with pytest.raises(ValueError, match="must be one of"):
        example_report(name, key)
