"""The figures of the Jacobian lab: curves against k, the eigenvalues of W, and the mean slope of each step."""

from collections.abc import Mapping, Sequence

from bokeh.models import Circle, ColumnDataSource, Line, Scatter, TapTool, VSpan

from widgets.figures.axis import Axis
from widgets.figures.hover import EXACT, Row, add_hover
from widgets.figures.log_axis import Curve, Key, add_log_curves, keys, log_rows
from widgets.figures.plot import Plot
from widgets.figures.style import draw, draw_by_role, new_figure

_CURVES = (
    Curve("linear", "linear ‖W^k‖", "linear", width=9, dash="dashed"),
    Curve("activation", "chosen activation", "tanh", width=5),
    Curve("reference", "ρ^k", "reference", width=1.5),
    Curve("bound", "bound (γσ_max)^k", "bound", width=2.5, dash="dotted"),
    Curve("component", "followed |λ_i|^k", "followed", width=2.5, dash="dotdash"),
)
ROLES_BY_CURVE = {curve.column: curve.role for curve in _CURVES}
POINT_SIZES = {"linear": 22, "activation": 18, "reference": 14, "bound": 11, "component": 8}
"""Of the points at k, so that those of curves that coincide lie as rings within each other."""
_SLOPE_WINDOW = (0, 1.05)
_COMPLEX_JS = "`${it.toFixed(4)} ${at('im') < 0 ? '−' : '+'} ${Math.abs(at('im')).toFixed(4)} i`"


def plots(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Sequence[Plot]:
    """The three figures on the lab's sources."""
    return [_products(sources, window), _plane(sources), _slopes(sources["slopes"])]


def _products(sources: Mapping[str, ColumnDataSource], window: tuple[float, float]) -> Plot:
    plot = new_figure("k, steps back", "size of an error that was 1")
    log = add_log_curves(plot, sources["products"], "k", _CURVES, window)
    add_hover(plot, plot.renderers[0], [Row("k", "k"), *log_rows(_CURVES[:-1])])
    draw(plot, sources["marker"], VSpan(x="k", line_width=1), "reference")
    points = Scatter(x="k", y="y", size="size")
    draw_by_role(plot, sources["marker"], points, "fill_color")
    points.line_color = None
    plot.x_range.range_padding = 0.04
    description = "The most that is left of an error, k steps back from the last."
    legend = [*keys(_CURVES), Key("at k", "reference", marker="◉")]
    return Plot(plot, "Sent back", description, legend, log)


def _plane(sources: Mapping[str, ColumnDataSource]) -> Plot:
    plot = new_figure("real part", "imaginary part", match_aspect=True)
    hollow = {"x": 0, "y": 0, "fill_alpha": 0}
    unit = draw(plot, sources["circles"], Circle(radius=1, line_width=1.5, **hollow), "reference")
    sigma = draw(
        plot,
        sources["circles"],
        Circle(radius="sigma_max", line_width=2.5, line_dash="dotted", **hollow),
        "bound",
    )
    values = draw(plot, sources["eigenvalues"], Scatter(x="re", y="im", size=10), "linear")
    values.nonselection_glyph = None
    draw(plot, sources["followed"], Scatter(x="re", y="im", size=18, marker="diamond"), "followed")
    for axis_range in (plot.x_range, plot.y_range):
        axis_range.renderers = [unit, sigma]
    add_hover(
        plot, values, [Row("eigenvalue", "i"), Row("λ", "re", _COMPLEX_JS), Row("|λ|", "modulus", EXACT)], mode="mouse",
    )  # fmt: skip
    plot.add_tools(TapTool(renderers=[values], mode="replace", visible=False))
    legend = (
        Key("eigenvalue", "linear", marker="●"),
        Key("followed", "followed", marker="◆", column="re", source="followed"),
        Key("unit circle", "reference", 1.5),
        Key("radius σ_max", "bound", 2.5, "dotted"),
    )
    description = "Click an eigenvalue of W to follow it."
    return Plot(plot, "Eigenvalues", description, legend, tap=("eigenvalues", "component"), staged=False)


def _slopes(source: ColumnDataSource) -> Plot:
    plot = new_figure("step t", "mean slope φ′", y_range=_SLOPE_WINDOW)
    line = draw(plot, source, Line(x="t", y="slope", line_width=3), "tanh", pinned=True)
    add_hover(plot, line, [Row("step t", "t"), Row("mean slope", "slope", EXACT)])
    axis = Axis(plot, source.name, ["slope"], _SLOPE_WINDOW)
    description = "Mean over the units at each step, forward in time; an error meets the last step first."
    return Plot(plot, "Slopes", description, axis=axis, staged=False)
