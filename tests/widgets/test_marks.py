"""What stands at curves where their lines do not tell: exits, the farthest of an excursion, lone and broken points."""

import numpy as np
import pytest
from bokeh.models import Range1d

from widgets.base.numbers import number
from widgets.figures.exits import Exit, Room, exits, peaks, placed, told_once
from widgets.figures.lines import Lines
from widgets.figures.marks import add_marks
from widgets.figures.style import new_figure

NAN = float("nan")
STEPS = np.arange(1.0, 11.0)
ROOM = Room(span=(0, 10), window=(0, 4), name="step", write=number)


def found(y, x=STEPS, room=ROOM):
    return exits(np.asarray(x, float), np.asarray(y, float), "tanh", room)


def marked(columns, x_range=(0, 20), **options):
    plot = new_figure("step", "loss", x_range=x_range, y_range=(0, 4))
    marks = add_marks(plot, "step", {"loss": "tanh", "mean": "reference"}, **options)
    gaps = np.full(len(columns["step"]), np.nan)
    return marks.columns({"mean": gaps, **{k: np.asarray(v, float) for k, v in columns.items()}}, plot)


def test_on_a_linear_axis_too_a_curve_that_leaves_ends_in_an_arrow_with_its_value():
    # From 3 at step 9 to 7 at step 10: a quarter of the way to the edge at 4.
    assert found([3.0] * 9 + [7.0]) == [Exit(pytest.approx(9.25), True, "step = 10: 7", "tanh")]
    assert found([3.0] * 9 + [5.0], room=Room((0, 100), (0, 4), "step", number))[0].text == "5"
    assert found([3.0] * 10) == []


def test_a_curve_below_the_window_has_its_arrow_at_the_lower_edge():
    (below,) = found([1.0] * 9 + [-3.0])
    assert (below.at_top, below.x, below.text) == (False, pytest.approx(9.25), "step = 10: −3")


def test_a_curve_that_comes_back_is_marked_where_it_was_farthest_outside():
    y = np.array([1, 1, 6.5, 9.25, 5, 1, NAN, -2, 1, 1])
    assert peaks(STEPS, y, "tanh", ROOM) == [
        Exit(4.0, True, "up to 9.25", "tanh"),
        Exit(8.0, False, "down to −2", "tanh"),
    ]
    assert peaks(STEPS, np.full(10, NAN), "tanh", ROOM) == peaks(STEPS, np.ones(10), "tanh", ROOM) == []
    assert found(y) == []


def test_a_curve_that_ends_outside_is_marked_where_it_was_farthest_too_unless_that_is_its_end():
    y = np.array([1, 2, 1, 5, 50, 7, 8, 9, 9, 10])
    assert peaks(STEPS, y, "tanh", ROOM) == [Exit(5.0, True, "up to 50", "tanh")]
    assert [end.text for end in found(y)] == ["step = 10: 10"]
    assert peaks(STEPS, np.where(y == 50, 6, y), "tanh", ROOM) == []


def test_a_curve_that_ends_outside_says_in_one_label_how_far_it_went():
    y = np.array([1, 2, 1, 5, 50, 7, 8, 9, 9, 10])
    told = told_once(found(y), peaks(STEPS, y, "tanh", ROOM))
    assert [end.text for end in told] == ["step = 10: 10, up to 50"]
    below = [Exit(2.0, False, "down to −3", "tanh")]
    assert told_once(found(y), below) == [*found(y), *below]


def test_marks_of_curves_that_leave_at_one_place_say_of_which_curve_they_are():
    columns = {"step": STEPS, "loss": [1.0, 50.0] + [9.0] * 8, "mean": [1.0] + [8.0] * 9}
    told = marked(columns, names={"mean": "mean", "loss": "each step"}, peaks=True)["text"]
    assert sorted(told) == ["step = 10: 8 (mean)", "step = 10: 9, up to 50 (each step)"]


@pytest.mark.parametrize(
    ("high", "spot"),
    [
        (3.9, {"shift": 31, "aside": 10}),  # a line along the upper edge: one level lower
        (2.0, {"shift": 9, "aside": 10}),
    ],
)
def test_a_label_does_not_lie_on_a_line_where_another_place_is_free(high, spot):
    lines = Lines([(np.array([0.0, 1.0]), np.full(2, high / 4))])
    (row,) = placed([Exit(3.0, True, "up to 9", "tanh")], ROOM, lines)
    assert {name: row[name] for name in spot} == spot


def test_a_label_wipes_out_neither_curve_nor_axis():
    plot = new_figure("step", "loss", y_range=(0, 4))
    add_marks(plot, "step", {"loss": "tanh"})
    on_paper, bare = (
        {r.level for r in plot.renderers if (r.glyph.background_fill_color is not None) == paper}
        for paper in (True, False)
    )
    assert (on_paper, bare) == ({"underlay"}, {"annotation"})


def test_a_label_stands_farther_aside_where_its_own_line_falls_past_it():
    falling = Lines([(np.array([0.0, 0.8, 0.9]), np.array([1.0, 0.5, 0.0]))])
    (row,) = placed([Exit(9.0, False, "step = 10: −30", "tanh")], ROOM, falling)
    assert (row["align"], row["aside"], row["shift"]) == ("right", -35, -9)


def test_a_line_is_where_it_is_drawn_and_a_gap_is_none():
    x = np.array([0.0, 0.5, 1.0])
    assert Lines([(x, np.array([0.0, 0.5, 1.0]))]).cross((0.2, 0.3), (0.2, 0.3))
    assert not Lines([(x, np.array([0.0, 0.5, 1.0]))]).cross((0.2, 0.3), (0.4, 0.6))
    assert not Lines([(x, np.array([0.0, NAN, 1.0]))]).cross((0.2, 0.3), (0.0, 1.0))
    upright = Lines([(np.array([0.5, 0.5]), np.array([0.0, 1.0]))])
    assert upright.cross((0.4, 0.6), (0.4, 0.6))


def test_labels_give_way_within_the_range_that_is_seen_and_not_that_of_the_data():
    # A run at step 10 of 300: its end is near the left edge of the picture, so the label stands on the right.
    columns = {"step": STEPS, "loss": [1.0] * 9 + [9.0]}
    assert marked(columns, x_range=Range1d(0, 300))["align"] == ["left"]
    assert marked(columns, x_range=Range1d(0, 10))["align"] == ["right"]


def test_on_a_phone_a_label_stays_within_the_frame_too():
    # Ten characters take a tenth of a wide figure and more than a quarter of a narrow one.
    crowd = [Exit(x, False, "1.00·10⁻²⁰", "tanh") for x in (2.0, 2.4)]
    assert [row["align"] for row in placed(crowd, ROOM)] == ["left", "left"]
    crowd = [Exit(x, False, "1.00·10⁻²⁰", "tanh") for x in (5.0, 5.4)]
    assert [row["align"] for row in placed(crowd, ROOM)] == ["right", "left"]


def test_what_lies_beside_the_range_that_is_seen_has_no_mark():
    columns = {"step": STEPS, "loss": [9.0, 1.0, 1.0, NAN, 2.0, NAN, 1.0, 1.0, 1.0, 9.0]}
    assert len(marked(columns)["marker"]) == 3
    assert marked(columns, x_range=Range1d(2, 4))["marker"] == []


def test_a_single_point_and_one_between_gaps_are_marked_as_their_line_shows_nothing():
    assert marked({"step": [1.0], "loss": [3.0]}) == {
        "x": [1.0], "y": [3.0], "marker": ["●"], "inward": [0], "text": [""], "role": ["tanh"],
        "shift": [0], "aside": [0], "align": ["left"],
    }  # fmt: skip
    between = marked({"step": STEPS[:7], "loss": [1.0, 1.0, NAN, 2.0, NAN, 3.0, 3.0]})
    assert (between["x"], between["y"]) == ([4.0], [2.0])
    assert marked({"step": STEPS[:2], "loss": [1.0, 1.0]})["marker"] == []
    outside = marked({"step": [1.0], "loss": [9.0]})
    assert outside["marker"] == ["▲"]


def test_the_first_curve_has_its_point_upon_the_others():
    assert marked({"step": [1.0], "loss": [3.0], "mean": [3.0]})["role"] == ["reference", "tanh"]


def test_where_something_broke_stands_a_cross_with_the_word_at_the_upper_edge():
    columns = {"step": STEPS[:3], "loss": [1.0, 1.0, NAN], "broke": [NAN, NAN, 3.0]}
    shown = marked(columns, broken={"broke": "diverged"})
    assert (shown["x"], shown["y"], shown["marker"], shown["text"]) == ([3.0], [4], ["✕"], ["diverged"])
    assert shown["inward"] == [9]
    unbroken = columns | {"broke": [NAN, NAN, NAN]}
    assert marked(unbroken, broken={"broke": "diverged"})["marker"] == []


def test_a_cross_and_an_arrow_at_one_place_have_their_labels_on_either_side():
    both = placed([Exit(5, True, "diverged", "reference", "✕"), Exit(5.2, True, "up to 9", "tanh")], ROOM)
    assert [(row["marker"], row["align"]) for row in both] == [("✕", "right"), ("▲", "left")]
