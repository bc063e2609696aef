"""One turn at a time for a worker process: begun, cut short, timed, and given up where nothing comes of it."""

import json
from collections.abc import Callable, Mapping

from widgets.jobs.job import Turn
from widgets.jobs.limits import Limits
from widgets.jobs.process import Loop, Process, Timer
from widgets.jobs.turn import Outcome

_GO_ON = "What it had saved last is kept: start again to go on from there."
ERROR = f"The computation met an error, which the server’s log holds. {_GO_ON}"
NO_START = f"The server could not start a process for this computation; its log says why. {_GO_ON}"


class Worker:
    """A process with the turn it is at. `freed(worker)` is called when it is ready for one, or has ended."""

    def __init__(self, turn: str, loop: Loop, limits: Limits, freed: Callable[["Worker"], None]):
        self.alive, self.ready = True, False
        self.turn: Turn | None = None
        self._loop, self._limits, self._freed = loop, limits, freed
        self._timer: Timer | None = None
        self._asked_to_stop = False
        self.process = Process(turn, loop, self._hear, self._ended)
        self._after(limits.patience, self.process.kill)

    @property
    def idle(self) -> bool:
        return self.alive and self.ready and self.turn is None

    def begin(self, turn: Turn, checkpoint: bytes, note: Mapping, seconds: float) -> None:
        """Let the process take a turn of this length; 0 is one unit of work."""
        self.turn, self._asked_to_stop = turn, False
        self.process.send({"ask": "turn", "seconds": seconds, "note": note}, checkpoint)
        patience = self._limits.patience
        stuck = f"One step took longer than {patience:g} seconds, so its process was ended. {_GO_ON}"
        self._after(seconds + patience, self._kill, stuck)

    def cut_short(self) -> None:
        """Ask for the turn's checkpoint now; after the grace the process is ended."""
        if self.turn and not self._asked_to_stop:
            self._asked_to_stop = True
            self.process.send({"ask": "stop"})
            self._after(self._limits.grace, self._kill)

    def _kill(self, fault: str = "") -> None:
        """End process and turn. The job does not wait for the process, which may be slow to end on a busy machine."""
        self.alive = False
        self.process.kill()
        self._lose(fault)

    def _hear(self, head: dict, blob: bytes) -> None:
        if not self.alive:
            return
        if head["tell"] == "records":
            self.turn.take_records(json.loads(blob))
            return
        self.ready = True
        if head["tell"] == "error":
            self._lose(ERROR)
        else:
            turn = self._lay_down()
            if head["tell"] == "done":
                turn.take_outcome(Outcome(blob, head["finished"], head["failure"], head["broken_off"]))
        self._freed(self)

    def _ended(self, code: int | None) -> None:
        self.alive = False
        self._lose(f"The process of this computation has ended (code {code}). {_GO_ON}")
        self._freed(self)

    def _lose(self, fault: str) -> None:
        turn = self._lay_down()
        if turn:
            turn.lose(fault)

    def _lay_down(self) -> Turn | None:
        turn, self.turn = self.turn, None
        self._stop_timer()
        return turn

    def _after(self, seconds: float, work: Callable, *args) -> None:
        """One timer: the last request counts."""
        self._stop_timer()
        self._timer = self._loop.call_later(seconds, work, *args)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
