"""Where the words of the sentence under the window stand: in one line, and on a phone in two."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.fixed_window import LANTERNS

READ = LANTERNS.words[: LANTERNS.verb]
QUESTION = f"{LANTERNS.words[LANTERNS.verb]} / {LANTERNS.other_form}?"
GAP = 1.6
"""Between two words, in letters."""


class Places(NamedTuple):
    """Of each word that is read, and last of the question: its ends, in shares of the width, and its height."""

    left: np.ndarray
    right: np.ndarray
    y: np.ndarray
    frame: float
    """How far the window reaches above and below the words."""
    state: float
    """How far below them the state runs."""
    peak: float
    """How high the line runs from the noun to the verb."""
    gap: float

    @property
    def middle(self) -> np.ndarray:
        return (self.left + self.right) / 2

    def rows(self) -> list[np.ndarray]:
        """The words that are read in each line."""
        heights = self.y[:-1]
        return [np.flatnonzero(heights == height) for height in dict.fromkeys(heights)]


def _in_lines(counts: Sequence[int], heights: Sequence[float], *rest: float) -> Places:
    """So many words in each line, from the left."""
    lengths = np.array([len(word) for word in (*READ, QUESTION)], dtype=float)
    lengths[-1] += GAP
    lines = np.split(lengths, np.cumsum(counts)[:-1])
    right = np.concatenate([np.cumsum(line + GAP) for line in lines])
    width = right.max() + GAP
    return Places(
        (right - lengths) / width, right / width, np.repeat(heights, counts), *rest, gap=GAP / width
    )


WIDE = _in_lines([10], [0.0], 0.5, 0.95, 1.25)
NARROW = _in_lines([5, 5], [0.6, -0.6], 0.18, 0.34, 1.15)
HEIGHT = (-1.2, 1.35)
