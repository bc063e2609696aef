"""The policy of logarithmic axes: a fixed window, gaps for true zeros, arrows for what leaves the window.

Curves are drawn as decimal logarithms on a linear axis whose ticks read as powers of ten, so that a value
which no float can hold (10⁻³²³ and below) has its place like any other. The window is set by the preset
and never by the data; only the visitor's "fit" moves it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from bokeh.models import (
    BasicTicker,
    CategoricalColorMapper,
    ColumnDataSource,
    CustomJSHover,
    CustomJSTickFormatter,
    Line,
    NoOverlap,
    Range1d,
    Text,
)
from bokeh.plotting import figure

from widgets.axis import Axis
from widgets.figures import TEXT_SIZE, draw
from widgets.frame import Columns
from widgets.numbers import from_log10
from widgets.palette import ROLES, shade

_SUPERSCRIPT_JS = """
const power = (n) => "10" + String(n).replace(/[-0-9]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
"""
_TICK_JS = _SUPERSCRIPT_JS + "return tick === 0 ? '1' : power(tick);"
HOVER_JS = (
    _SUPERSCRIPT_JS
    + """
if (Number.isNaN(value)) return "zero, or not finite";
if (Math.abs(value) > 300) return power(Math.round(value));
const plain = 10 ** value;
if (plain >= 1e-3 && plain < 999.5) return plain.toPrecision(3);
if (plain >= 1000 && plain < 1e5) return plain.toFixed(0);
const exponent = Math.floor(value);
return (10 ** (value - exponent)).toFixed(2) + "·" + power(exponent);
"""
)
"""Prints the number whose decimal logarithm is `value`."""
COINCIDE = 0.01
"""Curves closer than this many powers of ten are said to coincide."""
_END_COLUMNS = ("x", "y", "text", "role", "shift", "align")
_LABEL_STEP = 22
"""Pixels between labels that stand one above the other."""


@dataclass(frozen=True)
class Key:
    """One entry of a legend: a line in its role's colour, width and dash, or a marker instead."""

    label: str
    role: str
    width: float = 2.5
    dash: str = "solid"
    marker: str = ""


@dataclass(frozen=True)
class Curve:
    """One line on a logarithmic axis: the column with its logarithms, its label and its looks.

    A `pinned` one stays behind as a ghost when the visitor pins curves.
    """

    column: str
    label: str
    role: str
    width: float = 2.5
    dash: str = "solid"
    alpha: float = 1.0
    pinned: bool = True


@dataclass(frozen=True)
class LogAxis(Axis):
    """A logarithmic y axis, with the curves that obey the policy; `watched` are their columns."""

    x: str = ""
    curves: Sequence[Curve] = ()

    def go_home(self, preset_window: tuple[float, float]) -> None:
        """Back to the window of the preset."""
        self.set_window(preset_window)

    def fit(self, columns: Columns) -> None:
        """Move the window to the data, a whole power of ten around it; bounds never set it."""
        drawn = [np.asarray(columns[curve.column]) for curve in self.curves if curve.role != "bound"]
        values = np.concatenate(drawn)
        values = values[np.isfinite(values)]
        if values.size:
            self.set_window((math.floor(values.min()) - 1, math.ceil(values.max()) + 1))

    def mask(self, columns: Columns) -> Columns:
        """Every true zero and every non-finite value is left out, as a gap in the line."""
        shown = dict(columns)
        for name in self.watched:
            values = np.asarray(shown[name], dtype=float)
            shown[name] = np.where(np.isfinite(values), values, np.nan)
        return shown

    def arrows(self, columns: Columns) -> dict[str, list]:
        """Where curves leave the window: a marker at the edge and the value at the curve's end."""
        window = (self.figure.y_range.start, self.figure.y_range.end)
        # As a set, since curves that coincide share an arrow.
        rows = {
            (*end, curve.role)
            for curve in self.curves
            for end in _exits(np.asarray(columns[self.x]), np.asarray(columns[curve.column]), window)
        }
        rows = sorted(rows, key=lambda row: (row[1], row[0], row[3]))
        found = {name: [] for name in _END_COLUMNS}
        for rank, (x, at_top, value, role) in enumerate(rows):
            found["x"].append(x)
            found["y"].append(window[1] if at_top else window[0])
            found["text"].append(f"{'▲' if at_top else '▼'} {from_log10(value)}")
            found["role"].append(role)
            found["align"].append(_align(x, np.asarray(columns[self.x])))
            step = _LABEL_STEP * (rank - sum(not row[1] for row in rows) if at_top else rank)
            found["shift"].append(16 + step if at_top else -16 - step)
        return found


def _align(x: float, xs: np.ndarray) -> str:
    """Which side of a label stands at x, so that the frame does not cut it."""
    share = (x - xs[0]) / ((xs[-1] - xs[0]) or 1)
    return "left" if share < 0.25 else "right" if share > 0.75 else "center"


def _exits(x: np.ndarray, y: np.ndarray, window: tuple[float, float]):
    """(x of the crossing, whether at the top, value at the end) for each end that lies outside."""
    finite = np.flatnonzero(np.isfinite(y))
    if not finite.size:
        return
    inside = finite[(y[finite] >= window[0]) & (y[finite] <= window[1])]
    ends = [finite[0], finite[-1]] if inside.size else [finite[-1]]
    for end, nearest in zip(ends, (inside[0], inside[-1]) if inside.size else (finite[-1],), strict=True):
        if y[end] > window[1] or y[end] < window[0]:
            edge = window[1] if y[end] > window[1] else window[0]
            outer = nearest if nearest == end else nearest + np.sign(end - nearest)
            step = y[outer] - y[nearest]
            share = (edge - y[nearest]) / step if np.isfinite(step) and step else 0.0
            yield float(x[nearest] + share * (x[outer] - x[nearest])), bool(y[end] > window[1]), float(y[end])


def add_log_curves(
    plot: figure, source: ColumnDataSource, x: str, curves: Sequence[Curve], window: tuple[float, float]
) -> LogAxis:
    """Draw the curves on `plot` under the policy."""
    plot.y_range = Range1d(*window)
    plot.yaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=9, num_minor_ticks=0)
    plot.yaxis.formatter = CustomJSTickFormatter(code=_TICK_JS)
    plot.yaxis.major_label_policy = NoOverlap(min_distance=2)
    for curve in curves:
        line = Line(x=x, y=curve.column, line_width=curve.width, line_dash=curve.dash, line_alpha=curve.alpha)
        draw(plot, source, line, curve.role, curve.pinned)
    ends = ColumnDataSource({name: [] for name in _END_COLUMNS})
    text = Text(
        text="text", y_offset="shift", text_align="align", text_baseline="middle", text_font_size=TEXT_SIZE,
        background_fill_color="white", background_fill_alpha=1.0, padding=2,
    )  # fmt: skip
    draw(plot, ends, text, "*").level = "annotation"
    mapper = CategoricalColorMapper(factors=list(ROLES), palette=[shade(role) for role in ROLES])
    text.text_color = {"field": "role", "transform": mapper}
    watched = tuple(curve.column for curve in curves)
    return LogAxis(plot, source.name, watched, window, ends, x, tuple(curves))


def log_hover(curves: Sequence[Curve]) -> tuple[list[tuple[str, str]], dict[str, CustomJSHover]]:
    """Tooltips and formatters that print the curves' values, not their logarithms."""
    formatter = CustomJSHover(code=HOVER_JS)
    tooltips = [(curve.label, f"@{{{curve.column}}}{{custom}}") for curve in curves]
    return tooltips, {f"@{{{curve.column}}}": formatter for curve in curves}


def keys(curves: Sequence[Curve]) -> list[Key]:
    """The curves' legend."""
    return [Key(curve.label, curve.role, curve.width, curve.dash) for curve in curves]
