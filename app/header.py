"""The header: name, navigation over the labs, theme toggle, "copy link"; and the browser's history."""

from collections.abc import Callable
from pathlib import Path

import param
from panel.custom import JSComponent

_HERE = Path(__file__).parent
_STYLE = (_HERE.parent / "assets" / "styles" / "header.css").read_text(encoding="utf-8")


class Header(JSComponent):
    """`address` is `{lab, title, search, share, push}`: what the page shows, and where that can be found again.

    A change with `push` adds to the history, any other replaces its last entry.
    """

    labs = param.List(default=[])
    address = param.Dict(default={})
    missing = param.List(default=[], doc="Notices to show above the list of labs; empty where a lab is open.")

    _esm = (_HERE / "header.js").read_text(encoding="utf-8")
    _render_policy = "manual"

    def __init__(self, on_visit: Callable[[dict], None], **params):
        super().__init__(stylesheets=[_STYLE], sizing_mode="stretch_width", **params)
        self._on_visit = on_visit

    def _handle_msg(self, message: dict) -> None:
        """`{"lab": slug}` for a click in the navigation, `{"search": …}` for Back and Forward."""
        self._on_visit(message)
