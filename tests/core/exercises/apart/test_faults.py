"""What a student is told of an exception: one sentence, the own line, and what leads to the mend."""

import numpy as np
import pytest

from core.exercises.apart import faults
from core.exercises.apart.limits import Limits
from core.exercises.apart.running import run
from core.exercises.contract import Case

ARGUMENTS = {"x": np.ones(3), "P": {"W": np.ones((4, 5)), "b": np.ones(5)}}


@pytest.fixture
def fault(tmp_path):
    """The fault of a function lstm_cell(x, P) with this one line, the fourth of its file."""

    def run_line(line, head="def lstm_cell(x, P):"):
        path = tmp_path / "handed.py"
        path.write_text(f"import numpy as np\nGiven = 1\n{head}\n    {line}\n")
        found = run(path, {"lstm_cell": [Case("one", ARGUMENTS)]}, (), Limits(seconds=2))
        return found.fault or found.outcomes["lstm_cell"][0].fault

    return run_line


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("return x @ P['W']", ("matrix product", "not fit, 3 and 4.", "x (3,)", "P['W'] (4, 5)", "x @ W")),
        ("return x + P['b']", ("broadcast", "x (3,)", "P['b'] (5,)")),
        ("return P['W'] @ x", ("not fit, 5 and 3.", "P['W'] (4, 5), x (3,)", "x @ W")),
        ("return np.dot(x, P['W'])", ("not fit, 3 and 4.", "x (3,)", "x @ W")),
        ("return P['bias']", ("key 'bias'", "P has W, b")),
        ("return given", ("name given", "Is Given meant?")),
        ("return sigmoid(x)", ("name sigmoid", "Define it")),
        ("return x[7]", ("IndexError", "Count from 0", "x (3,)")),
        ("return 1 // 0", ("ZeroDivisionError", "division")),
        ("return np.tanh()", ("TypeError", "Count the arguments")),
        ("return x.transposed", ("AttributeError", "spelling")),
        ("return lstm_cell(x, P)", ("RecursionError", "loop over the steps")),
        ("import torch", ("imports torch", "NumPy")),
        ("from core.cells import lstm_cell", ("imports core", "answers")),
        ("from numpy import sigmoid", ("cannot import name 'sigmoid'", "spelling")),
        ("import socket; socket.socket()", ("not done here", "network")),
        ("return input()", ("EOFError", "input()")),
        ("y += 1; y = 2", ("UnboundLocalError", "later")),
        ("raise ValueError", ("a ValueError.",)),
        ("raise ValueError('mine')", ("a ValueError: mine.",)),
    ],
)
def test_an_exception_says_what_it_was_and_what_to_look_for(fault, line, words):
    found = fault(line)
    assert found.line == 4
    assert found.source == line
    for each in words:
        assert each in f"{found.sentence} {found.hint}"
    assert "Traceback" not in found.sentence


def test_rows_are_spoken_of_where_there_is_a_product(fault):
    assert "rows" in fault("return x @ P['W']").hint
    assert "rows" not in fault("return x + P['b']").hint


def test_np_without_its_import_is_known(tmp_path):
    path = tmp_path / "handed.py"
    path.write_text("def lstm_cell(x, P):\n    return np.tanh(x)\n")
    outcomes = run(path, {"lstm_cell": [Case("one", ARGUMENTS)]}).outcomes
    assert "import numpy as np" in outcomes["lstm_cell"][0].fault.hint


@pytest.mark.parametrize(
    "head", ["def lstm_cell(x):", "def lstm_cell(x, h, c):", "def lstm_cell(x, *, P):", "def lstm_cell():"]
)
def test_a_wrong_signature_is_shown_beside_the_right_one(fault, head):
    found = fault("return x", head)
    assert (found.kind, found.line, found.source) == ("signature", 3, head)
    assert "2 arguments, (x, P)" in found.sentence
    assert head.removeprefix("def ").rstrip(":") in found.sentence


@pytest.mark.parametrize("head", ["def lstm_cell(*a):", "def lstm_cell(inputs, weights, more=1):"])
def test_other_names_and_defaults_are_the_students_own(fault, head):
    assert fault("return 1", head) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def lstm_cell(x, P):\n    yield x", ("a generator", "yield", "return")),
        ("def lstm_cell(x, P): return (each for each in x)", ("a generator", "brackets")),
        ("async def lstm_cell(x, P): return x", ("an async function", "word async out")),
        ("async def lstm_cell(x, P): yield x", ("a generator", "return")),
    ],
)
def test_a_function_of_which_no_line_has_run_is_told_what_it_is(tmp_path, text, words):
    path = tmp_path / "handed.py"
    path.write_text(text)
    found = run(path, {"lstm_cell": [Case("one", ARGUMENTS)]}).outcomes["lstm_cell"][0].fault
    assert found.line == 1
    for each in words:
        assert each in f"{found.sentence} {found.hint}"


def test_syntax_is_shown_at_its_line(fault):
    found = fault("return (x")
    assert (found.kind, found.line) == ("not-python", 4)
    assert "never closed" in found.sentence


def test_an_exception_whose_text_fails_is_told_all_the_same(fault):
    line = "raise type('Own', (Exception,), {'__str__': lambda self: 1 / 0})"
    assert fault(line).sentence == "lstm_cell stopped with an Own."


@pytest.mark.parametrize(
    ("name", "functions", "near"),
    [
        ("lstm_cell", ["LSTMCell"], "LSTMCell"),
        ("lstm_cell_backward", ["lstm_cell_backwards"], "lstm_cell_backwards"),
        ("lstm_cell_backward", ["lstm_backward"], "lstm_backward"),
        ("lstm_cell_backward", ["lstm_cell_forward", "sigmoid"], None),
        ("rnn_forward", ["rnn_backward", "forward"], None),
        ("gru_cell", ["lstm_cell", "rnn_cell"], None),
    ],
)
def test_a_function_of_hardly_another_name_is_taken_for_meant(name, functions, near):
    assert faults.nearest(name, functions) == near


def test_a_missing_function_is_looked_for_among_the_others():
    fault = faults.of_missing("rnn_forward", ["forward_rnn", "rnn_fwd", "softmax"])
    assert "rnn_fwd" in fault.hint
    assert "new NAME" in faults.of_none(("gru_cell",), ["softmax"]).hint
