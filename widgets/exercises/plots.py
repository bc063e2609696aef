"""The picture of the exercises lab: how far each of two mistakes is off, by the length of the sequence."""

from collections.abc import Mapping, Sequence

import numpy as np
from bokeh.models import ColumnDataSource, Line, Scatter

from widgets.base.frame import Columns
from widgets.exercises.words import TITLES, Named
from widgets.figures.hover import Row, add_hover, log_row
from widgets.figures.log_axis import Curve, Key, add_log_curves, keys
from widgets.figures.plot import Plot
from widgets.figures.style import draw, new_figure

_ROLES = {
    "rnn_forward": "tanh", "rnn_bptt": "tanh", "lstm_cell": "lstm", "lstm_cell_backward": "lstm", "gru_cell": "gru",
}  # fmt: skip
_LOOKS = ({"width": 4.0}, {"width": 3.0, "dash": "dashed"})
_CURVES = tuple(
    Curve(f"{exercise}_{n}", title, _ROLES[exercise], **look)
    for exercise, titles in TITLES.items()
    for n, (title, look) in enumerate(zip(titles, _LOOKS, strict=True))
)
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
    return {"off": {"T": T, "whole": np.zeros(len(T)), "solid": off[0], "dashed": off[1]} | shown}


def plots(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Sequence[Plot]:
    source = sources["off"]
    plot = new_figure("T, length of the sequence", "relative error")
    log = add_log_curves(plot, source, "T", _CURVES, window)
    for curve in _CURVES:
        if curve.dash == "solid":
            draw(plot, source, Scatter(x="T", y=curve.column, size=7), curve.role)
    whole = draw(plot, source, Line(x="T", y="whole", line_width=1.5), "reference")
    add_hover(plot, whole, [Row("T", "T"), log_row("solid:", "solid"), log_row("dashed:", "dashed")])
    legend = [*keys(_CURVES), Key("off by as much as the result is large", "reference", 1.5)]
    return [
        Plot(
            plot, "How far off a mistake is", "A gap: nothing is off, the mistake hides.", legend, log, share=_SHARE
        )
    ]  # fmt: skip
