"""N random networks of one kind, run side by side: all steps forward, and errors one step back at a time.

Each network has weights and a sequence of its own, so arrays carry an axis of length N: weights ``W``
(N, d, G·d_h), ``U`` (N, d_h, G·d_h) and ``b`` (N, G·d_h), inputs (N, T, d), states (N, d_h). States start at
zero. The equations are those of `core.cells`, whose slopes are used; only the products with U are stacked.

Errors are (P, N, n, d_h): n of them at every network, each at the P parts of a state, (h) or (h, c).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.activations import sigmoid, tanh, tanh_slope
from core.gru_cell import GRUSlopes, gru_slopes
from core.lstm_cell import LSTMSlopes, lstm_slopes


class StackedWeights(NamedTuple):
    """The weights of N networks with G stacked parts."""

    W: np.ndarray
    """(N, d, G·d_h)."""
    U: np.ndarray
    """(N, d_h, G·d_h)."""
    b: np.ndarray
    """(N, G·d_h)."""


@dataclass(frozen=True)
class StackedCell:
    """How one kind of network runs, and how errors come back through it."""

    parts: int
    """P: of how many parts a state consists."""
    run: Callable
    """(weights, inputs) → the slopes of all T steps, each (T, N, d_h)."""
    at: Callable
    """(slopes, t) → those of step t, counted from 1."""
    pull_back: Callable
    """(slopes of a step, U transposed, errors) → errors at its pre-activations (N, n, G·d_h), errors a step earlier."""
    straight: Callable | None
    """(slopes, v) → the path straight along the state, if there is one: what of an error v (N, d_h) at the output
    of each step gets onto it (P, T, N, d_h), and the factor of each step (T, N, d_h)."""


def _input_part(weights: StackedWeights, inputs: np.ndarray) -> np.ndarray:
    """x W + b of all steps, (T, N, G·d_h)."""
    return np.ascontiguousarray((inputs @ weights.W + weights.b[:, None]).transpose(1, 0, 2))


def _times(rows: np.ndarray, matrices: np.ndarray) -> np.ndarray:
    """Row n times matrix n: (N, m), (N, m, k) → (N, k)."""
    return (rows[:, None] @ matrices)[:, 0]


def _run_rnn(weights: StackedWeights, inputs: np.ndarray) -> np.ndarray:
    a = _input_part(weights, inputs)
    for t in range(1, len(a)):
        a[t] += _times(tanh(a[t - 1]), weights.U)
    return tanh_slope(a)


def _pull_back_rnn(slope: np.ndarray, U_back: np.ndarray, errors: np.ndarray):
    delta = errors[0] * slope[:, None]
    return delta, (delta @ U_back)[None]


def _run_lstm(weights: StackedWeights, inputs: np.ndarray) -> LSTMSlopes:
    a = _input_part(weights, inputs)
    steps, networks, width = a.shape
    size = width // 4
    cells = np.zeros((steps + 1, networks, size))
    h = None
    for t in range(steps):
        if t:
            a[t] += _times(h, weights.U)
        # One call for all four parts is quicker, though the candidate's share of it goes unused.
        gates = sigmoid(a[t])
        candidate = tanh(a[t, :, 2 * size : 3 * size])
        cells[t + 1] = gates[:, size : 2 * size] * cells[t] + gates[:, :size] * candidate
        h = gates[:, 3 * size :] * tanh(cells[t + 1])
    return lstm_slopes(a, cells[:-1], cells[1:])


def _pull_back_lstm(slopes: LSTMSlopes, U_back: np.ndarray, errors: np.ndarray):
    dh, dc = errors
    cell, shown, *written, o = (slope[:, None] for slope in slopes)
    dc = dc + dh * shown
    delta = np.concatenate([*(dc * slope for slope in written), dh * o], axis=-1)
    before = np.empty_like(errors)
    np.matmul(delta, U_back, out=before[0])
    np.multiply(dc, cell, out=before[1])
    return delta, before


def _run_gru(weights: StackedWeights, inputs: np.ndarray) -> GRUSlopes:
    a = _input_part(weights, inputs)
    steps, networks, width = a.shape
    size = width // 3
    U_gates, U_candidate = weights.U[..., : 2 * size], np.ascontiguousarray(weights.U[..., 2 * size :])
    states = np.zeros((steps + 1, networks, size))
    for t in range(steps):
        h = states[t]
        if t:
            a[t, :, : 2 * size] += _times(h, U_gates)
        gates = sigmoid(a[t, :, : 2 * size])
        if t:
            a[t, :, 2 * size :] += _times(gates[:, :size] * h, U_candidate)
        n = tanh(a[t, :, 2 * size :])
        states[t + 1] = n + gates[:, size:] * (h - n)
    return gru_slopes(a, states[:-1], states[:-1])


def _pull_back_gru(slopes: GRUSlopes, U_back: np.ndarray, errors: np.ndarray):
    (dh,) = errors
    size = dh.shape[-1]
    kept, z, n, r, reset = (slope[:, None] for slope in slopes)
    dn = dh * n
    seen = dn @ U_back[:, 2 * size :]
    gates = np.concatenate([seen * r, dh * z], axis=-1)
    before = dh * kept + seen * reset + gates @ U_back[:, : 2 * size]
    return np.concatenate([gates, dn], axis=-1), before[None]


def _straight_lstm(slopes: LSTMSlopes, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    onto = v * slopes.shown
    return np.stack([np.zeros_like(onto), onto]), slopes.cell


def _straight_gru(slopes: GRUSlopes, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.broadcast_to(v, (1, *slopes.kept.shape)), slopes.kept


def _row(slopes: np.ndarray, t: int) -> np.ndarray:
    return slopes[t - 1]


def _rows(slopes: LSTMSlopes | GRUSlopes, t: int) -> LSTMSlopes | GRUSlopes:
    return slopes._make(slope[t - 1] for slope in slopes)


STACKED = {
    "rnn": StackedCell(1, _run_rnn, _row, _pull_back_rnn, None),
    "lstm": StackedCell(2, _run_lstm, _rows, _pull_back_lstm, _straight_lstm),
    "gru": StackedCell(1, _run_gru, _rows, _pull_back_gru, _straight_gru),
}
