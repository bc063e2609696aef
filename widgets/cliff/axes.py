"""Axes that "fit" brings closer in both directions: to the wall, and to the path between map and diagonal."""

from dataclasses import dataclass

import numpy as np
from bokeh.models import ColumnDataSource

from widgets.base.frame import Columns, Preset
from widgets.cliff.biases import AXIS
from widgets.cliff.steps import cut
from widgets.figures.axis import Axis

_WALL = 1.5
"""Powers of ten below the steepest slope down to which a slope belongs to the wall."""
_ROOM = 0.12
_NARROWEST = 0.01


@dataclass(frozen=True)
class StepAxis(Axis):
    """Loss over bias: at home the whole slider or the preset's part of it, and after "fit" the wall, step by step."""

    curve: ColumnDataSource | None = None
    places: tuple[ColumnDataSource, ...] = ()
    """What has to stay in view, by its column `b`."""

    def go_home(self, preset: Preset) -> None:
        super().go_home(preset)
        start, end = preset.windows.get("b", AXIS)
        self.figure.x_range.update(start=start, end=end)

    def fit(self, columns: Columns) -> None:
        """Move to the wall, the slider's point and the runs."""
        b, loss, slope = (
            np.asarray(self.curve.data[name], dtype=float) for name in ("b", "loss", "gradient")
        )
        steep = b[slope >= np.nanmax(slope) - _WALL]
        kept = np.concatenate([steep, *(np.asarray(place.data["b"], dtype=float) for place in self.places)])
        room = max(_ROOM * np.ptp(kept), _NARROWEST)
        low, high = max(AXIS[0], kept.min() - room), min(AXIS[1], kept.max() + room)
        self.figure.x_range.update(start=float(low), end=float(high))
        super().fit(dict.fromkeys(self.watched, loss[(b >= low) & (b <= high)]))

    def mask(self, columns: Columns) -> Columns:
        """The arrows cut to the window in force."""
        x, y = self.figure.x_range, self.figure.y_range
        cut_to = cut(columns, (x.start, x.end))
        looks = {name: columns[name] for name in ("filled", "dash")}
        return looks | cut_to | {"y1": [min(max(end, y.start), y.end) for end in cut_to["y1"]]}


@dataclass(frozen=True)
class PathAxis(Axis):
    """Next state over state: at home all states, and after "fit" those that the path comes through."""

    path: ColumnDataSource | None = None

    def set_window(self, window: tuple[float, float]) -> None:
        """The same window for both axes."""
        super().set_window(window)
        self.figure.x_range.update(start=window[0], end=window[1])

    def fit(self, columns: Columns) -> None:
        super().fit({name: self.path.data[name] for name in self.watched})
