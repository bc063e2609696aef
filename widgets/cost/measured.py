"""What the cells take on this server: measured in a process beside it, kept, and shown to every visitor."""

import asyncio
import json
from collections.abc import Callable, Mapping
from functools import cache

from core.cells import PARTS
from widgets.base.engine import Visitor
from widgets.cost.columns import Times
from widgets.cost.stopwatch import BEGUN, KIND, WIDTHS
from widgets.jobs.process import Loop, Process


class Measurement:
    """Begun by the first visitor, and again by whoever asks; what was measured before stands until then.

    `times` is None until there are some, `failed` whether the last attempt came to nothing, and `turn` which of its
    turns the present one is at; None where there is none.
    """

    def __init__(self, loop: Loop):
        self.times: Times | None = None
        self.failed = False
        self.turn: int | None = None
        self._loop = loop
        self._listeners: list[Callable[[], None]] = []
        self.begin()

    def begin(self) -> None:
        """Measure, unless that is under way."""
        if self.turn is not None:
            return
        self.turn, self.failed = 0, False
        self._seconds: dict[tuple[str, int], float] = {}
        self._process = Process("widgets.cost.stopwatch:turn", self._loop, self._hear, self._ended)
        self._process.send({"ask": "turn", "note": {}, "seconds": 0})
        self._tell()

    def tell(self, listener: Callable[[], None]) -> None:
        """Call the listener whenever there is something new."""
        self._listeners.append(listener)

    def forget(self, listener: Callable[[], None]) -> None:
        """Its visitor has left."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    def _tell(self) -> None:
        for listener in list(self._listeners):
            listener()

    def _hear(self, head: Mapping, blob: bytes) -> None:
        if head["tell"] == "records":
            for kind, record in json.loads(blob):
                self._note(kind, record)
        elif head["tell"] in ("done", "error"):
            self._process.close()

    def _note(self, kind: str, record: Mapping) -> None:
        if kind == KIND:
            self._seconds[record["cell"], record["width"]] = record["seconds"]
        elif kind == BEGUN:
            self.turn = record["turn"]
            self._tell()

    def _ended(self, code: int | None) -> None:
        wanted = {cell: [(cell, width) for width in WIDTHS] for cell in PARTS}
        self.turn = None
        self.failed = any(key not in self._seconds for keys in wanted.values() for key in keys)
        if not self.failed:
            self.times = {cell: tuple(self._seconds[key] for key in keys) for cell, keys in wanted.items()}
        self._tell()


@cache
def measurement() -> Measurement:
    """That of this server."""
    return Measurement(asyncio.get_running_loop())


class MeasuringEngine:
    """Gives the lab what was measured, and what becomes of it."""

    def __init__(self, lab, visitor: Visitor):
        self._lab, self._visitor = lab, visitor
        self._measurement = measurement()
        self._measurement.tell(self._changed)
        self._take()

    def act(self, name: str, message: Mapping) -> None:
        if name == "time":
            self._measurement.begin()

    def settings_changed(self) -> None:
        """What was measured does not depend on them."""

    def close(self) -> None:
        self._measurement.forget(self._changed)

    def _changed(self) -> None:
        self._take()
        self._visitor.soon(self._visitor.show)

    def _take(self) -> None:
        found = self._measurement
        self._lab.times, self._lab.unmeasured, self._lab.turn = found.times, found.failed, found.turn
