"""Pins: the present curves stay behind as ghosts, so that two settings can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from bokeh.models import ColumnDataSource, GlyphRenderer, Scatter

from widgets.figures.palette import PINNED
from widgets.figures.plot import Plot

LETTERS = "AB"
_DASHES = {"A": [2, 3], "B": [8, 3, 2, 3]}
_MARKS = {"A": "dot", "B": "cross"}
"""What the open ghost of a marker has in it, so that it is still a circle or a diamond."""
_SIGNS = {"A": "⊙", "B": "⊕"}


@dataclass(frozen=True)
class Pin:
    """Ghost curves in every figure, with the settings that made them."""

    letter: str
    label: str
    ghosts: Sequence[tuple[Plot, GlyphRenderer]]

    @property
    def sign(self) -> str:
        """What its markers look like, if it has any."""
        marked = any(isinstance(ghost.glyph, Scatter) for _, ghost in self.ghosts)
        return _SIGNS[self.letter] if marked else ""

    def remove(self) -> None:
        for plot, ghost in self.ghosts:
            plot.figure.renderers = [r for r in plot.figure.renderers if r is not ghost]


class Pins:
    """The pins of one page, up to two; a third takes the place of the first."""

    def __init__(self, plots: Sequence[Plot]):
        self._plots = plots
        self.held: list[Pin] = []

    def add(self, label: str) -> Pin | None:
        """Pin the present curves; gives the pin that had to make room, if one had to."""
        oldest = self.held[0] if len(self.held) == len(LETTERS) else None
        if oldest:
            self.remove(oldest.letter)
        taken = {pin.letter for pin in self.held}
        letter = next(letter for letter in LETTERS if letter not in taken)
        self.held.append(make_pin(self._plots, letter, label))
        return oldest

    def remove(self, letter: str) -> None:
        for pin in [pin for pin in self.held if pin.letter == letter]:
            pin.remove()
            self.held.remove(pin)


def make_pin(plots: Sequence[Plot], letter: str, label: str) -> Pin:
    """Copy every curve that is marked for pinning to a source of its own, which later moves leave alone."""
    ghosts = []
    for plot in plots:
        copies: dict[ColumnDataSource, ColumnDataSource] = {}
        for renderer in list(plot.figure.renderers):
            if PINNED in renderer.tags:
                live = renderer.data_source
                copy = copies.setdefault(live, ColumnDataSource(dict(live.data)))
                ghosts.append((plot, _ghost(plot, renderer, copy, letter)))
    return Pin(letter, label, ghosts)


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
    # Whole before it is added: the page paints a renderer as soon as it arrives.
    tags = [tag for tag in renderer.tags if tag != PINNED]
    ghost = GlyphRenderer(data_source=source, glyph=glyph, level="underlay", tags=tags)
    plot.figure.renderers = [*plot.figure.renderers, ghost]
    return ghost
