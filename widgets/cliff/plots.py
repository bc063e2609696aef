"""The pictures of the cliff lab: loss and gradient over the bias with the steps on them, the map, and two tensors."""

from collections.abc import Mapping, Sequence

import numpy as np
from bokeh.models import ColumnDataSource, FixedTicker, Line, Quad, Range1d, Scatter, Segment, Text, VSpan
from bokeh.plotting import figure

from core.cliff import CliffCurve, CliffUnit, Descent, FixedPoint
from core.cliff_search import minimum
from core.products import log10_magnitude
from widgets.base.frame import Columns
from widgets.base.numbers import number
from widgets.cliff.axes import PathAxis, StepAxis
from widgets.cliff.biases import AXIS, in_picture
from widgets.cliff.steps import add_steps
from widgets.figures.axis import Axis
from widgets.figures.hover import EXACT, Row, add_hover
from widgets.figures.log_axis import Curve, Key, add_log_curves, keys, log_rows
from widgets.figures.plot import Plot
from widgets.figures.style import TEXT_SIZE, draw, new_figure

_GRADIENT = Curve("gradient", "size of dL/db", "tanh", width=3)
_DIP = 0.02
"""Share of the points that lie in the gradient's dip around the minimum of the loss, where it is 0."""
_LOSS_WINDOW = (-0.3, 4.2)
_STATE_WINDOW = (-1.1, 1.1)
_LEFT_BORDER = 84
"""Pixels, the same for both upper figures, so that a bias stands above itself."""
_COLUMN = 1.7
"""Width of one way of clipping, in units of the limit."""
_WAYS = 3
_RUN_KEYS = [
    Key("clipped step, run", "reference", marker="▶●"),
    Key("unclipped", "reference", marker="▷○"),
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


def lowest(unit: CliffUnit) -> Columns:
    """The minimum of the loss, where it is 0, if there is one in the picture."""
    bias = minimum(unit)
    seen = [] if bias is None or not in_picture(bias) else [bias]
    return {"b": seen, "loss": [0.0] * len(seen)}


def trail(run: Descent, updates: int) -> Columns:
    """Where a run has been after 0 … ``updates`` updates, as far as it is in the picture; at first there is no run."""
    biases = run.bias[: updates + 1]
    seen = in_picture(biases) & (updates > 0)
    return {
        "b": biases[seen],
        "loss": run.loss[: updates + 1][seen],
        "gradient": _drawable(log10_magnitude(run.gradient[: updates + 1][seen])),
    }


def map_curve(unit: CliffUnit, bias: float) -> Columns:
    """The map h → tanh(w·h + b) and the diagonal."""
    h = np.linspace(-1, 1, 101)
    return {"h": h, "next": np.tanh(unit.self_weight * h + bias), "same": h}


def fixed_points(points: Sequence[FixedPoint], stable: bool) -> Columns:
    return {"h": [point.state for point in points if point.stable == stable]}


def tensors(whole: Mapping[str, np.ndarray], ways: Mapping[str, Mapping], limit: float) -> Columns:
    """Both tensors after each way of clipping, in units of the limit, each way in a column of its own.

    The dashed lines show both before: as they are where nothing is clipped, else so that the longer one is at most
    as long as the limit.
    """
    longest = max(limit, *(np.linalg.norm(tensor) for tensor in whole.values()))
    rows = [
        (
            column * _COLUMN,
            parts[name] / limit,
            tensor / (limit if _untouched(whole, parts) else longest),
            name,
        )
        for column, parts in enumerate(ways.values())
        for name, tensor in whole.items()
    ]
    left = [clipped[0] == 0 for _, clipped, *_ in rows]
    return {
        "x0": [foot for foot, *_ in rows],
        "x": [foot + clipped[0] for foot, clipped, *_ in rows],
        "y": [clipped[1] for _, clipped, *_ in rows],
        "x_before": [foot + before[0] for foot, _, before, _ in rows],
        "y_before": [before[1] for _, _, before, _ in rows],
        "name": [name for *_, name in rows],
        "align": ["right" if upright else "left" for upright in left],
        "aside": [-9 if upright else 9 for upright in left],
    }


def angles(
    whole: Mapping[str, np.ndarray], ways: Mapping[str, Mapping], found: Mapping[str, float]
) -> Columns:
    """What is written above each column: by how much the step has turned, or that nothing was clipped."""
    return {
        "x": [column * _COLUMN for column in range(len(found))],
        "way": list(found),
        "turned": [
            "nothing is clipped" if _untouched(whole, ways[way]) else f"turned by {number(round(angle, 6))}°"
            for way, angle in found.items()
        ],
    }


def _untouched(whole: Mapping[str, np.ndarray], parts: Mapping[str, np.ndarray]) -> bool:
    return all(np.array_equal(parts[name], tensor) for name, tensor in whole.items())


def plots(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> list[Plot]:
    x_range = Range1d(*AXIS)
    made = [
        _loss_plot(_over_bias("", "loss", x_range, y_range=_LOSS_WINDOW), sources),
        _gradient_plot(_over_bias("bias b", "size of dL/db", x_range), sources, window),
        _cobweb_plot(sources),
        _trajectory_plot(sources),
        _tensor_plot(sources),
    ]
    for plot in made[:2]:
        draw(plot.figure, sources["fold"], VSpan(x="b", line_width=1.5, line_dash="dotdash"), "reference")
    return made


def _over_bias(x_label: str, y_label: str, x_range: Range1d, **options) -> figure:
    """A figure over the bias; of two that stand on each other the lower one says so for both."""
    return new_figure(x_label, y_label, x_range=x_range, min_border_left=_LEFT_BORDER, **options)


def _trails(plot: figure, sources: Mapping[str, ColumnDataSource], y: str) -> None:
    draw(plot, sources["free"], Scatter(x="b", y=y, size=7, line_width=2, fill_alpha=0), "reference")
    draw(plot, sources["clipped"], Scatter(x="b", y=y, size=7), "reference")


def _loss_plot(plot: figure, sources: Mapping[str, ColumnDataSource]) -> Plot:
    curve = draw(plot, sources["curve"], Line(x="b", y="loss", line_width=3), "tanh", pinned=True)
    add_hover(plot, curve, [Row("b", "b", EXACT), Row("loss", "loss", EXACT)])
    draw(plot, sources["lowest"], Scatter(x="b", y="loss", marker="star", size=18), "followed")
    _trails(plot, sources, "loss")
    add_steps(plot, sources["steps"])
    draw(plot, sources["point"], Scatter(x="b", y="loss", marker="diamond", size=14), "tanh")
    legend = [
        Key("loss", "tanh", 3),
        Key("slider’s b", "tanh", marker="◆"),
        *_RUN_KEYS,
        Key("minimum", "followed", marker="★", column="b", source="lowest"),
        Key("fold b_c", "reference", 1.5, "dotdash", column="b", source="fold"),
    ]
    places = tuple(sources[name] for name in ("point", "free", "clipped"))
    axis = StepAxis(plot, "steps", ["loss"], _LOSS_WINDOW, curve=sources["curve"], places=places)
    return Plot(plot, "Loss", "After T steps.", legend, axis, share=0.52)


def _gradient_plot(
    plot: figure, sources: Mapping[str, ColumnDataSource], window: tuple[float, float]
) -> Plot:
    log = add_log_curves(plot, sources["curve"], "b", [_GRADIENT], window, spared=_DIP)
    add_hover(plot, plot.renderers[0], [Row("b", "b", EXACT), *log_rows([_GRADIENT])])
    draw(plot, sources["limit"], Line(x="b", y="level", line_width=2, line_dash="dotted"), "bound")
    _trails(plot, sources, "gradient")
    draw(plot, sources["point"], Scatter(x="b", y="gradient", marker="diamond", size=14), "tanh")
    legend = [*keys([_GRADIENT]), Key("clip norm", "bound", 2, "dotted")]
    description = "How steep the loss is; at a minimum it dips."
    return Plot(plot, "Gradient", description, legend, log, share=0.52)


def _cobweb_plot(sources: Mapping[str, ColumnDataSource]) -> Plot:
    plot = new_figure("state h", "next state", x_range=_STATE_WINDOW, y_range=_STATE_WINDOW)
    draw(plot, sources["map"], Line(x="h", y="same", line_width=1.5), "reference")
    curve = draw(plot, sources["map"], Line(x="h", y="next", line_width=3), "tanh", pinned=True)
    add_hover(plot, curve, [Row("h", "h", EXACT), Row("next h", "next", EXACT)])
    draw(plot, sources["cobweb"], Line(x="h", y="next", line_width=2.5), "input")
    _fixed_points(plot, sources, "h", "h")
    legend = [
        Key("tanh(w·h + b)", "tanh", 3),
        Key("h itself", "reference", 1.5),
        Key("steps from h₀", "input", 2.5),
        *_FIXED_KEYS,
    ]
    description = (
        "At the slider’s b: from h₀ to the map, across to the diagonal, and again; "
        "where both nearly meet, in small steps."
    )
    axis = PathAxis(plot, "cobweb", ["next"], _STATE_WINDOW, path=sources["cobweb"])
    return Plot(plot, "Map", description, legend, axis, staged=False)


_FIXED_KEYS = [Key("attractor", "followed", marker="■"), Key("repels", "followed", marker="✕")]


def _fixed_points(plot: figure, sources: Mapping[str, ColumnDataSource], x: str | float, y: str) -> None:
    attractors = Scatter(x=x, y=y, marker="square", size=9)
    draw(plot, sources["attractors"], attractors, "followed")
    draw(plot, sources["repellers"], Scatter(x=x, y=y, marker="x", size=11, line_width=3), "followed")


def _trajectory_plot(sources: Mapping[str, ColumnDataSource]) -> Plot:
    plot = new_figure("step t", "state h", y_range=_STATE_WINDOW)
    draw(plot, sources["trajectory"], Line(x="t", y="h", line_width=2), "tanh", pinned=True)
    heads = draw(plot, sources["trajectory"], Scatter(x="t", y="h", size=8), "tanh")
    add_hover(plot, heads, [Row("step t", "t"), Row("h", "h", EXACT)])
    _fixed_points(plot, sources, 0, "h")
    legend = [Key("h_t", "tanh", 2), *_FIXED_KEYS]
    axis = Axis(plot, "trajectory", ["h"], _STATE_WINDOW)
    return Plot(
        plot,
        "Trajectory",
        "The state at the slider’s b, step by step; fixed points at the left.",
        legend,
        axis,
        staged=False,
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
    name = Text(
        x="x", y="y", text="name", text_align="align", x_offset="aside", text_baseline="middle",
        text_font_size=TEXT_SIZE,
    )  # fmt: skip
    draw(plot, sources["tensors"], name, "reference")
    legend = [
        Key("gradients of U, (3, 4), and of v, (0, 1), after clipping", "reference", marker="●"),
        Key("before clipping, to scale", "linear", 2, "dashed"),
    ]
    description = (
        "A gradient of two tensors, clipped in three ways, in units of the clip norm. Where their lengths no longer "
        "stand to each other as before, or one has left its dashed line, the step as a whole has turned."
    )
    return Plot(plot, "Two tensors", description, legend, staged=False, wide=True)
