"""What the gates lab says: the names of its networks, the sentence, the arithmetic and the notes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.activations import sigmoid
from widgets.base.numbers import equals, from_log10, operand, percent, result
from widgets.figures.log_axis import COINCIDE
from widgets.gates.curves import FIRST, Flow

Flows = Mapping[str, Flow]


@dataclass(frozen=True)
class Network:
    """A kind of network whose gate's bias no slider sets."""

    name: str
    label: str
    cell: str
    gate_bias: float = 0.0


FIXED = (
    Network("rnn", "tanh RNN", "rnn"),
    Network("lstm_0", "LSTM, bias 0", "lstm", 0.0),
    Network("lstm_1", "LSTM, bias 1", "lstm", 1.0),
    Network("lstm_3", "LSTM, bias 3", "lstm", 3.0),
    Network("lstm_1997", "LSTM of 1997", "lstm-1997"),
    Network("gru", "GRU, bias 0", "gru"),
)
LIVE = {"live_lstm": "LSTM set here", "live_gru": "GRU set here"}
LABELS = {network.name: network.label for network in FIXED} | LIVE
STATES = {"live_lstm": "the cell", "live_gru": "z"}
"""Along what the straight path of each runs."""
_WORTH = -3
"""log10 of a ratio above which it is worth a word which path carried it."""


_PERCENT = 3
"""Powers of ten down to which a share is said in percent."""


def kept(gate_bias: float) -> float:
    """The share that a gate with this bias keeps, all else at 0."""
    return float(sigmoid(np.float64(gate_bias)))


def sentence(lab, flows: Flows) -> str:
    lstm, gru, rnn = (share(flows[name].ratio[-1]) for name in ("live_lstm", "live_gru", "rnn"))
    start = f"From {FIRST} to {lab.longest} steps the LSTM"
    if carried_elsewhere(flows["live_lstm"], lab.forget_bias):
        alone = share(_straight(lab.forget_bias, lab.longest - FIRST))
        return f"{start} keeps {lstm} of its gradient, its forget gate alone {alone}; GRU {gru}, RNN {rnn}."
    forget, update = operand(lab.forget_bias), operand(lab.update_bias)
    return (
        f"{start} (bias {forget}) keeps {lstm} of its gradient, the GRU (bias {update}) {gru}, the RNN {rnn}."
    )


def share(log10: float) -> str:
    """A share as one says it: in percent, and where it is tiny as a power of ten."""
    return percent(10.0**log10) if log10 >= -_PERCENT else from_log10(log10)


def carried_elsewhere(flow: Flow, gate_bias: float) -> bool:
    """Whether something worth a word is left, ten times what the gate's own product leaves, and not along it."""
    left = flow.ratio[-1]
    alone = _straight(gate_bias, int(flow.lengths[-1]) - FIRST)
    return bool(left > max(_WORTH, alone + 1) and flow.rest[-1] > flow.along[-1])


def _straight(gate_bias: float, steps: int) -> float:
    """log10 of σ(bias)^steps."""
    return steps * math.log10(kept(gate_bias))


def arithmetic(lab, flows: Flows) -> list[str]:
    return [
        _line("LSTM along c", "f", lab.forget_bias, flows["live_lstm"]),
        _line("GRU along z", "z", lab.update_bias, flows["live_gru"]),
    ]


def _line(name: str, gate: str, gate_bias: float, flow: Flow) -> str:
    n = int(flow.lengths[-1]) - FIRST
    base = operand(kept(gate_bias))
    first = list(flow.lengths).index(FIRST)
    along = from_log10(flow.along[-1] - flow.along[first])
    return (
        f"{name}: {gate}^{n} ≈ {base}^{n} = {result(float(base) ** n)}; "
        f"measured {along}, in all {from_log10(flow.ratio[-1])}"
    )


def notes(lab, flows: Flows) -> list[str]:
    found = [
        f"The {LABELS[live]} coincides with the {LABELS[network.name].replace(',', ' with')}."
        for live in LIVE
        for network in FIXED
        if network.cell == live.removeprefix("live_") and _coincide(flows[live], flows[network.name])
    ]
    lstm, gru = flows["live_lstm"], flows["live_gru"]
    if carried_elsewhere(lstm, lab.forget_bias):
        found.append(
            f"LSTM at {equals('T', lab.longest)}: straight along the cell comes {from_log10(lstm.along[-1])}, by all "
            f"other paths, through the hidden state and its gates, {from_log10(lstm.rest[-1])}."
        )
    if gru.ratio[-1] > _WORTH and gru.along[-1] > gru.rest[-1]:
        found.append(
            f"GRU at {equals('T', lab.longest)}: most comes straight along z, {from_log10(gru.along[-1])}, and "
            f"{from_log10(gru.rest[-1])} by other paths."
        )
    return found


def _coincide(one: Flow, other: Flow) -> bool:
    return bool(np.all(np.abs(one.median - other.median) < COINCIDE))
