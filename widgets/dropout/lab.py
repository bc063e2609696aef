"""Lab: a memory that must hold a bit, and dropout masks on its way through time or beside it."""

from collections.abc import Collection

import param

from core.memory_masks import SCHEMES
from widgets.base.frame import Frame, Job, Preset
from widgets.dropout import curves, network, plots, tiles, tying, words
from widgets.lab import Lab

_WINDOW = (-2.0, 0.36)
_ONE_DECADE = (-1.0, 0.18)
"""Where all that is drawn stays near 1."""


class DropoutLab(Lab):
    slug = "dropout"
    title = "Dropout"
    question = "Where may noise go without wiping the memory?"

    scheme = param.Selector(
        default="fresh", objects=list(SCHEMES), label="Where the masks go",
        doc="fresh: on the state, a new mask at every step. variational: on the state, one mask for the sequence. "
        "non-recurrent: on what enters and leaves the memory. dropconnect: on the recurrent matrix, drawn once.",
    )  # fmt: skip
    rate = param.Number(
        0.2, bounds=(0, 0.8), step=0.01, label="Dropout rate ρ",
        doc="The share that a mask drops. What it keeps it divides by 1 − ρ, so that means stay as they are.",
    )  # fmt: skip
    steps = param.Integer(
        100, bounds=(10, 500), step=10, label="Steps T", doc="For how many steps the bit must be held."
    )
    seed = param.Integer(0, bounds=(0, 9999), step=1, label="Seed", doc="Which masks and memories are drawn.")

    presets = (
        Preset(
            "fresh", "Fresh masks",
            "Each step drops a fifth of what is left. Find the rate at which a half of it lasts 34 steps.",
            {}, _WINDOW,
        ),
        Preset(
            "one-mask", "One mask",
            "The same noise, drawn once, takes its fifth at step 1; then every row below stays as it is.",
            {"scheme": "variational"}, _ONE_DECADE,
        ),
        Preset(
            "dropconnect", "DropConnect",
            "Noise on weights: of a memory that copies itself the diagonal alone counts, as one mask does.",
            {"scheme": "dropconnect"}, _ONE_DECADE,
        ),
        Preset(
            "non-recurrent", "Non-recurrent",
            "Raise the rate as far as it goes: what enters and leaves is noisy, and the memory never is.",
            {"scheme": "non-recurrent"}, _ONE_DECADE,
        ),
        Preset(
            "one-in-a-hundred", "One in a hundred",
            "0.01 sounds harmless: half are gone after 69 steps, and after 500 one unit in 152 is left.",
            {"rate": 0.01, "steps": 500}, (-3.0, 0.6),
        ),
        Preset(
            "four-fifths", "Four fifths, once",
            "Some 5 of 25 units are left, for all 500 steps; fresh masks would leave a share of 3.27·10⁻³⁵⁰.",
            {"scheme": "variational", "rate": 0.8, "steps": 500}, _WINDOW,
        ),
    )  # fmt: skip

    def idle(self) -> Collection[str]:
        """Without masks every draw is the same."""
        return ("seed",) if SCHEMES[self.scheme].masked == "nothing" else ()

    def compute(self) -> Frame:
        noise = curves.noise(self.scheme, self.rate, self.steps, self.seed)
        shares = curves.shares(noise)
        return Frame(
            columns={
                "shares": shares,
                "reach": curves.reach(noise, shares),
                **tiles.tiles(noise),
                **network.arrows(self.scheme),
                "gone": curves.gone(noise),
                "matrix": tiles.matrix(noise),
            },
            readouts=words.readouts(noise),
            sentence=words.sentence(noise),
            table=words.data_table(noise),
            arithmetic=words.arithmetic(noise),
            notes=words.notes(noise),
        )

    def comparison(self) -> Job:
        return Job(tying.table, ())

    def plots(self, sources):
        return plots.plots(sources, self.presets[0].window)
