"""Where the masks sit: two layers unrolled over four steps, each connection plain or masked, and the way of a bit."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from bokeh.models import ColumnDataSource, FixedTicker, Line, Scatter, Segment, Text

from core.memory_masks import SCHEMES
from widgets.base.frame import Columns
from widgets.figures.columns import still_source
from widgets.figures.log_axis import Key
from widgets.figures.plot import Plot
from widgets.figures.style import TEXT_SIZE, draw, new_figure

LAYERS, STEPS = 2, 4
_FLOORS = ("input", "layer 1", "layer 2", "softmax")
_UP, _ALONG = "abc", {"state": "mn", "weights": "MN"}
_SUBSCRIPTS = str.maketrans("1234", "₁₂₃₄")
_ROOM = 0.17
"""Between the middle of a circle and an arrow."""


class Arrow(NamedTuple):
    """A connection from one circle to another, with the name of the mask that it would have."""

    name: str
    x0: int
    y0: int
    x1: int
    y1: int


def arrows(scheme: str) -> dict[str, Columns]:
    """The connections of the network, those with a mask apart.

    A mask's letter says where it sits; a number behind it, that each step draws its own.
    """
    masked, every_step = SCHEMES[scheme]
    upward = [
        Arrow(f"{letter}{step}", step, floor, step, floor + 1)
        for step in range(1, STEPS + 1)
        for floor, letter in enumerate(_UP)
    ]
    onward = [
        Arrow(f"{letter}{step + 1 if every_step else ''}", step, layer, step + 1, layer)
        for step in range(1, STEPS)
        for layer, letter in enumerate(_ALONG.get(masked, "  "), start=1)
    ]
    noisy = {"inputs": upward, "state": onward, "weights": onward}.get(masked, [])
    return {
        "plain": _columns([arrow for arrow in upward + onward if arrow not in noisy]),
        "masked": _columns(noisy),
    }


def _columns(arrows: Sequence[Arrow]) -> Columns:
    x0, y0, x1, y1 = np.array([arrow[1:] for arrow in arrows], dtype=float).reshape(-1, 4).T
    along = x1 - x0
    up = 1 - along
    return {
        "x0": x0 + _ROOM * along,
        "y0": y0 + _ROOM * up,
        "x1": x1 - _ROOM * along,
        "y1": y1 - _ROOM * up,
        "angle": -np.pi / 2 * along,
        "name": [arrow.name.translate(_SUBSCRIPTS) for arrow in arrows],
        "name_x": (x0 + x1) / 2 + 0.05 * up,
        "name_y": (y0 + y1) / 2 + 0.2 * along,
    }


def plot(sources: Mapping[str, ColumnDataSource]) -> Plot:
    """The diagram; its floors and steps are named by its axes."""
    figure = new_figure(
        "step", "", x_range=(0.7, STEPS + 0.5), y_range=(-0.25, len(_FLOORS) - 0.75), min_border_left=84
    )
    figure.grid.visible = False
    for axis, ticks in ((figure.xaxis, range(1, STEPS + 1)), (figure.yaxis, range(len(_FLOORS)))):
        axis.ticker = FixedTicker(ticks=list(ticks))
        axis.update(axis_line_alpha=0, major_tick_line_alpha=0)
    figure.yaxis.major_label_overrides = dict(enumerate(_FLOORS))
    way = ColumnDataSource({"x": [1, 1, STEPS, STEPS], "y": [0, 1, 1, len(_FLOORS) - 1]})
    draw(figure, way, Line(x="x", y="y", line_width=16, line_alpha=0.3, line_join="round"), "cell")
    steps, floors = np.meshgrid(np.arange(1, STEPS + 1), np.arange(len(_FLOORS)))
    nodes = still_source({"x": steps.ravel(), "y": floors.ravel()})
    draw(figure, nodes, Scatter(x="x", y="y", size=16, fill_alpha=0, line_width=2), "reference")
    for name, role, looks in (
        ("plain", "linear", {"line_width": 2}),
        ("masked", "reference", {"line_width": 3, "line_dash": [5, 4]}),
    ):
        draw(figure, sources[name], Segment(x0="x0", y0="y0", x1="x1", y1="y1", **looks), role)
        draw(figure, sources[name], Scatter(x="x1", y="y1", angle="angle", marker="triangle", size=10), role)
    names = Text(x="name_x", y="name_y", text="name", text_baseline="middle", text_align="left")
    names.text_font_size = TEXT_SIZE
    draw(figure, sources["masked"], names, "reference")
    legend = [
        Key("with a mask", "reference", 3, "dashed", column="x0", source="masked"),
        Key("without", "linear", 2),
        Key("the way of a bit", "cell", 9),
    ]
    description = (
        "Two layers, four steps. A letter names a mask; with a number each step draws its own, without one "
        "the same draw lasts."
    )
    return Plot(figure, "Where the masks sit", description, legend, staged=False)
