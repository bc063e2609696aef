"""The picture of the exercises lab: how far each of two mistakes is off, by the length of the sequence."""

from collections.abc import Mapping, Sequence

import numpy as np
from bokeh.models import ColumnDataSource, CustomJSTicker, Line, Range1d, Scatter
from bokeh.plotting import figure

from core.exercises.hiding import SEEN
from widgets.base.frame import Columns
from widgets.exercises.words import TITLES, Named
from widgets.figures.hover import Row, add_hover, log_row
from widgets.figures.log_axis import Curve, Key, add_log_curves, keys
from widgets.figures.plot import Plot
from widgets.figures.style import draw, draw_by_role, new_figure

_ROLES = {
    "rnn_forward": "tanh", "rnn_bptt": "tanh", "lstm_cell": "lstm", "lstm_cell_backward": "lstm", "gru_cell": "gru",
}  # fmt: skip
_LOOKS = ({"width": 4.0}, {"width": 3.0, "dash": "dashed"})
_CURVES = tuple(
    Curve(f"{exercise}_{n}", title, _ROLES[exercise], **look)
    for exercise, titles in TITLES.items()
    for n, (title, look) in enumerate(zip(titles, _LOOKS, strict=True))
)
_NO_TRACE = (("solid_unseen", "circle", "○", 0.0), ("dashed_unseen", "diamond", "◇", 0.05))
"""For each of the two mistakes the column of lengths without a trace, its mark, also in the legend, and its height."""
_EDGE = (-0.03, 1.0)
_TICKS_JS = """
const last = Math.floor(cb_data.end);
const step = [1, 2, 5, 10].find((step) => last / step <= 5) ?? 10;
return [1, ...Array.from({length: Math.floor(last / step)}, (_, n) => (n + 1) * step).filter((T) => T > 1)];
"""
_DESCRIPTION = "A gap, and an open mark below: no trace in the result drawn."
_SHARE = 0.7
"""Of the room beside the settings; the head of the file to be written stands under the picture."""


def columns(exercise: str, both: Named) -> Mapping[str, Columns]:
    """Decimal logarithms, −inf where nothing is off; the columns of other exercises hold nothing."""
    with np.errstate(divide="ignore"):
        off = [np.log10(deviation.off) for _, deviation in both]
    T = np.arange(1, len(off[0]) + 1)
    nothing = np.full(len(T), np.nan)
    shown = {curve.column: nothing for curve in _CURVES}
    shown |= {f"{exercise}_{n}": values for n, values in enumerate(off)}
    unseen = {
        column: np.where(deviation.off < SEEN, height, np.nan)
        for (column, _, _, height), (_, deviation) in zip(_NO_TRACE, both, strict=True)
    }
    role = {"role": [_ROLES[exercise]] * len(T)}
    return {
        "off": {"T": T, "whole": np.zeros(len(T)), "solid": off[0], "dashed": off[1]} | shown | unseen | role,
        "gone": _gone(exercise, both),
    }


def _gone(exercise: str, both: Named) -> Columns:
    """A number for each line that has no trace at any length, for its entry in the legend."""
    gone = {curve.column: np.array([np.nan]) for curve in _CURVES}
    lost = (np.all(deviation.off < SEEN) for _, deviation in both)
    return gone | {f"{exercise}_{n}": np.array([1.0]) for n, each in enumerate(lost) if each}


def plots(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Sequence[Plot]:
    source = sources["off"]
    plot = new_figure("T, length of the sequence", "relative error")
    log = add_log_curves(plot, source, "T", _CURVES, window)
    for curve in _CURVES:
        if curve.dash == "solid":
            draw(plot, source, Scatter(x="T", y=curve.column, size=7), curve.role)
    _add_lengths_without_trace(plot, source)
    plot.xaxis.ticker = CustomJSTicker(major_code=_TICKS_JS)
    whole = draw(plot, source, Line(x="T", y="whole", line_width=1.5), "reference")
    add_hover(plot, whole, [Row("T", "T"), log_row("solid:", "solid"), log_row("dashed:", "dashed")])
    legend = [
        *_keys(),
        Key("off by as much as the result is large", "reference", 1.5),
    ]
    return [
        Plot(
            plot, "How far off a mistake is", _DESCRIPTION, legend, log, share=_SHARE
        )
    ]  # fmt: skip


def _add_lengths_without_trace(plot: figure, source: ColumnDataSource) -> None:
    """Open marks on the lower edge, wherever the window is."""
    plot.extra_y_ranges = {"edge": Range1d(*_EDGE)}
    for column, marker, _, _ in _NO_TRACE:
        glyph = Scatter(x="T", y=column, marker=marker, size=10, line_width=2, fill_alpha=0)
        draw_by_role(plot, source, glyph, "fill_color", "line_color").y_range_name = "edge"


def _keys() -> list[Key]:
    """Each line's entry, and the one that stands in its place where it has no trace."""
    marks = [mark for _, _, mark, _ in _NO_TRACE] * len(TITLES)
    gone = [
        Key(f"{curve.label}: no trace", curve.role, marker=mark, column=curve.column, source="gone")
        for curve, mark in zip(_CURVES, marks, strict=True)
    ]
    return [key for both in zip(keys(_CURVES), gone, strict=True) for key in both]
