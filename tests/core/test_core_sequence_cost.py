import numpy as np
import pytest

from core.cells import gru_cell, gru_gates, lstm_cell, lstm_gates, rnn_cell
from core.cost import Network
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
