"""What `compute()` cost inside the measured server: one number for each frame, in a file between two processes."""

import os
from pathlib import Path

import numpy as np

VARIABLE = "LONG_GAP_COMPUTED"
"""The environment variable that names the file."""


def record(milliseconds: float) -> bytes:
    """One frame's processor time, as it stands in the file."""
    return np.float64(milliseconds).tobytes()


class Tally:
    """Reads the file: each call of `since_last` gives the frames that have been added."""

    def __init__(self, path: Path):
        self._path, self._read = path, 0
        os.environ[VARIABLE] = str(path)

    def since_last(self) -> np.ndarray:
        """Processor time of each new frame, in milliseconds."""
        frames = np.fromfile(self._path)
        new, self._read = frames[self._read :], len(frames)
        return new
