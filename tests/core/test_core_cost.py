from dataclasses import replace

import numpy as np
import pytest

from core.char_lm_parameters import ModelShape
from core.cost import Network, parameters, step_cost


@pytest.mark.parametrize(
    ("cell", "sizes", "one", "two"),
    [
        ("lstm", (1, 9), 396, 432),
        ("gru", (16, 32), 4704, 4800),
        ("lstm", (65, 128), 99328, 99840),
        ("rnn", (65, 128), 24832, 24960),
    ],
)
def test_one_layer_with_one_bias_and_with_two(cell, sizes, one, two):
    assert parameters(Network(cell, *sizes)).total == one
    assert parameters(Network(cell, *sizes, biases=2)).total == two
    assert parameters(Network(cell, *sizes, biases=2, directions=2)).layers == (2 * two,)
    assert parameters(Network(cell, *sizes, directions=2)).recurrent == 2 * one


def test_layers_above_read_what_is_beneath_in_both_directions():
    """By hand: 3·(5·4 + 16 + 4) = 120, 3·(4·4 + 16 + 4) = 108; both ways 2·120, and 2·3·(8·4 + 16 + 4) = 312."""
    assert parameters(Network("gru", 5, 4, layers=3)).layers == (120, 108, 108)
    assert parameters(Network("gru", 5, 4, layers=3, directions=2)).layers == (240, 312, 312)


def test_embedding_and_softmax_tied_or_not():
    """By hand, with V = 20, d = 3, d_h = 4, D = 2."""
    untied = parameters(Network("rnn", 3, 4, vocabulary=20, directions=2))
    assert (untied.embedding, untied.projection, untied.softmax, untied.softmax_bias) == (60, 0, 160, 20)
    assert untied.total == 60 + 2 * (12 + 16 + 4) + 160 + 20
    tied = parameters(Network("rnn", 3, 4, vocabulary=20, directions=2, tied=True))
    assert (tied.embedding, tied.projection, tied.softmax, tied.softmax_bias) == (60, 24, 0, 20)
    same_width = parameters(Network("rnn", 4, 4, vocabulary=20, tied=True))
    assert same_width.total == 80 + 36 + 20
    assert parameters(Network("rnn", 8, 4, vocabulary=20, directions=2, tied=True)).projection == 0
    assert parameters(Network("rnn", 4, 4, vocabulary=20, directions=2, tied=True)).projection == 32


def test_what_tying_saves_may_be_less_than_nothing():
    """Beyond V·d_h weights it takes a projection of d_h·d: a saving only where V is larger than d."""
    for vocabulary, saved in ((100, 100 * 8 - 8 * 32), (20, 20 * 8 - 8 * 32)):
        free = Network("lstm", 32, 8, vocabulary=vocabulary)
        assert parameters(free).total - parameters(replace(free, tied=True)).total == saved


class Counting(np.ndarray):
    """Arrays that count the multiply–adds of their products."""

    done = 0

    def __array_ufunc__(self, ufunc, method, *arrays, **named):
        arrays = [np.asarray(array) for array in arrays]
        if ufunc is np.matmul:
            Counting.done += arrays[0].size * arrays[1].shape[-1]
        return getattr(ufunc, method)(*arrays, **named).view(Counting)


def test_forward_and_backward_are_the_products_written_out():
    """Two LSTM layers and a softmax, d = 3, d_h = 5, V = 7: one step forward, then back through every product."""
    rng = np.random.default_rng(0)

    def counted(*shape):
        return rng.normal(size=shape).view(Counting)

    products = []
    for rows, columns in ((3, 20), (5, 20), (5, 20), (5, 20), (5, 7)):
        products.append((counted(1, rows), counted(rows, columns)))
    Counting.done = 0
    for read, weights in products:
        read @ weights
    cost = step_cost(Network("lstm", 3, 5, layers=2, vocabulary=7))
    assert (cost.forward, cost.recurrent, cost.softmax) == (Counting.done, 360, 35)
    Counting.done = 0
    for read, weights in products:
        error = counted(1, weights.shape[1])
        error @ weights.T
        read.T @ error
    assert cost.backward == Counting.done
    assert cost.training == 3 * 395


def test_squashings_and_products_entry_by_entry():
    cells = {"rnn": (1, 0), "lstm": (5, 3), "gru": (3, 3)}
    for cell, (squashings, products) in cells.items():
        cost = step_cost(Network(cell, 3, 5, layers=2, directions=2))
        assert (cost.squashings, cost.gate_products) == (20 * squashings, 20 * products)


def test_a_tied_softmax_works_behind_its_projection():
    assert step_cost(Network("gru", 3, 5, vocabulary=7, tied=True)).softmax == 5 * 3 + 3 * 7
    assert step_cost(Network("gru", 5, 5, vocabulary=7, tied=True)).softmax == 5 * 7
    assert step_cost(Network("gru", 3, 5, vocabulary=7, directions=2)).softmax == 10 * 7


def test_counts_are_exact_where_fixed_integers_overflow():
    network = Network("lstm", np.int32(100_000), np.int32(100_000), vocabulary=np.int32(10**9))
    assert type(network.hidden_size) is int
    assert parameters(network).layers == (4 * (2 * 10**10 + 10**5),)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cell": "mlp"}, "cell must be one of rnn, lstm, gru, got 'mlp'"),
        ({"input_size": 0}, "input_size must be an integer of at least 1, got 0"),
        ({"hidden_size": 2.0}, "hidden_size must be an integer of at least 1, got 2.0"),
        ({"layers": True}, "layers must be an integer of at least 1, got True"),
        ({"vocabulary": -1}, "vocabulary must be an integer of at least 0, got -1"),
        ({"biases": 3}, "biases must be an integer from 1 to 2, got 3"),
        ({"directions": 0}, "directions must be an integer from 1 to 2, got 0"),
        ({"tied": "no"}, "tied must be True or False, got 'no'"),
        ({"tied": True}, "tied must be False where vocabulary is 0, got True"),
    ],
)
def test_what_is_out_of_range_is_refused_by_name(wrong, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        Network(**({"cell": "lstm", "input_size": 3, "hidden_size": 4} | wrong))
    for count in (parameters, step_cost):
        with pytest.raises(ValueError, match=r"^network must be a Network, got 'lstm'"):
            count("lstm")


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
@pytest.mark.parametrize("tied", [False, True])
def test_the_character_model_has_as_many_parameters_as_are_counted(cell, tied):
    for embedding_size in (8, 16):
        own = Network(cell, embedding_size, 16, layers=3, vocabulary=22, tied=tied)
        shapes = ModelShape(cell, 3, 22, embedding_size, 16, tied).arrays()
        assert parameters(own).total == sum(int(np.prod(shape)) for shape in shapes.values())
