"""Waiting until the machine has nothing else to do, since a busy one measures its other work."""

import time

import psutil

_BUSY_PERCENT = 15
_LOOK_SECONDS = 0.4


class Calm:
    """Waits before each block of a measurement, for at most `seconds` in the whole run."""

    def __init__(self, seconds: float):
        self._left = seconds
        self.waited = 0.0
        self.gave_up = 0

    def wait(self) -> None:
        """Return once two looks in a row find the processors idle, or the patience is used up."""
        quiet = 0
        psutil.cpu_percent()
        while quiet < 2 and self._left > 0:
            time.sleep(_LOOK_SECONDS)
            self.waited += _LOOK_SECONDS
            self._left -= _LOOK_SECONDS
            quiet = quiet + 1 if psutil.cpu_percent() < _BUSY_PERCENT else 0
        self.gave_up += quiet < 2

    def __str__(self) -> str:
        return f"waited {self.waited:.0f} s for calm, measured {self.gave_up} blocks without it"
