"""The cost lab's attention, held against the top layer of the network that is set: by hand, and agreeing everywhere."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.widgets import lab_readings as readings
from widgets.cost import plots
from widgets.cost.lab import CostLab

TEXT = (Path(__file__).parents[2] / "assets/text/cost.md").read_text(encoding="utf-8")
PARTS = {"rnn": 1, "lstm": 4, "gru": 3}
STATES = {"rnn": 1, "lstm": 2, "gru": 1}

frame_with = partial(readings.frame_with, CostLab)
values = partial(readings.values_with, CostLab)
columns = partial(readings.unlogged_with, CostLab)
PRESETS = {preset.name: preset.settings for preset in CostLab.presets}


@pytest.mark.parametrize(
    ("preset", "work", "start"),
    [
        ("word-model", 4 * (128 * 256 + 256**2), (128 + 3 * 256) / 2 + 1),
        ("one-layer", 4 * (65 * 128 + 128**2), 225),
        ("tied", 4 * 2 * 650**2, 2 * 650 + 1),
        ("both-ways", 2 * 4 * (512 * 256 + 256**2), 513),
        ("long-text", 3 * (32 * 128 + 128**2), 129),
        ("window-of-five", 60 * 50 + 50**2, 1),
    ],
)
def test_attention_is_held_against_the_top_layer_that_is_set(preset, work, start):
    """3·r·m + m² + 2·m·t against D·G·(r·d_h + d_h²), by hand: the layer reads r numbers and gives m."""
    settings = PRESETS[preset]
    shown = values(**settings)
    assert (shown["layer_token"], shown["crossing"]) == (work, start)
    assert shown["layer_token"] <= shown["step"]
    before, after = (values(**{**settings, "length": t}) for t in (max(int(start) - 1, 1), int(start)))
    assert after["attention_token"] > work
    assert start == 1 or before["attention_token"] <= work


@pytest.mark.parametrize("preset", PRESETS)
def test_sentence_readouts_picture_and_table_name_one_layer(preset):
    frame, lab = frame_with(**PRESETS[preset]), readings.preset_lab(CostLab, preset)
    shown = {r.key: r for r in frame.readouts}
    layers = [row for row in lab.comparison()().rows if row[0].startswith("layer ")]
    assert shown["layer_token"].text == layers[-1][3]
    crossings = frame.columns["crossings"]
    here = crossings["role"].index("tanh" if lab.cell == "rnn" else lab.cell)
    assert 10 ** crossings["t"][here] == pytest.approx(shown["crossing"].value)
    assert 10 ** crossings["count"][here] == pytest.approx(shown["layer_token"].value)
    assert 10 ** frame.columns["work"][lab.cell][0] == pytest.approx(shown["layer_token"].value)
    assert 10 ** frame.columns["past"][lab.cell][0] == pytest.approx(shown["state"].value)
    stacked = len(layers) > 1
    frame = frame_with(**{**PRESETS[preset], "picture": "work"})
    assert [", top " in shown[key].label for key in ("layer_token", "state")] == [stacked, stacked]
    assert f"than this {'top ' * stacked}{plots.NAMES[lab.cell]} layer; but" in frame.sentence


@pytest.mark.parametrize(("directions", "unit"), [("1", "token"), ("2", "length")])
def test_read_both_ways_it_is_the_length_that_counts(directions, unit):
    frame = frame_with(directions=directions, picture="work")
    shown = {r.key: r for r in frame.readouts}["crossing"]
    assert shown.label == f"attention dearer from {unit}"
    assert frame.sentence.startswith(f"From {unit} {shown.text} on, attention")
    assert any(line.startswith(f"{unit} t: ") for line in frame.arithmetic)
    assert any("t is the length of the text" in note for note in frame.notes) is (directions == "2")


def test_where_attention_is_dearer_at_once_the_sentence_says_so():
    assert frame_with(cell="rnn", picture="work").sentence.startswith("From the start, attention")


def test_what_the_text_says_of_crossings():
    assert "at *t = (d + 3·n)/2* for an LSTM and at *t = n* for a GRU, whatever *d* is" in TEXT
    assert "a tanh RNN is cheaper from the start" in TEXT
    assert "there an LSTM’s crossing is *2·n*" in TEXT
    for d, n in ((1, 1), (37, 5), (128, 256), (1024, 2)):
        starts = {cell: values(cell=cell, input_size=d, hidden_size=n)["crossing"] for cell in PARTS}
        assert starts == {"lstm": (d + 3 * n) // 2 + 1, "gru": n + 1, "rnn": 1}
        assert values(input_size=d, hidden_size=n, layers=2)["crossing"] == 2 * n + 1


@pytest.mark.parametrize("directions", [1, 2])
def test_the_past_of_a_recurrence_stays_and_that_of_attention_grows(directions):
    both = {"directions": str(directions), "hidden_size": 100}
    for t in (1, 10, 10_000):
        shown = values(**both, length=t)
        assert (shown["state"], shown["cache"]) == (directions * 200, directions * 200 * t)
    assert values(**both, cell="gru")["state"] == directions * 100
    assert "from the second token on, keys and values are more than the state of an LSTM" in TEXT


def test_curves_by_token_are_level_for_cells_and_rise_for_attention():
    """The top of two layers, both ways, of 32 units: it reads 64 numbers and gives 64."""
    set_so = {"hidden_size": 32, "directions": "2", "layers": 2}
    work, past = columns("work", **set_so), columns("past", **set_so)
    t = np.round(work["t"])
    assert (t[0], t[-1]) == (1, 10_000)
    for cell, gates in PARTS.items():
        np.testing.assert_allclose(work[cell], 2 * gates * (64 * 32 + 32**2), rtol=1e-12)
        np.testing.assert_allclose(past[cell], STATES[cell] * 64, rtol=1e-12)
    np.testing.assert_allclose(work["attention"], 4 * 64**2 + 128 * t, rtol=1e-12)
    np.testing.assert_allclose(past["attention"], 128 * t, rtol=1e-12)
    np.testing.assert_allclose(
        columns("work", input_size=16, hidden_size=64)["attention"], 3 * 16 * 64 + 64**2 + 128 * t, rtol=1e-12
    )
