"""How a number is written on the screen: three significant digits, powers of ten as 10⁻¹³."""

import math

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(exponent: int) -> str:
    """`-13` → `10⁻¹³`."""
    return f"10{str(exponent).translate(_SUPERSCRIPTS)}"


def number(value: float) -> str:
    """Three significant digits: `0.762`, `1.90`, `3325`, `5.68·10⁻¹⁴`; whole numbers plain; `not finite`."""
    if not math.isfinite(value):
        return "not finite"
    mantissa, exponent = f"{value:.2e}".split("e")
    whole = abs(value) < 1e5 and abs(value - round(value)) <= 1e-9 * abs(value)
    if whole or 2 <= int(exponent) < 5:
        text = f"{value:.0f}"
    elif -3 <= int(exponent) < 2:
        text = f"{value:.{2 - int(exponent)}f}"
    else:
        text = f"{mantissa}·{power_of_ten(int(exponent))}"
    return text.replace("-", "−")


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


def operand(value: float) -> str:
    """A number within a sum or product: seven digits, so that who reckons it again finds the result that is printed."""
    return _digits(value, ".7g")


def factor(value: float) -> str:
    """The same after a sign of its own: in parentheses if it is below 0."""
    written = operand(value)
    return f"({written})" if value < 0 else written


def result(value: float) -> str:
    """What a sum or product comes to: four digits."""
    return _digits(value, "#.4g")


def _digits(value: float, form: str) -> str:
    if value == 0:
        return "0"
    if abs(value) >= 1e-3:
        return format(value, form).replace("-", "−")
    exponent = math.floor(math.log10(abs(value)))
    return f"{format(value / 10.0**exponent, form)}·{power_of_ten(exponent)}".replace("-", "−")
