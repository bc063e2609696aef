"""What students get wrong: for each function all known mistakes, and the function with any set of them made."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.exercises.contract import Case, Mistake
from core.exercises.judged.mistakes import gru, lstm, rnn
from core.exercises.judged.mistakes.gru_known import GRU_CELL
from core.exercises.judged.mistakes.handling import HANDLING, NOT_SUMMED, OUTER_OF_BATCH
from core.exercises.judged.mistakes.lstm_back_known import LSTM_CELL_BACKWARD
from core.exercises.judged.mistakes.lstm_known import LSTM_CELL
from core.exercises.judged.mistakes.measured import MEASURED
from core.exercises.judged.mistakes.rnn_known import RNN_BPTT, RNN_FORWARD
from core.exercises.judged.mistakes.slips import Slip


@dataclass(frozen=True)
class Known:
    """One function, and what is known to go wrong with it."""

    wrong: Callable[..., dict[str, np.ndarray]]
    """Arguments and a set of switches → the values by name, as they come out then."""
    slips: tuple[Slip, ...]


KNOWN = {
    "rnn_forward": Known(rnn.forward, RNN_FORWARD),
    "rnn_bptt": Known(rnn.bptt, RNN_BPTT),
    "lstm_cell": Known(lstm.cell, LSTM_CELL),
    "lstm_cell_backward": Known(lstm.backward, LSTM_CELL_BACKWARD),
    "gru_cell": Known(gru.cell, GRU_CELL),
}

_KEPT = 20_000
"""How many results are kept: all that one file leads to in all of its functions is less than half of it."""


@lru_cache(_KEPT)
def wrong_values(name: str, case: Case, made: frozenset[str]) -> dict[str, np.ndarray]:
    """What the function called ``name`` gives in a case with these switches on, by the names of the values.

    Kept for the other files of a class, all of which are judged by the same cases. Not to be written into.
    """
    with np.errstate(all="ignore"):
        return KNOWN[name].wrong(*case.arguments.values(), made)


def mistakes(name: str) -> tuple[Mistake, ...]:
    """All that the check can name for one function: what is computed wrong, then what is handled wrong."""
    computed = (*(slip.mistake for slip in KNOWN[name].slips), *MEASURED.get(name, ()))
    named = {mistake.key: mistake for mistake in computed}
    for key, mistake in HANDLING.items():
        if mistake is NOT_SUMMED and name in ("lstm_cell", "gru_cell"):
            continue
        if mistake is not OUTER_OF_BATCH or name == "lstm_cell_backward":
            named.setdefault(key, mistake)
    return tuple(named.values())
