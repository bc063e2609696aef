"""What the BPTT lab reads: a text's words as tokens, through a random network, with its gradient itemised."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.bptt import ItemisedGradient, itemised_gradient, parameter_gradients, same_chunk, walk_factors
from core.gradcheck import check_vjp
from core.initialisation import language_model
from core.language_model import KEYS
from widgets.base.frame import Table
from widgets.base.numbers import number
from widgets.base.typed import isolated

EMBEDDING_SIZE = 8
SIDE_BY_SIDE = 5
"""The loss whose way back to step 1 is shown for two cells."""
CELL_NAMES = {"rnn": "tanh RNN", "lstm": "LSTM", "gru": "GRU"}
_AGREES = 1e-7
"""A right gradient comes within this of central differences in float64."""


@dataclass(frozen=True)
class Network:
    """Which random network reads."""

    cell: str
    hidden_size: int
    spectral_radius: float
    seed: int

    def __str__(self) -> str:
        return f"size {self.hidden_size}, ρ = {number(self.spectral_radius)}, seed {self.seed}"

    def parameters(self, vocabulary: int) -> dict[str, np.ndarray]:
        return language_model(
            self.cell, vocabulary, EMBEDDING_SIZE, self.hidden_size, self.seed, self.spectral_radius
        )


@dataclass(frozen=True)
class Reading:
    """At least two words read by a network, and which loss and truncation are looked at."""

    text: Sequence[str]
    """All words that the network knows."""
    network: Network
    loss_step: int
    truncation: int
    first: int | None = None
    """So many words of the text are read, from its beginning on; None for all of them."""

    @property
    def words(self) -> Sequence[str]:
        """The words that are read."""
        return self.text[: self.first]

    @property
    def cell(self) -> str:
        return self.network.cell

    @property
    def steps(self) -> int:
        """T: each word but the last is read, and the next one guessed."""
        return len(self.words) - 1

    @property
    def cut(self) -> bool:
        return self.truncation < self.steps

    @property
    def items(self) -> ItemisedGradient:
        return itemise(tuple(self.text), self.network, len(self.words))

    @property
    def kept(self) -> np.ndarray:
        """(T, T): which terms truncation keeps."""
        return same_chunk(self.steps, self.truncation)

    def table(self, heat_map: str) -> np.ndarray | None:
        """(T, T): what the heat map shows; None for the c of a cell that has none."""
        items = self.items
        return {
            "terms": items.contributions,
            "h": items.h_errors,
            "c": items.c_errors,
            "x": items.x_errors,
        }[heat_map]

    def walk(self, table: np.ndarray) -> np.ndarray:
        """(t,): the row of the chosen loss, from step 1 to its own."""
        return table[self.loss_step - 1, : self.loss_step]

    def factors(self) -> np.ndarray:
        """(t − 1,): by how much each step back lengthens the chosen loss's error at h, the first step's first."""
        return self.walk(walk_factors(self.items.h_errors))[:-1]

    def beside(self, cell: str) -> "Reading":
        """The first words of the text, up to the loss that is shown side by side, read by another cell.

        The cell knows the whole text all the same: with fewer words to guess its losses would be others.
        """
        last = min(SIDE_BY_SIDE, self.steps)
        return Reading(self.text, replace(self.network, cell=cell), last, last, first=last + 1)


@lru_cache(maxsize=32)
def itemise(text: tuple[str, ...], network: Network, first: int) -> ItemisedGradient:
    """The itemised gradient of the text's first words, kept: most settings only look at it in another way."""
    ids, vocabulary = token_ids(text)
    return itemised_gradient(network.cell, network.parameters(vocabulary), ids[:first])


def token_ids(words: Sequence[str]) -> tuple[np.ndarray, int]:
    """Each word's number, counted from 0 as new ones come up, and how many there are."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(word, len(known)) for word in words]), len(known)


def side_by_side(words: tuple[str, ...], hidden_size: int, spectral_radius: float, seed: int) -> Table:
    """The error of one loss on its way back to step 1, factor by factor, in a tanh RNN and in an LSTM."""
    headings = ["step s", "word", "tanh RNN: at h_s", "factor", "LSTM: at h_s", "factor"]
    headings += ["LSTM: at c_s", "factor", "straight along c"]
    if len(words) < 2:
        return Table("Side by side: type at least two words.", headings, [[]] * len(headings))
    network = Network("rnn", hidden_size, spectral_radius, seed)
    rnn, lstm = (Reading(words, network, 1, 1).beside(cell) for cell in ("rnn", "lstm"))
    walks = [
        (reading.walk(errors), reading.walk(walk_factors(errors)))
        for reading, errors in (
            (rnn, rnn.items.h_errors),
            (lstm, lstm.items.h_errors),
            (lstm, lstm.items.c_errors),
        )
    ]
    columns = [column for walk, factors in walks for column in (walk, blank_gaps(factors))]
    columns.append(lstm.walk(lstm.items.straight))
    steps = range(rnn.steps, 0, -1)
    return Table(
        f"Side by side: the error of loss {rnn.steps} (“{isolated(words[rnn.steps])}”) back to step 1, with the factor "
        f"of each step back ({network})",
        headings,
        [list(steps), [words[s - 1] for s in steps], *(list(column)[::-1] for column in columns)],
    )


def numerical_check(words: tuple[str, ...], network: Network) -> Table:
    """Every gradient of the text's loss against central differences, along one random direction per tensor."""
    headings = ["tensor", "shape", "relative error", "verdict"]
    if len(words) < 2:
        return Table("Nothing to check: type at least two words.", headings, [[]] * len(headings))
    ids, vocabulary = token_ids(words)
    P = network.parameters(vocabulary)

    def loss(*tensors: np.ndarray) -> np.ndarray:
        P = dict(zip(KEYS, tensors, strict=True))
        return np.asarray(itemised_gradient(network.cell, P, ids).losses.sum())

    def backward(*tensors_and_error: np.ndarray) -> list[np.ndarray]:
        *tensors, error = tensors_and_error
        P = dict(zip(KEYS, tensors, strict=True))
        return [error * gradient for gradient in parameter_gradients(network.cell, P, ids).values()]

    errors = check_vjp(loss, backward, {name: P[name] for name in KEYS})
    return Table(
        f"Numerical check of the {CELL_NAMES[network.cell]} ({network}): the gradient of the summed loss against "
        f"central differences along a random direction; right if below 10⁻⁷",
        headings,
        [
            [f"∂ℒ/∂{name}" for name in errors],
            [" × ".join(map(str, P[name].shape)) for name in errors],
            list(errors.values()),
            ["agrees" if error < _AGREES else "differs" for error in errors.values()],
        ],
    )


def blank_gaps(values: np.ndarray) -> list:
    """Numbers for a table, with nothing where there is none."""
    return ["" if np.isnan(value) else float(value) for value in values]
