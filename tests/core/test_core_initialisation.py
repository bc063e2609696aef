import math

import numpy as np
import pytest

from core.cells import PARTS, lstm_cell
from core.initialisation import (
    identity_weights,
    language_model,
    recurrent_blocks,
    uniform_weights,
    with_forget_bias,
    with_update_bias,
)
from core.matrices import recurrent_matrix, spectral_radius


@pytest.mark.parametrize("cell", PARTS)
def test_uniform_weights_fill_pytorchs_interval(cell):
    weights = uniform_weights(cell, 7, 25, seed=3)
    width = {"rnn": 25, "lstm": 100, "gru": 75}[cell]
    assert [part.shape for part in weights] == [(7, width), (25, width), (width,)]
    for part in weights:
        assert np.abs(part).max() < 0.2
        assert np.abs(part).max() > 0.18
    assert weights.U.std() == pytest.approx(0.2 / math.sqrt(3), rel=0.05)
    assert weights.U.mean() == pytest.approx(0, abs=0.02)


def test_a_draw_follows_the_seed_and_one_tensor_never_shifts_another():
    first, again, other = (uniform_weights("lstm", 4, 6, seed) for seed in (0, 0, 1))
    wide = uniform_weights("lstm", 9, 6, 0)
    for one, same, different in zip(first, again, other, strict=True):
        np.testing.assert_array_equal(one, same)
        assert not np.isclose(one, different).any()
    np.testing.assert_array_equal(wide.U, first.U)
    np.testing.assert_array_equal(wide.b, first.b)
    assert not np.isclose(first.W[:4], first.U[:4]).any()


@pytest.mark.parametrize("cell", PARTS)
def test_each_gate_gets_an_orthogonal_matrix_of_its_own(cell):
    U = recurrent_blocks(cell, 8, seed=5, spectral_radius=0.9)
    blocks = np.split(U, PARTS[cell], axis=1)
    for block in blocks:
        np.testing.assert_allclose(block @ block.T, 0.81 * np.eye(8), atol=1e-14)
    np.testing.assert_array_equal(blocks[0], recurrent_matrix("orthogonal", 8, 0.9, 5))
    for n, block in enumerate(blocks[1:], 1):
        assert not any(np.allclose(block, earlier) for earlier in blocks[:n])
    gaussian = recurrent_blocks(cell, 8, 5, 0.5, kind="gaussian")
    assert [spectral_radius(block) for block in np.split(gaussian, PARTS[cell], axis=1)] == pytest.approx(
        [0.5] * PARTS[cell]
    )


def test_identity_start_hands_a_state_on_unchanged():
    W, U, b = identity_weights(300, 40, seed=0)
    h = np.abs(np.random.default_rng(0).normal(size=40))
    np.testing.assert_array_equal(np.maximum(np.zeros(300) @ W + h @ U + b, 0), h)
    assert W.shape == (300, 40)
    assert W.std() == pytest.approx(0.001, rel=0.05)


def test_gate_biases_fall_on_their_gate():
    W, U, b = uniform_weights("lstm", 2, 3, 0)
    set_to = with_forget_bias(b, math.inf)
    c = np.array([0.5, -1.0, 2.0])
    open_gate, shut_gate = (
        lstm_cell(np.zeros(2), np.zeros(3), c, W, U, with_forget_bias(b, bias)).c
        for bias in (math.inf, -math.inf)
    )
    np.testing.assert_allclose(open_gate - shut_gate, c, rtol=1e-14)
    np.testing.assert_array_equal(np.delete(set_to, slice(3, 6)), np.delete(b, slice(3, 6)))
    assert np.isfinite(b).all()
    assert with_update_bias(np.zeros(6), 2.5).tolist() == [0, 0, 2.5, 2.5, 0, 0]


@pytest.mark.parametrize("cell", PARTS)
def test_language_models_are_made_of_these(cell):
    P = language_model(cell, 11, 4, 6, seed=2)
    width = PARTS[cell] * 6
    shapes = {"E": (11, 4), "Wxh": (4, width), "Whh": (6, width), "bh": (width,), "Why": (6, 11), "by": (11,)}
    assert {name: array.shape for name, array in P.items()} == shapes
    for own, weights in zip((P["Wxh"], P["Whh"], P["bh"]), uniform_weights(cell, 4, 6, 2), strict=True):
        np.testing.assert_array_equal(own, weights)
    scaled = language_model(cell, 11, 4, 6, seed=2, spectral_radius=1.2)
    np.testing.assert_array_equal(scaled["Whh"], recurrent_blocks(cell, 6, 2, 1.2))
    np.testing.assert_array_equal(scaled["E"], P["E"])
    assert language_model(cell, 400, 30, 6, 2)["E"].std() == pytest.approx(1, abs=0.03)
    larger = language_model(cell, 15, 4, 6, seed=2)
    for name, of_the_first_words in (("E", np.s_[:11]), ("Why", np.s_[:, :11]), ("by", np.s_[:11])):
        np.testing.assert_array_equal(larger[name][of_the_first_words], P[name])
    for name in ("Why", "by"):
        assert 0.3 < np.abs(P[name]).max() < 1 / math.sqrt(6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: uniform_weights("elman", 2, 3, 0), "cell must be one of rnn, lstm, gru, got 'elman'"),
        (lambda: uniform_weights("rnn", 0, 3, 0), "input_size must be an integer of at least 1, got 0"),
        (lambda: uniform_weights("rnn", 2, 3.0, 0), "hidden_size must be an integer of at least 1, got 3.0"),
        (lambda: uniform_weights("rnn", 2, 3, -1), "seed must be an integer of at least 0, got -1"),
        (lambda: identity_weights(2, 0, 0), "hidden_size must be an integer of at least 1, got 0"),
        (lambda: identity_weights("2", 1, 0), "input_size must be an integer of at least 1, got '2'"),
        (lambda: recurrent_blocks("all", 2, 0), "cell must be one of rnn, lstm, gru, got 'all'"),
        (lambda: recurrent_blocks("gru", 2, -1), "seed must be an integer of at least 0, got -1"),
        (lambda: recurrent_blocks("gru", 2, 0, 0), "spectral_radius must be a finite number above 0, got 0"),
        (lambda: with_forget_bias(np.zeros(6), 1), r"b must have shape \(4·d_h,\), got \(6,\)"),
        (
            lambda: with_forget_bias(np.zeros(0), 1),
            r"b must have shape \(n,\) with n of at least 1, got \(0,\)",
        ),
        (lambda: with_forget_bias(np.zeros(4), math.nan), "forget_bias must hold numbers, .* got nan"),
        (lambda: with_forget_bias(np.zeros(4), "1"), "forget_bias must be an array of numbers, got '1'"),
        (lambda: with_update_bias(np.zeros(4), 1), r"b must have shape \(3·d_h,\), got \(4,\)"),
        (lambda: with_update_bias(np.zeros(3), math.inf), "update_bias must be a finite number, got inf"),
        (lambda: language_model("rnn", 0, 2, 3, 0), "vocabulary must be an integer of at least 1, got 0"),
        (lambda: language_model("rnn", 5, 0, 3, 0), "embedding_size must be an integer of at least 1, got 0"),
        (lambda: language_model("rnn", 5, 2, 3, 0, -1.0), "spectral_radius must be a finite number above 0"),
    ],
)
def test_what_is_out_of_range_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
