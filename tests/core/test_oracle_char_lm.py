"""The character model, its optimizers and its training against PyTorch, where the `oracle` extra is installed."""

from itertools import islice

import numpy as np
import pytest

from core.char_lm import loss_and_grads
from core.char_lm_parameters import ModelShape, initial_parameters
from core.dropout_masks import dropout_masks
from core.optimizers import adam, zero_moments
from core.text import streams
from core.training import TrainingSettings, TrainingState, train

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install -e ".[test,oracle]"')

B, K, SIZE = 4, 9, 6
PARTS = {"rnn": 1, "lstm": 4, "gru": 3}


def leaves(parameters):
    return {name: torch.tensor(array, requires_grad=True) for name, array in parameters.items()}


def cell_step(cell, inputs, h, c, read, U):
    """One step of each cell; ``read`` is what of h the recurrent product sees, the GRU's gate stands before it."""
    if cell == "rnn":
        return torch.tanh(inputs + read @ U), c
    if cell == "lstm":
        i, f, g, o = (inputs + read @ U).chunk(4, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c
    width = 2 * h.shape[1]
    r, z = torch.sigmoid(inputs[:, :width] + read @ U[:, :width]).chunk(2, dim=1)
    n = torch.tanh(inputs[:, width:] + (r * read) @ U[:, width:])
    return (1 - z) * n + z * h, c


def chunk_loss(cell, layers, P, inputs, targets, state, masks):
    """Mean loss and last state (a list of h and c for each layer), by a loop over steps and layers."""
    inputs_masks, state_masks, weight_masks = ([torch.tensor(m) for m in group] for group in masks)
    Why = P["Why"] if "Why" in P else (P["P"] @ P["E"].T if "P" in P else P["E"].T)
    logits = []
    for t in range(inputs.shape[1]):
        x = P["E"][inputs[:, t]]
        for n in range(layers):
            if inputs_masks:
                x = x * inputs_masks[n][t % len(inputs_masks[n])]
            W, U, b = (P[f"{name}{n + 1}"] for name in "WUb")
            h, c = state[n]
            read = h * state_masks[n] if state_masks else h
            U = U * weight_masks[n] if weight_masks else U
            state[n] = cell_step(cell, x @ W + b, h, c, read, U)
            x = state[n][0]
        if inputs_masks:
            x = x * inputs_masks[-1][t % len(inputs_masks[-1])]
        logits.append(x @ Why + P["by"])
    loss = torch.nn.functional.cross_entropy(torch.stack(logits, dim=1).flatten(0, 1), targets.flatten())
    return loss, state


@pytest.mark.parametrize("scheme", ["none", "non-recurrent", "variational", "dropconnect"])
@pytest.mark.parametrize(
    ("layers", "tied", "embedding"), [(1, False, 4), (2, True, 4), (3, False, 2), (2, True, 6)]
)
@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_loss_and_every_gradient(cell, layers, tied, embedding, scheme):
    shape = ModelShape(cell, layers, 7, embedding, SIZE, tied)
    rng = np.random.default_rng(0)
    P = {name: rng.normal(size=size) for name, size in shape.arrays().items()}
    inputs, targets = rng.integers(7, size=(2, B, K))
    state = rng.normal(size=shape.state_shape(B))
    masks = dropout_masks(scheme, 0.3, shape, K, B, rng, np.float64)
    theirs = leaves(P)
    start = [(torch.tensor(part[0]), torch.tensor(part[-1])) for part in state]
    loss, last = chunk_loss(cell, layers, theirs, torch.tensor(inputs), torch.tensor(targets), start, masks)
    loss.backward()
    own = loss_and_grads(P, inputs, targets, state, masks)
    assert own.loss == pytest.approx(loss.item(), rel=1e-13)
    for name, tensor in theirs.items():
        np.testing.assert_allclose(own.grads[name], tensor.grad.numpy(), rtol=1e-9, atol=1e-13)
    for part, parts in zip(own.state, last, strict=True):
        for one, other in zip(part, parts, strict=False):
            np.testing.assert_allclose(one, other.detach().numpy(), rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("cell", ["rnn", "lstm"])
def test_layers_are_those_of_torch_nn(cell):
    shape = ModelShape(cell, 2, 7, 4, SIZE)
    P = initial_parameters(shape, 1, dtype=np.float64)
    layer = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM}[cell](
        4, SIZE, 2, batch_first=True, dtype=torch.float64
    )
    with torch.no_grad():
        for n in (1, 2):
            for ours, name in (("W", "weight_ih"), ("U", "weight_hh"), ("b", "bias_ih")):
                getattr(layer, f"{name}_l{n - 1}").copy_(torch.tensor(P[f"{ours}{n}"].T))
            getattr(layer, f"bias_hh_l{n - 1}").zero_()
    inputs, targets = np.random.default_rng(0).integers(7, size=(2, B, K))
    hidden, _ = layer(torch.tensor(P["E"])[torch.tensor(inputs)])
    logits = hidden @ torch.tensor(P["Why"]) + torch.tensor(P["by"])
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.tensor(targets).flatten())
    loss.backward()
    own = loss_and_grads(P, inputs, targets)
    assert own.loss == pytest.approx(loss.item(), rel=1e-13)
    for n in (1, 2):
        for ours, name in (("W", "weight_ih"), ("U", "weight_hh"), ("b", "bias_hh")):
            gradient = getattr(layer, f"{name}_l{n - 1}").grad.numpy().T
            np.testing.assert_allclose(own.grads[f"{ours}{n}"], gradient, rtol=1e-10, atol=1e-15)


def test_adam():
    rng = np.random.default_rng(0)
    P = {"w": rng.normal(size=(3, 4)), "b": rng.normal(size=3)}
    theirs, moments = leaves(P), zero_moments(P)
    optimizer = torch.optim.Adam(theirs.values(), lr=0.03)
    for _ in range(10):
        grads = {name: rng.normal(size=array.shape) for name, array in P.items()}
        for name, gradient in grads.items():
            theirs[name].grad = torch.tensor(gradient)
        optimizer.step()
        P, moments = adam(P, grads, moments, 0.03)
    for name, tensor in theirs.items():
        np.testing.assert_allclose(P[name], tensor.detach().numpy(), rtol=1e-12)


@pytest.mark.parametrize("optimizer", ["adam", "sgd"])
@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_the_first_20_losses_of_a_run(cell, optimizer):
    """From the same weights, over more chunks than the text has: carried, clipped, and back to its beginning."""
    settings = TrainingSettings(
        "the boat and the bird, and then the boat. " * 20,
        cell=cell,
        hidden_size=SIZE,
        embedding_size=4,
        truncation=K,
        batch_size=6,
        learning_rate=0.05 if optimizer == "adam" else 2.0,
        clip_norm=0.35 if cell == "rnn" else 0.15,
        optimizer=optimizer,
    )
    P = initial_parameters(settings.shape, 3, dtype=np.float64)
    theirs = leaves(P)
    descent = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD}[optimizer](
        theirs.values(), lr=settings.learning_rate
    )
    rows = streams(settings.vocabulary.encode(settings.text), 6, K)
    assert rows.chunks < 20
    losses, norms = [], []
    for number in range(20):
        if number % rows.chunks == 0:
            state = [(torch.zeros(6, SIZE, dtype=torch.float64),) * 2]
        inputs, targets = (torch.tensor(ids) for ids in rows.chunk(number % rows.chunks))
        descent.zero_grad()
        loss, state = chunk_loss(cell, 1, theirs, inputs, targets, state, ((), (), ()))
        loss.backward()
        norms.append(sum((tensor.grad**2).sum() for tensor in theirs.values()).sqrt().item())
        # What clip_grad_norm_ does, but for the 1e-6 that it adds to the norm.
        for tensor in theirs.values():
            tensor.grad *= min(1, settings.clip_norm / norms[-1])
        descent.step()
        state = [tuple(part.detach() for part in state[0])]
        losses.append(loss.item())
    assert min(norms) < settings.clip_norm < max(norms)
    moments = zero_moments(P) if optimizer == "adam" else None
    start = TrainingState(0, P, moments, settings.shape.zero_state(6, np.float64))
    steps = list(islice(train(settings, start), 20))
    np.testing.assert_allclose([step.loss for step in steps], losses, rtol=1e-9)
    np.testing.assert_allclose([step.gradient_norm for step in steps], norms, rtol=1e-8)
    assert [step.clipped for step in steps] == [norm > settings.clip_norm for norm in norms]
