"""The pictures of the cliff lab: loss and gradient over the bias with the steps on them, the map, and two tensors."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from bokeh.models import ColumnDataSource, FixedTicker, Line, Quad, Range1d, Scatter, Segment, Text, VSpan
from bokeh.plotting import figure

from core.cliff import CliffCurve, CliffUnit, Descent, FixedPoint
from core.products import log10_magnitude
from widgets.base.frame import Columns
from widgets.base.numbers import moved, number
from widgets.cliff.biases import AXIS, brought_in, in_picture
from widgets.figures.axis import Axis
from widgets.figures.hover import EXACT, Row, add_hover
from widgets.figures.log_axis import Curve, Key, add_log_curves, keys, log_rows
from widgets.figures.plot import Plot
from widgets.figures.style import TEXT_SIZE, draw, new_figure

_GRADIENT = Curve("gradient", "size of dL/db", "tanh", width=3)
_DIP = 0.02
"""Share of the points that lie in the gradient's dip around the minimum of the loss, where it is 0."""
_LOSS_WINDOW = (-0.3, 4.2)
_LABEL_PLACES = {"unclipped": 3.75, "clipped": 3.1}
_EDGE_HEADS = {"unclipped": ("◁", "▷"), "clipped": ("◀", "▶")}
"""Open and filled as the heads of the arrows themselves."""
_STATE_WINDOW = (-1.1, 1.1)
_LEFT_BORDER = 84
"""Pixels, the same for both upper figures, so that a bias stands above itself."""
_COLUMN = 1.7
"""Width of one way of clipping, in units of the limit."""
_WAYS = 3
_STEP_KEYS = [
    Key("clipped step", "reference", marker="▶"),
    Key("unclipped step", "reference", marker="▷"),
]
_TRAIL_KEYS = [
    Key("run, clipped", "reference", marker="●"),
    Key("run, unclipped", "reference", marker="○"),
]


def _drawable(log10: np.ndarray) -> np.ndarray:
    """Logarithms with a gap where the number is 0 or not finite."""
    return np.where(np.isfinite(log10), log10, np.nan)


def point(here: CliffCurve) -> Columns:
    """The point that slides."""
    return {"b": here.bias, "loss": here.loss, "gradient": _drawable(here.log10_gradient)}


def fold(unit: CliffUnit) -> Columns:
    """The fold, if there is one in the picture."""
    return {"b": [] if unit.fold is None or not in_picture(unit.fold) else [unit.fold]}


def trail(run: Descent, updates: int) -> Columns:
    """Where a run has been after 0 … ``updates`` updates, as far as it is in the picture."""
    biases = run.bias[: updates + 1]
    seen = in_picture(biases)
    return {
        "b": biases[seen],
        "loss": run.loss[: updates + 1][seen],
        "gradient": _drawable(log10_magnitude(run.gradient[: updates + 1][seen])),
    }


def step(name: str, run: Descent, n: int) -> Columns:
    """The arrow of update n + 1, cut near the edges of the picture; an end beyond an edge is written out above it."""
    before, after = run.bias[n : n + 2]
    low, high = AXIS
    right = after > high or (after > before and after >= low)
    text = ""
    if not in_picture(after):
        text = f"{name} b = {moved(before, after)}"
        to_left, to_right = _EDGE_HEADS[name]
        text = f"{text} {to_right}" if right else f"{to_left} {text}"
    # Where the landing is low the room above it is free, and the other way round.
    room = _LABEL_PLACES[name]
    return {
        "b": [brought_in(before)],
        "loss": [run.loss[n]],
        "b_after": [brought_in(after)],
        "loss_after": [run.loss[n + 1]],
        "angle": [-math.pi / 2 if right else math.pi / 2],
        "text": [text],
        "align": ["right" if right else "left"],
        "text_y": [room if run.loss[n + 1] < 2 else _LOSS_WINDOW[1] - room],
    }


def map_curve(unit: CliffUnit, bias: float) -> Columns:
    """The map h → tanh(w·h + b) and the diagonal."""
    h = np.linspace(-1, 1, 101)
    return {"h": h, "next": np.tanh(unit.self_weight * h + bias), "same": h}


def fixed_points(points: Sequence[FixedPoint], stable: bool) -> Columns:
    return {"h": [point.state for point in points if point.stable == stable]}


def tensors(whole: Mapping[str, np.ndarray], ways: Mapping[str, Mapping], limit: float) -> Columns:
    """Both tensors after each way of clipping, in units of the limit, each way in a column of its own.

    The dashed lines show the direction before: the same tensors scaled so that the longer is as long as the limit.
    """
    longest = max(np.linalg.norm(tensor) for tensor in whole.values())
    rows = [
        (column * _COLUMN, parts[name] / limit, tensor / longest, name)
        for column, parts in enumerate(ways.values())
        for name, tensor in whole.items()
    ]
    return {
        "x0": [foot for foot, *_ in rows],
        "x": [foot + clipped[0] for foot, clipped, *_ in rows],
        "y": [clipped[1] for _, clipped, *_ in rows],
        "x_before": [foot + before[0] for foot, _, before, _ in rows],
        "y_before": [before[1] for _, _, before, _ in rows],
        "name": [name for *_, name in rows],
    }


def angles(found: Mapping[str, float]) -> Columns:
    """What is written above each column."""
    return {
        "x": [column * _COLUMN for column in range(len(found))],
        "way": list(found),
        "turned": [f"{number(round(angle, 6))}°" for angle in found.values()],
    }


def plots(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> list[Plot]:
    x_range = Range1d(*AXIS)
    made = [
        _loss_plot(_over_bias("loss", x_range, y_range=_LOSS_WINDOW), sources),
        _gradient_plot(_over_bias("size of dL/db", x_range), sources, window),
        _cobweb_plot(sources),
        _trajectory_plot(sources),
        _tensor_plot(sources),
    ]
    for plot in made[:2]:
        draw(plot.figure, sources["fold"], VSpan(x="b", line_width=1.5, line_dash="dotdash"), "reference")
    return made


def _over_bias(y_label: str, x_range: Range1d, **options) -> figure:
    return new_figure("bias b", y_label, x_range=x_range, min_border_left=_LEFT_BORDER, **options)


def _trails(plot: figure, sources: Mapping[str, ColumnDataSource], y: str) -> None:
    draw(plot, sources["free"], Scatter(x="b", y=y, size=9, line_width=2, fill_alpha=0), "reference")
    draw(plot, sources["clipped"], Scatter(x="b", y=y, size=9), "reference")


def _loss_plot(plot: figure, sources: Mapping[str, ColumnDataSource]) -> Plot:
    curve = draw(plot, sources["curve"], Line(x="b", y="loss", line_width=3), "tanh", pinned=True)
    add_hover(plot, curve, [Row("b", "b", EXACT), Row("loss", "loss", EXACT)])
    _trails(plot, sources, "loss")
    _arrow(plot, sources["free_step"], "dashed", filled=0.0)
    _arrow(plot, sources["clipped_step"], "solid", filled=1.0)
    draw(plot, sources["point"], Scatter(x="b", y="loss", marker="diamond", size=17), "tanh")
    legend = [
        Key("loss", "tanh", 3),
        Key("slider’s b", "tanh", marker="◆"),
        *_STEP_KEYS,
        *_TRAIL_KEYS,
        Key("fold b_c", "reference", 1.5, "dotdash", column="b", source="fold"),
    ]
    axis = Axis(plot, "curve", ["loss"], _LOSS_WINDOW)
    return Plot(plot, "Loss", "After T steps, by bias.", legend, axis, share=0.54)


def _arrow(plot: figure, source: ColumnDataSource, dash: str, filled: float) -> None:
    line = Segment(x0="b", y0="loss", x1="b_after", y1="loss_after", line_width=2, line_dash=dash)
    draw(plot, source, line, "reference")
    head = Scatter(
        x="b_after",
        y="loss_after",
        angle="angle",
        marker="triangle",
        size=15,
        line_width=2,
        fill_alpha=filled,
    )
    draw(plot, source, head, "reference")
    label = Text(
        x="b_after", y="text_y", text="text", text_align="align", text_baseline="middle", text_font_size=TEXT_SIZE,
    )  # fmt: skip
    draw(plot, source, label, "reference")


def _gradient_plot(
    plot: figure, sources: Mapping[str, ColumnDataSource], window: tuple[float, float]
) -> Plot:
    log = add_log_curves(plot, sources["curve"], "b", [_GRADIENT], window, spared=_DIP)
    add_hover(plot, plot.renderers[0], [Row("b", "b", EXACT), *log_rows([_GRADIENT])])
    draw(plot, sources["limit"], Line(x="b", y="level", line_width=2, line_dash="dotted"), "bound")
    _trails(plot, sources, "gradient")
    draw(plot, sources["point"], Scatter(x="b", y="gradient", marker="diamond", size=17), "tanh")
    legend = [*keys([_GRADIENT]), Key("clip norm", "bound", 2, "dotted"), *_TRAIL_KEYS]
    description = "How steep the loss is; at a minimum it dips."
    return Plot(plot, "Gradient", description, legend, log, share=0.46)


def _cobweb_plot(sources: Mapping[str, ColumnDataSource]) -> Plot:
    plot = new_figure("state h", "next state", x_range=_STATE_WINDOW, y_range=_STATE_WINDOW)
    draw(plot, sources["map"], Line(x="h", y="same", line_width=1.5), "reference")
    curve = draw(plot, sources["map"], Line(x="h", y="next", line_width=3), "tanh", pinned=True)
    add_hover(plot, curve, [Row("h", "h", EXACT), Row("next h", "next", EXACT)])
    draw(plot, sources["cobweb"], Line(x="h", y="next", line_width=1.5, line_dash="dashed"), "input")
    _fixed_points(plot, sources, "h", "h")
    legend = [
        Key("tanh(w·h + b)", "tanh", 3),
        Key("h itself", "reference", 1.5),
        Key("steps from h₀", "input", 1.5, "dashed"),
        *_FIXED_KEYS,
    ]
    description = "From the start up or down to the map, across to the diagonal, and again."
    return Plot(plot, "Map", description, legend, staged=False)


_FIXED_KEYS = [Key("attractor", "followed", marker="■"), Key("repels", "followed", marker="✕")]


def _fixed_points(plot: figure, sources: Mapping[str, ColumnDataSource], x: str | float, y: str) -> None:
    attractors = Scatter(x=x, y=y, marker="square", size=12)
    draw(plot, sources["attractors"], attractors, "followed")
    draw(plot, sources["repellers"], Scatter(x=x, y=y, marker="x", size=13, line_width=3), "followed")


def _trajectory_plot(sources: Mapping[str, ColumnDataSource]) -> Plot:
    plot = new_figure("step t", "state h", y_range=_STATE_WINDOW)
    draw(plot, sources["trajectory"], Line(x="t", y="h", line_width=2), "tanh", pinned=True)
    heads = draw(plot, sources["trajectory"], Scatter(x="t", y="h", size=8), "tanh")
    add_hover(plot, heads, [Row("step t", "t"), Row("h", "h", EXACT)])
    _fixed_points(plot, sources, 0, "h")
    legend = [Key("h_t", "tanh", 2), *_FIXED_KEYS]
    axis = Axis(plot, "trajectory", ["h"], _STATE_WINDOW)
    return Plot(
        plot, "Trajectory", "The state, step by step; fixed points at the left.", legend, axis, staged=False
    )


def _tensor_plot(sources: Mapping[str, ColumnDataSource]) -> Plot:
    plot = new_figure("first entry / limit", "second entry / limit", match_aspect=True)
    ends = {column * _COLUMN + entry: str(entry) for column in range(_WAYS) for entry in (0, 1)}
    plot.xaxis.ticker = FixedTicker(ticks=list(ends))
    plot.xaxis.major_label_overrides = ends
    plot.yaxis.ticker = FixedTicker(ticks=[0, 1])
    room = Quad(left=-0.2, right=_WAYS * _COLUMN - 0.3, bottom=-0.05, top=1.8, fill_alpha=0, line_alpha=0)
    whole = draw(plot, sources["angles"], room, "reference")
    plot.x_range.update(renderers=[whole], range_padding=0)
    plot.y_range.update(renderers=[whole], range_padding=0)
    draw(plot, sources["tensors"], Segment(x0="x0", y0=0, x1="x", y1="y", line_width=3), "reference")
    heads = draw(plot, sources["tensors"], Scatter(x="x", y="y", size=10), "reference")
    before = Segment(x0="x0", y0=0, x1="x_before", y1="y_before", line_width=2, line_dash="dashed")
    draw(plot, sources["tensors"], before, "linear")
    add_hover(plot, heads, [Row("tensor", "name"), Row("second entry / limit", "y", EXACT)], mode="mouse")
    for text, y in (("way", 1.65), ("turned", 1.35)):
        glyph = Text(x="x", y=y, text=text, text_baseline="middle", text_font_size=TEXT_SIZE)
        draw(plot, sources["angles"], glyph, "reference")
    name = Text(x="x", y="y", text="name", x_offset=9, text_baseline="middle", text_font_size=TEXT_SIZE)
    draw(plot, sources["tensors"], name, "reference")
    legend = [
        Key("gradients of W, (3, 4), and of b, (0, 1), after clipping", "reference", marker="●"),
        Key("before clipping, scaled", "linear", 2, "dashed"),
    ]
    description = (
        "A gradient of two tensors, clipped in three ways. Where an arrow leaves its dashed line or ends before or "
        "beyond it, the step as a whole has turned, by the angle written above."
    )
    return Plot(plot, "Two tensors", description, legend, staged=False, wide=True)
