"""The gates lab without a browser: what gating buys in numbers, its words, and that all agree."""

import math
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from bokeh.models import ColumnDataSource, Line, VArea

from core.gradient_flow import first_input_gradient, gradient_flow
from tests.widgets import lab_readings as readings
from widgets.base.numbers import from_log10, number, operand
from widgets.gates import curves as gate_curves
from widgets.gates import plots as gate_plots
from widgets.gates import words as gate_words
from widgets.gates.curves import NETWORKS, lengths_for, measure
from widgets.gates.lab import GateLab, _fixed, _measured

SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
SEEDS = (0, 1, 2)


lab_with = partial(readings.lab_with, GateLab)
values = partial(readings.values_with, GateLab)
texts = partial(readings.texts_with, GateLab)


def own_ratios(cell, longer, seed, **bias) -> np.ndarray:
    """Each network's ratio of two lengths, measured one network at a time."""
    seeds = range(NETWORKS * seed, NETWORKS * (seed + 1))
    norms = [first_input_gradient(cell, (5, longer), seed=one, **bias) for one in seeds]
    return np.array([longest / first for first, longest in norms])


def test_settings_are_those_of_the_design():
    settings = GateLab.settings()
    assert {name: (setting.bounds, setting.default) for name, setting in settings.items()} == {
        "forget_bias": ((-2, 6), 1), "update_bias": ((-2, 6), 0), "hidden_size": ((8, 64), 32),
        "longest": ((10, 200), 100), "seed": ((0, 9999), 0),
    }  # fmt: skip


def test_the_bare_lab_is_the_first_preset():
    assert GateLab().present_preset() is GateLab.presets[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_comes_out(seed):
    shown = values(seed=seed, forget_bias=0.0)
    assert 0 < shown["rnn_ratio"] < 1e-20
    assert 0 < shown["lstm_ratio"] < 1e-15
    assert 0 < values(seed=seed, forget_bias=0.0, longest=50)["lstm_ratio"] < 1e-8
    assert 1e-9 < values(seed=seed, forget_bias=1.0)["lstm_ratio"] < 1e-7
    assert 0.05 < values(seed=seed, forget_bias=3.0)["lstm_ratio"] < 5
    assert 0.05 < values(seed=seed, update_bias=4.0)["gru_ratio"] < 5
    assert values(seed=seed, update_bias=0.0)["gru_ratio"] < 1e-15


@pytest.mark.parametrize("seed", range(5))
def test_with_eight_units_every_curve_falls_more_steeply(seed):
    """What the hint of the preset says."""
    small, usual = (
        lab_with(hidden_size=size, seed=seed, forget_bias=4.0, update_bias=4.0).comparison()().rows
        for size in (8, 32)
    )
    for few, many in zip(small, usual, strict=True):
        if not few[0].endswith("set here"):
            assert few[-1] < many[-1]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("key", "cell", "bias"),
    [("rnn", "rnn", {}), ("lstm", "lstm", {"forget_bias": 1.7}), ("gru", "gru", {"update_bias": 2.3})],
)
def test_ratios_are_the_medians_of_the_networks_own(key, cell, bias, seed):
    expected = np.median(own_ratios(cell, 40, seed, **bias))
    assert values(seed=seed, longest=40, **bias)[f"{key}_ratio"] == pytest.approx(expected, rel=1e-9)


TEXT = (Path(__file__).parents[2] / "assets/text/gates.md").read_text(encoding="utf-8")


def test_each_unit_of_bias_lifts_the_far_end_by_powers_of_ten_up_to_three():
    assert "Up to about 3 each further unit of bias lifts" in TEXT
    assert "up to about 3 each further unit lifts" in GateLab.presets[0].look_for
    ends = [math.log10(values(forget_bias=float(bias))["lstm"]) for bias in range(-2, 7)]
    risen = np.diff(ends)
    assert risen[:5].min() > 1.5
    assert risen[5:].max() < 0.75


@pytest.mark.parametrize("seed", range(6))
def test_what_the_text_says_of_bias_3(seed):
    """A fifth at first and more in most draws; along the cell somewhat less than f^95."""
    assert "about a fifth is left" in TEXT
    assert "somewhat faster" in TEXT
    ratio = values(seed=seed, forget_bias=3.0)["lstm_ratio"]
    assert ratio == pytest.approx(0.218, abs=5e-4) if seed == 0 else ratio > 0.2
    columns = lab_with(seed=seed, forget_bias=3.0).compute().columns["paths"]
    five = list(columns["T"]).index(5)
    along = 10 ** (columns["lstm_along"][-1] - columns["lstm_along"][five])
    assert 0.25 < along / (1 / (1 + math.exp(-3))) ** 95 < 0.8


@pytest.mark.parametrize("seed", SEEDS)
def test_the_other_paths_change_more_than_the_cells_from_32_units_to_64(seed):
    few, many = (values(seed=seed, forget_bias=3.0, hidden_size=size) for size in (32, 64))
    along, rest = (abs(math.log(many[part] / few[part])) for part in ("lstm_along", "lstm_rest"))
    assert rest > along
    assert "from 32 units to 64. Which of the two parts changes more" in TEXT


def test_an_open_update_gate_lowers_the_near_end_of_the_gru_alone():
    assert "Why does its near end move down" in TEXT
    shut, open_ = (lab_with(update_bias=bias).compute().columns["flow"]["live_gru"] for bias in (0.0, 4.0))
    assert open_[0] < shut[0] - 1
    assert open_[-1] > shut[-1] + 10


def test_bias_3_is_carried_by_other_paths():
    shown = values(forget_bias=3.0)
    assert shown["lstm_rest"] == pytest.approx(shown["lstm"], rel=0.05)
    assert shown["lstm_along"] < shown["lstm"] / 20
    frame = lab_with(forget_bias=3.0).compute()
    assert "keeps 21.8\u00a0% of its gradient, its forget gate alone 0.989\u00a0%;" in frame.sentence
    assert any("straight along the cell comes 0.00182" in note for note in frame.notes)


def test_the_opened_gru_carries_like_the_lstm_with_bias_3():
    """What the hint of the preset says: the far end is as much of the near one, and both ends lie lower."""
    preset = GateLab().preset("gru-open")
    assert "like the LSTM with bias 3, from lower down" in preset.look_for
    gru, lstm = values(**preset.settings), values(forget_bias=3.0)
    assert 0.3 < gru["gru_ratio"] / lstm["lstm_ratio"] < 3
    assert gru["gru"] < lstm["lstm"] / 3


def test_an_open_gru_is_carried_along_z():
    shown = values(update_bias=5.0)
    assert shown["gru_along"] == pytest.approx(shown["gru"], rel=0.25)
    assert any("most comes straight along z" in note for note in lab_with(update_bias=5.0).compute().notes)


@pytest.mark.parametrize("forget_bias", [-2.0, 0.0, 1.0, 2.0, 2.6, 3.0, 4.0, 6.0])
@pytest.mark.parametrize("longest", [10, 37, 100])
def test_the_sentence_agrees_with_the_readouts(forget_bias, longest):
    settings = {"forget_bias": forget_bias, "longest": longest, "update_bias": 0.5}
    shown, sentence = values(**settings), lab_with(**settings).compute().sentence
    for key in ("lstm_ratio", "gru_ratio", "rnn_ratio"):
        assert re.search(rf"(?<![\d.−]){re.escape(said(shown[key]))}(?![\d·])", sentence)
    start = f"From 5 to {longest} steps the LSTM"
    alone = re.search(r"its forget gate alone ([^;]+);", sentence)
    if not alone:
        assert sentence.startswith(
            f"{start} (bias {operand(forget_bias)}) keeps {said(shown['lstm_ratio'])} of its gradient, "
            "the GRU (bias 0.5) "
        )
    else:
        assert sentence.startswith(f"{start} keeps {said(shown['lstm_ratio'])} of its gradient")
        straight = (1 / (1 + math.exp(-forget_bias))) ** (longest - 5)
        assert alone[1] == said(straight)
        assert shown["lstm_rest"] > shown["lstm_along"]
        assert shown["lstm_ratio"] > 10 * straight


def said(share: float) -> str:
    return f"{number(100 * share)}\u00a0%" if share >= 1e-3 else number(share)


def test_the_sentence_of_the_projector_stays_short():
    """Of the line of 1232 pixels, which holds about 110 characters beside superscripts, which are narrow."""
    for forget_bias in np.arange(-2, 6.05, 0.1):
        for size in (8, 32):
            sentence = lab_with(forget_bias=forget_bias, hidden_size=size).compute().sentence
            assert len(re.sub("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]", "", sentence)) <= 120


def reckon(term: str) -> float:
    term = re.sub(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "e" + m[1].translate(SUPERSCRIPTS), term)
    return eval(term.replace("^", "**"), {"__builtins__": {}})


@pytest.mark.parametrize("settings", [{}, {"forget_bias": 3.0, "update_bias": 4.0}, {"longest": 200}])
def test_the_arithmetic_can_be_reckoned_again(settings):
    shown = values(**settings)
    lines = lab_with(**settings).compute().arithmetic
    for line, gate, ratio in zip(
        lines, ("forget_gate", "update_gate"), ("lstm_ratio", "gru_ratio"), strict=True
    ):
        found = re.search(r"≈ (\S+) = (\S+); measured (\S+), in all (\S+)$", line)
        power, printed, _, whole = found.groups()
        assert reckon(power) == pytest.approx(reckon(printed), rel=6e-4)
        assert float(power.split("^")[0]) == pytest.approx(shown[gate], rel=1e-6)
        assert reckon(whole) == pytest.approx(shown[ratio], rel=6e-3)


def test_curves_are_medians_within_their_bands():
    frame = lab_with(forget_bias=2.2).compute()
    columns = {**frame.columns["bands"], **frame.columns["flow"]}
    for name in gate_words.LABELS:
        assert (columns[f"{name}_low"] <= columns[name]).all()
        assert (columns[name] <= columns[f"{name}_high"]).all()
    flow = gradient_flow(
        "lstm", columns["T"].tolist(), hidden_size=32, forget_bias=2.2, seeds=range(NETWORKS)
    )
    np.testing.assert_allclose(columns["live_lstm"], np.median(flow.log10_norms, axis=0), rtol=1e-9)
    np.testing.assert_allclose(columns["live_lstm_low"], flow.log10_norms.min(axis=0), rtol=1e-9)
    np.testing.assert_allclose(columns["live_lstm_high"], flow.log10_norms.max(axis=0), rtol=1e-9)


def test_the_order_of_the_curves_at_the_far_end():
    columns = lab_with(update_bias=5.0).compute().columns["flow"]
    end = {name: columns[name][-1] for name in gate_words.LABELS}
    assert end["rnn"] < end["lstm_0"] < end["lstm_1"] < end["lstm_3"] < end["lstm_1997"]
    assert end["gru"] < end["live_gru"]


@pytest.mark.parametrize(
    ("bias", "coinciding"), [(0.0, "LSTM with bias 0"), (1.0, "LSTM with bias 1"), (3.0, "LSTM with bias 3")]
)
def test_curves_that_coincide_are_said_to(bias, coinciding):
    notes = lab_with(forget_bias=bias, update_bias=1.0).compute().notes
    assert [note for note in notes if "coincides" in note] == [
        f"The LSTM set here coincides with the {coinciding}."
    ]
    assert not any("coincides" in note for note in lab_with(forget_bias=0.5, update_bias=0.5).compute().notes)


@pytest.mark.parametrize("longest", [10, 37, 100, 101, 200])
def test_every_picture_ends_at_the_longest_length(longest):
    frame = lab_with(longest=longest).compute()
    assert frame.columns["flow"]["T"][-1] == frame.columns["paths"]["T"][-1] == longest
    assert frame.columns["flow"]["T"][0] == 1
    np.testing.assert_array_equal(
        frame.columns["flow"]["rnn"][:5], GateLab().compute().columns["flow"]["rnn"][:5]
    )


def test_the_table_by_length_holds_the_promised_ones_and_the_ratio():
    table = lab_with(forget_bias=3.0).comparison()()
    assert table.headings == ["network", *(f"T = {T}" for T in (5, 10, 20, 50, 100)), "median of 100 : 5"]
    assert "not the ratio of the medians" in table.caption
    rows = {row[0]: row[1:] for row in table.rows}
    assert list(rows) == [
        "tanh RNN", "LSTM, bias 0", "LSTM, bias 1", "LSTM, bias 3", "LSTM of 1997", "GRU, bias 0",
        "LSTM set here", "GRU set here",
    ]  # fmt: skip
    norms = [
        first_input_gradient("lstm", (5, 10, 20, 50, 100), forget_bias=3.0, seed=seed)
        for seed in range(NETWORKS)
    ]
    for name in ("LSTM set here", "LSTM, bias 3"):
        np.testing.assert_allclose(rows[name][:-1], np.median(norms, axis=0), rtol=1e-9)
        assert rows[name][-1] == pytest.approx(np.median([row[-1] / row[0] for row in norms]))
    assert lab_with(longest=30).comparison()().headings[1:] == [
        *(f"T = {T}" for T in (5, 10, 20, 30)),
        "median of 30 : 5",
    ]


def test_the_data_table_holds_what_is_drawn():
    frame = GateLab().compute()
    columns = dict(zip(frame.table.headings, frame.table.columns, strict=True))
    assert columns["T"] == frame.columns["flow"]["T"].tolist()
    np.testing.assert_allclose(
        columns["LSTM set here: median"], 10 ** frame.columns["flow"]["live_lstm"], rtol=1e-12
    )
    np.testing.assert_allclose(
        columns["GRU set here: along z"], 10 ** frame.columns["paths"]["gru_along"], rtol=1e-12
    )


def test_a_single_step_leaves_a_gru_no_other_path():
    paths = GateLab().compute().columns["paths"]
    assert paths["gru_rest"][0] == -math.inf
    assert np.isfinite(paths["gru_rest"][1:]).all()
    assert paths["gru_along"][0] == pytest.approx(paths["gru"][0], abs=1e-12)


def count_measured(monkeypatch) -> list[str]:
    cells = []

    def counted(cell, *arguments):
        cells.append(cell)
        return gradient_flow(cell, *arguments)

    monkeypatch.setattr(gate_curves, "gradient_flow", counted)
    measure.cache_clear()
    return cells


def test_a_bias_that_moves_measures_its_own_network_alone(monkeypatch):
    cells = count_measured(monkeypatch)
    GateLab().compute()
    assert sorted(cells) == ["gru", "lstm", "lstm", "lstm", "lstm-1997", "rnn"]
    for settings, measured in (
        ({"forget_bias": 1.5}, ["lstm"]), ({"update_bias": 1.5}, ["gru"]), ({"longest": 60}, []),
        ({"forget_bias": 1.5}, []),
    ):  # fmt: skip
        cells.clear()
        lab_with(**settings).compute()
        assert cells == measured


@pytest.mark.parametrize("settings", [{"hidden_size": 64}, {"longest": 150}, {"seed": 3}])
def test_the_groundwork_leaves_nothing_slow_to_compute(monkeypatch, settings):
    cells = count_measured(monkeypatch)
    lab = lab_with(**settings)
    lab.groundwork()()
    cells.clear()
    lab.compute()
    assert [cell for cell in cells if cell not in ("lstm", "gru")] == []
    assert len(cells) <= (1 if "seed" in settings else 0)


def test_moving_a_bias_asks_for_groundwork_only_where_a_cell_is_large():
    assert lab_with(forget_bias=2.0).groundwork() == GateLab().groundwork()
    assert GateLab().groundwork().work is _fixed
    for size in ({"hidden_size": 40}, {"longest": 110}):
        assert lab_with(forget_bias=2.0, **size).groundwork() != lab_with(**size).groundwork()
        assert lab_with(**size).groundwork().work is _measured
    assert lab_with(longest=60).groundwork() == GateLab().groundwork()


def test_lengths_hold_those_of_the_table():
    assert {5, 10, 20, 50, 100} <= set(lengths_for(100))
    assert lengths_for(37)[-1] == 100
    assert 37 in lengths_for(37)
    assert lengths_for(101)[-1] == 200


@pytest.mark.parametrize("bias", [-2.0, 6.0])
@pytest.mark.parametrize("size", [8, 64])
@pytest.mark.parametrize("longest", [10, 200])
def test_extremes_compute_without_a_warning(bias, size, longest):
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        frame = lab_with(forget_bias=bias, update_bias=bias, hidden_size=size, longest=longest).compute()
    assert "nan" not in (frame.sentence + " ".join(frame.notes)).lower()
    assert not any("not finite" in readout.text for readout in frame.readouts)


def test_every_curve_can_be_told_from_every_other():
    sources = {name: ColumnDataSource(dict(c), name=name) for name, c in GateLab().compute().columns.items()}
    for plot in gate_plots.plots(sources, (-12, 2)):
        looks = [
            (
                next(tag for tag in r.tags if tag.startswith("role:")),
                r.glyph.line_width,
                str(r.glyph.line_dash),
            )
            for r in plot.figure.renderers
            if isinstance(r.glyph, Line)
        ]
        assert len(set(looks)) == len(looks) == len(plot.axis.curves)
        drawn = {r.data_source.name for r in plot.figure.renderers}
        assert plot.axis.source in drawn
    main = gate_plots.plots(sources, (-12, 2))[0]
    assert sum(isinstance(r.glyph, VArea) for r in main.figure.renderers) == len(gate_words.LABELS)
    assert {key.label for key in main.legend} == set(gate_words.LABELS.values())
    live = [r.glyph for r in main.figure.renderers if isinstance(r.glyph, Line) and "live" in r.glyph.y]
    assert all(line.line_width <= 4 and line.line_alpha == 1 for line in live), "a line, which is no range"


def test_only_the_curves_that_the_sliders_set_are_pinned():
    sources = {name: ColumnDataSource(dict(c), name=name) for name, c in GateLab().compute().columns.items()}
    main = gate_plots.plots(sources, (-12, 2))[0]
    pinned = {r.glyph.y for r in main.figure.renderers if "pinned" in r.tags}
    assert pinned == {"live_lstm", "live_gru"}


def test_readouts_read_as_the_curves_end():
    frame = lab_with(forget_bias=2.4).compute()
    shown = {r.key: r.text for r in frame.readouts}
    assert shown["lstm"] == from_log10(frame.columns["flow"]["live_lstm"][-1])
    assert shown["gru_along"] == from_log10(frame.columns["paths"]["gru_along"][-1])
