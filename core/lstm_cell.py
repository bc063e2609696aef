"""The LSTM cell, forward and backward: one step of the network that keeps its memory in a cell of its own.

    i = σ(x W_i + h U_i + b_i)        f = σ(x W_f + h U_f + b_f)
    g = tanh(x W_g + h U_g + b_g)     o = σ(x W_o + h U_o + b_o)

    c′ = f ⊙ c + i ⊙ g
    h′ = o ⊙ tanh(c′)

This is the LSTM of Hochreiter and Schmidhuber (1997) with the forget gate of Gers, Schmidhuber and Cummins
(2000). A forget bias of +inf gives back the cell of 1997: f = 1, so ∂c′/∂c = 1 on the direct path, the
constant error carousel.
"""

from typing import NamedTuple

import numpy as np

from core.activations import sigmoid, sigmoid_slope, tanh, tanh_slope
from core.affine import batch_sum, outer_sum, state_like, step_arguments
from core.overflow import overflow_is_infinite


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


class LSTMSlopes(NamedTuple):
    """What one step multiplies an error by on its way back, each (d_h,) or (B, d_h)."""

    cell: np.ndarray
    """∂c′/∂c = f, straight along the cell."""
    shown: np.ndarray
    """∂h′/∂c′ = o ⊙ (1 − tanh²(c′))."""
    i: np.ndarray
    """∂c′/∂a_i = g ⊙ σ′(a_i)."""
    f: np.ndarray
    """∂c′/∂a_f = c ⊙ σ′(a_f)."""
    g: np.ndarray
    """∂c′/∂a_g = i ⊙ (1 − g²)."""
    o: np.ndarray
    """∂h′/∂a_o = tanh(c′) ⊙ σ′(a_o)."""


class LSTMErrors(NamedTuple):
    """The errors of one step, of one example, a batch, or many losses side by side."""

    delta: np.ndarray
    """(…, 4·d_h): at the pre-activations, in the order i, f, g, o."""
    h: np.ndarray
    """(…, d_h): at the old hidden state."""
    c: np.ndarray
    """(…, d_h): at the old cell, straight along it."""
    c_new: np.ndarray
    """(…, d_h): at the new cell, by both of its ways: to the next cell, and through the new hidden state."""


@overflow_is_infinite
def lstm_gates(x: np.ndarray, h: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray) -> LSTMGates:
    """The gates i, f, g, o of an LSTM before it touches its cell.

    ``W`` is (d, 4·d_h), ``U`` (d_h, 4·d_h) and ``b`` (4·d_h,), with columns in the order i, f, g, o. A bias
    of ±inf holds its gate fully open or shut. Raises ValueError for arrays that are empty, not numbers, not
    finite (NaN in ``b``), or of shapes that do not fit together.
    """
    x, h, W, U, b = step_arguments(4, x, h, W, U, b, infinite_bias=True)
    return squashed_gates(x @ W + h @ U + b)


@overflow_is_infinite
def lstm_cell(
    x: np.ndarray, h: np.ndarray, c: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray
) -> LSTMState:
    """One step of an LSTM, from ``x``, ``h`` and ``c`` to the next hidden state and cell ``(h′, c′)``.

    Gates and weights are those of `lstm_gates`; ``c`` has the shape of ``h``. Raises ValueError as
    `lstm_gates` does, and for a ``c`` that is not finite or not of that shape.
    """
    x, h, W, U, b = step_arguments(4, x, h, W, U, b, infinite_bias=True)
    return next_state(squashed_gates(x @ W + h @ U + b), state_like("c", c, h))


@overflow_is_infinite
def lstm_cell_backward(
    x: np.ndarray,
    h: np.ndarray,
    c: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    dh_new: np.ndarray,
    dc_new: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Gradients ``(dx, dh, dc, dW, dU, db)`` of a loss from ``dh_new`` and ``dc_new``, its gradients at h′ and c′.

        e = dc′ + dh′ ⊙ o ⊙ (1 − tanh²(c′))           all of the error at the new cell
        δ = (e ⊙ g ⊙ σ′(a_i), e ⊙ c ⊙ σ′(a_f), e ⊙ i ⊙ (1 − g²), dh′ ⊙ tanh(c′) ⊙ σ′(a_o))
        dc = e ⊙ f
        dx = δ Wᵀ,   dh = δ Uᵀ,   dW = xᵀ δ,   dU = hᵀ δ,   db = δ

    ``dc_new`` is what comes back from the next step's cell, not by way of h′. Each result has the shape of
    its argument; those of the weights are summed over a batch. Raises ValueError as `lstm_cell` does, and for
    errors that are not finite or not of the shape of ``h``.
    """
    x, h, W, U, b = step_arguments(4, x, h, W, U, b, infinite_bias=True)
    c, dh_new, dc_new = (
        state_like(name, value, h) for name, value in (("c", c), ("dh_new", dh_new), ("dc_new", dc_new))
    )
    a = x @ W + h @ U + b
    c_new = next_state(squashed_gates(a), c).c
    delta, dh, dc, _ = lstm_pull_back(lstm_slopes(a, c, c_new), U, dh_new, dc_new)
    return delta @ W.T, dh, dc, outer_sum(x, delta), outer_sum(h, delta), batch_sum(delta)


def squashed_gates(a: np.ndarray) -> LSTMGates:
    """The gates from their pre-activations (…, 4·d_h)."""
    i, f, g, o = _parts(a)
    return LSTMGates(sigmoid(i), sigmoid(f), tanh(g), sigmoid(o))


def next_state(gates: LSTMGates, c: np.ndarray) -> LSTMState:
    """h′ and c′ from the gates and the old cell, unchecked."""
    c = gates.f * c + gates.i * gates.g
    return LSTMState(gates.o * tanh(c), c)


def lstm_slopes(a: np.ndarray, c: np.ndarray, c_new: np.ndarray) -> LSTMSlopes:
    """The slopes of a step, or of many at once, from pre-activations (…, 4·d_h) and the cells around it."""
    i, f, g, o = squashed_gates(a)
    a_i, a_f, a_g, a_o = _parts(a)
    return LSTMSlopes(
        cell=f,
        shown=o * tanh_slope(c_new),
        i=g * sigmoid_slope(a_i),
        f=c * sigmoid_slope(a_f),
        g=i * tanh_slope(a_g),
        o=tanh(c_new) * sigmoid_slope(a_o),
    )


def lstm_pull_back(slopes: LSTMSlopes, U: np.ndarray, dh_new: np.ndarray, dc_new: np.ndarray) -> LSTMErrors:
    """The errors of one step by the equations of `lstm_cell_backward`, arguments unchecked.

    ``dh_new`` and ``dc_new`` may hold many errors (n, d_h) at one state: they travel back side by side.
    """
    e = dc_new + dh_new * slopes.shown
    delta = np.concatenate([e * slopes.i, e * slopes.f, e * slopes.g, dh_new * slopes.o], axis=-1)
    return LSTMErrors(delta, delta @ U.T, e * slopes.cell, e)


def _parts(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    size = a.shape[-1] // 4
    return tuple(a[..., part * size : (part + 1) * size] for part in range(4))
