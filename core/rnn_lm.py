"""A recurrent language model of tanh units: its loss on a text, and the gradient by backpropagation through time.

    x_t = E[id_t],    a_t = x_t Wxh + h_{t−1} Whh + bh,    h_t = tanh(a_t),    t = 1 … T
    p_t = softmax(h_t Why + by),    ℓ_t = −log p_t[id_{t+1}],    ℒ = Σ_t ℓ_t

(Mikolov et al., 2010). Back through time (Werbos, 1990), with e_t = p_t less 1 at the target:

    dh_t = e_t Whyᵀ + δ_{t+1} Whhᵀ,    δ_t = dh_t ⊙ (1 − h_t²)
    dWhh = Σ_t h_{t−1}ᵀ δ_t,   dWxh = Σ_t x_tᵀ δ_t,   dbh = Σ_t δ_t,   dE[id_t] += δ_t Wxhᵀ
    dWhy = Σ_t h_tᵀ e_t,       dby = Σ_t e_t,         dh_0 = δ_1 Whhᵀ

Truncated to K steps the state is carried from chunk to chunk and the error is not: δ_{t+1} counts as 0 behind
the last step of a chunk (Williams and Peng, 1990). Losses are sums over positions, so the gradient grows with
the text; divide by T for means.
"""

from typing import NamedTuple

import numpy as np

from core.activations import tanh_slope
from core.language_model import (
    Parameters,
    checked_ids,
    checked_parameters,
    checked_start,
    logit_errors,
    softmax_losses,
)
from core.overflow import overflow_is_infinite
from core.validation import whole_number


class RnnTrace(NamedTuple):
    """One reading of a text of T + 1 tokens."""

    loss: float
    """ℒ, the sum of the T cross-entropies, in nats."""
    hidden: np.ndarray
    """(T + 1, d_h): h_0 … h_T."""
    probabilities: np.ndarray
    """(T, V): row t − 1 is p_t, the prediction after the t-th token."""


@overflow_is_infinite
def rnn_forward(P: Parameters, ids: np.ndarray, h0: np.ndarray) -> RnnTrace:
    """Read ``ids`` (T + 1,) from the state ``h0`` (d_h,), predicting each from those before it.

    P is ``{E, Wxh, Whh, bh, Why, by}`` as in `core.language_model`. Raises ValueError for parameters or a
    state that are not finite or do not fit together, and for ids that are fewer than two, not integers, or
    outside the vocabulary.
    """
    P = checked_parameters(P, "rnn")
    ids = checked_ids(ids, len(P["E"]))
    h0 = checked_start("h0", h0, len(P["Whh"]))
    _, hidden = rnn_states(P["E"][ids[:-1]] @ P["Wxh"] + P["bh"], P["Whh"], h0)
    losses, probabilities = softmax_losses(P, hidden[1:], ids[1:])
    return RnnTrace(float(losses.sum()), hidden, probabilities)


@overflow_is_infinite
def rnn_bptt(
    P: Parameters, ids: np.ndarray, h0: np.ndarray, truncation: int | None = None
) -> tuple[float, dict[str, np.ndarray]]:
    """ℒ and its gradients, with the keys of P and ``h0``; arguments are those of `rnn_forward`.

    ``truncation`` K cuts the text into chunks of K steps, the last of which may be shorter: each chunk is read
    and gone back through before the next, so that memory holds K steps and not T. States and loss are the
    same for every K. Without it the gradient is that of the whole text.

    Raises ValueError as `rnn_forward` does, and for a truncation that is no integer from 1 to T.
    """
    P = checked_parameters(P, "rnn")
    ids = checked_ids(ids, len(P["E"]))
    state = checked_start("h0", h0, len(P["Whh"]))
    steps = len(ids) - 1
    length = steps if truncation is None else whole_number("truncation", truncation, least=1, most=steps)

    loss, state, grads = _chunk(P, ids[: length + 1], state)
    for first in range(length, steps, length):
        chunk_loss, state, chunk_grads = _chunk(P, ids[first : first + length + 1], state)
        loss += chunk_loss
        for name in P:
            grads[name] += chunk_grads[name]
    return loss, grads


def rnn_states(inputs: np.ndarray, Whh: np.ndarray, h0: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pre-activations (T, d_h), written over the ``inputs`` x_t Wxh + bh, and h_0 … h_T (T + 1, d_h).

    For one small vector ``dot`` takes half the time of ``@``.
    """
    hidden = np.empty((len(inputs) + 1, len(h0)))
    hidden[0] = h0
    for a, before, after in zip(inputs, hidden[:-1], hidden[1:], strict=True):
        a += before.dot(Whh)
        np.tanh(a, out=after)
    return inputs, hidden


def _chunk(
    P: dict[str, np.ndarray], ids: np.ndarray, h0: np.ndarray
) -> tuple[float, np.ndarray, dict[str, np.ndarray]]:
    """Loss, last state and gradients of one chunk, read from ``h0`` and gone back through as far as that."""
    x = P["E"][ids[:-1]]
    a, hidden = rnn_states(x @ P["Wxh"] + P["bh"], P["Whh"], h0)
    losses, probabilities = softmax_losses(P, hidden[1:], ids[1:])
    e = logit_errors(probabilities, ids[1:])
    delta, dh0 = _deltas(e @ P["Why"].T, tanh_slope(a), P["Whh"])
    dE = np.zeros_like(P["E"])
    np.add.at(dE, ids[:-1], delta @ P["Wxh"].T)
    return (
        float(losses.sum()),
        hidden[-1],
        {
            "E": dE,
            "Wxh": x.T @ delta,
            "Whh": hidden[:-1].T @ delta,
            "bh": delta.sum(axis=0),
            "Why": hidden[1:].T @ e,
            "by": e.sum(axis=0),
            "h0": dh0,
        },
    )


def _deltas(dh: np.ndarray, slopes: np.ndarray, Whh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """δ_1 … δ_T (T, d_h), written over the losses' own errors ``dh``, and the error at h_0."""
    back = np.ascontiguousarray(Whh.T)
    later = np.zeros(len(Whh))
    for error, slope in zip(dh[::-1], slopes[::-1], strict=True):
        error += later
        error *= slope
        later = error.dot(back)
    return dh, later
