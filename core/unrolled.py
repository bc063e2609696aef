"""A cell unrolled over a text, and the errors of all its losses carried back through time side by side.

With T losses there are T(T + 1)/2 pairs of a loss t and a step s ≤ t. At each step back every later loss has
an error of its own, so one product moves a block (T − s, d_h) of them: T products in all, not T²/2.

Pairs are packed one after another, ordered by step and within it by loss, as `numpy.triu_indices` counts:

    step, loss = np.triu_indices(T)
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core import gru_cell, lstm_cell
from core.activations import tanh_slope
from core.language_model import logit_errors, softmax_losses
from core.rnn_cell import rnn_pull_back
from core.rnn_lm import rnn_states


@dataclass(frozen=True)
class Unrolled:
    """One reading of a text of T + 1 tokens, with what its backward needs."""

    cell: str
    """"rnn", "lstm" or "gru"."""
    losses: np.ndarray
    """(T,): ℓ_1 … ℓ_T."""
    hidden: np.ndarray
    """(T + 1, d_h): h_0 … h_T."""
    memory: np.ndarray | None
    """(T + 1, d_h): c_0 … c_T of an LSTM."""
    slopes: tuple[np.ndarray, ...]
    """Each (T, d_h): the tanh's, `core.lstm_cell.LSTMSlopes` or `core.gru_cell.GRUSlopes`, of every step."""
    loss_errors: np.ndarray
    """(T, d_h): ∂ℓ_t/∂h_t, where each error sets out."""


@dataclass(frozen=True)
class Errors:
    """For each pair of a step s and a loss t ≥ s, packed: N = T(T + 1)/2 rows."""

    delta: np.ndarray
    """(N, G·d_h): at the pre-activations of step s."""
    h: np.ndarray
    """(N, d_h): ∂ℓ_t/∂h_s."""
    c: np.ndarray | None
    """(N, d_h): ∂ℓ_t/∂c_s of an LSTM, by way of h_s too."""
    straight: np.ndarray | None
    """(N, d_h): the part of it that runs along the cell alone, ∂ℓ_t/∂c_t ⊙ f_t ⊙ … ⊙ f_{s+1}."""


def unroll(cell: str, P: dict[str, np.ndarray], ids: np.ndarray, h0: np.ndarray, c0: np.ndarray) -> Unrolled:
    """Read ``ids`` (T + 1,) forward; arguments are taken as checked by `core.language_model`."""
    inputs = P["E"][ids[:-1]] @ P["Wxh"] + P["bh"]
    memory = None
    if cell == "rnn":
        a, hidden = rnn_states(inputs, P["Whh"], h0)
        slopes = (tanh_slope(a),)
    elif cell == "lstm":
        hidden, memory, slopes = _lstm_states(inputs, P["Whh"], h0, c0)
    else:
        hidden, slopes = _gru_states(inputs, P["Whh"], h0)
    losses, probabilities = softmax_losses(P, hidden[1:], ids[1:])
    loss_errors = logit_errors(probabilities, ids[1:]) @ P["Why"].T
    return Unrolled(cell, losses, hidden, memory, slopes, loss_errors)


def errors_back(run: Unrolled, U: np.ndarray) -> Errors:
    """Every loss's error at every step before it, with ``U`` the recurrent weights of the run."""
    carry = {"rnn": _rnn_errors, "lstm": _lstm_errors, "gru": _gru_errors}[run.cell]
    return carry(run, U)


def _lstm_states(
    a: np.ndarray, U: np.ndarray, h0: np.ndarray, c0: np.ndarray
) -> tuple[np.ndarray, np.ndarray, lstm_cell.LSTMSlopes]:
    hidden, memory = np.empty((2, len(a) + 1, len(U)))
    hidden[0], memory[0] = h0, c0
    for t, row in enumerate(a):
        row += hidden[t] @ U
        hidden[t + 1], memory[t + 1] = lstm_cell.next_state(lstm_cell.squashed_gates(row), memory[t])
    return hidden, memory, lstm_cell.lstm_slopes(a, memory[:-1], memory[1:])


def _gru_states(inputs: np.ndarray, U: np.ndarray, h0: np.ndarray) -> tuple[np.ndarray, gru_cell.GRUSlopes]:
    hidden = np.empty((len(inputs) + 1, len(U)))
    hidden[0] = h0
    a = np.empty_like(inputs)
    for t, row in enumerate(inputs):
        a[t], _ = gru_cell.pre_activations(row, hidden[t], U, reset_after=False, b_recurrent=0)
        hidden[t + 1] = gru_cell.next_state(a[t], hidden[t])
    # With the reset gate before the product, what it multiplies is the old state itself.
    return hidden, gru_cell.gru_slopes(a, multiplied=hidden[:-1], h=hidden[:-1])


def _steps_back(run: Unrolled) -> Iterator[tuple[int, slice, list[np.ndarray]]]:
    """From the last step to the first: s, the packed rows of its pairs, and its slopes."""
    steps = len(run.losses)
    end = steps * (steps + 1) // 2
    for s in range(steps - 1, -1, -1):
        rows = slice(end - (steps - s), end)
        end = rows.start
        yield s, rows, [slope[s] for slope in run.slopes]


def _blank(run: Unrolled, width: int) -> np.ndarray:
    steps = len(run.losses)
    return np.empty((steps * (steps + 1) // 2, width))


def _rnn_errors(run: Unrolled, U: np.ndarray) -> Errors:
    delta, at_h = _blank(run, len(U)), _blank(run, len(U))
    dh = run.loss_errors.copy()
    for s, rows, (slope,) in _steps_back(run):
        at_h[rows] = dh[s:]
        delta[rows], dh[s:] = rnn_pull_back(slope, U, dh[s:])
    return Errors(delta, at_h, None, None)


def _lstm_errors(run: Unrolled, U: np.ndarray) -> Errors:
    delta, at_h, at_c, straight = (_blank(run, width) for width in (4 * len(U), *3 * [len(U)]))
    dh, dc, along = run.loss_errors.copy(), np.zeros_like(run.loss_errors), run.loss_errors * run.slopes.shown
    for s, rows, slopes in _steps_back(run):
        at_h[rows], straight[rows] = dh[s:], along[s:]
        slopes = lstm_cell.LSTMSlopes(*slopes)
        delta[rows], dh[s:], dc[s:], at_c[rows] = lstm_cell.lstm_pull_back(slopes, U, dh[s:], dc[s:])
        along[s:] *= slopes.cell
    return Errors(delta, at_h, at_c, straight)


def _gru_errors(run: Unrolled, U: np.ndarray) -> Errors:
    delta, at_h = _blank(run, 3 * len(U)), _blank(run, len(U))
    dh = run.loss_errors.copy()
    for s, rows, slopes in _steps_back(run):
        at_h[rows] = dh[s:]
        delta[rows], _, dh[s:] = gru_cell.gru_pull_back(
            gru_cell.GRUSlopes(*slopes), U, dh[s:], reset_after=False
        )
    return Errors(delta, at_h, None, None)
