"""Two readings of a loss, and the mean that trails behind a noisy curve."""

import math

import numpy as np

from core.validation import finite_number, whole_number


def perplexity(nats: float) -> float:
    """exp(ℒ) of a mean loss ℒ in nats: among how many equally likely characters the model as good as guesses.

    Raises ValueError for a loss that is not finite and at least 0; infinite where exp(ℒ) overflows.
    """
    nats = _loss(nats)
    return math.exp(nats) if nats < 709 else math.inf


def bits(nats: float) -> float:
    """A mean loss in bits, ℒ/ln 2. Raises ValueError for a loss that is not finite and at least 0."""
    return _loss(nats) / math.log(2)


def trailing_mean(values: np.ndarray, window: int) -> np.ndarray:
    """(n,): the mean of each finite value and the up to ``window`` − 1 finite ones before it.

    A value that is not finite belongs to no mean, and has none: NaN stands in its place. Raises ValueError for
    values that are not one row and for a window below 1.
    """
    values = np.asarray(values, dtype=float)
    if values.ndim != 1:
        raise ValueError(f"values must be one row of numbers, got an array of shape {values.shape}")
    window = whole_number("window", window, least=1)
    means = np.full(len(values), np.nan)
    means[np.isfinite(values)] = _trailing_mean(values[np.isfinite(values)], window)
    return means


def _trailing_mean(values: np.ndarray, window: int) -> np.ndarray:
    window = min(window, max(1, len(values)))
    padded = np.concatenate([np.zeros(window), values])
    sums = np.lib.stride_tricks.sliding_window_view(padded, window)[1:].sum(axis=1)
    return sums / np.minimum(np.arange(1, len(values) + 1), window)


def _loss(nats: float) -> float:
    nats = finite_number("nats", nats)
    if nats < 0:
        raise ValueError(f"nats must be at least 0, got {nats!r}")
    return nats
