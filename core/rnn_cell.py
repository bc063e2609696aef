"""The tanh cell, forward and backward: one step of the simple recurrent network (Elman, 1990).

a = x W + h U + b,    h′ = tanh(a)

∂h′/∂a = 1 − h′²
"""

import numpy as np

from core.activations import tanh, tanh_slope
from core.affine import batch_sum, outer_sum, state_like, step_arguments
from core.overflow import overflow_is_infinite


@overflow_is_infinite
def rnn_cell(x: np.ndarray, h: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The next state h′ = tanh(x W + h U + b), of the shape of ``h``: (d_h,) or (B, d_h).

    ``x`` is (d,) or (B, d), ``W`` (d, d_h), ``U`` (d_h, d_h) and ``b`` (d_h,). Raises ValueError for arrays
    that are empty, not finite, not numbers, or of shapes that do not fit together.
    """
    x, h, W, U, b = step_arguments(1, x, h, W, U, b)
    return tanh(x @ W + h @ U + b)


@overflow_is_infinite
def rnn_cell_backward(
    x: np.ndarray, h: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray, dh_new: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Gradients ``(dx, dh, dW, dU, db)`` of a loss from ``dh_new``, its gradient at h′.

        δ = dh′ ⊙ (1 − h′²)
        dx = δ Wᵀ,   dh = δ Uᵀ,   dW = xᵀ δ,   dU = hᵀ δ,   db = δ

    Each has the shape of its argument; those of the weights are summed over a batch. Raises ValueError as
    `rnn_cell` does, and for a ``dh_new`` that is not finite or not of the shape of ``h``.
    """
    x, h, W, U, b = step_arguments(1, x, h, W, U, b)
    dh_new = state_like("dh_new", dh_new, h)
    delta, dh = rnn_pull_back(tanh_slope(x @ W + h @ U + b), U, dh_new)
    return delta @ W.T, dh, outer_sum(x, delta), outer_sum(h, delta), batch_sum(delta)


def rnn_pull_back(slope: np.ndarray, U: np.ndarray, dh_new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Errors ``(δ, dh)`` at the pre-activation and the old state; ``slope`` is 1 − h′², arguments unchecked.

    ``dh_new`` may hold many errors (n, d_h) at one state: they travel back side by side.
    """
    delta = dh_new * slope
    return delta, delta @ U.T
