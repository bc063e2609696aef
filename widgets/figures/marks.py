"""What stands at a figure's curves where their lines alone would not tell: exits, lone points, broken steps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from bokeh.models import ColumnDataSource, CustomJSTransform, Range1d, Text
from bokeh.plotting import figure

from widgets.base.frame import Columns
from widgets.base.numbers import number
from widgets.figures.exits import Exit, Room, covers, exits, peaks, placed, told_once
from widgets.figures.lines import Lines, pinned_curves
from widgets.figures.style import TEXT_SIZE, draw_by_role

_COLUMNS = ("x", "y", "marker", "inward", "text", "role", "shift", "aside", "align")
_NARROW_JS = 'return innerWidth <= 760 ? xs.map((text) => text.split(": ").at(-1)) : xs'
"""On a phone there is room for the value alone."""
_LONE, _BROKEN = "●", "✕"


@dataclass(frozen=True)
class Marks:
    """The marks of one figure, on a source of their own."""

    source: ColumnDataSource
    x: str
    """The column with the curves' x, and what x is called."""
    roles: Mapping[str, str]
    """The columns of the curves, each with its role."""
    write: Callable[[float], str] = number
    """How a value of y is written."""
    write_x: Callable[[float], str] = number
    """How a value of x is written."""
    width_share: float = 1.0
    peaks: bool = False
    """Whether a curve is marked where it is farthest outside, too."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Columns whose marks say of which curve they are, as several leave at nearly one place."""
    beside: Sequence[str] = ()
    """Columns of other lines, on which no label is to lie either."""
    broken: Mapping[str, str] = field(default_factory=dict)
    """Columns of x at which something broke, each with the word for it; a gap where nothing did."""

    def columns(self, columns: Columns, plot: figure) -> dict[str, list]:
        """The source's columns for the window in force."""
        x = np.asarray(columns[self.x], dtype=float)
        room = self._room(x, plot)
        seen = (x >= room.span[0]) & (x <= room.span[1])
        found, rows = self._broken(columns, room), []
        # The first curve's points come last, upon the others'.
        for name, role in reversed(self.roles.items()):
            y = np.asarray(columns[name], dtype=float)
            farthest = peaks(x[seen], y[seen], role, room) if self.peaks else []
            told = told_once(exits(x[seen], y[seen], role, room), farthest)
            known_as = f" ({self.names[name]})" if name in self.names else ""
            found += [end._replace(text=end.text + known_as) for end in told]
            rows += _lone_points(x[seen], y[seen], role, room)
        rows += placed(found, room, self._lines(columns, x, room, plot))
        return {column: [row[column] for row in rows] for column in _COLUMNS}

    def covered(self, x: np.ndarray, y: np.ndarray, plot: figure) -> np.ndarray:
        """Which points lie under a label that stands here now."""
        held = self.source.data
        rows = [dict(zip(held, row, strict=True)) for row in zip(*held.values(), strict=True)]
        room = self._room(x, plot)
        under = [covers(row, x, y, room) for row in rows if row["text"]]
        return np.any(under, axis=0) if under else np.zeros(len(x), bool)

    def _lines(self, columns: Columns, x: np.ndarray, room: Room, plot: figure) -> Lines:
        live = [(x, np.asarray(columns[name], dtype=float)) for name in (*self.roles, *self.beside)]
        return Lines.within([*live, *pinned_curves(plot)], room.span, room.window)

    def _room(self, x: np.ndarray, plot: figure) -> Room:
        data = (float(x[0]), float(x[-1])) if len(x) else (0.0, 1.0)
        # The browser alone knows where a range that follows its data begins and ends.
        span = (plot.x_range.start, plot.x_range.end) if isinstance(plot.x_range, Range1d) else data
        window = (plot.y_range.start, plot.y_range.end)
        return Room(span, window, self.x, self.write, self.write_x, self.width_share)

    def _broken(self, columns: Columns, room: Room) -> list[Exit]:
        return [
            Exit(float(x), True, word, "reference", _BROKEN)
            for column, word in self.broken.items()
            for x in columns[column]
            if room.span[0] <= x <= room.span[1]
        ]


def add_marks(plot: figure, x: str, roles: Mapping[str, str], **options) -> Marks:
    """Draw markers and labels from a source that the axis of the figure fills."""
    source = ColumnDataSource({name: [] for name in _COLUMNS})
    looks = {"text_baseline": "middle", "text_font_size": TEXT_SIZE}
    marker = Text(text="marker", y_offset="inward", text_align="center", **looks)
    label = Text(
        text={"field": "text", "transform": CustomJSTransform(v_func=_NARROW_JS)}, x_offset="aside",
        y_offset="shift", text_align="align", background_fill_color="white",
        background_fill_alpha=0.85, **looks,
    )  # fmt: skip
    # The label's paper lies over the grid, and under curves and axes: what it stands on is not wiped out.
    for glyph, level in ((label, "underlay"), (marker, "annotation")):
        draw_by_role(plot, source, glyph, "text_color").level = level
    return Marks(source, x, dict(roles), **options)


def _lone_points(x: np.ndarray, y: np.ndarray, role: str, room: Room) -> list[dict]:
    """A row for each point between gaps, or at an end beside one, of which a line shows nothing."""
    finite = np.concatenate([[False], np.isfinite(y), [False]])
    alone = finite[1:-1] & ~finite[:-2] & ~finite[2:]
    within = (y >= room.window[0]) & (y <= room.window[1])
    looks = {"marker": _LONE, "inward": 0, "text": "", "role": role, "shift": 0, "aside": 0, "align": "left"}
    return [{"x": float(x[n]), "y": float(y[n]), **looks} for n in np.flatnonzero(alone & within)]
