"""Where curves leave the window: a marker at the very place, and beside it where the curve ends, with what value."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from bokeh.models import CategoricalColorMapper, ColumnDataSource, CustomJSTransform, Text
from bokeh.plotting import figure

from widgets.base.numbers import from_log10, number
from widgets.figures.palette import ROLES, shade
from widgets.figures.style import TEXT_SIZE, draw

_COLUMNS = ("x", "y", "marker", "inward", "text", "role", "shift", "aside", "align")
_STEP = 22
"""Pixels between labels that would stand on each other."""
_INWARD, _ASIDE = 9, 10
"""Pixels from the edge to the middle of a marker, and from there to its label."""
_CHARACTER_SHARE = 0.01
"""About the share of the width that one character of a label takes, in a figure as wide as the page allows."""
_MARKER_SHARE = 0.01
"""The same of half a marker."""
_NEAR = 0.02
"""The share of the width within which exits of one kind are one, and a curve ends where it leaves."""


_NARROW_JS = 'return innerWidth <= 760 ? xs.map((text) => text.split(": ").at(-1)) : xs'
"""On a phone there is room for the value alone."""


class Exit(NamedTuple):
    """Where one curve leaves the window."""

    x: float
    at_top: bool
    end: float
    """x of the curve's end."""
    value: float
    """log10 of the value there."""
    role: str


def add_exits(plot: figure) -> ColumnDataSource:
    """Draw markers and labels from a source that `columns` fills."""
    source = ColumnDataSource({name: [] for name in _COLUMNS})
    mapper = CategoricalColorMapper(factors=list(ROLES), palette=[shade(role) for role in ROLES])
    looks = {"text_baseline": "middle", "text_font_size": TEXT_SIZE}
    marker = Text(text="marker", y_offset="inward", text_align="center", **looks)
    label = Text(
        text={"field": "text", "transform": CustomJSTransform(v_func=_NARROW_JS)}, x_offset="aside",
        y_offset="shift", text_align="align", background_fill_color="white",
        background_fill_alpha=0.6, **looks,
    )  # fmt: skip
    for glyph in (label, marker):
        draw(plot, source, glyph, "*").level = "annotation"
        glyph.text_color = {"field": "role", "transform": mapper}
    return source


def columns(
    exits: Sequence[Exit],
    span: tuple[float, float],
    window: tuple[float, float],
    name: str,
    width_share: float = 1.0,
    write_x: Callable[[float], str] = number,
) -> dict[str, list]:
    """The source of markers and labels; `span` is the range of x, `name` what x is called, `write_x` how it is said.

    Exits that are alike share one. A figure beside another has a smaller `width_share`.
    """
    found = {name: [] for name in _COLUMNS}
    width = (span[1] - span[0]) or 1
    for at_top in (False, True):
        alike = _merged([end for end in exits if end.at_top == at_top], width)
        texts = [_label(end, width, name, write_x) for end in alike]
        shares = [(end.x - span[0]) / width for end in alike]
        side = 1 if at_top else -1
        places = _places(shares, [_CHARACTER_SHARE / width_share * len(text) for text in texts])
        for end, text, (direction, level) in zip(alike, texts, places, strict=True):
            found["x"].append(end.x)
            found["y"].append(window[at_top])
            found["marker"].append("▲" if at_top else "▼")
            found["inward"].append(side * _INWARD)
            found["text"].append(text)
            found["role"].append(end.role)
            found["shift"].append(side * (_INWARD + level * _STEP))
            found["aside"].append(direction * _ASIDE)
            found["align"].append("left" if direction > 0 else "right")
    return found


def _merged(exits: Sequence[Exit], width: float) -> list[Exit]:
    """The exits from left to right, without those that would read as one before them, and stand upon it."""
    kept: list[Exit] = []
    for end in sorted(exits, key=lambda end: (end.x, end.role, end.value)):
        if not any(
            (other.role, from_log10(other.value)) == (end.role, from_log10(end.value))
            and end.x - other.x < _NEAR * width
            for other in kept
        ):
            kept.append(end)
    return kept


def _label(end: Exit, width: float, name: str, write_x: Callable[[float], str]) -> str:
    """The value at the curve's end, and where that is unless it is here."""
    value = from_log10(end.value)
    return value if abs(end.end - end.x) < _NEAR * width else f"{name} = {write_x(end.end)}: {value}"


def exits(x: np.ndarray, y: np.ndarray, window: tuple[float, float], role: str) -> list[Exit]:
    """The exits of one curve: one for each of its ends that lies outside."""
    finite = np.flatnonzero(np.isfinite(y))
    if not finite.size:
        return []
    inside = finite[(y[finite] >= window[0]) & (y[finite] <= window[1])]
    ends = [finite[0], finite[-1]] if inside.size else [finite[-1]]
    nearest = (inside[0], inside[-1]) if inside.size else (finite[-1],)
    return [
        Exit(_crossing(x, y, near, end, window), bool(y[end] > window[1]), float(x[end]), float(y[end]), role)
        for end, near in zip(ends, nearest, strict=True)
        if not window[0] <= y[end] <= window[1]
    ]


def _crossing(x: np.ndarray, y: np.ndarray, near: int, end: int, window: tuple[float, float]) -> float:
    """Where the line from the last point inside to the next one meets the edge."""
    edge = window[1] if y[end] > window[1] else window[0]
    outer = near + np.sign(end - near)
    step = y[outer] - y[near]
    share = (edge - y[near]) / step if np.isfinite(step) and step else 0.0
    return float(x[near] + share * (x[outer] - x[near]))


def _places(shares: Sequence[float], widths: Sequence[float]) -> list[tuple[int, int]]:
    """For each label the side of its marker, 1 or −1, that it stands on, and its level: beside the marker if it can."""
    taken: list[tuple[int, float, float]] = []
    places = []
    for n, (share, width) in enumerate(zip(shares, widths, strict=True)):
        markers = [marker for m, marker in enumerate(shares) if m != n]
        sides = [side for side in (1, -1) if 0 <= share + side * width <= 1] or [1 if share < 0.5 else -1]
        side, level = next(
            (side, level)
            for level in range(len(shares) + 1)
            for side in sides
            if _is_free(level, *sorted((share, share + side * width)), taken, markers)
        )
        taken.append((level, *sorted((share, share + side * width))))
        places.append((side, level))
    return places


def _is_free(
    level: int,
    low: float,
    high: float,
    taken: Sequence[tuple[int, float, float]],
    markers: Sequence[float],
) -> bool:
    """Whether a label may stand here: on no label before it, and on the lowest level, that of the markers, on none."""
    if any(at == level and low < end and high > start for at, start, end in taken):
        return False
    return level > 0 or not any(low - _MARKER_SHARE < marker < high + _MARKER_SHARE for marker in markers)
