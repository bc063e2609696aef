"""Lab: what is left of a gradient at the first input of random networks, with gates and without, by length."""

from collections.abc import Mapping

import numpy as np
import param

from core.products import power_of_ten
from widgets.base.frame import Frame, Job, Preset, Readout, Table, log_readout, readout
from widgets.base.numbers import equals, operand
from widgets.gates import plots, words
from widgets.gates.curves import FIRST, NETWORKS, Flow, lengths_for, measure, reach
from widgets.lab import Lab

_BIASES = (-2, 6)
_TABLED = (5, 10, 20, 50, 100)
_QUICK = 32, 100
"""Units and steps up to which one cell is measured between two pictures."""
_NEAR, _FAR = (-12.0, 2.0), (-26.0, 2.0)

Flows = Mapping[str, Flow]


class GateLab(Lab):
    slug = "gates"
    title = "Gates"
    question = "What does gating buy, measured?"

    forget_bias = param.Number(
        1.0, bounds=_BIASES, step=0.1, label="LSTM forget bias",
        doc="Of the LSTM set here: its forget gates keep about f = σ(bias) of the cell at each step.",
    )  # fmt: skip
    update_bias = param.Number(
        0.0, bounds=_BIASES, step=0.1, label="GRU update bias",
        doc="Of the GRU set here: about z = σ(bias) of the old state is kept at each step. "
        "The higher, the longer the memory, and the less of each input is written.",
    )  # fmt: skip
    hidden_size = param.Integer(
        32, bounds=(8, 64), step=8, label="Hidden size", doc="How many units each network has."
    )
    longest = param.Integer(
        100, bounds=(10, 200), step=10, label="Longest T", doc="The longest sequence that is measured."
    )
    seed = param.Integer(
        0, bounds=(0, 9999), step=1, label="Seed",
        doc=f"Which {NETWORKS} networks of each kind, sequences and reading vectors are drawn.",
    )  # fmt: skip

    presets = (
        Preset(
            "forget-bias-1", "Forget bias 1",
            "The usual start. Raise the forget bias: up to about 3 each further unit lifts the end by powers of ten.",
            {}, _FAR,
        ),
        Preset(
            "forget-bias-0", "Forget bias 0",
            "With f about 1/2, gone by T\u00a0=\u00a050: gates alone do not remember. Compare the tanh RNN’s slope.",
            {"forget_bias": 0.0}, _FAR,
        ),
        Preset(
            "forget-bias-3", "Forget bias 3",
            "Each step keeps 0.9526 of the cell, and 95 steps keep far more than 0.9526^95. See the paths below.",
            {"forget_bias": 3.0}, _NEAR,
        ),
        Preset(
            "gru-open", "GRU, update gate open",
            "It carries like the LSTM with bias 3, from lower down: a state that is kept is hardly written to.",
            {"update_bias": 4.0}, _NEAR,
        ),
        Preset(
            "small", "Eight units",
            "8 units in place of 32: fewer paths lead back, and every curve falls more steeply, that of 1997 too.",
            {"hidden_size": 8}, _FAR,
        ),
        Preset(
            "long-haul", "Long haul",
            "200 steps, gates wide open. Pin the curves, draw anew, and look for the pins in the new bands.",
            {"forget_bias": 4.0, "update_bias": 5.0, "longest": 200}, _NEAR,
        ),
    )  # fmt: skip

    def compute(self) -> Frame:
        flows = {name: flow.until(self.longest) for name, flow in _measured(*self._arguments()).items()}
        return Frame(
            columns={
                "flow": plots.curves(flows),
                "bands": plots.bands(flows),
                "paths": plots.paths(flows),
            },
            readouts=self._readouts(flows),
            sentence=words.sentence(self, flows),
            table=_table(flows),
            arithmetic=words.arithmetic(self, flows),
            notes=words.notes(self, flows),
        )

    def groundwork(self) -> Job:
        units, steps = _QUICK
        if self.hidden_size <= units and reach(self.longest) <= steps:
            return Job(_fixed, self._sizes())
        return Job(_measured, self._arguments())

    def comparison(self) -> Job:
        return Job(_tabled, (*self._arguments(), self.longest))

    def _sizes(self) -> tuple:
        return self.hidden_size, lengths_for(self.longest), self.seed

    def _arguments(self) -> tuple:
        return self.forget_bias, self.update_bias, *self._sizes()

    def _readouts(self, flows: Flows) -> list[Readout]:
        T = int(flows["rnn"].lengths[-1])
        last = equals("T", T)
        ratio = f"{last} against\u00a0{FIRST}"
        lstm, gru = flows["live_lstm"], flows["live_gru"]
        return [
            log_readout("lstm_ratio", f"LSTM, {ratio}", lstm.ratio[-1]),
            readout("forget_gate", "f at rest, σ(forget bias)", words.kept(self.forget_bias)),
            log_readout("lstm", f"LSTM, {last}", lstm.median[-1]),
            log_readout("lstm_along", "LSTM, along the cell", lstm.along[-1]),
            log_readout("lstm_rest", "LSTM, other paths", lstm.rest[-1]),
            log_readout("gru_ratio", f"GRU, {ratio}", gru.ratio[-1]),
            readout("update_gate", "z at rest, σ(update bias)", words.kept(self.update_bias)),
            log_readout("gru", f"GRU, {last}", gru.median[-1]),
            log_readout("gru_along", "GRU, along z", gru.along[-1]),
            log_readout("gru_rest", "GRU, other paths", gru.rest[-1]),
            log_readout("rnn_ratio", f"tanh RNN, {ratio}", flows["rnn"].ratio[-1]),
        ]

    def plots(self, sources):
        return plots.plots(sources, self.presets[0].window)


def _fixed(hidden_size: int, lengths: tuple[int, ...], seed: int) -> Flows:
    """The networks whose biases no slider sets."""
    return {
        network.name: measure(network.cell, network.gate_bias, hidden_size, lengths, seed)
        for network in words.FIXED
    }


def _measured(
    forget_bias: float, update_bias: float, hidden_size: int, lengths: tuple[int, ...], seed: int
) -> Flows:
    """All networks of the picture."""
    return _fixed(hidden_size, lengths, seed) | {
        "live_lstm": measure("lstm", forget_bias, hidden_size, lengths, seed),
        "live_gru": measure("gru", update_bias, hidden_size, lengths, seed),
    }


def _table(flows: Flows) -> Table:
    """Every number that is drawn."""
    headings, columns = ["T"], [flows["rnn"].lengths.tolist()]
    for name, flow in flows.items():
        label = words.LABELS[name]
        headings += [f"{label}: median", f"{label}: lowest", f"{label}: highest"]
        columns += _numbers(flow.median, flow.lowest, flow.highest)
    for name, state in words.STATES.items():
        headings += [f"{words.LABELS[name]}: along {state}", f"{words.LABELS[name]}: other paths"]
        columns += _numbers(flows[name].along, flows[name].rest)
    return Table(
        f"Gradient at the first input, of {NETWORKS} random networks of each kind", headings, columns
    )


def _numbers(*logs: np.ndarray) -> list[list[float]]:
    return [power_of_ten(column).tolist() for column in logs]


def _tabled(
    forget_bias: float,
    update_bias: float,
    hidden_size: int,
    lengths: tuple[int, ...],
    seed: int,
    longest: int,
) -> Table:
    """The medians at a few lengths, and of the networks' own ratios of the longest to the first, network by network."""
    flows = _measured(forget_bias, update_bias, hidden_size, lengths, seed)
    tabled = sorted({*(T for T in _TABLED if longest >= T), longest})
    rows = [lengths.index(T) for T in tabled]
    medians = np.array([[*flow.median[rows], flow.ratio[rows[-1]]] for flow in flows.values()])
    return Table(
        f"Medians of {NETWORKS} random networks with {hidden_size} units, seed {seed}; forget bias "
        f"{operand(forget_bias)} and update bias {operand(update_bias)} are set here. The last column is the median of "
        "the networks’ own ratios, not the ratio of the medians",
        ["network", *(f"T = {T}" for T in tabled), f"median of {longest} : {FIRST}"],
        [[words.LABELS[name] for name in flows], *_numbers(*medians.T)],
    )
