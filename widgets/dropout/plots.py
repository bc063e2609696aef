"""The pictures of the dropout lab: shares of units left, the masks of one memory, the network, and total loss."""

from collections.abc import Mapping, Sequence

from bokeh.models import ColumnDataSource, HBar, Line, Range1d, Scatter, Step, VArea
from bokeh.plotting import figure

from widgets.base.numbers import percent
from widgets.dropout import network
from widgets.dropout.axis import StepsAxis
from widgets.dropout.curves import MEMORIES, UNITS
from widgets.figures.axis import Axis
from widgets.figures.hover import EXACT, Row, add_hover
from widgets.figures.log_axis import Curve, Key, add_log_curves, keys, log_rows
from widgets.figures.plot import Plot
from widgets.figures.style import draw, new_figure

_WIDE = (
    Curve("none", "none", "reference", width=7, alpha=0.4, pinned=False),
    Curve("variational", "variational", "linear", width=7, alpha=0.5, pinned=False),
)
_MEDIAN = Curve("median", "chosen, as drawn", "cell", width=4.5)
_FRESH = Curve("fresh", "fresh", "linear", width=2.5, dash="dotdash")
_NARROW = (
    Curve("non_recurrent", "non-recurrent", "input", width=2, dash="dashed", pinned=False),
    Curve("dropconnect", "DropConnect", "reference", width=2, dash="dashed", pinned=False),
    _FRESH,
)
_CURVES = (*_WIDE, _MEDIAN, *_NARROW)
"""From the widest to the narrowest, so that those which coincide lie within each other."""
_SHOWN = Curve("shown", "the memory below", "followed", width=2)
_ONE_UNIT = Curve("one_unit", f"one unit of {UNITS}", "bound", width=2, dash="dotted")
_LEFT_BORDER = 84
"""Pixels, the same for both upper figures, so that a step stands above itself."""
_GONE_WINDOW = (-0.04, 1.06)
_ROWS_WINDOW = (0.0, UNITS + 1.0)


def plots(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Sequence[Plot]:
    shares = _shares(sources, window)
    steps = shares.figure.x_range
    return [
        shares,
        _masks(sources, steps),
        network.plot(sources),
        _gone(sources["gone"], steps),
        _matrix(sources["matrix"]),
    ]


def _shares(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Plot:
    source = sources["shares"]
    plot = new_figure("step t", "share of units left", x_range=Range1d(0, 1), min_border_left=_LEFT_BORDER)
    draw(plot, source, VArea(x="t", y1="low", y2="high", fill_alpha=0.25), "cell")
    one = Line(x="t", y=_ONE_UNIT.column, line_width=_ONE_UNIT.width, line_dash=_ONE_UNIT.dash)
    draw(plot, source, one, _ONE_UNIT.role)
    log = add_log_curves(plot, source, "t", _CURVES, window)
    one_memory = Step(x="t", y=_SHOWN.column, mode="after", line_width=_SHOWN.width)
    draw(plot, source, one_memory, _SHOWN.role)
    _bring_to_front(plot, [curve.column for curve in _NARROW])
    line = next(renderer for renderer in plot.renderers if isinstance(renderer.glyph, Line))
    named = (_MEDIAN, _SHOWN, *_WIDE, *_NARROW, _ONE_UNIT)
    add_hover(plot, line, [Row("step", "t"), *log_rows(named)])
    legend = [
        *keys((_MEDIAN, _SHOWN, _FRESH)),
        Key(f"middle {percent(0.8)}", "cell", marker="■", alpha=0.4),
    ]
    description = f"By closed form; of the chosen scheme also the median of {MEMORIES} memories."
    return Plot(
        plot, "Units left", description, legend, StepsAxis(**vars(log), reach=sources["reach"]), share=0.64
    )


def _bring_to_front(plot: figure, columns: Sequence[str]) -> None:
    """Let the lines of these columns lie on all others."""
    front = [renderer for renderer in plot.renderers if getattr(renderer.glyph, "y", None) in columns]
    plot.renderers = [renderer for renderer in plot.renderers if renderer not in front] + front


def _masks(sources: Mapping[str, ColumnDataSource], steps: Range1d) -> Plot:
    plot = new_figure("step t", "unit", x_range=steps, y_range=_ROWS_WINDOW, min_border_left=_LEFT_BORDER)
    plot.grid.visible = False
    plot.yaxis.ticker = [1, UNITS]
    bar = HBar(y="row", left=0, right="end", height=0.8, line_alpha=0, fill_alpha=0.75)
    bars = draw(plot, sources["holding"], bar, "cell")
    late = {"y": "row", "left": "start", "right": "end", "line_alpha": 0}
    draw(plot, sources["dropped"], HBar(height=0.45, fill_alpha=0.55, **late), "linear")
    draw(plot, sources["entering"], HBar(height=0.5, **late), "input")
    draw(plot, sources["losses"], Scatter(x="step", y="row", marker="x", size=7, line_width=2), "reference")
    add_hover(
        plot,
        bars,
        [Row("unit", "unit"), Row("holds the bit until step", "end")],
        "mouse",
    )
    legend = [
        Key("holds the bit", "cell", marker="■"),
        Key("dropped, bit lost", "reference", marker="✕", column="row", source="losses"),
        Key("dropped later", "linear", marker="■", column="row", source="dropped"),
        Key("dropped as it would enter", "input", marker="■", column="row", source="entering"),
    ]
    description = "Of one memory, its units by how long they hold the bit."
    return Plot(plot, "Masks", description, legend, share=0.4)


def _gone(source: ColumnDataSource, steps: Range1d) -> Plot:
    plot = new_figure("step t", "probability", x_range=steps, y_range=_GONE_WINDOW)
    fresh = Line(x="t", y="fresh", line_width=4, line_dash="dotdash")
    draw(plot, source, fresh, "linear")
    draw(plot, source, Step(x="t", y="drawn", mode="after", line_width=4), "cell", pinned=True)
    law = draw(plot, source, Line(x="t", y="law", line_width=1.5), "reference", pinned=True)
    add_hover(
        plot,
        law,
        [
            Row("step", "t"),
            Row("chosen, drawn", "drawn", EXACT),
            Row("closed form", "law", EXACT),
            Row("fresh", "fresh", EXACT),
        ],
    )
    legend = [
        Key("chosen, share of the memories", "cell", 4),
        Key("its closed form", "reference", 1.5),
        Key("fresh", "linear", 4, "dotdash"),
    ]
    axis = Axis(plot, source.name, ["drawn", "law", "fresh"], _GONE_WINDOW)
    description = f"The probability that none of {UNITS} units holds the bit any more."
    return Plot(plot, "All gone", description, legend, axis, staged=False)


def _matrix(source: ColumnDataSource) -> Plot:
    window = (0.0, UNITS + 1.0)
    plot = new_figure("from unit", "to unit", x_range=window, y_range=window[::-1], match_aspect=True)
    plot.grid.visible = False
    for axis in plot.axis:
        axis.ticker = [1, UNITS]
    for y, looks, role in (
        ("idle", {"size": 5, "fill_alpha": 0.5, "line_alpha": 0}, "linear"),
        ("kept", {"size": 8, "marker": "square"}, "cell"),
        ("cut", {"size": 9, "marker": "x", "line_width": 2.5}, "reference"),
    ):
        draw(plot, source, Scatter(x="i", y=y, **looks), role)
    legend = [
        Key("kept", "cell", marker="■", column="kept", source="matrix"),
        Key("dropped, bit lost", "reference", marker="✕", column="cut", source="matrix"),
        Key("dropped, a 0 before", "linear", marker="•", column="idle", source="matrix"),
    ]
    description = "DropConnect’s mask on U, which is the identity here: only its diagonal carries anything."
    return Plot(plot, "Recurrent matrix", description, legend, staged=False, optional=True)
