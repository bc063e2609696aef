"""Which functions of a file get a verdict: none that was meant is passed over."""

import pytest

from core.exercises.checking import check

RIGHT = """
import numpy as np
def gru_cell(x, h, W, U, b):
    n = h.shape[-1]
    sums, kept = x @ W + b, h @ U[:, :2 * n]
    r, z = np.split(1 / (1 + np.exp(-sums[..., :2 * n] - kept)), 2, axis=-1)
    new = np.tanh(sums[..., 2 * n:] + (r * h) @ U[:, 2 * n:])
    return (1 - z) * new + z * h
"""


@pytest.fixture
def verdicts(tmp_path):
    """Exercise and word of each verdict on a file that has a right gru_cell and this besides."""

    def check_text(text, name="handed.py"):
        path = tmp_path / name
        path.write_text(f"{RIGHT}\n{text}\n")
        checked = check(path)
        said = {each.exercise: each.fault.sentence if each.fault else each.right for each in checked.verdicts}
        assert said.pop("gru_cell") is True
        assert checked.right is not bool(said)
        return said

    return check_text


def test_a_file_of_one_right_function_is_right(verdicts):
    assert verdicts("") == {}
    assert verdicts("", "gru_cell.py") == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lstm_cell = None", "lstm_cell is None, not"),
        ("lstm_cell = 3", "lstm_cell is an int, not"),
        ("class Net:\n    def lstm_cell(self): pass", "a method of the class Net"),
        ("def lstm_cel(x): pass", "no function lstm_cell"),
    ],
)
def test_what_is_no_function_of_its_own_is_missing(verdicts, text, words):
    said = verdicts(text)
    assert list(said) == ["lstm_cell"]
    assert words in said["lstm_cell"]


@pytest.mark.parametrize("text", ["", "def lstm_backward(*a): pass", "def back(*a): pass"])
@pytest.mark.parametrize(
    "name",
    [
        "lstm_cell_backward.py",
        "LSTM_Cell_Backward.py",
        "a-lstm-cell-backward-2.py",
        "lstm_cell_backward (1).py",
    ],
)
def test_the_exercise_that_a_file_is_named_after_is_not_passed_over(verdicts, name, text):
    assert list(verdicts(text, name)) == ["lstm_cell_backward"]


def test_a_file_that_cannot_be_loaded_has_one_fault_whatever_its_name(tmp_path):
    (tmp_path / "gru_cell.py").write_text("1 / 0")
    checked = check(tmp_path / "gru_cell.py")
    assert checked.verdicts == ()
    assert checked.fault.kind == "exception"


@pytest.mark.parametrize(
    "line",
    [
        "return np.squeeze(gru_cell_(x, h, W, U, b))",
        "return np.squeeze(gru_cell_(x, h, W, U, b), 0) if len(x) == 1 else h",
    ],
)
def test_axes_of_length_1_may_not_be_taken_away(tmp_path, line):
    path = tmp_path / "handed.py"
    path.write_text(f"{RIGHT}\ngru_cell_ = gru_cell\ndef gru_cell(x, h, W, U, b):\n    {line}\n")
    [verdict] = check(path).verdicts
    assert not verdict.right
