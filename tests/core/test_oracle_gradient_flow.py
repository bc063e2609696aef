"""Clipping and the gradient at the first input against PyTorch, where the `oracle` extra is installed."""

import math

import numpy as np
import pytest

from core.clipping import clip_by_global_norm, clip_by_value
from core.draws import generator
from core.gradient_flow import CELLS, first_input_gradient
from core.initialisation import uniform_weights, with_forget_bias, with_update_bias

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install -e ".[test,oracle]"')

LENGTHS = (1, 2, 10, 60)


def last_state(cell, inputs, W, U, b):
    """h_T by the equations, in PyTorch's own functions."""
    size = len(U)
    h = c = torch.zeros(size, dtype=torch.float64)
    for x in inputs:
        if cell == "rnn":
            h = torch.tanh(x @ W + h @ U + b)
        elif cell == "gru":
            a = x @ W + b
            r, z = torch.sigmoid(a[: 2 * size] + h @ U[:, : 2 * size]).chunk(2)
            n = torch.tanh(a[2 * size :] + (r * h) @ U[:, 2 * size :])
            h = (1 - z) * n + z * h
        else:
            i, f, g, o = (x @ W + h @ U + b).chunk(4)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
    return h


@pytest.mark.parametrize("cell", CELLS)
def test_first_input_gradient_agrees_with_autograd(cell):
    kind = "lstm" if cell == "lstm-1997" else cell
    W, U, b = uniform_weights(kind, 6, 9, 4)
    if kind == "lstm":
        b = with_forget_bias(b, math.inf if cell == "lstm-1997" else 1.2)
    if kind == "gru":
        b = with_update_bias(b, 0.8)
    drawn = generator("sequence", 6, 4).standard_normal((60, 6))
    v = torch.tensor(generator("reading", 9, 4).standard_normal(9))
    weights = [torch.tensor(array) for array in (W, U, b)]
    expected = []
    for length in LENGTHS:
        first, *rest = torch.tensor(drawn[:length])
        first.requires_grad_()
        (gradient,) = torch.autograd.grad(v @ last_state(cell, [first, *rest], *weights), first)
        expected.append(gradient.norm().item())
    got = first_input_gradient(cell, LENGTHS, 6, 9, forget_bias=1.2, seed=4, update_bias=0.8)
    np.testing.assert_allclose(got, expected, rtol=1e-10)


def gradient():
    rng = np.random.default_rng(2)
    return {"W": 3 * rng.normal(size=(4, 5)), "b": rng.normal(size=6)}


def parameters(grads):
    made = [torch.nn.Parameter(torch.zeros(part.shape, dtype=torch.float64)) for part in grads.values()]
    for parameter, part in zip(made, grads.values(), strict=True):
        parameter.grad = torch.tensor(part)
    return made


@pytest.mark.parametrize("limit", [0.5, 1000.0])
def test_clipping_by_the_global_norm_agrees_with_pytorch(limit):
    clipped, norm = clip_by_global_norm(gradient(), limit)
    theirs = parameters(gradient())
    assert norm == pytest.approx(torch.nn.utils.clip_grad_norm_(theirs, limit).item(), rel=1e-14)
    for own, other in zip(clipped.values(), theirs, strict=True):
        # PyTorch adds 1e-6 to the norm before it divides.
        np.testing.assert_allclose(own, other.grad.numpy(), rtol=1e-6)


def test_clipping_by_value_agrees_with_pytorch():
    theirs = parameters(gradient())
    torch.nn.utils.clip_grad_value_(theirs, 0.7)
    for own, other in zip(clip_by_value(gradient(), 0.7).values(), theirs, strict=True):
        np.testing.assert_array_equal(own, other.grad.numpy())
