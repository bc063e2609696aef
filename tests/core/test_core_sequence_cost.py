import numpy as np
import pytest

from core import sequence_cost
from core.cells import gru_cell, gru_gates, lstm_cell, lstm_gates, rnn_cell
from core.cost import Network
from core.gru_layer import GRULayer
from core.lstm_layer import LSTMLayer
from core.sequence_cost import kept_activations, sequence_work, state_size, steps_in_a_row


def test_work_is_that_of_all_steps():
    """By hand: 100 steps of 4·(3·5 + 25) + 5·7 = 195 multiply–adds forward."""
    work = sequence_work(Network("lstm", 3, 5, vocabulary=7), 100)
    assert (work.forward, work.backward, work.training) == (19_500, 39_000, 58_500)


def one_step(cell):
    """All arrays that a step of our own cells gives, for 5 units."""
    x, h, W, U, b = np.ones(3), np.ones(5), *(np.ones((n, 20)) for n in (3, 5)), np.ones(20)
    if cell == "rnn":
        return [rnn_cell(x, h, W[:, :5], U[:, :5], b[:5])]
    if cell == "lstm":
        return [*lstm_gates(x, h, W, U, b), *lstm_cell(x, h, h, W, U, b)]
    return [*gru_gates(x, h, W[:, :15], U[:, :15], b[:15]), gru_cell(x, h, W[:, :15], U[:, :15], b[:15])]


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_gates_and_states_are_those_that_the_cells_give(cell):
    kept = kept_activations(Network(cell, 3, 5), 11)
    assert kept.recurrent == 11 * sum(array.size for array in one_step(cell))
    assert kept.start == state_size(Network(cell, 3, 5)) == (10 if cell == "lstm" else 5)


def squash(a):
    return 1 / (1 + np.exp(-a))


def lstm_step(U, a, h, c):
    i, f, g, o = np.split(a + h @ U, 4)
    i, f, g, o = squash(i), squash(f), np.tanh(g), squash(o)
    c_new = f * c + i * g
    return [i, f, g, o, c_new, o * np.tanh(c_new)]


def lstm_back(kept, U, h, c, dh):
    i, f, g, o, c_new, _ = kept
    s = np.tanh(c_new)
    dc = dh * o * (1 - s * s)
    errors = dc * g * i * (1 - i), dc * c * f * (1 - f), dc * i * (1 - g * g), dh * s * o * (1 - o)
    return np.outer(h, np.concatenate(errors))


def gru_step(U, a, h, c):
    d = len(h)
    r, z = np.split(squash(a[: 2 * d] + h @ U[:, : 2 * d]), 2)
    n = np.tanh(a[2 * d :] + (r * h) @ U[:, 2 * d :])
    return [r, z, n, (1 - z) * n + z * h]


def gru_back(kept, U, h, c, dh):
    r, z, n, _ = kept
    d_n = dh * (1 - z) * (1 - n * n)
    d_r = (d_n @ U[:, 2 * len(h) :].T) * h * r * (1 - r)
    d_z = dh * (h - n) * z * (1 - z)
    return np.hstack([np.outer(h, np.concatenate([d_r, d_z])), np.outer(r * h, d_n)])


def rnn_step(U, a, h, c):
    return [np.tanh(a + h @ U)]


def rnn_back(kept, U, h, c, dh):
    return np.outer(h, dh * (1 - kept[0] ** 2))


@pytest.mark.parametrize(
    ("cell", "step", "back"),
    [("rnn", rnn_step, rnn_back), ("lstm", lstm_step, lstm_back), ("gru", gru_step, gru_back)],
)
def test_what_is_kept_is_enough_for_the_way_back(cell, step, back):
    """tanh c′ and r ⊙ h are not kept: with the rest alone, the gradient is still that of central differences."""
    rng = np.random.default_rng(5)
    gates = {"rnn": 1, "lstm": 4, "gru": 3}[cell]
    a, h, c, dh = rng.normal(size=5 * gates), *rng.normal(size=(3, 5))
    U = rng.normal(size=(5, 5 * gates))
    kept = step(U, a, h, c)
    assert sum(array.size for array in kept) == kept_activations(Network(cell, 3, 5), 1).recurrent
    differences = np.empty_like(U)
    for at in np.ndindex(U.shape):
        shift = np.zeros_like(U)
        shift[at] = 1e-6
        differences[at] = dh @ (step(U + shift, a, h, c)[-1] - step(U - shift, a, h, c)[-1]) / 2e-6
    np.testing.assert_allclose(back(kept, U, h, c, dh), differences, atol=1e-8)


@pytest.mark.parametrize(
    ("cell", "layer", "beyond"), [("lstm", LSTMLayer, "_shown"), ("gru", GRULayer, "_seen")]
)
def test_our_layers_keep_one_number_more_for_speed(cell, layer, beyond):
    """tanh c′ and r ⊙ h, as the convention says: 7 of 6, and 5 of 4."""
    steps, batch, units = 11, 1, 5
    held = layer(steps, batch, units, np.dtype(float))
    arrays = [held.gates, held.hidden[1:], getattr(held, beyond)] + (
        [held.cell[1:]] if cell == "lstm" else []
    )
    counted = kept_activations(Network(cell, 3, units), steps).recurrent
    assert sum(array.size for array in arrays) == counted + steps * units
    said = {"lstm": (7, 6), "gru": (5, 4)}[cell]
    assert counted == said[1] * steps * units
    assert f"{said[0]} of {said[1]}" in sequence_cost.__doc__


def test_full_grows_with_the_length_and_truncated_stays():
    """By hand for 2 layers both of 4 units, d = 3, V = 6: a step keeps 3 + 2·6·4 + 6 = 57, the start is 2·2·4."""
    network = Network("lstm", 3, 4, layers=2, vocabulary=6)
    assert kept_activations(network, 100).total == 57 * 100 + 16
    assert kept_activations(network, 1000).total == 57 * 1000 + 16
    for length in (20, 100, 10**6):
        assert kept_activations(network, length, truncation=20).total == 57 * 20 + 16
    assert kept_activations(network, 7, truncation=20) == kept_activations(network, 7)


def test_a_tied_softmax_keeps_what_it_read_behind_its_projection():
    assert kept_activations(Network("rnn", 3, 4, vocabulary=6, tied=True), 10).projected == 30
    assert kept_activations(Network("rnn", 4, 4, vocabulary=6, tied=True), 10).projected == 0
    assert kept_activations(Network("rnn", 3, 4, vocabulary=6), 10).projected == 0


def longest_chain(layers, length, directions):
    """The longest path through what needs what, cell by cell."""
    depth = {}
    for layer in range(layers):
        for direction in range(directions):
            for step in range(length):
                t = step if direction == 0 else length - 1 - step
                needs = [(layer - 1, d, t) for d in range(directions)]
                needs.append((layer, direction, t - 1 if direction == 0 else t + 1))
                depth[layer, direction, t] = 1 + max(depth.get(need, 0) for need in needs)
    return max(depth.values())


@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize(("layers", "length"), [(1, 1), (1, 9), (2, 9), (3, 9), (3, 10), (3, 2), (4, 1)])
def test_steps_in_a_row_are_the_longest_chain_of_what_needs_what(layers, length, directions):
    network = Network("gru", 3, 5, layers=layers, directions=directions)
    assert steps_in_a_row(network, length) == longest_chain(layers, length, directions)


def test_what_is_out_of_range_is_refused_by_name():
    network = Network("lstm", 3, 5)
    for count in (sequence_work, kept_activations, steps_in_a_row):
        with pytest.raises(ValueError, match=r"^length must be an integer of at least 1, got 0"):
            count(network, 0)
        with pytest.raises(ValueError, match=r"^network must be a Network, got 3"):
            count(3, 3)
    with pytest.raises(ValueError, match=r"^network must be a Network, got None"):
        state_size(None)
    with pytest.raises(ValueError, match=r"^truncation must be an integer of at least 1, got 0"):
        kept_activations(network, 5, 0)
    with pytest.raises(ValueError, match=r"^truncation must be None where directions is 2, got 3"):
        kept_activations(Network("lstm", 3, 5, directions=2), 5, 3)
