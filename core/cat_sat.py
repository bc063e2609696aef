"""The worked example: a network of two units reads "the cat sat", as an LSTM, a GRU and a tanh RNN.

The example is told with the second unit of an LSTM alone. Its forget gate opens from word to word, .5, .9, .95, so
that what was written at "cat" is still there at "sat":

    c_2 = .14,    c_3 = f ⊙ c + i ⊙ g = .95 · .14 + .3 · .9 = .403

Everything else is open, and ours: the first unit, which by contrast lets go of each word; what makes c_2 be .14 (.2 ·
.5 is written at "the" and .1 · .5 at "cat", .9 · .1 + .05 = .14); all output gates; the weights; and the layers that
stand above the example, or read from its end. ``ours`` says of each number whether it is.

Words are one-hot rows, so row t of W is read at word t alone. With U and b chosen, it can be set to give any gates:

    W_t = (logit i_t, logit f_t, artanh g_t, logit o_t) − h_{t−1} U − b
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.cells import PARTS
from core.draws import read_only
from core.initialisation import CellWeights, uniform_weights
from core.lstm_cell import LSTMGates, next_state
from core.opened_sequence import BothWays, OpenedLayer, read, read_both_ways, read_stacked
from core.validation import finite_array, finite_number, one_of

WORDS = ("the", "cat", "sat")
INPUTS = read_only(np.eye(3))
"""(3, 3): a one-hot row for each word."""

GATES = LSTMGates(
    i=read_only(np.array([[0.6, 0.2], [0.5, 0.1], [0.7, 0.3]])),
    f=read_only(np.array([[0.8, 0.5], [0.4, 0.9], [0.2, 0.95]])),
    g=read_only(np.array([[0.3, 0.5], [-0.4, 0.5], [0.6, 0.9]])),
    o=read_only(np.array([[0.7, 0.6], [0.6, 0.4], [0.8, 0.9]])),
)
"""The LSTM's gates, each (3, 2): a row for each word, a column for each unit."""

GIVEN = LSTMGates(
    i=read_only(np.array([[False, False], [False, False], [False, True]])),
    f=read_only(np.array([[False, True], [False, True], [False, True]])),
    g=read_only(np.array([[False, False], [False, False], [False, True]])),
    o=read_only(np.zeros((3, 2), dtype=bool)),
)
"""True where a gate is the example's own; the rest was open."""

_TOLD_CELL, _TOLD_AT = 0.14, (1, 1)
"""c of the second unit after "cat", which the example gives without what it is made of."""

_LSTM_U = read_only(
    np.array([[0.5, -0.3, 0.2, 0.4, 0.6, -0.5, 0.1, 0.3], [-0.2, 0.4, 0.3, 0.5, -0.4, 0.7, 0.2, -0.1]])
)
_LSTM_B = read_only(np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]))

_RNN = CellWeights(
    read_only(np.array([[0.2, 0.1], [0.3, 0.9], [-0.8, -0.7]])),
    read_only(np.array([[0.5, -0.3], [0.8, 0.2]])),
    read_only(np.zeros(2)),
)

_SEED = 17
"""Of the weights of the layers that the example lacks; none of their states is so near to 0 that it shows nothing."""

# Units that reset differently and read one another: otherwise both forms would be alike.
_GRU = CellWeights(
    read_only(np.array([[1, -1, 0, -1, 0.4, 0.3], [2, -1, 0, -2, 0.2, 1], [-1, 2, 1, 2, -0.6, 0.5]])),
    read_only(np.array([[1, -2, 0.5, 0.3, 0.5, -1], [-2, 1, -0.4, 0.6, 1, 0.5]])),
    read_only(np.zeros(6)),
)


@dataclass(frozen=True)
class WorkedExample:
    """One cell's reading of the three words."""

    layer: OpenedLayer
    """The three steps, opened."""
    ours: Mapping[str, np.ndarray]
    """For W, U, b, of the LSTM also for its gates i, f, g, o and for f ⊙ c ("kept"), i ⊙ g ("written"), c and h, each
    (3, 2): booleans of their shapes, True where we chose the number, or what it is made of."""

    @property
    def weights(self) -> CellWeights:
        return self.layer.weights


def cat_sat_lstm(gates: LSTMGates = GATES) -> WorkedExample:
    """The LSTM with the given gates, each (3, 2), at the three words; changed ones count as ours.

    Raises ValueError for gates that are not finite, of another shape, or not inside of (0, 1), the candidate's not
    inside of (−1, 1).
    """
    if not isinstance(gates, tuple) or len(gates) != 4:
        raise ValueError(f"gates must be i, f, g and o, got {gates!r}")
    gates = LSTMGates(*(_inside(name, gate) for name, gate in zip("ifgo", gates, strict=True)))
    a = np.hstack([_logit(gates.i), _logit(gates.f), np.arctanh(gates.g), _logit(gates.o)])
    W = np.empty((3, 8))
    h = c = np.zeros(2)
    for t in range(3):
        W[t] = a[t] - h @ _LSTM_U - _LSTM_B
        h, c = next_state(LSTMGates(*(gate[t] for gate in gates)), c)
    weights = CellWeights(W, _LSTM_U, _LSTM_B)
    ours = _all_ours(weights)
    for name, gate, first, given in zip("ifgo", gates, GATES, GIVEN, strict=True):
        ours[name] = ~given | (gate != first)
    layer = read("lstm", weights, INPUTS)
    return WorkedExample(layer, ours | _states_of_ours(ours, layer))


def cat_sat_rnn() -> WorkedExample:
    """A tanh RNN, which writes its state anew at every word."""
    return WorkedExample(read("rnn", _RNN, INPUTS), _all_ours(_RNN))


def cat_sat_gru(
    reset_after: bool = False, reset_bias: float = 0.0, update_bias: float = 0.0
) -> WorkedExample:
    """A GRU in either form, with the same weights, and these biases of its reset and its update gates.

    Raises ValueError unless ``reset_after`` is True or False and the biases are finite numbers.
    """
    b = _GRU.b.copy()
    b[:2] = finite_number("reset_bias", reset_bias)
    b[2:4] = finite_number("update_bias", update_bias)
    weights = _GRU._replace(b=read_only(b))
    return WorkedExample(read("gru", weights, INPUTS, reset_after), _all_ours(weights))


def cat_sat_stacked(cell: str, weights: CellWeights, reset_after: bool = False) -> tuple[OpenedLayer, ...]:
    """Two layers at the three words: the example with its ``weights``, and one of ours that reads its hidden states.

    Raises ValueError as `core.opened_sequence.read_stacked` does.
    """
    return read_stacked(cell, (weights, _of_ours(cell, 2)), INPUTS, reset_after)


def cat_sat_both_ways(cell: str, weights: CellWeights, reset_after: bool = False) -> BothWays:
    """The example with its ``weights``, and beside it a layer of ours that reads the words from the last one back.

    Raises ValueError as `core.opened_sequence.read_both_ways` does.
    """
    return read_both_ways(cell, weights, _of_ours(cell, 3), INPUTS, reset_after)


def _of_ours(cell: str, input_size: int) -> CellWeights:
    """Weights of two units, drawn at random."""
    one_of("cell", cell, PARTS)
    return uniform_weights(cell, input_size, 2, _SEED)


def _states_of_ours(ours: Mapping[str, np.ndarray], layer: OpenedLayer) -> dict[str, np.ndarray]:
    """Which of the LSTM's products and states follow from a number that we chose; c_0 = 0 is nobody's choice."""
    told = np.zeros((3, 2), dtype=bool)
    told[_TOLD_AT] = np.isclose(layer.memory[_TOLD_AT], _TOLD_CELL, rtol=0, atol=1e-9)
    written = ours["i"] | ours["g"]
    kept, c = np.empty_like(written), np.empty_like(written)
    old = np.zeros(2, dtype=bool)
    for t in range(3):
        kept[t] = ours["f"][t] | old
        old = c[t] = (kept[t] | written[t]) & ~told[t]
    return {"kept": kept, "written": written, "c": c, "h": c | ours["o"]}


def _all_ours(weights: CellWeights) -> dict[str, np.ndarray]:
    return {name: np.ones(array.shape, dtype=bool) for name, array in weights._asdict().items()}


def _inside(name: str, gate: np.ndarray) -> np.ndarray:
    gate = finite_array(name, gate, (3, 2))
    low = -1 if name == "g" else 0
    outside = gate[(gate <= low) | (gate >= 1)]
    if outside.size:
        raise ValueError(f"{name} must lie between {low} and 1, got {float(outside[0])!r}")
    return gate


def _logit(gate: np.ndarray) -> np.ndarray:
    """σ⁻¹."""
    return np.log(gate) - np.log1p(-gate)
