"""Colours: legible on their paper, and the same in the page's style sheet as in the figures."""

import pytest

from widgets.figures.palette import DARK_PAPER, LIGHT_PAPER, ROLES, colour_variables, shade


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_itself():
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("role", ROLES)
def test_every_role_is_legible_in_both_themes(role):
    light, dark = ROLES[role]
    assert contrast(light, LIGHT_PAPER) > 4.5
    assert contrast(dark, DARK_PAPER) > 4.5


def test_the_page_has_the_same_colours():
    css = colour_variables()
    assert all(f"--{role}: {shade}" in css for role, shades in ROLES.items() for shade in shades)


def test_a_role_that_is_not_in_the_palette_is_refused():
    with pytest.raises(ValueError, match="role must be one of tanh"):
        shade("mauve")
