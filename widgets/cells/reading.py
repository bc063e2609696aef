"""What the cells lab looks at: one step of a layer that reads the worked example, with the states before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from core.cat_sat import GATES as TOLD
from core.cat_sat import (
    WORDS,
    WorkedExample,
    cat_sat_both_ways,
    cat_sat_gru,
    cat_sat_lstm,
    cat_sat_rnn,
    cat_sat_stacked,
)
from core.initialisation import CellWeights
from core.lstm_cell import LSTMGates
from core.opened_sequence import OpenedLayer
from core.opened_step import OpenedGRU, OpenedLSTM, OpenedRNN, ResetForms, reset_forms

UNITS = 2
SECOND = 1
"""The column of the unit that the example tells of, and that the sliders set."""
CELL_NAMES = {"rnn": "tanh RNN", "lstm": "LSTM", "gru": "GRU"}
_ORDER = {"rnn": "a", "lstm": "ifgo", "gru": "rzn"}
"""In which W, U and b hold the parts of a cell side by side."""


@dataclass(frozen=True)
class Reading:
    """A layer that reads the example, and the step of it that is opened; step, unit and rows count from 0."""

    cell: str
    reset_after: bool
    layer: OpenedLayer
    at: int
    unit: int
    ours: Mapping[str, np.ndarray] = field(default_factory=dict)
    """As in `core.cat_sat.WorkedExample`; empty for a layer that the example lacks."""
    layer_mark: str = ""
    """How its symbols say whose they are, such as `^{(2)}`."""
    source: str = "x"
    """How its input is written."""
    backwards: bool = False
    """Whether it reads from the last word on."""

    @property
    def step(self) -> OpenedRNN | OpenedLSTM | OpenedGRU:
        return self.layer.steps[self.at]

    @property
    def word(self) -> str:
        return WORDS[self.at]

    @property
    def input(self) -> np.ndarray:
        """(d,): what is read."""
        return self.layer.inputs[self.at]

    @property
    def reads_words(self) -> bool:
        return self.source == "x"

    @property
    def found_at(self) -> int | None:
        """The step whose states it finds; None where it begins."""
        step = self.at + (1 if self.backwards else -1)
        return step if 0 <= step < len(WORDS) else None

    @property
    def old_hidden(self) -> np.ndarray:
        """(2,): h before the step."""
        return self._found(self.layer.hidden)

    @property
    def old_memory(self) -> np.ndarray:
        """(2,): c before the step, of an LSTM."""
        return self._found(self.layer.memory)

    def _found(self, states: np.ndarray) -> np.ndarray:
        return np.zeros(UNITS) if self.found_at is None else states[self.found_at]

    def weights_of(self, letter: str) -> CellWeights:
        """W (d, 2), U (2, 2) and b (2,) of one gate or candidate."""
        part = _ORDER[self.cell].index(letter)
        columns = slice(part * UNITS, (part + 1) * UNITS)
        return CellWeights(*(array[..., columns] for array in self.layer.weights))

    @property
    def forms(self) -> ResetForms:
        """A GRU's step in both forms, from the state that it is in."""
        return reset_forms(self.input, self.old_hidden, *self.layer.weights)

    def opened_at(self, at: int) -> "Reading":
        """The same at another step."""
        return replace(self, at=at)

    def stacked(self) -> tuple["Reading", "Reading"]:
        """The example as layer 1, and the layer above it."""
        _, upper = cat_sat_stacked(self.cell, self.layer.weights, self.reset_after)
        lower = replace(self, layer_mark="^{(1)}")
        return lower, replace(lower, layer=upper, ours={}, layer_mark="^{(2)}", source="h^{(1)}′")

    def both_ways(self) -> tuple["Reading", "Reading"]:
        """The example, which reads ahead, and a layer that reads the words backwards."""
        back = cat_sat_both_ways(self.cell, self.layer.weights, self.reset_after).back
        return replace(self, layer_mark="→"), replace(
            self, layer=back, ours={}, layer_mark="←", backwards=True
        )


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
