import math

import mpmath
import numpy as np
import pytest

from core.cells import (
    gru_cell,
    gru_cell_backward,
    gru_gates,
    lstm_cell,
    lstm_cell_backward,
    lstm_gates,
    rnn_cell,
    rnn_cell_backward,
)
from core.draws import generator
from core.gradcheck import central_differences
from core.gradient_flow import CELLS, first_input_gradient, gradient_flow
from core.initialisation import uniform_weights, with_forget_bias, with_update_bias

LENGTHS = (5, 10, 20, 50, 100)
BIASES = {"forget_bias": 0.7, "update_bias": -0.4}
each_cell = pytest.mark.parametrize("cell", CELLS)


def network(cell, longest, seed, input_size=16, hidden_size=32, forget_bias=0.0, update_bias=0.0):
    """The weights, sequence and reading vector that belong to a seed, put together from their parts."""
    kind = "lstm" if cell == "lstm-1997" else cell
    weights = uniform_weights(kind, input_size, hidden_size, seed)
    if kind == "lstm":
        opened = math.inf if cell == "lstm-1997" else forget_bias
        weights = weights._replace(b=with_forget_bias(weights.b, opened))
    if kind == "gru":
        weights = weights._replace(b=with_update_bias(weights.b, update_bias))
    inputs = generator("sequence", input_size, seed).standard_normal((longest, input_size))
    return weights, inputs, generator("reading", hidden_size, seed).standard_normal(hidden_size)


def states(cell, weights, inputs):
    """(x, h, c) before each step, and the last (h, c)."""
    h = c = np.zeros(len(weights.U))
    before = []
    for x in inputs:
        before.append((x, h, c))
        if cell == "rnn":
            h = rnn_cell(x, h, *weights)
        elif cell == "gru":
            h = gru_cell(x, h, *weights)
        else:
            h, c = lstm_cell(x, h, c, *weights)
    return before, h, c


def walk_back(cell, weights, inputs, v):
    """log10 of the gradient's norm, by the backward of one cell at a time, its errors brought to length 1 each time."""
    before, _, _ = states(cell, weights, inputs)
    dh, dc, log10 = v, np.zeros_like(v), 0.0
    for x, h, c in reversed(before):
        if cell == "rnn":
            dx, dh, *_ = rnn_cell_backward(x, h, *weights, dh)
        elif cell == "gru":
            dx, dh, *_ = gru_cell_backward(x, h, *weights, dh)
        else:
            dx, dh, dc, *_ = lstm_cell_backward(x, h, c, *weights, dh, dc)
        here = log10 + math.log10(np.linalg.norm(dx))
        size = max(np.abs(dh).max(), np.abs(dc).max())
        dh, dc, log10 = dh / size, dc / size, log10 + math.log10(size)
    return here


def median_ratio(cell, longer, shorter, **bias):
    norms = np.array([first_input_gradient(cell, LENGTHS, seed=seed, **bias) for seed in range(11)])
    return np.median(norms[:, LENGTHS.index(longer)] / norms[:, LENGTHS.index(shorter)])


def test_what_a_plain_network_forgets():
    assert median_ratio("rnn", 100, 5) < 1e-20
    assert median_ratio("lstm", 100, 5) < 1e-15
    assert median_ratio("lstm", 50, 5) < 1e-7


def test_what_a_forget_bias_of_one_and_of_three_buys():
    assert 1e-9 < median_ratio("lstm", 100, 5, forget_bias=1.0) < 1e-7
    assert 0.05 < median_ratio("lstm", 100, 5, forget_bias=3.0) < 5


def test_a_gru_with_its_update_gate_open_carries_too():
    closed, opened = (median_ratio("gru", 100, 5, update_bias=bias) for bias in (0.0, 4.0))
    assert closed < 1e-15
    assert opened > 0.01


def test_other_paths_carry_what_the_product_of_the_forget_gates_loses():
    flow = gradient_flow("lstm", (5, 100), forget_bias=3.0, seeds=range(11))
    lost = np.median(flow.log10_along[:, 1] - flow.log10_along[:, 0])
    assert lost == pytest.approx(math.log10(0.95**95), abs=0.5)
    assert (flow.log10_rest[:, 1] > flow.log10_along[:, 1]).all()


@each_cell
def test_the_gradient_is_that_of_central_differences(cell):
    weights, inputs, v = network(cell, 6, 3, 4, 5, **BIASES)

    got = first_input_gradient(cell, (1, 2, 6), 4, 5, seed=3, **BIASES)
    for length, norm in zip((1, 2, 6), got, strict=True):
        differences = central_differences(
            lambda x, length=length: v @ states(cell, weights, [x, *inputs[1:length]])[1], {"x": inputs[0]}
        )["x"]
        assert norm == pytest.approx(np.linalg.norm(differences), rel=1e-7)


@each_cell
def test_the_gradient_is_that_of_one_cell_at_a_time(cell):
    flow = gradient_flow(cell, LENGTHS, seeds=(0, 5), **BIASES)
    for row, seed in zip(flow.log10_norms, (0, 5), strict=True):
        weights, inputs, v = network(cell, 100, seed, **BIASES)
        expected = [walk_back(cell, weights, inputs[:length], v) for length in LENGTHS]
        np.testing.assert_allclose(row, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    ("cell", "bias"), [("rnn", {}), ("lstm", {"forget_bias": -6.0}), ("gru", {"update_bias": -6.0})]
)
def test_logarithms_go_on_where_the_numbers_end(cell, bias):
    weights, inputs, v = network(cell, 1600, 1, **bias)
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        flow = gradient_flow(cell, (1600,), seeds=(1,), **bias)
    assert flow.log10_norms[0, 0] == pytest.approx(walk_back(cell, weights, inputs, v), abs=1e-9)
    assert flow.log10_norms[0, 0] < -330
    assert first_input_gradient(cell, (1600,), seed=1, **bias).tolist() == [0]


@pytest.mark.parametrize("cell", ["lstm", "lstm-1997"])
@pytest.mark.parametrize("length", [2, 30])
def test_along_the_cell_is_the_product_of_its_forget_gates(cell, length):
    flow = gradient_flow(cell, (length, 40), seeds=(2,), forget_bias=1.5)
    weights, inputs, v = network(cell, length, 2, forget_bias=1.5)
    before, _, c_last = states(cell, weights, inputs)
    nothing = np.zeros_like(v)
    along = v * lstm_gates(*before[-1][:2], *weights).o * (1 - np.tanh(c_last) ** 2)
    full = v, nothing
    for x, h, c in reversed(before[1:]):
        along = along * lstm_gates(x, h, *weights).f
        full = lstm_cell_backward(x, h, c, *weights, *full)[1:3]
    along = lstm_cell_backward(*before[0], *weights, nothing, along)[0]
    full = lstm_cell_backward(*before[0], *weights, *full)[0]
    assert flow.log10_along[0, 0] == pytest.approx(math.log10(np.linalg.norm(along)), abs=1e-12)
    assert flow.log10_rest[0, 0] == pytest.approx(math.log10(np.linalg.norm(full - along)), abs=1e-9)


@pytest.mark.parametrize("length", [1, 2, 30])
def test_along_the_state_of_a_gru_is_the_product_of_its_update_gates(length):
    flow = gradient_flow("gru", (length, 40), seeds=(2,), update_bias=1.5)
    weights, inputs, v = network("gru", length, 2, update_bias=1.5)
    before, _, _ = states("gru", weights, inputs)
    along, full = v, v
    for x, h, _ in reversed(before[1:]):
        along = along * gru_gates(x, h, *weights).z
        full = gru_cell_backward(x, h, *weights, full)[1]
    x, h, _ = before[0]
    along, full = (gru_cell_backward(x, h, *weights, error)[0] for error in (along, full))
    assert flow.log10_along[0, 0] == pytest.approx(math.log10(np.linalg.norm(along)), abs=1e-12)
    if length == 1:
        assert flow.log10_rest[0, 0] < -14
    else:
        assert flow.log10_rest[0, 0] == pytest.approx(math.log10(np.linalg.norm(full - along)), abs=1e-9)


@pytest.mark.parametrize("bias", [0.0, 25.0, 40.0])
def test_an_open_update_gate_leaves_the_gradient_of_its_last_input_its_digits(bias):
    weights, inputs, v = network("gru", 1, 3, 1, 1)
    (_, w_z, w_n), (*_, b_n) = weights.W[0].tolist(), weights.b.tolist()
    with mpmath.workdps(40):
        x = mpmath.mpf(inputs[0, 0])
        n = mpmath.tanh(w_n * x + b_n)
        shut = 1 / (1 + mpmath.exp(w_z * x + mpmath.mpf(bias)))
        expected = mpmath.mpf(v[0]) * shut * ((1 - n**2) * w_n - n * (1 - shut) * w_z)
    (found,) = first_input_gradient("gru", (1,), 1, 1, update_bias=bias, seed=3)
    assert found == pytest.approx(float(abs(expected)), rel=1e-13, abs=0)


def test_an_rnn_has_no_straight_path():
    flow = gradient_flow("rnn", LENGTHS)
    assert flow.log10_along is None
    assert flow.log10_rest is None


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_a_straight_path_far_below_floats_leaves_the_rest_whole(cell):
    flow = gradient_flow(cell, (200,), forget_bias=-9.0, update_bias=-9.0)
    assert flow.log10_along[0, 0] < -700
    assert flow.log10_rest[0, 0] == pytest.approx(flow.log10_norms[0, 0], abs=1e-12)


@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_a_gate_shut_beyond_floats_is_a_true_zero(cell):
    flow = gradient_flow(cell, (5,), forget_bias=-800.0, update_bias=-800.0)
    assert flow.log10_along[0, 0] == -math.inf
    assert flow.log10_rest[0, 0] == flow.log10_norms[0, 0] > -20


@each_cell
def test_networks_side_by_side_and_lengths_in_any_order_are_those_one_by_one(cell):
    flow = gradient_flow(cell, (20, 3, 20, 50), seeds=(4, 1), **BIASES)
    for row, seed in zip(flow.log10_norms, (4, 1), strict=True):
        single = [first_input_gradient(cell, (length,), seed=seed, **BIASES)[0] for length in (20, 3, 20, 50)]
        np.testing.assert_allclose(10**row, single, rtol=1e-11)


def test_the_lstm_of_1997_has_no_forget_bias():
    one, other = (first_input_gradient("lstm-1997", LENGTHS, forget_bias=bias) for bias in (-2.0, 3.0))
    np.testing.assert_array_equal(one, other)
    wide_open = first_input_gradient("lstm", LENGTHS, forget_bias=60.0)
    np.testing.assert_allclose(one, wide_open, rtol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cell": "lstm2"}, "cell must be one of rnn, lstm, lstm-1997, gru, got 'lstm2'"),
        ({"lengths": ()}, "lengths must be a sequence of at least one integer"),
        ({"lengths": [[1.0], [1.0, 2.0]]}, "lengths must be a sequence of at least one integer, got"),
        ({"lengths": 5}, "lengths must be a sequence of at least one integer, got 5"),
        ({"lengths": (5, 0)}, "each of lengths must be an integer of at least 1, got 0"),
        ({"lengths": (5.5,)}, "each of lengths must be an integer of at least 1, got 5.5"),
        ({"input_size": 0}, "input_size must be an integer of at least 1, got 0"),
        ({"hidden_size": 0}, "hidden_size must be an integer of at least 1, got 0"),
        ({"forget_bias": math.nan}, "forget_bias must be a finite number, got nan"),
        ({"update_bias": math.inf}, "update_bias must be a finite number, got inf"),
        ({"seed": -1}, "seed must be an integer of at least 0, got -1"),
    ],
)
def test_what_is_out_of_range_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        first_input_gradient(**{"cell": "lstm", "lengths": LENGTHS} | arguments)


@pytest.mark.parametrize(("seed", "straight"), [(0, "none"), (8, "far larger")])
def test_parts_of_far_different_size_are_subtracted_without_overflow(seed, straight):
    with np.errstate(over="raise", invalid="raise"):
        flow = gradient_flow("lstm-1997", [2000], 1, 1, seeds=(seed,))
    if straight == "none":
        assert flow.log10_along == -math.inf
        assert flow.log10_rest == pytest.approx(flow.log10_norms)
    else:
        assert flow.log10_along > flow.log10_norms + 200
        assert flow.log10_rest == pytest.approx(flow.log10_along)


@pytest.mark.parametrize("name", ["input_size", "hidden_size"])
@pytest.mark.parametrize("value", [[16], 0, 2.5, {}])
def test_sizes_that_are_no_sizes_are_refused_by_name(name, value):
    with pytest.raises(ValueError, match=f"^{name} must be an integer of at least 1"):
        first_input_gradient("rnn", [3], **{name: value})
