"""The pictures of the cliff lab without a browser: arrows, trails, tensors, and what "fit" brings close."""

import math
from functools import partial

import numpy as np
import pytest
from bokeh.models import ColumnDataSource

from core.cliff import CliffUnit
from tests.widgets import lab_readings as readings
from tests.widgets.lab_readings import texts, values
from widgets.cliff.lab import CliffLab
from widgets.figures.drawing import Drawing

lab_with = partial(readings.lab_with, CliffLab)
preset_lab = partial(readings.preset_lab, CliffLab)


def steps_of(lab: CliffLab) -> dict[str, dict]:
    columns = lab.compute().columns["steps"]
    rows = zip(*columns.values(), strict=True)
    return {row["name"]: row for row in (dict(zip(columns, row, strict=True)) for row in rows)}


def test_a_clipped_step_that_leaves_the_picture_is_named_and_filled():
    step = steps_of(lab_with(bias=1e-3, learning_rate=1.0, start=0.9, target=-1.0))["clipped"]
    assert step["text"].startswith("clipped: b = −")
    assert (step["filled"], step["dash"]) == (1, "solid")


def test_what_the_gradients_caption_says_of_a_minimum_holds_without_one():
    lab = lab_with(target=1.0)
    made = lab.plots({name: ColumnDataSource(dict(c)) for name, c in lab.compute().columns.items()})
    assert made[1].description == "How steep the loss is; at a minimum it dips."


def plots_of(lab: CliffLab) -> list:
    columns = lab.compute().columns
    return lab.plots({name: ColumnDataSource(dict(c), name=name) for name, c in columns.items()})


def test_the_arrows_and_dots_of_both_runs_have_keys_that_stay():
    legend = plots_of(CliffLab())[0].legend
    found = {key.label: (key.marker, key.column) for key in legend if "clipped" in key.label}
    assert found == {"clipped step, run": ("▶●", ""), "unclipped": ("▷○", "")}


def test_figures_that_stand_on_each_other_name_the_bias_once():
    assert [plot.figure.xaxis.axis_label for plot in plots_of(CliffLab())[:2]] == [None, "bias b"]


def test_the_clip_norm_is_drawn_among_the_gradients():
    limit = lab_with(clip_norm=0.01).compute().columns["limit"]
    assert limit["level"].tolist() == [-2, -2]


def test_the_curves_show_the_steepest_point():
    curve = CliffLab().compute().columns["curve"]
    assert curve["gradient"].max() == pytest.approx(math.log10(292.76), abs=1e-5)
    assert (curve["b"][0], curve["b"][-1]) == (0, 1.2)
    apart = np.diff(curve["b"]) > 1e-6
    chords = np.diff(curve["loss"])[apart] / np.diff(curve["b"])[apart]
    assert chords.min() == pytest.approx(-292.76, rel=0.01)
    at = np.searchsorted(curve["b"], 0.557)
    assert np.diff(curve["b"])[at] < 1.2 / 1000


def test_two_tensors_are_clipped_three_ways():
    shown = values(lab_with(clip_norm=1.0))
    assert shown["angle_tensor"] == pytest.approx(33.6901, abs=5e-5)
    columns = lab_with(clip_norm=1.0).compute().columns
    assert columns["angles"]["way"] == ["global norm", "per tensor", "by value"]
    ends = [
        (x - x0, y) for x, x0, y in zip(*(columns["tensors"][name] for name in ("x", "x0", "y")), strict=True)
    ]
    expected = [(0.5883484, 0.7844645), (0, 0.1961161), (0.6, 0.8), (0, 1), (1, 1), (0, 1)]
    np.testing.assert_allclose(ends, expected, atol=5e-8)
    assert columns["angles"]["turned"][0] == "turned by 0°"
    written = texts(lab_with(clip_norm=1.0))
    angles = [f"turned by {written[key]}" for key in ("angle_tensor", "angle_value")]
    assert columns["angles"]["turned"][1:] == angles
    wide = values(lab_with(clip_norm=10.0))
    assert (wide["angle_tensor"], wide["angle_value"]) == (0, 0)


@pytest.mark.parametrize(
    ("clip_norm", "said"),
    [
        (10.0, ["nothing is clipped"] * 3),
        (5.05, ["turned by 0°", "nothing is clipped", "nothing is clipped"]),
        (4.5, ["turned by 0°", "turned by 1.22°", "nothing is clipped"]),
    ],
)
def test_a_way_of_clipping_that_leaves_all_as_it_was_says_so(clip_norm, said):
    columns = lab_with(clip_norm=clip_norm).compute().columns
    assert columns["angles"]["turned"] == said
    tensors = columns["tensors"]
    for n, way in enumerate(said):
        if way == "nothing is clipped":
            of_the_way = slice(2 * n, 2 * n + 2)
            assert tensors["x"][of_the_way] == pytest.approx(tensors["x_before"][of_the_way])
            assert tensors["y"][of_the_way] == pytest.approx(tensors["y_before"][of_the_way])


def test_the_names_of_the_two_tensors_stand_on_neither_and_are_no_setting():
    tensors = CliffLab().compute().columns["tensors"]
    assert tensors["name"][:2] == ["U", "v"]
    assert (tensors["align"][:2], tensors["aside"][:2]) == (["left", "right"], [9, -9])


def test_the_two_steps_start_at_the_point_and_end_where_the_readouts_say():
    shown = values(CliffLab())
    for name, key in (("unclipped", "bias_unclipped"), ("clipped", "bias_clipped")):
        step = steps_of(CliffLab())[name]
        assert (step["x0"], step["y0"]) == (0.5, shown["loss"])
        assert step["x1"] == step["head"] == shown[key]
        assert step["y1"] == pytest.approx(CliffUnit().loss_and_gradient(shown[key])[0])
        assert step["text"] == ""


@pytest.mark.parametrize(
    ("settings", "edge", "text", "angle"),
    [
        ({"bias": 0.558}, 1.23, "unclipped: b = 29.8", -math.pi / 2),
        ({"bias": 0.558, "update": 1}, 1.23, "unclipped: b = 29.8", -math.pi / 2),
        ({"bias": 0.563, "learning_rate": 1.0}, -0.03, "unclipped: b = −12.8", math.pi / 2),
    ],
)
def test_what_leaves_the_picture_is_written_at_its_edge(settings, edge, text, angle):
    step = steps_of(lab_with(**settings))["unclipped"]
    assert step["x1"] == pytest.approx(edge)
    assert abs(step["head"] - edge) == pytest.approx(0.004 * 1.26)
    assert -0.03 < step["head"] < 1.23
    assert (step["text"], step["angle"]) == (text, angle)


def test_a_thrown_step_leaves_on_its_way_to_where_it_lands():
    """At b = 1.23 the arrow from (0.558, 0.59) to (29.8, 0.04) is still almost as high as it set out."""
    step = steps_of(preset_lab("on-the-cliff"))["unclipped"]
    share = (1.23 - step["b"]) / (step["b_after"] - step["b"])
    assert step["y1"] == pytest.approx(step["loss"] + share * (step["loss_after"] - step["loss"]))
    assert step["y1"] > 0.5


def test_a_step_too_short_to_see_has_no_head_that_would_hide_the_point():
    assert "too short to see" in CliffLab().preset("off-the-cliff").look_for
    steps = steps_of(preset_lab("off-the-cliff"))
    assert all(math.isnan(step["head"]) for step in steps.values())
    assert steps_of(preset_lab("clipped"))["clipped"]["head"] == pytest.approx(0.56644, abs=5e-6)


def test_two_labels_at_one_edge_stand_above_each_other():
    steps = steps_of(lab_with(bias=0.558, learning_rate=1.0, clip_norm=10.0))
    assert steps["unclipped"]["align"] == steps["clipped"]["align"] == "right"
    assert steps["unclipped"]["lift"] - steps["clipped"]["lift"] >= 20


def test_the_minimum_is_marked_where_there_is_one():
    lowest = CliffLab().compute().columns["lowest"]
    assert (lowest["b"], lowest["loss"]) == ([pytest.approx(0.5615, abs=5e-5)], [0])
    assert lab_with(target=1.0).compute().columns["lowest"]["b"] == []


def test_fit_brings_the_steps_across_the_minimum_close_and_the_preset_axis_takes_them_back():
    lab = preset_lab("clipped")
    frame = lab.compute()
    drawing = Drawing(lab, frame, lab.presets[0])
    loss = drawing.plots[0].figure
    drawing.fit(frame)
    low, high = loss.x_range.start, loss.x_range.end
    assert low < 0.55 < 0.5664 < high < 0.6
    assert loss.y_range.end < 3
    assert drawing.plots[1].figure.x_range is loss.x_range
    shown = drawing.sources["steps"].data
    assert shown["x1"][0] == pytest.approx(high)
    assert low < shown["head"][0] < high
    assert shown["text"][0] == "unclipped: b = 7.23"
    drawing.go_home(lab.presets[0])
    drawing.show(frame, drawing.sources)
    assert (loss.x_range.start, loss.x_range.end) == (-0.03, 1.23)
    assert drawing.sources["steps"].data["x1"][0] == pytest.approx(1.23)


def test_the_preset_of_the_clipped_run_shows_it_close_enough_to_see_each_step():
    lab = preset_lab("clipped")
    frame = lab.compute()
    drawing = Drawing(lab, frame, lab.present_preset())
    loss = drawing.plots[0].figure
    b = frame.columns["clipped"]["b"]
    width = loss.x_range.end - loss.x_range.start
    assert loss.x_range.start < b.min() < b.max() < loss.x_range.end
    # A step is η times the clip norm, a hundredth.
    assert 0.01 / width > 0.05
    assert drawing.sources["steps"].data["x1"][0] == pytest.approx(loss.x_range.end)
    assert drawing.sources["steps"].data["text"][0] == "unclipped: b = 7.23"


def test_fit_brings_the_short_steps_of_the_map_close():
    lab = CliffLab()
    frame = lab.compute()
    drawing = Drawing(lab, frame, lab.presets[0])
    drawing.fit(frame)
    map_figure = drawing.plots[2].figure
    for axis in (map_figure.x_range, map_figure.y_range):
        assert -1 < axis.start < -0.9
        assert -0.81 < axis.end < -0.7


def test_trails_grow_by_an_update_and_stay_within_the_picture():
    for n in (0, 5, 60):
        columns = lab_with(update=n).compute().columns
        assert len(columns["clipped"]["b"]) == (n + 1 if n else 0)
        assert all(columns["clipped"]["b"][:1] == 0.5)
    thrown = preset_lab("on-the-cliff", update=5).compute().columns
    assert thrown["free"]["b"].tolist() == [0.558]


def test_cobweb_trajectory_and_fixed_points_are_those_of_the_unit():
    columns = lab_with(bias=0.3).compute().columns
    states = CliffUnit().trajectory(0.3)
    np.testing.assert_array_equal(columns["trajectory"]["h"], states)
    np.testing.assert_array_equal(columns["cobweb"]["next"][1::2], states[1:])
    np.testing.assert_allclose(columns["map"]["next"], np.tanh(2 * columns["map"]["h"] + 0.3))
    assert [len(columns[name]["h"]) for name in ("attractors", "repellers")] == [2, 1]


def test_the_slider_of_the_bias_sends_no_curve_again():
    before, after = CliffLab().compute().columns, lab_with(bias=0.51).compute().columns
    for name in ("curve", "limit", "fold", "tensors", "angles"):
        for key, column in before[name].items():
            np.testing.assert_array_equal(column, after[name][key])


def test_figures_draw_every_source():
    lab = CliffLab()
    sources = {name: ColumnDataSource(dict(c), name=name) for name, c in lab.compute().columns.items()}
    made = lab.plots(sources)
    drawn = {renderer.data_source.name for plot in made for renderer in plot.figure.renderers}
    assert set(sources) <= drawn
