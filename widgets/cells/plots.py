"""The figure under the picture: the chosen unit of each cell, word by word."""

from collections.abc import Mapping

import numpy as np
from bokeh.models import ColumnDataSource, FixedTicker, Line, Range1d, Scatter, VSpan

from core.cat_sat import WORDS
from widgets.base.frame import Columns
from widgets.figures.axis import Axis
from widgets.figures.hover import EXACT, Row, add_hover
from widgets.figures.log_axis import Curve, Key
from widgets.figures.plot import Plot
from widgets.figures.style import draw, new_figure

_WINDOW = (-1.1, 1.1)
_CURVES = (
    Curve("c", "LSTM, its cell c", "cell", width=4),
    Curve("lstm", "LSTM, h", "lstm", width=2.5, dash="dashed"),
    Curve("rnn", "tanh RNN, h", "tanh", width=3),
    Curve("gru", "GRU, h", "gru", width=2.5, dash="dotdash"),
)
_MARKERS = {
    "c": ("diamond", 14, "–◆–"),
    "lstm": ("circle", 8, ""),
    "rnn": ("square", 9, "–■–"),
    "gru": ("triangle", 9, ""),
}


def columns(states: Mapping[str, np.ndarray], at: int) -> Mapping[str, Columns]:
    """`states` are the chosen unit's, each (3,), by the names of the curves; 0 stands before them."""
    with_start = {name: np.concatenate([[0.0], values]) for name, values in states.items()}
    return {
        "states": {"t": np.arange(len(WORDS) + 1), "word": ["start", *WORDS], **with_start},
        "step": {"t": [at + 1]},
    }


def outside(states: Mapping[str, np.ndarray]) -> bool:
    """Whether a curve leaves the fixed window."""
    return any(np.any((values < _WINDOW[0]) | (values > _WINDOW[1])) for values in states.values())


def plots(sources: Mapping[str, ColumnDataSource]) -> list[Plot]:
    source = sources["states"]
    plot = new_figure("", "state", x_range=Range1d(-0.2, len(WORDS) + 0.2), y_range=Range1d(*_WINDOW))
    plot.xaxis.ticker = FixedTicker(ticks=list(range(len(WORDS) + 1)))
    plot.xaxis.major_label_overrides = {0: "start", **{t: f"{t} “{word}”" for t, word in enumerate(WORDS, 1)}}
    draw(plot, sources["step"], VSpan(x="t", line_width=2, line_dash="dotted"), "reference")
    for curve in _CURVES:
        line = Line(x="t", y=curve.column, line_width=curve.width, line_dash=curve.dash)
        draw(plot, source, line, curve.role, pinned=True)
        marker, size, _ = _MARKERS[curve.column]
        points = draw(plot, source, Scatter(x="t", y=curve.column, marker=marker, size=size), curve.role)
    add_hover(plot, points, [Row("word", "word"), *(Row(c.label, c.column, EXACT) for c in _CURVES)])
    legend = [
        *(Key(c.label, c.role, c.width, c.dash, marker=_MARKERS[c.column][2]) for c in _CURVES),
        Key("step shown", "reference", 2, "dotted"),
    ]
    axis = Axis(plot, source.name, [curve.column for curve in _CURVES], _WINDOW)
    description = (
        "The unit that is shown, after each word: what a cell keeps, and what a tanh RNN writes over."
    )
    return [Plot(plot, "Word by word", description, legend, axis, staged=False, wide=True)]
