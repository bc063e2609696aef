"""Recurrent cells as pure functions from an input and a state to the next state, each with its backward.

Row vectors: one example is ``x`` (d,) with a state (d_h,), a batch is ``x`` (B, d) with a state (B, d_h). The
parts of a gated cell lie side by side along the last axis of its weights, in PyTorch's order, with one bias.
Arguments must be finite; a sum or a gradient of them that is beyond the float type is ±inf, without a warning.
Each cell has a file of its own, `core.rnn_cell`, `core.lstm_cell` and `core.gru_cell`, with the backward
beneath the forward.
"""

from core.gru_cell import GRUGates, gru_cell, gru_cell_backward, gru_gates
from core.lstm_cell import LSTMGates, LSTMState, lstm_cell, lstm_cell_backward, lstm_gates
from core.rnn_cell import rnn_cell, rnn_cell_backward

__all__ = [
    "PARTS",
    "GRUGates",
    "LSTMGates",
    "LSTMState",
    "gru_cell",
    "gru_cell_backward",
    "gru_gates",
    "lstm_cell",
    "lstm_cell_backward",
    "lstm_gates",
    "rnn_cell",
    "rnn_cell_backward",
]

PARTS = {"rnn": 1, "lstm": 4, "gru": 3}
"""How many parts of d_h columns lie side by side in a cell's W, U and b."""
