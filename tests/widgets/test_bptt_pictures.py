"""The pictures of the BPTT lab without a browser: tiles, sums, colours, and what a move sends again."""

import math

import numpy as np
import pytest
from bokeh.models import ColumnDataSource, Scatter

from core.bptt import itemised_gradient
from tests.widgets.bptt_readings import lab_with, model, preset_lab, tiles
from widgets.base.described import Described
from widgets.bptt import reading as bptt_reading
from widgets.bptt.columns import BEYOND, columns
from widgets.bptt.lab import BpttLab
from widgets.bptt.reading import Network
from widgets.bptt.words import notes
from widgets.figures.pins import Pins

CELLS = ("rnn", "lstm", "gru")


def test_truncation_blanks_the_tiles_across_a_cut_and_no_others():
    whole, cut = tiles(BpttLab()), tiles(lab_with(truncation=4))
    assert whole.keys() == {(t, s) for t in range(1, 14) for s in range(1, t + 1)}
    assert cut.keys() == {(t, s) for t, s in whole if (t - 1) // 4 == (s - 1) // 4}
    assert all(cut[pair] == whole[pair] for pair in cut)


def test_what_truncation_keeps_of_each_lag():
    columns = lab_with(truncation=4).compute().columns["lags"]
    whole = tiles(lab_with(truncation=4))
    for lag in range(13):
        kept = sum(10**size for (t, s), size in whole.items() if t - s == lag and size > -BEYOND)
        assert 10 ** columns["kept"][lag] == pytest.approx(kept, rel=1e-3) if kept else True
    assert np.isnan(columns["kept"][4:]).all()
    assert np.isfinite(columns["sum"][:12]).all()


@pytest.mark.parametrize("heat_map", ["terms", "h", "c", "x"])
@pytest.mark.parametrize("cell", CELLS)
def test_the_heat_map_shows_what_it_says(cell, heat_map):
    P, ids = model(cell)
    items = itemised_gradient(cell, P, ids)
    table = {
        "terms": items.contributions, "h": items.h_errors, "c": items.c_errors, "x": items.x_errors,
    }[heat_map]  # fmt: skip
    lab = lab_with(cell=cell, heat_map=heat_map)
    drawn = tiles(lab)
    if table is None:
        assert drawn == {}
        assert "has no cell state c, so the heat map is empty" in lab.compute().sentence
        return
    for (t, s), size in drawn.items():
        wanted = table[t - 1, s - 1]
        assert size == (pytest.approx(math.log10(wanted), abs=6e-5) if wanted else -BEYOND)
    assert any("terms of step 1 are 0" in note for note in lab.compute().notes) == (heat_map == "terms")


def test_a_tile_of_what_is_not_finite_is_drawn_full_and_the_rest_stays(monkeypatch):
    reading = bptt_reading.Reading(("a", "b", "c"), Network("rnn", 4, 0.9, 0), 2, 2)
    broken = np.array([[0.5, 0.0], [math.inf, 0.25]])
    monkeypatch.setattr(bptt_reading.Reading, "table", lambda self, heat_map: broken)
    shown = columns(reading, "h")["tiles"]["log10"]
    np.testing.assert_allclose(shown, [math.log10(0.5), BEYOND, math.log10(0.25)], atol=1e-4)
    assert any("not finite" in note for note in notes(reading, "h"))


def test_any_words_are_tokens():
    frame = lab_with(text="<b>é漢😀</b> &amp; extraordinarily &amp;").compute()
    assert frame.columns["text"]["word"] == ["<b>é漢😀</b>", "&amp;", "extraordina…"]
    assert frame.columns["text"]["next"] == ["&amp;", "extraordina…", "&amp;"]


def test_exploding_grows_at_nearly_every_step_back():
    lab = preset_lab("exploding")
    walk = lab.compute().columns["walk"]["size"]
    assert walk[0] > walk[-1] + 0.5
    assert (np.diff(walk) < 0).sum() >= 10
    assert "times as large at step 1" in lab.compute().sentence


def test_a_move_of_the_loss_leaves_the_tiles_alone():
    def changed(**settings):
        before, after = BpttLab().compute().columns, lab_with(**settings).compute().columns
        return {
            source
            for source in before
            if any(
                list(map(str, before[source][name])) != list(map(str, after[source][name]))
                for name in before[source]
            )
        }

    assert changed(loss_step=5) == {"chosen", "walk", "factors"}
    assert changed(truncation=12) == {"tiles", "cut", "lags"}
    assert changed(heat_map="x") == {"tiles", "chosen"}


def drawn(lab):
    frame = lab.compute()
    sources = {name: ColumnDataSource(dict(content), name=name) for name, content in frame.columns.items()}
    return lab.plots(sources), frame.columns


def test_the_colours_follow_the_preset_and_the_extent_follows_the_text():
    plots, content = drawn(BpttLab())
    axis = plots[0].axis
    axis.go_home(BpttLab.presets[0])
    assert (axis.colours.x[0], axis.colours.x[-1]) == (-4, 0)
    assert (axis.figure.x_range.end, axis.figure.y_range.start) == (13.5, 13.5)
    assert list(axis.scale.data["number"][-4:]) == ["10⁻⁴", "10⁻²", "1", "size of a term"]
    axis.follow(lab_with(text="a b c d").compute().columns)
    assert (axis.figure.x_range.end, axis.figure.y_range.start) == (3.5, 3.5)
    assert (axis.colours.x[0], axis.colours.x[-1]) == (-4, 0)
    axis.fit(content["tiles"])
    assert (axis.colours.x[0], axis.colours.x[-1]) == (-2, 0.5)
    assert list(axis.scale.data["number"][-4:]) == ["10⁻²", "", "3.16", "size of a term"]
    axis.follow(lab_with(heat_map="h").compute().columns)
    assert list(axis.scale.data["number"][-4:]) == ["10⁻²", "", "3.16", "size of the error at h"]


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("heat_map", ["terms", "h", "x"])
def test_the_fitted_colours_end_less_than_half_a_decade_above_the_largest_tile(cell, heat_map):
    plots, content = drawn(lab_with(cell=cell, heat_map=heat_map))
    axis, logs = plots[0].axis, content["tiles"]["log10"]
    axis.fit(content["tiles"])
    assert logs.max() <= axis.colours.x[-1] < logs.max() + 0.5
    assert axis.colours.x[0] <= logs[logs > -BEYOND].min()


@pytest.mark.parametrize("logs", [[0.0], [-1.0, -1.0], [-0.3, -0.2], [0.6]])
def test_the_colours_of_tiles_of_one_size_still_have_a_window(logs):
    axis = drawn(BpttLab())[0][0].axis
    axis.fit({"log10": logs})
    low, high = axis.colours.x[0], axis.colours.x[-1]
    assert low < high
    assert low <= min(logs) <= max(logs) <= high


def test_the_strip_of_colours_has_that_of_the_tiles():
    axis = drawn(lab_with(cell="lstm"))[0][0].axis
    axis.go_home(BpttLab.presets[0])
    assert set(axis.scale.data["role"]) == {"lstm"}
    axis.follow(lab_with(cell="gru").compute().columns)
    assert set(axis.scale.data["role"]) == {"gru"}
    axis.follow(lab_with(text="").compute().columns)
    assert set(axis.scale.data["role"]) == {"gru"}


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 14, 40])
def test_the_legend_of_the_colours_lies_where_no_tile_is(count):
    text = " ".join(f"w{i}" for i in range(count))
    plots, content = drawn(lab_with(text=text, loss_step=40, truncation=40))
    axis = plots[0].axis
    axis.go_home(BpttLab.presets[0])
    bottom = axis.scale.data["y"].max() + 0.04 * max(2, count - 1)
    left = min(axis.scale.data["x"] - axis.scale.data["width"] / 2)
    right_of_tiles = max(
        s + 0.5 for t, s in zip(content["tiles"]["t"], content["tiles"]["s"], strict=True) if t - 0.5 < bottom
    )
    assert left >= right_of_tiles


def test_pins_keep_what_truncation_kept_and_where_it_cut():
    plots, _ = drawn(lab_with(truncation=4))
    kept = {
        title: {r.glyph.y if isinstance(r.glyph, Scatter) else type(r.glyph).__name__ for r in pinned}
        for title, pinned in (
            (plot.title, [r for r in plot.figure.renderers if "pinned" in r.tags]) for plot in plots
        )
        if title in ("By lag", "Truncation")
    }
    assert "kept" in kept["By lag"]
    assert kept["Truncation"] == {"cosine", "relative_error", "VSpan"}


def test_the_markers_of_two_pins_can_be_told_apart_and_from_each_other():
    plots, _ = drawn(lab_with(truncation=4))
    pins = Pins(plots)
    pins.add(Described({}))
    pins.add(Described({}))
    marks = {
        pin.letter: {r.glyph.y.field: r.glyph.marker for _, r in pin.ghosts if isinstance(r.glyph, Scatter)}
        for pin in pins.held
    }
    assert marks == {
        "A": {"kept": "diamond_dot", "cosine": "circle_dot", "relative_error": "diamond_dot"},
        "B": {"kept": "diamond_cross", "cosine": "circle_cross", "relative_error": "diamond_cross"},
    }
    assert [pin.sign for pin in pins.held] == ["⊙", "⊕"]


def test_axes_of_words_read_number_and_word():
    plots, _ = drawn(BpttLab())
    for plot in (plots[0], plots[2], plots[4]):
        assert "`${tick} ${" in plot.figure.xaxis.formatter.code


def test_a_click_on_a_row_follows_that_loss():
    plots, content = drawn(BpttLab())
    source, setting = plots[0].tap
    assert (source, setting) == ("text", "loss_step")
    assert content[source]["n"].tolist() == list(range(1, 14))


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_a_text_of_one_word_repeated_has_no_gradient_and_whole_columns(cell):
    lab = BpttLab()
    lab.adopt(text="a a a a", cell=cell, truncation=3, loss_step=3)
    frame = lab.compute()
    assert "the gradient of W_hh is 0" in frame.sentence
    for source in frame.columns.values():
        assert len({len(column) for column in source.values()}) == 1


def test_no_curve_of_an_lstm_crosses_the_factors_of_its_walk():
    lab = BpttLab()
    lab.adopt(cell="lstm")
    columns = lab.compute().columns
    walk, factors = columns["walk"], columns["factors"]
    middles = factors["x"]
    assert len(middles) == 12
    for curve in ("size", "cell", "straight", "rest"):
        there = np.interp(middles, walk["s"] + 0.0, walk[curve])
        assert np.all(np.isnan(there) | (factors["y"] >= there - 1e-12)), curve
    pair, beside = columns["pair"], columns["pair_factors"]
    for x, y, role in zip(beside["x"], beside["y"], beside["role"], strict=True):
        if role == "lstm":
            assert y <= min(np.interp(x, pair["s"], pair[name]) for name in ("lstm", "cell")) + 1e-12
