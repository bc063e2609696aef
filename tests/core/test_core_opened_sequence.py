import numpy as np
import pytest

from core.cells import gru_cell, lstm_cell, rnn_cell
from core.initialisation import uniform_weights
from core.opened_sequence import read, read_both_ways, read_stacked

INPUTS = np.random.default_rng(1).normal(size=(4, 2))


def stepped(cell, weights, inputs, **form):
    """States of the cells themselves, one after another."""
    size = len(weights.U)
    states = [(np.zeros(size), np.zeros(size))]
    for x in inputs:
        h, c = states[-1]
        if cell == "lstm":
            states.append(lstm_cell(x, h, c, *weights))
        elif cell == "gru":
            states.append((gru_cell(x, h, *weights, **form), c))
        else:
            states.append((rnn_cell(x, h, *weights), c))
    return (np.array(part[1:]) for part in zip(*states, strict=True))


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_a_layer_steps_its_cell_from_a_state_of_zero(cell):
    weights = uniform_weights(cell, 2, 3, seed=0)
    layer = read(cell, weights, INPUTS)
    hidden, memory = stepped(cell, weights, INPUTS)
    np.testing.assert_allclose(layer.hidden, hidden, rtol=1e-13, atol=1e-15)
    if cell == "lstm":
        np.testing.assert_allclose(layer.memory, memory, rtol=1e-13, atol=1e-15)
    else:
        assert layer.memory is None
    np.testing.assert_array_equal([step.h for step in layer.steps], layer.hidden)
    np.testing.assert_array_equal(layer.inputs, INPUTS)


def test_both_forms_of_a_gru():
    weights = uniform_weights("gru", 2, 3, seed=0)
    for reset_after in (False, True):
        hidden, _ = stepped("gru", weights, INPUTS, reset_after=reset_after)
        layer = read("gru", weights, INPUTS, reset_after)
        np.testing.assert_allclose(layer.hidden, hidden, rtol=1e-13, atol=1e-15)
        assert all(step.reset_after is reset_after for step in layer.steps)


def test_a_layer_of_a_stack_reads_the_layer_beneath_at_the_same_step():
    layers = [uniform_weights("lstm", inputs, 3, seed) for seed, inputs in enumerate((2, 3, 3))]
    opened = read_stacked("lstm", layers, INPUTS)
    below = INPUTS
    for weights, layer in zip(layers, opened, strict=True):
        hidden, _ = stepped("lstm", weights, below)
        np.testing.assert_allclose(layer.hidden, hidden, rtol=1e-13, atol=1e-15)
        for t, step in enumerate(layer.steps):
            np.testing.assert_allclose(step.i.input_part, below[t] @ weights.W[:, :3], rtol=1e-12, atol=1e-15)
        below = hidden


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_both_ways_stand_side_by_side_at_each_step(cell):
    ahead, back = (uniform_weights(cell, 2, 3, seed) for seed in (0, 1))
    both = read_both_ways(cell, ahead, back, INPUTS)
    forward, _ = stepped(cell, ahead, INPUTS)
    backward, memory = stepped(cell, back, INPUTS[::-1])
    np.testing.assert_allclose(both.hidden, np.hstack([forward, backward[::-1]]), rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(both.hidden, np.hstack([both.ahead.hidden, both.back.hidden]))
    np.testing.assert_array_equal([step.h for step in both.back.steps], both.back.hidden)
    np.testing.assert_array_equal(both.back.inputs, INPUTS)
    if cell == "lstm":
        np.testing.assert_allclose(both.back.memory, memory[::-1], rtol=1e-13, atol=1e-15)


def test_only_both_ways_does_the_first_row_know_the_last_step():
    ahead, back = (uniform_weights("gru", 2, 3, seed) for seed in (0, 1))
    changed = INPUTS.copy()
    changed[-1] += 1
    first, then = (read_both_ways("gru", ahead, back, inputs).hidden[0] for inputs in (INPUTS, changed))
    np.testing.assert_array_equal(first[:3], then[:3])
    assert (first[3:] != then[3:]).all()


def test_what_does_not_fit_is_refused_by_name():
    weights = uniform_weights("lstm", 2, 3, seed=0)
    for wrong, message in (
        (lambda: read("mlp", weights, INPUTS), r"cell must be one of rnn, lstm, gru, got 'mlp'"),
        (lambda: read("lstm", weights, INPUTS[0]), r"inputs must have shape \(T, d\)"),
        (lambda: read("lstm", weights, INPUTS[:0]), r"inputs must have shape \(T, d\)"),
        (lambda: read("lstm", weights, INPUTS, True), r"reset_after must be False for 'lstm', got True"),
        (lambda: read("gru", weights, INPUTS, "no"), r"reset_after must be True or False, got 'no'"),
        (lambda: read("gru", weights, INPUTS), r"W must have shape \(2, 9\), got \(2, 12\)"),
        (lambda: read("lstm", weights[:2], INPUTS), r"weights must be W, U and b, got "),
        (lambda: read("lstm", (1, 2, 3), INPUTS), r"U must have shape \(d_h, G·d_h\)"),
        (
            lambda: read_stacked("lstm", [], INPUTS),
            r"layers must be a sequence of the weights of at least one",
        ),
        (
            lambda: read_stacked("lstm", 2, INPUTS),
            r"layers must be a sequence of the weights of at least one",
        ),
        (
            lambda: read_stacked("lstm", [weights, weights], INPUTS),
            r"W must have shape \(3, 12\), got \(2, 12\)",
        ),
        (lambda: read_both_ways("lstm", weights, weights, 3), r"inputs must have shape \(T, d\)"),
    ):
        with pytest.raises(ValueError, match=rf"^{message}"):
            wrong()
