import dataclasses
import math

import mpmath
import numpy as np
import pytest

from core.echo import echo

HALVING = echo(0.5, [1, 0, 0, 0])


def rest(steps):
    return np.zeros(steps)


def pulse(steps, size=1.0):
    return np.array([size] + [0.0] * (steps - 1))


def test_halving_gives_the_numbers_of_the_lesson():
    np.testing.assert_allclose(HALVING.states, [0.762, 0.363, 0.180, 0.090], atol=5e-4)
    np.testing.assert_allclose(HALVING.jacobians[1:], [0.434, 0.484, 0.496], atol=5e-4)
    assert HALVING.state_sensitivity[0] == pytest.approx(0.104, abs=5e-4)
    assert HALVING.input_sensitivity[0] == pytest.approx(0.044, abs=5e-4)
    assert HALVING.state_sensitivity[-1] == 1
    np.testing.assert_allclose(HALVING.jacobians, 0.5 * (1 - HALVING.states**2), rtol=1e-14)


def test_knife_edge_neither_fades_nor_grows():
    run = echo(1, pulse(100), activation="linear")
    assert run.states.tolist() == [1.0] * 100
    assert run.state_sensitivity.tolist() == [1.0] * 100
    assert run.start_sensitivity == 1


def test_growing_from_rest_is_the_bare_power():
    run = echo(1.5, rest(20))
    assert run.start_sensitivity == pytest.approx(3325.2567, abs=5e-5)
    np.testing.assert_allclose(run.state_sensitivity, 1.5 ** np.arange(19, -1, -1), rtol=1e-14)


def test_saturated_above_one_vanishes():
    run = echo(1.5, rest(20), start=1)
    settled = echo(1.5, rest(100), start=1)
    assert settled.states[-1] == pytest.approx(0.8585596366, abs=5e-11)
    assert settled.jacobians[-1] == pytest.approx(0.3943130255, abs=5e-11)
    assert run.start_sensitivity == pytest.approx(4.67387e-9, rel=2e-6)
    assert run.state_sensitivity[0] == pytest.approx(1.72429e-8, rel=2e-6)


def test_capped_echo_grows_to_the_fixed_point():
    run = echo(1.5, pulse(100, 0.01))
    assert (np.diff(run.states[:20]) > 0).all()
    assert run.states[-1] == pytest.approx(0.859, abs=5e-4)


def test_thirty_steps_leave_almost_nothing():
    run = echo(0.5, pulse(30))
    assert run.state_sensitivity[0] == pytest.approx(1.55e-9, rel=4e-3)
    assert run.input_sensitivity[0] == pytest.approx(6.50e-10, rel=2e-3)


@pytest.mark.parametrize(
    ("steps", "total"), [(10, 2.5888021993), (250, 89.3075987626), (500, 179.6427992728)]
)
def test_gradient_of_the_summed_states_follows_from_the_sensitivities(steps, total):
    inputs = np.full(steps, 0.1)
    before = np.concatenate([[0.0], echo(0.5, inputs).states[:-1]])
    gradient = sum(echo(0.5, inputs[:t]).input_sensitivity @ before[:t] for t in range(1, steps + 1))
    assert gradient == pytest.approx(total, abs=5e-11 * max(1, total))


def test_gradient_in_the_weight_matches_the_worked_case():
    run = echo(0.9, np.full(20, 0.3))
    before = np.concatenate([[0.0], run.states[:-1]])
    assert run.input_sensitivity @ before == pytest.approx(0.537801052054819, rel=1e-14)


@pytest.mark.parametrize("activation", ["tanh", "linear"])
@pytest.mark.parametrize("weight", [-1.7, -0.4, 0.9, 1.3])
def test_sensitivities_are_central_differences(activation, weight):
    inputs = np.random.default_rng(1).normal(size=8)
    run = echo(weight, inputs, 0.3, activation)
    step = 1e-6

    def last(inputs, start):
        return echo(weight, inputs, start, activation).states[-1]

    start = (last(inputs, 0.3 + step) - last(inputs, 0.3 - step)) / (2 * step)
    assert run.start_sensitivity == pytest.approx(start, abs=2e-9, rel=1e-7)
    for t in range(8):
        nudge = step * np.eye(8)[t]
        by_input = (last(inputs + nudge, 0.3) - last(inputs - nudge, 0.3)) / (2 * step)
        assert run.input_sensitivity[t] == pytest.approx(by_input, abs=2e-9, rel=1e-7)
        if t < 7:
            up, down = (last(inputs[t + 1 :], run.states[t] + sign * step) for sign in (1, -1))
            assert run.state_sensitivity[t] == pytest.approx((up - down) / (2 * step), abs=2e-9, rel=1e-7)


def test_a_saturated_run_is_exact_where_one_minus_h_squared_would_be_zero():
    run = echo(2, np.full(30, 20.0))
    assert (run.states == 1).all()
    with mpmath.workdps(60):
        h, sensitivity = mpmath.mpf(0), mpmath.mpf(1)
        for _ in range(30):
            h = mpmath.tanh(2 * h + 20)
            sensitivity *= 2 * (1 - h**2)
        assert run.log10_start_sensitivity == pytest.approx(float(mpmath.log10(sensitivity)), rel=1e-13)
    assert run.start_sensitivity == 0


def test_logarithms_go_on_where_the_numbers_end():
    faint, loud = echo(0.1, rest(2000)), echo(1.5, rest(2000), activation="linear")
    assert faint.start_sensitivity == 0
    assert faint.log10_start_sensitivity == pytest.approx(-2000, rel=1e-13)
    assert loud.start_sensitivity == math.inf
    np.testing.assert_allclose(
        loud.log10_state_sensitivity, np.arange(1999, -1, -1) * math.log10(1.5), rtol=1e-13
    )


def test_weight_zero_is_a_true_zero():
    run = echo(0, [1, 2, 3])
    assert run.state_sensitivity.tolist() == [0, 0, 1]
    assert run.log10_state_sensitivity.tolist() == [-math.inf, -math.inf, 0]
    assert run.start_sensitivity == 0


def test_extremes_do_not_warn():
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        run = echo(1e300, np.full(5, 1e300), activation="linear")
        echo(-1e308, np.full(5, 1e308), start=1e308)
    assert math.isinf(run.states[-1])
    assert run.log10_start_sensitivity == pytest.approx(1500)


def test_one_step_and_frozen_result():
    run = echo(0.5, [0.0])
    assert run.state_sensitivity.tolist() == [1.0]
    assert run.start_sensitivity == 0.5
    with pytest.raises(dataclasses.FrozenInstanceError):
        run.states = None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((math.nan, [1]), "weight must be a finite number, got nan"),
        ((math.inf, [1]), "weight must be a finite number, got inf"),
        (("1", [1]), "weight must be a finite number, got '1'"),
        ((True, [1]), "weight must be a finite number, got True"),
        ((0.5, []), r"inputs must have shape \(T,\) with T of at least 1, got \(0,\)"),
        ((0.5, [[1, 2]]), r"inputs must have shape \(T,\).*, got \(1, 2\)"),
        ((0.5, 1.0), r"inputs must have shape \(T,\) with T of at least 1, got \(\)"),
        ((0.5, [1, math.nan]), r"inputs must hold finite numbers only, got nan at index \(1,\)"),
        ((0.5, ["a"]), r"inputs must be an array of numbers, got \['a'\]"),
        ((0.5, [1], math.inf), "start must be a finite number, got inf"),
        ((0.5, [1], 0, "sigmoid"), "activation must be one of tanh, linear, got 'sigmoid'"),
    ],
)
def test_what_is_out_of_range_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        echo(*arguments)


def test_a_weight_beyond_float64_is_refused():
    with pytest.raises(ValueError, match="weight must be a number that fits float64"):
        echo(np.longdouble("1e4000"), [1.0])
