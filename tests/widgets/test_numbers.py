"""Numbers as people read them."""

import math

import pytest

from widgets.numbers import from_log10, number, percent


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.761594, "0.762"),
        (-0.5, "−0.500"),
        (1.9, "1.90"),
        (1.0, "1"),
        (0.0099999, "0.0100"),
        (0.000999, "9.99·10⁻⁴"),
        (3325.2567, "3325"),
        (117.391, "117"),
        (99.96, "100"),
        (999.7, "1000"),
        (123456.0, "1.23·10⁵"),
        (5.684e-14, "5.68·10⁻¹⁴"),
        (-4.67e-9, "−4.67·10⁻⁹"),
        (math.inf, "not finite"),
        (math.nan, "not finite"),
    ],
)
def test_three_significant_digits(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("log10_value", "text"),
    [
        (-math.inf, "0"),
        (math.inf, "not finite"),
        (-300.0, "1.00·10⁻³⁰⁰"),
        (-300.4, "10⁻³⁰⁰"),
        (299.9, "7.94·10²⁹⁹"),
        (-323.3, "10⁻³²³"),
        (400.0, "10⁴⁰⁰"),
        (0.0, "1"),
        (-13.2453, "5.68·10⁻¹⁴"),
    ],
)
def test_numbers_kept_as_logarithms(log10_value, text):
    assert from_log10(log10_value) == text


def test_shares():
    assert percent(0.00515378) == "0.515 %"
