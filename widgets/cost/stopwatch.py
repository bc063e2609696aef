"""How long a step of each of core's cells takes on this machine: a turn for a worker process, which imports no page.

One example of float64 numbers, d = d_h, forward, with the cell's own checks of its arguments; the best of several
rounds: what else the machine does can only make a step slower. All cells at all widths take turns, so that the rounds
of each are spread over seconds, and a busy moment spoils a few of them only.
"""

import math
import time
from collections.abc import Callable, Mapping

import numpy as np

from core.cells import PARTS, gru_cell, lstm_cell, rnn_cell
from widgets.jobs.turn import Outcome, Report, Stop

WIDTHS = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
KIND = "step"
"""Of the records: `cell`, `width`, and `seconds` of one step."""
BEGUN = "begun"
"""Of the record of each `turn` as it begins."""
TURNS, ROUNDS = 8, 4
"""How often it is the turn of a cell at a width, and the rounds of a turn."""
_ROUND = 0.001
"""Seconds that a round takes at least: the clock's own steps do not count, and other programs seldom come between."""


def nearest_width(width: int) -> int:
    """The measured width that is nearest to ``width``, by their ratio."""
    return min(WIDTHS, key=lambda measured: abs(math.log(measured / width)))


def turn(payload: bytes, note: Mapping, report: Report, stop: Stop) -> Outcome:
    """Time every cell at every width, turn after turn, and report the best: one turn does it all, in seconds."""
    best = {(cell, width): math.inf for width in WIDTHS for cell in PARTS}
    for number in range(1, TURNS + 1):
        report(BEGUN, {"turn": number})
        # Made anew each time: all weights at once would take the memory of a small server.
        best = {key: min(seconds, seconds_of(step_of(*key))) for key, seconds in best.items()}
    for (cell, width), seconds in best.items():
        report(KIND, {"cell": cell, "width": width, "seconds": seconds})
    return Outcome(b"", finished=True)


def step_of(cell: str, width: int) -> Callable[[], object]:
    """A step to be timed."""
    columns = PARTS[cell] * width
    rng = np.random.default_rng(0)
    x, h, c = (rng.uniform(-1, 1, width) for _ in range(3))
    W, U = (rng.uniform(-1, 1, (width, columns)) / width**0.5 for _ in range(2))
    b = np.zeros(columns)
    return {
        "rnn": lambda: rnn_cell(x, h, W, U, b),
        "lstm": lambda: lstm_cell(x, h, c, W, U, b),
        "gru": lambda: gru_cell(x, h, W, U, b),
    }[cell]


def seconds_of(step: Callable[[], object]) -> float:
    """The best of rounds of as many steps as take a while; the first step, which warms up, does not count."""
    step()
    steps = 1
    while (spent := _round(step, steps)) < _ROUND:
        steps *= 2
    return min(spent, *(_round(step, steps) for _ in range(ROUNDS - 1))) / steps


def _round(step: Callable[[], object], steps: int) -> float:
    started = time.perf_counter()
    for _ in range(steps):
        step()
    return time.perf_counter() - started
