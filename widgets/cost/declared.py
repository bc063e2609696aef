"""The settings of the cost lab: which network, on how long a text, and which models beside it."""

import param

from core.cells import PARTS
from core.cost import Network
from widgets.base.settings import LogInteger
from widgets.lab import Lab

WIDEST, LONGEST = 1024, 10_000
WINDOWS = (1, 10)
PICTURES = {
    "weights": "what is learnt",
    "work": "what a token takes, and what waits for what",
    "memory": "what is held of the past",
    "learning": "what is kept for the way back",
    "window": "what a fixed window cannot see",
    "time": "what the clock says",
}
"""What can be looked at, and what that is."""
_BIASES = {"one": 1, "two": 2}


class CostDeclaration(Lab):
    """Declares what a visitor may set."""

    picture = param.Selector(
        default="weights", objects=list(PICTURES), label="Look at",
        doc="What the sentence answers and the first picture shows: "
        + ", ".join(f"{name} ({what})" for name, what in PICTURES.items()) + ".",
    )  # fmt: skip
    cell = param.Selector(
        default="lstm", objects=list(PARTS), label="Cell", doc="What each recurrent layer is made of."
    )
    hidden_size = LogInteger(
        256, bounds=(1, WIDEST), step=1, label="Hidden size dₕ",
        doc="How many units each layer has in each direction. Attention in a layer’s place gives as many numbers. "
        "The keys Page Up and Page Down double and halve it.",
    )  # fmt: skip
    length = LogInteger(
        1000, bounds=(1, LONGEST), step=1, label="Length T",
        doc="How many tokens the sequence has. Where a number is per token, it is that of token T.",
    )  # fmt: skip
    window = param.Integer(
        5, bounds=WINDOWS, step=1, label="Fixed window n",
        doc="How many words a model with a fixed window reads before it guesses the next one.",
    )  # fmt: skip
    vocabulary = LogInteger(
        10_000, bounds=(0, 100_000), step=1, label="Vocabulary V",
        doc="How many tokens embedding and softmax know. 0 leaves the recurrent layers alone.",
    )  # fmt: skip
    layers = param.Integer(
        1, bounds=(1, 8), step=1, label="Layers L", doc="Each reads the states of the one below."
    )
    directions = param.Selector(
        default="1", objects=["1", "2"], label="Directions",
        doc="2: a second set of layers reads from the end, and each layer reads both beneath it.",
    )  # fmt: skip
    tied = param.Boolean(
        False, label="Tied",
        doc="The softmax uses the embeddings again, behind a projection where the widths differ.",
    )  # fmt: skip
    input_size = LogInteger(
        128, bounds=(1, WIDEST), step=1, label="Input size d",
        doc="How many numbers the first layer reads at each step, and so the width of an embedding. The clock’s cells "
        "read dₕ numbers, whatever stands here.",
    )  # fmt: skip
    biases = param.Selector(
        default="one", objects=list(_BIASES), label="Biases",
        doc="one for each unit and gate, as in the equations, or two, as PyTorch and cuDNN keep them.",
    )  # fmt: skip
    truncation = LogInteger(
        50, bounds=(1, 1000), step=1, label="Truncation K",
        doc="Truncated BPTT goes back K steps at most, and keeps what those need. From T on it cuts nothing.",
    )  # fmt: skip

    folded = {"Input size, biases, truncation": ("input_size", "biases", "truncation")}

    def network(self) -> Network:
        """The network of the settings; without a vocabulary nothing is there to be tied."""
        return Network(
            self.cell, self.input_size, self.hidden_size, self.layers, self.vocabulary,
            _BIASES[self.biases], int(self.directions), self.tied and self.vocabulary > 0,
        )  # fmt: skip
