"""Lab: five functions to write oneself, and how far two known mistakes of each are off: where they show, where not."""

import param

from core.exercises.contract import NAMES
from core.exercises.hiding import deviations
from widgets.base.frame import Frame, Job, Preset, Table
from widgets.base.settings import LogNumber
from widgets.exercises import plots, words
from widgets.exercises.handouts import handouts, made_ready
from widgets.lab import Lab

_NEAR, _FAR = (-3.0, 1.0), (-6.0, 1.0)
"""Room for what is plainly wrong, and for what fades."""


class ExerciseLab(Lab):
    slug = "exercises"
    title = "Exercises"
    question = "Can you write it yourself, and find your mistake?"

    exercise = param.Selector(
        default=NAMES[0], objects=list(NAMES), label="Exercise",
        doc="Which function is to be written. Its file stands under the picture, to be copied or downloaded.",
    )  # fmt: skip
    steps = param.Integer(
        20, bounds=(1, 50), step=1, label="Longest T", doc="For how many steps the mistakes are followed."
    )
    hidden_size = param.Integer(
        4, bounds=(1, 16), step=1, label="Hidden size", doc="How many units d_h the network has."
    )
    weight_scale = LogNumber(
        1.0, bounds=(0.01, 2), step=0.01, label="Weight scale",
        doc="All weights and biases are multiplied by this. At 1 a unit’s sum is of ordinary size.",
    )  # fmt: skip
    start = param.Number(
        0.5, bounds=(0, 1), step=0.01, label="Start scale",
        doc="The first states are drawn from the normal distribution and multiplied by this.",
    )  # fmt: skip
    symmetric = param.Boolean(
        False, label="Symmetric",
        doc="Whether the recurrent matrix, or each gate’s part of it, is the same as its transpose.",
    )  # fmt: skip
    seed = param.Integer(
        0, bounds=(0, 9999), step=1, label="Seed", doc="Which weights, first states and inputs are drawn."
    )

    presets = (
        Preset(
            "reading", "Reading",
            "The network forgets its start, and with it that you left it out: the dashed line falls.",
            {}, _FAR,
        ),
        Preset(
            "going-back", "Going back",
            "At T = 1 dWhh shows neither: no error comes from a later step. Look at dh0, which shows the transpose.",
            {"exercise": "rnn_bptt"}, _NEAR,
        ),
        Preset(
            "lstm", "LSTM step",
            "Swapped gates are far off from the first step on. Take weight scale 0.01: one swap falls below 1\u00a0%.",
            {"exercise": "lstm_cell"}, _NEAR,
        ),
        Preset(
            "lstm-back", "LSTM, back",
            "The solid line begins at T = 2: only then is there a later cell for an error to come from.",
            {"exercise": "lstm_cell_backward"}, _NEAR,
        ),
        Preset(
            "gru", "GRU step",
            "A reset after the product is 2 to 19\u00a0% off, by the length. Now take a single unit: hidden size 1.",
            {"exercise": "gru_cell"}, _NEAR,
        ),
        Preset(
            "symmetry", "Symmetry",
            "The recurrent matrix is its own transpose: the mistake is made, and no number tells.",
            {"exercise": "rnn_bptt", "symmetric": True}, _NEAR,
        ),
    )  # fmt: skip

    def compute(self) -> Frame:
        found = deviations(
            self.exercise, self.steps, self.hidden_size, self.weight_scale, self.start, self.symmetric, self.seed
        )  # fmt: skip
        both = words.named(self.exercise, found)
        return Frame(
            columns=plots.columns(self.exercise, both),
            readouts=words.readouts(self.exercise, both),
            sentence=words.sentence(self.exercise, both),
            table=_table(self.exercise, both),
            arithmetic=words.arithmetic(self.exercise, both),
            notes=words.notes(self.exercise, both),
            codes=handouts(self.exercise),
            passages=lambda: [words.known_mistakes(self.exercise)],
        )

    def groundwork(self) -> Job:
        return Job(made_ready, (self.exercise,))

    def plots(self, sources):
        return plots.plots(sources, _FAR)


def _table(exercise: str, both: words.Named) -> Table:
    steps = len(both[0][1].off)
    return Table(
        f"How far {words.RESULTS[exercise]} is off, as a share of the larger of the two results",
        ["T", *(title for title, _ in both)],
        [list(range(1, steps + 1)), *(deviation.off.tolist() for _, deviation in both)],
    )
