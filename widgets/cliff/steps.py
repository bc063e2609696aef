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
_HEAD_SHARE = 0.004
"""The share of the width by which a head at an edge stands within it, so that its tip is about there."""
_SEEN = 0.004
"""The share of the width below which a step is too short to see; its head would only hide where it starts."""
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
    names = ("name", "b", "loss", "b_after", "loss_after")
    rows: list[dict] = []
    width = window[1] - window[0]
    for name, *ends in zip(*(whole[name] for name in names), strict=True):
        x0, y0, x1, y1, side = _cut_one(*ends, window)
        right = side > 0 or (side == 0 and x1 >= x0)
        rows.append({
            "x0": x0,
            "y0": y0,
            "x1": x1,
            "y1": y1,
            "head": x1 - side * _HEAD_SHARE * width if side or abs(x1 - x0) > _SEEN * width else math.nan,
            "angle": -math.pi / 2 if right else math.pi / 2,
            "text": f"{name}: b = {number(ends[2])}" if side else "",
            "align": "right" if right else "left",
            "lift": -_ABOVE - _LINE * any(row["text"] for row in rows),
        })  # fmt: skip
    return {key: [row[key] for row in rows] for key in rows[0]}


def _cut_one(
    before: float, loss: float, after: float, loss_after: float, window: tuple[float, float]
) -> tuple[float, float, float, float, int]:
    """(x0, y0, x1, y1, side): the part of one arrow within the window; side is −1 or 1 if it ends outside."""
    side = int(after > window[1]) - int(after < window[0])

    def within(bias: float) -> tuple[float, float]:
        edge = min(max(bias, window[0]), window[1])
        if edge == bias or before == after:
            return edge, float(loss if bias == before else loss_after)
        share = min(1.0, max(0.0, (edge - before) / (after - before)))
        return edge, float(loss + share * (loss_after - loss))

    if side and not window[0] <= before <= window[1]:
        edge = min(max(after, window[0]), window[1])
        return edge, float(loss_after), edge, float(loss_after), side
    return *within(before), *within(after), side


def add_steps(plot: figure, source: ColumnDataSource) -> None:
    """Draw the arrows: open and dashed without clipping, filled and solid with it."""
    line = Segment(x0="x0", y0="y0", x1="x1", y1="y1", line_width=2, line_dash={"field": "dash"})
    draw(plot, source, line, "reference")
    head = Scatter(
        x="head", y="y1", angle="angle", marker="triangle", size=_HEAD, line_width=2, fill_alpha="filled"
    )
    # One at the edge of the frame is not cut by it.
    draw(plot, source, head, "reference").level = "annotation"
    label = Text(
        x="x1", y="y1", text="text", text_align="align", y_offset="lift", text_baseline="bottom",
        text_font_size=TEXT_SIZE,
    )  # fmt: skip
    draw(plot, source, label, "reference")
