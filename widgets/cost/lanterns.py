"""The sentence under the window: its words, what a window of n words reads, and what a recurrence’s state carries."""

from collections.abc import Mapping

import numpy as np
from bokeh.models import (
    ColumnDataSource,
    CustomJSTransform,
    GlyphRenderer,
    Line,
    Quad,
    Range1d,
    Scatter,
    Segment,
    TapTool,
    Text,
)
from bokeh.plotting import figure

from core.fixed_window import LANTERNS
from widgets.base.frame import Columns
from widgets.cost.word_places import HEIGHT, NARROW, QUESTION, READ, WIDE, Places
from widgets.figures.columns import still_source
from widgets.figures.log_axis import Key
from widgets.figures.plot import Plot
from widgets.figures.style import TEXT_SIZE, draw, new_figure

TITLE = "The sentence under the window"
NOUN = LANTERNS.words[LANTERNS.noun]
_LINES = 2
"""The most lines that the words take."""
_NARROW = "narrow_"
"""Before the name of a column that takes its place on a phone."""
_PICK_JS = "return innerWidth <= 760 ? source.data[narrow] : xs"


def words() -> Columns:
    """The words that are read, from the last to the first: the n-th is the farthest that a window of n reads."""
    return {
        "word": list(READ[::-1]),
        "style": ["bold" if word == NOUN else "normal" for word in READ[::-1]],
        **_both(_fields),
    }


def _fields(places: Places) -> dict[str, np.ndarray]:
    """Where each word stands, and the field around it that can be clicked, without a gap to the next."""
    backwards = slice(-2, None, -1)
    return {
        "x": places.middle[backwards],
        "y": places.y[backwards],
        "left": places.left[backwards] - places.gap / 2,
        "right": places.right[backwards] + places.gap / 2,
        "bottom": places.y[backwards] - places.frame,
        "top": places.y[backwards] + places.frame,
    }


def view(window: int) -> Columns:
    """The frame around the words that a window reads, line by line."""
    return _both(lambda places: _frames(places, max(len(READ) - window, 0)))


def _both(columns) -> Columns:
    """Columns for a wide page, and for a phone."""
    return columns(WIDE) | {_NARROW + name: column for name, column in columns(NARROW).items()}


def _frames(places: Places, first: int) -> dict[str, np.ndarray]:
    seen = [row[row >= first] for row in places.rows()]
    ends = [
        (
            places.left[row[0]] - places.gap / 2,
            places.right[row[-1]] + places.gap / 2,
            places.y[row[0]] - places.frame,
            places.y[row[0]] + places.frame,
        )
        for row in seen
        if row.size
    ]
    ends += [(np.nan,) * 4] * (_LINES - len(ends))
    return dict(zip(("left", "right", "bottom", "top"), np.array(ends).T, strict=True))


def plot(sources: Mapping[str, ColumnDataSource]) -> Plot:
    drawn = new_figure("", "", x_range=Range1d(0, 1), y_range=Range1d(*HEIGHT), min_border_left=16)
    drawn.axis.visible = drawn.grid.visible = False
    drawn.outline_line_color = None
    _draw_state(drawn)
    agreement = still_source(_both(_agreement))
    draw(drawn, agreement, Line(line_width=2, line_dash="dashed", **_at(agreement, "x", "y")), "followed")
    sides = "left", "right", "bottom", "top"
    frame = Quad(fill_alpha=0.12, line_width=3, border_radius=8, **_at(sources["view"], *sides))
    draw(drawn, sources["view"], frame, "rival")
    _write(drawn, sources["words"], "reference").nonselection_glyph = None
    field = Quad(fill_alpha=0, line_alpha=0, **_at(sources["words"], *sides))
    fields = draw(drawn, sources["words"], field, "reference")
    fields.nonselection_glyph = None
    last = _both(lambda places: {"x": places.middle[-1:], "y": places.y[-1:]})
    _write(drawn, still_source({"word": [QUESTION], "style": ["bold"], **last}), "followed")
    drawn.add_tools(TapTool(renderers=[fields], mode="replace", visible=False))
    legend = [
        Key("read by the window of n words", "rival", marker="▭"),
        Key("carried on by the state of a recurrence", "reference", 2.5),
        Key("agrees", "followed", 2, "dashed"),
    ]
    description = (
        f"Which form comes next? It hangs on “{NOUN}”, {LANTERNS.least_window} words back. "
        "Click a word, and the window reaches back to it."
    )
    return Plot(
        drawn, TITLE, description, legend, tap=("words", "window"), staged=False, wide=True, share=0.36
    )


def _at(source: ColumnDataSource, *names: str) -> dict[str, dict]:
    """Columns by their names, those for a phone where the page is narrow."""
    return {
        name: {
            "field": name,
            "transform": CustomJSTransform(
                args={"source": source, "narrow": _NARROW + name}, v_func=_PICK_JS
            ),
        }
        for name in names
    }


def _write(drawn: figure, source: ColumnDataSource, role: str) -> GlyphRenderer:
    text = Text(
        text="word", text_font_style="style", text_align="center", text_baseline="middle",
        text_font_size=TEXT_SIZE, **_at(source, "x", "y"),
    )  # fmt: skip
    return draw(drawn, source, text, role)


def _draw_state(drawn: figure) -> None:
    """A step for each word, and from the last of them up to the verb."""
    steps = still_source(_both(_steps))
    at = _at(steps, "x", "word", "state")
    drops = Segment(x0=at["x"], x1=at["x"], y0=at["word"], y1=at["state"], line_width=1.5)
    draw(drawn, steps, drops, "reference")
    draw(drawn, steps, Scatter(x=at["x"], y=at["state"], size=8), "reference")
    way = still_source(_both(_way))
    draw(drawn, way, Line(line_width=2.5, **_at(way, "x", "y")), "reference")
    head = still_source(_both(lambda places: {"x": places.middle[-1:], "y": places.y[-1:] - places.frame}))
    draw(drawn, head, Scatter(marker="triangle", size=11, **_at(head, "x", "y")), "reference")


def _steps(places: Places) -> dict[str, np.ndarray]:
    y = places.y[:-1]
    return {"x": places.middle[:-1], "word": y - places.frame, "state": y - places.state}


def _way(places: Places) -> dict[str, np.ndarray]:
    """Through the lines, with a gap between them, to the verb; as many points for one line as for two."""
    x, y = [], []
    rows = places.rows()
    for number, row in enumerate(rows):
        start = places.middle[0] if number == 0 else 0.0
        end = places.middle[-1] if number == len(rows) - 1 else 1.0
        x += [start, end, np.nan]
        y += [places.y[row[0]] - places.state] * 2 + [np.nan]
    x[-1], y[-1] = places.middle[-1], places.y[-1] - places.frame
    spare = [np.nan] * (3 * (_LINES - len(rows)))
    return {"x": np.array(x + spare), "y": np.array(y + spare)}


def _agreement(places: Places) -> dict[str, np.ndarray]:
    """From the noun over the words to the verb: an arc, or around the end of the first line."""
    noun, verb = places.middle[LANTERNS.noun], places.middle[-1]
    start, end = places.y[LANTERNS.noun] + places.frame, places.y[-1] + places.frame
    share = np.linspace(0, 1, 40)
    if len(places.rows()) == 1:
        return {
            "x": noun + share * (verb - noun),
            "y": start + 4 * (places.peak - start) * share * (1 - share),
        }
    edge = places.right[-1]
    corners = {"x": [noun, noun, edge, edge], "y": [start, places.peak, places.peak, end]}
    return {name: np.interp(share, np.linspace(0, 1, 4), ends) for name, ends in corners.items()}
