"""The next steps of both runs as arrows over the bias, cut where they leave the picture."""

import math
from collections.abc import Mapping

import numpy as np
from bokeh.models import ColumnDataSource, Scatter, Segment, Text
from bokeh.plotting import figure

from core.cliff import Descent
from widgets.base.frame import Columns
from widgets.base.numbers import number
from widgets.cliff.biases import AXIS
from widgets.figures.style import TEXT_SIZE, draw

_HEAD = 11
_HEAD_SHARE = 0.008
"""About the share of the width that half a head takes: one at an edge stands so far within it."""
_LINE = 22
_ABOVE = 9
"""Pixels of a line of text, and from the middle of a head to the label above it."""


def steps(runs: Mapping[str, Descent], n: int) -> Columns:
    """Update n + 1 of each run, unclipped and clipped, as an arrow in the whole picture."""
    ends = [(run.bias[n], run.loss[n], run.bias[n + 1], run.loss[n + 1]) for run in runs.values()]
    before, loss, after, loss_after = np.array(ends).T
    whole = {
        "name": list(runs),
        "b": before,
        "loss": loss,
        "b_after": after,
        "loss_after": loss_after,
        "filled": [float(name == "clipped") for name in runs],
        "dash": ["solid" if name == "clipped" else "dashed" for name in runs],
    }
    return whole | cut(whole, AXIS)


def cut(whole: Columns, window: tuple[float, float]) -> Columns:
    """The arrows within a window of biases; one that leaves it ends at its edge, with the place where it lands."""
    names = ("b", "loss", "b_after", "loss_after")
    arrows = [_cut_one(*ends, window) for ends in zip(*(whole[name] for name in names), strict=True)]
    drawn: dict[str, list] = {
        name: [] for name in ("x0", "y0", "x1", "y1", "head", "angle", "text", "align", "lift")
    }
    for arrow, name, after in zip(arrows, whole["name"], whole["b_after"], strict=True):
        x0, y0, x1, y1, side = arrow
        right = side > 0 or (side == 0 and x1 >= x0)
        drawn["x0"].append(x0)
        drawn["y0"].append(y0)
        drawn["x1"].append(x1)
        drawn["y1"].append(y1)
        drawn["head"].append(x1 - side * _HEAD_SHARE * (window[1] - window[0]))
        drawn["angle"].append(-math.pi / 2 if right else math.pi / 2)
        drawn["align"].append("right" if right else "left")
        drawn["lift"].append(-_ABOVE - _LINE * any(text for text in drawn["text"]))
        drawn["text"].append(f"{name}: b = {number(after)}" if side else "")
    return drawn


def _cut_one(
    before: float, loss: float, after: float, loss_after: float, window: tuple[float, float]
) -> tuple[float, float, float, float, int]:
    """(x0, y0, x1, y1, side): the part of one arrow within the window; side is −1 or 1 if it ends outside."""
    side = int(after > window[1]) - int(after < window[0])

    def within(bias: float) -> tuple[float, float]:
        edge = float(np.clip(bias, *window))
        if edge == bias or before == after:
            return edge, float(loss if bias == before else loss_after)
        share = min(1.0, max(0.0, (edge - before) / (after - before)))
        return edge, float(loss + share * (loss_after - loss))

    if side and not window[0] <= before <= window[1]:
        edge = float(np.clip(after, *window))
        return edge, float(loss_after), edge, float(loss_after), side
    return *within(before), *within(after), side


def add_steps(plot: figure, source: ColumnDataSource) -> None:
    """Draw the arrows: open and dashed without clipping, filled and solid with it."""
    line = Segment(x0="x0", y0="y0", x1="x1", y1="y1", line_width=2, line_dash={"field": "dash"})
    draw(plot, source, line, "reference")
    head = Scatter(
        x="head", y="y1", angle="angle", marker="triangle", size=_HEAD, line_width=2, fill_alpha="filled"
    )
    draw(plot, source, head, "reference")
    label = Text(
        x="head", y="y1", text="text", text_align="align", y_offset="lift", text_baseline="bottom",
        text_font_size=TEXT_SIZE,
    )  # fmt: skip
    draw(plot, source, label, "reference")
