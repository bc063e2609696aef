"""Where weights start: PyTorch's uniform draw, orthogonal and identity recurrence, and the bias of a gate.

    uniform       every weight and bias from U(−1/√d_h, 1/√d_h), the default of PyTorch's recurrent layers
    orthogonal    each gate's part of U a rotation or reflection (Saxe, McClelland and Ganguli, 2014)
    identity      U = I, b = 0, the rest small: for ReLU units (Le, Jaitly and Hinton, 2015)

A forget bias well above 0 lets an LSTM remember from the first update on (Gers, Schmidhuber and Cummins,
2000; Jozefowicz, Zaremba and Sutskever, 2015); an update bias does the same for a GRU. What is drawn depends
on the seed and the sizes alone.
"""

import math
from typing import NamedTuple

import numpy as np

from core.cells import PARTS
from core.draws import generator
from core.matrices import recurrent_matrix
from core.validation import array_without_nan, finite_number, one_of, whole_number


class CellWeights(NamedTuple):
    """The weights of a cell with G stacked parts, in the order of its cell function's arguments."""

    W: np.ndarray
    """(d, G·d_h): from the input."""
    U: np.ndarray
    """(d_h, G·d_h): from the old state."""
    b: np.ndarray
    """(G·d_h,)."""


def uniform_weights(cell: str, input_size: int, hidden_size: int, seed: int) -> CellWeights:
    """Every entry of W, U and the one bias from U(−1/√d_h, 1/√d_h), for an "rnn", "lstm" or "gru".

    Raises ValueError for another cell, a size that is no integer from 1 and a seed that is none from 0.
    """
    width = _width(cell, hidden_size)
    input_size = whole_number("input_size", input_size, least=1)
    return CellWeights(
        _uniform("input_weights", (input_size, width), hidden_size, seed),
        _uniform("recurrent_weights", (hidden_size, width), hidden_size, seed),
        _uniform("bias", (width,), hidden_size, seed),
    )


def identity_weights(input_size: int, hidden_size: int, seed: int) -> CellWeights:
    """The start of Le, Jaitly and Hinton (2015) for a plain network of ReLU units: U = I, W ~ N(0, 0.001²), b = 0.

    Without input such a network hands its state on unchanged, and an error too. Raises ValueError for a size
    that is no integer from 1 and a seed that is none from 0.
    """
    input_size = whole_number("input_size", input_size, least=1)
    hidden_size = whole_number("hidden_size", hidden_size, least=1)
    U = recurrent_matrix("identity", hidden_size, 1.0, seed)
    draw = generator("input_weights", hidden_size, seed)
    return CellWeights(0.001 * draw.standard_normal((input_size, hidden_size)), U, np.zeros(hidden_size))


def recurrent_blocks(
    cell: str, hidden_size: int, seed: int, spectral_radius: float = 1.0, kind: str = "orthogonal"
) -> np.ndarray:
    """U (d_h, G·d_h): for each gate a draw of its own of `core.matrices.recurrent_matrix`, side by side.

    Raises ValueError for a cell other than "rnn", "lstm" or "gru", and as `recurrent_matrix` does.
    """
    one_of("cell", cell, PARTS)
    seed = whole_number("seed", seed, least=0)
    seeds = [seed, *np.random.SeedSequence(seed).generate_state(PARTS[cell] - 1).tolist()]
    return np.hstack([recurrent_matrix(kind, hidden_size, spectral_radius, part) for part in seeds])


def with_forget_bias(b: np.ndarray, forget_bias: float) -> np.ndarray:
    """A copy of an LSTM's bias (4·d_h,) whose forget part, the second quarter, is ``forget_bias``.

    +inf opens the gate for good, f = 1: the LSTM of 1997. Raises ValueError for NaN and for a bias of another
    kind.
    """
    return _with_part(b, PARTS["lstm"], "forget_bias", forget_bias)


def with_update_bias(b: np.ndarray, update_bias: float) -> np.ndarray:
    """A copy of a GRU's bias (3·d_h,) whose update part, the middle third, is ``update_bias``.

    The larger it is the more of the old state is kept. Raises ValueError for what is not finite and for a
    bias of another kind.
    """
    return _with_part(b, PARTS["gru"], "update_bias", finite_number("update_bias", update_bias))


def language_model(
    cell: str,
    vocabulary: int,
    embedding_size: int,
    hidden_size: int,
    seed: int,
    spectral_radius: float | None = None,
) -> dict[str, np.ndarray]:
    """Random parameters of a language model, ``{E, Wxh, Whh, bh, Why, by}`` of `core.rnn_lm` and `core.bptt`.

    E (V, d) is drawn from N(0, 1), the rest from U(−1/√d_h, 1/√d_h), all PyTorch's defaults; with a
    ``spectral_radius`` Whh is made of orthogonal blocks of that radius. For an "lstm" or "gru" Wxh, Whh and
    bh hold its stacked parts. What belongs to a word, its row of E, its column of Why and its entry of by, stays
    when words are added to the vocabulary. Raises ValueError for another cell, sizes below 1, a seed below 0 and a
    spectral radius that is not above 0.
    """
    vocabulary = whole_number("vocabulary", vocabulary, least=1)
    embedding_size = whole_number("embedding_size", embedding_size, least=1)
    Wxh, Whh, bh = uniform_weights(cell, embedding_size, hidden_size, seed)
    if spectral_radius is not None:
        Whh = recurrent_blocks(cell, hidden_size, seed, spectral_radius)
    return {
        "E": generator("embeddings", hidden_size, seed).standard_normal((vocabulary, embedding_size)),
        "Wxh": Wxh,
        "Whh": Whh,
        "bh": bh,
        "Why": _uniform("output_weights", (vocabulary, hidden_size), hidden_size, seed).T.copy(),
        "by": _uniform("output_bias", (vocabulary,), hidden_size, seed),
    }


def _uniform(stream: str, shape: tuple[int, ...], hidden_size: int, seed: int) -> np.ndarray:
    bound = 1 / math.sqrt(hidden_size)
    return generator(stream, hidden_size, seed).uniform(-bound, bound, shape)


def _width(cell: str, hidden_size: int) -> int:
    return PARTS[one_of("cell", cell, PARTS)] * whole_number("hidden_size", hidden_size, least=1)


def _with_part(b: np.ndarray, parts: int, name: str, value: float) -> np.ndarray:
    """A copy of ``b`` whose second of ``parts`` equal parts is ``value``."""
    b = array_without_nan("b", b, ("n",)).copy()
    if len(b) % parts:
        raise ValueError(f"b must have shape ({parts}·d_h,), got {b.shape}")
    size = len(b) // parts
    b[size : 2 * size] = array_without_nan(name, value, ())
    return b
