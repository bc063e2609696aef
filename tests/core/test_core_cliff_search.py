import math

import mpmath
import numpy as np
import pytest

from core.cliff import CliffUnit, descend
from core.cliff_search import bias_grid, minimum, steepest

UNIT = CliffUnit()


def test_the_steepest_point_and_the_minimum_of_the_worked_case():
    wall = steepest(UNIT)
    assert wall.bias == pytest.approx(0.557987, abs=5e-7)
    assert wall.gradient == pytest.approx(-292.76, abs=5e-3)
    assert wall.resolved
    assert minimum(UNIT) == pytest.approx(0.5615, abs=5e-5)
    assert UNIT.curve([minimum(UNIT)]).loss[0] < 1e-24


def test_both_are_those_of_many_digits():
    def run(bias):
        h, change = mpmath.mpf(-0.9), mpmath.mpf(0)
        for _ in range(20):
            h = mpmath.tanh(2 * h + bias)
            change = (1 - h**2) * (2 * change + 1)
        miss = h - mpmath.mpf(0.8)
        return miss, 2 * miss * change

    with mpmath.workdps(60):
        lowest = mpmath.findroot(lambda b: run(b)[0], (0.561, 0.562), solver="anderson")
        peak = mpmath.findroot(
            lambda b: mpmath.diff(lambda x: run(x)[1], b) / 1e6, (0.5575, 0.5585), solver="anderson"
        )
        assert minimum(UNIT) == pytest.approx(float(lowest), abs=1e-15)
        assert steepest(UNIT).bias == pytest.approx(float(peak), abs=1e-9)
        assert steepest(UNIT).gradient == pytest.approx(float(run(peak)[1]), rel=1e-11)


@pytest.mark.parametrize(
    "unit", [CliffUnit(2, 0, 100, 0.8), CliffUnit(3, 0, 50, 0.5), CliffUnit(4, 0, 100, 0.8)]
)
def test_a_minimum_close_to_zero_is_right_to_the_last_digits(unit):
    with mpmath.workdps(150):

        def miss(bias):
            h = mpmath.mpf(unit.start)
            for _ in range(unit.steps):
                h = mpmath.tanh(unit.self_weight * h + bias)
            return h - mpmath.mpf(unit.target)

        found = mpmath.mpf(minimum(unit))
        assert miss(found * (1 - mpmath.mpf("2e-14"))) < 0 < miss(found * (1 + mpmath.mpf("2e-14")))


@pytest.mark.parametrize(
    "unit",
    [
        CliffUnit(steps=60),
        CliffUnit(start=0.9),
        CliffUnit(start=0.0, target=-0.5),
        CliffUnit(start=-0.3, steps=45),
        CliffUnit(self_weight=0.5, start=1.0),
        CliffUnit(self_weight=4.0, steps=5),
        CliffUnit(self_weight=1.0, steps=1, target=1.0),
        CliffUnit(0.5, -0.9, 1, -0.5),
        CliffUnit(0.5, -0.9, 2, 0),
        CliffUnit(0.1, 0.0, 1, 0.0),
        CliffUnit(0.3, 0.5, 3, 0.9),
    ],
)
def test_no_bias_is_steeper(unit):
    wall = steepest(unit)
    everywhere = np.linspace(-8, 8, 20001)
    nearby = wall.bias + np.linspace(-1, 1, 20001) * 10 / abs(wall.gradient)
    for biases in (everywhere, nearby):
        assert np.abs(unit.curve(biases).gradient).max() <= abs(wall.gradient) * (1 + 1e-9)
    assert UNIT.curve([wall.bias]).bias[0] == wall.bias


def test_a_target_that_no_state_reaches_has_no_minimum():
    assert minimum(CliffUnit(target=1.0)) is None
    assert minimum(CliffUnit(target=-1.0)) is None


def test_a_wall_too_thin_for_floats_is_said():
    assert not steepest(CliffUnit(self_weight=4.0, steps=100, start=0.3)).resolved
    assert steepest(CliffUnit(start=0.0, steps=100)).resolved


def test_the_grid_shows_the_steepest_point_and_the_minimum():
    grid = bias_grid(UNIT, 0.0, 1.2)
    assert (grid[0], grid[-1]) == (0, 1.2)
    assert (np.diff(grid) > 0).all()
    assert 1490 < len(grid) <= 1500
    assert steepest(UNIT).bias in grid
    assert minimum(UNIT) in grid
    curve = UNIT.curve(grid)
    assert np.abs(curve.gradient).max() == pytest.approx(292.76, abs=5e-3)
    # From point to point the wall rises in small steps.
    assert np.abs(np.diff(curve.state)).max() < 0.1
    assert np.abs(np.diff(UNIT.curve(np.linspace(0, 1.2, 1500)).state)).max() > 0.1


def test_a_wall_beyond_the_range_leaves_an_even_grid():
    grid = bias_grid(CliffUnit(start=0.9), 0.0, 1.2, 100)
    assert (grid.min(), grid.max()) == (0, 1.2)
    assert 95 <= len(grid) <= 100


@pytest.mark.parametrize("count", [16, 17, 40, 301])
@pytest.mark.parametrize("unit", [UNIT, CliffUnit(target=1.0), CliffUnit(start=0.9)])
def test_the_grid_has_as_many_points_as_were_asked_for(unit, count):
    assert count - 2 <= len(bias_grid(unit, 0, 1, count)) <= count


@pytest.mark.parametrize(
    "unit",
    [
        CliffUnit(1e150, 1e150, 1, 0.8),
        CliffUnit(1e150, -1e150, 3, -1e150),
        CliffUnit(1e-300, 0.0, 2, 0.5),
        CliffUnit(4.0, 0.0, 2000, 0.8),
    ],
)
def test_extreme_numbers_end_without_a_warning(unit):
    with np.errstate(all="raise", under="ignore"):
        assert steepest(unit).bias == pytest.approx(0, abs=2 * max(unit.self_weight * abs(unit.start), 1))
        assert len(bias_grid(unit, -1e150, 1e150)) > 700
        assert len(bias_grid(unit, -5, 5)) > 700


def test_the_grid_is_kept_and_locked():
    grid = bias_grid(UNIT, 0.0, 1.2)
    assert bias_grid(CliffUnit(), 0.0, 1.2) is grid
    with pytest.raises(ValueError, match="read-only"):
        grid[0] = 1


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ((math.nan, 1.0), "low must be a finite number, got nan"),
        ((1.0, 1.0), "high must be a finite number above 1, got 1.0"),
        ((0.0, math.inf), "high must be a finite number above 0, got inf"),
        ((-1e308, 1e308), r"low must be a number of at most 1e\+150 in size, got -1e\+308"),
        ((0.0, 1e308), r"high must be a number of at most 1e\+150 in size, got 1e\+308"),
        ((0.0, 1.0, 15), "count must be an integer of at least 16, got 15"),
    ],
)
def test_what_is_out_of_range_is_refused(limits, message):
    with pytest.raises(ValueError, match=message):
        bias_grid(UNIT, *limits)


@pytest.mark.parametrize(
    ("arguments", "name"), [(([0], 1, 100), "low"), ((0, [1], 100), "high"), ((0, 1, [100]), "count")]
)
def test_a_grid_refuses_what_cannot_be_kept_by_name(arguments, name):
    with pytest.raises(ValueError, match=f"^{name} must be"):
        bias_grid(CliffUnit(), *arguments)


@pytest.mark.parametrize("odd", [None, 2.0, "unit", [1], {}])
def test_what_is_no_unit_is_refused_by_name(odd):
    for call in (
        minimum,
        steepest,
        lambda unit: bias_grid(unit, 0, 1),
        lambda unit: descend(unit, 0, 0.1, 1),
    ):
        with pytest.raises(ValueError, match=r"^unit must be a CliffUnit, got "):
            call(odd)
