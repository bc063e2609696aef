"""How a number is written on the screen: three significant digits, powers of ten as 10⁻¹³."""

import math

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(exponent: int) -> str:
    """`-13` → `10⁻¹³`."""
    return f"10{str(exponent).translate(_SUPERSCRIPTS)}"


def number(value: float) -> str:
    """Three significant digits: `0.762`, `3325`, `5.68·10⁻¹⁴`, `0`, `not finite`."""
    if not math.isfinite(value):
        return "not finite"
    if value == 0:
        return "0"
    if 1000 <= abs(value) < 1e5:
        return f"{value:.0f}".replace("-", "−")
    if 1e-3 <= abs(value) < 1000:
        digits = f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"
        return digits.replace("-", "−")
    mantissa, exponent = f"{value:.2e}".split("e")
    return f"{mantissa}·{power_of_ten(int(exponent))}".replace("-", "−")


def from_log10(log10_value: float) -> str:
    """The number whose decimal logarithm is given, also where a float could not hold it.

    `-inf` is a true zero; below 10⁻³⁰⁰ and above 10³⁰⁰ only the power of ten is written.
    """
    if log10_value == -math.inf:
        return "0"
    if not math.isfinite(log10_value):
        return "not finite"
    if abs(log10_value) > 300:
        return power_of_ten(round(log10_value))
    return number(10.0**log10_value)


def percent(fraction: float) -> str:
    """A fraction as a share: `0.00515` → `0.515 %`, and a power of ten where it is tiny."""
    return f"{number(100 * fraction)} %"
