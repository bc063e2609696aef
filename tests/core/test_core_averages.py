"""Readings of a loss, and a mean that trails behind."""

import math

import mpmath
import numpy as np
import pytest

from core.averages import bits, perplexity, trailing_mean


@pytest.mark.parametrize("nats", [0, 0.1, 1.0, 3.1, 7.25, 708.9])
def test_perplexity_and_bits_are_right(nats):
    assert perplexity(nats) == pytest.approx(float(mpmath.exp(nats)), rel=1e-14)
    assert bits(nats) == pytest.approx(float(mpmath.mpf(nats) / mpmath.log(2)), rel=1e-14)


def test_guessing_among_n_characters_has_perplexity_n():
    assert perplexity(math.log(22)) == pytest.approx(22)
    assert bits(math.log(256)) == pytest.approx(8)


def test_a_perplexity_beyond_float64_is_infinite():
    assert perplexity(1e4) == math.inf
    assert bits(1e4) == pytest.approx(14426.950408889634)


@pytest.mark.parametrize("reading", [perplexity, bits])
@pytest.mark.parametrize("nats", [-1e-9, math.inf, math.nan, "1", None, True])
def test_a_loss_is_finite_and_not_below_0(reading, nats):
    with pytest.raises(ValueError, match="nats must be"):
        reading(nats)


@pytest.mark.parametrize(
    ("window", "means"),
    [
        (1, [4, 2, 0, 6, 8]),
        (2, [4, 3, 1, 3, 7]),
        (3, [4, 3, 2, 8 / 3, 14 / 3]),
        (9, [4, 3, 2, 3, 4]),
        (10**12, [4, 3, 2, 3, 4]),
    ],
)
def test_each_mean_is_of_the_values_up_to_it(window, means):
    np.testing.assert_allclose(trailing_mean([4, 2, 0, 6, 8], window), means)


def test_a_value_that_is_not_finite_has_no_mean_and_belongs_to_none():
    found = trailing_mean([1.0, np.nan, 3.0, np.inf, 5.0], 2)
    np.testing.assert_array_equal(found, [1, np.nan, 2, np.nan, 4])
    np.testing.assert_array_equal(trailing_mean([np.nan], 2), [np.nan])


def test_of_nothing_there_is_no_mean():
    assert trailing_mean(np.zeros(0), 20).shape == (0,)


@pytest.mark.parametrize(
    ("values", "window", "name"), [([[1.0]], 2, "values"), (1.0, 2, "values"), ([1.0], 0, "window")]
)
def test_what_is_out_of_range_is_refused(values, window, name):
    with pytest.raises(ValueError, match=f"{name} must be"):
        trailing_mean(values, window)
