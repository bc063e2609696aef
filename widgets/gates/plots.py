"""The pictures of the gates lab: the gradient at the first input by length, and the paths that it came by."""

from collections.abc import Mapping, Sequence

import numpy as np
from bokeh.models import ColumnDataSource, Line, Scatter, VArea

from widgets.base.frame import Columns
from widgets.figures.hover import Row, add_hover
from widgets.figures.log_axis import Curve, Key, LogAxis, add_log_curves, keys, log_rows
from widgets.figures.plot import Plot
from widgets.figures.style import draw, new_figure
from widgets.gates.curves import NETWORKS, Flow
from widgets.gates.words import LABELS, LIVE

_LIVE = (
    Curve("live_lstm", LABELS["live_lstm"], "lstm", width=4),
    Curve("live_gru", LABELS["live_gru"], "gru", width=4),
)
_MARKERS = {"live_lstm": ("circle", "–●–"), "live_gru": ("square", "–■–")}
_FIXED = (
    Curve("rnn", LABELS["rnn"], "tanh", width=3.5, pinned=False),
    Curve("lstm_0", LABELS["lstm_0"], "lstm", dash="dotted", pinned=False),
    Curve("lstm_1", LABELS["lstm_1"], "lstm", dash="dashed", pinned=False),
    Curve("lstm_3", LABELS["lstm_3"], "lstm", pinned=False),
    Curve("lstm_1997", LABELS["lstm_1997"], "lstm", dash="dotdash", pinned=False),
    Curve("gru", LABELS["gru"], "gru", dash="dashed", pinned=False),
)
_CURVES = (*_LIVE, *_FIXED)
_PATHS = (
    Curve("lstm_rest", "LSTM, other paths", "lstm", width=7, dash="dashed", alpha=0.6),
    Curve("gru_rest", "GRU, other paths", "gru", width=7, dash="dashed", alpha=0.6),
    Curve("lstm", "LSTM in all", "lstm", width=2),
    Curve("gru", "GRU in all", "gru", width=2),
    Curve("lstm_along", "LSTM, along the cell", "lstm", width=4, dash="dotted"),
    Curve("gru_along", "GRU, along z", "gru", width=4, dash="dotted"),
)
_BAND, _LIVE_BAND = 0.13, 0.25
"""How much of its colour a range has; that of what the sliders set stands out."""


def curves(flows: Mapping[str, Flow]) -> Columns:
    """The medians, and the bands of the networks that the sliders set."""
    return (
        {"T": flows["rnn"].lengths}
        | {name: flow.median for name, flow in flows.items()}
        | _edges(flows, _LIVE)
    )


def bands(flows: Mapping[str, Flow]) -> Columns:
    """The bands of the others: in columns of their own, which a moved bias does not send again."""
    return {"T": flows["rnn"].lengths} | _edges(flows, _FIXED)


def _edges(flows: Mapping[str, Flow], drawn: Sequence[Curve]) -> Columns:
    columns = {}
    for name in (curve.column for curve in drawn):
        flow = flows[name]
        columns |= {f"{name}_low": _with_gaps(flow.lowest), f"{name}_high": _with_gaps(flow.highest)}
    return columns


def _with_gaps(log10: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(log10), log10, np.nan)


def paths(flows: Mapping[str, Flow]) -> Columns:
    """The medians of the live networks and of their parts."""
    columns = {"T": flows["rnn"].lengths}
    for live in LIVE:
        flow, name = flows[live], live.removeprefix("live_")
        columns |= {name: flow.median, f"{name}_along": flow.along, f"{name}_rest": flow.rest}
    return columns


def plots(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Sequence[Plot]:
    return [_flow_plot(sources["flow"], sources["bands"], window), _paths_plot(sources["paths"], window)]


def _flow_plot(source: ColumnDataSource, still: ColumnDataSource, window: tuple[float, float]) -> Plot:
    plot = new_figure("T, length of the sequence", "gradient at the first input")
    for drawn, edges, alpha in ((_FIXED, still, _BAND), (_LIVE, source, _LIVE_BAND)):
        for curve in drawn:
            band = VArea(x="T", y1=f"{curve.column}_low", y2=f"{curve.column}_high", fill_alpha=alpha)
            draw(plot, edges, band, curve.role)
    log = _log_curves(plot, source, _CURVES, window)
    for curve in _LIVE:
        marker, _ = _MARKERS[curve.column]
        draw(plot, source, Scatter(x="T", y=curve.column, marker=marker, size=9), curve.role)
    legend = [
        *(Key(curve.label, curve.role, marker=_MARKERS[curve.column][1]) for curve in _LIVE),
        *keys(_FIXED),
    ]
    description = f"A line is the median of {NETWORKS} random networks, its pale band their range."
    return Plot(plot, "From the end to the first input", description, legend, log)


def _paths_plot(source: ColumnDataSource, window: tuple[float, float]) -> Plot:
    plot = new_figure("T, length of the sequence", "gradient at the first input")
    log = _log_curves(plot, source, _PATHS, window)
    description = "Of the LSTM and the GRU set here; with a single step a GRU has no other path than z."
    return Plot(plot, "Paths", description, keys(_PATHS), log, staged=False)


def _log_curves(
    plot, source: ColumnDataSource, drawn: Sequence[Curve], window: tuple[float, float]
) -> LogAxis:
    log = add_log_curves(plot, source, "T", drawn, window)
    line = next(renderer for renderer in plot.renderers if isinstance(renderer.glyph, Line))
    add_hover(plot, line, [Row("T", "T"), *log_rows(drawn)])
    return log
