"""The plain PyTorch way to the numbers of `core.rnn_lm` and `core.bptt`: autograd, one thread, float64."""

import numpy as np
import torch
from torch.nn.functional import cross_entropy, embedding

torch.set_num_threads(1)


def leaves(P: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
    return {name: torch.tensor(array, requires_grad=True) for name, array in P.items()}


def bptt_by_steps(P: dict[str, torch.Tensor], ids: torch.Tensor, h0: torch.Tensor) -> list[torch.Tensor]:
    """Loss and gradients of the tanh language model, written as a loop over steps."""
    h, hidden = h0, []
    for a in embedding(ids[:-1], P["E"]) @ P["Wxh"] + P["bh"]:
        h = torch.tanh(a + h @ P["Whh"])
        hidden.append(h)
    loss = cross_entropy(torch.stack(hidden) @ P["Why"] + P["by"], ids[1:], reduction="sum")
    return [loss, *torch.autograd.grad(loss, [*P.values(), h0])]


def recurrent_layer(cell: str, W: np.ndarray, U: np.ndarray, b: np.ndarray) -> torch.nn.RNNBase:
    """PyTorch's own layer, whose loop over steps is compiled, with given weights."""
    layer = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM}[cell](len(W), len(U), dtype=torch.float64)
    with torch.no_grad():
        layer.weight_ih_l0.copy_(torch.tensor(W.T))
        layer.weight_hh_l0.copy_(torch.tensor(U.T))
        layer.bias_ih_l0.copy_(torch.tensor(b))
        layer.bias_hh_l0.zero_()
    return layer


def rnn_layer(P: dict[str, np.ndarray]) -> torch.nn.RNN:
    """The layer of a tanh language model."""
    return recurrent_layer("rnn", P["Wxh"], P["Whh"], P["bh"])


def bptt_by_layer(
    layer: torch.nn.RNN, P: dict[str, torch.Tensor], ids: torch.Tensor, h0: torch.Tensor
) -> list[torch.Tensor]:
    """The same with `torch.nn.RNN`."""
    hidden, _ = layer(embedding(ids[:-1], P["E"]), h0[None])
    loss = cross_entropy(hidden @ P["Why"] + P["by"], ids[1:], reduction="sum")
    weights = [layer.weight_ih_l0, layer.weight_hh_l0, layer.bias_ih_l0]
    grads = torch.autograd.grad(loss, [P["E"], *weights, P["Why"], P["by"], h0])
    return [loss, grads[0], grads[1].T, grads[2].T, *grads[3:]]


def contributions(cell: str, P: dict[str, torch.Tensor], ids: torch.Tensor) -> np.ndarray:
    """(T, T): the norm of each loss's gradient at each step's own copy of Whh, by one backward for each loss."""
    steps, size = len(ids) - 1, len(P["Whh"])
    inputs = embedding(ids[:-1], P["E"]) @ P["Wxh"] + P["bh"]
    copies = [P["Whh"].detach().clone().requires_grad_() for _ in range(steps)]
    h = c = torch.zeros(size, dtype=torch.float64)
    losses = []
    for a, U, target in zip(inputs, copies, ids[1:], strict=True):
        h, c = _step(cell, a, h, c, U, size)
        losses.append(cross_entropy(h @ P["Why"] + P["by"], target, reduction="sum"))
    table = np.zeros((steps, steps))
    for t, loss in enumerate(losses):
        grads = torch.autograd.grad(loss, copies[: t + 1], retain_graph=True)
        table[t, : t + 1] = torch.stack([grad.norm() for grad in grads]).numpy()
    return table


def first_input_by_steps(
    cell: str, weights: list[torch.Tensor], inputs: torch.Tensor, v: torch.Tensor, lengths: list[int]
) -> np.ndarray:
    """‖∂(v·h_T)/∂x_1‖ at each length: a loop over the steps of the longest, and one backward for each length."""
    W, U, b = weights
    h = c = torch.zeros(len(U), dtype=torch.float64)
    first = inputs[0].clone().requires_grad_()
    read = []
    for x in [first, *inputs[1 : max(lengths)]]:
        h, c = _step(cell, x @ W + b, h, c, U, len(U))
        read.append(v @ h)
    grads = [torch.autograd.grad(read[length - 1], first, retain_graph=True)[0] for length in lengths]
    return torch.stack([grad.norm() for grad in grads]).numpy()


def first_input_by_layer(
    layer: torch.nn.RNNBase, inputs: torch.Tensor, v: torch.Tensor, lengths: list[int]
) -> np.ndarray:
    """The same with PyTorch's layer, run anew for each length, which is faster than one graph for all."""
    norms = []
    for length in lengths:
        x = inputs[:length].clone().requires_grad_()
        hidden, _ = layer(x)
        norms.append(torch.autograd.grad(v @ hidden[-1], x)[0][0].norm())
    return torch.stack(norms).numpy()


def _step(
    cell: str, a: torch.Tensor, h: torch.Tensor, c: torch.Tensor, U: torch.Tensor, size: int
) -> tuple[torch.Tensor, torch.Tensor]:
    if cell == "rnn":
        return torch.tanh(a + h @ U), c
    if cell == "lstm":
        i, f, g, o = (a + h @ U).split(size)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c
    r, z = torch.sigmoid(a[: 2 * size] + h @ U[:, : 2 * size]).split(size)
    n = torch.tanh(a[2 * size :] + (r * h) @ U[:, 2 * size :])
    return (1 - z) * n + z * h, c
