"""Dropout masks for a recurrent model: where noise goes, how long one draw lasts, and what it spares.

Every scheme sets each number to 0 with probability ``rate`` and divides the others by 1 − rate, so that means
stay as they are and nothing needs to change when the model is read without dropout.

    non-recurrent   what enters a layer and the softmax, drawn anew at each step; U reads the full state
                    (Zaremba, Sutskever and Vinyals, 2014, "Recurrent neural network regularization")
    variational     the same connections and h on its way into U, one draw for all steps of a row's chunk
                    (Gal and Ghahramani, 2016, "A theoretically grounded application of dropout in recurrent
                    neural networks"; their dropping of whole characters is left out)
    dropconnect     entries of U itself, one draw for a batch (Merity, Keskar and Socher, 2018, "Regularizing
                    and optimizing LSTM language models", after Wan et al., 2013)

An LSTM's cell and a GRU's z ⊙ h are never masked: the memory itself is not wiped.
"""

from typing import NamedTuple

import numpy as np

from core.cells import PARTS
from core.char_lm_parameters import ModelShape
from core.validation import one_of, share_below_one, whole_number

SCHEMES = ("none", "non-recurrent", "variational", "dropconnect")


class Masks(NamedTuple):
    """Factors for one chunk; None, or a layer that is left out, stands for 1 everywhere."""

    inputs: tuple[np.ndarray, ...] = ()
    """What enters each layer and last the softmax, (K, B, ·) or (1, B, ·)."""
    states: tuple[np.ndarray, ...] = ()
    """h on its way into U, for each layer (B, d_h)."""
    weights: tuple[np.ndarray, ...] = ()
    """U of each layer, (d_h, G·d_h)."""


def dropout_masks(
    scheme: str,
    rate: float,
    shape: ModelShape,
    steps: int,
    batch: int,
    rng: np.random.Generator,
    dtype: type = np.float32,
) -> Masks:
    """The masks of one chunk of ``steps`` for ``batch`` rows; none for the scheme "none" and for rate 0.

    Raises ValueError for another scheme, a rate that is not from 0 to below 1, and numbers below 1.
    """
    one_of("scheme", scheme, SCHEMES)
    rate = share_below_one("rate", rate)
    steps = whole_number("steps", steps, least=1)
    batch = whole_number("batch", batch, least=1)
    if scheme == "none" or rate == 0:
        return Masks()

    def mask(*size: int) -> np.ndarray:
        return (rng.random(size, np.float32) >= rate).astype(dtype) / dtype(1 - rate)

    size = shape.hidden_size
    layers = range(1, shape.layers + 1)
    if scheme == "dropconnect":
        return Masks(weights=tuple(mask(size, PARTS[shape.cell] * size) for _ in layers))
    lasts = 1 if scheme == "variational" else steps
    inputs = (*(mask(lasts, batch, shape.input_size(layer)) for layer in layers), mask(lasts, batch, size))
    if scheme == "non-recurrent":
        return Masks(inputs)
    return Masks(inputs, tuple(mask(batch, size) for _ in layers))
