"""How a number is written on the screen: three significant digits, powers of ten as 10⁻¹³.

No line breaks between a number and what belongs to it: there stands a no-break space.
"""

import math

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LARGEST_COUNT = 10**9


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


def count(whole: int) -> str:
    """A count, to the last digit: `99,328`; three digits and a power of ten from 10⁹ on."""
    return f"{whole:,}" if whole < _LARGEST_COUNT else from_log10(math.log10(whole))


def from_log10(log10_value: float) -> str:
    """The number whose decimal logarithm is given, also where a float could not hold it.

    `-inf` is a true zero. Of an exponent of more than six digits only the first three are written, and no factor
    before it: `10^(−1.76·10³⁰)`.
    """
    if log10_value == -math.inf:
        return "0"
    if not math.isfinite(log10_value):
        return "not finite"
    if abs(log10_value) >= 1e6:
        return f"10^({number(log10_value)})"
    if abs(log10_value) > 300:
        return _beyond_floats(log10_value)
    return number(10.0**log10_value)


def _beyond_floats(log10_value: float) -> str:
    exponent = math.floor(log10_value)
    mantissa = f"{10 ** (log10_value - exponent):.2f}"
    if mantissa == "10.00":
        mantissa, exponent = "1.00", exponent + 1
    return f"{mantissa}·{power_of_ten(exponent)}"


def percent(fraction: float) -> str:
    """A fraction as a share: `0.00515` → `0.515 %`, and a power of ten where it is tiny."""
    return f"{number(100 * fraction)}\u00a0%"


def equals(name: str, value: object) -> str:
    """A letter and its value: `T = 100`."""
    return f"{name}\u00a0=\u00a0{value}"


def operand(value: float) -> str:
    """A number within a sum or product: seven digits, so that who reckons it again finds the result that is printed."""
    return rounded(value, 7)


def factor(value: float) -> str:
    """The same after a sign of its own: in parentheses if it is below 0."""
    written = operand(value)
    return f"({written})" if value < 0 else written


def result(value: float) -> str:
    """What a sum or product comes to: four digits."""
    return rounded(value, 4, padded=True)


def moved(before: float, after: float) -> str:
    """What a number became: `1.0997` after `1.1`, with the digits that tell the two apart, three to seven of them.

    Numbers that agree in seven digits are as good as equal.
    """
    if rounded(before, 3) != rounded(after, 3):
        return number(after)
    apart = (digits for digits in range(4, 8) if rounded(before, digits) != rounded(after, digits))
    return next((rounded(after, digits, padded=True) for digits in apart), number(after))


def rounded(value: float, digits: int, padded: bool = False) -> str:
    """A number with so many digits, and trailing zeros only if ``padded``.

    Below 0.001, and where it has more digits before the point, a power of ten stands after it: `2.5011·10⁻³¹`.
    """
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return "not finite"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    exponent = int(exponent)
    plain = -3 <= exponent < digits
    text = f"{value:.{digits - 1 - exponent}f}" if plain else mantissa
    if "." in text and not padded:
        text = text.rstrip("0").rstrip(".")
    power = "" if plain else f"·{power_of_ten(exponent)}"
    return f"{text}{power}".replace("-", "−")
