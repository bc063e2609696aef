"""Inside a net: signals by hand, cells that follow a property, a count beside the hand-wired counter."""

import math
from pathlib import Path

import numpy as np
import pytest

from core.char_lm_parameters import ModelShape, initial_parameters
from core.properties import PROPERTIES
from core.text import Vocabulary, vocabulary_of
from widgets.page.text import _TEXTS
from widgets.training.corpora import corpus_text
from widgets.training.inside import Look, counters, known_part, passage, ranking, signals
from widgets.training.models import shipped
from widgets.training.snapshot import Model

CODE = 'if f(a, "x)") {\n  g([1, 2]);\n}\n'


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def model_for(text, cell="lstm", layers=1, **changes):
    vocabulary = vocabulary_of(text)
    parameters = initial_parameters(ModelShape(cell, layers, vocabulary.size, 8, 16), 0)
    return Model({**parameters, **changes}, vocabulary, 7, "of this run")


def reader_of_one_character(text, read, unit):
    """An LSTM in which one unit writes to its cell at one character, and keeps all that it has written."""
    vocabulary = vocabulary_of(text)
    size, d = 16, vocabulary.size
    model = model_for(text)
    W, b = np.zeros((d, 4 * size), np.float32), np.zeros(4 * size, np.float32)
    b[[unit, size + unit, 3 * size + unit]] = (-20, 20, 20)
    at = vocabulary.encode(read)[0]
    W[at, unit], W[at, 2 * size + unit] = 40, 1.0
    own = {"E": np.eye(d, dtype=np.float32), "W1": W, "U1": np.zeros((size, 4 * size), np.float32), "b1": b}
    return Model({**model.parameters, **own}, vocabulary, 7, "of this run")


def look_at(text, signal="h", follows="position in the line", unit=1, layer=1):
    return Look(text, layer, signal, follows, unit)


def test_what_a_model_has_never_met_is_left_out():
    model = Model({}, Vocabulary(("a", "b", "é")), 0, "")
    assert known_part(model, "a<b>漢é\nbc") == "abéb"
    assert known_part(model, "xyz") == ""


def test_the_signals_are_those_of_the_layer_that_is_looked_at():
    model = model_for("abc", layers=2)
    one, two, beyond = (signals(model, look_at("abcab", layer=layer)) for layer in (1, 2, 3))
    assert set(one) == {"h", "c", "i", "f", "g", "o"}
    assert one["h"].shape == (5, 16)
    assert not np.allclose(one["h"], two["h"])
    np.testing.assert_array_equal(two["h"], beyond["h"])


def test_a_cell_that_keeps_what_it_writes_counts_what_it_reads():
    """c_t is tanh(1) for each “(” so far, as no other gate is half open."""
    model = reader_of_one_character("(ab)", "(", unit=4)
    c = signals(model, look_at("a((b("))["c"][:, 4]
    np.testing.assert_allclose(c, np.tanh(1) * np.array([0, 1, 2, 2, 3]), rtol=1e-5)


def test_the_cell_that_follows_is_ranked_first():
    text = "((()))" + "(((("
    model = reader_of_one_character("(ab)", "(", unit=4)
    found = ranking(model, look_at("ab((a((b", signal="c", follows="bracket depth"))
    assert found.units[0] == 4
    assert found.correlations[0] == pytest.approx(1, abs=1e-5)
    partly = ranking(model, look_at(text, signal="c", follows="bracket depth"))
    depth, c = [1, 2, 3, 2, 1, 0, 1, 2, 3, 4], [1, 2, 3, 3, 3, 3, 4, 5, 6, 7]
    where = list(partly.units).index(4)
    assert partly.correlations[where] == pytest.approx(np.corrcoef(depth, c)[0, 1], abs=1e-5)


@pytest.mark.parametrize(
    ("text", "look", "said"),
    [
        ("abab", {"follows": "bracket depth"}, "No cell can follow “bracket depth”, which is the same all along"),
        ("(a)(", {"signal": "z"}, "no signal z by which"),
        ("(", {}, "is the same all along"),
    ],
)  # fmt: skip
def test_where_nothing_can_be_ranked_the_passage_says_why(text, look, said):
    model = model_for("(ab)")
    assert ranking(model, look_at(text, **look)) is None
    shown = passage(model, look_at(text, **look))
    assert said in shown.description
    assert len(shown.lines) == 1 + 6


def test_the_passage_has_property_best_cells_and_the_chosen_one_with_its_gates():
    model = reader_of_one_character("(ab)", "(", unit=4)
    text = "ab((a((b"
    shown = passage(model, look_at(text, signal="c", follows="bracket depth", unit=3))
    labels = [line.label for line in shown.lines]
    assert labels[0].startswith("cell 5, c, r = 1")
    assert labels[1] == "bracket depth"
    assert labels[6:] == [f"cell 3, {name}" for name in ("h", "c", "i", "f", "g", "o")]
    assert {line.text for line in shown.lines} == {text}
    depth = np.array([0, 0, 1, 2, 2, 3, 4, 4]) / 4
    np.testing.assert_allclose(shown.lines[0].shades, depth)
    np.testing.assert_allclose(shown.lines[1].shades, depth, atol=1e-5)
    assert "The net of this run, after 7 steps." in shown.description
    assert "correlation" in shown.description


def test_gates_are_shaded_as_they_are_and_a_cell_by_its_largest():
    model = reader_of_one_character("(ab)", "(", unit=4)
    shades = {line.label: line.shades for line in passage(model, look_at("a(a(", unit=5)).lines}
    np.testing.assert_allclose(shades["cell 5, i"], [0, 1, 0, 1], atol=1e-6)
    np.testing.assert_allclose(shades["cell 5, g"], np.tanh([0, 1, 0, 1]), rtol=1e-5)
    np.testing.assert_allclose(shades["cell 5, c"], [0, 0.5, 0.5, 1], atol=1e-5)
    np.testing.assert_allclose(
        shades["cell 5, h"], np.tanh(np.tanh(1) * np.array([0, 1, 1, 2])), rtol=1e-4, atol=1e-7
    )


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
@pytest.mark.parametrize("unit", [1, 16, 256])
def test_every_shade_is_from_minus_one_to_one_and_every_unit_can_be_chosen(cell, unit):
    shown = passage(model_for(CODE, cell), look_at(CODE, unit=unit))
    for line in shown.lines:
        assert len(line.shades) == len(CODE)
        assert np.abs(line.shades).max() <= 1
    assert shown.lines[-1].label.startswith(f"cell {min(unit, 16)}, ")


def test_the_counter_is_compared_where_there_are_brackets():
    found = counters(model_for(CODE), look_at(CODE))["counts"]
    depth = [0, 0, 0, 0] + [1] * 8 + [0, 0] + [1] * 5 + [2] + [3] * 5 + [2, 1, 1, 1, 0, 0]
    np.testing.assert_array_equal(found["depth"], depth)
    np.testing.assert_array_equal(found["t"], np.arange(1, len(CODE) + 1))


def test_the_wired_counter_counts_every_bracket_that_counts():
    """c_t = σ(10)·c_{t−1} + .95·tanh 10·(+1, −1 or 0); quotes hide a bracket, and none closes what is not open."""
    text = 'a}([{"(")x]}?)]'
    steps = [0, 0, 1, 1, 1, 0, 0, 0, -1, 0, -1, -1, 0, 0, 0]
    expected, c = [], 0.0
    for step in steps:
        write = 0.95 if step else sigmoid(-10)
        c = sigmoid(10) * c + write * math.tanh(10 * step)
        expected.append(c)
    found = counters(model_for(text), look_at(text))["counts"]
    np.testing.assert_allclose(found["wired"], expected, rtol=1e-12)
    np.testing.assert_array_equal(found["depth"], np.cumsum(steps))


@pytest.mark.parametrize(("cell", "signal"), [("rnn", "h"), ("lstm", "c"), ("gru", "h")])
def test_the_trained_cell_is_the_one_that_follows_the_depth_best(cell, signal):
    model, look = model_for(CODE, cell), look_at(CODE, signal="h", follows="indentation")
    shown = counters(model, look)
    found = shown["counts"]
    held = signals(model, look)[signal]
    r = [abs(np.corrcoef(column, found["depth"])[0, 1]) for column in held.T]
    line = np.polynomial.Polynomial.fit(held[:, int(np.argmax(r))].astype(float), found["depth"], 1)
    np.testing.assert_allclose(found["trained"], line(held[:, int(np.argmax(r))].astype(float)), rtol=1e-6)
    assert shown["follower"]["label"][0].startswith(f"trained: cell {int(np.argmax(r)) + 1}, {signal}, r = ")
    assert shown["follower"]["y"][0] > max(found["depth"].max(), found["trained"].max())


def test_without_brackets_there_is_no_count():
    shown = counters(model_for("ab"), look_at("abab"))
    assert {len(column) for columns in shown.values() for column in columns.values()} == {0}
    assert shown.keys() == counters(model_for(CODE), look_at(CODE)).keys()


@pytest.mark.parametrize(
    ("follows", "signal", "r"),
    [("indentation", "c", 0.85), ("inside quotes", "c", 0.60), ("bracket depth", "c", 0.73)],
)
def test_the_prose_has_the_correlations_of_the_shipped_net(follows, signal, r):
    text = corpus_text("brackets")[:400]
    model, values = shipped("brackets"), PROPERTIES[follows](text)
    cells = signals(model, look_at(text))[signal]
    best = max(abs(np.corrcoef(cell, values)[0, 1]) for cell in cells.T)
    assert best == pytest.approx(r, abs=0.006)
    prose = (Path(_TEXTS) / "training.md").read_text(encoding="utf-8")
    assert f"{r:.2f}" in prose
