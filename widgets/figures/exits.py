"""Where curves leave the window: a marker at the very place, and the value at the curve's end beside it."""

from collections.abc import Sequence

import numpy as np
from bokeh.models import CategoricalColorMapper, ColumnDataSource, Text
from bokeh.plotting import figure

from widgets.base.numbers import from_log10
from widgets.figures.palette import ROLES, shade
from widgets.figures.style import TEXT_SIZE, draw

_COLUMNS = ("x", "y", "marker", "inward", "text", "role", "shift", "aside", "align")
_STEP = 22
"""Pixels between labels that would stand on each other."""
_INWARD, _ASIDE = 9, 10
"""Pixels from the edge to the middle of a marker, and from there to its label."""
_LABEL_SHARE = 0.2
"""About the share of the width that a label takes."""
_MARKER_SHARE = 0.01
"""The same of half a marker."""

Exit = tuple[float, bool, float, str]
"""x of the crossing, whether at the top, log10 of the value at the curve's end, the curve's role."""


def add_exits(plot: figure) -> ColumnDataSource:
    """Draw markers and labels from a source that `columns` fills."""
    source = ColumnDataSource({name: [] for name in _COLUMNS})
    mapper = CategoricalColorMapper(factors=list(ROLES), palette=[shade(role) for role in ROLES])
    looks = {"text_baseline": "middle", "text_font_size": TEXT_SIZE}
    marker = Text(text="marker", y_offset="inward", text_align="center", **looks)
    label = Text(
        text="text", x_offset="aside", y_offset="shift", text_align="align", background_fill_color="white",
        background_fill_alpha=0.75, **looks,
    )  # fmt: skip
    for glyph in (label, marker):
        draw(plot, source, glyph, "*").level = "annotation"
        glyph.text_color = {"field": "role", "transform": mapper}
    return source


def columns(exits: Sequence[Exit], span: tuple[float, float], window: tuple[float, float]) -> dict[str, list]:
    """The source of markers and labels; `span` is the range of x. Exits that are alike share one."""
    found = {name: [] for name in _COLUMNS}
    for at_top in (False, True):
        alike = sorted({end for end in exits if end[1] == at_top}, key=lambda end: (end[0], end[3]))
        places = [_label_span((end[0] - span[0]) / ((span[1] - span[0]) or 1)) for end in alike]
        side = 1 if at_top else -1
        for (x, _, value, role), (low, high), level in zip(alike, places, _levels(places), strict=True):
            to_the_right = high - low > 0
            found["x"].append(x)
            found["y"].append(window[at_top])
            found["marker"].append("▲" if at_top else "▼")
            found["inward"].append(side * _INWARD)
            found["text"].append(from_log10(value))
            found["role"].append(role)
            found["shift"].append(side * (_INWARD + level * _STEP))
            found["aside"].append(_ASIDE if to_the_right else -_ASIDE)
            found["align"].append("left" if to_the_right else "right")
    return found


def exits(x: np.ndarray, y: np.ndarray, window: tuple[float, float], role: str) -> list[Exit]:
    """The exits of one curve: one for each of its ends that lies outside."""
    finite = np.flatnonzero(np.isfinite(y))
    if not finite.size:
        return []
    inside = finite[(y[finite] >= window[0]) & (y[finite] <= window[1])]
    ends = [finite[0], finite[-1]] if inside.size else [finite[-1]]
    nearest = (inside[0], inside[-1]) if inside.size else (finite[-1],)
    return [
        (_crossing(x, y, near, end, window), bool(y[end] > window[1]), float(y[end]), role)
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


def _label_span(share: float) -> tuple[float, float]:
    """From where to where a label reaches: to the right of its marker, or to the left where the frame is near."""
    return (share, share + _LABEL_SHARE) if share < 1 - _LABEL_SHARE else (share, share - _LABEL_SHARE)


def _levels(places: Sequence[tuple[float, float]]) -> list[int]:
    """For each label the lowest level at which it stands on none of those before it, nor on another's marker.

    A place begins at its marker; the markers stand on the lowest level.
    """
    levels: list[int] = []
    for n, place in enumerate(places):
        low, high = sorted(place)
        taken = {
            level
            for level, other in zip(levels, places[:n], strict=True)
            if low < max(other) and high > min(other)
        }
        markers = [marker for m, (marker, _) in enumerate(places) if m != n]
        if any(low - _MARKER_SHARE < marker < high + _MARKER_SHARE for marker in markers):
            taken.add(0)
        levels.append(next(level for level in range(n + 2) if level not in taken))
    return levels
