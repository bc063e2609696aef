"""Where the lines of a figure run, as shares of its width and height, so that labels can keep clear of them."""

from collections.abc import Iterable

import numpy as np
from bokeh.models import Line, Step
from bokeh.plotting import figure

from widgets.figures.palette import GHOST


class Lines:
    """The straight pieces of which curves are drawn; gaps are none."""

    def __init__(self, curves: Iterable[tuple[np.ndarray, np.ndarray]]):
        """Of each curve x, which rises, and y."""
        pieces = [np.stack([x[:-1], y[:-1], x[1:], y[1:]]) for x, y in curves]
        whole = np.concatenate(pieces, axis=1) if pieces else np.zeros((4, 0))
        self._pieces = whole[:, np.isfinite(whole).all(axis=0)]

    @classmethod
    def within(
        cls,
        curves: Iterable[tuple[np.ndarray, np.ndarray]],
        span: tuple[float, float],
        window: tuple[float, float],
    ) -> "Lines":
        """Of curves in the units of the axes, whose ranges that are seen these are."""
        width, height = (span[1] - span[0]) or 1, window[1] - window[0]
        return cls(((x - span[0]) / width, (y - window[0]) / height) for x, y in curves)

    def cross(self, across: tuple[float, float], up: tuple[float, float]) -> bool:
        """Whether any of them runs through the box."""
        x0, y0, x1, y1 = self._pieces
        here = (x1 >= across[0]) & (x0 <= across[1])
        x0, y0, x1, y1 = self._pieces[:, here]
        slope = (y1 - y0) / np.where(x1 > x0, x1 - x0, 1.0)
        ends = y0 + slope * (np.clip([x0, x1], *across) - x0)
        # An upright piece has no slope, and is as high as its ends.
        ends = np.where(x1 > x0, ends, [y0, y1])
        return bool(((ends.min(axis=0) < up[1]) & (ends.max(axis=0) > up[0])).any())


NO_LINES = Lines([])


def pinned_curves(plot: figure) -> list[tuple[np.ndarray, np.ndarray]]:
    """x and y of every line that a pin has kept in a figure."""
    kept = [r for r in plot.renderers if GHOST in r.tags and isinstance(r.glyph, Line | Step)]
    return [
        tuple(np.asarray(r.data_source.data[axis.field], dtype=float) for axis in (r.glyph.x, r.glyph.y))
        for r in kept
    ]
