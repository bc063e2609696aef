"""The pictures of the bracket lab: the count, the gates, the forget product and the rival, all over the text."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from bokeh.models import (
    ColumnDataSource,
    CustomJSTickFormatter,
    FixedTicker,
    GlyphRenderer,
    NoOverlap,
    Range1d,
    Rect,
    Scatter,
    SingleIntervalTicker,
    Step,
    Text,
    VSpan,
)
from bokeh.plotting import figure

from core.brackets import BracketRun
from widgets.base.frame import Columns, Preset
from widgets.base.numbers import number
from widgets.figures.axis import Axis
from widgets.figures.hover import EXACT, Row, add_hover
from widgets.figures.log_axis import HALF, Curve, Key, add_log_curves, keys, log_rows
from widgets.figures.plot import Plot
from widgets.figures.style import TEXT_SIZE, draw, new_figure

_ROWS = {"o": 1, "g": 2, "f": 3, "i": 4}
_TILE = 0.86
"""Height of a full tile; a candidate with a sign fills the upper or the lower half."""
_FORGET = Curve("log10_forget_product", "f₁·f₂·…·f_t", "lstm", width=3)
_RIVAL_WINDOW = (-1.05, 1.05)
_LEAST_DEPTH = 3
_LEFT_BORDER = 68
"""Pixels, the same for all figures, so that a character stands above itself."""
_CHARACTER_JS = """
const character = text.data.character[tick - 1] ?? "";
if (plot.properties.inner_width.is_unset) return character;
const room = plot.inner_width / (plot.x_range.end - plot.x_range.start);
if (room >= 11) return character;
const all = text.data.character;
if (!"()?".includes(character) || all[tick - 2] === character) return "";
let run = 1;
while (all[tick - 1 + run] === character) run++;
return run > 1 ? character + "×" + run : character;
"""
"""Where words would lose some of their letters, only what the cell knows is written, runs with their length."""


def columns(text: str, run: BracketRun, cursor: int) -> dict[str, Columns]:
    """One source for each set of settings, so that a slider sends again only what depends on it."""
    t = np.arange(1, len(text) + 1)
    rows = np.repeat([_ROWS["i"], _ROWS["g"], _ROWS["o"]], len(text))
    gates = np.concatenate([run.i, run.g, run.o])
    sign = np.where(rows == _ROWS["g"], np.sign(gates), 0)
    asked = run.questions
    return {
        "text": {"t": t, "character": list(text), "depth": run.depth},
        "gates": {
            "t": np.tile(t, len(_ROWS) - 1),
            "y": rows + sign * _TILE / 4,
            "height": np.where(sign == 0, _TILE, _TILE / 2),
            "value": gates,
            "size": np.abs(gates),
        },
        "cell": {
            "t": t,
            "c": run.c,
            "h": run.h,
            "f": run.f,
        },
        "product": {"t": t, "log10_forget_product": run.log10_forget_product},
        "questions": {
            "t": asked + 1,
            "c": run.c[asked],
            "label": _labels(run, len(text)),
            "shift": np.where(np.abs(run.c[asked] - run.depth[asked]) < 1, 17, -17),
        },
        "rival": {"t": t, "rnn": run.rnn},
        "cursor": {"t": [cursor] if text else []},
    }


def _labels(run: BracketRun, length: int) -> list[str]:
    """The count at each "?", left out where the next label would stand on it."""
    asked = run.questions
    room = np.diff(asked, append=asked[-1:] + length)
    return [number(c) if gap >= length / 12 else "" for c, gap in zip(run.c[asked], room, strict=True)]


def _count_window(depth: np.ndarray) -> tuple[float, float]:
    """Room for the count whatever the forget bias: it never falls or rises further than the depth does in one go."""
    depth = np.concatenate([[0], depth])
    fall = np.max(np.maximum.accumulate(depth) - depth)
    rise = np.max(depth - np.minimum.accumulate(depth))
    return -max(1.0, float(fall)), max(_LEAST_DEPTH, float(rise)) + 1.0


@dataclass(frozen=True)
class CountAxis(Axis):
    """The window of the count follows the text, and with it that of the characters; no other setting moves them."""

    text: ColumnDataSource | None = None

    def go_home(self, preset: Preset) -> None:
        self._show(self.text.data["depth"])

    def follow(self, columns: Mapping[str, Columns]) -> None:
        depth = columns["text"]["depth"]
        if not np.array_equal(depth, self.text.data["depth"]):
            self._show(depth)

    def _show(self, depth: np.ndarray) -> None:
        self.figure.x_range.update(start=0.5, end=max(1, len(depth)) + 0.5)
        self.set_window(_count_window(depth))

    def _finite(self, columns: Columns) -> np.ndarray:
        """What "fit" brings into view: the count, and the true depth beside it."""
        return np.concatenate([super()._finite(columns), self.text.data["depth"]])


def plots(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> list[Plot]:
    """The four figures on one x axis: the characters of the text."""
    text = sources["text"]
    x_range = Range1d(0, 1)
    ruler = {
        "ticker": SingleIntervalTicker(interval=1, num_minor_ticks=0),
        "major_label_policy": NoOverlap(min_distance=1),
        "major_tick_in": 0,
        "major_tick_out": 0,
    }

    def over_text(y_label: str, **options) -> figure:
        plot = new_figure("", y_label, x_range=x_range, min_border_left=_LEFT_BORDER, **options)
        plot.xaxis.update(**ruler)
        plot.xaxis.formatter = CustomJSTickFormatter(code=_CHARACTER_JS, args={"text": text, "plot": plot})
        plot.xgrid.visible = False
        return plot

    made = [
        _count_plot(over_text("count", y_range=(0, 1)), sources),
        _gates_plot(over_text("gate", y_range=(0.5, len(_ROWS) + 0.5)), sources),
        _forget_plot(over_text("product"), sources["product"], window),
        _rival_plot(over_text("state", y_range=_RIVAL_WINDOW), sources["rival"]),
    ]
    for plot in made:
        draw(plot.figure, sources["cursor"], VSpan(x="t", line_width=2, line_dash="dotted"), "reference")
    return made


def _count_plot(plot: figure, sources: Mapping[str, ColumnDataSource]) -> Plot:
    draw(
        plot, sources["text"], Step(x="t", y="depth", mode="center", line_width=1.5), "reference", pinned=True
    )
    draw(plot, sources["cell"], Step(x="t", y="c", mode="center", line_width=3.5), "cell", pinned=True)
    draw(plot, sources["questions"], Scatter(x="t", y="c", marker="diamond", size=15), "cell")
    label = Text(
        x="t", y="c", text="label", x_offset=-8, y_offset="shift",
        text_align="right", text_baseline="middle", text_font_size=TEXT_SIZE,
    )  # fmt: skip
    draw(plot, sources["questions"], label, "cell")
    add_hover(
        plot,
        _points(plot, sources["cell"], "c"),
        [Row("step", "t"), Row("cell c", "c", EXACT), Row("read-out h", "h", EXACT)],
    )
    legend = [
        Key("cell state c", "cell", 3.5),
        Key("true depth", "reference", 1.5),
        Key("c at a “?”", "cell", marker="◆"),
        Key("cursor", "reference", 2, "dotted"),
    ]
    axis = CountAxis(plot, "cell", ["c"], (0, 1), text=sources["text"])
    return Plot(plot, "Count", "What the cell holds, character by character.", legend, axis, share=0.62)


def _points(plot: figure, source: ColumnDataSource, y: str) -> GlyphRenderer:
    """Points that are not seen: Bokeh finds no step under the pointer."""
    return draw(plot, source, Scatter(x="t", y=y, size=8, fill_alpha=0, line_alpha=0), "reference")


def _gates_plot(plot: figure, sources: Mapping[str, ColumnDataSource]) -> Plot:
    plot.yaxis.ticker = FixedTicker(ticks=list(_ROWS.values()))
    plot.yaxis.major_label_overrides = {row: gate for gate, row in _ROWS.items()}
    plot.ygrid.visible = False
    tile = {"x": "t", "width": 0.9, "line_alpha": 0.3}
    written = draw(plot, sources["gates"], Rect(y="y", height="height", fill_alpha="size", **tile), "lstm")
    forget = draw(plot, sources["cell"], Rect(y=_ROWS["f"], height=_TILE, fill_alpha="f", **tile), "lstm")
    add_hover(plot, written, [Row("step", "t"), Row("value", "value", EXACT)], mode="mouse")
    add_hover(plot, forget, [Row("step", "t"), Row("forget gate f", "f", EXACT)], mode="mouse")
    description = (
        "Input i, forget f, output o: filled at 1, empty at 0. Candidate g: upper half +1, lower half −1."
    )
    return Plot(plot, "Gates", description, share=0.38)


def _forget_plot(plot: figure, source: ColumnDataSource, window: tuple[float, float]) -> Plot:
    log = add_log_curves(plot, source, "t", [_FORGET], window, width_share=HALF)
    add_hover(plot, plot.renderers[0], [Row("step", "t"), *log_rows([_FORGET])])
    description = "What is left of a count held before the text."
    return Plot(plot, "Forget product", description, keys([_FORGET]), log, staged=False, share=0.8)


def _rival_plot(plot: figure, source: ColumnDataSource) -> Plot:
    draw(plot, source, Step(x="t", y="rnn", mode="center", line_width=3), "tanh", pinned=True)
    add_hover(plot, _points(plot, source, "rnn"), [Row("step", "t"), Row("h", "rnn", EXACT)])
    legend = [Key("h = tanh(w·h + x)", "tanh", 3)]
    description = "One tanh unit on the same text."
    axis = Axis(plot, source.name, ["rnn"], _RIVAL_WINDOW)
    return Plot(plot, "Tanh rival", description, legend, axis, staged=False, share=0.8)
