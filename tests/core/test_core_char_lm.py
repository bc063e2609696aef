import itertools
import math
import re

import numpy as np
import pytest

import core.recurrent_layer
from core.cells import gru_cell, lstm_cell, rnn_cell
from core.char_lm import loss_and_grads
from core.char_lm_parameters import ModelShape, initial_parameters, model_shape
from core.dropout_masks import SCHEMES, Masks, dropout_masks
from core.gradcheck import check_gradients
from core.recurrent_stack import RecurrentStack

CELLS = ("rnn", "lstm", "gru")
B, K = 3, 6
STEP = {"rnn": rnn_cell, "lstm": lstm_cell, "gru": gru_cell}


@pytest.fixture(autouse=True)
def _short_pieces(monkeypatch):
    """The six steps of a chunk are read in pieces of four and two."""
    monkeypatch.setattr(core.recurrent_layer, "PIECE", 4)


def example(cell="lstm", layers=1, tied=False, embedding_size=3, vocabulary=5, scheme="none", hidden_size=4):
    """Parameters of ordinary size in float64, a chunk, a state other than zero, and masks."""
    shape = ModelShape(cell, layers, vocabulary, embedding_size, hidden_size, tied)
    rng = np.random.default_rng(1)
    P = {name: rng.normal(size=size) for name, size in shape.arrays().items()}
    inputs, targets = rng.integers(vocabulary, size=(2, B, K))
    state = rng.normal(size=shape.state_shape(B))
    masks = dropout_masks(scheme, 0.4, shape, K, B, np.random.default_rng(2), np.float64)
    return P, inputs, targets, state, masks


def by_single_steps(cell, layers, P, inputs, targets, state, masks):
    """The loss and last state by the cells of `core.cells`, one step and layer at a time."""
    state, losses = [list(parts) for parts in state], []
    Why = P["Why"] if "Why" in P else (P["P"] @ P["E"].T if "P" in P else P["E"].T)
    for t in range(K):
        x = P["E"][inputs[:, t]]
        for n in range(layers):
            if masks.inputs:
                x = x * masks.inputs[n][t if len(masks.inputs[n]) > 1 else 0]
            W, U, b = (P[f"{name}{n + 1}"] for name in "WUb")
            U = U * masks.weights[n] if masks.weights else U
            new = STEP[cell](x, *state[n], W, U, b)
            state[n] = list(new) if isinstance(new, tuple) else [new]
            x = state[n][0]
        if masks.inputs:
            x = x * masks.inputs[-1][t if len(masks.inputs[-1]) > 1 else 0]
        for z, target in zip(x @ Why + P["by"], targets[:, t], strict=True):
            losses.append(math.log(math.fsum(map(math.exp, z))) - z[target])
    return math.fsum(losses) / (B * K), np.array(state)


@pytest.mark.parametrize("scheme", ["none", "non-recurrent", "dropconnect"])
@pytest.mark.parametrize(("layers", "tied"), [(1, False), (3, True)])
@pytest.mark.parametrize("cell", CELLS)
def test_loss_and_state_are_those_of_the_cells_one_step_at_a_time(cell, layers, tied, scheme):
    P, inputs, targets, state, masks = example(cell, layers, tied, scheme=scheme)
    learnt = loss_and_grads(P, inputs, targets, state, masks)
    loss, last = by_single_steps(cell, layers, P, inputs, targets, state, masks)
    assert learnt.loss == pytest.approx(loss, rel=1e-13)
    np.testing.assert_allclose(learnt.state, last, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("cell", CELLS)
def test_a_variational_mask_is_the_same_at_every_step_and_spares_the_memory(cell):
    """What U reads is masked; what a cell keeps, and a GRU's z ⊙ h, are not."""
    P, inputs, targets, state, masks = example(cell, scheme="variational")
    (mask_x, mask_y), (mask_h,) = masks.inputs, masks.states
    assert (mask_x.shape, mask_h.shape, mask_y.shape) == ((1, B, 3), (B, 4), (1, B, 4))
    W, U, b = P["W1"], P["U1"], P["b1"]
    h, c = state[0, 0], state[0, -1]
    losses = []
    sigmoid = lambda a: 1 / (1 + np.exp(-a))  # noqa: E731
    for t in range(K):
        x, read = P["E"][inputs[:, t]] * mask_x[0], h * mask_h
        a = np.split(x @ W + b, {"rnn": 1, "lstm": 4, "gru": 3}[cell], axis=1)
        back = np.split(U, len(a), axis=1)
        if cell == "rnn":
            h = np.tanh(a[0] + read @ U)
        elif cell == "lstm":
            i, f, g, o = (part + read @ u for part, u in zip(a, back, strict=True))
            c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
        else:
            r, z = (sigmoid(part + read @ u) for part, u in zip(a[:2], back[:2], strict=True))
            h = (1 - z) * np.tanh(a[2] + (r * read) @ back[2]) + z * h
        logits = h * mask_y[0] @ P["Why"] + P["by"]
        losses.append(np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(B), targets[:, t]])
    learnt = loss_and_grads(P, inputs, targets, state, masks)
    assert learnt.loss == pytest.approx(np.mean(losses), rel=1e-13)
    np.testing.assert_allclose(learnt.state[0, 0], h, rtol=1e-12)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("layers", "tied", "embedding_size"), [(1, False, 3), (2, True, 3), (2, False, 2), (1, True, 3)]
)
@pytest.mark.parametrize("cell", CELLS)
def test_every_gradient_is_the_central_difference(cell, layers, tied, embedding_size, scheme):
    """Of five characters: with d = 2 each goes through its own embedding, with more by what characters say."""
    P, inputs, targets, state, masks = example(
        cell, layers, tied, embedding_size, scheme=scheme, hidden_size=3
    )
    stack = RecurrentStack(model_shape(P), K, B, np.float64)
    grads = loss_and_grads(P, inputs, targets, state, masks).grads
    assert list(grads) == list(P)
    assert all(np.abs(gradient).max() > 1e-4 for gradient in grads.values())
    errors = check_gradients(
        lambda **moved: loss_and_grads(moved, inputs, targets, state, masks, stack).loss, P, grads
    )
    assert max(errors.values()) < 1e-7


def test_a_model_that_knows_nothing_pays_ln_v():
    P, inputs, targets, *_ = example()
    P |= {"Why": np.zeros((4, 5)), "by": np.full(5, 700.0)}
    assert loss_and_grads(P, inputs, targets).loss == pytest.approx(math.log(5), rel=1e-14)


def test_a_loss_beyond_the_range_of_exp_stays_right():
    P, inputs, _, *_ = example()
    P |= {"Why": np.zeros((4, 5)), "by": np.array([0.0, 5000, 0, 0, 0])}
    learnt = loss_and_grads(P, inputs, np.zeros_like(inputs))
    assert learnt.loss == pytest.approx(5000, rel=1e-14)
    assert all(np.isfinite(gradient).all() for gradient in learnt.grads.values())


@pytest.mark.parametrize("cell", CELLS)
def test_chunks_with_a_carried_state_read_what_one_long_chunk_reads(cell):
    P, inputs, targets, state, _ = example(cell, layers=2)
    whole = loss_and_grads(P, inputs, targets, state)
    losses, cut = [], state
    for columns in (slice(0, 2), slice(2, 6)):
        learnt = loss_and_grads(P, inputs[:, columns], targets[:, columns], cut)
        losses.append(learnt.loss)
        cut = learnt.state
    assert (2 * losses[0] + 4 * losses[1]) / 6 == pytest.approx(whole.loss, rel=1e-13)
    np.testing.assert_allclose(cut, whole.state, rtol=1e-12)


@pytest.mark.parametrize("cell", CELLS)
def test_buffers_used_again_leave_no_trace(cell):
    """The same results with fresh buffers, with used ones, and in what was handed out before."""
    P, inputs, targets, state, masks = example(cell, layers=2, scheme="variational")
    stack = RecurrentStack(model_shape(P), K, B, np.float64)
    fresh = loss_and_grads(P, inputs, targets, state, masks)
    first = loss_and_grads(P, inputs, targets, state, masks, stack)
    copies = {name: gradient.copy() for name, gradient in first.grads.items()}, first.state.copy()
    loss_and_grads(P, targets, inputs, None, None, stack)
    again = loss_and_grads(P, inputs, targets, state, masks, stack)
    for one, other, copy in zip(fresh.grads.values(), again.grads.values(), copies[0].values(), strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(one, copy)
    assert fresh.loss == first.loss == again.loss
    np.testing.assert_array_equal(first.state, copies[1])


def test_arguments_are_left_as_they_were():
    P, inputs, targets, state, masks = example(layers=2, tied=True, scheme="variational")
    arrays = [*P.values(), inputs, targets, state, *masks.inputs, *masks.states]
    copies = [array.copy() for array in arrays]
    loss_and_grads(P, inputs, targets, state, masks)
    for array, copy in zip(arrays, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("cell", CELLS)
def test_float32_stays_float32_and_comes_close_to_float64(cell):
    P, inputs, targets, state, masks = example(cell, layers=2, tied=True, scheme="non-recurrent")
    exact = loss_and_grads(P, inputs, targets, state, masks)
    narrow = lambda arrays: tuple(array.astype(np.float32) for array in arrays)  # noqa: E731
    learnt = loss_and_grads(
        dict(zip(P, narrow(P.values()), strict=True)),
        inputs,
        targets,
        state.astype(np.float32),
        Masks(narrow(masks.inputs)),
    )
    assert learnt.loss == pytest.approx(exact.loss, rel=1e-5)
    assert {array.dtype for array in (*learnt.grads.values(), learnt.state)} == {np.dtype(np.float32)}
    for name, gradient in exact.grads.items():
        np.testing.assert_allclose(learnt.grads[name], gradient, atol=2e-6 + 1e-4 * np.abs(gradient).max())


def test_what_is_not_finite_is_handed_on_without_a_warning():
    P, inputs, targets, *_ = example()
    P["U1"][0, 0] = math.inf
    assert not all(np.isfinite(g).all() for g in loss_and_grads(P, inputs, targets).grads.values())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inputs": np.zeros((B, K))}, "inputs must be an array of integers"),
        ({"inputs": [[0, 1]]}, "inputs must be an array of integers"),
        ({"inputs": np.zeros(4, int)}, "inputs must have shape (B, K)"),
        ({"inputs": np.zeros((0, 4), int)}, "inputs must have shape (B, K)"),
        ({"inputs": np.full((B, K), 5)}, "inputs must be from 0 to 4, got 5"),
        ({"targets": np.full((B, K), -1)}, "targets must be from 0 to 4, got -1"),
        ({"targets": np.zeros((B, K + 1), int)}, f"targets must have shape ({B}, {K}), got ({B}, {K + 1})"),
        ({"state": np.zeros((1, 1, B, 4))}, f"state must have shape (1, 2, {B}, 4), got (1, 1, {B}, 4)"),
        ({"state": np.zeros((1, 2, B, 4), np.float32)}, "state must be an array of float64"),
        ({"masks": Masks((np.ones((1, B, 3)),))}, "masks.inputs must be 2 arrays or none, got 1"),
        (
            {"masks": Masks((np.ones((2, B, 3)), np.ones((1, B, 4))))},
            f"masks.inputs must have shape ({K}, {B}, 3), got (2, {B}, 3)",
        ),
        ({"masks": Masks(states=(np.ones((1, 4)),))}, f"masks.states must have shape ({B}, 4), got (1, 4)"),
        ({"masks": Masks(weights=(np.ones((4, 4)),))}, "masks.weights must have shape (4, 16), got (4, 4)"),
        ({"masks": Masks(weights=(np.ones((4, 16), int),))}, "masks.weights must be an array of float64"),
        ({"W1": np.zeros((2, 16))}, "W1 must have shape (3, 16), got (2, 16)"),
        ({"U1": np.zeros((4, 8))}, "U1 must have shape (d_h, G·d_h) with G of 1, 3, 4, got (4, 8)"),
        (
            {"U1": np.zeros((4, 16), np.float32)},
            "parameters must be arrays of float32 or of float64, all alike",
        ),
        ({"by": "none"}, "parameters must be arrays of float32 or of float64"),
        ({"U2": np.zeros((4, 16))}, "parameters must have the names E, W1, U1, b1, W2, U2, b2, Why, by, got"),
        ({"P": np.zeros((4, 3))}, "parameters must have the names E, W1, U1, b1, Why, by, got"),
        ({"E": np.zeros(5)}, "E must have shape (V, d)"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    P, inputs, targets, state, masks = example()
    asked = {"inputs": inputs, "targets": targets, "state": state, "masks": masks} | change
    arguments = {name: asked.pop(name) for name in ("inputs", "targets", "state", "masks")}
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        loss_and_grads(P | asked, **arguments)


def test_parameters_must_be_named_and_buffers_must_fit():
    P, inputs, targets, *_ = example()
    for wrong in ({"E": P["E"]}, list(P.values()), None):
        with pytest.raises(ValueError, match=r"^parameters must have the names E, W1, U1, b1, by and more"):
            loss_and_grads(wrong, inputs, targets)
    with pytest.raises(ValueError, match=r"^stack must be made for"):
        loss_and_grads(P, inputs, targets, stack=RecurrentStack(model_shape(P), K + 1, B, np.float64))


def test_initial_parameters_have_the_shapes_of_their_model():
    for cell, layers, tied, size in itertools.product(CELLS, (1, 3), (False, True), (4, 6)):
        shape = ModelShape(cell, layers, 7, 4, size, tied)
        P = initial_parameters(shape, 0)
        assert model_shape(P) == shape
        assert {array.dtype for array in P.values()} == {np.dtype(np.float32)}
        assert ("P" in P) == (tied and size != 4)
        assert ("Why" in P) != tied


def test_initial_parameters_start_where_they_should():
    shape = ModelShape("lstm", 2, 40, 30, 64)
    P = initial_parameters(shape, 3, forget_bias=2.5, dtype=np.float64)
    for name in ("W1", "U1", "W2", "U2", "Why"):
        assert np.abs(P[name]).max() == pytest.approx(1 / 8, rel=0.01)
        assert np.abs(P[name]).mean() == pytest.approx(1 / 16, rel=0.05)
    for name in ("b1", "b2"):
        np.testing.assert_array_equal(P[name][64:128], 2.5)
        assert np.abs(P[name][128:]).max() < 1 / 8
    assert P["E"].std() == pytest.approx(1, rel=0.1)
    assert np.abs(P["U1"] - P["U2"]).min() > 0
    tied = initial_parameters(ModelShape("lstm", 1, 40, 30, 64, True), 3)
    assert tied["E"].std() == pytest.approx(1 / math.sqrt(30), rel=0.1)
    for layer in (1, 2):
        U = initial_parameters(ModelShape("rnn", 2, 40, 30, 64), 3, dtype=np.float64)[f"U{layer}"]
        np.testing.assert_allclose(U @ U.T, np.eye(64), atol=1e-13)


def test_initial_parameters_depend_on_the_seed_alone():
    shape = ModelShape("gru", 2, 7, 4, 5)
    first, again, other = (initial_parameters(shape, seed) for seed in (1, 1, 2))
    for name in first:
        np.testing.assert_array_equal(first[name], again[name])
        assert (first[name] != other[name]).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("birnn", 1, 5, 3, 4), "cell must be one of rnn, lstm, gru, got 'birnn'"),
        (("rnn", 4, 5, 3, 4), "layers must be an integer from 1 to 3, got 4"),
        (("rnn", 1, 0, 3, 4), "vocabulary must be an integer of at least 1, got 0"),
        (("rnn", 1, 5, 0, 4), "embedding_size must be an integer of at least 1, got 0"),
        (("rnn", 1, 5, 3, 1.5), "hidden_size must be an integer of at least 1, got 1.5"),
        (("rnn", 1, 5, 3, 4, "no"), "tied must be True or False, got 'no'"),
    ],
)
def test_shapes_that_are_none_are_refused(arguments, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        ModelShape(*arguments)


def test_starts_that_are_none_are_refused():
    shape = ModelShape("lstm", 1, 5, 3, 4)
    with pytest.raises(ValueError, match=r"^seed must be an integer of at least 0, got -1"):
        initial_parameters(shape, -1)
    with pytest.raises(ValueError, match=r"^forget_bias must be a finite number, got inf"):
        initial_parameters(shape, 0, math.inf)
    with pytest.raises(ValueError, match=r"^dtype must be one of float32, float64, got 'int64'"):
        initial_parameters(shape, 0, dtype=np.int64)
