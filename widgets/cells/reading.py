"""What the cells lab looks at: one step of the worked example, with the states before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.cat_sat import GATES as TOLD
from core.cat_sat import (
    INPUTS,
    WORDS,
    WorkedExample,
    cat_sat_both_ways,
    cat_sat_gru,
    cat_sat_lstm,
    cat_sat_rnn,
    cat_sat_stacked,
)
from core.lstm_cell import LSTMGates
from core.opened_sequence import BothWays, OpenedLayer
from core.opened_step import OpenedGRU, OpenedLSTM, OpenedRNN, ResetForms, reset_forms

UNITS = 2
SECOND = 1
"""The column of the unit that the example tells of, and that the sliders set."""
CELL_NAMES = {"rnn": "tanh RNN", "lstm": "LSTM", "gru": "GRU"}


@dataclass(frozen=True)
class Reading:
    """The example read by one cell, and the step that is opened; step, unit and rows count from 0."""

    cell: str
    reset_after: bool
    example: WorkedExample
    at: int
    unit: int

    @property
    def step(self) -> OpenedRNN | OpenedLSTM | OpenedGRU:
        return self.example.layer.steps[self.at]

    @property
    def word(self) -> str:
        return WORDS[self.at]

    @property
    def old_hidden(self) -> np.ndarray:
        """(2,): h before the step."""
        return before(self.example.layer.hidden, self.at)

    @property
    def old_memory(self) -> np.ndarray:
        """(2,): c before the step, of an LSTM."""
        return before(self.example.layer.memory, self.at)

    @property
    def forms(self) -> ResetForms:
        """A GRU's step in both forms, from the state that it is in."""
        return reset_forms(INPUTS[self.at], self.old_hidden, *self.example.weights)

    def opened_at(self, at: int) -> "Reading":
        """The same at another step."""
        return Reading(self.cell, self.reset_after, self.example, at, self.unit)

    def stacked(self) -> tuple[OpenedLayer, ...]:
        """The example, and the layer above it."""
        return cat_sat_stacked(self.cell, self.example.weights, self.reset_after)

    def both_ways(self) -> BothWays:
        """The example, and a layer that reads the words backwards."""
        return cat_sat_both_ways(self.cell, self.example.weights, self.reset_after)


def before(states: np.ndarray, at: int) -> np.ndarray:
    """The state that a step finds: that of the step before it, and 0 before the first."""
    return states[at - 1] if at else np.zeros(UNITS)


def gates_with(forget, write, candidate, output) -> LSTMGates:
    """The example's gates, those of its second unit as given, each of three numbers."""
    return LSTMGates(
        i=_second(TOLD.i, write),
        f=_second(TOLD.f, forget),
        g=_second(TOLD.g, candidate),
        o=_second(TOLD.o, output),
    )


def _second(told: np.ndarray, values: Sequence[float]) -> np.ndarray:
    gate = told.copy()
    gate[:, SECOND] = values
    return gate


@lru_cache(maxsize=1)
def rnn() -> WorkedExample:
    return cat_sat_rnn()


@lru_cache(maxsize=256)
def gru(reset_after: bool, reset_bias: float, update_bias: float) -> WorkedExample:
    return cat_sat_gru(reset_after, reset_bias, update_bias)


@lru_cache(maxsize=256)
def lstm(*gates: tuple[float, ...]) -> WorkedExample:
    """The LSTM whose second unit has these forget, input, candidate and output gates at the three words."""
    return cat_sat_lstm(gates_with(*gates))
