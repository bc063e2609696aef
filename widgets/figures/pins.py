"""Pins: the present curves stay behind as ghosts with a letter at their end, so that two settings can be compared."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from bokeh.models import ColumnDataSource, GlyphRenderer, Line, Range1d, Scatter, Step, Text, VSpan
from bokeh.plotting import figure

from widgets.base.described import Described
from widgets.figures.palette import GHOST, PINNED
from widgets.figures.plot import Plot
from widgets.figures.style import TEXT_SIZE, shades_by_role

LETTERS = "AB"
_DASHES = {"A": [2, 3], "B": [8, 3, 2, 3]}
_MARKS = {"A": "dot", "B": "cross"}
"""What the open ghost of a marker has in it, so that it is still a circle or a diamond."""
_SIGNS = {"A": "⊙", "B": "⊕"}
_BACK = {"A": -7, "B": -23}
"""Pixels from a curve's end to its letter, so that those of two pins on one curve stand beside each other."""
_LINES = (Line, Step, VSpan)
"""What has an end to write at; markers bear the pin's own sign."""
_END = ("x", "y", "role", "down")
_APART = (14, 18)
"""Pixels across and up within which two letters would lie on each other."""
_FRAME = (780, 170)
"""About the width and the height in pixels of a figure as wide as the page allows and as low as one is."""
_BELOW_THE_EDGE = 12
"""Pixels from the upper edge to the letter of an upright line."""


class _Written(NamedTuple):
    """A letter that stands in a figure."""

    letter: str
    place: np.ndarray


@dataclass(frozen=True)
class Pin:
    """Ghost curves in every figure, with the settings that made them."""

    letter: str
    made: Described
    ghosts: Sequence[tuple[Plot, GlyphRenderer]]
    letters: Mapping[figure, GlyphRenderer]
    """In each figure, what writes the letter at the ends of its ghosts."""

    @property
    def label(self) -> str:
        return self.made.text()

    @property
    def sign(self) -> str:
        """What its markers look like, if it has any."""
        marked = any(isinstance(ghost.glyph, Scatter) for _, ghost in self.ghosts)
        return _SIGNS[self.letter] if marked else ""

    def place_letters(self, taken: dict[figure, list[_Written]]) -> None:
        """Write the letter where each curve ends, or leaves the window in force; `taken` are places of letters."""
        for drawn_on, letters in self.letters.items():
            found, others = [], taken.setdefault(drawn_on, [])
            for plot, ghost in self.ghosts:
                end = _end(plot, ghost, self.letter, others) if plot.figure is drawn_on else None
                if end:
                    found.append(end)
                    place = _pixels(drawn_on, end["x"], end["y"], self.letter)
                    others.append(_Written(self.letter, place))
            places = {name: [end[name] for end in found] for name in _END}
            if places != letters.data_source.data:
                letters.data_source.data = places

    def remove(self) -> None:
        gone = {ghost for _, ghost in self.ghosts} | set(self.letters.values())
        for drawn_on in {plot.figure for plot, _ in self.ghosts}:
            drawn_on.renderers = [r for r in drawn_on.renderers if r not in gone]


class Pins:
    """The pins of one page, up to two; a third takes the place of the first."""

    def __init__(self, plots: Sequence[Plot]):
        self._plots = plots
        self.held: list[Pin] = []

    def add(self, made: Described) -> Pin | None:
        """Pin the present curves, that these settings made; gives the pin that had to make room, if one had to."""
        oldest = self.held[0] if len(self.held) == len(LETTERS) else None
        with _counted_once(self._plots):
            if oldest:
                self.remove(oldest.letter)
            taken = {pin.letter for pin in self.held}
            letter = next(letter for letter in LETTERS if letter not in taken)
            self.held.append(make_pin(self._plots, letter, made))
        self.place_letters()
        return oldest

    def place_letters(self) -> None:
        """Write each pin's letter at the ends of its curves, which the windows decide."""
        taken: dict[figure, list[_Written]] = {}
        for pin in self.held:
            pin.place_letters(taken)

    def remove(self, letter: str) -> None:
        with _counted_once(self._plots):
            for pin in [pin for pin in self.held if pin.letter == letter]:
                pin.remove()
                self.held.remove(pin)


def _counted_once(plots: Sequence[Plot]) -> AbstractContextManager:
    """Let the document look through all its models when everything is there, and not once for each curve."""
    document = plots[0].figure.document if plots else None
    return document.models.freeze() if document else nullcontext()


def make_pin(plots: Sequence[Plot], letter: str, made: Described) -> Pin:
    """Copy every curve that is marked for pinning to a source of its own, which later moves leave alone."""
    ghosts = []
    for plot in plots:
        copies: dict[ColumnDataSource, ColumnDataSource] = {}
        for renderer in list(plot.figure.renderers):
            if PINNED in renderer.tags:
                live = renderer.data_source
                copy = copies.setdefault(live, ColumnDataSource(dict(live.data)))
                ghosts.append((plot, _ghost(plot, renderer, copy, letter)))
    drawn_on = {plot.figure: None for plot, ghost in ghosts if isinstance(ghost.glyph, _LINES)}
    return Pin(letter, made, ghosts, {plot: _letters(plot, letter) for plot in drawn_on})


def _ghost(plot: Plot, renderer: GlyphRenderer, source: ColumnDataSource, letter: str) -> GlyphRenderer:
    glyph = renderer.glyph.clone()
    looks = {"line_alpha": 0.8, "line_dash": _DASHES[letter], "line_width": 2, "fill_alpha": 0.0}
    if isinstance(glyph, Scatter):
        looks |= {
            "line_dash": "solid",
            "line_width": 1.5,
            "size": 11,
            "marker": f"{renderer.glyph.marker}_{_MARKS[letter]}",
        }
    glyph.update(**{name: value for name, value in looks.items() if name in glyph.properties()})
    tags = [GHOST if tag == PINNED else tag for tag in renderer.tags]
    return _add(plot.figure, GlyphRenderer(data_source=source, glyph=glyph, level="underlay", tags=tags))


def _letters(plot: figure, letter: str) -> GlyphRenderer:
    """What writes a letter in the colour of each curve, on a scrap of paper that parts it from the lines."""
    written = Text(
        text={"value": letter}, x_offset=_BACK[letter], y_offset="down", text_align="center",
        text_baseline="middle", text_font_size=TEXT_SIZE, text_font_style="bold", text_color=shades_by_role(),
        background_fill_color="white", background_fill_alpha=0.75,
    )  # fmt: skip
    source = ColumnDataSource({name: [] for name in _END})
    return _add(plot, GlyphRenderer(data_source=source, glyph=written, level="annotation", tags=["role:*"]))


def _add(plot: figure, renderer: GlyphRenderer) -> GlyphRenderer:
    """Add a renderer that is whole already: the page paints it as soon as it arrives."""
    plot.renderers = [*plot.renderers, renderer]
    return renderer


def _end(on: Plot, ghost: GlyphRenderer, letter: str, taken: Sequence[_Written]) -> dict | None:
    """The last place at which a pinned line is seen, and no label or letter lies on it if that can be.

    None for markers, and where nothing of it is seen.
    """
    plot, marks = on.figure, on.axis and on.axis.marks
    glyph, columns = ghost.glyph, ghost.data_source.data
    if not isinstance(glyph, _LINES):
        return None
    x = np.asarray(columns[glyph.x.field], dtype=float)
    upright = isinstance(glyph, VSpan)
    y = np.full(len(x), plot.y_range.end) if upright else np.asarray(columns[glyph.y.field], dtype=float)
    within = _within(plot.x_range, x) & _within(plot.y_range, y)
    bare = within & ~marks.covered(x, y, plot) if marks else within
    bare = bare & ~_crowded(letter, _pixels(plot, x, y, letter), taken)
    seen = np.flatnonzero(bare if bare.any() else within)
    role = next(tag for tag in ghost.tags if tag.startswith("role:")).removeprefix("role:")
    place = {"role": role, "down": _BELOW_THE_EDGE if upright else 0}
    return place | {"x": float(x[seen[-1]]), "y": float(y[seen[-1]])} if seen.size else None


def _pixels(plot: figure, x: np.ndarray | float, y: np.ndarray | float, letter: str) -> np.ndarray:
    """About where a pin's letter stands, in pixels, if its curve's point is here: (2, n), or (2,) for one point."""
    ranges = (plot.x_range, plot.y_range)
    if not all(isinstance(seen, Range1d) for seen in ranges):
        return np.full((2, *np.shape(x)), np.nan)
    across, up = (
        (values - seen.start) / (seen.end - seen.start) * size
        for values, seen, size in zip((x, y), ranges, _FRAME, strict=True)
    )
    return np.array([across + _BACK[letter], up])


def _crowded(letter: str, places: np.ndarray, taken: Sequence[_Written]) -> np.ndarray:
    """At which of the places a letter would lie on one that stands there already; twice the same reads as one."""
    crowded = np.zeros(places.shape[1], bool)
    for other in taken:
        away = np.abs(places.T - other.place)
        is_same = (other.letter == letter) & (away < 1).all(axis=1)
        crowded |= (away < _APART).all(axis=1) & ~is_same
    return crowded


def _within(seen, values: np.ndarray) -> np.ndarray:
    """Which values a range shows; one that follows its data shows them all."""
    if not isinstance(seen, Range1d):
        return np.isfinite(values)
    low, high = sorted((seen.start, seen.end))
    return (values >= low) & (values <= high)
