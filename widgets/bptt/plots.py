"""The pictures of the BPTT lab: the heat map of losses and steps, sums by lag, walks back, and truncation."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from bokeh.models import (
    ColumnDataSource,
    CustomJSTickFormatter,
    DataRange1d,
    HBar,
    LinearAxis,
    LinearInterpolator,
    NoOverlap,
    Range1d,
    Rect,
    Scatter,
    SingleIntervalTicker,
    TapTool,
    Text,
    VSpan,
)
from bokeh.plotting import figure

from widgets.base.frame import Columns, Preset
from widgets.base.numbers import from_log10, power_of_ten
from widgets.bptt.columns import BEYOND
from widgets.figures.axis import Axis
from widgets.figures.columns import all_sendable
from widgets.figures.hover import EXACT, Row, add_hover, log_row
from widgets.figures.log_axis import HALF, Curve, Key, add_log_curves, keys, log_rows
from widgets.figures.plot import Plot
from widgets.figures.style import TEXT_SIZE, draw, draw_by_role, new_figure

_SUMS = 2
"""Powers of ten by which a sum by lag may lie above its terms: colours end so far below the curves' window."""
_SHADES = 8
_DEPTH = np.linspace(0, 1, 9)
"""Shares of the colour window; paper shows through less than in proportion, so that large sizes stand apart."""
_TRUNCATION_WINDOW = (-0.05, 1.15)
_CELL_CURVES = (
    Curve("rnn", "tanh RNN", "tanh", width=3),
    Curve("lstm", "LSTM", "lstm", width=3),
    Curve("gru", "GRU", "gru", width=3),
)
_CELL_STATE_CURVES = (
    Curve("cell", "LSTM, at c", "cell", width=3, dash="dotdash"),
    Curve("straight", "straight along c", "cell", width=2, dash="dashed"),
    Curve("rest", "the rest", "cell", width=2, dash="dotted"),
)
_PAIR_CURVES = (
    Curve("rnn", "tanh RNN, at h", "tanh", width=3),
    Curve("lstm", "LSTM, at h", "lstm", width=3),
    Curve("cell", "LSTM, at c", "cell", width=3, dash="dotdash"),
)
_WORD_JS = """
const word = text.data[column][tick - 1];
if (word == null) return "";
return `${tick} ${window.innerWidth <= 760 && word.length > 6 ? word.slice(0, 5) + "…" : word}`;
"""
_SIZE_JS = f"Math.abs(it) < {BEYOND:.0f} ? from_log10(it) : it < 0 ? '0' : 'not finite'"


@dataclass(frozen=True)
class HeatAxis(Axis):
    """The colours of the heat map: a window of powers of ten, by the policy of log axes; the text sets its extent."""

    colours: LinearInterpolator | None = None
    scale: ColumnDataSource | None = None
    """The legend: a strip of shades, and the numbers that its ends and its middle stand for."""
    text: ColumnDataSource | None = None

    @property
    def _role(self) -> str:
        """The colour of the strip, which is that of the tiles."""
        return self.scale.data["role"][0]

    @property
    def _shown(self) -> str:
        """What the strip's numbers are of: its title."""
        return self.scale.data["number"][-1]

    def go_home(self, preset: Preset) -> None:
        low, high = preset.window
        self.set_window((low, high - _SUMS))

    def set_window(self, window: tuple[float, float]) -> None:
        low, high = window
        self.colours.x = (low + (high - low) * _DEPTH).tolist()
        self._lay_out(len(self.text.data["n"]), self._role, self._shown)

    def follow(self, columns: Mapping[str, Columns]) -> None:
        steps, role = len(columns["text"]["n"]), next(iter(columns["lags"]["role"]), self._role)
        shown = next(iter(columns["chosen"]["shown"]), "")
        if (steps, role, shown) != (len(self.text.data["n"]), self._role, self._shown):
            self._lay_out(steps, role, shown)

    def fit(self, columns: Columns) -> None:
        """From a whole power of ten below the smallest tile to the next half power above the largest."""
        logs = np.asarray(columns["log10"])
        logs = logs[np.abs(logs) < BEYOND]
        if logs.size:
            high = math.ceil(2 * logs.max()) / 2
            self.set_window((min(math.floor(logs.min()), high - 0.5), high))

    def _lay_out(self, steps: int, role: str, shown: str) -> None:
        """Room for all tiles, and the legend in the corner where no loss has a step: shades, numbers and title."""
        size = max(2, steps)
        self.figure.x_range.update(start=0.5, end=size + 0.5)
        self.figure.y_range.update(start=size + 0.5, end=0.5)
        low, *_, high = self.colours.x
        shares = (np.arange(_SHADES) + 0.5) / _SHADES
        ends = np.array([0.0, 0.5, 1.0])
        left, length = 0.5 + 0.55 * size, 0.45 * size
        texts = len(ends) + 1
        self.scale.data = all_sendable(
            {
                "x": left + length * np.concatenate([shares, ends, [0.0]]),
                "y": 0.5 + size * np.repeat([0.11, 0.175, 0.04], [_SHADES, len(ends), 1]),
                "width": np.repeat([length / _SHADES, 0], [_SHADES, texts]),
                "height": np.repeat([0.05 * size, 0], [_SHADES, texts]),
                "log10": low + (high - low) * np.concatenate([shares, ends, [0.0]]),
                "number": [""] * _SHADES + _scale_numbers(low, high) + [shown],
                "align": [""] * _SHADES + ["left", "center", "right", "left"],
                "role": [role] * (_SHADES + texts),
            }
        )


def _scale_numbers(low: float, high: float) -> list[str]:
    """What both ends of the colours stand for; their middle too if it is a whole power of ten."""
    middle = (low + high) / 2
    return [_power(low), _power(middle) if middle == round(middle) else "", _power(high)]


def _power(exponent: float) -> str:
    """10 to a power: as such if it is whole, as a number if not."""
    if exponent != round(exponent):
        return from_log10(exponent)
    return power_of_ten(round(exponent)) if exponent else "1"


def plots(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Sequence[Plot]:
    """The five figures on the lab's sources."""
    heat = _heat_map(sources)
    return [
        heat,
        _by_lag(sources["lags"], window),
        _walk(sources, heat.figure.x_range, window),
        _truncation(sources),
        _pair(sources, window),
    ]


def _heat_map(sources: Mapping[str, ColumnDataSource]) -> Plot:
    text, tiles = sources["text"], sources["tiles"]
    plot = new_figure(
        "step s, and the word read", "loss t, and its word", x_range=Range1d(0, 1), y_range=Range1d(1, 0)
    )
    _words_on(plot, plot.xaxis, text, "word")
    _words_on(plot, plot.yaxis, text, "next")
    plot.xaxis.major_label_orientation = "vertical"
    plot.grid.visible = False
    colours = LinearInterpolator(x=_DEPTH.tolist(), y=(_DEPTH**1.7).tolist(), clip=False)
    amount = {"field": "log10", "transform": colours}
    tile = Rect(x="s", y="t", width=0.96, height=0.94, fill_alpha=amount, line_alpha=0.45)
    drawn = draw_by_role(plot, tiles, tile, "fill_color", "line_color")
    names = ("x", "y", "width", "height", "log10", "number", "align")
    role = next(iter(sources["lags"].data["role"]), "reference")
    shown = next(iter(sources["chosen"].data["shown"]), "")
    scale = ColumnDataSource({name: [np.nan] for name in names} | {"number": [shown], "role": [role]})
    strip = Rect(x="x", y="y", width="width", height="height", fill_alpha=amount, line_alpha=0.3)
    draw_by_role(plot, scale, strip, "fill_color", "line_color")
    numbers = Text(x="x", y="y", text="number", text_align="align", text_baseline="middle")
    numbers.text_font_size = TEXT_SIZE
    draw(plot, scale, numbers, "reference")
    row = {"left": 0.5, "fill_alpha": 0, "height": 1}
    rows = draw(plot, text, HBar(y="n", right="end", line_alpha=0, **row), "reference")
    rows.nonselection_glyph = None
    chosen = HBar(y="t", right="end", line_width=2.5, **row)
    draw(plot, sources["chosen"], chosen, "reference")
    plot.add_tools(TapTool(renderers=[rows], mode="replace", visible=False))
    rows_shown = [
        _word_row("loss", "t", "next"),
        _word_row("step", "s", "word"),
        Row("size", "log10", _SIZE_JS),
    ]
    add_hover(plot, drawn, rows_shown, "mouse", {"text": text})
    axis = HeatAxis(plot, tiles.name, ["log10"], (0, 1), colours=colours, scale=scale, text=text)
    description = "A row for each loss, a column for each step behind it. Click a loss to follow it."
    legend = [Key("followed", "reference", marker="▭")]
    return Plot(plot, "Losses and steps", description, legend, axis, tap=("text", "loss_step"))


def _half_a_step_wider() -> DataRange1d:
    """The range of the data and half a step more, so that no tick stands where there is nothing."""
    return DataRange1d(range_padding=0.5, range_padding_units="absolute")


def _whole_numbers_on(axis: LinearAxis) -> None:
    axis.ticker = SingleIntervalTicker(interval=1, num_minor_ticks=0)
    axis.major_label_policy = NoOverlap(min_distance=4)


def _words_on(plot: figure, axis: LinearAxis, text: ColumnDataSource, column: str) -> None:
    """The words of the text along an axis, as many as there is room for."""
    _whole_numbers_on(axis)
    axis.major_label_policy.min_distance = 0
    axis.formatter = CustomJSTickFormatter(code=_WORD_JS, args={"text": text, "column": column})


def _word_row(label: str, column: str, words: str) -> Row:
    """A row for the number of a step or a loss, with its word."""
    return Row(label, column, f"`${{it}} “${{text.data.{words}[it - 1]}}”`")


def _by_lag(source: ColumnDataSource, window: tuple[float, float]) -> Plot:
    plot = new_figure("lag t − s", "sum of contributions", x_range=_half_a_step_wider())
    log = add_log_curves(plot, source, "lag", _CELL_CURVES, window, width_share=HALF)
    marks = draw_by_role(plot, source, Scatter(x="lag", y="sum", size=7), "fill_color", "line_color")
    kept = Scatter(x="lag", y="kept", size=15, marker="diamond")
    draw_by_role(plot, source, kept, "fill_color", "line_color", pinned=True)
    add_hover(plot, marks, [Row("lag", "lag"), log_row("sum", "sum"), log_row("kept", "kept")])
    _whole_numbers_on(plot.xaxis)
    legend = [*keys(_CELL_CURVES), Key("kept by truncation", "reference", marker="◆")]
    description = "Contributions to ∂ℒ/∂W_hh, summed over all losses, by how many steps they came back."
    return Plot(plot, "By lag", description, legend, log, staged=False)


def _walk(sources: Mapping[str, ColumnDataSource], steps: Range1d, window: tuple[float, float]) -> Plot:
    source, text = sources["walk"], sources["text"]
    plot = new_figure("step s", "size of the error", x_range=steps)
    _words_on(plot, plot.xaxis, text, "word")
    plot.xaxis.major_label_orientation = "vertical"
    curves = (*_CELL_CURVES, *_CELL_STATE_CURVES)
    log = add_log_curves(plot, source, "s", curves, window, width_share=HALF)
    marks = draw_by_role(plot, source, Scatter(x="s", y="size", size=7), "fill_color", "line_color")
    label = Text(x="x", y="y", text="text", angle=math.pi / 2, y_offset=-9, text_baseline="middle")
    label.text_font_size = TEXT_SIZE
    draw_by_role(plot, sources["factors"], label, "text_color")
    shown = [
        _word_row("step", "s", "word"),
        log_row("error at h_s", "size"),
        Row("factor of the step back", "factor"),
    ]
    add_hover(plot, marks, shown, arguments={"text": text})
    description = (
        "The error of the followed loss at h, and the factor of each step back. In an LSTM also the error at c, "
        "what came to it straight along c, and the rest."
    )
    return Plot(plot, "Walk back", description, keys(curves), log, staged=False)


def _truncation(sources: Mapping[str, ColumnDataSource]) -> Plot:
    source = sources["truncations"]
    plot = new_figure(
        "truncation K", "against the full gradient", x_range=_half_a_step_wider(), y_range=_TRUNCATION_WINDOW
    )
    draw(plot, sources["cut"], VSpan(x="K", line_width=2, line_dash="dashed"), "reference", pinned=True)
    cosine = draw_by_role(
        plot, source, Scatter(x="K", y="cosine", size=10), "fill_color", "line_color", pinned=True
    )
    miss = Scatter(x="K", y="relative_error", size=13, marker="diamond", fill_alpha=0, line_width=2)
    draw_by_role(plot, source, miss, "fill_color", "line_color", pinned=True)
    add_hover(
        plot, cosine, [Row("K", "K"), Row("cosine", "cosine", EXACT), Row("relative error", "relative_error", EXACT)]
    )  # fmt: skip
    _whole_numbers_on(plot.xaxis)
    legend = [
        Key("cosine", "reference", marker="●"),
        Key("relative error", "reference", marker="◇"),
        Key("K", "reference", 2, "dashed"),
    ]
    axis = Axis(plot, source.name, ["cosine", "relative_error"], _TRUNCATION_WINDOW)
    description = "What is lost of ∂ℒ/∂W_hh when it is truncated to K steps, for every K."
    return Plot(plot, "Truncation", description, legend, axis, staged=False)


def _pair(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Plot:
    source, text = sources["pair"], sources["text"]
    plot = new_figure("step s", "size of the error")
    _words_on(plot, plot.xaxis, text, "word")
    log = add_log_curves(plot, source, "s", _PAIR_CURVES, window, width_share=HALF)
    label = Text(x="x", y="y", text="text", y_offset="shift", text_align="center", text_baseline="middle")
    label.text_font_size = TEXT_SIZE
    draw_by_role(plot, sources["pair_factors"], label, "text_color")
    marks = draw(plot, source, Scatter(x="s", y="rnn", size=7), "tanh")
    shown = [_word_row("step", "s", "word"), *log_rows(_PAIR_CURVES)]
    add_hover(plot, marks, shown, arguments={"text": text})
    description = "The error of loss 5 (of the last, in a shorter text) back to step 1, factor by factor."
    return Plot(plot, "Side by side", description, keys(_PAIR_CURVES), log, staged=False)
