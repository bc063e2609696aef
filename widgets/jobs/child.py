"""What a worker process runs: one turn after another, as the server sends them.

    python -m widgets.jobs.child MODULE:FUNCTION

Orders come through its standard input, answers go through its standard output. The process ends when the
server closes the pipe or is itself no more.
"""

import contextlib
import importlib
import json
import math
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from typing import BinaryIO

from widgets.jobs.messages import read, write
from widgets.jobs.turn import Outcome, Stop

_NICENESS = 19
_REPORT_INTERVAL = 0.05
"""Seconds between two messages with records: more often, no screen shows them and the server's loop is busy."""
_LAST_MOMENTS = 0.1
"""Seconds in which a unit of work may come to its end once its turn is cut short."""
LONGEST_RECORD = 50_000
"""Characters of one record as JSON."""


class Orders:
    """What the server asks for: turns, and that the present one be cut short."""

    def __init__(self, stream: BinaryIO):
        self.turns: queue.SimpleQueue[tuple[dict, bytes]] = queue.SimpleQueue()
        self.cut = math.inf
        """When it was asked that the present turn be cut short."""
        threading.Thread(target=self._listen, args=(stream,), daemon=True).start()

    def _listen(self, stream: BinaryIO) -> None:
        while (order := read(stream)) is not None:
            head, payload = order
            if head["ask"] == "turn":
                self.cut = math.inf
                self.turns.put((head, payload))
            else:
                self.cut = time.monotonic()
        # Whatever the turn is at, nobody waits for it any more.
        os._exit(0)

    def stop_after(self, seconds: float) -> Stop:
        """The `stop` of a turn that begins now."""
        return _TimedStop(self, time.monotonic() + seconds)


class _TimedStop:
    """True from the `end` on, and once the turn is to be cut short; then a unit may still come to its own end."""

    def __init__(self, orders: Orders, end: float):
        self._orders, self._end = orders, end

    def __call__(self) -> bool:
        return time.monotonic() >= min(self._end, self._orders.cut)

    def at_once(self) -> bool:
        return time.monotonic() >= self._orders.cut + _LAST_MOMENTS


class Reporter:
    """Gathers the records of a turn, and sends them a few times a second."""

    def __init__(self, stream: BinaryIO):
        self._stream = stream
        self._lines: list[str] = []
        self._sent = float("-inf")

    def report(self, kind: str, record: Mapping) -> None:
        line = json.dumps([kind, record])
        if len(line) > LONGEST_RECORD:
            raise ValueError(f"record must have at most {LONGEST_RECORD} characters as JSON, got {len(line)}")
        self._lines.append(line)
        if time.monotonic() - self._sent >= _REPORT_INTERVAL:
            self.flush()

    def flush(self) -> None:
        if self._lines:
            write(self._stream, {"tell": "records"}, f"[{','.join(self._lines)}]".encode())
        self._lines.clear()
        self._sent = time.monotonic()


def main(path: str) -> None:
    """Serve turns of the function at `path` ("module:function") for as long as the server lives."""
    _give_way()
    orders_stream, answers = _take_pipes()
    orders = Orders(orders_stream)
    turn = find(path)
    with contextlib.suppress(BrokenPipeError):
        write(answers, {"tell": "ready"})
        while True:
            order, payload = orders.turns.get()
            reporter = Reporter(answers)
            outcome = _take_turn(turn, payload, order["note"], reporter, orders.stop_after(order["seconds"]))
            if outcome is None:
                write(answers, {"tell": "error"})
            else:
                head = {"tell": "done", **outcome._asdict()}
                write(answers, head, head.pop("checkpoint"))


def find(path: str) -> Callable:
    """The function named by "module:function"."""
    module, _, function = path.partition(":")
    return getattr(importlib.import_module(module), function)


def _take_turn(
    turn: Callable, payload: bytes, note: Mapping, reporter: Reporter, stop: Stop
) -> Outcome | None:
    """One turn with its records sent; None if it met an error."""
    try:
        outcome = turn(payload, note, reporter.report, stop)
        if not isinstance(outcome, Outcome):
            raise TypeError(f"a turn must return an Outcome, got {outcome!r:.100}")
        reporter.flush()
    except BrokenPipeError:
        raise
    except Exception:
        traceback.print_exc()
        return None
    return outcome


def _give_way() -> None:
    """Leave the processor to the server, and the keyboard's interrupt too: the closed pipe is the sign to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # Windows: the server sets it
        os.nice(_NICENESS)


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The two pipes, out of the way of a turn that prints or asks: that goes to the log, and gets no answer."""
    orders, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return orders, answers


if __name__ == "__main__":
    main(sys.argv[1])
