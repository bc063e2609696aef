"""Training a character model by truncated backpropagation through time, one chunk at a time.

The text is laid out as B rows, read side by side K characters at a time (`core.text.streams`). For each chunk:

    1. read it from the state in which the chunk before ended; its loss sends errors back to its own first step
       and no further: the state is carried, the error is not (Williams and Peng, 1990)
    2. clip the whole gradient to the norm ``clip_norm``, after the backward and before the step (Pascanu, Mikolov
       and Bengio, 2013)
    3. step

At the end of the rows reading starts over from their beginnings, and from a state of zeros. A run never holds
more than one chunk's activations, however long the text is.

Each part can be left out on purpose, to see what it is good for: `TrainingSettings` has switches for it.
Everything random in step n (dropout masks, the shuffling of rows) is drawn from the seed and n, so a run that
was saved and restored goes on exactly as if it had never stopped.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from core.char_lm import LossAndGrads, loss_and_grads
from core.checkpoints import restore, save
from core.clipping import clip_by_global_norm
from core.dropout_masks import dropout_masks
from core.optimizers import adam, sgd
from core.recurrent_stack import RecurrentStack
from core.text import Streams, streams
from core.training_settings import TrainingSettings, TrainingState, check_state, initial_state

__all__ = [
    "Step",
    "TrainingDiverged",
    "TrainingSettings",
    "TrainingState",
    "initial_state",
    "restore",
    "save",
    "train",
]


@dataclass(frozen=True)
class Step:
    """One step of training, as it was made."""

    number: int
    """Counted from 1."""
    loss: float
    """Of the chunk, before the step, in mean nats per character."""
    gradient_norm: float
    """Of the whole gradient, before clipping."""
    clipped: bool
    """Whether the step was made with a shortened gradient; never if it is clipped after the step, or not at all."""
    learning_rate: float
    characters_per_second: float
    state: TrainingState
    """After the step; a later step leaves it as it is."""


class TrainingDiverged(ArithmeticError):  # noqa: N818 (an event to be shown, not a fault)
    """Step ``number`` met a loss, a gradient or parameters that are not finite; ``state`` is that before it."""

    def __init__(self, number: int, state: TrainingState):
        super().__init__(number, state)
        self.number, self.state = number, state

    def __str__(self) -> str:
        return (
            f"training diverged at step {self.number}: the loss, its gradient or the weights after the step are "
            f"not finite; the weights after step {self.state.number} are kept"
        )


def train(
    settings: TrainingSettings,
    state: TrainingState | None = None,
    between: Callable[[], object] = lambda: None,
) -> Iterator[Step]:
    """Steps without end, from ``state`` or from the beginning; arithmetic is of the type of its parameters.

    ``between`` is called many times within a step. What it raises breaks the step off and comes out of the iterator:
    the state before stays as it is, and a run that goes on from there makes the step again.

    Raises ValueError for a text that is too short for the batch and chunk, or of one distinct character, and
    for a state that belongs to another model or batch. The iterator raises TrainingDiverged.
    """
    text = streams(settings.vocabulary.encode(settings.text), settings.batch_size, settings.truncation)
    if state is None:
        state = initial_state(settings)
    else:
        check_state(state, settings)
    return _steps(settings, text, state, between)


def _steps(
    settings: TrainingSettings, text: Streams, state: TrainingState, between: Callable[[], object]
) -> Iterator[Step]:
    dtype = state.parameters["E"].dtype
    stack = RecurrentStack(settings.shape, settings.truncation, settings.batch_size, dtype, between)
    while True:
        started = time.perf_counter()
        learnt = _read_chunk(settings, text, state, stack)
        norm, clipped, grads = _clipped(settings, learnt, state)
        state = _after_step(settings, state, grads, learnt.state)
        seconds = time.perf_counter() - started
        speed = settings.batch_size * settings.truncation / seconds
        yield Step(state.number, learnt.loss, norm, clipped, settings.learning_rate, speed, state)


def _read_chunk(
    settings: TrainingSettings, text: Streams, state: TrainingState, stack: RecurrentStack
) -> LossAndGrads:
    """Loss and gradient of the chunk whose turn it is, read from the state that the settings give it."""
    shape, dtype = settings.shape, state.parameters["E"].dtype
    chunk = state.number % text.chunks
    inputs, targets = text.chunk(chunk)
    if settings.shuffle_rows:
        order = _generator(settings, state, "rows").permutation(settings.batch_size)
        inputs, targets = inputs[order], targets[order]
    recurrent = state.recurrent if settings.carry_state and chunk > 0 else np.zeros_like(state.recurrent)
    masks = dropout_masks(
        settings.dropout,
        settings.dropout_rate,
        shape,
        settings.truncation,
        settings.batch_size,
        _generator(settings, state, "masks"),
        dtype.type,
    )
    return loss_and_grads(state.parameters, inputs, targets, recurrent, masks, stack)


def _clipped(
    settings: TrainingSettings, learnt: LossAndGrads, state: TrainingState
) -> tuple[float, bool, dict[str, np.ndarray]]:
    """The norm of the gradient, whether it is shortened, and the gradient to step with."""
    if not np.isfinite(learnt.loss):
        raise TrainingDiverged(state.number + 1, state)
    try:
        clipped, norm = clip_by_global_norm(learnt.grads, settings.clip_norm)
    except FloatingPointError as error:
        raise TrainingDiverged(state.number + 1, state) from error
    if settings.clipping == "before":
        return norm, norm > settings.clip_norm, clipped
    # Clipped after the step, the gradient has done what it could do; the next backward makes a new one.
    return norm, False, learnt.grads


def _after_step(
    settings: TrainingSettings, state: TrainingState, grads: dict[str, np.ndarray], recurrent: np.ndarray
) -> TrainingState:
    moments = None
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if settings.optimizer == "adam":
            parameters, moments = adam(state.parameters, grads, state.moments, settings.learning_rate)
        else:
            parameters = sgd(state.parameters, grads, settings.learning_rate)
    # An infinite second moment would stop its parameter for good, without a word.
    made = [parameters, moments.second] if moments else [parameters]
    if not all(np.isfinite(array).all() for arrays in made for array in arrays.values()):
        raise TrainingDiverged(state.number + 1, state)
    return TrainingState(state.number + 1, parameters, moments, recurrent)


def _generator(settings: TrainingSettings, state: TrainingState, purpose: str) -> np.random.Generator:
    return np.random.default_rng([settings.seed, state.number, ("rows", "masks").index(purpose)])
