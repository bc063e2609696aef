"""The contract between a long computation and the pool: it is cut into turns, each from the last checkpoint.

    turn(payload, note, report, stop) → Outcome

A worker process calls `turn` with the bytes of the last checkpoint, or of the first payload, and the job's note of
the moment: what the visitor may change while it runs. It does one unit of work (a training step, say), then further
ones until `stop()` is true, and returns a new checkpoint. It is true when the time of the turn is over, when the
visitor pauses, and from the start where one unit was asked for. Whatever the computation needs is in the
checkpoint: that alone makes fair turns, pause, resume and recovery from a crash one and the same thing.

A unit that takes long asks `stop.at_once()` on its way, which is true only when nobody waits for the unit any longer:
it then breaks off, and the checkpoint is that of the unit before. Time alone breaks nothing off, so each turn gets
on by a unit, however long that takes.

`report(kind, record)` sends a small record to the visitor, a dictionary of numbers and texts. Records of the
same kind should differ in nothing but their numbers and texts: the server thins each kind by itself.

The module that holds `turn` is imported by each worker, so it should not import Panel or Bokeh.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

Report = Callable[[str, Mapping], None]


class Stop(Protocol):
    """What a turn asks while it works."""

    def __call__(self) -> bool:
        """Whether the turn is to end with the present unit of work."""

    def at_once(self) -> bool:
        """Whether it is to end within it."""


class Outcome(NamedTuple):
    """What a turn hands back."""

    checkpoint: bytes
    """What the next turn begins from; also after a failure."""
    finished: bool = False
    """Whether there is nothing left to do."""
    failure: str = ""
    """Why it cannot go on, in words for the visitor."""
    broken_off: bool = False
    """Whether it ended within a unit of work, which will be done again."""
