"""Numbers as people read them."""

import math

import pytest

from widgets.base.numbers import count, equals, from_log10, moved, number, percent, rounded


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
        (-300.4, "3.98·10⁻³⁰¹"),
        (300.3010299956639812, "2.00·10³⁰⁰"),
        (-349.4850021680094, "3.27·10⁻³⁵⁰"),  # 0.2^500
        (-349.0000001, "1.00·10⁻³⁴⁹"),
        (299.9, "7.94·10²⁹⁹"),
        (-323.3, "5.01·10⁻³²⁴"),
        (400.0, "1.00·10⁴⁰⁰"),
        (-999999.0, "1.00·10⁻⁹⁹⁹⁹⁹⁹"),
        (-1.7615e30, "10^(−1.76·10³⁰)"),
        (2.5e6, "10^(2.50·10⁶)"),
        (0.0, "1"),
        (-13.2453, "5.68·10⁻¹⁴"),
    ],
)
def test_numbers_kept_as_logarithms(log10_value, text):
    assert from_log10(log10_value) == text


@pytest.mark.parametrize(
    ("value", "digits", "padded", "text"),
    [
        (-2.50112e-31, 5, False, "−2.5011·10⁻³¹"),
        (0.557987, 5, False, "0.55799"),
        (0.558, 5, False, "0.558"),
        (0.5, 4, True, "0.5000"),
        (0.00099999999, 4, False, "0.001"),
        (99999.6, 5, False, "1·10⁵"),
        (-1234567.0, 4, True, "−1.235·10⁶"),
        (1234.4, 4, True, "1234"),
        (5e-324, 3, False, "4.94·10⁻³²⁴"),
        (0.0, 5, True, "0"),
        (math.inf, 5, True, "not finite"),
    ],
)
def test_so_many_digits(value, digits, padded, text):
    assert rounded(value, digits, padded) == text


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (1.1, 1.0997, "1.0997"),
        (0.5, 0.51, "0.510"),
        (1.0, 0.99996, "0.99996"),
        (7.230559, 7.230559 - 1.5e-9, "7.23"),
        (0.558, 29.8335, "29.8"),
        (1.0, 1.0, "1"),
    ],
)
def test_a_number_that_moved_has_the_digits_that_show_it(before, after, text):
    assert moved(before, after) == text


def test_no_line_breaks_between_a_letter_and_its_value():
    assert equals("T", 100) == "T\u00a0=\u00a0100"


def test_shares():
    assert percent(0.00515378) == "0.515\u00a0%"


@pytest.mark.parametrize(
    ("whole", "text"),
    [
        (0, "0"),
        (396, "396"),
        (99_328, "99,328"),
        (999_999_999, "999,999,999"),
        (10**9, "1.00·10⁹"),
        (10**400, "1.00·10⁴⁰⁰"),
    ],
)
def test_a_count_is_exact_as_long_as_it_can_be_read(whole, text):
    assert count(whole) == text
