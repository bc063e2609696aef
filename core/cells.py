"""Recurrent cells as pure functions from an input and a state to the next state.

Row vectors: one example is ``x`` (d,) with a state (d_h,), a batch is ``x`` (B, d) with a state (B, d_h). The
parts of a gated cell lie side by side along the last axis of its weights, in PyTorch's order, with one bias.
"""

from typing import NamedTuple

import numpy as np

from core.activations import sigmoid, tanh
from core.validation import check_shape


class LSTMGates(NamedTuple):
    """The four parts of one LSTM step, each (d_h,) or (B, d_h)."""

    i: np.ndarray
    """Input gate, between 0 and 1: how much of the candidate is written."""
    f: np.ndarray
    """Forget gate, between 0 and 1: how much of the cell is kept."""
    g: np.ndarray
    """Candidate, between −1 and 1: what would be written."""
    o: np.ndarray
    """Output gate, between 0 and 1: how much of the cell is shown."""


class LSTMState(NamedTuple):
    """The state that an LSTM hands to its next step, each (d_h,) or (B, d_h)."""

    h: np.ndarray
    """Hidden state, between −1 and 1: what the rest of the network sees."""
    c: np.ndarray
    """Cell state, of any size: what the cell remembers."""


def lstm_gates(x: np.ndarray, h: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray) -> LSTMGates:
    """The gates of an LSTM before it touches its cell.

        i = σ(x W_i + h U_i + b_i)        f = σ(x W_f + h U_f + b_f)
        g = tanh(x W_g + h U_g + b_g)     o = σ(x W_o + h U_o + b_o)

    ``W`` is (d, 4·d_h), ``U`` (d_h, 4·d_h) and ``b`` (4·d_h,), with columns in the order i, f, g, o. A
    forget bias of +inf gives f = 1 exactly. Raises ValueError for shapes that do not fit together.
    """
    x, h, W, U, b = (np.asarray(array) for array in (x, h, W, U, b))
    size = h.shape[-1] if h.ndim else 0
    batch = h.shape[:-1] if h.ndim == 2 else ()
    check_shape("h", h, (*batch, "d_h"))
    check_shape("x", x, (*batch, "d"))
    check_shape("W", W, (x.shape[-1], 4 * size))
    check_shape("U", U, (size, 4 * size))
    check_shape("b", b, (4 * size,))
    i, f, g, o = np.split(x @ W + h @ U + b, 4, axis=-1)
    return LSTMGates(sigmoid(i), sigmoid(f), tanh(g), sigmoid(o))


def lstm_cell(
    x: np.ndarray, h: np.ndarray, c: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray
) -> LSTMState:
    """One step of an LSTM, from ``x``, ``h`` and ``c`` to the next hidden state and cell.

        c′ = f ⊙ c + i ⊙ g
        h′ = o ⊙ tanh(c′)

    Gates and weights are those of `lstm_gates`; ``c`` has the shape of ``h``. This is the LSTM of Hochreiter
    and Schmidhuber (1997) with the forget gate of Gers, Schmidhuber and Cummins (2000). A forget bias of +inf
    gives back the cell of 1997: f = 1, so ∂c′/∂c = 1 on the direct path, the constant error carousel.

    Raises ValueError for shapes that do not fit together.
    """
    gates = lstm_gates(x, h, W, U, b)
    c = np.asarray(c)
    check_shape("c", c, gates.f.shape)
    c = gates.f * c + gates.i * gates.g
    return LSTMState(gates.o * tanh(c), c)
