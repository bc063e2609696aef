import dataclasses
import math

import mpmath
import numpy as np
import pytest

from core.cliff import CliffUnit, cobweb, descend

UNIT = CliffUnit()
UNITS = [
    UNIT,
    CliffUnit(self_weight=0.7, start=0.4, steps=7, target=-0.3),
    CliffUnit(self_weight=3.0, start=0.0, steps=5, target=1.0),
    CliffUnit(self_weight=1.5, start=1.0, steps=1, target=-1.0),
]


def exact(unit, bias, digits=60):
    """State, loss and gradient in many-digit arithmetic, the gradient by the chain rule from the last step back."""
    with mpmath.workdps(digits):
        w, b, target = (mpmath.mpf(x) for x in (unit.self_weight, bias, unit.target))
        states = [mpmath.mpf(unit.start)]
        for _ in range(unit.steps):
            states.append(mpmath.tanh(w * states[-1] + b))
        error, total = 2 * (states[-1] - target), mpmath.mpf(0)
        for state in reversed(states[1:]):
            error *= 1 - state**2
            total += error
            error *= w
        return states[-1], (states[-1] - target) ** 2, total


@pytest.mark.parametrize(
    ("bias", "gradient", "within"),
    [
        (0, -0.35, 5e-3),
        (0.4, -1.5, 0.05),
        (0.5, -4.0, 0.05),
        (0.557987, -292.76, 5e-3),
        (0.6, 0.0090, 5e-5),
        (0.8, 0.0060, 5e-5),
        (1.0, 0.0040, 5e-5),
    ],
)
def test_the_gradients_of_the_worked_case(bias, gradient, within):
    assert UNIT.curve([bias]).gradient[0] == pytest.approx(gradient, abs=within)
    assert UNIT.loss_and_gradient(bias)[1] == pytest.approx(gradient, abs=within)


@pytest.mark.parametrize("unit", UNITS)
def test_loss_and_gradient_agree_with_many_digit_arithmetic(unit):
    biases = np.array([-40.0, -3.0, -0.2, 0.0, 0.3, 0.5, 1.2, 30.0])
    curve = unit.curve(biases)
    for n, bias in enumerate(biases):
        state, loss, gradient = exact(unit, bias)
        assert curve.state[n] == pytest.approx(float(state), rel=1e-13, abs=1e-15)
        assert curve.loss[n] == pytest.approx(float(loss), rel=1e-12, abs=0)
        assert curve.gradient[n] == pytest.approx(float(gradient), rel=1e-12, abs=0)
        assert curve.log10_gradient[n] == pytest.approx(float(mpmath.log10(abs(gradient))), abs=1e-12)
        assert unit.loss_and_gradient(bias) == pytest.approx((curve.loss[n], curve.gradient[n]), rel=1e-13)


@pytest.mark.parametrize("unit", UNITS)
def test_the_gradient_is_the_central_difference(unit):
    step = 1e-6
    for bias in (-0.4, 0.1, 0.55, 0.9):
        below, at, above = unit.curve([bias - step, bias, bias + step]).loss
        difference = (above - below) / (2 * step)
        assert unit.curve([bias]).gradient[0] == pytest.approx(difference, rel=1e-7, abs=1e-9), at


@pytest.mark.parametrize("unit", [UNIT, CliffUnit(target=1.0), CliffUnit(target=-1.0, self_weight=0.5)])
@pytest.mark.parametrize("bias", [-900.0, 400.0, 900.0])
def test_logarithms_go_on_where_the_gradient_is_zero(unit, bias):
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        curve = unit.curve([bias])
    assert curve.gradient[0] == 0
    _, _, gradient = exact(unit, bias, digits=1000)
    assert curve.log10_gradient[0] == pytest.approx(float(mpmath.log10(abs(gradient))), rel=1e-13)


def test_a_reached_target_is_a_true_zero():
    curve = CliffUnit(self_weight=1.0, start=0.0, target=0.0, steps=3).curve([0.0])
    assert (curve.loss[0], curve.gradient[0], curve.log10_gradient[0]) == (0, 0, -math.inf)


def test_attractors_of_the_worked_case():
    low, middle, high = UNIT.fixed_points(0)
    assert (low.state, high.state) == pytest.approx((-0.9575040241, 0.9575040241), abs=5e-11)
    assert middle.state == 0
    assert (low.stable, middle.stable, high.stable) == (True, False, True)
    assert middle.slope == pytest.approx(2)
    assert UNIT.fold == pytest.approx(0.532839975, abs=5e-10)


@pytest.mark.parametrize("weight", [1.01, 1.5, 2.0, 4.0])
def test_the_lower_attractor_disappears_at_the_fold(weight):
    unit = CliffUnit(self_weight=weight)
    assert [len(unit.fixed_points(unit.fold * share)) for share in (-1.001, -0.999, 0.999, 1.001)] == [
        1,
        3,
        3,
        1,
    ]
    assert unit.fixed_points(1.001 * unit.fold)[0].state > 0
    assert unit.fixed_points(-1.001 * unit.fold)[0].state < 0
    low, middle, high = unit.fixed_points(unit.fold * (1 - 1e-9))
    assert low.state == pytest.approx(middle.state, abs=2e-4)
    assert low.state == pytest.approx(-math.sqrt(1 - 1 / weight), abs=2e-4)
    assert high.state > 0


@pytest.mark.parametrize("weight", [1 + 1e-15, 1.0000001, 1.001, 1.33, 1.34, 2.0, 4.0, 1e6])
def test_the_fold_keeps_its_digits_also_where_it_is_close_to_zero(weight):
    with mpmath.workdps(80):
        w = mpmath.mpf(weight)
        h = mpmath.sqrt(1 - 1 / w)
        assert CliffUnit(self_weight=weight).fold == pytest.approx(
            float(w * h - mpmath.atanh(h)), rel=4e-15, abs=0
        )


@pytest.mark.parametrize("weight", [0.2, 1.0])
def test_without_a_fold_there_is_one_attractor(weight):
    unit = CliffUnit(self_weight=weight)
    assert unit.fold is None
    for bias in (-1.0, 0.0, 0.3):
        (point,) = unit.fixed_points(bias)
        assert point.stable


@pytest.mark.parametrize("weight", [0.5, 1.0, 1.2, 2.0, 4.0])
@pytest.mark.parametrize("bias", [-7.0, -0.4, 0.0, 0.1, 0.6, 1.2])
def test_fixed_points_stay_where_they_are_and_draw_in_or_repel(weight, bias):
    for point in CliffUnit(self_weight=weight).fixed_points(bias):
        assert math.tanh(weight * point.state + bias) == pytest.approx(point.state, abs=1e-15)
        nearby = [math.tanh(weight * (point.state + dev) + bias) for dev in (-1e-6, 1e-6)]
        assert point.slope == pytest.approx((nearby[1] - nearby[0]) / 2e-6, rel=1e-6, abs=1e-9)
        if not (weight == 1 and bias == 0):
            assert point.stable == (point.slope < 1)


def test_the_trajectory_settles_low_before_the_fold_and_high_past_the_cliff():
    below, past = UNIT.trajectory(0.5), UNIT.trajectory(0.6)
    assert below[0] == past[0] == -0.9
    assert len(below) == 21
    assert (below < -0.7).all()
    assert past[-1] == pytest.approx(UNIT.fixed_points(0.6)[0].state, abs=1e-3)
    assert past[-1] == pytest.approx(UNIT.curve([0.6]).state[0], rel=1e-14)


def test_with_twenty_steps_the_cliff_stands_past_the_fold():
    between = (UNIT.fold + 0.5579) / 2
    assert len(UNIT.fixed_points(between)) == 1
    assert UNIT.trajectory(between)[-1] < 0
    assert CliffUnit(steps=100).trajectory(between)[-1] > 0


def test_the_cobweb_goes_to_the_map_and_to_the_diagonal_in_turn():
    states = UNIT.trajectory(0.56)
    x, y = cobweb(states)
    assert (len(x), x[0], y[0]) == (41, -0.9, -0.9)
    np.testing.assert_allclose(y[1::2], np.tanh(2 * x[1::2] + 0.56), rtol=1e-15)
    np.testing.assert_array_equal(x[::2], y[::2])
    np.testing.assert_array_equal(y[1::2], states[1:])


def test_an_unclipped_step_on_the_wall_throws_the_run_far_away_and_leaves_it_stuck():
    run = descend(UNIT, 0.558, 0.1, 5)
    assert run.bias[1] - run.bias[0] == pytest.approx(29, abs=0.5)
    assert run.bias[1] == pytest.approx(29.8, abs=0.05)
    assert abs(run.gradient[1]) < 1e-20
    assert run.stuck_at == 1
    assert (run.bias[1:] == run.bias[1]).all()
    assert run.loss[-1] == pytest.approx(0.04, abs=1e-12)


def test_a_run_beyond_the_reach_of_floats_is_stuck_with_a_gradient_of_zero():
    run = descend(UNIT, 500.0, 0.1, 3)
    assert (run.gradient == 0).all()
    assert run.stuck_at == 0


def test_a_clipped_run_stays_by_the_wall():
    run = descend(UNIT, 0.5, 0.1, 100, clip_norm=0.1)
    late = run.bias[20:]
    assert (late.min(), late.max()) == pytest.approx((0.556, 0.566), abs=5e-4)
    assert (np.sign(np.diff(late))[1:] == -np.sign(np.diff(late))[:-1]).all()
    assert run.stuck_at is None
    assert np.abs(np.diff(run.bias)).max() <= 0.1 * 0.1 + 1e-15
    narrow = descend(UNIT, 0.5, 0.02, 200, clip_norm=0.1).bias[100:]
    assert np.ptp(narrow) < np.ptp(late) / 4


def test_every_update_is_a_step_down_the_gradient():
    run = descend(UNIT, 0.3, 0.05, 12)
    np.testing.assert_allclose(run.bias[1:], run.bias[:-1] - 0.05 * run.gradient[:-1], rtol=1e-15)
    curve = UNIT.curve(run.bias)
    np.testing.assert_allclose(run.loss, curve.loss, rtol=1e-12)
    np.testing.assert_allclose(run.gradient, curve.gradient, rtol=1e-12)


def test_a_run_that_has_arrived_is_not_stuck():
    unit = CliffUnit(self_weight=0.5, start=0.0, steps=5, target=0.3)
    run = descend(unit, 0.0, 0.3, 200)
    assert run.loss[-1] < 1e-20
    assert run.stuck_at is None
    there = descend(CliffUnit(start=0.0, target=0.0), 0.0, 0.3, 5)
    assert (there.gradient == 0).all()
    assert there.stuck_at is None
    assert len(descend(unit, 0.0, 0.3, 0).bias) == 1


def test_a_gradient_beyond_floats_is_said():
    repelled = CliffUnit(self_weight=4.0, start=0.0, steps=2000)
    with pytest.raises(FloatingPointError, match=r"gradient after update 0, at bias 0\.0, is not finite"):
        descend(repelled, 0.0, 0.1, 1)
    with np.errstate(all="raise"):
        assert math.isinf(repelled.curve([0.0]).gradient[0])


def test_numbers_of_any_kind_are_kept_as_plain_floats():
    single = CliffUnit(np.float32(2), np.float32(-0.9), np.int64(20), np.float32(0.8))
    assert {type(value) for value in dataclasses.astuple(single)} == {float, int}
    bias = 0.5579
    _, _, expected = exact(single, bias)
    assert single.loss_and_gradient(bias)[1] == pytest.approx(float(expected), rel=1e-10)
    assert single.trajectory(bias).dtype == np.float64


def test_the_unit_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        UNIT.steps = 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: CliffUnit(self_weight=0), "self_weight must be a finite number above 0, got 0"),
        (lambda: CliffUnit(self_weight=math.nan), "self_weight must be a finite number above 0, got nan"),
        (
            lambda: CliffUnit(self_weight=1.7e308),
            r"self_weight must be .* most 1e\+150 in size, got 1\.7e\+308",
        ),
        (lambda: CliffUnit(start=-1e308), r"start must be a number of at most 1e\+150 in size, got -1e\+308"),
        (lambda: CliffUnit(target=1e151), r"target must be a number of at most .*, got 1e\+151"),
        (lambda: CliffUnit(start=math.inf), "start must be a finite number, got inf"),
        (lambda: CliffUnit(steps=0), "steps must be an integer of at least 1, got 0"),
        (lambda: CliffUnit(steps=2.5), "steps must be an integer of at least 1, got 2.5"),
        (lambda: CliffUnit(target="1"), "target must be a finite number, got '1'"),
        (lambda: UNIT.curve([]), r"bias must have shape \(N,\) with N of at least 1, got \(0,\)"),
        (lambda: UNIT.curve([0, math.nan]), r"bias must hold finite numbers only, got nan at index \(1,\)"),
        (lambda: UNIT.trajectory(math.inf), "bias must be a finite number, got inf"),
        (lambda: UNIT.fixed_points(math.nan), "bias must be a finite number, got nan"),
        (lambda: UNIT.loss_and_gradient(None), "bias must be a finite number, got None"),
        (lambda: cobweb([[1.0]]), r"states must have shape \(T \+ 1,\)"),
        (lambda: descend(UNIT, math.nan, 0.1, 1), "bias must be a finite number, got nan"),
        (lambda: descend(UNIT, 0, 0, 1), "learning_rate must be a finite number above 0, got 0"),
        (lambda: descend(UNIT, 0, 0.1, -1), "updates must be an integer of at least 0, got -1"),
        (lambda: descend(UNIT, 0, 0.1, 1, clip_norm=0), "clip_norm must be a finite number above 0, got 0"),
    ],
)
def test_what_is_out_of_range_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_an_update_beyond_float64_is_named():
    with pytest.raises(FloatingPointError, match=r"update 1 takes the bias from 0\.55 to inf"):
        descend(UNIT, 0.55, 1e308, 1)
    assert descend(UNIT, 0.55, 1e308, 0).bias.tolist() == [0.55]
