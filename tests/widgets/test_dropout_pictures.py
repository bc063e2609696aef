"""The pictures of the dropout lab: curves, masks, the network; that they hold what the core drew."""

import numpy as np
import pytest
from bokeh.models import ColumnDataSource, Line

from core.memory_masks import SCHEMES, memory_masks, units_left
from widgets.dropout import network, plots
from widgets.dropout.curves import LEAST, MEMORIES, UNITS
from widgets.dropout.lab import DropoutLab
from widgets.figures.drawing import Drawing
from widgets.figures.pins import Pins, make_pin


def columns(**settings):
    return lab_of(**settings).compute().columns


def lab_of(**settings):
    lab = DropoutLab()
    lab.adopt(**settings)
    return lab


def built(**settings):
    sources = {name: ColumnDataSource(dict(c), name=name) for name, c in columns(**settings).items()}
    return plots.plots(sources, (-2, 0.1))


def test_closed_forms_of_all_schemes_are_drawn_whatever_is_chosen():
    t = np.arange(101)
    for scheme in SCHEMES:
        drawn = columns(scheme=scheme)["shares"]
        np.testing.assert_allclose(drawn["fresh"], t * np.log10(0.8), atol=1e-12)
        for lasting in ("variational", "dropconnect"):
            np.testing.assert_allclose(drawn[lasting], np.where(t > 0, np.log10(0.8), 0), atol=1e-12)
        for spared in ("none", "non_recurrent"):
            np.testing.assert_array_equal(drawn[spared], np.zeros(101))


@pytest.mark.parametrize("seed", [0, 7])
def test_the_median_lies_in_its_band_and_near_the_closed_form(seed):
    for scheme in SCHEMES:
        drawn = columns(scheme=scheme, seed=seed)["shares"]
        there = np.isfinite(drawn["median"])
        assert (drawn["low"][there] <= drawn["median"][there]).all()
        assert (drawn["median"][there] <= drawn["high"][there]).all()
        own = 10.0 ** drawn[scheme.replace("-", "_")]
        # A median of 201 shares of 25 units: within half a unit of its law's, which is within one of the mean.
        assert np.abs(10.0 ** drawn["median"] - own).max() <= 1.5 / UNITS


def test_a_band_that_reaches_0_ends_at_one_unit_and_with_its_upper_edge():
    drawn = columns()["shares"]
    np.testing.assert_array_equal(np.isnan(drawn["low"]), np.isnan(drawn["high"]))
    assert np.isnan(drawn["high"][-1])
    there = np.isfinite(drawn["low"])
    assert 10.0 ** drawn["low"][there].min() == pytest.approx(1 / 25)
    assert (drawn["low"][there] <= drawn["high"][there]).all()


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


def test_all_gone_is_what_the_memories_do():
    drawn = columns(rate=0.1)["gone"]
    q = 0.9 ** np.arange(101)
    np.testing.assert_allclose(drawn["law"], (1 - q) ** UNITS, atol=1e-12)
    deviation = np.sqrt(drawn["law"] * (1 - drawn["law"]) / MEMORIES)
    assert (np.abs(drawn["drawn"] - drawn["law"]) <= 4 * deviation + 1e-12).all()
    lasting = columns(scheme="variational", rate=0.1)["gone"]
    assert lasting["drawn"].max() == 0
    np.testing.assert_allclose(lasting["law"][1:], 0.1**UNITS, rtol=1e-9)
    np.testing.assert_allclose(lasting["fresh"], (1 - q) ** UNITS, atol=1e-12)


def test_one_unit_is_a_twenty_fifth():
    np.testing.assert_allclose(columns()["shares"]["one_unit"], np.log10(0.04), rtol=1e-12)


def painted(bars, steps):
    """Stretches back as booleans (T, N)."""
    cells = np.zeros((steps, UNITS), dtype=bool)
    for row, start, end in zip(bars["row"], bars["start"], bars["end"], strict=True):
        cells[int(start) : int(end), int(row) - 1] = True
    return cells


@pytest.mark.parametrize("scheme", ["fresh", "variational", "dropconnect"])
def test_rows_are_the_units_of_one_memory_by_how_long_they_hold(scheme):
    steps = 60
    frame = columns(scheme=scheme, rate=0.1, steps=steps, seed=3)
    masks = memory_masks(scheme, 0.1, steps, UNITS, 3)
    left = units_left(masks, steps, UNITS)
    rows = frame["holding"]
    assert sorted(rows["unit"]) == list(range(1, UNITS + 1))
    assert (np.diff(rows["end"]) <= 0).all()
    for unit, end in zip(rows["unit"], rows["end"], strict=True):
        assert left[end, unit - 1]
        assert end == steps or not left[end + 1, unit - 1]
    np.testing.assert_allclose(10.0 ** frame["shares"]["shown"], left.mean(axis=1), atol=1e-12)
    order = rows["unit"] - 1
    passed = masks.state != 0 if masks.state is not None else np.diag(masks.weights) != 0
    dropped = ~np.broadcast_to(passed, (steps, UNITS))[:, order]
    fatal = np.zeros_like(dropped)
    for row, step in zip(frame["losses"]["row"], frame["losses"]["step"], strict=True):
        fatal[int(step - 0.5), row - 1] = True
    np.testing.assert_array_equal(painted(frame["dropped"], steps) | fatal, dropped)
    assert not (painted(frame["dropped"], steps) & fatal).any()
    assert len(frame["entering"]["row"]) == 0


def test_masks_beside_the_memory_are_shown_where_they_meet_what_enters():
    frame = columns(scheme="non-recurrent", rate=0.3, steps=40, seed=2)
    assert (frame["holding"]["end"] == 40).all()
    assert len(frame["losses"]["row"]) == len(frame["dropped"]["row"]) == 0
    masks = memory_masks("non-recurrent", 0.3, 40, UNITS, 2)
    np.testing.assert_array_equal(painted(frame["entering"], 40), masks.inputs == 0)


def test_dropconnect_shows_its_matrix_and_no_other_scheme_does():
    drawn = columns(scheme="dropconnect", rate=0.3, seed=1)["matrix"]
    mask = memory_masks("dropconnect", 0.3, 100, UNITS, 1).weights
    for name, where in (
        ("idle", (mask == 0) & ~np.eye(UNITS, dtype=bool)),
        ("cut", (mask == 0) & np.eye(UNITS, dtype=bool)),
        ("kept", (mask != 0) & np.eye(UNITS, dtype=bool)),
    ):
        shown = np.isfinite(drawn[name])
        places = {(int(i), int(j)) for i, j in zip(drawn["i"][shown], drawn[name][shown], strict=True)}
        assert places == {(i + 1, j + 1) for i, j in zip(*np.nonzero(where), strict=True)}
    for scheme in set(SCHEMES) - {"dropconnect"}:
        assert len(columns(scheme=scheme)["matrix"]["i"]) == 0


def directions(arrows):
    upward = np.isclose(arrows["x0"], arrows["x1"])
    return int(upward.sum()), int((~upward).sum())


@pytest.mark.parametrize(
    ("scheme", "masked", "names"),
    [
        ("none", (0, 0), set()),
        ("fresh", (0, 6), {"m₂", "m₃", "m₄", "n₂", "n₃", "n₄"}),
        ("variational", (0, 6), {"m", "n"}),
        ("dropconnect", (0, 6), {"M", "N"}),
        ("non-recurrent", (12, 0), {f"{floor}{step}" for floor in "abc" for step in "₁₂₃₄"}),
    ],
)
def test_the_network_masks_upward_or_onward_arrows(scheme, masked, names):
    arrows = network.arrows(scheme)
    assert directions(arrows["masked"]) == masked
    up, along = directions(arrows["plain"])
    assert (up + masked[0], along + masked[1]) == (12, 6)
    assert set(arrows["masked"]["name"]) == names


def test_every_curve_can_be_told_from_every_other():
    for plot in (built()[0], built()[3]):
        looks = [
            (
                next(tag for tag in r.tags if tag.startswith("role:")),
                r.glyph.line_width,
                str(r.glyph.line_dash),
            )
            for r in plot.figure.renderers
            if isinstance(r.glyph, Line)
        ]
        assert len(set(looks)) == len(looks)


def test_lines_that_coincide_are_named_together_where_they_end():
    """Two of the five closed forms never leave 1, two are one draw; (1 − .3) is left of those."""
    drawn, (_, marks) = columns(rate=0.3)["shares"], shown(rate=0.3)
    for pair, name, share in (
        (("none", "non_recurrent"), "none, non-recurrent", 0.0),
        (("variational", "dropconnect"), "variational, DropConnect", np.log10(0.7)),
    ):
        (at,) = (mark for mark in marks if mark["text"] == name)
        assert at["x"] == drawn["t"][-1]
        assert at["y"] == pytest.approx(share, abs=1e-12)
        assert drawn[pair[0]][-1] == drawn[pair[1]][-1] == at["y"]
    named = {key.label for key in built()[0].legend}
    assert named == {"chosen, as drawn", "the memory below", "fresh", "middle 80 %"}


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
    assert window(pinned)[0] >= -2


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
    on a phone."""
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
    names = [mark["text"] for mark in marks]
    assert {"none, non-recurrent", "variational, DropConnect"} <= set(names)


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


def test_curves_that_coincide_lie_within_each_other():
    """From below to above, each narrower than what it may hide, so that all are seen."""
    lines = [r.glyph for r in built()[0].figure.renderers if isinstance(r.glyph, Line)]
    width = {line.y: line.line_width for line in lines}
    order = [line.y for line in lines]
    for wide, narrow in (
        ("none", "non_recurrent"), ("variational", "dropconnect"), ("none", "median"), ("variational", "median"),
        ("median", "non_recurrent"), ("median", "dropconnect"), ("median", "fresh"),
    ):  # fmt: skip
        assert width[wide] > width[narrow]
        assert order.index(wide) < order.index(narrow)
    everything = [getattr(r.glyph, "y", None) for r in built()[0].figure.renderers]
    for narrow in ("non_recurrent", "dropconnect", "fresh"):
        assert everything.index("median") < everything.index("shown") < everything.index(narrow)
        assert next(line for line in lines if line.y == narrow).line_dash != []


def test_steps_stand_above_each_other_and_follow_the_setting():
    shares, masks, _, gone, _ = built()
    assert masks.figure.x_range is gone.figure.x_range is shares.figure.x_range
    shares.axis.follow(columns(steps=300))
    assert 300 < shares.figure.x_range.end < 310
