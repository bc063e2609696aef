"""The axes of the shares of units left: steps as far as they go, a fit to the chosen scheme, and labels in place."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from bokeh.models import ColumnDataSource

from widgets.base.frame import Columns
from widgets.dropout.curves import LEAST, UNITS
from widgets.dropout.labels import Label, Spot, Window, placed
from widgets.figures.lines import Lines, pinned_curves
from widgets.figures.log_axis import LogAxis

_LINE, _NEXT = 14, 22
"""Pixels from a line to the middle of a text over or under it, and from there to the next."""
_NAME_ROOM, _MOST_ROOM = 0.18, 0.9
"""What of the window a fit leaves over the line at 1, as a share of what is below: its name stands there; and how
many powers of ten at the most, since no share is more than 1."""
_GAPS = (12, 35, 60, 80, 95, 110, 160)
"""Pixels between the place at which the median ends and the words for it."""
_BESIDE = ("shown", "one_unit")
"""Lines that are no curves of the policy."""


@dataclass(frozen=True)
class StepsAxis(LogAxis):
    """The shares, over as many steps as the memory has to hold the bit; the masks below share its range."""

    reach: ColumnDataSource | None = None
    """How far the chosen scheme comes down."""

    def follow(self, columns: Mapping[str, Columns]) -> None:
        last = columns["shares"]["t"][-1]
        self.figure.x_range.update(start=-0.01 * last, end=1.02 * last)

    def fit(self, columns: Columns) -> None:
        """From 1 down to where the chosen scheme comes, and the medians that are pinned; references may leave."""
        medians = np.asarray(columns["median"], dtype=float)
        least = min(self.reach.data["least"][0], *medians[np.isfinite(medians)])
        low = min(math.floor(least), -1)
        self.set_window((low, min(-_NAME_ROOM * low, _MOST_ROOM)))

    def marked(self, columns: Columns) -> dict[str, list]:
        """Where curves leave, what the level lines are, and from where on the median is 0."""
        marks = super().marked(columns)
        standing = [dict(zip(marks, row, strict=True)) for row in zip(*marks.values(), strict=True)]
        x, y = self.figure.x_range, self.figure.y_range
        seen = Window((x.start, x.end), (y.start, y.end))
        t = np.asarray(columns["t"], dtype=float)
        live = [(t, np.asarray(columns[name], dtype=float)) for name in (*self.watched, *_BESIDE)]
        lines = Lines.within([*live, *pinned_curves(self.figure)], *seen)
        names, end = level_names(columns), ended(columns)
        rows = placed([*names, *end], standing, seen, lines)
        if not all(row["text"] for row in rows):
            # The words for the median found no room: they choose before the last name does.
            rows = placed([*names[:-1], *end, names[-1]], standing, seen, lines)
        return {name: [*held, *(row[name] for row in rows)] for name, held in marks.items()}


def level_names(columns: Columns) -> list[Label]:
    """What the level lines are, at their ends, or where they begin: those that coincide are one."""
    first, last, once = float(columns["t"][0]), float(columns["t"][-1]), float(columns["variational"][-1])
    over, under = Spot(0, -_LINE), Spot(0, _LINE)
    begins = [Spot(0, down, "left", first) for down in (-_LINE, _LINE)]
    return [
        Label(last, 0.0, "none, non-recurrent", "reference", [over]),
        Label(last, once, "variational, DropConnect", "reference", [under, over, *begins]),
        Label(last, float(LEAST), f"one unit of {UNITS}", "reference", [over, under, *begins]),
    ]


def ended(columns: Columns) -> list[Label]:
    """From which step on the median is 0, for which a logarithmic axis has no place."""
    empty = np.flatnonzero(~np.isfinite(columns["median"]))
    if not empty.size:
        return []
    step = int(columns["t"][empty[0]])
    spots = [
        Spot(side * gap, down, align)
        for down in (_LINE, _LINE + _NEXT, -_LINE, -_LINE - _NEXT)
        for side, align in ((1, "left"), (-1, "right"))
        for gap in _GAPS
    ]
    return [Label(float(step), float(LEAST), f"median: 0 from step {step}", "cell", spots, "○")]
