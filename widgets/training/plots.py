"""The pictures of the training lab: the loss, the gradient's norm, agreement by distance, ρ and σ_max, and a count.

A legend is whole before its curves have begun: one that grew would push its figure down while the class looks at it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from bokeh.models import BasicTicker, ColumnDataSource, Line, Range1d, Rect, Scatter, Step, Text, VSpan
from bokeh.plotting import figure

from core.agreement import LONGEST
from widgets.base.frame import Columns
from widgets.figures.axis import Axis
from widgets.figures.hover import EXACT, Row, add_hover
from widgets.figures.log_axis import Curve, Key, add_log_curves, keys, log_rows
from widgets.figures.marks import add_marks
from widgets.figures.plot import Plot
from widgets.figures.style import TEXT_SIZE, draw, new_figure
from widgets.training.snapshot import MEAN_OF

STAGE = ("Loss", "Gradient")
STAGES = {
    "agreement": ("Loss", "Agreement by distance", "Learnt when"),
    "brackets": ("Loss", "Two counters"),
}
"""By corpus, the figures that stand beside the controls: those in which its question is answered."""
TESTED_SHARES = {"Loss": 0.4, "Agreement by distance": 0.6, "Learnt when": 0.6}
"""Shares of the window's height while the tests of agreement stand side by side under the loss."""
_CELL_ROLES = {"rnn": ("tanh RNN", "tanh"), "lstm": ("LSTM", "lstm"), "gru": ("GRU", "gru")}
_LOSS_WINDOW = (0.0, 4.0)
_SHARE_WINDOW = (-0.03, 1.05)
_DISTANCES = (0.0, LONGEST + 2.0)
_LABEL_AT = 0.1
"""Share of right endings at which the label of K stands: hardly a curve comes down there."""
_PALE = 0.6
_SHADES = {"½ right, or fewer": 0.5, "⅝": 0.625, "¾": 0.75, "⅞": 0.875, "all right": 1.0}
"""Shares of right endings in the legend of their shades."""
_RADIUS_WINDOW = (0.0, 4.0)
_COUNT_WINDOW = (-1.5, 6.5)
_LEFT_BORDER = 84
"""Pixels, the same for both upper figures, so that a step stands above itself."""
_NORM_CURVES = tuple(
    Curve(cell, f"norm, {label}", role, width=1.5) for cell, (label, role) in _CELL_ROLES.items()
)
_DIVERGED = {"diverged": "diverged"}
_MEAN_NORM = Curve("mean", "running mean", "reference", width=2.5, dash="dashed", pinned=False)


class StepAxis(Axis):
    """The loss, over as many steps as the run is to make; every figure over steps has its range."""

    def follow(self, columns: Mapping[str, Columns]) -> None:
        self.figure.x_range.update(start=0, end=1.02 * columns["levels"]["step"][-1])


class TextAxis(Axis):
    """Over the characters of the text that is looked at, and as high as what is counted there."""

    def follow(self, columns: Mapping[str, Columns]) -> None:
        counts = columns["counts"]
        self.figure.x_range.update(start=0.5, end=max(1, len(counts["t"])) + 0.5)
        values = self._finite(counts)
        if values.size:
            self.set_window((np.floor(values.min()) - 0.5, np.ceil(values.max()) + 1.2))


def plots(sources: Mapping[str, ColumnDataSource], norms: tuple[float, float]) -> Sequence[Plot]:
    loss = _loss(sources)
    return [
        loss,
        _norm(sources, loss.figure.x_range, norms),
        _agreement(sources),
        _learnt(sources["learnt"], loss.figure.x_range),
        _spectrum(sources, loss.figure.x_range),
        _count(sources["counts"], sources["follower"]),
    ]


def _cell_lines(
    plot: figure, source: ColumnDataSource, x: str, width: float, known: str, markers: bool = False
) -> list[Key]:
    """A curve for each kind of cell, of which one has numbers; the source `known` says which before it has any."""
    made = []
    for cell, (label, role) in _CELL_ROLES.items():
        draw(plot, source, Line(x=x, y=cell, line_width=width), role, pinned=True)
        if markers:
            draw(plot, source, Scatter(x=x, y=cell, size=5), role)
        made.append(Key(label, role, width, column=cell, source=known))
    return made


def _mark_divergence(plot: figure, source: ColumnDataSource) -> None:
    """A line where a step was not finite; its word stands at the upper edge, so that the legend need not grow."""
    draw(plot, source, VSpan(x="diverged", line_width=1.5), "reference")
    # Unseen, and wide enough for a hand.
    about = draw(plot, source, VSpan(x="diverged", line_width=16, line_alpha=0), "reference")
    add_hover(plot, about, [Row("training diverged at step", "diverged")], "mouse")


def _over_steps(x_label: str | None, y_label: str, **options) -> figure:
    """A figure over the steps; of two that stand on each other the lower one says so for both."""
    return new_figure(x_label, y_label, min_border_left=_LEFT_BORDER, **options)


def _loss(sources: Mapping[str, ColumnDataSource]) -> Plot:
    plot = _over_steps(None, "nats", x_range=Range1d(0, 1), y_range=_LOSS_WINDOW)
    plot.yaxis.ticker = BasicTicker(desired_num_ticks=5, num_minor_ticks=0)
    levels = sources["levels"]
    draw(plot, levels, Line(x="step", y="start", line_width=2, line_dash="dotted"), "bound")
    draw(plot, levels, Line(x="step", y="entropy", line_width=1.5, line_dash="dotdash"), "reference")
    each = draw(plot, sources["loss"], Line(x="step", y="loss", line_width=1, line_alpha=0.5), "linear")
    add_hover(plot, each, [Row("step", "step"), Row("loss", "loss", EXACT)])
    means = _cell_lines(plot, sources["loss"], "step", 3, "levels")
    _mark_divergence(plot, sources["loss"])
    draw(plot, sources["fresh"], Scatter(x="step", y="loss", size=9, marker="diamond"), "input")
    legend = [
        *(replace(key, label=f"running mean, {key.label}") for key in means),
        Key("each step", "linear", 1),
        Key("fresh text", "input", marker="◆", column="entropy", source="levels"),
        Key("ln V, guessing", "bound", 2, "dotted", column="start", source="levels"),
        Key("the corpus’s entropy", "reference", 1.5, "dotdash", column="entropy", source="levels"),
    ]
    roles = {cell: role for cell, (_, role) in _CELL_ROLES.items()} | {"loss": "linear"}
    names = dict.fromkeys(_CELL_ROLES, "mean") | {"loss": "each step"}
    marks = add_marks(
        plot, "step", roles, peaks=True, broken=_DIVERGED, names=names, beside=("start", "entropy")
    )
    axis = StepAxis(plot, "loss", ["loss", "entropy"], _LOSS_WINDOW, marks)
    description = (
        f"Nats per character, before the step is made; the running mean is of up to {MEAN_OF} steps."
    )
    return Plot(plot, "Loss", description, legend, axis, share=0.57)


def _norm(sources: Mapping[str, ColumnDataSource], steps: Range1d, window: tuple[float, float]) -> Plot:
    plot = _over_steps("step", "norm", x_range=steps)
    curves = (*_NORM_CURVES, _MEAN_NORM)
    names = dict.fromkeys(_CELL_ROLES, "each step") | {"mean": "mean"}
    log = add_log_curves(
        plot, sources["norm"], "step", curves, window, peaks=True, broken=_DIVERGED, names=names
    )
    add_hover(plot, plot.renderers[-1], [Row("step", "step"), *log_rows([_MEAN_NORM])])
    draw(plot, sources["clip"], Line(x="step", y="level", line_width=2, line_dash="dotted"), "bound")
    _mark_divergence(plot, sources["norm"])
    legend = [
        *(replace(key, source="levels") for key in keys(_NORM_CURVES)),
        *(replace(key, column="") for key in keys([_MEAN_NORM])),
        Key("clip norm", "bound", 2, "dotted", column="level", source="clip"),
    ]
    return Plot(plot, "Gradient", "Before clipping, of all weights together.", legend, log, share=0.43)


def _agreement(sources: Mapping[str, ColumnDataSource]) -> Plot:
    plot = new_figure("distance, in characters", "share right", y_range=_SHARE_WINDOW, x_range=_DISTANCES)
    plot.yaxis.ticker = BasicTicker(desired_num_ticks=3, num_minor_ticks=0)
    earlier = Line(x="distance", y="accuracy", line_width=4, line_dash="dashed", line_alpha=_PALE)
    draw(plot, sources["earlier"], earlier, "linear")
    cells = _cell_lines(plot, sources["agreement"], "distance", 2.5, "chance", markers=True)
    # Upon the others, which lie on it for as long as nothing has been learnt.
    chance = Line(x="distance", y="half", line_width=1.5, line_dash="dotdash")
    draw(plot, sources["chance"], chance, "reference")
    reach = draw(plot, sources["reach"], VSpan(x="distance", line_width=2, line_dash="dotted"), "bound")
    label = Text(
        x="label_at", y=_LABEL_AT, text="label", text_align="align", x_offset="aside", text_baseline="middle",
        text_font_size=TEXT_SIZE,
    )  # fmt: skip
    draw(plot, reach.data_source, label, "bound")
    known = {"column": "half", "source": "chance"}
    legend = [
        *cells,
        Key("half-way", "linear", 4, "dashed", alpha=_PALE, **known),
        Key("chance", "reference", 1.5, "dotdash", **known),
        Key("K", "bound", 2, "dotted", **known),
    ]
    axis = Axis(plot, "agreement", list(_CELL_ROLES), _SHARE_WINDOW)
    description = "Endings got right in fresh sentences, by how far back the noun stands."
    return Plot(
        plot, "Agreement by distance", description, legend, axis, half=True, optional=True, share=0.47
    )


def _learnt(source: ColumnDataSource, steps: Range1d) -> Plot:
    plot = new_figure("step", "distance", x_range=steps, y_range=_DISTANCES)
    tile = Rect(x="step", y="distance", width="width", height=1, fill_alpha="above_chance", line_alpha=0)
    tiles = draw(plot, source, tile, "followed")
    add_hover(
        plot, tiles, [Row("distance", "distance"), Row("share of right endings", "accuracy", EXACT)], "mouse"
    )
    legend = [
        Key(label, "followed", marker="■" if share > 0.5 else "□", alpha=2 * share - 1 if share > 0.5 else 1,
            column="half", source="chance")
        for label, share in _SHADES.items()
    ]  # fmt: skip
    description = "Each test as a column: near dependencies are learnt first, and some are never reached."
    return Plot(plot, "Learnt when", description, legend, half=True, optional=True, share=0.47)


def _spectrum(sources: Mapping[str, ColumnDataSource], steps: Range1d) -> Plot:
    plot, source = new_figure("step", "of U", x_range=steps, y_range=_RADIUS_WINDOW), sources["spectrum"]
    draw(plot, sources["levels"], Line(x="step", y="one", line_width=1.5, line_dash="dotdash"), "reference")
    draw(plot, source, Line(x="step", y="singular", line_width=2.5, line_dash="dashed"), "bound", pinned=True)
    radius = draw(plot, source, Line(x="step", y="radius", line_width=2.5), "tanh", pinned=True)
    add_hover(plot, radius, [Row("step", "step"), Row("ρ", "radius", EXACT), Row("σ_max", "singular", EXACT)])
    legend = [
        Key("spectral radius ρ", "tanh", 2.5, column="one", source="levels"),
        Key("σ_max", "bound", 2.5, "dashed", column="one", source="levels"),
        Key("1, where both begin", "reference", 1.5, "dotdash", column="one", source="levels"),
    ]
    marks = add_marks(plot, "step", {"radius": "tanh", "singular": "bound"}, peaks=True)
    axis = Axis(plot, "spectrum", ["radius", "singular"], _RADIUS_WINDOW, marks)
    description = "Of a tanh RNN’s recurrent matrix U, which starts orthogonal."
    return Plot(plot, "Recurrent matrix", description, legend, axis, wide=True, optional=True)


def _count(source: ColumnDataSource, follower: ColumnDataSource) -> Plot:
    plot = new_figure("character", "open brackets", x_range=Range1d(0, 1), y_range=_COUNT_WINDOW)
    draw(plot, source, Step(x="t", y="depth", mode="center", line_width=1.5), "reference")
    draw(plot, source, Step(x="t", y="wired", mode="center", line_width=3, line_dash="dashed"), "cell")
    draw(plot, source, Step(x="t", y="trained", mode="center", line_width=2, line_dash="dotdash"), "followed")
    which = Text(x="t", y="y", text="label", x_offset=6, text_baseline="middle", text_font_size=TEXT_SIZE)
    draw(plot, follower, which, "followed")
    points = draw(plot, source, Scatter(x="t", y="depth", size=8, fill_alpha=0, line_alpha=0), "reference")
    cells = [Row("hand-wired", "wired", EXACT), Row("trained", "trained", EXACT)]
    add_hover(plot, points, [Row("character", "t"), Row("depth", "depth"), *cells])
    legend = [
        Key("true depth", "reference", 1.5, column="depth", source="counts"),
        Key("hand-wired cell", "cell", 3, "dashed", column="wired", source="counts"),
        Key(
            "trained cell, read on the best scale",
            "followed",
            2,
            "dotdash",
            column="trained",
            source="counts",
        ),
    ]
    axis = TextAxis(plot, "counts", ["depth", "wired", "trained"], _COUNT_WINDOW)
    description = (
        "Where brackets are read: the counter wired by hand, and the trained cell that follows it best."
    )
    return Plot(plot, "Two counters", description, legend, axis, wide=True, optional=True, share=0.37)
