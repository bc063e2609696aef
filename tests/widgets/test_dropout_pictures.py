"""The pictures of the dropout lab: curves, masks, the network; that they hold what the core drew."""

import numpy as np
import pytest
from bokeh.models import ColumnDataSource, Line

from core.memory_masks import SCHEMES, memory_masks, units_left
from widgets.dropout import network, plots
from widgets.dropout.curves import MEMORIES, UNITS
from widgets.dropout.lab import DropoutLab


def columns(**settings):
    lab = DropoutLab()
    lab.adopt(**settings)
    return lab.compute().columns


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
    there = np.isfinite(drawn["high"])
    assert 10.0 ** drawn["low"][there].min() == pytest.approx(1 / 25)
    assert (drawn["low"][there] <= drawn["high"][there]).all()


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
