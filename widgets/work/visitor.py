"""A visitor as an engine knows it: who it is, when to look again, and how to hand over a file."""

import base64
from collections.abc import Callable

from panel.io.state import state

from widgets.work.pace import soon


class SessionVisitor:
    """The visitor whose page is being opened; `show` and `send` are what that page does."""

    def __init__(self, show: Callable[[], None], send: Callable[[dict], None]):
        self._document = state.curdoc
        self._send = send
        self.show = show

    @property
    def key(self) -> str:
        """Which session this is."""
        return self._document.session_context.id

    def soon(self, work: Callable[[], None]) -> None:
        """Do `work` in this session, soon, whoever calls from the server's loop."""
        soon(self._document, work)

    def send_file(self, name: str, data: bytes) -> None:
        """Give the visitor a file to keep."""
        self._send({"file": name, "base64": base64.b64encode(data).decode()})
