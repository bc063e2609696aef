"""A short sequence read by opened cells: by one layer, by a stack of layers, or from both of its ends.

    stack        layer l at step t reads h_t of layer l − 1, the same step      (El Hihi and Bengio, 1995; Graves, 2013)
    both ways    [h→_t, h←_t], one layer from the first step on, another from the last one back, side by side
                 (Schuster and Paliwal, 1997)

States start at 0. A GRU's reset gate acts before the product unless ``reset_after``, then without a recurrent bias.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.cells import PARTS
from core.initialisation import CellWeights
from core.opened_step import OpenedGRU, OpenedLSTM, OpenedRNN, open_gru, open_lstm, open_rnn
from core.validation import finite_array, one_of, yes_or_no


@dataclass(frozen=True)
class OpenedLayer:
    """One layer over T steps; steps and rows are in the order of the sequence."""

    weights: CellWeights
    inputs: np.ndarray
    """(T, d): what it read."""
    steps: tuple[OpenedRNN, ...] | tuple[OpenedLSTM, ...] | tuple[OpenedGRU, ...]
    hidden: np.ndarray
    """(T, d_h): h after each step."""
    memory: np.ndarray | None
    """(T, d_h): c after each step of an LSTM."""


@dataclass(frozen=True)
class BothWays:
    """Two layers over the same T steps."""

    ahead: OpenedLayer
    """From the first step to the last: row t knows steps 1 … t."""
    back: OpenedLayer
    """From the last step to the first: row t knows steps t … T."""
    hidden: np.ndarray
    """(T, 2·d_h): both side by side, so that every row knows the whole sequence."""


def read(cell: str, weights: CellWeights, inputs: np.ndarray, reset_after: bool = False) -> OpenedLayer:
    """One layer, an "rnn", "lstm" or "gru", over ``inputs`` (T, d).

    Raises ValueError for another cell, for inputs that are empty, not finite or of another shape, for weights that
    do not fit, and for a ``reset_after`` that is neither True nor False, or True without a GRU.
    """
    one_of("cell", cell, PARTS)
    if yes_or_no("reset_after", reset_after) and cell != "gru":
        raise ValueError(f"reset_after must be False for {cell!r}, got True")
    inputs = finite_array("inputs", inputs, ("T", "d"))
    weights = _three(weights)
    W, U, b = weights
    h = c = np.zeros(len(U))
    steps = []
    for x in inputs:
        if cell == "rnn":
            step = open_rnn(x, h, W, U, b)
        elif cell == "gru":
            step = open_gru(x, h, W, U, b, reset_after)
        else:
            step = open_lstm(x, h, c, W, U, b)
            c = step.c
        h = step.h
        steps.append(step)
    memory = np.array([step.c for step in steps]) if cell == "lstm" else None
    return OpenedLayer(weights, inputs, tuple(steps), np.array([step.h for step in steps]), memory)


def read_stacked(
    cell: str, layers: Sequence[CellWeights], inputs: np.ndarray, reset_after: bool = False
) -> tuple[OpenedLayer, ...]:
    """A stack over ``inputs`` (T, d), from the lowest layer up; each reads the hidden states of the one beneath.

    Raises ValueError for no layers, and as `read` does.
    """
    if not isinstance(layers, Sequence) or not len(layers):
        raise ValueError(f"layers must be a sequence of the weights of at least one layer, got {layers!r}")
    opened = []
    for weights in layers:
        opened.append(read(cell, weights, inputs, reset_after))
        inputs = opened[-1].hidden
    return tuple(opened)


def read_both_ways(
    cell: str, ahead: CellWeights, back: CellWeights, inputs: np.ndarray, reset_after: bool = False
) -> BothWays:
    """Two layers over ``inputs`` (T, d), one from each end, with weights of their own.

    Raises ValueError as `read` does.
    """
    inputs = finite_array("inputs", inputs, ("T", "d"))
    first = read(cell, ahead, inputs, reset_after)
    second = read(cell, back, inputs[::-1], reset_after)
    turned = OpenedLayer(
        second.weights,
        inputs,
        second.steps[::-1],
        second.hidden[::-1],
        None if second.memory is None else second.memory[::-1],
    )
    return BothWays(first, turned, np.hstack([first.hidden, turned.hidden]))


def _three(weights: CellWeights) -> CellWeights:
    """W, U and b; whether they fit together each step looks at."""
    if not isinstance(weights, tuple) or len(weights) != 3:
        raise ValueError(f"weights must be W, U and b, got {weights!r}")
    W, U, b = weights
    return CellWeights(W, finite_array("U", U, ("d_h", "G·d_h")), b)
