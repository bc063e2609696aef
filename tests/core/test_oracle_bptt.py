"""Backpropagation through time against PyTorch's autograd, where the `oracle` extra is installed."""

import numpy as np
import pytest

from core.bptt import itemised_gradient
from core.initialisation import language_model
from core.rnn_lm import rnn_bptt

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install -e ".[test,oracle]"')

IDS = np.array([2, 0, 3, 3, 1, 0, 4, 2, 2, 1])
T, SIZE = len(IDS) - 1, 6


def cell_step(cell, inputs, h, c, U):
    """One step of each cell in PyTorch, the GRU with its reset gate before the product."""
    if cell == "rnn":
        return torch.tanh(inputs + h @ U), c
    if cell == "lstm":
        i, f, g, o = (inputs + h @ U).split(SIZE)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        c.retain_grad()
        return torch.sigmoid(o) * torch.tanh(c), c
    r, z = torch.sigmoid(inputs[: 2 * SIZE] + h @ U[:, : 2 * SIZE]).split(SIZE)
    n = torch.tanh(inputs[2 * SIZE :] + (r * h) @ U[:, 2 * SIZE :])
    return (1 - z) * n + z * h, c


def losses_of(cell, P, h, c, truncation=None):
    """Losses, and the leaves and states of each step: an own copy of Whh, x, h and c."""
    kept = {"Whh": [], "x": [], "h": [], "c": []}
    losses = []
    for t in range(T):
        if truncation and t % truncation == 0 and t:
            h = h.detach()
        x = P["E"][IDS[t]].clone()
        U = P["Whh"].clone()
        x.retain_grad()
        U.retain_grad()
        h, c = cell_step(cell, x @ P["Wxh"] + P["bh"], h, c, U)
        h.retain_grad()
        for name, value in (("Whh", U), ("x", x), ("h", h), ("c", c)):
            kept[name].append(value)
        logits = h @ P["Why"] + P["by"]
        losses.append(torch.nn.functional.cross_entropy(logits, torch.tensor(IDS[t + 1]), reduction="sum"))
    return losses, kept


def leaves(P):
    return {name: torch.tensor(array, requires_grad=True) for name, array in P.items()}


@pytest.mark.parametrize("truncation", [None, 1, 4, 9])
def test_rnn_bptt(truncation):
    P = language_model("rnn", 5, 4, SIZE, 0, spectral_radius=1.2)
    h0 = np.random.default_rng(1).normal(size=SIZE)
    theirs, start = leaves(P), torch.tensor(h0, requires_grad=True)
    loss = sum(losses_of("rnn", theirs, start, None, truncation)[0])
    loss.backward()
    own, grads = rnn_bptt(P, IDS, h0, truncation)
    assert own == pytest.approx(loss.item(), rel=1e-13)
    for name, tensor in (theirs | {"h0": start}).items():
        np.testing.assert_allclose(grads[name], tensor.grad.numpy(), rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_the_itemised_gradient(cell):
    P = language_model(cell, 5, 4, SIZE, 0, spectral_radius=1.2)
    h0, c0 = np.random.default_rng(1).normal(size=(2, SIZE))
    own = itemised_gradient(cell, P, IDS, h0, c0 if cell == "lstm" else None)
    theirs, c = leaves(P), torch.tensor(c0)
    losses, kept = losses_of(cell, theirs, torch.tensor(h0), c)
    tables = {"Whh": own.contributions, "x": own.x_errors, "h": own.h_errors}
    if cell == "lstm":
        tables["c"] = own.c_errors
    for t, loss in enumerate(losses):
        loss.backward(retain_graph=True)
        for name, table in tables.items():
            norms = [0 if value.grad is None else value.grad.norm().item() for value in kept[name]]
            np.testing.assert_allclose(table[t], norms, rtol=1e-11, atol=1e-15)
            for value in kept[name]:
                value.grad = None
    np.testing.assert_allclose(own.gradient, theirs["Whh"].grad.numpy(), rtol=1e-11, atol=1e-14)
