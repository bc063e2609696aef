import math

import mpmath
import numpy as np
import pytest

from core.activations import ACTIVATIONS
from core.draws import draw_inputs, draw_start
from core.jacobians import jacobian_products
from core.matrices import KINDS, recurrent_matrix
from core.spectrum import recurrent_spectrum


def lab(kind, size, radius, activation="tanh", steps=100, input_scale=0.0, start=0.5, seed=0):
    """The run that the lab makes of its settings."""
    return jacobian_products(
        recurrent_matrix(kind, size, radius, seed),
        input_scale * draw_inputs(size, seed, steps),
        start * draw_start(size, seed),
        activation,
    )


def exact_log10_norms(Whh, inputs, start, activation):
    """The same definition in many-digit arithmetic: states forward, Jacobians from the last step back."""
    value, slope = {
        "tanh": (mpmath.tanh, lambda a: 1 / mpmath.cosh(a) ** 2),
        "sigmoid": (lambda a: 1 / (1 + mpmath.exp(-a)), lambda a: 1 / (2 + 2 * mpmath.cosh(a))),
        "relu": (lambda a: max(a, mpmath.mpf(0)), lambda a: mpmath.mpf(a > 0)),
        "linear": (lambda a: a, lambda a: mpmath.mpf(1)),
    }[activation]
    size = len(Whh)
    W = mpmath.matrix(Whh.tolist())
    h = mpmath.matrix([start.tolist()])
    jacobians = []
    for u in inputs:
        a = h * W + mpmath.matrix([u.tolist()])
        h = a.apply(value)
        jacobians.append(mpmath.diag([slope(x) for x in a]) * W.T)
    product, norms = mpmath.eye(size), []
    for jacobian in reversed(jacobians):
        product *= jacobian
        norms.append(float(mpmath.log10(mpmath.svd_r(product, compute_uv=False)[0])))
    return np.array(norms)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("kind", ["gaussian", "orthogonal", "shear"])
def test_norms_agree_with_many_digit_arithmetic_to_1e_10(kind, activation):
    size, steps = 4, 30
    W, u, h = (
        recurrent_matrix(kind, size, 0.9, 5),
        0.8 * draw_inputs(size, 5, steps),
        0.5 * draw_start(size, 5),
    )
    got = jacobian_products(W, u, h, activation)
    with mpmath.workdps(50):
        expected = exact_log10_norms(W, u, h, activation)
    np.testing.assert_allclose(got.log10_norms, expected, rtol=0, atol=4e-11)
    np.testing.assert_allclose(got.norms, 10**expected, rtol=1e-10)


def test_saturated_tanh_keeps_its_digits_where_one_minus_h_squared_loses_them():
    W, u, h = recurrent_matrix("gaussian", 3, 1.2, 1), 12 * draw_inputs(3, 1, 15), draw_start(3, 1)
    with mpmath.workdps(120):
        expected = exact_log10_norms(W, u, h, "tanh")
    assert expected[-1] < -40
    np.testing.assert_allclose(10 ** (jacobian_products(W, u, h).log10_norms - expected), 1, rtol=1e-10)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_norms_are_those_of_the_central_differences(activation):
    size, steps, step = 3, 6, 1e-6
    W, u, h = recurrent_matrix("gaussian", size, 1.1, 2), draw_inputs(size, 2, steps), draw_start(size, 2)
    run = jacobian_products(W, u, h, activation)

    def last(state, k):
        return jacobian_products(W, u[steps - k :], state, activation).states[-1]

    for k in range(1, steps + 1):
        state = h if k == steps else run.states[steps - k - 1]
        columns = [(last(state + e, k) - last(state - e, k)) / (2 * step) for e in step * np.eye(size)]
        assert run.norms[k - 1] == pytest.approx(np.linalg.norm(columns, 2), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1, 2, 5, 16])
def test_norms_stay_under_the_bound_and_linear_above_the_reference(kind, activation, size):
    for radius, seed, input_scale in ((0.1, 0, 0), (0.9, 1, 1), (1.0, 2, 0), (1.5, 3, 3)):
        run = lab(kind, size, radius, activation, 60, input_scale, seed=seed)
        assert (run.norms <= run.bound * (1 + 1e-9)).all()
        assert (run.log10_norms <= run.log10_bound + math.log10(1 + 1e-9)).all()
        assert (run.linear >= run.reference * (1 - 1e-9)).all()
        assert (run.log10_linear >= run.log10_reference + math.log10(1 - 1e-9)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_linear_activation_gives_the_linear_curve_whatever_the_inputs(kind):
    run = lab(kind, 8, 1.1, "linear", 80, input_scale=2)
    np.testing.assert_allclose(run.norms, run.linear, rtol=1e-10)
    assert (run.slopes == 1).all()


@pytest.mark.parametrize("radius", [0.9, 1.0, 1.1])
def test_linear_equals_the_reference_for_orthogonal_matrices(radius):
    run = lab("orthogonal", 32, radius)
    np.testing.assert_allclose(run.linear, run.reference, rtol=1e-11)
    np.testing.assert_allclose(run.reference, radius ** np.arange(1, 101), rtol=1e-11)


@pytest.mark.parametrize(
    ("radius", "linear", "tanh"), [(0.9, 0.00515, 1e-12), (1.0, 1, 1e-10), (1.1, 117.4, 1e-8)]
)
def test_table_at_fifty_steps(radius, linear, tanh):
    run = lab("orthogonal", 32, radius, input_scale=1)
    assert run.linear[49] == pytest.approx(linear, rel=1e-3)
    assert abs(run.log10_norms[49] - math.log10(tanh)) < 1


def test_tanh_caps_what_a_radius_above_one_would_make_grow():
    run = lab("orthogonal", 32, 1.1)
    assert run.linear[49] == pytest.approx(117.4, rel=1e-3)
    assert 2 < run.norms[49] < 4


def test_gaussian_bulge_starts_above_the_line_and_falls_beside_it():
    for seed in range(10):
        run = lab("gaussian", 32, 0.9, "linear", seed=seed)
        assert 1.3 < run.linear[0] / run.reference[0] < 2.2
        assert (run.linear > run.reference).all()
        assert run.linear[-1] / run.linear[-2] == pytest.approx(0.9, rel=0.1)


def test_identity_with_relu_neither_fades_nor_grows():
    np.testing.assert_allclose(lab("identity", 32, 1.0, "relu").norms, 1, rtol=1e-14)


def test_inputs_saturate_tanh_far_below_linear_even_above_one():
    run = lab("orthogonal", 32, 1.2, input_scale=3)
    assert run.log10_norms[49] < run.log10_linear[49] - 10
    assert run.slopes[10:].mean() < 0.4


def test_shear_peaks_at_nine_and_drops_below_one_at_fifty_five():
    run = lab("shear", 2, 0.9)
    assert run.linear.max() == pytest.approx(19.3787697629, abs=5e-11)
    assert run.linear.argmax() == 9 - 1
    assert np.flatnonzero(run.linear < 1)[0] == 55 - 1
    assert run.largest_singular_value == pytest.approx(5.1570660511, abs=5e-11)
    assert run.gain == run.largest_singular_value


def test_sigmoid_passes_on_at_most_a_quarter_a_step_and_far_below_float64():
    run = lab("orthogonal", 32, 0.1, "sigmoid", 200)
    assert run.gain == pytest.approx(0.025, rel=1e-13)
    assert run.log10_norms[-1] == pytest.approx(-320, abs=1)
    long = jacobian_products(
        recurrent_matrix("orthogonal", 4, 0.1, 0), np.zeros((400, 4)), np.zeros(4), "sigmoid"
    )
    assert long.norms[-1] == 0
    assert long.log10_norms[-1] == pytest.approx(400 * math.log10(0.025), abs=1.5)
    assert long.bound[-1] == 0
    assert long.log10_bound[-1] == pytest.approx(400 * math.log10(0.025), rel=1e-12)


def test_curves_beyond_the_top_of_float64_are_infinite_with_finite_logarithms():
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        run = jacobian_products(1.5 * np.eye(2), np.zeros((1800, 2)), np.zeros(2))
    for values, logs in (
        (run.norms, run.log10_norms),
        (run.linear, run.log10_linear),
        (run.reference, run.log10_reference),
        (run.bound, run.log10_bound),
    ):
        assert np.isfinite(values[1749])
        assert np.isinf(values[1750])
        np.testing.assert_allclose(logs, np.arange(1, 1801) * math.log10(1.5), rtol=1e-12)


def test_a_dead_relu_is_a_true_zero_from_its_step_on():
    inputs = np.array([[1.0], [-9.0], [1.0], [1.0]])
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        run = jacobian_products([[0.5]], inputs, [1.0], "relu")
    assert run.slopes.tolist() == [1, 0, 1, 1]
    assert run.norms.tolist() == [0.5, 0.25, 0, 0]
    assert run.log10_norms[2:].tolist() == [-math.inf, -math.inf]


def test_states_that_leave_float64_give_nan_for_relu_and_the_right_norms_for_linear():
    W, inputs = np.diag([1e200, -1e200]), np.zeros((4, 2))
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        relu = jacobian_products(W, inputs, [1.0, 1.0], "relu")
        linear = jacobian_products(W, inputs, [1.0, 1.0], "linear")
    assert np.isnan(relu.norms).any()
    np.testing.assert_allclose(linear.log10_norms, [200, 400, 600, 800])


def test_scalar_unit_does_as_its_echo():
    run = jacobian_products([[1.5]], np.zeros((20, 1)), [1.0])
    assert run.norms[19] == pytest.approx(4.67387e-9, rel=2e-6)
    assert run.norms[18] == pytest.approx(1.72429e-8, rel=2e-6)


def test_slopes_run_forward_in_time_and_row_vectors_multiply_from_the_left():
    W = np.array([[0.0, 2.0], [0.0, 0.0]])
    run = jacobian_products(W, [[0, 0], [3, 3]], [1.0, 0.0])
    np.testing.assert_allclose(run.states[0], [0, math.tanh(2)])
    np.testing.assert_allclose(
        run.slopes, [(1 + 1 / math.cosh(2) ** 2) / 2, 1 / math.cosh(3) ** 2], rtol=1e-14
    )
    assert run.norms[0] == pytest.approx(2 / math.cosh(3) ** 2, rel=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kept_spectrum_changes_nothing_but_the_time(kind):
    W, u, h = recurrent_matrix(kind, 6, 0.9, 1), draw_inputs(6, 1, 50), draw_start(6, 1)
    kept = jacobian_products(W, u, h, "tanh", recurrent_spectrum(kind, 6, 0.9, 1))
    direct = jacobian_products(W, u, h, "tanh")
    for name, value in vars(direct).items():
        np.testing.assert_allclose(getattr(kept, name), value, rtol=1e-10, err_msg=name)


OK = (np.eye(2), np.zeros((3, 2)), np.zeros(2))


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, np.ones((2, 3)), r"Whh must have shape \(d, d\) with d of at least 1, got \(2, 3\)"),
        (0, np.empty((0, 0)), r"Whh must have shape \(d, d\) with d of at least 1, got \(0, 0\)"),
        (0, [[math.nan, 0], [0, 1]], r"Whh must hold finite numbers only, got nan at index \(0, 0\)"),
        (1, np.zeros((3, 4)), r"inputs must have shape \(T, 2\) with T of at least 1, got \(3, 4\)"),
        (1, np.zeros((0, 2)), r"inputs must have shape \(T, 2\) with T of at least 1, got \(0, 2\)"),
        (1, [[0, math.inf]], r"inputs must hold finite numbers only, got inf at index \(0, 1\)"),
        (2, np.zeros(3), r"start must have shape \(2,\), got \(3,\)"),
        (2, [0, math.nan], r"start must hold finite numbers only, got nan at index \(1,\)"),
        (3, "step", "activation must be one of tanh, sigmoid, relu, linear, got 'step'"),
        (4, recurrent_spectrum("identity", 2, 1, 0, 2), "matrix_spectrum must hold .*, 3, got 2"),
        (
            4,
            recurrent_spectrum("identity", 3, 1, 0, 3),
            r"matrix_spectrum must be the Spectrum of a \(2, 2\)",
        ),
        (4, [1.0, 2.0], r"matrix_spectrum must be the Spectrum of a \(2, 2\)"),
    ],
)
def test_what_is_out_of_range_is_refused(place, value, message):
    arguments = [*OK, "tanh", None]
    jacobian_products(*arguments)
    arguments[place] = value
    with pytest.raises(ValueError, match=message):
        jacobian_products(*arguments)
