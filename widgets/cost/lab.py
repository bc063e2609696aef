"""Lab: what a recurrent network costs, in parameters, work, memory and time, beside attention and fixed windows."""

from collections.abc import Mapping

import numpy as np

from core.cells import PARTS
from core.cost import Network, parameters, step_cost, top_layer
from core.products import log10_magnitude
from widgets.base.frame import Columns, Frame, Job, Preset, Table
from widgets.base.numbers import count, percent
from widgets.cost import counts, plots, words
from widgets.cost.declared import CostDeclaration
from widgets.cost.measured import MeasuringEngine, Times
from widgets.cost.stopwatch import WIDTHS

_A_BILLION = 9
"""log10 of the multiply–adds a second at which the counted lines lie beside the measured ones."""


class CostLab(CostDeclaration):
    slug = "cost"
    title = "Cost"
    question = "What does it cost?"
    sentence_lines = 2
    short_passages = True

    presets = (
        Preset(
            "word-model", "Word model",
            "Double d_h: the LSTM’s line rises by up to a factor of four, that of embedding and softmax never by two.",
            {}, (2.0, 9.0),
        ),
        Preset(
            "one-layer", "One layer, 65 to 128",
            "99,328 parameters with one bias, 99,840 with two. Predict the tanh RNN’s and the GRU’s, then choose them.",
            {"input_size": 65, "hidden_size": 128, "vocabulary": 0}, (1.0, 7.0),
        ),
        Preset(
            "tied", "Two layers, tied",
            "Embedding and softmax share 6,500,000 weights. Untie them: the parameters grow, the work does not.",
            {"layers": 2, "input_size": 650, "hidden_size": 650, "tied": True}, (2.0, 9.0),
        ),
        Preset(
            "both-ways", "Both ways",
            "Two layers, both ways: 2,000 steps in a row. Predict their number for one direction, then choose it.",
            {"layers": 2, "directions": "2", "vocabulary": 0}, (2.0, 9.0),
        ),
        Preset(
            "long-text", "Long text",
            "Below, what full BPTT and attention keep grows with T; truncated BPTT and the state stay as they are.",
            {"cell": "gru", "length": 10_000, "vocabulary": 65, "input_size": 32, "hidden_size": 128}, (1.0, 7.0),
        ),
        Preset(
            "window-of-five", "A window of five",
            "Below, a window of 5 misses “lanterns”. Find the n that sees them, and what a table for it takes.",
            {"cell": "rnn", "vocabulary": 17_964, "input_size": 60, "hidden_size": 50}, (1.0, 9.0),
        ),
    )  # fmt: skip

    times: Times | None = None
    """What was measured on this server; its engine sets it. None: not yet."""
    unmeasured = False
    """Whether the measurement failed."""

    def engine(self, visitor):
        self.run = ""
        return MeasuringEngine(self, visitor)

    def compute(self) -> Frame:
        network = self.network()
        layer = top_layer(network)
        found = {
            "widths": counts.by_width(network),
            "work": counts.token_by_position(layer),
            "past": counts.past_by_position(layer),
            "kept": counts.kept_by_length(network, self.truncation),
            "windows": counts.by_window(network),
        }
        return Frame(
            columns={
                **{name: plots.logs(columns, plain=("n",)) for name, columns in found.items()},
                **self._marks(network),
                "times": _timed(self.times),
            },
            readouts=words.readouts(self, network),
            sentence=words.sentence(self, network),
            table=_data_table(found, self.times),
            arithmetic=words.arithmetic(self, network),
            notes=words.notes(self, network),
            passages=lambda: [words.passage(self.window)],
        )

    def _marks(self, network: Network) -> dict[str, Columns]:
        """Where the settings stand, and where attention crosses the cells."""
        learnt, width = parameters(network), self.hidden_size
        here = [
            (learnt.total, "reference"),
            (counts.ends(learnt), "input"),
            (learnt.recurrent, plots.CELL_ROLES[self.cell]),
        ]
        crossings = [
            (start, work, plots.CELL_ROLES[cell])
            for cell, (start, work) in counts.crossings(top_layer(network)).items()
        ]
        return {
            "here": plots.points("d_h", [(width, value, role) for value, role in here]),
            "crossings": plots.points("t", crossings),
            "d_h": plots.place("d_h", width),
            "length": plots.place("t", self.length),
            "window": {"n": np.array([float(self.window)])},
        }

    def comparison(self) -> Job:
        return Job(_part_by_part, (self.network(), self.length))

    def plots(self, sources):
        return plots.plots(sources, self.presets[0].window)


def _timed(times: Times | None) -> Columns:
    """Seconds of a step as measured, gaps where they are not, beside multiply–adds at a billion a second."""
    columns = {"d_h": log10_magnitude(np.array(WIDTHS, dtype=float))}
    for cell in PARTS:
        work = [step_cost(Network(cell, width, width)).recurrent for width in WIDTHS]
        measured = np.full(len(WIDTHS), np.nan) if times is None else np.array(times[cell])
        columns |= {
            cell: log10_magnitude(measured),
            f"{cell}_count": log10_magnitude(np.array(work, dtype=float)) - _A_BILLION,
        }
    return columns


def _data_table(found: Mapping[str, counts.Counts], times: Times | None) -> Table:
    """Every count that is drawn, one a row, and what was measured."""
    rows = [
        (title, curve.label, place, at, value)
        for name, (title, curves) in plots.FIGURES.items()
        for place in [next(iter(found[name]))]
        for curve in curves
        for at, value in zip(found[name][place], found[name][curve.column], strict=True)
        if value
    ]
    rows += [
        (plots.CLOCK, f"{plots.NAMES[cell]}, seconds a step", "d_h", width, seconds)
        for cell, measured in (times or {}).items()
        for width, seconds in zip(WIDTHS, measured, strict=True)
    ]
    headings = ["picture", "curve", "by", "at", "number"]
    return Table("Every number that is drawn", headings, list(zip(*rows, strict=True)))


def _part_by_part(network: Network, length: int) -> Table:
    parts = counts.parts(network, length)
    whole = parts[-1]
    return Table(
        "Part by part: parameters, and the multiply–adds of a step. An embedding is looked up, which takes none; going "
        "back takes two products for each one forward",
        ["part", "parameters", "share", "forward", "backward", f"both, T = {count(length)}", "share of work"],
        [
            [part.name for part in parts],
            [count(part.parameters) for part in parts],
            [percent(part.parameters / whole.parameters) for part in parts],
            [count(part.forward) for part in parts],
            [count(part.backward) for part in parts],
            [count(part.sequence) for part in parts],
            [percent(part.forward / whole.forward) for part in parts],
        ],
    )
