"""The page of one lab as one component: layout, readouts, chips, table; it computes nothing."""

from pathlib import Path

import param
from panel.custom import Child, Children, JSComponent

_HERE = Path(__file__).parent
_SCRIPTS = ("plot_theme.js", "picture.js", "lab_view.js")
_STYLE = (_HERE.parent / "assets" / "styles" / "lab.css").read_text(encoding="utf-8")


class LabView(JSComponent):
    """One Bokeh model for all that is text on a lab's page, so that opening and updating it stays cheap.

    `meta` is what never changes, `frame` what every move of a slider changes, `state` what a click
    changes (chips, pins, notices) and `tables` what follows when the settings have come to rest.
    """

    meta = param.Dict(default={})
    frame = param.Dict(default={})
    state = param.Dict(default={})
    tables = param.Dict(default={})
    controls = Children()
    figures = Children()
    prose = Child()

    _esm = "\n".join((_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    _render_policy = "manual"

    def __init__(self, on_action, **params):
        super().__init__(stylesheets=[_STYLE], sizing_mode="stretch_width", **params)
        self._on_action = on_action

    def _handle_msg(self, message: dict) -> None:
        """A click in the page: `{"action": name, …}`."""
        self._on_action(**message)
