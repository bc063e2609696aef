"""The policy of axes: the visible window is set by the preset or the lab, moved by "fit", never by a drag."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from bokeh.plotting import figure

from widgets.base.frame import Columns, Preset
from widgets.figures.marks import Marks


@dataclass(frozen=True)
class Axis:
    """A linear y axis whose fixed window is `home`; `watched` are the columns that "fit" brings into view."""

    figure: figure
    source: str
    watched: Sequence[str]
    home: tuple[float, float]

    marks: Marks | None = None
    """What stands where curves leave the window; None where none can."""

    def set_window(self, window: tuple[float, float]) -> None:
        self.figure.y_range.update(start=window[0], end=window[1])

    def shows(self, value: float) -> bool:
        """Whether a value lies within the window in force."""
        return self.figure.y_range.start <= value <= self.figure.y_range.end

    def go_home(self, preset: Preset) -> None:
        """Back to the fixed window, which is the lab's own unless the preset has one for this axis."""
        self.set_window(preset.windows.get(self.source, self.home))

    def follow(self, columns: Mapping[str, Columns]) -> None:
        """Move the window before a frame's columns are shown, where it depends on a text; by default it stays."""

    def fit(self, columns: Columns) -> None:
        """Move the window to the data, with a little room around it."""
        values = self._finite(columns)
        if values.size:
            low, high = float(values.min()), float(values.max())
            room = 0.08 * (high - low) or 0.1
            self.set_window((low - room, high + room))

    def mask(self, columns: Columns) -> Columns:
        """The columns as they are drawn."""
        return columns

    def marked(self, columns: Columns) -> dict[str, list]:
        """What stands at the curves, such as where they leave the window: for the source of the marks."""
        return self.marks.columns(columns, self.figure)

    def _finite(self, columns: Columns) -> np.ndarray:
        values = np.concatenate([np.asarray(columns[name], dtype=float) for name in self.watched])
        return values[np.isfinite(values)]
