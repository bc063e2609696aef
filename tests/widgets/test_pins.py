"""What a pin leaves behind: ghosts, each with the pin's letter where it is last seen."""

from dataclasses import replace

import numpy as np
import pytest
from bokeh.models import ColumnDataSource, Line, Range1d, Scatter, VSpan

from widgets.base.described import Described
from widgets.figures.axis import Axis
from widgets.figures.marks import add_marks
from widgets.figures.pins import Pins
from widgets.figures.plot import Plot
from widgets.figures.style import draw, new_figure

X = np.arange(1.0, 11.0)


@pytest.fixture
def plot():
    """A falling LSTM, a GRU with a gap at its end, and a limit, over x from 0 to 20 and y from 0 to 10."""
    drawn_on = new_figure("x", "y", x_range=Range1d(0, 20), y_range=Range1d(0, 10))
    curves = ColumnDataSource({"x": X, "lstm": 10 - X, "gru": np.where(X > 7, np.nan, 5.0)})
    for role in ("lstm", "gru"):
        draw(drawn_on, curves, Line(x="x", y=role), role, pinned=True)
    draw(drawn_on, curves, Scatter(x="x", y="lstm"), "lstm", pinned=True)
    draw(drawn_on, curves, Line(x="x", y="x"), "reference")
    draw(drawn_on, ColumnDataSource({"K": [4.0]}), VSpan(x="K"), "bound", pinned=True)
    return Plot(drawn_on, "One", "A figure.")


def letters(pins, letter="A") -> dict[str, tuple[float, float]]:
    """Where the letter stands, by the role of the curve."""
    pin = next(pin for pin in pins.held if pin.letter == letter)
    (written,) = pin.letters.values()
    assert written.glyph.text.value == letter
    held = written.data_source.data
    return dict(zip(held["role"], zip(held["x"], held["y"], strict=True), strict=True))


def test_every_pinned_line_carries_the_letter_at_its_end(plot):
    pins = Pins([plot])
    pins.add(Described({}))
    assert letters(pins) == {"lstm": (10, 0), "gru": (7, 5), "bound": (4, 10)}
    pins.add(Described({}))
    assert letters(pins, "B") == letters(pins)


def test_the_letter_stands_where_the_window_shows_the_curve_last(plot):
    pins = Pins([plot])
    pins.add(Described({}))
    plot.figure.y_range.start = 2.5
    plot.figure.x_range.end = 6
    pins.place_letters()
    assert letters(pins) == {"lstm": (6, 4), "gru": (6, 5), "bound": (4, 10)}
    plot.figure.y_range.update(start=6, end=8)
    pins.place_letters()
    assert letters(pins) == {"lstm": (4, 6), "bound": (4, 8)}


def test_the_letter_gives_way_to_a_label_on_its_curve(plot):
    marks = add_marks(plot.figure, "x", {"gru": "gru"})
    label = {"x": 6, "y": 5, "text": "12345", "shift": -9, "aside": 10, "align": "left"}
    marks.source.data = {name: [label.get(name, "")] for name in marks.source.data}
    pins = Pins([replace(plot, axis=Axis(plot.figure, "s", ["gru"], (0, 10), marks))])
    pins.add(Described({}))
    assert letters(pins)["gru"] == (5, 5)


def test_letters_of_two_pins_on_one_curve_stand_beside_each_other(plot):
    pins = Pins([plot])
    pins.add(Described({}))
    pins.add(Described({}))
    offsets = [next(iter(pin.letters.values())).glyph.x_offset for pin in pins.held]
    assert abs(offsets[0] - offsets[1]) >= 14


def test_a_letter_gives_way_to_one_on_another_curve(plot):
    """In a frame of 780 by 170 pixels the ends are 12 across and 9 up from each other, one step farther back 16."""
    plot.figure.x_range.end, plot.figure.y_range.end = 200, 100
    pins = Pins([plot])
    pins.add(Described({}))
    assert letters(pins) == {"lstm": (10, 0), "gru": (6, 5), "bound": (4, 100)}


def test_a_pin_that_goes_takes_its_letters_along(plot):
    before = list(plot.figure.renderers)
    pins = Pins([plot])
    pins.add(Described({}))
    assert len(plot.figure.renderers) == len(before) + 5
    pins.remove("A")
    assert plot.figure.renderers == before


def test_a_figure_of_markers_alone_has_no_letters():
    drawn_on = new_figure("x", "y", y_range=(0, 1))
    draw(drawn_on, ColumnDataSource({"x": X, "y": X}), Scatter(x="x", y="y"), "lstm", pinned=True)
    pins = Pins([Plot(drawn_on, "Two", "A figure.")])
    pins.add(Described({}))
    assert pins.held[0].letters == {}
    assert pins.held[0].sign == "⊙"
