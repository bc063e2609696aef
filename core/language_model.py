"""What every recurrent language model shares: its parameters and token ids checked, and the loss of its softmax.

    logits_t = h_t Why + by,    p_t = softmax(logits_t),    ℓ_t = −log p_t[id_{t+1}]

The parameters P are ``E`` (V, d), ``Wxh`` (d, G·d_h), ``Whh`` (d_h, G·d_h), ``bh`` (G·d_h,), ``Why`` (d_h, V)
and ``by`` (V,), with G stacked parts as in `core.cells`. A text of T + 1 ids gives T predictions: at each step
the next id from all before it. Losses are in nats (natural log). Parameters must be finite; what they lead to
beyond float64 is ±inf or NaN, without a warning.
"""

from collections.abc import Mapping

import numpy as np

from core.cells import PARTS
from core.validation import array_without_nan, finite_array, one_of

Parameters = Mapping[str, np.ndarray]

KEYS = ("E", "Wxh", "Whh", "bh", "Why", "by")


def checked_parameters(P: Parameters, cell: str) -> dict[str, np.ndarray]:
    """P as float64 arrays that fit together for an "rnn", "lstm" or "gru".

    An LSTM's ``bh`` may hold ±inf. Raises ValueError for another cell, a key that is missing or not known,
    and arrays that are empty, not finite, not numbers or of shapes that do not fit.
    """
    parts = PARTS[one_of("cell", cell, PARTS)]
    if not isinstance(P, Mapping) or set(P) != set(KEYS):
        got = ", ".join(map(str, P)) if isinstance(P, Mapping) else repr(P)
        raise ValueError(f"P must have the keys {', '.join(KEYS)}, got {got}")
    E = finite_array("E", P["E"], ("V", "d"))
    Why = finite_array("Why", P["Why"], ("d_h", len(E)))
    size, width = len(Why), parts * len(Why)
    check_bias = array_without_nan if cell == "lstm" else finite_array
    return {
        "E": E,
        "Wxh": finite_array("Wxh", P["Wxh"], (E.shape[1], width)),
        "Whh": finite_array("Whh", P["Whh"], (size, width)),
        "bh": check_bias("bh", P["bh"], (width,)),
        "Why": Why,
        "by": finite_array("by", P["by"], (len(E),)),
    }


def checked_ids(ids: np.ndarray, vocabulary: int) -> np.ndarray:
    """A text of at least two token ids (T + 1,), integers from 0 to ``vocabulary`` − 1; ValueError otherwise."""
    try:
        array = np.asarray(ids)
    except ValueError as error:
        raise ValueError(f"ids must be a row of integers, got {ids!r}") from error
    if array.ndim != 1 or len(array) < 2:
        raise ValueError(f"ids must have shape (T + 1,) with T of at least 1, got {array.shape}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"ids must be integers, got {ids!r}")
    outside = np.flatnonzero((array < 0) | (array >= vocabulary))
    if outside.size:
        first = int(outside[0])
        raise ValueError(f"ids must be from 0 to {vocabulary - 1}, got {array[first]} at index {first}")
    return array


def checked_start(name: str, start: np.ndarray, size: int) -> np.ndarray:
    """A finite first state (d_h,); ValueError otherwise."""
    return finite_array(name, start, (size,))


def softmax_losses(P: Parameters, hidden: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Losses ℓ_t (T,) and probabilities (T, V), from h_1 … h_T (T, d_h) and the id that follows each (T,)."""
    logits = hidden @ P["Why"] + P["by"]
    logits -= logits.max(axis=1, keepdims=True)
    at_target = logits[np.arange(len(targets)), targets]
    # The steps of `core.activations.softmax` and `log_sum_exp`, with one exponential for both.
    probabilities = np.exp(logits, out=logits)
    totals = probabilities.sum(axis=1, keepdims=True)
    probabilities /= totals
    return np.log(totals[:, 0]) - at_target, probabilities


def logit_errors(probabilities: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """∂ℓ_t/∂logits_t = p_t less 1 at the target, (T, V); the probabilities are overwritten by it."""
    probabilities[np.arange(len(targets)), targets] -= 1
    return probabilities
