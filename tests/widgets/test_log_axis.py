"""The policy of logarithmic axes."""

import math
from dataclasses import replace

import numpy as np
import pytest
from bokeh.models import ColumnDataSource

from widgets.base.frame import Preset
from widgets.base.numbers import from_log10
from widgets.figures.log_axis import HALF, Curve, add_log_curves, make_x_logarithmic
from widgets.figures.style import new_figure

CURVES = (Curve("a", "a", "tanh"), Curve("b", "b", "linear"))
X = np.arange(1.0, 101.0)


@pytest.fixture
def axis():
    columns = {"x": X, "a": X, "b": X}
    return add_log_curves(new_figure("x", "y"), ColumnDataSource(columns, name="s"), "x", CURVES, (-12, 6))


def falling_at(place: float) -> np.ndarray:
    return np.where(place < X, -50.0, 0.0)


def test_zeros_and_what_is_not_finite_are_left_out(axis):
    shown = axis.mask({"x": X[:4], "a": np.array([0, -math.inf, math.inf, math.nan]), "b": X[:4]})
    assert np.isnan(shown["a"]).tolist() == [False, True, True, True]
    assert shown["b"].tolist() == X[:4].tolist()


def test_a_curve_that_leaves_ends_in_an_arrow_with_its_value(axis):
    arrows = axis.marked({"x": X, "a": -X, "b": np.zeros(100)})
    assert (arrows["marker"], arrows["text"]) == (["▼"], ["x = 100: 1.00·10⁻¹⁰⁰"])
    assert arrows["x"] == [pytest.approx(12)]
    assert arrows["y"] == [-12]
    assert arrows["role"] == ["tanh"]


def test_values_beyond_floating_point_are_powers_of_ten(axis):
    arrows = axis.marked({"x": X, "a": -4 * X, "b": 4 * X})
    assert sorted(zip(arrows["marker"], arrows["text"], strict=True)) == [
        ("▲", "x = 100: 1.00·10⁴⁰⁰"),
        ("▼", "x = 100: 1.00·10⁻⁴⁰⁰"),
    ]


def test_labels_give_way_where_they_would_lie_on_each_other_and_only_there(axis):
    near = axis.marked({"x": X, "a": -X, "b": -1.05 * X})
    # The first stands beyond the other's marker, the second above the first's label.
    assert near["aside"] == [35, 10]
    assert [round((-9 - shift) / 22) for shift in near["shift"]] == [0, 1]
    far = axis.marked({"x": X, "a": -X, "b": -0.2 * X})
    assert len(set(far["shift"])) == 1
    assert set(near["inward"]) == set(far["inward"]) == {-9}


def test_a_label_near_the_right_edge_stands_to_the_left_of_its_marker(axis):
    arrows = axis.marked({"x": X, "a": -X, "b": -0.13 * X})
    assert arrows["align"] == ["left", "right"]
    assert arrows["text"] == ["x = 100: 1.00·10⁻¹⁰⁰", "x = 100: 1.00·10⁻¹³"]
    assert [aside > 0 for aside in arrows["aside"]] == [True, False]


def test_a_label_stands_beside_its_own_arrow_as_long_as_one_of_its_sides_is_free(axis):
    arrows = axis.marked({"x": X, "a": falling_at(60), "b": falling_at(63)})
    assert arrows["align"] == ["right", "left"]
    assert set(arrows["shift"]) == {-9}


def test_labels_need_more_of_the_room_of_a_figure_that_stands_beside_another():
    source = ColumnDataSource({"x": X, "a": X, "b": X}, name="s")
    levels = []
    for share in (1.0, HALF):
        axis = add_log_curves(new_figure("x", "y"), source, "x", CURVES, (-12, 6), width_share=share)
        shifts = axis.marked({"x": X, "a": falling_at(20), "b": falling_at(75)})["shift"]
        levels.append([round((-9 - shift) / 22) for shift in shifts])
    assert levels == [[0, 0], [0, 1]]


def test_a_curve_that_leaves_where_it_ends_needs_no_place_named(axis):
    arrows = axis.marked({"x": X, "a": -0.1205 * X, "b": np.zeros(100)})
    assert (arrows["x"][0], arrows["text"]) == (pytest.approx(99.6, abs=0.1), ["8.91·10⁻¹³"])


def test_curves_of_one_role_that_coincide_share_an_arrow():
    curves = (Curve("a", "a", "lstm"), Curve("b", "b", "lstm", dash="dashed"))
    source = ColumnDataSource({"x": X, "a": X, "b": X}, name="s")
    axis = add_log_curves(new_figure("x", "y"), source, "x", curves, (-12, 6))
    assert axis.marked({"x": X, "a": -X, "b": -X})["text"] == ["x = 100: 1.00·10⁻¹⁰⁰"]
    assert len(axis.marked({"x": X, "a": -X, "b": -X - 1e-4})["text"]) == 1
    assert len(axis.marked({"x": X, "a": -X, "b": -0.6 * X})["text"]) == 2


def test_a_curve_that_is_never_inside_has_one_arrow(axis):
    arrows = axis.marked({"x": X, "a": np.full(100, -50.0), "b": np.zeros(100)})
    assert arrows["text"] == ["1.00·10⁻⁵⁰"]
    assert arrows["x"] == [100]


def test_a_curve_of_zeros_has_none(axis):
    assert axis.marked({"x": X, "a": np.full(100, -math.inf), "b": np.zeros(100)})["x"] == []


def test_only_fit_moves_the_window_to_the_data(axis):
    columns = {"x": X, "a": np.linspace(-3.2, 0, 100), "b": np.full(100, -math.inf)}
    axis.fit(columns)
    assert (axis.figure.y_range.start, axis.figure.y_range.end) == (-5, 1)
    axis.go_home(Preset("p", "P", "", {}, (-12, 6)))
    assert (axis.figure.y_range.start, axis.figure.y_range.end) == (-12, 6)


def test_where_x_is_logarithmic_too_the_place_of_an_end_is_said_as_the_number_it_is(axis):
    columns = {"x": np.array([0.0, 1.0, 4.0]), "a": np.array([0.0, 3.0, 12.0]), "b": np.zeros(3)}
    logarithmic = replace(axis, marks=replace(axis.marks, write_x=from_log10))
    assert logarithmic.marked(columns)["text"] == ["x = 10000: 1.00·10¹²"]
    assert axis.marked(columns)["text"] == ["x = 4: 1.00·10¹²"]


def test_an_axis_of_its_own_window_keeps_it_whatever_the_preset(axis):
    own = replace(axis, own_window=True)
    own.set_window((0, 3))
    own.go_home(Preset("p", "P", "", {}, (-3, 3)))
    assert (axis.figure.y_range.start, axis.figure.y_range.end) == (-12, 6)


def test_a_logarithmic_x_axis_has_its_marks_at_their_logarithms():
    plot = new_figure("x", "y")
    make_x_logarithmic(plot, [1, 10, 1000])
    assert -0.1 < plot.x_range.start < 0
    assert 3 < plot.x_range.end < 3.1
    assert plot.xaxis[0].ticker.ticks == [0, 1, pytest.approx(3)]
    assert list(plot.xaxis[0].major_label_overrides.values()) == ["1", "10", "1,000"]
