"""What a trained character model makes of a text: its predictions, its activations, and whether it agrees.

The model reads the text once, from a state of zeros and without dropout; after each character it has a
distribution over the next. `agreement_accuracy` asks it for the ending of a verb whose noun stands some
characters back, as Linzen, Dupoux and Goldberg (2016) did with words.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from core.activations import log_sum_exp, softmax
from core.agreement import AgreementSentence
from core.char_lm import check_ids, output_weights
from core.char_lm_parameters import ModelShape, Parameters, model_shape
from core.dropout_masks import Masks
from core.recurrent_stack import RecurrentStack
from core.text import Vocabulary

_AT_ONCE = 1024
"""Steps that are read at once, and their states then carried on, so that memory does not grow with the text."""
_ROWS = 32


def next_distributions(parameters: Parameters, ids: np.ndarray) -> np.ndarray:
    """p_1 … p_T (T, V): row t − 1 is the distribution of the next character after the t-th of ``ids`` (T,).

    Raises ValueError for parameters as `model_shape` does, and for ids that are not a row of at least one
    integer from 0 to V − 1. So do the functions below.
    """
    return softmax(_next_logits(parameters, ids))


def character_probabilities(parameters: Parameters, ids: np.ndarray) -> np.ndarray:
    """(T − 1,): the probability that the model gave to each character of ``ids`` (T,) after the first."""
    return np.exp(-_losses(parameters, ids))


def text_loss(parameters: Parameters, ids: np.ndarray) -> float:
    """Mean nats per character of ``ids`` (T,), the first of which is not predicted; ValueError for T below 2."""
    losses = _losses(parameters, ids)
    if not losses.size:
        raise ValueError("ids must be at least 2, since the first is not predicted, got 1")
    return float(losses.mean())


def activations(parameters: Parameters, ids: np.ndarray) -> tuple[dict[str, np.ndarray], ...]:
    """For each layer the value of every unit after each of ``ids`` (T,), by name, each (T, d_h).

    "h" for every cell; "c" and the gates "i", "f", "g", "o" of an LSTM; "r", "z", "n" of a GRU.
    """
    parts = [
        [layer.activations() for layer in stack.layers]
        for stack in _read(parameters, _one_row(parameters, ids))
    ]
    return tuple(
        {name: np.concatenate([part[name][:, 0] for part in layer]) for name in layer[0]}
        for layer in zip(*parts, strict=True)
    )


class AgreementAccuracy(NamedTuple):
    """How often the right ending was more probable than its alternative, by distance."""

    distances: np.ndarray
    """(n,), rising."""
    accuracy: np.ndarray
    """(n,), from 0 to 1; a half is what chance gives."""
    sentences: np.ndarray
    """(n,): how many there were of each distance."""


def agreement_accuracy(
    parameters: Parameters, vocabulary: Vocabulary, sentences: Sequence[AgreementSentence]
) -> AgreementAccuracy:
    """Read each sentence after a line end, up to the character that depends, and compare the two that could follow.

    Raises ValueError for no sentences, for characters that the vocabulary does not hold, and for a vocabulary
    of another size than the model's.
    """
    check_vocabulary(vocabulary, model_shape(parameters))
    if not sentences:
        raise ValueError("sentences must be at least one, got none")
    by_length = sorted(sentences, key=lambda sentence: sentence.dependent)
    right = [
        answer
        for first in range(0, len(by_length), _ROWS)
        for answer in _answers(parameters, vocabulary, by_length[first : first + _ROWS])
    ]
    distances, where, counts = np.unique(
        [sentence.distance for sentence in by_length], return_inverse=True, return_counts=True
    )
    return AgreementAccuracy(distances, np.bincount(where, weights=right) / counts, counts)


def check_vocabulary(vocabulary: Vocabulary, shape: ModelShape) -> None:
    """Refuse a vocabulary of another size than the model's."""
    if vocabulary.size != shape.vocabulary:
        raise ValueError(
            f"vocabulary must have the model's {shape.vocabulary} characters, got {vocabulary.size}"
        )


def _answers(
    parameters: Parameters, vocabulary: Vocabulary, sentences: Sequence[AgreementSentence]
) -> np.ndarray:
    """Whether each of a few sentences was answered rightly, (B,)."""
    ids = np.zeros((len(sentences), sentences[-1].dependent + 1), np.int64)
    for row, sentence in zip(ids, sentences, strict=True):
        row[: sentence.dependent + 1] = vocabulary.encode("\n" + sentence.text[: sentence.dependent])
    right, wrong = (
        vocabulary.encode("".join(getattr(sentence, answer) for sentence in sentences))
        for answer in ("right", "wrong")
    )
    last = [sentence.dependent for sentence in sentences]
    each = np.arange(len(sentences))
    hidden = np.concatenate([stack.layers[-1].hidden[1:] for stack in _read(parameters, ids)])
    logits = _logits(parameters, hidden[last, each])
    return logits[each, right] > logits[each, wrong]


def _losses(parameters: Parameters, ids: np.ndarray) -> np.ndarray:
    """−log p of each character after the first, (T − 1,)."""
    logits = _next_logits(parameters, ids)[:-1]
    return log_sum_exp(logits) - logits[np.arange(len(logits)), ids[1:]]


def _next_logits(parameters: Parameters, ids: np.ndarray) -> np.ndarray:
    """(T, V) in float64, after each of ``ids`` (T,)."""
    return np.concatenate(
        [
            _logits(parameters, stack.layers[-1].hidden[1:, 0])
            for stack in _read(parameters, _one_row(parameters, ids))
        ]
    )


def _one_row(parameters: Parameters, ids: np.ndarray) -> np.ndarray:
    """A text of its own (T,) as the only row of a batch, (1, T)."""
    ids = np.asarray(ids)
    if ids.ndim != 1:
        raise ValueError(f"ids must be a row of integers, got an array of shape {ids.shape}")
    check_ids("ids", ids[None], model_shape(parameters).vocabulary)
    return ids[None]


def _read(parameters: Parameters, ids: np.ndarray) -> Iterator[RecurrentStack]:
    """The layers as they are after each stretch of ids (B, T), `_AT_ONCE` steps or the rest of them."""
    shape, dtype = model_shape(parameters), parameters["E"].dtype
    state = shape.zero_state(len(ids), dtype)
    for first in range(0, ids.shape[1], _AT_ONCE):
        stretch = ids[:, first : first + _AT_ONCE].T
        stack = RecurrentStack(shape, len(stretch), len(ids), dtype)
        stack.forward(parameters, stretch, state, Masks())
        state = stack.last_state()
        yield stack


def _logits(parameters: Parameters, hidden: np.ndarray) -> np.ndarray:
    """h Why + by in float64, (…, V)."""
    return (hidden @ output_weights(parameters) + parameters["by"]).astype(np.float64)
