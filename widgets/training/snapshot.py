"""What a training run has come to, as its lab draws it: plain numbers and texts, whoever made them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from core.char_lm_parameters import Parameters
from core.reading import activations
from core.text import Vocabulary
from widgets.training.recipes import Recipe

MEAN_OF = 20
"""Of how many steps, the newest that are kept, a running mean is; at first of as many as there are."""
DRAWN = 1000
"""Of how many steps at most a figure or a table is made."""
_NO_NUMBERS = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Model:
    """A net that can be looked into."""

    parameters: Parameters
    vocabulary: Vocabulary
    number: int
    """After how many steps of training."""
    name: str
    """Whose it is, as part of a sentence."""

    @cached_property
    def signals(self) -> Callable[[str], tuple[dict[str, np.ndarray], ...]]:
        """A text of known characters → for each layer its states and gates, as `core.reading.activations` gives them.

        Those of the last texts are kept, with the net and no longer.
        """
        parameters, vocabulary = self.parameters, self.vocabulary
        return lru_cache(maxsize=2)(lambda text: activations(parameters, vocabulary.encode(text)))


@dataclass(frozen=True)
class Snapshot:
    """A run at one moment; the default is that none has begun."""

    status: str = "none"
    """"none", or one of `widgets.jobs.job.Status`."""
    stepping: bool = False
    """Whether it makes single steps."""
    broken_off: bool = False
    """Whether it rests since a step was broken off."""
    reading: bool = False
    """Whether a checkpoint that was handed over is being read."""
    corpus: str = ""
    cell: str = ""
    truncation: int = 0
    described: str = ""
    """The settings that decided the run, as a label."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """Those that it goes by from its first step to its last, by name."""
    recipes: Sequence[Recipe] = ()
    """Those that may have changed on its way."""
    outdated: bool = False
    """Whether the settings now ask for another run than this."""
    place: int | None = None
    """Where it waits in the queue."""
    message: str = ""
    about: str = ""
    """The name of the upload that the message is about; empty: it is about the run."""
    lacks_text: bool = False
    """Whether the settings ask for a text of the visitor's own, and there is none."""
    offer: str = ""
    """Of another run, which the visitor may go to."""
    number: int = 0
    """Steps made."""
    goal: int = 0
    clip_norm: float | None = 1.0
    """To what a gradient is clipped before the step; None where it is not."""
    characters_a_step: int = 0
    steps_per_second: float | None = None
    """By the clock on the wall; None where there is no telling yet."""
    vocabulary_size: int = 0
    steps: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Of the steps that are kept: number, loss, norm, speed; NaN where a step was not finite."""
    fresh: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Loss on fresh text: number, loss."""
    spectrum: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Of an RNN's recurrent matrix: number, radius, singular."""
    agreement: Sequence[Mapping] = ()
    """Records of number, distances, accuracy."""
    samples: Sequence[Mapping] = ()
    """Records of number, temperature, text."""
    model: Model | None = None

    def series(self, kind: str, name: str) -> np.ndarray:
        """One column of steps, fresh or spectrum; empty where nothing has come yet."""
        return getattr(self, kind).get(name, _NO_NUMBERS)

    @cached_property
    def drawn(self) -> np.ndarray:
        """Which of the steps that are kept are drawn: at even distances, the newest, and any that was not finite."""
        loss = self.series("steps", "loss")
        stride = 1
        while len(loss) > stride * DRAWN:
            stride *= 2
        told = ~np.isfinite(loss)
        told[::stride] = True
        told[-1:] = True
        return np.flatnonzero(told)


def table_of(records: Sequence[Mapping]) -> dict[str, np.ndarray]:
    """Records of numbers as columns; None becomes NaN."""
    names = records[0] if records else ()
    return {name: np.array([record[name] for record in records], dtype=float) for name in names}


def clip_limit(recipe: Mapping[str, object]) -> float | None:
    """To what a recipe's `clipping` and `clip_norm` clip before the step."""
    return recipe["clip_norm"] if recipe["clipping"] == "before" else None
