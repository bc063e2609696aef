"""The cost lab without a browser: counts by hand and by PyTorch’s rule, at every setting."""

import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.widgets import lab_readings as readings
from widgets.base.numbers import percent
from widgets.cost.lab import CostLab
from widgets.cost.stopwatch import WIDTHS

TEXT = (Path(__file__).parents[2] / "assets/text/cost.md").read_text(encoding="utf-8")
PARTS = {"rnn": 1, "lstm": 4, "gru": 3}
SMALL = {
    "cell": "rnn", "input_size": 3, "hidden_size": 4, "vocabulary": 20, "directions": "2", "length": 10,
}  # fmt: skip


lab_with = partial(readings.lab_with, CostLab)
values = partial(readings.values_with, CostLab)
columns = partial(readings.unlogged_with, CostLab)
texts = partial(readings.texts_with, CostLab)


def test_settings_are_those_of_the_design():
    settings = CostLab.settings()
    named = [
        "cell",
        "layers",
        "input_size",
        "hidden_size",
        "vocabulary",
        "length",
        "biases",
        "directions",
        "tied",
    ]
    assert set(settings) == {*named, "truncation", "window", "picture"}
    assert settings["biases"].objects == ["one", "two"]
    assert settings["directions"].objects == ["1", "2"]
    assert settings["window"].default == 5


def test_the_bare_lab_is_the_first_preset():
    assert CostLab().present_preset() is CostLab.presets[0]


@pytest.mark.parametrize(
    ("cell", "d", "units", "one", "two"),
    [
        ("lstm", 1, 9, 396, 432),
        ("gru", 16, 32, 4704, 4800),
        ("lstm", 65, 128, 99328, 99840),
        ("rnn", 65, 128, 24832, 24960),
    ],
)
def test_one_layer_has_as_many_parameters_as_pytorch_gives_it(cell, d, units, one, two):
    sizes = {"cell": cell, "input_size": d, "hidden_size": units, "vocabulary": 0}
    assert values(**sizes)["total"] == values(**sizes)["recurrent"] == one
    assert values(**sizes, biases="two")["total"] == two
    assert values(**sizes, biases="two", directions="2")["total"] == 2 * two
    assert texts(**sizes)["total"] == f"{one:,}"


def test_a_small_network_worked_by_hand():
    """d = 3, d_h = 4, V = 20, both ways, T = 10.

    Parameters: embedding 60, layers 2·(12 + 16 + 4), softmax 8·20 + 20. A step: 2·(12 + 16) + 8·20 = 216, three times
    that with the way back. Kept: 10·(3 + 8 + 20), and 8 to start from.
    """
    shown = values(**SMALL)
    assert (shown["total"], shown["recurrent"], shown["ends"]) == (304, 64, 240)
    assert (shown["step"], shown["work"]) == (216, 10 * 3 * 216)
    assert (shown["kept"], shown["in_a_row"], shown["attention_in_a_row"]) == (318, 10, 1)
    assert texts(**SMALL)["truncated"] == "not cut"


def test_what_is_kept_truncated_worked_by_hand():
    """Two LSTM layers of 4 units, d = 3, V = 6: a step keeps 3 + 2·6·4 + 6 = 57, the start is 2·2·4."""
    small = {"input_size": 3, "hidden_size": 4, "layers": 2, "vocabulary": 6}
    shown = values(**small, length=1000, truncation=20)
    assert (shown["kept"], shown["truncated"]) == (57 * 1000 + 16, 57 * 20 + 16)
    assert shown["in_a_row"] == 1001
    assert values(**small, length=10, truncation=20)["truncated"] == 57 * 10 + 16


def test_window_networks_layers_by_hand():
    """d = 60, d_h = 50, both sides of the crossing: 60·n·50 + 50 against 60·50 + 50² + 50 = 5,550 of a tanh RNN."""
    sizes = {"cell": "rnn", "input_size": 60, "hidden_size": 50}
    drawn = lab_with(**sizes, vocabulary=0).compute().columns["layers"]
    assert drawn["network"].tolist() == [3000 * n + 50 for n in range(1, 11)]
    assert drawn["recurrent"].tolist() == [5550] * 10
    shown = values(**sizes, window=7)
    assert (shown["window_layer"], shown["outgrown"]) == (21_050, 2)
    # An LSTM's layers have four times as many; twice as many read both ways, and a second layer reads 100 numbers.
    assert values(**sizes | {"cell": "lstm"})["outgrown"] == 8
    deep = {"cell": "rnn", "directions": "2", "layers": 2}
    assert values(**sizes | deep)["outgrown"] == (11_100 + 2 * (5000 + 2500 + 50) - 50) // 3000 + 1


def test_windows_by_hand():
    """V = 10, m = 3, h = 4: a table of 10^(n+1); 10·3 + (3·n·4 + 4) + (40 + 10); and ours, whatever n.

    The LSTM: 30 + 4·(12 + 16 + 4) + 50.
    """
    drawn = columns("windows", vocabulary=10, input_size=3, hidden_size=4)
    n = np.arange(1, 11)
    np.testing.assert_allclose(drawn["table"], 10.0 ** (n + 1), rtol=1e-12)
    np.testing.assert_allclose(drawn["network"], 84 + 12 * n, rtol=1e-12)
    np.testing.assert_allclose(drawn["recurrent"], 208, rtol=1e-12)
    assert texts(vocabulary=10, window=3)["table"] == "10,000"


def test_without_a_vocabulary_the_layers_stand_alone():
    frame = lab_with(vocabulary=0, tied=True).compute()
    assert np.isneginf(frame.columns["widths"]["ends"]).all()
    assert np.isneginf(frame.columns["windows"]["table"]).all()
    assert len(frame.columns["here"]["role"]) == 2
    np.testing.assert_array_equal(frame.columns["widths"]["total"], frame.columns["widths"]["lstm"])
    assert any("coincides" in note for note in frame.notes)
    assert "Nothing is there to be tied." in frame.notes


def test_read_both_ways_nothing_is_cut():
    frame = lab_with(directions="2").compute()
    assert np.isneginf(frame.columns["kept"]["truncated"]).all()
    assert any("cannot be truncated" in note for note in frame.notes)
    assert any("nothing is cut" in note for note in lab_with(length=40, truncation=40).compute().notes)
    assert not any("cut" in note for note in lab_with(length=41, truncation=40).compute().notes)


def test_tying_may_save_or_not_and_says_which():
    """V·d_h weights less, and a projection of d_h·d more where the widths differ."""
    small = {"tied": True, "input_size": 32, "hidden_size": 8}
    assert "Tying saves 544 parameters." in lab_with(**small, vocabulary=100).compute().notes
    lost = lab_with(**small, vocabulary=20).compute().notes
    assert any(note.startswith("Tied, it has 96 parameters more") for note in lost)
    assert "with vocabulary 20, input size 32 and hidden size 8" in TEXT
    # Both ways the softmax reads 16 numbers: 16·100 weights less, and a projection of 16·32.
    assert (
        "Tying saves 1,088 parameters." in lab_with(**small, vocabulary=100, directions="2").compute().notes
    )


def test_tying_that_saves_nothing_or_one_parameter_says_so():
    """By hand: V·D·d_h weights less, and a projection of D·d_h·d."""
    even = {"tied": True, "vocabulary": 2, "input_size": 2, "hidden_size": 2, "directions": "2"}
    notes = lab_with(**even).compute().notes
    assert "Tying saves nothing: the projection is as large as what is shared." in notes
    assert not any("saves 0" in note or "has 0" in note for note in notes)
    one = {"tied": True, "hidden_size": 1}
    assert "Tying saves 1 parameter." in lab_with(**one, vocabulary=1, input_size=1).compute().notes
    assert "Tying saves 1 parameter." in lab_with(**one, vocabulary=3, input_size=2).compute().notes
    lost = lab_with(**one, vocabulary=1, input_size=2).compute().notes
    assert "Tied, it has 1 parameter more: the projection is larger than what is shared." in lost


def test_a_tied_networks_projection_is_gone_at_one_width_alone():
    drawn = columns("widths", tied=True, input_size=100, vocabulary=1000)
    n = np.round(drawn["d_h"]).tolist()
    ends = dict(zip(n, drawn["ends"], strict=True))
    assert ends[100] == pytest.approx(101_000)
    assert ends[99] == pytest.approx(101_000 + 99 * 100)
    assert ends[101] == pytest.approx(101_000 + 101 * 100)
    # Both ways the softmax reads twice as many numbers: the widths agree at 50.
    drawn = columns("widths", tied=True, input_size=100, vocabulary=1000, directions="2")
    ends = dict(zip(np.round(drawn["d_h"]).tolist(), drawn["ends"], strict=True))
    assert ends[50] == pytest.approx(101_000)
    assert ends[49] == pytest.approx(101_000 + 98 * 100)


@pytest.mark.parametrize(("source", "place"), [("widths", "d_h"), ("work", "t"), ("kept", "T")])
def test_a_curve_has_a_point_wherever_the_eye_would_miss_one(source, place):
    at = columns(source)[place]
    assert (at[0], at[1]) == (1, 2)
    assert (at[1:] / at[:-1])[at[:-1] >= 8].max() < 1.5


def test_part_by_part_adds_up():
    table = lab_with(layers=2, tied=True, directions="2", length=7).comparison()()
    rows = {row[0]: [float(row[i].replace(",", "")) for i in (1, 3, 4, 5)] for row in table.rows}
    assert list(rows) == ["embedding", "layer 1", "layer 2", "projection and softmax", "whole network"]
    whole = np.array(rows.pop("whole network"))
    np.testing.assert_array_equal(np.sum(list(rows.values()), axis=0), whole)
    # By hand, d = 128, d_h = 256: 2·4·(128·256 + 256² + 256) and 2·4·(512·256 + 256² + 256).
    assert (rows["layer 1"][0], rows["layer 2"][0]) == (788_480, 1_574_912)
    assert rows["projection and softmax"][:2] == [512 * 128 + 10_000, 512 * 128 + 128 * 10_000]
    shares = {row[0]: (row[2], row[6]) for row in table.rows}
    assert shares["embedding"] == (percent(1_280_000 / whole[0]), "0\u00a0%")
    assert shares["layer 1"] == (percent(788_480 / whole[0]), percent(786_432 / whole[1]))
    for _, forward, backward, sequence in rows.values():
        assert (backward, sequence) == (2 * forward, 7 * 3 * forward)


def test_the_data_table_holds_what_is_drawn():
    frame = lab_with(vocabulary=0).compute()
    rows = [row for row in frame.table.rows if row[:2] == ("Parameters", "LSTM")]
    drawn = frame.columns["widths"]
    np.testing.assert_allclose([math.log10(at) for *_, at, _ in rows], drawn["d_h"], rtol=1e-12)
    np.testing.assert_allclose([math.log10(n) for *_, n in rows], drawn["lstm"], rtol=1e-12)
    assert not any(row[1] == "embedding and softmax" for row in frame.table.rows)


def test_what_is_not_measured_yet_is_said_to_be_to_come():
    frame = CostLab().compute()
    assert np.isnan(frame.columns["times"]["lstm"]).all()
    assert {r.key: r.text for r in frame.readouts}["measured"] == "to come"
    assert frame.notes == []
    assert "being timed" in lab_with(picture="time").compute().sentence


@pytest.mark.parametrize(("width", "nearest"), [(22, 16), (23, 32), (90, 64), (91, 128)])
def test_the_nearest_measured_width_is_the_nearest_by_ratio(width, nearest):
    """Between 16 and 32 their ratios meet at 16·√2 = 22.6, between 64 and 128 at 90.5."""
    shown = next(r for r in lab_with(hidden_size=width).compute().readouts if r.key == "measured")
    assert shown.label == f"LSTM step, d\u00a0=\u00a0d_h\u00a0=\u00a0{nearest}"


def test_what_is_measured_is_drawn_and_said_at_the_nearest_width():
    lab = lab_with(hidden_size=100, cell="gru")
    lab.times = {cell: tuple(gates * 1e-6 * width for width in WIDTHS) for cell, gates in PARTS.items()}
    frame = lab.compute()
    shown = next(r for r in frame.readouts if r.key == "measured")
    assert (shown.label, shown.text) == ("GRU step, d\u00a0=\u00a0d_h\u00a0=\u00a0128", "384 µs")
    # 3·(128² + 128²) multiply–adds in 384 µs.
    each = next(r for r in frame.readouts if r.key == "each")
    assert (each.value, each.text) == (pytest.approx(384e-6 / 98_304), "3.91 ns")
    np.testing.assert_allclose(10 ** frame.columns["times"]["gru"], 3e-6 * np.array(WIDTHS), rtol=1e-12)
    assert not any("timed" in note for note in frame.notes)
    rows = [row for row in frame.table.rows if row[0] == "By the clock"]
    assert ("By the clock", "LSTM, seconds a step", "d_h", 256, pytest.approx(4e-6 * 256)) in rows
    assert len(rows) == len(PARTS) * len(WIDTHS)


def test_a_measurement_that_failed_is_said_to_have():
    lab = CostLab()
    lab.unmeasured = True
    frame = lab.compute()
    assert {r.key: r.text for r in frame.readouts}["measured"] == "failed"
    assert any("could not be timed" in note for note in frame.notes)


@pytest.mark.parametrize("cell", list(PARTS))
@pytest.mark.parametrize("directions", ["1", "2"])
@pytest.mark.parametrize("end", [0, 1])
def test_extremes_compute_without_a_warning(cell, directions, end):
    numbers = {name: s.bounds[end] for name, s in CostLab.settings().items() if hasattr(s, "bounds")}
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        for tied in (False, True):
            frame = lab_with(cell=cell, directions=directions, tied=tied, **numbers).compute()
    assert all(np.isfinite(r.value) for r in frame.readouts if r.key not in ("measured", "each"))
