"""The stubs: each stands alone, gives no answer away, and its example is right."""

import ast
import doctest
import re
import subprocess
import sys
import types
from functools import partial
from itertools import chain, pairwise

import numpy as np
import pytest
from mpmath import mp

from core.exercises.contract import NAMES
from core.exercises.stubs import CONSTANTS, file_name, new_file, stub
from core.gru_cell import gru_cell
from core.lstm_cell import lstm_cell, lstm_cell_backward
from core.rnn_lm import rnn_bptt, rnn_forward

RETURNED = ("loss", "hidden", "probabilities")


def plain_forward(P, ids, h0):
    trace = rnn_forward(P, ids, h0)
    return tuple(getattr(trace, name) for name in RETURNED)


REFERENCES = {
    "rnn_forward": plain_forward, "rnn_bptt": rnn_bptt, "lstm_cell": lstm_cell,
    "lstm_cell_backward": lstm_cell_backward, "gru_cell": gru_cell,
}  # fmt: skip
PARAMETERS = {
    "rnn_forward": ["P", "ids", "h0"],
    "rnn_bptt": ["P", "ids", "h0"],
    "lstm_cell": ["x", "h", "c", "W", "U", "b"],
    "lstm_cell_backward": ["x", "h", "c", "W", "U", "b", "dh_new", "dc_new"],
    "gru_cell": ["x", "h", "W", "U", "b"],
}


def module_of(name: str) -> types.ModuleType:
    """The stub, run from its text alone."""
    module = types.ModuleType(name)
    exec(compile(stub(name), file_name(name), "exec"), module.__dict__)
    return module


def example_of(name: str) -> doctest.DocTest:
    module = module_of(name)
    (found,) = doctest.DocTestFinder(recurse=False).find(
        module.__dict__[name], name, globs={"np": np, name: REFERENCES[name]}
    )
    return found


def printed(name: str) -> list[np.ndarray]:
    """The numbers that each line of the example prints."""
    wants = [example.want for example in example_of(name).examples if example.want]
    return [np.array([float(n) for n in re.findall(r"-?\d+\.?\d*", want)]) for want in wants]


@pytest.mark.parametrize("name", NAMES)
def test_a_stub_is_one_function_that_is_not_written(name):
    module = ast.parse(stub(name))
    (function,) = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    assert function.name == name
    assert [argument.arg for argument in function.args.args] == PARAMETERS[name]
    docstring, last = function.body
    assert isinstance(docstring.value, ast.Constant)
    assert ast.unparse(last) == "raise NotImplementedError"
    assert stub(name).endswith("    raise NotImplementedError\n")


@pytest.mark.parametrize("name", NAMES)
def test_a_stub_holds_the_constants_that_a_student_may_set_and_says_what_for(name):
    module = ast.parse(stub(name))
    assigned = [node for node in module.body if isinstance(node, ast.Assign)]
    assert tuple(target.id for node in assigned for target in node.targets) == CONSTANTS[name]
    comment = " ".join(line[2:] for line in stub(name).splitlines() if line.startswith("# "))
    assert "when all is right, the check gives you the address of a lab" in comment


@pytest.mark.parametrize("name", NAMES)
def test_a_stub_needs_numpy_and_nothing_else(name, tmp_path):
    new_file(name, tmp_path)
    script = (
        f"import sys; sys.modules['core'] = None; import {name}\n"
        f"assert '{name}.py' in {name}.__file__\n"
        f"try: {name}.{name}(*[None] * {len(PARAMETERS[name])})\n"
        "except NotImplementedError: print('not written')"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.stdout.strip() == "not written", run.stderr


@pytest.mark.parametrize("name", NAMES)
def test_the_example_comes_out_of_core_as_it_stands(name):
    example = example_of(name)
    report = []
    failed, tried = doctest.DocTestRunner().run(example, out=report.append)
    assert not failed, "".join(report)
    assert tried == len(example.examples) > 3


def test_the_example_of_an_unwritten_file_fails_and_of_a_written_one_is_silent(tmp_path):
    path = new_file("gru_cell", tmp_path)
    command = [sys.executable, "-m", "doctest", path.name]
    run = partial(subprocess.run, command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "NotImplementedError" in run().stdout
    body = (
        "sigmoid = lambda a: 1 / (1 + np.exp(-a))\n    r, z = (sigmoid(x @ W[:, k] + h @ U[:, k] + b[k]) "
        "for k in (slice(0, 2), slice(2, 4)))\n    n = np.tanh(x @ W[:, 4:] + (r * h) @ U[:, 4:] + b[4:])\n"
        "    return (1 - z) * n + z * h"
    )
    path.write_text(stub("gru_cell").replace("raise NotImplementedError", body), encoding="utf-8")
    assert (run().stdout, run().returncode) == ("", 0)


@pytest.mark.parametrize("name", NAMES)
def test_the_commands_in_a_stub_name_its_file(name):
    text = stub(name)
    assert f"python -m doctest {name}.py\n" in text
    assert f"python -m core.exercises check {name}.py\n" in text
    assert not {other for other in NAMES if f"{other}.py" in text} - {name}


@pytest.mark.parametrize("name", NAMES)
def test_lines_fit_a_projector_without_scrolling_sideways(name):
    assert max(map(len, stub(name).splitlines())) <= 88


@pytest.mark.parametrize("name", ["lstm", "../links", "", None])
def test_another_name_is_refused(name, tmp_path):
    for ask in (stub, file_name, lambda name: new_file(name, tmp_path)):
        with pytest.raises(ValueError, match="one of rnn_forward, rnn_bptt, lstm_cell"):
            ask(name)


def test_a_new_file_is_the_stub_and_never_takes_the_place_of_another(tmp_path):
    path = new_file("lstm_cell", tmp_path)
    assert path == tmp_path / "lstm_cell.py"
    assert path.read_text(encoding="utf-8") == stub("lstm_cell")
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError):
        new_file("lstm_cell", tmp_path)
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_new_file_does_not_follow_a_link_that_leads_nowhere(tmp_path):
    elsewhere = tmp_path / "elsewhere.py"
    (tmp_path / "lstm_cell.py").symlink_to(elsewhere)
    with pytest.raises(FileExistsError):
        new_file("lstm_cell", tmp_path)
    assert not elsewhere.exists()


# Right values, worked out number by number in mpmath, gradients by its numerical derivative.


def sigmoid(a):
    return 1 / (1 + mp.exp(-a))


def numbers(rows):
    return [[mp.mpf(str(value)) for value in row] for row in rows]


def product(row, matrix):
    return [sum(r * m[k] for r, m in zip(row, matrix, strict=True)) for k in range(len(matrix[0]))]


def derivatives(loss, parts):
    """∂loss/∂entry of each part, lists of rows, by name."""

    def moved(name, i, j, value):
        rows = {key: [list(row) for row in part] for key, part in parts.items()}
        rows[name][i][j] = value
        return loss(rows)

    return {
        name: [
            mp.diff(lambda value, at=(name, i, j): moved(*at, value), part[i][j])
            for i in range(len(part))
            for j in range(len(part[0]))
        ]
        for name, part in parts.items()
    }


RNN = {
    "E": numbers([[1], [-1], [0.5]]), "Wxh": numbers([[0.4, -0.6]]), "Whh": numbers([[0.5, 0.8], [-0.3, 0.2]]),
    "bh": numbers([[0.1, 0]]), "Why": numbers([[1, 0, -1], [0.5, -0.5, 1]]), "by": numbers([[0, 0.1, 0]]),
    "h0": numbers([[0.5, -0.5]]),
}  # fmt: skip
IDS = [0, 1, 0, 2]


def rnn(parts):
    hidden, probabilities, loss = [parts["h0"][0]], [], 0
    for read, guessed in pairwise(IDS):
        sums = [
            x + h + b
            for x, h, b in zip(
                product(parts["E"][read], parts["Wxh"]),
                product(hidden[-1], parts["Whh"]),
                parts["bh"][0],
                strict=True,
            )
        ]
        hidden.append([mp.tanh(a) for a in sums])
        powers = [
            mp.exp(a + b) for a, b in zip(product(hidden[-1], parts["Why"]), parts["by"][0], strict=True)
        ]
        probabilities.append([power / sum(powers) for power in powers])
        loss -= mp.log(probabilities[-1][guessed])
    return loss, hidden, probabilities


STEP = {
    "x": numbers([[2]]), "h": numbers([[0.5, -0.5]]), "c": numbers([[2, -1]]),
    "W": numbers([[0.25, -0.25, 0.5, 0, 0.1, 0.2, -0.5, 0.5]]),
    "U": numbers([[1, 0, 0, -1, 0.6, 0, 2, 0], [0, 1, 1, 0, 0, 0.2, 0, -2]]),
    "b": numbers([[0, 0, 1, 1, 0, 0, 0, 0]]),
}  # fmt: skip


def lstm(parts):
    a = [
        x + h + b
        for x, h, b in zip(
            product(parts["x"][0], parts["W"]),
            product(parts["h"][0], parts["U"]),
            parts["b"][0],
            strict=True,
        )
    ]
    c = [sigmoid(a[2 + k]) * parts["c"][0][k] + sigmoid(a[k]) * mp.tanh(a[4 + k]) for k in (0, 1)]
    return [sigmoid(a[6 + k]) * mp.tanh(c[k]) for k in (0, 1)], c


def agree(shown, exact):
    np.testing.assert_allclose(shown, [float(value) for value in exact], atol=5.1e-5)


def test_the_example_of_rnn_forward_is_right():
    loss, hidden, probabilities = rnn(RNN)
    for shown, exact in zip(
        printed("rnn_forward"), (chain(*hidden), chain(*probabilities), [loss]), strict=True
    ):
        agree(shown, exact)


def test_the_example_of_rnn_bptt_is_right():
    exact = derivatives(lambda parts: rnn(parts)[0], RNN)
    loss, whh, why, inputs, states, by = printed("rnn_bptt")
    agree(loss, [rnn(RNN)[0]])
    agree(whh, exact["Whh"])
    agree(why, exact["Why"])
    agree(inputs, exact["E"] + exact["Wxh"])
    agree(states, exact["h0"] + exact["bh"])
    agree(by, exact["by"])


def test_the_example_of_lstm_cell_is_right():
    (shown,) = printed("lstm_cell")
    agree(shown, chain(*lstm(STEP)))


def test_the_example_of_lstm_cell_backward_is_right():
    def loss(parts):
        h, c = lstm(parts)
        return h[0] - 2 * h[1] + 0.5 * c[0] + 0.25 * c[1]

    exact = derivatives(loss, STEP)
    states, db, dW, dU = printed("lstm_cell_backward")
    agree(states, exact["x"] + exact["h"] + exact["c"])
    agree(db, exact["b"])
    agree(dW, exact["W"])
    agree(dU, exact["U"])


def test_the_example_of_gru_cell_is_right():
    """Reset gates (0.7685, 0.69) and candidate (0.0545, −0.3792) are those of the form of Cho et al. (2014)."""
    h, candidate = numbers([[0.6, -0.4]])[0], numbers([[0.0545135463, -0.3791869863]])[0]
    kept = [sigmoid(mp.mpf(1)), sigmoid(mp.mpf(-1))]
    (shown,) = printed("gru_cell")
    agree(shown, [(1 - z) * n + z * old for z, n, old in zip(kept, candidate, h, strict=True)])
