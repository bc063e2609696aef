"""What a training run is: its settings, and the state from which it goes on."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.char_lm_parameters import ModelShape, Parameters, check_arrays, initial_parameters, model_shape
from core.dropout_masks import SCHEMES
from core.optimizers import Moments, zero_moments
from core.text import Vocabulary, vocabulary_of
from core.validation import (
    a_string,
    check_shape,
    finite_number,
    one_of,
    share_below_one,
    whole_number,
    yes_or_no,
)

CLIPPING = ("before", "after", "none")
OPTIMIZERS = ("adam", "sgd")


@dataclass(frozen=True)
class TrainingSettings:
    """Everything that decides a run; the same settings always give the same losses.

    Raises ValueError for a setting out of its range.
    """

    text: str
    cell: str = "lstm"
    layers: int = 1
    hidden_size: int = 128
    embedding_size: int = 32
    truncation: int = 64
    """K: how many steps an error may go back."""
    batch_size: int = 32
    """How many rows of the text are read side by side."""
    learning_rate: float = 0.01
    clip_norm: float = 1.0
    clipping: str = "before"
    """When the gradient is clipped: before the step; after it, which is too late; or not at all ("none")."""
    forget_bias: float = 1.0
    """Where an LSTM's forget bias starts."""
    dropout: str = "none"
    dropout_rate: float = 0.2
    tied: bool = False
    carry_state: bool = True
    """Whether a chunk goes on from the state in which the one before ended."""
    shuffle_rows: bool = False
    """Whether the rows change places at every chunk, so that each goes on from the state of another."""
    optimizer: str = "adam"
    seed: int = 0

    def __post_init__(self):
        a_string("text", self.text)
        ModelShape(self.cell, self.layers, 1, self.embedding_size, self.hidden_size, self.tied)
        for name, least in (("truncation", 1), ("batch_size", 1), ("seed", 0)):
            whole_number(name, getattr(self, name), least=least)
        for name in ("learning_rate", "clip_norm"):
            finite_number(name, getattr(self, name), above=0)
        finite_number("forget_bias", self.forget_bias)
        one_of("clipping", self.clipping, CLIPPING)
        one_of("dropout", self.dropout, SCHEMES)
        share_below_one("dropout_rate", self.dropout_rate)
        yes_or_no("carry_state", self.carry_state)
        yes_or_no("shuffle_rows", self.shuffle_rows)
        one_of("optimizer", self.optimizer, OPTIMIZERS)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The characters of the text. ValueError for a text that is empty or of one distinct character."""
        return vocabulary_of(self.text)

    @property
    def shape(self) -> ModelShape:
        """The model that is trained."""
        return ModelShape(
            self.cell, self.layers, self.vocabulary.size, self.embedding_size, self.hidden_size, self.tied
        )


@dataclass(frozen=True)
class TrainingState:
    """Where a run stands after ``number`` steps. Training never changes one: it makes the next."""

    number: int
    parameters: Parameters
    moments: Moments | None
    """Adam's memory, None for SGD."""
    recurrent: np.ndarray
    """The network's state after the last chunk, (layers, states, batch_size, d_h)."""


def initial_state(settings: TrainingSettings) -> TrainingState:
    """The state before the first step: parameters of float32, drawn from the seed."""
    shape = settings.shape
    parameters = initial_parameters(shape, settings.seed, settings.forget_bias)
    moments = zero_moments(parameters) if settings.optimizer == "adam" else None
    return TrainingState(0, parameters, moments, shape.zero_state(settings.batch_size, np.float32))


def check_state(state: TrainingState, settings: TrainingSettings) -> None:
    """Refuse, with ValueError, a state that belongs to other settings."""
    shape = settings.shape
    whole_number("state.number", state.number, least=0)
    if model_shape(state.parameters) != shape:
        raise ValueError(
            f"state must be of the model that the settings describe, {shape}, got {model_shape(state.parameters)}"
        )
    check_shape("state.recurrent", state.recurrent, shape.state_shape(settings.batch_size))
    if (state.moments is not None) != (settings.optimizer == "adam"):
        raise ValueError(
            f"state.moments must be given for adam and None for sgd, got {state.moments!r} "
            f"for {settings.optimizer}"
        )
    if state.moments is not None:
        check_arrays("state.moments.first", state.moments.first, shape)
        check_arrays("state.moments.second", state.moments.second, shape)
