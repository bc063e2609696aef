"""Lab: the gradient of a sentence's losses, itemised by loss and by step, in a random recurrent network."""

import param

from widgets.base.frame import Frame, Job, Preset, Table
from widgets.base.settings import Text
from widgets.base.typed import visible_words
from widgets.bptt import columns, plots, words
from widgets.bptt.reading import CELL_NAMES, Network, Reading, numerical_check, side_by_side
from widgets.lab import Lab

AGREEMENT = "the lanterns above the old door of the house on our narrow street burn"
"""The verb agrees with the lanterns, twelve words before it, past a street."""
_WINDOW = (-4.0, 2.0)
_MOST_WORDS = 40


def _steps(text: str) -> int:
    """T: how many words are guessed."""
    return max(1, len(visible_words(text)) - 1)


def _text_preset(name: str, title: str, look_for: str, text: str = AGREEMENT, window=_WINDOW, **settings):
    """A preset that looks at the last loss of its text, not truncated unless it says so."""
    ends = {"loss_step": _steps(text), "truncation": _steps(text)}
    return Preset(name, title, look_for, {"text": text, **ends, **settings}, window)


class BpttLab(Lab):
    slug = "bptt"
    title = "BPTT"
    question = "Which step taught the shared weights what?"
    check_label = "Check the gradients numerically"
    pointers = frozenset({"loss_step"})

    text = Text(
        default=AGREEMENT, limit=320, words=_MOST_WORDS, label="Text to read",
        doc="Its words are the tokens. After each word but the last the network guesses the next one.",
    )  # fmt: skip
    cell = param.Selector(
        default="rnn", objects=list(CELL_NAMES), label="Cell", doc="Which cell reads the text."
    )
    heat_map = param.Selector(
        default="terms", objects=["terms", "h", "c", "x"], label="Heat map: terms, or errors at",
        doc="terms: those of the gradient ∂ℒ/∂W_hh, what each loss adds to it through each step, as a norm. "
        "h, c, x: the size of each loss’s error at the state, at the LSTM’s cell, at the word’s embedding.",
    )  # fmt: skip
    loss_step = param.Integer(
        _steps(AGREEMENT), bounds=(1, _steps(AGREEMENT)), step=1, label="Loss followed t",
        doc="The loss whose error is followed back, step by step. A click on its row does the same.",
    )  # fmt: skip
    truncation = param.Integer(
        _steps(AGREEMENT), bounds=(1, _steps(AGREEMENT)), step=1, label="Truncation K",
        doc="Truncated BPTT cuts the text into chunks of K steps and keeps what lies within one. T cuts nothing.",
    )  # fmt: skip
    spectral_radius = param.Number(
        0.9, bounds=(0.1, 1.5), step=0.01, label="Spectral radius ρ",
        doc="W_hh is orthogonal, times this; for an LSTM or a GRU each of its parts is.",
    )  # fmt: skip
    hidden_size = param.Integer(
        16, bounds=(4, 64), step=1, label="Hidden size", doc="How many units d_h the network has."
    )
    seed = param.Integer(
        0, bounds=(0, 9999), step=1, label="Seed", doc="Which random weights and embeddings are drawn."
    )

    presets = (
        Preset(
            "agreement-rnn", "Agreement, RNN",
            "“burn” agrees with “lanterns”, read at step 2: in the last row, step 3 is the first whose state holds it.",
            {}, _WINDOW,
        ),
        _text_preset(
            "agreement-lstm", "Agreement, LSTM",
            "A random LSTM is no better: its forget gates stand near one half, so what runs along c fades too.",
            cell="lstm", heat_map="c",
        ),
        _text_preset(
            "agreement-gru", "Agreement, GRU",
            "A random GRU fades too: the tiles at the left of its last row are paler than those of the tanh RNN.",
            cell="gru",
        ),
        _text_preset(
            "truncated", "Truncated",
            "With K = 4 the tiles across a cut are gone. The verb’s loss stands first in its chunk: nothing behind it.",
            truncation=4,
        ),
        _text_preset(
            "short", "Three words",
            "Two losses, two steps, three tiles. The two of step 1 are empty: a term holds the state before, h_0 = 0.",
            text="small lanterns burn", window=(-2.0, 2.0),
        ),
        _text_preset(
            "exploding", "Exploding",
            "With ρ = 1.5 and little squashing an error is larger at step 1 than where it set out: near lags win less.",
            heat_map="h", spectral_radius=1.5, hidden_size=64, window=(-3.0, 3.0),
        ),
    )  # fmt: skip

    @classmethod
    def limits(cls, values):
        steps = _steps(values["text"])
        return {"loss_step": (1, steps), "truncation": (1, steps)}

    def follow(self, name, value):
        """What stands at the end of the text stays at its end while one types."""
        if name != "text":
            return {}
        last = _steps(self.text)
        return {ends: _steps(value) for ends in ("loss_step", "truncation") if getattr(self, ends) >= last}

    def compute(self) -> Frame:
        read = visible_words(self.text)
        if len(read) < 2:
            return Frame(columns.no_columns(), [], words.NO_TEXT, Table("For each n", ["n"], [[]]))
        reading = Reading(read, self._network(), self.loss_step, self.truncation)
        return Frame(
            columns=columns.columns(reading, self.heat_map),
            readouts=words.readouts(reading),
            sentence=words.sentence(reading, self.heat_map),
            table=words.data_table(reading),
            arithmetic=words.arithmetic(reading),
            notes=words.notes(reading, self.heat_map),
        )

    def _network(self) -> Network:
        return Network(self.cell, self.hidden_size, self.spectral_radius, self.seed)

    def comparison(self) -> Job:
        return Job(
            side_by_side,
            (visible_words(self.text), self.hidden_size, self.spectral_radius, self.seed),
        )

    def check(self) -> Job:
        return Job(numerical_check, (visible_words(self.text), self._network()))

    def plots(self, sources):
        return plots.plots(sources, _WINDOW)
