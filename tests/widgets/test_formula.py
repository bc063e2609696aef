"""Formulas in our own texts."""

import pytest

from widgets.base.formula import formula_html, literal


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("h_t", "h<sub>t</sub>"),
        ("h_{t−1}", "h<sub>t−1</sub>"),
        ("γσ_max", "γσ<sub>max</sub>"),
        ("ρ^k", "ρ<sup>k</sup>"),
        ("|w|^(T−t)", "|w|<sup>T−t</sup>"),
        ("∂h_T/∂x_t", "∂h<sub>T</sub>/∂x<sub>t</sub>"),
        ("1 − h_t²", "1 − h<sub>t</sub>²"),
        ("no formula", "no formula"),
    ],
)
def test_scripts(text, html):
    assert formula_html(text) == html


def test_a_visitors_text_is_no_formula():
    assert formula_html(literal("snake_case x^2")).replace("\u2060", "") == "snake_case x^2"
