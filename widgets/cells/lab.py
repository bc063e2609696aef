"""Lab: one step of a recurrent cell opened up, term by term, on the worked example "the cat sat"."""

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

import param

from core.cat_sat import GATES, WORDS
from widgets.base.frame import Frame, Preset
from widgets.cells import plots, sequences, words
from widgets.cells.lines import lines
from widgets.cells.picture import picture
from widgets.cells.reading import CELL_NAMES, SECOND, Reading, gru, lstm, rnn
from widgets.cells.table import table_of
from widgets.cells.terms import terms
from widgets.lab import Lab

_GATES, _STEPS = ("forget", "input", "candidate", "output"), (1, 2, 3)


def _gate_sliders(letter: str, what: str, doc: str, low: float = 0.01) -> tuple[param.Number, ...]:
    """A slider for one gate of the second unit at each of the three words, from the value that the example has."""
    return tuple(
        param.Number(
            float(getattr(GATES, letter)[t, SECOND]), bounds=(low, 0.99), step=0.01, label=f"LSTM {what} at “{word}”",
            doc=f"Of unit 2. {doc}",
        )
        for t, word in enumerate(WORDS)
    )  # fmt: skip


class CellLab(Lab):
    slug = "cells"
    title = "Cells"
    question = "What happens inside one step?"
    player = "step"
    pointers = frozenset({"step", "unit"})

    cell = param.Selector(default="lstm", objects=list(CELL_NAMES), label="Cell", doc="Whose step is opened.")
    step = param.Integer(
        3, bounds=(1, 3), step=1, label="Step", doc="Which word is read: “the”, “cat” or “sat”."
    )
    forget_1, forget_2, forget_3 = _gate_sliders(
        "f", "forget gate", "So much of the old cell is kept when this word is read."
    )
    arrangement = param.Selector(
        default="single", objects=["single", "stacked", "both-ways"], label="Arrangement",
        doc="single: one cell. stacked: layer 2 reads layer 1 at the same step. both-ways: a second layer reads the "
        "words from the end, and both states stand side by side.",
    )  # fmt: skip
    unit = param.Selector(
        default="2", objects=["1", "2"], label="Unit",
        doc="Which of the two units is shown; the example tells of unit 2.",
    )  # fmt: skip
    reset = param.Selector(
        default="before", objects=["before", "after"], label="GRU reset",
        doc="Whether a GRU’s reset gate acts on the old state before the product with U, as in the paper, or on "
        "the product after it, as in PyTorch.",
    )  # fmt: skip
    input_1, input_2, input_3 = _gate_sliders("i", "input gate", "So much of the candidate is written.")
    candidate_1, candidate_2, candidate_3 = _gate_sliders("g", "candidate", "What would be written.", -0.99)
    output_1, output_2, output_3 = _gate_sliders("o", "output gate", "So much of the cell is shown.")
    reset_bias = param.Number(
        0.0, bounds=(-6, 6), step=0.1, label="GRU reset bias",
        doc="Of both units. The higher, the less is reset; where no unit resets, the forms agree.",
    )  # fmt: skip
    update_bias = param.Number(
        0.0, bounds=(-6, 6), step=0.1, label="GRU update bias",
        doc="Of both units. The higher, the more of the old state is kept.",
    )  # fmt: skip

    folded = {
        "LSTM: input gate": ("input_1", "input_2", "input_3"),
        "LSTM: candidate": ("candidate_1", "candidate_2", "candidate_3"),
        "LSTM: output gate": ("output_1", "output_2", "output_3"),
    }

    of_cell: ClassVar[Mapping[str, Sequence[str]]] = {
        "lstm": [f"{gate}_{t}" for gate in _GATES for t in _STEPS],
        "gru": ["reset", "reset_bias", "update_bias"],
    }
    """Settings of one cell alone."""

    presets = (
        Preset(
            "the-cat-sat", "The cat sat",
            "Reckon 0.95·0.14 + 0.3·0.9 by hand. Then guess what the cell is with the forget gate at “sat” at 0.5.",
            {},
        ),
        Preset(
            "forgotten", "Forgotten",
            "With the forget gate at “sat” nearly shut only what is written there stays. See the line from f to f·c.",
            {"forget_3": 0.01},
        ),
        Preset(
            "written-over", "Written over",
            "A tanh RNN has no line from old state to new but through its weights. Step on: its sign turns at “sat”.",
            {"cell": "rnn", "step": 2},
        ),
        Preset(
            "reset", "Two ways to reset",
            "Here each unit is reset by its own gate. Switch GRU reset to after: the reader’s gate resets them all.",
            {"cell": "gru", "step": 2},
        ),
        Preset(
            "stacked", "A stack",
            "Layer 2 does not wait for the sentence: it reads layer 1 at the same word. Step through.",
            {"arrangement": "stacked", "step": 1},
        ),
        Preset(
            "both-ways", "Both ways",
            "What reads ahead knows least at “the”, what reads back at “sat”. Side by side, every word knows them all.",
            {"arrangement": "both-ways", "step": 2},
        ),
    )  # fmt: skip

    def idle(self) -> Collection[str]:
        return [name for cell, names in self.of_cell.items() if cell != self.cell for name in names]

    def compute(self) -> Frame:
        reading, unit = self._reading(), int(self.unit) - 1
        read = {"lstm": self._lstm(), "rnn": rnn(), "gru": self._gru()}
        states = {"c": read["lstm"].layer.memory[:, unit]} | {
            cell: example.layer.hidden[:, unit] for cell, example in read.items()
        }
        columns = plots.columns(states, reading.at)
        beyond = (
            ["A state leaves the figure “Word by word”: Fit axis shows it."] if plots.outside(states) else []
        )
        beyond += words.gru_stays(self.cell, {"reset bias": self.reset_bias, "update bias": self.update_bias})
        show = self._single if self.arrangement == "single" else self._sequence
        return show(reading, read, columns, beyond)

    def _single(self, reading: Reading, read, columns, beyond) -> Frame:
        found = terms(reading)
        return Frame(
            columns=columns,
            readouts=words.single_readouts(reading, list(read.items())),
            sentence=words.single_sentence(reading, read["rnn"]),
            table=table_of([("", reading)]),
            arithmetic=lines(reading, found),
            notes=[*words.single_notes(reading), *beyond],
            diagram=picture(reading, found),
        )

    def _sequence(self, reading: Reading, read, columns, beyond) -> Frame:
        is_stack = self.arrangement == "stacked"
        rows = (sequences.stack_rows if is_stack else sequences.both_rows)(reading)
        return Frame(
            columns=columns,
            readouts=words.sequence_readouts(reading, rows),
            sentence=(words.stacked_sentence if is_stack else words.both_sentence)(reading, rows),
            table=table_of([(row.name, row.reading) for row in rows]),
            arithmetic=sequences.lines(reading, rows, is_stack),
            notes=[*words.sequence_notes(reading), *beyond],
            diagram=(sequences.stacked if is_stack else sequences.both_ways)(reading, rows),
        )

    def _reading(self) -> Reading:
        example = {"lstm": self._lstm, "rnn": rnn, "gru": self._gru}[self.cell]()
        reset_after = self.cell == "gru" and self.reset == "after"
        return Reading(self.cell, reset_after, example.layer, self.step - 1, int(self.unit) - 1, example.ours)

    def _lstm(self):
        return lstm(*(self._three(name) for name in _GATES))

    def _gru(self):
        return gru(self.reset == "after", self.reset_bias, self.update_bias)

    def _three(self, name: str) -> tuple[float, ...]:
        return tuple(getattr(self, f"{name}_{t}") for t in _STEPS)

    def plots(self, sources):
        return plots.plots(sources)
