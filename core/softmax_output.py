"""The softmax at the end of a character model: mean loss over many predictions, and the errors that come back.

    z_n = h_n Why + by,    p_n = softmax(z_n),    ℒ = 1/N Σ_n −log p_n[y_n]
    e_n = (p_n − 1 at y_n) / N,    dh_n = e_n Whyᵀ,    dWhy = Σ_n h_nᵀ e_n,    dby = Σ_n e_n

All of it is done with characters first, (V, N): maxima and sums over few characters and many predictions are
then sums of long rows, which take a tenth of the time of many short ones.
"""

from typing import NamedTuple

import numpy as np


class SoftmaxOutput(NamedTuple):
    """Loss, and gradients at what it was computed from."""

    loss: float
    """ℒ, in mean nats per prediction."""
    errors: np.ndarray
    """dh (N, d_h)."""
    weights: np.ndarray
    """dWhy (d_h, V)."""
    bias: np.ndarray
    """dby (V,)."""


def softmax_output(h: np.ndarray, Why: np.ndarray, by: np.ndarray, targets: np.ndarray) -> SoftmaxOutput:
    """ℒ and its gradients for states ``h`` (N, d_h) and the characters ``targets`` (N,) that follow, unchecked."""
    at = targets, np.arange(len(targets))
    z = np.ascontiguousarray((h @ Why).T)
    z += by[:, None]
    z -= z.max(axis=0)
    target_logits = z[at]
    e = np.exp(z, out=z)
    totals = e.sum(axis=0)
    loss = float(np.mean(np.log(totals) - target_logits, dtype=np.float64))
    e /= totals
    e[at] -= 1
    e /= e.dtype.type(len(targets))
    return SoftmaxOutput(loss, e.T @ Why.T, (e @ h).T, e.sum(axis=1))
