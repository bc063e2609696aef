import warnings

import mpmath
import numpy as np
import pytest

from core.activations import (
    ACTIVATIONS,
    get_activation,
    log_sum_exp,
    relu_slope,
    sigmoid,
    softmax,
    tanh_slope,
)

POINTS = np.array([-700.0, -40.0, -19.5, -3.0, -0.5, 0.0, 1e-9, 0.5, 3.0, 19.5, 40.0, 350.0])
EXACT = {
    "tanh": (mpmath.tanh, lambda a: 1 / mpmath.cosh(a) ** 2),
    "sigmoid": (
        lambda a: 1 / (1 + mpmath.exp(-a)),
        lambda a: mpmath.exp(-a) / (1 + mpmath.exp(-a)) ** 2,
    ),
    "relu": (lambda a: max(a, 0), lambda a: 1 if a > 0 else 0),
    "linear": (lambda a: a, lambda a: 1),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_values_and_slopes_keep_full_precision_also_where_saturated(name):
    value, slope = EXACT[name]
    points = POINTS if name != "tanh" else POINTS[1:]
    with mpmath.workdps(700):
        values = [float(value(mpmath.mpf(a))) for a in points.tolist()]
        slopes = [float(slope(mpmath.mpf(a))) for a in points.tolist()]
    np.testing.assert_allclose(ACTIVATIONS[name].value(points), values, rtol=1e-14)
    np.testing.assert_allclose(ACTIVATIONS[name].slope(points), slopes, rtol=1e-14)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_slope_is_the_central_difference_and_at_most_gamma(name):
    phi = ACTIVATIONS[name]
    a = np.linspace(-4, 4, 50)
    difference = (phi.value(a + 1e-6) - phi.value(a - 1e-6)) / 2e-6
    np.testing.assert_allclose(phi.slope(a), difference, atol=1e-9)
    assert phi.slope(np.linspace(-4, 4, 801)).max() == pytest.approx(phi.slope_bound, abs=1e-12)


def test_infinities_are_exact_and_nothing_warns():
    ends = np.array([-np.inf, np.inf])
    with warnings.catch_warnings(), np.errstate(over="raise", divide="raise", invalid="raise"):
        warnings.simplefilter("error")
        np.testing.assert_array_equal(sigmoid(ends), [0, 1])
        for name in ("tanh", "sigmoid"):
            np.testing.assert_array_equal(ACTIVATIONS[name].slope(ends), [0, 0])
        np.testing.assert_array_equal(ACTIVATIONS["relu"].slope(ends), [0, 1])
        sigmoid(np.array([-1e308, -746.0, 746.0, 1e308]))


def test_slope_of_relu_at_zero_is_zero():
    assert relu_slope(np.array([0.0, -0.0])).tolist() == [0, 0]


def test_slope_does_not_vanish_when_the_output_has_rounded_to_one():
    assert np.tanh(20.0) == 1.0
    assert tanh_slope(np.array(20.0)) == pytest.approx(4 * np.exp(-40), rel=1e-14)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_float32_stays_float32_and_nan_passes_through(name):
    phi = ACTIVATIONS[name]
    assert phi.value(np.ones(3, np.float32)).dtype == np.float32
    assert phi.slope(np.ones(3, np.float32)).dtype == np.float32
    assert np.isnan(phi.value(np.array([np.nan]))).all()


def test_unknown_activation_is_refused_with_the_valid_names():
    with pytest.raises(ValueError, match="activation must be one of tanh, sigmoid, relu, linear, got 'elu'"):
        get_activation("elu")


def test_tanh_slope_survives_the_largest_numbers():
    with np.errstate(all="raise", under="ignore"):
        assert tanh_slope(np.array([-1e308, 1e308])).tolist() == [0, 0]


LOGITS = np.array([[-700.0, 3.0, 2.5], [1e4, 1e4 - 2, -1e4], [-1e5, -1e5 + 1, -1e5 + 0.5]])


def test_softmax_and_log_sum_exp_keep_full_precision_far_from_zero():
    with mpmath.workdps(60):
        for row in LOGITS:
            terms = [mpmath.exp(mpmath.mpf(a)) for a in row.tolist()]
            np.testing.assert_allclose(softmax(row), [float(t / sum(terms)) for t in terms], rtol=1e-14)
            assert log_sum_exp(row) == pytest.approx(float(mpmath.log(sum(terms))), rel=1e-14)


def test_softmax_and_log_sum_exp_work_along_any_axis_and_keep_the_type():
    np.testing.assert_allclose(softmax(LOGITS.T, axis=0), softmax(LOGITS).T, rtol=1e-15)
    np.testing.assert_allclose(log_sum_exp(LOGITS.T, axis=0), log_sum_exp(LOGITS), rtol=1e-15)
    np.testing.assert_allclose(softmax(LOGITS).sum(axis=1), 1, rtol=1e-15)
    for function in (softmax, log_sum_exp):
        assert function(np.ones(3, np.float32)).dtype == np.float32


def test_softmax_and_log_sum_exp_are_exact_at_the_ends_and_never_warn():
    with np.errstate(all="raise", under="ignore"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert softmax(np.array([-np.inf, 0.0, 0.0])).tolist() == [0, 0.5, 0.5]
        assert softmax(np.array([np.inf, 3.0, np.inf])).tolist() == [0.5, 0, 0.5]
        assert softmax(np.array([-np.inf, -np.inf])).tolist() == [0.5, 0.5]
        assert softmax(np.array([1e308, -1e308])).tolist() == [1, 0]
        assert log_sum_exp(np.array([-np.inf, -np.inf])) == -np.inf
        assert log_sum_exp(np.array([np.inf, 0.0])) == np.inf
        assert log_sum_exp(np.array([1e308, -1e308])) == 1e308
        assert np.isnan(log_sum_exp(np.array([np.nan, 0.0])))
        assert np.isnan(softmax(np.array([np.nan, 0.0]))).all()


ODD = ["text", None, 1j, b"x", {}, [None], [[1.0], [1.0, 2.0]], np.array([1 + 1j]), np.array(["1"]), object()]


@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_array_of_numbers_is_refused(odd):
    functions = [phi.value for phi in ACTIVATIONS.values()] + [phi.slope for phi in ACTIVATIONS.values()]
    for function in (*functions, softmax, log_sum_exp):
        with pytest.raises(ValueError, match=r"^a must be an array of numbers, got "):
            function(odd)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_whole_numbers_are_taken_as_floats(name):
    phi = ACTIVATIONS[name]
    for function in (phi.value, phi.slope):
        found = function(np.array([-2, 0, 3], dtype=np.int8))
        np.testing.assert_array_equal(found, function(np.array([-2.0, 0.0, 3.0])))
        assert found.dtype == np.float64
        assert function([[1, True]]).shape == (1, 2)


@pytest.mark.parametrize("function", [softmax, log_sum_exp])
def test_an_axis_that_is_not_there_is_refused(function):
    for axis in (2, -3, "rows", 0.0, None, True):
        with pytest.raises(ValueError, match=f"^axis must be an integer from -2 to 1, got {axis!r}"):
            function(np.ones((2, 3)), axis)
    with pytest.raises(ValueError, match=r"^a must have at least one axis, got "):
        function(1.0)
    with pytest.raises(ValueError, match=r"^a must have at least one entry along axis -1, got .* \(2, 0\)"):
        function(np.ones((2, 0)))
