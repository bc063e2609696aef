"""What the cells take on this server: measured once in a process beside it, kept, and shown to every visitor."""

import asyncio
import json
from collections.abc import Callable, Mapping
from functools import cache

from core.cells import PARTS
from widgets.base.engine import Visitor
from widgets.cost.stopwatch import KIND, WIDTHS
from widgets.jobs.process import Loop, Process

Times = Mapping[str, tuple[float, ...]]
"""Seconds of one step by cell, at each of the stopwatch's widths."""


class Measurement:
    """Begun by the first visitor; `times` once it is there, `failed` if it will never be."""

    def __init__(self, loop: Loop):
        self.times: Times | None = None
        self.failed = False
        self._waiting: list[Callable[[], None]] = []
        self._seconds: dict[tuple[str, int], float] = {}
        self._process = Process("widgets.cost.stopwatch:turn", loop, self._hear, self._ended)
        self._process.send({"ask": "turn", "note": {}, "seconds": 0})

    @property
    def over(self) -> bool:
        return self.failed or self.times is not None

    def tell(self, listener: Callable[[], None]) -> None:
        """Call the listener when the measurement is over."""
        self._waiting.append(listener)

    def forget(self, listener: Callable[[], None]) -> None:
        """Its visitor has left."""
        if listener in self._waiting:
            self._waiting.remove(listener)

    def _hear(self, head: Mapping, blob: bytes) -> None:
        if head["tell"] == "records":
            for kind, record in json.loads(blob):
                if kind == KIND:
                    self._seconds[record["cell"], record["width"]] = record["seconds"]
        elif head["tell"] in ("done", "error"):
            self._process.close()

    def _ended(self, code: int | None) -> None:
        wanted = {cell: [(cell, width) for width in WIDTHS] for cell in PARTS}
        self.failed = any(key not in self._seconds for keys in wanted.values() for key in keys)
        if not self.failed:
            self.times = {cell: tuple(self._seconds[key] for key in keys) for cell, keys in wanted.items()}
        waiting, self._waiting = self._waiting, []
        for listener in waiting:
            listener()


@cache
def measurement() -> Measurement:
    """That of this server."""
    return Measurement(asyncio.get_running_loop())


class MeasuringEngine:
    """Gives the lab what was measured: at once if it is there, else when it comes."""

    def __init__(self, lab, visitor: Visitor):
        self._lab, self._visitor = lab, visitor
        self._measurement = measurement()
        if self._measurement.over:
            self._take()
        else:
            self._measurement.tell(self._over)

    def act(self, name: str, message: Mapping) -> None:
        """There is nothing to press."""

    def settings_changed(self) -> None:
        """What was measured does not depend on them."""

    def close(self) -> None:
        self._measurement.forget(self._over)

    def _over(self) -> None:
        self._take()
        self._visitor.soon(self._visitor.show)

    def _take(self) -> None:
        self._lab.times, self._lab.unmeasured = self._measurement.times, self._measurement.failed
