import mpmath
import numpy as np
import pytest

from core.products import log10_magnitude, matrix_product_norms, power_of_ten, scalar_products


def exact_norm(matrix):
    return mpmath.svd_r(matrix, compute_uv=False)[0]


@pytest.mark.parametrize(("factor", "first"), [(0.5, 1075), (0.9, 7073)])
def test_small_powers_reach_zero_where_the_true_power_does_and_the_logarithm_goes_on(factor, first):
    powers = scalar_products(np.full(8000, factor))
    with mpmath.workdps(30):
        assert mpmath.mpf(factor) ** first <= mpmath.mpf(2) ** -1075 < mpmath.mpf(factor) ** (first - 1)
    assert powers.values[first - 2] > 0
    assert powers.values[first - 1] == 0
    np.testing.assert_allclose(powers.log10, np.arange(1, 8001) * np.log10(factor), rtol=1e-12)


def test_a_plain_running_product_would_have_stuck():
    assert np.cumprod(np.full(8000, 0.9))[-1] == 2.5e-323


@pytest.mark.parametrize(("factor", "first"), [(1.1, 7448), (1.5, 1751)])
def test_large_powers_become_infinite_where_they_must_and_the_logarithm_goes_on(factor, first):
    with np.errstate(all="raise"):
        powers = scalar_products(np.full(8000, factor))
    assert np.isfinite(powers.values[first - 2])
    assert np.isinf(powers.values[first - 1])
    np.testing.assert_allclose(powers.log10, np.arange(1, 8001) * np.log10(factor), rtol=1e-12)


def test_a_product_comes_back_from_beyond_the_range_with_its_sign():
    products = scalar_products(np.array([1e-300, -1e-300, 5e-324, 1e300, 1e300, 1e300, 2.0]))
    assert products.values[2] == 0
    assert products.values[-1] == pytest.approx(-2e300 * 5e-324, rel=1e-13)
    assert products.log10[2] == pytest.approx(-600 + np.log10(5e-324), rel=1e-13)


def test_a_true_zero_is_minus_infinity_and_stays():
    products = scalar_products(np.array([2.0, 0.0, 3.0]))
    assert products.values.tolist() == [2, 0, 0]
    assert products.log10[1:].tolist() == [-np.inf, -np.inf]


def test_matrix_norms_agree_with_mpmath_far_beyond_the_range():
    factors = np.random.default_rng(3).standard_normal((60, 4, 4)) * 1e-9
    got = matrix_product_norms(factors)
    with mpmath.workdps(60):
        product = mpmath.eye(4)
        for n, factor in enumerate(factors):
            product *= mpmath.matrix(factor.tolist())
            norm = exact_norm(product)
            assert got.log10[n] == pytest.approx(float(mpmath.log10(norm)), abs=1e-11)
            if norm > 1e-300:
                assert got.values[n] == pytest.approx(float(norm), rel=1e-12)
    assert got.log10[-1] < -450
    assert got.values[-1] == 0


def test_matrix_norms_grow_past_the_range_without_a_warning():
    factors = np.broadcast_to(1e10 * np.eye(3), (40, 3, 3))
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        got = matrix_product_norms(factors)
    np.testing.assert_allclose(got.log10, 10 * np.arange(1, 41), rtol=1e-13)
    assert np.isinf(got.values[-1])


def test_order_of_the_factors_is_left_to_right():
    a, b = np.array([[[0.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]])
    assert matrix_product_norms(np.array([a, b])).values.tolist() == [1, 1]
    assert matrix_product_norms(np.array([b, a])).values.tolist() == [1, 0]


def test_a_matrix_that_is_not_finite_spoils_its_own_product_and_later_ones_only():
    factors = np.stack([np.eye(2), np.full((2, 2), np.nan), np.eye(2)])
    got = matrix_product_norms(factors)
    assert got.values[0] == 1
    assert np.isnan(got.values[1:]).all()
    assert np.isnan(got.log10[1:]).all()


def test_logarithms_and_powers_at_the_ends_do_not_warn():
    with np.errstate(over="raise", under="raise", divide="raise", invalid="raise"):
        assert power_of_ten(np.array([-400.0, 0.0, 400.0])).tolist() == [0, 1, np.inf]
        assert log10_magnitude(np.array([0.0, -100.0])).tolist() == [-np.inf, 2]


ODD = ["text", None, 1j, b"x", {}, [None], [[1.0], [1.0, 2.0]], np.array([1 + 1j]), np.array(["1"]), object()]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    ("function", "name"),
    [
        (scalar_products, "factors"),
        (matrix_product_norms, "factors"),
        (power_of_ten, "log10"),
        (log10_magnitude, "values"),
    ],
)
def test_what_is_no_array_of_numbers_is_refused(function, name, odd):
    with pytest.raises(ValueError, match=f"^{name} must be an array of numbers, got "):
        function(odd)


def test_factors_of_another_shape_are_refused():
    for factors in (2.0, [[1.0]]):
        with pytest.raises(ValueError, match=r"^factors must have shape \(T,\), got \("):
            scalar_products(factors)
    for factors in (2.0, [1.0], np.ones((3, 2, 4)), np.ones((0, 2, 2)), np.ones((3, 0, 0))):
        with pytest.raises(ValueError, match=r"^factors must have shape \(T, d, d\) with .*, got \("):
            matrix_product_norms(factors)
    assert scalar_products([]).values.shape == (0,)
