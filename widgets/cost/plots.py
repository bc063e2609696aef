"""The pictures of the cost lab: parameters by width, work and memory by length beside attention, windows, and a clock.

A count is drawn as its decimal logarithm, and so is the width or length beneath it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bokeh.models import (
    ColumnDataSource,
    Line,
    NumeralTickFormatter,
    Range1d,
    Scatter,
    VSpan,
)
from bokeh.plotting import figure

from widgets.base.numbers import count, from_log10
from widgets.cost import lanterns
from widgets.cost.columns import CELL_ROLES
from widgets.cost.declared import LONGEST, WIDEST, WINDOWS
from widgets.cost.stopwatch import ROUNDS, TURNS
from widgets.figures.axis import Axis
from widgets.figures.hover import Row, add_hover, count_row
from widgets.figures.log_axis import (
    HALF,
    Curve,
    Key,
    LogAxis,
    add_log_curves,
    keys,
    log_rows,
    make_x_logarithmic,
)
from widgets.figures.marks import add_marks
from widgets.figures.plot import Plot
from widgets.figures.style import draw, draw_by_role, new_figure

NAMES = {"rnn": "tanh RNN", "lstm": "LSTM", "gru": "GRU"}
_DASHES = {"rnn": "dotted", "lstm": "solid", "gru": "dotdash"}
_WORK, _WINDOW_MODELS = (3.0, 8.0), (0.0, 50.0)
_LAYERS = (0.0, 450_000.0)
"""Parameters between embedding and softmax, unless a preset has other ends for them."""
_SECONDS = (-8.0, -1.0)

_WIDTH_CURVES = (
    Curve("total", "whole network", "reference", width=6, alpha=0.5),
    Curve("ends", "embedding and softmax", "input", dash="dashed", width=3, pinned=False),
    *(Curve(cell, NAMES[cell], role, dash=_DASHES[cell], pinned=False) for cell, role in CELL_ROLES.items()),
)
_ATTENTION = Curve("attention", "attention", "rival", width=3.5, dash="dashed")
_WORK_CURVES = (
    *(
        Curve(cell, NAMES[cell], role, width=3, dash=_DASHES[cell], pinned=False)
        for cell, role in CELL_ROLES.items()
    ),
    _ATTENTION,
)
_PAST_CURVES = (
    Curve("rnn", "h of a tanh RNN", "tanh", width=7, alpha=0.5, pinned=False),
    Curve("gru", "h of a GRU", "gru", width=2.5, dash="dotdash", pinned=False),
    Curve("lstm", "h and c of an LSTM", "lstm", width=2.5, pinned=False),
    replace(_ATTENTION, label="keys and values of attention"),
)
_KEPT_CURVES = (
    Curve("full", "full BPTT", "reference", width=6, alpha=0.5),
    Curve("truncated", "truncated to K", "reference", width=2.5, dash="dashed"),
    Curve("weights", "parameters, for scale", "linear", width=2, dash="dotted", pinned=False),
)
_LAYER_CURVES = (
    Curve("network", "window network: n·d·d_h + d_h", "rival", width=4),
    Curve("recurrent", "this network’s layers, any past", "reference", width=2.5, dash="dotdash"),
)
_WINDOW_CURVES = (
    Curve("table", "table: V^(n+1)", "rival", width=3, dash="dotted"),
    Curve("network", "window network", "rival", width=5, pinned=False),
    Curve("recurrent", "this network, any past", "reference", width=2, dash="dotdash", pinned=False),
)
_TIME_CURVES = (
    Curve("rnn", "tanh RNN, measured", "tanh", width=2.5, pinned=False),
    Curve("lstm", "LSTM, measured", "lstm", width=6, alpha=0.5, pinned=False),
    Curve("gru", "GRU, measured", "gru", width=2.5, pinned=False),
    *(
        Curve(f"{cell}_count", f"{NAMES[cell]}, counted", role, width=1.5, dash=_DASHES[cell], pinned=False)
        for cell, role in CELL_ROLES.items()
    ),
)
WINDOW_NETWORK = "A window network"
FIGURES = {
    "widths": ("Parameters", _WIDTH_CURVES),
    "work": ("Work of a token", _WORK_CURVES),
    "past": ("Memory of the past", _PAST_CURVES),
    "kept": ("Kept for learning", _KEPT_CURVES),
    "layers": (WINDOW_NETWORK, _LAYER_CURVES),
    "windows": ("A table of words", _WINDOW_CURVES),
}
"""Title and curves of each picture of counts, by its source."""
CLOCK = "By the clock"
STAGES = {
    "weights": ("Parameters",),
    "work": ("Work of a token",),
    "memory": ("Memory of the past",),
    "learning": ("Kept for learning",),
    "window": (lanterns.TITLE, WINDOW_NETWORK),
    "time": (CLOCK,),
}
"""Which figures stand beside the controls, by what is looked at."""
_WHOLE = "Math.round(it).toLocaleString('en')"
_MARKERS = {"rnn": "circle", "lstm": "square", "gru": "triangle"}


def plots(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Sequence[Plot]:
    return [
        _by_width(sources, window),
        _work(sources),
        _past(sources, window),
        _kept(sources, window),
        _times(sources),
        _table(sources),
        lanterns.plot(sources),
        _window_network(sources),
    ]


def _by_width(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Plot:
    plot = new_figure("hidden size dₕ", "parameters")
    axis = _curves(plot, sources["widths"], "d_h", _WIDTH_CURVES, window)
    make_x_logarithmic(plot, _quarters(WIDEST))
    _mark(plot, sources["here"], "d_h")
    _stand(plot, sources["here"], "d_h")
    legend = [*keys(_WIDTH_CURVES), Key("at d_h", "reference", marker="◆")]
    description = "Numbers learnt: in the layers of each cell, around them, and in all."
    return Plot(plot, "Parameters", description, legend, axis)


def _work(sources: Mapping[str, ColumnDataSource]) -> Plot:
    plot = new_figure("token t", "multiply–adds, forward")
    axis = replace(_curves(plot, sources["work"], "t", _WORK_CURVES, _WORK), own_window=True)
    make_x_logarithmic(plot, _tens(LONGEST))
    _mark(plot, sources["crossings"], "t")
    _stand(plot, sources["length"], "t")
    legend = [*keys(_WORK_CURVES), Key("attention dearer from here", "reference", marker="◆"), _key("T")]
    description = "What token t costs the top layer, made of each cell, and attention in its place."
    return Plot(plot, "Work of a token", description, legend, axis, staged=False, wide=True)


def _past(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Plot:
    plot = new_figure("token t", "numbers")
    axis = _curves(plot, sources["past"], "t", _PAST_CURVES, window, HALF)
    make_x_logarithmic(plot, _tens(LONGEST))
    _stand(plot, sources["length"], "t")
    description = "What the same layer holds of t tokens, as it writes them or, both ways, has read them."
    return Plot(plot, "Memory of the past", description, [*keys(_PAST_CURVES), _key("T")], axis, staged=False)


def _kept(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Plot:
    plot = new_figure("length T", "numbers")
    axis = _curves(plot, sources["kept"], "T", _KEPT_CURVES, window, HALF)
    make_x_logarithmic(plot, _tens(LONGEST))
    _stand(plot, sources["length"], "t")
    description = (
        "What the whole network keeps of a sequence for the way back; of its cells, gates and states."
    )
    return Plot(plot, "Kept for learning", description, [*keys(_KEPT_CURVES), _key("T")], axis, staged=False)


def _window_network(sources: Mapping[str, ColumnDataSource]) -> Plot:
    source = sources["layers"]
    plot = new_figure("window n, words", "parameters", x_range=_window_range(), y_range=Range1d(*_LAYERS))
    plot.yaxis.formatter = NumeralTickFormatter(format="0,0")
    for curve in _LAYER_CURVES:
        line = Line(x="n", y=curve.column, line_width=curve.width, line_dash=curve.dash)
        draw(plot, source, line, curve.role, pinned=True)
    add_hover(
        plot, plot.renderers[0], [Row("n", "n"), *(Row(c.label, c.column, _WHOLE) for c in _LAYER_CURVES)]
    )
    mark = Scatter(x="n", y="network", marker="diamond", size=15)
    draw(plot, sources["window"], mark, "rival")
    _stand(plot, sources["window"], "n")
    roles = {curve.column: curve.role for curve in _LAYER_CURVES}
    marks = add_marks(plot, "n", roles, write=lambda value: count(round(value)))
    axis = Axis(plot, source.name, tuple(roles), _LAYERS, marks)
    legend = [*keys(_LAYER_CURVES), Key("at n", "rival", marker="◆"), _key("n")]
    description = (
        "Between embedding and softmax, which both have: each further word takes d·d_h weights more."
    )
    return Plot(plot, WINDOW_NETWORK, description, legend, axis, staged=False, wide=True, share=0.5)


def _table(sources: Mapping[str, ColumnDataSource]) -> Plot:
    source = sources["windows"]
    plot = new_figure("window n, words", "numbers learnt", x_range=_window_range())
    log = add_log_curves(plot, source, "n", _WINDOW_CURVES, _WINDOW_MODELS, width_share=HALF)
    add_hover(plot, plot.renderers[0], [Row("n", "n"), *_count_rows(_WINDOW_CURVES)])
    _stand(plot, sources["window"], "n")
    description = (
        "An entry for each word after each n: times V with every further word. Networks stay where they are."
    )
    axis = replace(log, own_window=True)
    legend = [*keys(_WINDOW_CURVES), replace(_key("n"), column="table")]
    return Plot(plot, "A table of words", description, legend, axis, staged=False, optional=True)


def _window_range() -> Range1d:
    return Range1d(WINDOWS[0] - 0.2, WINDOWS[1] + 0.2)


def _times(sources: Mapping[str, ColumnDataSource]) -> Plot:
    source = sources["times"]
    plot = new_figure("hidden size dₕ = input size d", "seconds a step")
    axis = add_log_curves(plot, source, "d_h", _TIME_CURVES, _SECONDS, width_share=HALF, write_x=from_log10)
    add_hover(plot, plot.renderers[0], [count_row("d_h = d", "d_h"), *log_rows(_TIME_CURVES)])
    make_x_logarithmic(plot, _quarters(WIDEST))
    for cell, role in CELL_ROLES.items():
        draw(plot, source, Scatter(x="d_h", y=cell, marker=_MARKERS[cell], size=8), role)
    _stand(plot, sources["here"], "d_h")
    legend = [
        *(Key(f"{NAMES[cell]}, measured", role, marker=mark)
          for (cell, role), mark in zip(CELL_ROLES.items(), "●■▲", strict=True)),
        *(Key(f"{NAMES[cell]}, counted", role, 1.5, _DASHES[cell]) for cell, role in CELL_ROLES.items()),
        _key("d_h"),
    ]  # fmt: skip
    description = (
        "One step forward of this project’s NumPy cells, with d = d_h whatever is set, one example: the best of "
        f"{TURNS * ROUNDS} rounds, spread over seconds, on this server. Counted are 10⁹ multiply–adds a second. "
        "This machine’s time, and no promise."
    )
    axis = replace(axis, own_window=True)
    return Plot(plot, CLOCK, description, legend, axis, staged=False, share=0.9)


def _curves(
    plot: figure,
    source: ColumnDataSource,
    x: str,
    drawn: Sequence[Curve],
    window: tuple[float, float],
    width_share: float = 1.0,
) -> LogAxis:
    """Curves of counts over a logarithmic x axis, with the counts under the pointer."""
    axis = add_log_curves(plot, source, x, drawn, window, width_share=width_share, write_x=from_log10)
    add_hover(plot, plot.renderers[0], [count_row(x, x), *_count_rows(drawn)])
    return axis


def _count_rows(drawn: Sequence[Curve]) -> list[Row]:
    return [count_row(curve.label, curve.column) for curve in drawn]


def _mark(plot: figure, source: ColumnDataSource, x: str) -> None:
    """Marked points in the colours of their curves."""
    marks = Scatter(x=x, y="count", marker="diamond", size=15)
    draw_by_role(plot, source, marks, "fill_color", "line_color", pinned=True)


def _stand(plot: figure, source: ColumnDataSource, x: str) -> None:
    """A line where a setting stands."""
    draw(
        plot, source, VSpan(x=x, line_width=1.5, line_dash="dashed", line_alpha=0.7), "reference", pinned=True
    )


def _key(setting: str) -> Key:
    return Key(setting, "reference", 1.5, "dashed")


def _quarters(most: int) -> list[int]:
    """1, 4, 16, … up to ``most``."""
    return [4**power for power in range(most.bit_length()) if 4**power <= most]


def _tens(most: int) -> list[int]:
    return [10**power for power in range(len(str(most)))]
