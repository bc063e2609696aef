"""The figures of one page: data sources, plots and axes, and what of a frame they are to show."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np
from bokeh.models import ColumnDataSource

from widgets.base.frame import Columns, Frame, Preset
from widgets.figures.axis import Axis
from widgets.figures.columns import all_sendable, same
from widgets.lab import Lab


class Drawing:
    """A lab's figures, built once, on one source for each set of columns in its frames.

    `in_view` names the sources of the figures that the visitor sees; at first these are the staged ones.
    """

    def __init__(self, lab: Lab, frame: Frame, preset: Preset):
        self._shown: dict[str, Columns] = {}
        self._brought: dict[str, tuple] = {}
        self.sources = {name: ColumnDataSource(name=name) for name in frame.columns}
        for name, columns in frame.columns.items():
            self._assign(self.sources[name], name, columns)
        self.plots = lab.plots(self.sources)
        self._axes = [plot.axis for plot in self.plots if plot.axis]
        self.see(self.staged(lab))
        self.go_home(preset)
        self.show(frame, self.sources)

    def staged(self, lab: Lab) -> dict[int, float]:
        """Which figures stand beside the controls, each with its share of the window's height."""
        return {number: lab.share(plot) for number, plot in enumerate(self.plots) if lab.stages(plot)}

    def see(self, numbers: Iterable[int]) -> None:
        """Take note of which figures the visitor sees."""
        figures = [self.plots[number].figure for number in numbers]
        drawn_on = {renderer.data_source.name for figure in figures for renderer in figure.renderers}
        self.in_view = self.sources.keys() & drawn_on

    def show(self, frame: Frame, names: Collection[str]) -> None:
        """Bring the named sources up to date, and the marks of their axes."""
        for axis in self._axes:
            axis.follow(frame.columns)
        for name in names:
            columns = shown = frame.columns[name]
            if self._is_up_to_date(name, columns):
                continue
            for axis in self._axes:
                if axis.source == name:
                    shown = axis.mask(shown)
                    if axis.marks:
                        self._assign(axis.marks.source, f"marks of {name}", axis.marked(columns))
            self._assign(self.sources[name], name, shown)

    def _is_up_to_date(self, name: str, columns: Columns) -> bool:
        """Whether the same columns, and not others like them, were shown last, in the same windows."""
        ranges = [
            r
            for axis in self._axes
            if axis.source == name
            for r in (axis.figure.x_range, axis.figure.y_range)
        ]
        asked = columns, [(r.start, r.end) for r in ranges]
        before = self._brought.get(name)
        self._brought[name] = asked
        return before is not None and before[0] is columns and before[1] == asked[1]

    def absent_keys(self, frame: Frame) -> list[list[int]]:
        """For each figure, which entries of its legend stand for what is not there to be drawn."""
        return [
            [
                n
                for n, key in enumerate(plot.legend)
                if key.column
                and not _holds_a_number(frame.columns[key.source or plot.axis.source][key.column])
            ]
            for plot in self.plots
        ]

    def told(self, frame: Frame) -> Frame:
        """A frame whose sentence says that a curve has left its figure, if it has."""
        lost = frame.lost
        gone = lost and any(axis.source == lost.source and not axis.shows(lost.value) for axis in self._axes)
        return replace(frame, sentence=f"{frame.sentence} {lost.words}") if gone else frame

    def go_home(self, preset: Preset) -> None:
        """Back to the fixed windows of a preset."""
        for axis in self._axes:
            axis.go_home(preset)

    def fit(self, frame: Frame) -> bool:
        """Move the windows to the data; whether one moved in a figure that the visitor sees."""
        before = self._windows_in_view()
        for axis in self._axes:
            axis.fit(self._with_ghosts(axis, frame.columns[axis.source]))
        self.show(frame, self.sources)
        return self._windows_in_view() != before

    def _windows_in_view(self) -> list[tuple[float, float]]:
        ranges = [axis.figure.y_range for axis in self._axes if axis.source in self.in_view]
        return [(seen.start, seen.end) for seen in ranges]

    def _with_ghosts(self, axis: Axis, columns: Columns) -> Columns:
        """The columns that the axis watches, with what pins have kept of them."""
        own = list(self.sources.values())
        others = {
            r.data_source.id: r.data_source.data for r in axis.figure.renderers if r.data_source not in own
        }
        ghosts = [data for data in others.values() if data.keys() >= set(axis.watched)]
        return {
            name: np.concatenate([np.asarray(kept[name], dtype=float) for kept in (columns, *ghosts)])
            for name in axis.watched
        }

    def _assign(self, source: ColumnDataSource, name: str, columns: Columns) -> None:
        """Set a source's data only if it differs: what has not changed is not sent."""
        held = self._shown.get(name, {})
        if held.keys() != columns.keys() or not all(same(held[key], columns[key]) for key in columns):
            self._shown[name] = dict(columns)
            source.data = all_sendable(columns)


def _holds_a_number(column: Sequence[float]) -> bool:
    return bool(np.isfinite(np.asarray(column, dtype=float)).any())
