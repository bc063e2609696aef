"""A hand-wired LSTM unit that counts open brackets across a long gap, beside a tanh unit that cannot.

The cell reads one character at a time as a one-hot row over (open, close, question, other):

    input gate    σ(log 19) = .95 at a bracket, σ(−10) elsewhere: only brackets are written
    candidate     tanh(±10) at "(" and ")", 0 elsewhere: each bracket counts i·g = ±.95
    forget gate   σ(forget_bias) at every character: the count leaks by that factor
    output gate   σ(10) at "?", σ(−10) elsewhere: the count is shown when it is asked for

so that c_t = σ(forget_bias)·c_{t−1} + .95·(+1, −1 or 0). Nothing of the hidden state is fed back: the cell
alone carries the count. That an LSTM can count in its cell is due to Gers and Schmidhuber (2001); the cell
of 1997 had no forget gate, f = 1 (Hochreiter and Schmidhuber, 1997). The rival is h_t =
tanh(rnn_weight·h_{t−1} + x_t) with x = +1, −1 or 0.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.draws import read_only
from core.lstm_cell import lstm_cell, squashed_gates
from core.products import scalar_products
from core.validation import finite_number, keep_plain, yes_or_no

_SHUT, _OPEN = -10.0, 10.0
_WRITE = math.log(0.95 / 0.05)

# One row for each symbol, columns i, f, g, o; what a symbol does not open stays shut by the bias.
_W = read_only(
    np.array(
        [
            [_WRITE - _SHUT, 0.0, _OPEN, 0.0],
            [_WRITE - _SHUT, 0.0, -_OPEN, 0.0],
            [0.0, 0.0, 0.0, _OPEN - _SHUT],
            [0.0, 0.0, 0.0, 0.0],
        ]
    )
)
_U = read_only(np.zeros((1, 4)))
_ROW = {"(": 0, ")": 1, "?": 2}
_OTHER = 3
_COUNT = np.array([1, -1, 0, 0])


@dataclass(frozen=True)
class BracketRun:
    """One reading of a text of T characters; every array has an entry for each character."""

    i: np.ndarray
    """(T,): input gate."""
    f: np.ndarray
    """(T,): forget gate."""
    g: np.ndarray
    """(T,): candidate."""
    o: np.ndarray
    """(T,): output gate."""
    c: np.ndarray
    """(T,): cell state after the character, the count."""
    h: np.ndarray
    """(T,): hidden state o·tanh(c), the count as it is read out: squashed."""
    forget_product: np.ndarray
    """(T,): f_1 · f_2 · … · f_t = ∂c_t/∂c_0, how much of a count held before the text is left."""
    log10_forget_product: np.ndarray
    """(T,): its log10, also where the product is beyond float64."""
    rnn: np.ndarray
    """(T,): state of the tanh rival."""
    depth: np.ndarray
    """(T,), integers: number of "(" less number of ")" so far, below zero if need be."""
    questions: np.ndarray
    """Positions of "?" in the text, integers counted from 0."""


@dataclass(frozen=True)
class BracketCounter:
    """The wired cell; ``forget_gate=False`` is the cell of 1997, f = 1, whatever the forget bias.

    Raises ValueError for a forget bias or rival's weight that is not finite, and for a forget gate that is
    neither True nor False.
    """

    forget_bias: float = 7.0
    rnn_weight: float = 1.0
    forget_gate: bool = True

    W: ClassVar[np.ndarray] = _W
    """(4, 4): from open, close, question, other to i, f, g, o."""
    U: ClassVar[np.ndarray] = _U
    """(1, 4): from the hidden state to i, f, g, o; all zero."""

    def __post_init__(self) -> None:
        keep_plain(
            self,
            forget_bias=finite_number("forget_bias", self.forget_bias),
            rnn_weight=finite_number("rnn_weight", self.rnn_weight),
            forget_gate=yes_or_no("forget_gate", self.forget_gate),
        )

    @property
    def b(self) -> np.ndarray:
        """(4,): input and output shut, the forget bias in between; +inf where there is no forget gate."""
        return np.array([_SHUT, self.forget_bias if self.forget_gate else np.inf, 0.0, _SHUT])

    def run(self, text: str) -> BracketRun:
        """Read ``text`` from an empty cell, one step for each character.

        Every character other than "(", ")" and "?" is a distractor, all of them alike. An empty text gives
        empty arrays. Raises ValueError for what is not a string.
        """
        if not isinstance(text, str):
            raise ValueError(f"text must be a string, got {text!r}")
        symbols = np.array([_ROW.get(character, _OTHER) for character in text], dtype=int)
        x = np.eye(4)[symbols]
        steps = _COUNT[symbols]
        h, c = self._lstm(x)
        # The cell hands on states only; its gates follow for all steps at once, since each h is known by now.
        before = np.concatenate([np.zeros((1, 1)), h])[:-1]
        gates = squashed_gates(x @ self.W + before @ self.U + self.b)
        forget = scalar_products(gates.f[:, 0])
        return BracketRun(
            **{name: gate[:, 0] for name, gate in gates._asdict().items()},
            c=c[:, 0],
            h=h[:, 0],
            forget_product=forget.values,
            log10_forget_product=forget.log10,
            rnn=self._rival(steps),
            depth=np.cumsum(steps),
            questions=np.flatnonzero(symbols == _ROW["?"]),
        )

    def _lstm(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Hidden and cell states (T, 1) over the one-hot characters (T, 4)."""
        hidden, cell = np.empty((2, len(x), 1))
        h = c = np.zeros(1)
        b = self.b
        for t, x_t in enumerate(x):
            h, c = lstm_cell(x_t, h, c, self.W, self.U, b)
            hidden[t], cell[t] = h, c
        return hidden, cell

    def _rival(self, steps: np.ndarray) -> np.ndarray:
        """States (T,) of the tanh unit over its inputs +1, −1 or 0."""
        states = np.empty(len(steps))
        h = 0.0
        for t, x in enumerate(steps):
            states[t] = h = np.tanh(self.rnn_weight * h + x)
        return states
