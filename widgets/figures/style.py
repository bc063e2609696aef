"""Figures in the house style, drawn with as few models as will do: opening a page costs what its models cost."""

import panel as pn
from bokeh.models import (
    AllLabels,
    CategoricalColorMapper,
    CDSView,
    ColumnDataSource,
    Glyph,
    GlyphRenderer,
    NoOverlap,
)
from bokeh.plotting import figure

from widgets.figures.palette import PINNED, ROLES, shade

TEXT_SIZE = "16px"
_COLOURS = ("line_color", "fill_color", "text_color")


def new_figure(x_label: str, y_label: str, **options) -> figure:
    """A figure in the house style: no toolbar, text of 16 px, colours left to the page's theme."""
    plot = figure(
        sizing_mode="stretch_both", min_width=200, min_height=100, toolbar_location=None, tools="", title=None,
        x_axis_label=x_label, y_axis_label=y_label, min_border_right=16, **options,
    )  # fmt: skip
    every, apart = AllLabels(), NoOverlap(min_distance=4)
    plot.y_scale = plot.x_scale
    for axis in plot.axis:
        axis.update(
            major_label_policy=apart if axis in plot.left else every,
            axis_label_text_font_style="normal", axis_label_text_font_size=TEXT_SIZE,
            major_label_text_font_size=TEXT_SIZE, minor_tick_line_color=None,
        )  # fmt: skip
    return plot


def draw(
    plot: figure, source: ColumnDataSource, glyph: Glyph, role: str, pinned: bool = False
) -> GlyphRenderer:
    """Add a glyph in the colour of its role; a `pinned` one is kept as a ghost by a pin.

    `plot.line(...)` and its like would build three more glyphs, for states that we do not use, and a view
    of all rows for each, where one serves all glyphs on a source.
    """
    glyph.update(**{name: shade(role) for name in _COLOURS if name in glyph.properties()})
    view = next((r.view for r in plot.renderers if r.data_source is source), None) or CDSView()
    renderer = plot.add_glyph(source, glyph, view=view)
    renderer.tags = [f"role:{role}"] + [PINNED] * pinned
    return renderer


def draw_by_role(
    plot: figure, source: ColumnDataSource, glyph: Glyph, *colours: str, pinned: bool = False
) -> GlyphRenderer:
    """Add a glyph whose named `colours` follow the source's column `role`, point by point."""
    renderer = draw(plot, source, glyph, "*", pinned)
    shades = shades_by_role()
    glyph.update(**dict.fromkeys(colours, shades))
    return renderer


def shades_by_role() -> dict:
    """A colour that follows the source's column `role`."""
    mapper = CategoricalColorMapper(factors=list(ROLES), palette=[shade(role) for role in ROLES])
    return {"field": "role", "transform": mapper}


class FigurePane(pn.pane.Bokeh):
    """A figure as part of a page, as it is: Panel's own pane searches it for scripts and themes, five times over."""

    def _get_model(self, doc, root=None, parent=None, comm=None):
        if root is None:
            return self.get_root(doc, comm)
        self._models[root.ref["id"]] = (self.object, parent)
        return self.object
