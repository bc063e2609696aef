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
    ColumnDataSource,
    CustomJSTickFormatter,
    FixedTicker,
    Line,
    NoOverlap,
    Range1d,
)
from bokeh.plotting import figure

from widgets.base.frame import Columns, Preset
from widgets.base.numbers import count, from_log10
from widgets.figures.axis import Axis
from widgets.figures.hover import SUPERSCRIPT_JS, Row, log_row
from widgets.figures.marks import add_marks
from widgets.figures.style import draw

_TICK_JS = SUPERSCRIPT_JS + "return tick === 0 ? '1' : power(tick);"
HALF = 0.45
"""What of the page's width a figure has that stands beside another."""
_ROOM = 0.015
"""Share of a logarithmic x axis beyond its ends, so that a marker there is whole."""
COINCIDE = 0.01
"""Curves closer than this many powers of ten are said to coincide."""


@dataclass(frozen=True)
class Key:
    """One entry of a legend: a line in its role's colour, width and dash, or a marker instead.

    One with a `column`, of `source` or of the figure's axis, is left out while the column holds no number.
    """

    label: str
    role: str
    width: float = 2.5
    dash: str = "solid"
    marker: str = ""
    alpha: float = 1.0
    column: str = ""
    source: str = ""


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

    curves: Sequence[Curve] = ()
    spared: float = 0.0
    """Share of the values that "fit" leaves below the window, where a curve dips to a zero on its way."""

    own_window: bool = False
    """Whether its fixed window is its own, whatever the preset's."""

    def go_home(self, preset: Preset) -> None:
        """Back to the window of the preset, or to its own."""
        self.set_window(self.home if self.own_window else preset.window)

    def fit(self, columns: Columns) -> None:
        """Move the window to the data, a whole power of ten around it; bounds never set it."""
        drawn = [np.asarray(columns[curve.column]) for curve in self.curves if curve.role != "bound"]
        values = np.concatenate(drawn)
        values = values[np.isfinite(values)]
        if values.size:
            self.set_window((math.floor(np.quantile(values, self.spared)) - 1, math.ceil(values.max()) + 1))

    def mask(self, columns: Columns) -> Columns:
        """Every true zero and every non-finite value is left out, as a gap in the line."""
        shown = dict(columns)
        for name in self.watched:
            values = np.asarray(shown[name], dtype=float)
            shown[name] = np.where(np.isfinite(values), values, np.nan)
        return shown


def add_log_curves(
    plot: figure,
    source: ColumnDataSource,
    x: str,
    curves: Sequence[Curve],
    window: tuple[float, float],
    spared: float = 0.0,
    **marking,
) -> LogAxis:
    """Draw the curves on `plot` under the policy; `marking` says more of its `Marks`."""
    plot.y_range = Range1d(*window)
    plot.yaxis.ticker = BasicTicker(min_interval=1, desired_num_ticks=9, num_minor_ticks=0)
    plot.yaxis.formatter = CustomJSTickFormatter(code=_TICK_JS)
    plot.yaxis.major_label_policy = NoOverlap(min_distance=2)
    for curve in curves:
        line = Line(x=x, y=curve.column, line_width=curve.width, line_dash=curve.dash, line_alpha=curve.alpha)
        draw(plot, source, line, curve.role, curve.pinned)
    roles = {curve.column: curve.role for curve in curves}
    marks = add_marks(plot, x, roles, write=from_log10, **marking)
    return LogAxis(plot, source.name, tuple(roles), window, marks, tuple(curves), spared)


def make_x_logarithmic(plot: figure, marks: Sequence[int]) -> None:
    """Let x hold decimal logarithms, from the first of the marked numbers to the last and a little beyond."""
    ticks = {math.log10(mark): count(mark) for mark in marks}
    room = _ROOM * (max(ticks) - min(ticks))
    plot.x_range = Range1d(min(ticks) - room, max(ticks) + room)
    plot.xaxis.ticker = FixedTicker(ticks=list(ticks))
    plot.xaxis.major_label_overrides = ticks


def log_rows(curves: Sequence[Curve]) -> list[Row]:
    """The curves' values under the pointer."""
    return [log_row(curve.label, curve.column) for curve in curves]


def keys(curves: Sequence[Curve]) -> list[Key]:
    """The curves' legend."""
    return [Key(curve.label, curve.role, curve.width, curve.dash, column=curve.column) for curve in curves]
