"""Counts of parameters and multiply–adds against PyTorch's own, where the `oracle` extra is installed."""

import pytest

from core.attention_cost import attention_parameters, sequence_token_work
from core.cost import Network, parameters, step_cost

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install -e ".[test,oracle]"')
counter = pytest.importorskip("torch.utils.flop_counter")

LAYERS = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM, "gru": torch.nn.GRU}
CELLS = {"rnn": torch.nn.RNNCell, "lstm": torch.nn.LSTMCell, "gru": torch.nn.GRUCell}


def size(module):
    return sum(parameter.numel() for parameter in module.parameters())


@pytest.mark.parametrize("cell", LAYERS)
@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("directions", [1, 2])
def test_parameters_of_recurrent_layers(cell, layers, directions):
    theirs = LAYERS[cell](5, 7, layers, bidirectional=directions == 2)
    own = parameters(Network(cell, 5, 7, layers=layers, biases=2, directions=directions))
    assert own.total == size(theirs)
    by_layer = [
        sum(p.numel() for name, p in theirs.named_parameters() if f"_l{layer}" in name)
        for layer in range(layers)
    ]
    assert list(own.layers) == by_layer
    one_bias = sum(p.numel() for name, p in theirs.named_parameters() if not name.startswith("bias_hh"))
    assert parameters(Network(cell, 5, 7, layers=layers, directions=directions)).total == one_bias


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(("embedding", "directions"), [(5, 1), (7, 1), (5, 2), (14, 2)])
def test_parameters_of_a_language_model(tied, embedding, directions):
    width = 7 * directions
    modules = [
        torch.nn.Embedding(40, embedding),
        torch.nn.LSTM(embedding, 7, bidirectional=directions == 2),
        torch.nn.Linear(embedding if tied else width, 40),
    ]
    if tied:
        modules[2].weight = modules[0].weight
        if embedding != width:
            modules.append(torch.nn.Linear(width, embedding, bias=False))
    own = parameters(Network("lstm", embedding, 7, vocabulary=40, biases=2, directions=directions, tied=tied))
    assert own.total == size(torch.nn.ModuleList(modules))


def multiply_adds(work):
    with counter.FlopCounterMode(display=False) as count:
        work()
    assert count.get_total_flops() % 2 == 0
    return count.get_total_flops() // 2


@pytest.mark.parametrize("cell", CELLS)
def test_multiply_adds_of_a_step_and_its_way_back(cell):
    step, softmax = CELLS[cell](5, 7), torch.nn.Linear(7, 11)
    x, h = torch.ones(1, 5, requires_grad=True), torch.ones(1, 7, requires_grad=True)
    state = (h, torch.ones(1, 7, requires_grad=True)) if cell == "lstm" else h
    losses = []

    def forward():
        new = step(x, state)
        losses.append(softmax(new[0] if cell == "lstm" else new).sum())

    own = step_cost(Network(cell, 5, 7, vocabulary=11))
    assert multiply_adds(forward) == own.forward
    assert multiply_adds(lambda: losses[0].backward()) == own.backward


def test_parameters_of_attention():
    for width in (1, 8, 128):
        assert attention_parameters(width) == size(torch.nn.MultiheadAttention(width, 1))


@pytest.mark.parametrize("input_size", [8, 5])
def test_multiply_adds_of_attention_token_by_token(input_size):
    width, length = 8, 6
    W_Q, W_K, W_V = torch.ones(3, input_size, width)
    W_O = torch.ones(width, width)
    keys, values = [], []

    def read():
        for _ in range(length):
            x = torch.ones(1, input_size)
            q = x @ W_Q
            keys.append(x @ W_K)
            values.append(x @ W_V)
            weights = torch.softmax(q @ torch.cat(keys).T, dim=-1)
            weights @ torch.cat(values) @ W_O

    assert multiply_adds(read) == sequence_token_work(width, length, input_size)
