"""The settings of the training lab: which text, which model, which recipe, and what of the trained net is looked at."""

from collections.abc import Mapping

import param

from core.properties import PROPERTIES
from widgets.base.settings import LogInteger, LogNumber, Text
from widgets.lab import Lab

CORPORA = ("toy", "brackets", "agreement", "prose", "own")
SIGNALS = ("h", "c", "i", "f", "g", "o", "r", "z", "n")

LARGEST = 256
"""Of the hidden sizes."""


class TrainingDeclaration(Lab):
    """Declares what a visitor may set. What a running job takes over without beginning anew is in `LIVE`."""

    corpus = param.Selector(
        default="toy", objects=list(CORPORA), label="Corpus",
        doc="toy: sentences of a small grammar. brackets: code with quotes and indentation. agreement: a last word "
        "that must agree with a far noun. prose: a short story. own: a text that you hand over.",
    )  # fmt: skip
    cell = param.Selector(
        default="lstm", objects=["rnn", "lstm", "gru"], label="Cell", doc="What each layer is made of."
    )
    hidden_size = param.Integer(
        128, bounds=(16, LARGEST), step=16, label="Hidden size", doc="How many units d_h each layer has."
    )
    truncation = param.Integer(
        64, bounds=(4, 128), step=4, label="Truncation K",
        doc="The text is read in chunks of K characters. The state is carried from chunk to chunk, the error is not.",
    )  # fmt: skip
    learning_rate = LogNumber(
        0.01, bounds=(0.001, 1), step=0.001, label="Learning rate η", doc="How large Adam’s steps are."
    )
    clip_norm = LogNumber(
        1.0, bounds=(0.05, 10), step=0.05, label="Clip norm",
        doc="A gradient longer than this is shortened to it, before the step is made.",
    )  # fmt: skip
    steps = LogInteger(
        300,
        bounds=(50, 5000),
        step=50,
        label="Steps to make",
        doc="Where the run comes to rest. More can be added.",
    )
    temperature = param.Number(
        0.8, bounds=(0.1, 2), step=0.05, label="Temperature τ",
        doc="Of the samples: below 1 the likely becomes likelier, above it everything evens out.",
    )  # fmt: skip

    layers = param.Integer(
        1, bounds=(1, 3), step=1, label="Layers", doc="Each reads the states of the one below."
    )
    embedding_size = param.Integer(
        32, bounds=(8, 64), step=8, label="Embedding size", doc="How many numbers stand for a character."
    )
    batch_size = param.Integer(
        32, bounds=(4, 64), step=4, label="Batch size",
        doc="How many stretches of the text are read side by side, each with a state of its own.",
    )  # fmt: skip
    forget_bias = param.Number(
        1.0, bounds=(-2, 6), step=0.1, label="Forget bias",
        doc="Where the forget bias of an LSTM starts; other cells have none.",
    )  # fmt: skip
    tied = param.Boolean(
        False, label="Tied", doc="The softmax uses the embeddings again: fewer weights to learn."
    )
    dropout = param.Selector(
        default="none", objects=["none", "non-recurrent", "variational", "dropconnect"], label="Dropout",
        doc="non-recurrent: fresh noise between layers at each step (Zaremba 2014). variational: one mask for a whole "
        "chunk (Gal 2016). dropconnect: recurrent weights dropped, once for a batch (Merity 2018).",
    )  # fmt: skip
    dropout_rate = param.Number(
        0.2, bounds=(0, 0.8), step=0.05, label="Dropout rate", doc="The share that is dropped."
    )
    clipping = param.Selector(
        default="before", objects=["before", "after", "none"], label="Clip when",
        doc="before the step, as it should be; after it, which is too late; none: never.",
    )  # fmt: skip
    carry_state = param.Boolean(
        True,
        label="Carry the state",
        doc="Off: each chunk starts from a state of zeros, as if nothing had been before.",
    )
    shuffle_rows = param.Boolean(
        False, label="Shuffle the rows",
        doc="On: the stretches change places at every chunk, so that each goes on from the state of another.",
    )  # fmt: skip
    seed = param.Integer(
        0,
        bounds=(0, 9999),
        step=1,
        label="Seed",
        doc="Which weights the run begins with, and which noise it meets.",
    )

    look_at = Text(
        default="", limit=400, label="Text to look at",
        doc="It is read by the net, and coloured by one of its cells. Empty: the newest sample.",
    )  # fmt: skip
    layer = param.Integer(1, bounds=(1, 3), step=1, label="Layer looked at", doc="1 is the lowest.")
    signal = param.Selector(
        default="h", objects=list(SIGNALS), label="Signal",
        doc="h: the state. c: an LSTM’s cell; i, f, g, o: its gates. r, z, n: those of a GRU.",
    )  # fmt: skip
    follows = param.Selector(
        default="position in the line", objects=list(PROPERTIES), label="Cells that follow",
        doc="Cells are ranked by how well they follow this property of the text.",
    )  # fmt: skip
    unit = param.Integer(
        1, bounds=(1, LARGEST), step=1, label="Cell looked at",
        doc="Its signal and gates are shown beside those of the cells that follow best.",
    )  # fmt: skip

    folded = {
        "Model: layers, forget bias, dropout": (
            "layers", "embedding_size", "forget_bias", "tied", "dropout", "dropout_rate",
        ),
        "Recipe: batch, clipping, state, seed": (
            "batch_size", "clipping", "carry_state", "shuffle_rows", "seed",
        ),
        "Samples, and inside the net": ("temperature", "look_at", "layer", "signal", "follows", "unit"),
    }  # fmt: skip
    named_in_labels = frozenset({"corpus", "cell", "hidden_size", "truncation"})
    pointers = frozenset({"look_at", "layer", "signal", "follows", "unit", "temperature"})

    def chosen(self, *names: str) -> dict[str, object]:
        """The present values of these settings."""
        return {name: getattr(self, name) for name in names}

    def refuse_beyond_bounds(self, values: Mapping[str, object]) -> None:
        """ValueError for values that no control of this lab can show."""
        for name, value in values.items():
            setting = self.settings()[name]
            allowed = getattr(setting, "objects", None)
            low, high = getattr(setting, "bounds", None) or (None, None)
            if (allowed and value not in allowed) or (low is not None and not low <= value <= high):
                wanted = ", ".join(allowed) if allowed else f"from {low} to {high}"
                raise ValueError(f"{setting.label} must be {wanted} in this lab, got {value}")

    @classmethod
    def limits(cls, values):
        return {"layer": (1, values["layers"]), "unit": (1, values["hidden_size"])}


LIVE = ("learning_rate", "clip_norm", "clipping", "carry_state", "shuffle_rows", "dropout_rate")
"""What a run takes over while it goes on."""
TOLD = (*LIVE, "steps", "temperature")
"""What a page may tell a run at any time."""
STRUCTURE = (
    "cell", "layers", "hidden_size", "embedding_size", "truncation", "batch_size", "forget_bias", "tied", "dropout",
    "seed",
)  # fmt: skip
"""What decides the run from its beginning, beside the corpus."""
