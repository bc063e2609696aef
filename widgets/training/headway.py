"""How fast a run gets on, by the clock on the wall: samples, tests and waiting for turns count, a pause does not."""

import time
from collections import deque
from collections.abc import Callable

_WINDOW = 30.0
"""Seconds looked back: some turns of each, where many share a worker."""
_LEAST = 0.5
"""Seconds before anything is said."""


class Headway:
    """Notes where a run stands, and when, for as long as it goes on."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._marks: deque[tuple[float, int]] = deque()

    @property
    def begun(self) -> bool:
        """Whether it measures."""
        return bool(self._marks)

    def note(self, going: bool, number: int) -> None:
        """The run has made so many steps by now. One that rests, or was set back, is measured anew."""
        marks = self._marks
        if not going or (marks and number < marks[-1][1]):
            marks.clear()
        if not going:
            return
        now = self._clock()
        marks.append((now, number))
        # A wait longer than the window is measured from where it began.
        while len(marks) > 2 and now - marks[1][0] >= _WINDOW and marks[1][1] < number:
            marks.popleft()

    @property
    def steps_per_second(self) -> float | None:
        """Over the last moments; None where there is no telling yet."""
        if not self._marks:
            return None
        (then, first), (now, last) = self._marks[0], self._marks[-1]
        return (last - first) / (now - then) if last > first and now - then >= _LEAST else None
