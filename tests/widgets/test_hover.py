import re

from bokeh.models import ColumnDataSource, HoverTool, Line

from widgets.figures.hover import Row, add_hover, log_row
from widgets.figures.style import draw, new_figure


def test_every_value_is_looked_up_by_its_index_so_that_a_gap_has_a_name():
    plot, source = new_figure("t", "h"), ColumnDataSource({"t": [0], "h": [float("nan")]})
    line = draw(plot, source, Line(x="t", y="h"), "tanh")
    add_hover(plot, line, [Row("step t", "t"), log_row("h_t", "h")])
    hover = next(tool for tool in plot.tools if isinstance(tool, HoverTool))
    assert "@" not in re.sub("<[^>]*>", "", hover.tooltips)
    assert re.findall(r"\$index\{(\w+)\}", hover.tooltips) == ["t", "h"]
    look_up = hover.formatters["$index"]
    assert look_up.args["source"] is source
    assert look_up.args["nothing"] == {"t": "none", "h": "zero, or not finite"}
    assert "h: () => from_log10(it)" in look_up.code
