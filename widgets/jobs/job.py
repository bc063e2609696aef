"""A long computation of one visitor: what it has come to, what it has saved last, and what is to happen next."""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from widgets.jobs.limits import RefusedError
from widgets.jobs.records import Records
from widgets.jobs.turn import Outcome

Listener = Callable[["Job"], None]
_log = logging.getLogger(__name__)


class Status(StrEnum):
    """How a job stands."""

    PAUSED = "paused"
    WAITING = "waiting"
    RUNNING = "running"
    PAUSING = "pausing"
    FINISHED = "finished"
    FAILED = "failed"
    STOPPED = "stopped"


class Wish(StrEnum):
    """What the visitor wants to happen next."""

    REST = "rest"
    STEP = "step"
    GO = "go"


class Keeper(Protocol):
    """What a job asks of its pool."""

    def follow(self, job: "Job") -> None:
        """The job's wish has changed."""

    def place(self, job: "Job") -> int | None:
        """Where it stands in the queue, from 1."""

    def attended(self, job: "Job") -> None:
        """Someone looks at it, or nobody does any more."""

    def admit(self, job: "Job", size: int) -> None:
        """Raise RefusedError if the job may not come to hold a checkpoint of this size."""

    def forget(self, job: "Job") -> None:
        """It is never asked for again."""


class Job:
    """One computation. All its methods are called on the server's loop, and none waits."""

    def __init__(self, payload: bytes, owner: str, keeper: Keeper, records: int, about: object = None):
        self.token = secrets.token_urlsafe(16)
        self.owner = owner
        self.payload = payload
        """What it begins from, and where a reset leads back to."""
        self.checkpoint = payload
        """What the last whole turn handed back."""
        self.about = about
        """What whoever finds the job again has to know of it; the pool does not look at it."""
        self.note: Mapping = {}
        """What the next turns are told beside the checkpoint, as JSON can hold it."""
        self.records = Records(records)
        self.message = ""
        """What went wrong, in words for the visitor; empty if nothing did."""
        self.broken_off = False
        """Whether it rests since a unit of work was broken off, which will be done again."""
        self.wish = Wish.REST
        self.turn: Turn | None = None
        self._keeper = keeper
        self._at_rest = Status.PAUSED
        self._units = 0
        self._listeners: list[Listener] = []

    @property
    def status(self) -> Status:
        if self.turn:
            return Status.PAUSING if self.wish is Wish.REST else Status.RUNNING
        return self._at_rest if self.wish is Wish.REST else Status.WAITING

    @property
    def place(self) -> int | None:
        """Where it stands in the queue, from 1; None unless it waits."""
        return self._keeper.place(self)

    @property
    def listeners(self) -> int:
        """How many look at it."""
        return len(self._listeners)

    def attach(self, listener: Listener) -> Callable[[], None]:
        """Call `listener(job)` at each change, on the server's loop, until the function that comes back is called.

        A job that nobody is attached to is forgotten after a while.
        """
        self._listeners.append(listener)
        self._keeper.attended(self)

        def detach() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)
                self._keeper.attended(self)

        return detach

    # What a visitor does

    def start(self) -> None:
        """Begin, or go on from the last checkpoint, also of a job that had finished; one that was stopped stays so."""
        self._begin(Wish.GO)

    def step(self) -> None:
        """Do one unit of work, and rest; while such a unit is under way, one more."""
        self._units = self._units + 1 if self.wish is Wish.STEP else 1
        self._begin(Wish.STEP)

    def pause(self) -> None:
        """Rest, with a checkpoint of the present, as soon as the turn has listened."""
        self._want(Wish.REST)

    def reset(self, payload: bytes | None = None) -> None:
        """Back to the beginning, or to another one, and rest. Raises RefusedError for a payload that is too large."""
        if self._at_rest is Status.STOPPED:
            return
        if payload is not None:
            self._keeper.admit(self, len(payload))
            self.payload = payload
        self._leave_turn()
        self.checkpoint = self.payload
        self.records.clear()
        self._make_ready()
        self._want(Wish.REST)

    def stop(self) -> None:
        """End for good: the token leads here no more, the last checkpoint stays with who holds the job."""
        self._leave_turn()
        self._at_rest = Status.STOPPED
        self._keeper.forget(self)
        self._want(Wish.REST)

    def _begin(self, wish: Wish) -> None:
        if self._at_rest is Status.STOPPED:
            return
        self._make_ready()
        self._want(wish)

    def _make_ready(self) -> None:
        """Forget how it came to rest."""
        self.message, self.broken_off, self._at_rest = "", False, Status.PAUSED

    def _want(self, wish: Wish) -> None:
        self.wish = wish
        self._keeper.follow(self)
        self.tell()

    # What becomes of it

    def begin_turn(self) -> "Turn":
        """Go to a worker, for as long as the wish is the present one."""
        self.turn = Turn(self)
        return self.turn

    def take_records(self, records: Sequence) -> None:
        for kind, record in records:
            self.records.add(kind, record)
        self.tell()

    def take_outcome(self, outcome: Outcome) -> None:
        """A turn is done: its checkpoint is the job's."""
        try:
            self._keeper.admit(self, len(outcome.checkpoint))
        except RefusedError as refusal:
            self.lose_turn(str(refusal))
            return
        if self.turn.wish is self.wish is Wish.STEP and not outcome.broken_off:
            self._units -= 1
        self.turn, self.checkpoint = None, outcome.checkpoint
        self.records.save()
        self.message, self.broken_off = outcome.failure, outcome.broken_off
        if outcome.failure:
            self._at_rest = Status.FAILED
        else:
            self._at_rest = Status.FINISHED if outcome.finished else Status.PAUSED
        self._want(Wish.REST if self._content else self.wish)

    @property
    def _content(self) -> bool:
        """Whether what was wished for has been done, or cannot be."""
        if self.wish is Wish.STEP and self._at_rest is not Status.FAILED:
            return self._units == 0
        return self._at_rest is not Status.PAUSED

    def lose_turn(self, fault: str) -> None:
        """A turn came to nothing, through a fault or as nobody waited for it: the job stands where it began."""
        self.turn = None
        self.records.roll_back()
        self.message, self.broken_off = fault, not fault
        if fault:
            self._at_rest = Status.FAILED
        self._want(Wish.REST if fault else self.wish)

    def tell(self) -> None:
        """Let all who are attached know of a change."""
        for listener in tuple(self._listeners):
            try:
                listener(self)
            except Exception:
                _log.exception("a listener of a job failed")

    def _leave_turn(self) -> None:
        if self.turn:
            self.turn.leave()
            self.turn = None


class Turn:
    """A job at a worker. What comes of it no longer counts once the job has left it."""

    def __init__(self, job: Job):
        self.job: Job | None = job
        self.wish = job.wish

    def leave(self) -> None:
        self.job = None

    @property
    def unwanted(self) -> bool:
        """Whether it should come to an end."""
        if self.job is None or self.job.wish is Wish.REST:
            return True
        return self.wish is Wish.GO and self.job.wish is Wish.STEP

    def take_records(self, records: Sequence) -> None:
        if self.job:
            self.job.take_records(records)

    def take_outcome(self, outcome: Outcome) -> None:
        if self.job:
            self.job.take_outcome(outcome)

    def lose(self, fault: str) -> None:
        if self.job:
            self.job.lose_turn(fault)
