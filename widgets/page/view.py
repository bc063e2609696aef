"""The page of one lab as one component: layout, readouts, chips, tables; it computes nothing."""

from pathlib import Path

import param
from panel.custom import Child, Children

from widgets.page.component import PageComponent, script, style


class LabView(PageComponent):
    """One Bokeh model for all that is text on a lab's page, so that opening and updating it stays cheap.

    `meta` is what never changes, `frame` what every move of a slider changes, `state` what a click changes
    (chips, pins, notices), `tables`, `passages` and `codes` what follows when the settings have come to rest. The frame
    is written as JSON: of a dictionary Bokeh would look into every value, several times at each move.
    """

    meta = param.Dict(default={})
    frame = param.String(default="")
    state = param.Dict(default={})
    tables = param.Dict(default={})
    passages = param.String(default="[]")
    codes = param.String(default="[]")
    controls = Children()
    figures = Children()
    prose = Child()

    _esm = script(
        Path(__file__).parent,
        "formula.js",
        "elements.js",
        "plot_theme.js",
        "picture.js",
        "diagram_plan.js",
        "diagram.js",
        "tables.js",
        "typed_number.js",
        "controls.js",
        "asking.js",
        "run.js",
        "uploads.js",
        "passages.js",
        "codes.js",
        "readouts.js",
        "lab_view.js",
    )

    def __init__(self, on_action, **params):
        super().__init__(
            on_action, stylesheets=[style("lab.css") + style("diagram.css") + style("codes.css")], **params
        )
