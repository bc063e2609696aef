"""The windows of the dropout lab's shares, what a fit does to them, and the labels in them."""

from functools import partial

import numpy as np
import pytest
from bokeh.models import HoverTool

from tests.widgets import lab_readings as readings
from widgets.dropout.curves import LEAST
from widgets.dropout.lab import DropoutLab
from widgets.figures.drawing import Drawing
from widgets.figures.pins import Pins, make_pin

lab_of = partial(readings.lab_with, DropoutLab)


def columns(**settings):
    return lab_of(**settings).compute().columns


def shown(preset="", fitted=False, **settings):
    """The figures as the page has them, and the marks of the shares with their text by their role."""
    lab = DropoutLab()
    lab.adopt(**lab.defaults(**(lab.preset(preset).settings if preset else {}), **settings))
    frame = lab.compute()
    drawing = Drawing(lab, frame, lab.preset(preset) or lab.presets[0])
    if fitted:
        drawing.fit(frame)
    marks = drawing.plots[0].axis.marks.source.data
    return drawing, [
        dict(zip(marks, row, strict=True)) for row in zip(*marks.values(), strict=True) if row[4]
    ]


def window(drawing):
    seen = drawing.plots[0].figure.y_range
    return seen.start, seen.end


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.65])
def test_one_mark_says_from_where_on_the_median_is_0(rate):
    """Of band and memory below none is marked; the step is that at which 101 of the 201 memories drawn are empty."""
    _, marks = shown(rate=rate)
    empty = columns(rate=rate)["gone"]["drawn"]
    step = int(np.argmax(empty > 0.5))
    own = [mark for mark in marks if mark["role"] in ("cell", "followed")]
    assert [mark["text"] for mark in own] == [f"median: 0 from step {step}"] * bool(empty[-1] > 0.5)
    assert [(mark["x"], mark["y"]) for mark in own] == [(step, LEAST)] * len(own)


def test_no_mark_where_the_median_never_is_0():
    _, marks = shown(scheme="variational")
    assert not [mark for mark in marks if "median" in mark["text"]]


def test_lines_that_coincide_are_named_together_where_they_end():
    """Two of the five closed forms never leave 1, two are one draw; (1 − .3) is left of those."""
    drawn, (drawing, marks) = columns(rate=0.3)["shares"], shown(rate=0.3)
    for pair, name, share in (
        (("none", "non_recurrent"), "none, non-recurrent", 0.0),
        (("variational", "dropconnect"), "variational, DropConnect", np.log10(0.7)),
    ):
        (at,) = (mark for mark in marks if mark["text"] == name)
        assert at["x"] == drawn["t"][-1]
        assert at["y"] == pytest.approx(share, abs=1e-12)
        assert drawn[pair[0]][-1] == drawn[pair[1]][-1] == at["y"]
    named = {key.label for key in drawing.plots[0].legend}
    assert named == {"chosen, as drawn", "the memory below", "fresh", "middle 80\u00a0%"}


@pytest.mark.parametrize("preset", ["one-mask", "dropconnect", "non-recurrent"])
def test_where_little_is_lost_the_window_shows_how_little(preset):
    """Of a figure of some 170 pixels 14 and more part 0.8 from 1."""
    drawing, _ = shown(preset)
    low, high = window(drawing)
    assert -np.log10(0.8) / (high - low) * 170 >= 13
    assert low <= np.log10(0.2)
    assert high >= np.log10(1.2)


def test_the_mean_of_one_in_a_hundred_stays_in_its_window():
    drawing, marks = shown("one-in-a-hundred")
    assert window(drawing)[0] <= 500 * np.log10(0.99) < -2
    assert not [mark for mark in marks if mark["marker"] == "▼"]


@pytest.mark.parametrize("scheme", ["none", "variational", "non-recurrent", "dropconnect"])
def test_a_fit_is_to_the_chosen_scheme_and_fresh_masks_leave_by_an_arrow(scheme):
    drawing, marks = shown(scheme=scheme, fitted=True)
    assert window(drawing) == pytest.approx((-1.0, 0.18))
    assert [mark["text"] for mark in marks if mark["marker"] == "▼"] == ["t = 100: 2.04·10⁻¹⁰"]
    assert window(shown(scheme=scheme, rate=0.8, steps=500, fitted=True)[0])[0] >= -2


def test_a_fit_shows_fresh_masks_whole_where_they_are_chosen_but_not_those_that_are_pinned():
    drawing, marks = shown(fitted=True)
    assert window(drawing)[0] <= 100 * np.log10(0.8) < window(drawing)[1]
    assert not [mark for mark in marks if mark["marker"] == "▼"]
    lab = lab_of(rate=0.65)
    pinned = Drawing(lab, lab.compute(), lab.presets[0])
    make_pin(pinned.plots, "A", "fresh")
    lab.adopt(scheme="variational")
    frame = lab.compute()
    pinned.show(frame, pinned.sources)
    pinned.fit(frame)
    # One mask leaves a share of 0.35; the median that is pinned comes down to one unit of 25.
    assert window(pinned)[0] == -2


def test_a_fit_shows_the_memory_that_is_shown():
    """In this draw one of ten memories' worth of masks leaves 2 units of 25; the band ends at 5."""
    lab = lab_of(scheme="variational", rate=0.7, steps=10, seed=54)
    drawn = lab.compute().columns["shares"]
    assert 10.0 ** drawn["shown"][-1] == pytest.approx(2 / 25)
    assert 10.0 ** np.nanmin(drawn["low"]) > 0.1
    assert window(shown(scheme="variational", rate=0.7, steps=10, seed=54, fitted=True)[0])[0] == -2


FRAMES = ((770, 170), (265, 255))


@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize(("width", "height"), FRAMES)
@pytest.mark.parametrize(
    "settings",
    [
        *({"preset": preset.name} for preset in DropoutLab.presets), {"rate": 0.8, "steps": 500}, {"rate": 0.65},
        {"rate": 0}, {"rate": 0.2, "steps": 20}, {"scheme": "variational", "rate": 0.8}, {"rate": 0.05},
    ],
)  # fmt: skip
def test_labels_lie_on_no_other_and_within_the_frame(settings, fitted, width, height):
    """Each as a box of 8 pixels a character and 18 in height, on a projector and, without what precedes a colon,
    on a phone; where a fit goes deep, the lines that are all but at 1 leave their names no room."""
    drawing, marks = shown(fitted=fitted, **settings)
    (low, high), steps = window(drawing), drawing.plots[0].figure.x_range
    boxes = []
    for mark in marks:
        text = mark["text"] if width > 700 else mark["text"].split(": ")[-1]
        x = (mark["x"] - steps.start) / (steps.end - steps.start) * width + mark["aside"]
        y = (mark["y"] - low) / (high - low) * height - mark["shift"]
        left, right = sorted((x, x + 8 * len(text) * (1 if mark["align"] == "left" else -1)))
        assert 0 <= left < right <= width, text
        assert 0 <= y - 9 < y + 9 <= height, text
        boxes.append((left, right, y))
    for n, (left, right, y) in enumerate(boxes):
        for other in boxes[n + 1 :]:
            assert right <= other[0] or other[1] <= left or abs(y - other[2]) >= 18
    if low > -5:
        assert {"none, non-recurrent", "variational, DropConnect"} <= {mark["text"] for mark in marks}


@pytest.mark.parametrize("scheme", ["fresh", "variational", "non-recurrent"])
@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize(("rate", "steps"), [(0.01, 500), (0.14, 100), (0.2, 100), (0.26, 100), (0.8, 500)])
def test_a_name_touches_its_own_line_or_is_left_out(scheme, fitted, rate, steps):
    """On a projector: 14 pixels from the line's height to the middle of the text, and no level line between.

    1 − .8 is left by one mask, 0.04 is one unit of 25.
    """
    drawing, marks = shown(scheme=scheme, rate=rate, steps=steps, fitted=fitted)
    low, high = window(drawing)
    levels = {
        "none, non-recurrent": 0.0,
        "variational, DropConnect": np.log10(1 - rate),
        "one unit of 25": np.log10(0.04),
    }
    up = {name: (level - low) / (high - low) * 170 for name, level in levels.items()}
    for mark in marks:
        if mark["text"] in levels:
            middle = (mark["y"] - low) / (high - low) * 170 - mark["shift"]
            assert abs(middle - up[mark["text"]]) <= 15, mark["text"]
            others = [abs(middle - at) for name, at in up.items() if name != mark["text"]]
            assert min(others) >= 8, mark["text"]


def test_the_pointer_names_every_line_whether_or_not_there_is_room_for_its_name():
    drawing, _ = shown(fitted=True)
    (hover,) = drawing.plots[0].figure.select(HoverTool)
    said = str(hover.tooltips)
    for name in ("none", "non-recurrent", "variational", "DropConnect", "fresh", "one unit of 25"):
        assert name in said


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.26, 0.8])
@pytest.mark.parametrize("steps", [100, 500])
def test_a_fit_ends_near_1_which_no_share_passes(rate, steps):
    drawing, _ = shown(rate=rate, steps=steps, fitted=True)
    assert 0 < window(drawing)[1] < 1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("width", "height"), FRAMES)
def test_labels_of_one_in_a_hundred_lie_on_no_line(seed, width, height):
    """Each as a box of 8 pixels a character and 14 in height; the bound itself is 14 pixels away."""
    drawing, marks = shown("one-in-a-hundred", seed=seed)
    (low, high), steps = window(drawing), drawing.plots[0].figure.x_range
    drawn = columns(rate=0.01, steps=500, seed=seed)["shares"]
    t = np.linspace(0, 500, 5001)
    across = (t - steps.start) / (steps.end - steps.start) * width
    assert "one unit of 25" in [mark["text"] for mark in marks]
    for mark in marks:
        text = mark["text"] if width > 700 else mark["text"].split(": ")[-1]
        x = (mark["x"] - steps.start) / (steps.end - steps.start) * width + mark["aside"]
        left, right = sorted((x, x + 8 * len(text) * (1 if mark["align"] == "left" else -1)))
        y = (mark["y"] - low) / (high - low) * height - mark["shift"]
        for name in ("none", "variational", "median", "fresh", "shown", "one_unit"):
            up = (np.interp(t, drawn["t"], drawn[name]) - low) / (high - low) * height
            assert not np.any((across > left) & (across < right) & (abs(up - y) < 7)), (text, name)


def test_labels_lie_on_no_pinned_curve():
    """With two pins the curves of three rates fan out; each label as a box of 8 by 14 pixels a character."""
    lab = lab_of()
    drawing = Drawing(lab, lab.compute(), lab.presets[0])
    pins, kept = Pins(drawing.plots), []
    for rate in (0.2, 0.14):
        lab.adopt(rate=rate)
        drawing.show(lab.compute(), drawing.sources)
        pins.add(f"{rate}")
        kept.append(columns(rate=rate)["shares"])
    lab.adopt(rate=0.26)
    drawing.show(lab.compute(), drawing.sources)
    held = drawing.plots[0].axis.marks.source.data
    marks = [dict(zip(held, row, strict=True)) for row in zip(*held.values(), strict=True)]
    assert {"median: 0 from step 13", "t = 100: 8.38·10⁻¹⁴"} <= {mark["text"] for mark in marks}
    t, span = np.linspace(0, 100, 5001), drawing.plots[0].figure.x_range
    across = (t - span.start) / (span.end - span.start) * 770
    for mark in marks:
        x = (mark["x"] - span.start) / (span.end - span.start) * 770 + mark["aside"]
        left, right = sorted((x, x + 8 * len(mark["text"]) * (1 if mark["align"] == "left" else -1)))
        y = (mark["y"] + 2) / 2.36 * 170 - mark["shift"]
        for drawn in kept:
            for name in ("median", "fresh"):
                up = (np.interp(t, drawn["t"], drawn[name]) + 2) / 2.36 * 170
                assert not np.any((across > left) & (across < right) & (abs(up - y) < 7)), mark["text"]


def test_letters_of_pins_keep_clear_of_the_median_s_mark():
    """With rates near each other the curves of both pins and the present one end at nearly one place."""
    lab = lab_of()
    frame = lab.compute()
    drawing = Drawing(lab, frame, lab.presets[0])
    pins = Pins(drawing.plots)
    for rate in (0.19, 0.18):
        lab.adopt(rate=rate)
        drawing.show(lab.compute(), drawing.sources)
        pins.add(f"{rate}")
    drawing.show(frame, drawing.sources)
    pins.place_letters()
    marks = drawing.plots[0].axis.marks.source.data
    at = [text.startswith("median") for text in marks["text"]].index(True)
    span = drawing.plots[0].figure.x_range.end * 1.01
    left = marks["x"][at] / span * 770 + marks["aside"][at]
    for pin, back in zip(pins.held, (-7, -23), strict=True):
        placed = pin.letters[drawing.plots[0].figure].data_source.data
        for x, y in zip(placed["x"], placed["y"], strict=True):
            below = (LEAST - y) / 2.36 * 170 - marks["shift"][at]
            assert x / span * 770 + back + 6 <= left or abs(below) >= 16
