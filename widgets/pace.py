"""Merging by load: an idle server answers at once, a busy one answers the newest request only."""

import time
from collections.abc import Callable

from panel.io.state import state

FRAME = 0.015
"""Seconds between two answers that a screen can show one after the other."""


class Pace:
    """Calls `work` at most once per `interval` seconds; the last request is always served."""

    def __init__(self, work: Callable[[], None], interval: float = FRAME):
        self._work = work
        self._interval = interval
        self._waiting = False
        self._last = float("-inf")

    def request(self) -> None:
        """Work now if the interval has passed, else once it has."""
        if self._waiting:
            return
        rest = self._last + self._interval - time.monotonic()
        if rest <= 0 or not _has_loop():
            self._run()
        else:
            self._waiting = True
            _later(self._run, rest)

    def _run(self) -> None:
        self._waiting = False
        self._work()
        self._last = time.monotonic()


class Quiet:
    """Calls `work` once no request has come for `interval` seconds."""

    def __init__(self, work: Callable[[], None], interval: float = 0.3):
        self._work = work
        self._interval = interval
        self._waiting = False
        self._last = 0.0

    def request(self) -> None:
        self._last = time.monotonic()
        if not _has_loop():
            self._work()
        elif not self._waiting:
            self._waiting = True
            _later(self._look, self._interval)

    def _look(self) -> None:
        rest = self._last + self._interval - time.monotonic()
        if rest > 0.001:
            _later(self._look, rest)
        else:
            self._waiting = False
            self._work()


def _later(work: Callable[[], None], seconds: float) -> None:
    """Run `work` on the document's own loop."""
    state.curdoc.add_timeout_callback(work, max(1, round(1000 * seconds)))


def _has_loop() -> bool:
    """Whether a visitor's session can call back later; in a test without a browser none can."""
    return state.curdoc is not None and state.curdoc.session_context is not None
