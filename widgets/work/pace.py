"""Merging by load: an idle server answers at once, a busy one answers the newest request only."""

import asyncio
import time
from collections.abc import Callable

from bokeh.document import Document
from panel.io.state import state

FRAME = 0.015
"""Seconds between two answers that a screen can show one after the other."""
_QUICK = 0.05
"""Answers that follow each other faster than this wait for the browser to have drawn the last."""
_PATIENCE = 0.3
"""Seconds after which a browser that does not report is given up on."""


class Pace:
    """Calls `work` as fast as it can be done and drawn; the last request is always served.

    While answers follow each other quickly, each asks the browser to report when it is drawn (`work` is
    called with True, and `drawn` when the report comes), so that no backlog builds up in a slow browser.
    """

    def __init__(self, work: Callable[[bool], None]):
        self._work = work
        self._waiting = False
        self._asked = False
        self._last = float("-inf")

    def request(self) -> None:
        """Work now if the last answer is drawn, else as soon as it is."""
        if self._waiting:
            return
        passed = time.monotonic() - self._last
        rest = (_PATIENCE if self._asked else FRAME) - passed
        if rest <= 0 or not has_loop():
            self._run()
        else:
            self._waiting = True
            _later(self._run_if_waiting, rest)

    def drawn(self) -> None:
        """The browser reports that it has drawn the last answer."""
        self._asked = False
        self._run_if_waiting()

    def _run_if_waiting(self) -> None:
        if self._waiting:
            self._run()

    def _run(self) -> None:
        self._waiting = False
        self._asked = has_loop() and time.monotonic() - self._last < _QUICK
        self._work(self._asked)
        self._last = time.monotonic()


class Quiet:
    """Calls `work` once no request has come for `interval` seconds."""

    def __init__(self, work: Callable[[], None], interval: float = 0.3):
        self._work = work
        self._interval = interval
        self._timer: asyncio.TimerHandle | None = None

    def request(self) -> None:
        if not has_loop():
            self._work()
            return
        self.cancel()
        # The loop's own timer is moved at no cost; the document's would take the document's lock at each.
        self._timer = asyncio.get_running_loop().call_later(self._interval, soon, state.curdoc, self.flush)

    @property
    def waiting(self) -> bool:
        """Whether there is work that waits for the quiet."""
        return self._timer is not None

    def flush(self) -> None:
        """Do now what waits, if anything does."""
        if self.waiting:
            self.cancel()
            self._work()

    def cancel(self) -> None:
        """Forget what waits."""
        if self._timer:
            self._timer.cancel()
            self._timer = None


def soon(document: Document, work: Callable[[], None]) -> None:
    """Run `work` in the session of a document, from outside it; nothing if its visitor has left meanwhile."""
    if document.session_context:
        document.add_next_tick_callback(work)


def _later(work: Callable[[], None], seconds: float) -> None:
    """Run `work` on the document's own loop."""
    state.curdoc.add_timeout_callback(work, max(1, round(1000 * seconds)))


def has_loop() -> bool:
    """Whether a visitor's session can call back later; in a test without a browser none can."""
    return state.curdoc is not None and state.curdoc.session_context is not None
