import math
import re

import numpy as np
import pytest

import core.reading
from core.agreement import AgreementSentence, agreement_set
from core.cells import gru_gates, lstm_gates
from core.char_lm import loss_and_grads
from core.char_lm_parameters import ModelShape, initial_parameters
from core.reading import (
    activations,
    agreement_accuracy,
    character_probabilities,
    next_distributions,
    text_loss,
)
from core.text import vocabulary_of

IDS = np.array([2, 0, 3, 3, 1, 0, 4, 2])


def model(cell="lstm", layers=2, tied=False, vocabulary=5):
    shape = ModelShape(cell, layers, vocabulary, 3, 4, tied)
    rng = np.random.default_rng(1)
    return {name: rng.normal(size=size) for name, size in shape.arrays().items()}


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_predictions_are_those_whose_loss_is_trained(cell, tied):
    P = model(cell, tied=tied)
    losses = [
        loss_and_grads(P, IDS[None, :t], IDS[None, 1 : t + 1]).loss * t
        - (loss_and_grads(P, IDS[None, : t - 1], IDS[None, 1:t]).loss * (t - 1) if t > 1 else 0)
        for t in range(1, len(IDS))
    ]
    given = character_probabilities(P, IDS)
    np.testing.assert_allclose(given, np.exp(-np.array(losses)), rtol=1e-10)
    distributions = next_distributions(P, IDS)
    assert distributions.shape == (8, 5)
    np.testing.assert_allclose(distributions.sum(axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(distributions[np.arange(7), IDS[1:]], given, rtol=1e-13)
    assert text_loss(P, IDS) == pytest.approx(np.mean(losses), rel=1e-12)


def test_a_long_text_is_read_in_stretches_with_the_state_carried(monkeypatch):
    P = model()
    whole, units = next_distributions(P, IDS), activations(P, IDS)
    monkeypatch.setattr(core.reading, "_AT_ONCE", 3)
    np.testing.assert_allclose(next_distributions(P, IDS), whole, rtol=1e-12)
    for layer, again in zip(units, activations(P, IDS), strict=True):
        for name in layer:
            np.testing.assert_allclose(again[name], layer[name], rtol=1e-12)


def test_activations_of_an_lstm_are_its_states_and_gates():
    P = model("lstm")
    below = P["E"][IDS]
    for n, layer in enumerate(activations(P, IDS), start=1):
        assert sorted(layer) == sorted("hcifgo")
        W, U, b = (P[f"{name}{n}"] for name in "WUb")
        h, c = np.zeros((2, 4))
        for t, x in enumerate(below):
            gates = lstm_gates(x, h, W, U, b)
            for name, gate in gates._asdict().items():
                np.testing.assert_allclose(layer[name][t], gate, rtol=1e-12)
            c = gates.f * c + gates.i * gates.g
            h = gates.o * np.tanh(c)
            np.testing.assert_allclose(layer["c"][t], c, rtol=1e-12)
            np.testing.assert_allclose(layer["h"][t], h, rtol=1e-12)
        below = layer["h"]


def test_activations_of_a_gru_and_of_an_rnn():
    P = model("gru", layers=1)
    (layer,) = activations(P, IDS)
    assert sorted(layer) == sorted("hrzn")
    h = np.zeros(4)
    for t, x in enumerate(P["E"][IDS]):
        for name, gate in gru_gates(x, h, P["W1"], P["U1"], P["b1"])._asdict().items():
            np.testing.assert_allclose(layer[name][t], gate, rtol=1e-12)
        h = (1 - layer["z"][t]) * layer["n"][t] + layer["z"][t] * h
        np.testing.assert_allclose(layer["h"][t], h, rtol=1e-12)
    (plain,) = activations(model("rnn", layers=1), IDS)
    assert list(plain) == ["h"]
    assert plain["h"].shape == (8, 4)


def counting_model(vocabulary, letter, right, wrong):
    """A plain RNN whose only unit is set by some letters and held until the next of them, and says right or wrong."""
    size = vocabulary.size
    E = np.zeros((size, 1))
    for character, value in letter.items():
        E[vocabulary.encode(character)[0]] = value
    Why = np.zeros((1, size))
    Why[0, vocabulary.encode(right)[0]], Why[0, vocabulary.encode(wrong)[0]] = 1, -1
    return {
        "E": E,
        "W1": np.array([[100.0]]),
        "U1": np.array([[10.0]]),
        "b1": np.zeros(1),
        "Why": Why,
        "by": np.zeros(size),
    }


def test_who_heeds_only_the_last_letter_agrees_where_nothing_stands_between():
    """A unit that holds the last letter A or B: right before which a distractor has come, wrong then."""
    sentences = [
        AgreementSentence("A..x\n", 0, 3, "x", "y"),
        AgreementSentence("B..y\n", 0, 3, "y", "x"),
        AgreementSentence("A..B.x\n", 0, 5, "x", "y"),
        AgreementSentence("A..A.x\n", 0, 5, "x", "y"),
        AgreementSentence("B.......y\n", 0, 8, "y", "x"),
    ] + [AgreementSentence("B...A...y\n", 0, 8, "y", "x")] * 39
    vocabulary = vocabulary_of("AB.xy\n")
    P = counting_model(vocabulary, {"A": 1, "B": -1}, "x", "y")
    found = agreement_accuracy(P, vocabulary, sentences)
    assert found.distances.tolist() == [2, 4, 7]
    assert found.sentences.tolist() == [2, 2, 40]
    assert found.accuracy.tolist() == [1, 0.5, 1 / 40]


def test_an_untrained_model_is_right_in_half_of_the_sentences_of_each_distance():
    """Exactly, since each frame comes in both numbers and a network of zeros does not tell them apart."""
    sentences = agreement_set(3, 0, distances=(2, 10, 60))
    vocabulary = vocabulary_of("".join(sentence.text for sentence in sentences))
    P = initial_parameters(ModelShape("lstm", 1, vocabulary.size, 4, 4), 0)
    P["Why"] = np.zeros_like(P["Why"])
    found = agreement_accuracy(P, vocabulary, sentences)
    assert found.distances.tolist() == [2, 10, 60]
    assert found.accuracy.tolist() == [0.5, 0.5, 0.5]


def test_what_does_not_fit_is_refused():
    P = model()
    for function in (next_distributions, character_probabilities, text_loss, activations):
        for ids, message in (
            ([0, 5], "ids must be from 0 to 4, got 5"),
            ([[0, 1]], "ids must be a row of integers, got an array of shape (1, 2)"),
            ([0.5], "ids must be an array of integers"),
            ([], "ids must be an array of integers"),
        ):
            with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
                function(P, np.array(ids))
    with pytest.raises(ValueError, match=r"^ids must be at least 2, since the first is not predicted, got 1"):
        text_loss(P, np.array([1]))
    assert character_probabilities(P, np.array([1])).shape == (0,)
    sentences = agreement_set(1, 0, (2,))
    vocabulary = vocabulary_of(sentences[0].text)
    with pytest.raises(
        ValueError, match=rf"^vocabulary must have the model's 5 characters, got {vocabulary.size}"
    ):
        agreement_accuracy(P, vocabulary, sentences)
    fitting = model(vocabulary=vocabulary.size)
    with pytest.raises(ValueError, match=r"^sentences must be at least one, got none"):
        agreement_accuracy(fitting, vocabulary, [])
    with pytest.raises(ValueError, match=r"^text must hold only the .* got 'Q'"):
        agreement_accuracy(fitting, vocabulary, [AgreementSentence("Qab\n", 0, 2, "a", "b")])


def test_a_loss_of_certainty_is_zero_and_of_surprise_large_without_overflow():
    P = model(vocabulary=5)
    P |= {"Why": np.zeros((4, 5)), "by": np.array([2000.0, 0, 0, 0, 0])}
    assert text_loss(P, np.zeros(5, int)) == 0
    assert text_loss(P, np.array([0, 1])) == pytest.approx(2000)
    assert math.isfinite(text_loss(P, IDS))
