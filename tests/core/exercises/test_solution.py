"""The answers: they are core's own lines, whole, and stand in no stub."""

import ast
import builtins
import inspect

import pytest

from core.exercises.contract import NAMES
from core.exercises.solution import solution
from core.exercises.stubs import stub
from core.gru_cell import gru_cell, pre_activations
from core.lstm_cell import lstm_cell, lstm_cell_backward, lstm_pull_back
from core.rnn_lm import rnn_bptt, rnn_forward


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        ("rnn_forward", [rnn_forward]),
        ("rnn_bptt", [rnn_bptt]),
        ("lstm_cell", [lstm_cell]),
        ("lstm_cell_backward", [lstm_cell_backward, lstm_pull_back]),
        ("gru_cell", [gru_cell, pre_activations]),
    ],
)
def test_a_solution_holds_the_lines_of_core(name, functions):
    text = solution(name)
    for function in functions:
        assert inspect.getsource(function).strip() in text
        assert f"# {function.__module__.replace('.', '/')}.py\n" in text


@pytest.mark.parametrize("name", NAMES)
def test_it_explains_before_it_shows_and_fits_a_terminal(name):
    said, _, source = solution(name).partition("\n# core/")
    assert len(said.split()) > 60
    assert max(map(len, said.splitlines())) <= 100
    assert f"def {name}(" in source


def test_the_backward_can_be_read_on_its_own():
    """Whatever of core its lines call is there too, but for checks of arguments and warnings."""
    code = ast.parse(solution("lstm_cell_backward").partition("# core/")[2].partition("\n")[2])
    calls = [node.func for node in ast.walk(code) if isinstance(node, ast.Call)]
    called = {function.id for function in calls if isinstance(function, ast.Name)}
    shown = {node.name for node in code.body}
    assert {"outer_sum", "batch_sum", "sigmoid_slope", "tanh_slope", "LSTMSlopes"} <= shown
    assert called - shown - set(dir(builtins)) == {"step_arguments", "state_like", "_numbers"}


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_an_answer_stands_in_a_stub(name):
    """Lines of equations in docstrings, and the signature, are what both may have."""
    code = solution(name).partition("# core/")[2]
    answers = {line.strip() for line in code.splitlines() if line.strip().startswith(("return ", "for "))}
    assert answers
    assert not answers & {line.strip() for line in stub(name).splitlines()}


def test_another_name_is_refused():
    with pytest.raises(ValueError, match="name must be one of rnn_forward"):
        solution("rnn")
