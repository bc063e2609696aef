"""The pictures of the cost lab: their curves and marks, what stands beside the controls, the window over the words."""

import itertools
from functools import partial

import numpy as np
import pytest
from bokeh.models import ColumnDataSource, Line, Scatter, VSpan

from tests.widgets import lab_readings as readings
from widgets.cost import plots
from widgets.cost.lab import CostLab
from widgets.cost.stopwatch import WIDTHS
from widgets.figures.drawing import Drawing
from widgets.figures.pins import make_pin

PARTS = {"rnn": 1, "lstm": 4, "gru": 3}


lab_with = partial(readings.lab_with, CostLab)
values = partial(readings.values_with, CostLab)
columns = partial(readings.unlogged_with, CostLab)


def test_curves_by_width_are_the_formula():
    drawn = columns("widths", biases="two")
    n = np.round(drawn["d_h"])
    for cell, gates in PARTS.items():
        np.testing.assert_allclose(drawn[cell], gates * (128 * n + n * n + 2 * n), rtol=1e-12)
    np.testing.assert_allclose(drawn["ends"], 10_000 * (128 + n + 1), rtol=1e-12)
    np.testing.assert_allclose(drawn["total"], drawn["ends"] + drawn["lstm"], rtol=1e-12)
    assert (n[0], n[-1]) == (1, 1024)


def test_truncated_memory_is_level_from_k_on():
    kept = columns("kept", truncation=100)
    T = np.round(kept["T"])
    np.testing.assert_allclose(kept["full"][T <= 100], kept["truncated"][T <= 100], rtol=1e-12)
    assert np.ptp(kept["truncated"][T >= 100]) == 0
    assert kept["full"][-1] > 99 * kept["truncated"][-1]
    # By hand, d = 128, d_h = 256, V = 10,000: 128·V + 4·(128·256 + 256² + 256) + 256·V + V.
    np.testing.assert_allclose(kept["weights"], 4_244_240, rtol=1e-12)


def test_marks_lie_on_the_curves_at_the_settings():
    frame = lab_with(hidden_size=100, length=400, window=7).compute()
    here, crossings = frame.columns["here"], frame.columns["crossings"]
    shown = {r.key: r.value for r in frame.readouts}
    assert 10 ** here["d_h"] == pytest.approx([100] * 3)
    assert 10 ** here["count"] == pytest.approx([shown["total"], shown["ends"], shown["recurrent"]])
    assert here["role"] == ["reference", "input", "lstm"]
    assert dict(zip(crossings["role"], 10 ** crossings["t"], strict=True)) == pytest.approx(
        {"tanh": 1, "gru": 101, "lstm": (128 + 300) / 2 + 1}
    )
    assert 10 ** crossings["count"] == pytest.approx([22_800, 91_200, 68_400])
    assert 10 ** frame.columns["length"]["t"][0] == pytest.approx(400)
    window = frame.columns["window"]
    assert (window["n"].tolist(), window["network"].tolist()) == ([7], [7 * 128 * 100 + 100])


def test_the_counted_line_is_of_a_billion_multiply_adds_a_second():
    drawn = columns("times")
    np.testing.assert_allclose(drawn["lstm_count"], 8e-9 * np.array(WIDTHS) ** 2.0, rtol=1e-12)
    clock = figures()["By the clock"]
    assert "Counted are 10⁹ multiply–adds a second." in clock.description
    dashes = {key.dash for key in clock.legend if key.label.endswith("counted")}
    assert dashes == {"dotted", "solid", "dotdash"}


@pytest.mark.parametrize(
    ("moved", "stays"),
    [
        ({"hidden_size": 77}, {"widths", "times", "words", "view"}),
        ({"length": 77}, {"widths", "work", "past", "kept", "layers", "windows", "times", "words"}),
        ({"window": 7}, {"widths", "work", "past", "kept", "layers", "windows", "times"}),
        ({"truncation": 7}, {"widths", "work", "past", "layers", "windows", "times"}),
    ],
)
def test_what_a_setting_does_not_move_is_the_same_as_before(moved, stays):
    """The same object, which the page need not compare number by number."""
    before, after = CostLab().compute().columns, lab_with(**moved).compute().columns
    for name in stays - {"words", "view"}:
        assert after[name] is before[name], name
    for name in stays & {"words", "view"}:
        for column, held in before[name].items():
            np.testing.assert_array_equal(after[name][column], held)


def figures() -> dict:
    found = CostLab().compute().columns
    sources = {name: ColumnDataSource(dict(held), name=name) for name, held in found.items()}
    return {plot.title: plot for plot in plots.plots(sources, (2, 9))}


def test_no_two_curves_of_a_figure_look_alike():
    for plot in [plot for plot in figures().values() if plot.axis]:
        looks = [
            (next(t for t in r.tags if t.startswith("role:")), r.glyph.line_width, str(r.glyph.line_dash))
            for r in plot.figure.renderers
            if isinstance(r.glyph, Line)
        ]
        assert len(set(looks)) == len(looks) == len(plot.axis.watched)


def test_what_is_looked_at_stands_beside_the_controls():
    lab, drawn = CostLab(), figures()
    staged = {}
    for picture in CostLab.settings()["picture"].objects:
        lab.adopt(picture=picture)
        staged[picture] = [title for title, plot in drawn.items() if lab.stages(plot)]
    assert staged == {
        "weights": ["Parameters"],
        "work": ["Work of a token"],
        "memory": ["Memory of the past"],
        "learning": ["Kept for learning"],
        "window": ["The sentence under the window", "A window network"],
        "time": ["By the clock"],
    }


def test_the_presets_show_all_of_the_window_networks_line():
    drawn = figures()["A window network"]
    for preset in CostLab.presets:
        drawn.axis.go_home(preset)
        layers = lab_with(**preset.settings).compute().columns["layers"]
        low, high = drawn.figure.y_range.start, drawn.figure.y_range.end
        highest = max(layers["network"].max(), layers["recurrent"].max())
        assert low == 0
        assert 0.5 * high < highest <= high, preset.name


def test_the_table_is_left_out_where_there_is_nothing_in_it():
    plot = figures()["A table of words"]
    assert plot.optional
    assert all(key.column for key in plot.legend)


@pytest.mark.parametrize("prefix", ["", "narrow_"])
@pytest.mark.parametrize("window", range(1, 11))
def test_the_window_is_drawn_around_the_words_that_it_reads(window, prefix):
    """On a wide page in one line, on a phone in two, each with a frame of its own."""
    frame = lab_with(window=window).compute()
    said, view = frame.columns["words"], frame.columns["view"]
    read = [
        word
        for word, x, y in zip(said["word"], said[f"{prefix}x"], said[f"{prefix}y"], strict=True)
        if any(
            left < x < right and bottom < y < top
            for left, right, bottom, top in zip(
                *(view[prefix + side] for side in ("left", "right", "bottom", "top")), strict=True
            )
        )
    ]
    sentence = ["the", "lanterns", "on", "the", "wall", "behind", "the", "old", "mill"]
    assert read == sentence[::-1][:window]
    assert said["word"] == sentence[::-1]
    drawn = np.isfinite(view[f"{prefix}left"]).sum()
    assert drawn == (2 if prefix and window > 4 else 1)


@pytest.mark.parametrize("prefix", ["", "narrow_"])
def test_the_line_of_agreement_runs_from_the_noun_to_the_verb(prefix):
    words = lab_with().compute().columns["words"]
    shown = figures()["The sentence under the window"].figure
    agreement = next(
        r.data_source for r in shown.renderers if "role:followed" in r.tags and isinstance(r.glyph, Line)
    )
    x = agreement.data[f"{prefix}x"]
    said = dict(zip(words["word"], words[f"{prefix}x"], strict=True))
    assert x[0] == said["lanterns"]
    # The verb is no word that is read: it stands after the last of them, and on a phone in their second line.
    assert x[-1] > said["mill"]


@pytest.mark.parametrize("prefix", ["", "narrow_"])
def test_words_do_not_overlap_and_can_be_clicked(prefix):
    """About 8 pixels a letter of 16, in 340 pixels of a phone and 880 of a projector."""
    said = CostLab().compute().columns["words"]
    pixels = 340 if prefix else 880
    for (word, x, y), (following, next_x, next_y) in itertools.pairwise(
        reversed(list(zip(said["word"], said[f"{prefix}x"], said[f"{prefix}y"], strict=True)))
    ):
        if y == next_y:
            assert (next_x - x) * pixels > 8 * (len(word) + len(following)) / 2
    left, right, x = (said[prefix + name] for name in ("left", "right", "x"))
    assert ((left < x) & (x < right)).all()


def test_a_click_on_a_word_means_the_window_that_just_reaches_it():
    plot = figures()["The sentence under the window"]
    assert plot.tap == ("words", "window")
    assert CostLab().compute().columns["words"]["word"].index("lanterns") + 1 == 8


def test_a_pin_keeps_the_marks_and_the_line_at_its_width():
    """The curves by width are the same at every width: without these a pin would show nothing."""
    lab = lab_with(hidden_size=256)
    drawing = Drawing(lab, lab.compute(), lab.presets[0])
    pin = make_pin(drawing.plots, "A", lab.described())
    lab.adopt(hidden_size=16)
    drawing.show(lab.compute(), drawing.sources)
    kept = [ghost for plot, ghost in pin.ghosts if plot.title == "Parameters"]
    for glyph in (Scatter, VSpan):
        ghost = next(ghost for ghost in kept if isinstance(ghost.glyph, glyph))
        np.testing.assert_allclose(10 ** np.asarray(ghost.data_source.data["d_h"], dtype=float), 256)
