"""The picture of the exercises lab without a browser: its lines, its marks, its legend, and its hover."""

import math
import re
from functools import partial

import numpy as np
import pytest
from bokeh.models import ColumnDataSource, Line

from core.exercises.contract import NAMES
from core.exercises.hiding import deviations
from tests.widgets import lab_readings as readings
from widgets.exercises import plots, words
from widgets.exercises.lab import ExerciseLab

frame_with = partial(readings.frame_with, ExerciseLab)


def off(exercise):
    return [d.off for d in deviations(exercise, 20, 4, 1.0, 0.5, False, 0).values()]


def test_the_columns_of_the_chosen_exercise_alone_hold_numbers():
    frame = frame_with(exercise="lstm_cell")
    columns = frame.columns["off"]
    for name, column in columns.items():
        filled = name in ("T", "whole", "solid", "dashed", "lstm_cell_0", "lstm_cell_1")
        assert name == "role" or np.isfinite(column).all() == filled, name
    np.testing.assert_allclose(10 ** columns["lstm_cell_0"], off("lstm_cell")[0])


def test_what_is_not_off_at_all_is_a_gap():
    columns = frame_with(exercise="rnn_bptt").columns["off"]
    assert columns["rnn_bptt_0"][0] == -math.inf
    assert np.isfinite(columns["rnn_bptt_0"][1:]).all()


def drawn(**settings):
    """The figure, and its sources as filled for these settings."""
    frame = frame_with(**settings)
    sources = {name: ColumnDataSource(dict(c), name=name) for name, c in frame.columns.items()}
    (plot,) = plots.plots(sources, (-3, 1))
    return plot, sources["off"].data


@pytest.mark.parametrize(
    ("settings", "unseen"),
    [
        ({"exercise": "rnn_bptt", "start": 0.0, "steps": 5}, ([1, 2], [1, 2])),
        ({"exercise": "rnn_bptt", "symmetric": True, "steps": 4}, ([1, 2, 3, 4], [1])),
        ({"exercise": "lstm_cell_backward", "steps": 4}, ([1], [])),
        ({"exercise": "lstm_cell", "steps": 4}, ([], [])),
    ],
)
def test_each_length_without_a_trace_has_an_open_mark_on_the_lower_edge(settings, unseen):
    plot, held = drawn(**settings)
    marks = [r for r in plot.figure.renderers if r.y_range_name == "edge"]
    for mark, lengths in zip(marks, unseen, strict=True):
        heights = np.asarray(held[mark.glyph.y])
        assert held["T"][np.isfinite(heights)].tolist() == lengths
        assert (heights[np.isfinite(heights)] < 0.1).all()
        assert mark.glyph.fill_alpha == 0
        # The page repaints the mapper of the fill when its theme changes.
        assert mark.glyph.line_color.transform is mark.glyph.fill_color.transform
    assert marks[0].glyph.marker != marks[1].glyph.marker
    edge = plot.figure.extra_y_ranges["edge"]
    assert edge.start < 0 < edge.end


@pytest.mark.parametrize(
    ("settings", "legend"),
    [
        ({}, ["leaving out the transpose", "forgetting the error from t + 1"]),
        ({"symmetric": True}, ["leaving out the transpose: no trace", "forgetting the error from t + 1"]),
        ({"steps": 1}, ["leaving out the transpose: no trace", "forgetting the error from t + 1: no trace"]),
    ],
)
def test_a_line_without_a_trace_keeps_its_place_in_the_legend(settings, legend):
    frame = frame_with(exercise="rnn_bptt", **settings)
    plot, _ = drawn(exercise="rnn_bptt", **settings)
    held = {None: frame.columns["off"]} | {name: frame.columns[name] for name in ("off", "gone")}
    shown = [
        key
        for key in plot.legend
        if not key.column or np.isfinite(held[key.source or None][key.column]).any()
    ]
    assert [key.label for key in shown[:-1]] == legend
    assert [bool(key.marker) for key in shown[:-1]] == ["no trace" in label for label in legend]


def test_the_values_under_the_pointer_are_each_lines_own():
    plot, held = drawn(exercise="gru_cell")
    (hover,) = plot.figure.tools
    rows = dict(re.findall(r"<div>(\w+:) <b>\$index\{(\w+)\}", hover.tooltips))
    lines = [r.glyph for r in plot.figure.renderers if isinstance(r.glyph, Line)]
    for label, is_dashed in (("solid:", False), ("dashed:", True)):
        (line,) = [
            line for line in lines if line.y.startswith("gru_cell") and bool(line.line_dash) == is_dashed
        ]
        np.testing.assert_array_equal(held[rows[label]], held[line.y])


def test_the_two_curves_of_an_exercise_are_told_apart_by_more_than_colour():
    sources = {name: ColumnDataSource(dict(c), name=name) for name, c in frame_with().columns.items()}
    (plot,) = plots.plots(sources, (-6, 1))
    lines = {r.glyph.y: str(r.glyph.line_dash) for r in plot.figure.renderers if isinstance(r.glyph, Line)}
    for exercise in NAMES:
        assert lines[f"{exercise}_0"] != lines[f"{exercise}_1"]
    assert [key.label for key in plot.legend[:-1]] == [
        label for both in words.TITLES.values() for title in both for label in (title, f"{title}: no trace")
    ]
