"""The cells and their backwards against PyTorch, where the `oracle` extra is installed."""

import numpy as np
import pytest

from core.cells import (
    gru_cell,
    gru_cell_backward,
    lstm_cell,
    lstm_cell_backward,
    rnn_cell,
    rnn_cell_backward,
)

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install -e ".[test,oracle]"')


def tensor(array):
    return torch.tensor(array, requires_grad=True)


def example(states=1, batch=3, inputs=5, size=7):
    draw = np.random.default_rng(0).normal
    return [draw(size=(batch, inputs))] + [draw(size=(batch, size)) for _ in range(2 * states)]


def close(own, theirs):
    np.testing.assert_allclose(own, theirs.detach().numpy(), rtol=1e-11, atol=1e-13)


def weights(cell):
    """Our W and U, and both of PyTorch's biases."""
    W, U = (w.detach().numpy().T for w in (cell.weight_ih, cell.weight_hh))
    return W, U, *(b.detach().numpy() for b in (cell.bias_ih, cell.bias_hh))


def test_rnn_cell_and_its_backward():
    cell = torch.nn.RNNCell(5, 7, dtype=torch.float64)
    x, h, dh_new = example()
    W, U, b_ih, b_hh = weights(cell)
    close(rnn_cell(x, h, W, U, b_ih + b_hh), cell(torch.tensor(x), torch.tensor(h)))
    leaves = tensor(x), tensor(h)
    cell(*leaves).backward(torch.tensor(dh_new))
    dx, dh, dW, dU, db = rnn_cell_backward(x, h, W, U, b_ih + b_hh, dh_new)
    theirs = leaves[0].grad, leaves[1].grad, cell.weight_ih.grad.T, cell.weight_hh.grad.T, cell.bias_ih.grad
    for own, other in zip((dx, dh, dW, dU, db), theirs, strict=True):
        close(own, other)


def test_lstm_cell_and_its_backward():
    cell = torch.nn.LSTMCell(5, 7, dtype=torch.float64)
    x, h, c, dh_new, dc_new = example(states=2)
    W, U, b_ih, b_hh = weights(cell)
    leaves = tensor(x), tensor(h), tensor(c)
    new = cell(leaves[0], leaves[1:])
    for own, other in zip(lstm_cell(x, h, c, W, U, b_ih + b_hh), new, strict=True):
        close(own, other)
    torch.autograd.backward(new, (torch.tensor(dh_new), torch.tensor(dc_new)))
    own = lstm_cell_backward(x, h, c, W, U, b_ih + b_hh, dh_new, dc_new)
    theirs = *(leaf.grad for leaf in leaves), cell.weight_ih.grad.T, cell.weight_hh.grad.T, cell.bias_hh.grad
    for one, other in zip(own, theirs, strict=True):
        close(one, other)


def test_gru_cell_with_its_reset_gate_after_the_product_and_its_backward():
    cell = torch.nn.GRUCell(5, 7, dtype=torch.float64)
    x, h, dh_new = example()
    W, U, b_ih, b_hh = weights(cell)
    b = b_ih + np.concatenate([b_hh[:14], np.zeros(7)])
    leaves = tensor(x), tensor(h)
    new = cell(*leaves)
    close(gru_cell(x, h, W, U, b, reset_after=True, b_recurrent=b_hh[14:]), new)
    new.backward(torch.tensor(dh_new))
    own = gru_cell_backward(x, h, W, U, b, dh_new, reset_after=True, b_recurrent=b_hh[14:])
    theirs = *(leaf.grad for leaf in leaves), cell.weight_ih.grad.T, cell.weight_hh.grad.T, cell.bias_ih.grad
    for one, other in zip(own, (*theirs, cell.bias_hh.grad[14:]), strict=True):
        close(one, other)


def test_gru_cell_with_its_reset_gate_before_the_product_and_its_backward():
    x, h, dh_new = example()
    draw = np.random.default_rng(1).normal
    arrays = [x, h, draw(size=(5, 21)), draw(size=(7, 21)), draw(size=21)]
    leaves = tx, th, W, U, b = [tensor(array) for array in arrays]
    r, z = torch.sigmoid(tx @ W[:, :14] + th @ U[:, :14] + b[:14]).split(7, dim=1)
    n = torch.tanh(tx @ W[:, 14:] + (r * th) @ U[:, 14:] + b[14:])
    new = (1 - z) * n + z * th
    close(gru_cell(*arrays), new)
    new.backward(torch.tensor(dh_new))
    for own, leaf in zip(gru_cell_backward(*arrays, dh_new), leaves, strict=True):
        close(own, leaf.grad)


def whole_sequences(layer, step, steps=6):
    """Outputs of a PyTorch layer, and our cell stepped over the same inputs."""
    inputs = np.random.default_rng(2).normal(size=(steps, 3, 5))
    outputs, _ = layer(torch.tensor(inputs))
    states = (np.zeros((3, 7)),) * (2 if isinstance(layer, torch.nn.LSTM) else 1)
    for x, other in zip(inputs, outputs, strict=True):
        new = step(x, *states)
        states = new if isinstance(new, tuple) else (new,)
        close(states[0], other)


@pytest.mark.parametrize(("layer", "cell"), [("RNN", rnn_cell), ("LSTM", lstm_cell)], ids=["rnn", "lstm"])
def test_whole_sequences(layer, cell):
    layer = getattr(torch.nn, layer)(5, 7, dtype=torch.float64)
    W, U = layer.weight_ih_l0.detach().numpy().T, layer.weight_hh_l0.detach().numpy().T
    b = (layer.bias_ih_l0 + layer.bias_hh_l0).detach().numpy()
    whole_sequences(layer, lambda x, *states: cell(x, *states, W, U, b))


def test_whole_sequences_of_a_gru():
    layer = torch.nn.GRU(5, 7, dtype=torch.float64)
    W, U, b_ih, b_hh = (
        getattr(layer, name).detach().numpy()
        for name in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    )
    b = b_ih + np.concatenate([b_hh[:14], np.zeros(7)])
    whole_sequences(layer, lambda x, h: gru_cell(x, h, W.T, U.T, b, True, b_hh[14:]))
