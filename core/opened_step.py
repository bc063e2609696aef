"""One step of a cell opened up: every product, every sum, every squashing under a name of its own.

    a_k = Σ_j x_j W_jk + Σ_j s_j U_jk + b_k,    gate_k = σ(a_k), or tanh(a_k) for a candidate

where s is the old state h, but for a GRU's candidate: r ⊙ h in the form "before", and in the form "after" h, with
its whole sum then multiplied by r. The equations are those of `core.rnn_cell`, `core.lstm_cell` and
`core.gru_cell`, whose states these are up to rounding. One example at a time, in float64.
"""

from dataclasses import dataclass

import numpy as np

from core.activations import get_activation, sigmoid, tanh
from core.affine import state_like, step_arguments
from core.overflow import overflow_is_infinite
from core.validation import check_shape, finite_array, float_array, yes_or_no


@dataclass(frozen=True)
class Gate:
    """One gate or candidate of d_h units: its sum term by term, and what becomes of it."""

    squashing: str
    """"sigmoid" or "tanh"."""
    input_terms: np.ndarray
    """(d, d_h): x_j W_jk."""
    state_terms: np.ndarray
    """(d_h, d_h): s_j U_jk."""
    input_part: np.ndarray
    """(d_h,): x W."""
    state_part: np.ndarray
    """(d_h,): what the old state adds, s U; in the form "after" r ⊙ (h U + b_recurrent)."""
    bias: np.ndarray
    """(d_h,): b."""
    total: np.ndarray
    """(d_h,): a, the sum of the three."""
    value: np.ndarray
    """(d_h,): the gate."""


@dataclass(frozen=True)
class OpenedRNN:
    """A step of a tanh cell, whose new state is its one candidate: the old state is written over."""

    candidate: Gate
    h: np.ndarray
    """(d_h,): h′."""


@dataclass(frozen=True)
class OpenedLSTM:
    """A step of an LSTM; all arrays are (d_h,)."""

    i: Gate
    f: Gate
    g: Gate
    o: Gate
    kept: np.ndarray
    """f ⊙ c: what is left of the old cell."""
    written: np.ndarray
    """i ⊙ g: what is added to it."""
    c: np.ndarray
    """c′, the sum of the two."""
    squashed: np.ndarray
    """tanh(c′)."""
    h: np.ndarray
    """h′ = o ⊙ tanh(c′)."""


@dataclass(frozen=True)
class OpenedGRU:
    """A step of a GRU; all arrays are (d_h,)."""

    reset_after: bool
    """The form: whether the reset gate acts after the candidate's product with U."""
    r: Gate
    z: Gate
    n: Gate
    seen: np.ndarray
    """What U_n is multiplied by: r ⊙ h (before) or h (after)."""
    product: np.ndarray
    """That times U_n, and b_recurrent (after), which r multiplies then."""
    kept: np.ndarray
    """z ⊙ h: what is left of the old state."""
    written: np.ndarray
    """(1 − z) ⊙ n: what takes the place of the rest."""
    h: np.ndarray
    """h′, the sum of the two."""

    @property
    def candidate_terms(self) -> np.ndarray:
        """(d_h, d_h): what unit j of the old state adds to the sum of candidate k.

        (r_j h_j) U_jk in the form "before", r_k (h_j U_jk) in the form "after", there without b_recurrent.
        """
        return self.r.value * self.n.state_terms if self.reset_after else self.n.state_terms


@dataclass(frozen=True)
class ResetForms:
    """The same GRU step in both forms."""

    before: OpenedGRU
    after: OpenedGRU
    difference: np.ndarray
    """(d_h,): h′ of the form "after" less that of the form "before"."""


@overflow_is_infinite
def open_rnn(x: np.ndarray, h: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray) -> OpenedRNN:
    """A step of `core.rnn_cell.rnn_cell`, whose arguments these are, of one example.

    Raises ValueError as the cell does, and for a batch.
    """
    x, h, W, U, b = _arguments(1, x, h, W, U, b)
    candidate = _gate("tanh", 0, x, h, W, U, b)
    return OpenedRNN(candidate, candidate.value)


@overflow_is_infinite
def open_lstm(
    x: np.ndarray, h: np.ndarray, c: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray
) -> OpenedLSTM:
    """A step of `core.lstm_cell.lstm_cell`, whose arguments these are, of one example.

    Raises ValueError as the cell does, and for a batch.
    """
    x, h, W, U, b = _arguments(4, x, h, W, U, b, infinite_bias=True)
    c = float_array("c", state_like("c", c, h))
    squashings = ("sigmoid", "sigmoid", "tanh", "sigmoid")
    i, f, g, o = (_gate(squashing, part, x, h, W, U, b) for part, squashing in enumerate(squashings))
    kept, written = f.value * c, i.value * g.value
    new = kept + written
    squashed = tanh(new)
    return OpenedLSTM(i, f, g, o, kept, written, new, squashed, o.value * squashed)


@overflow_is_infinite
def open_gru(
    x: np.ndarray,
    h: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    reset_after: bool = False,
    b_recurrent: np.ndarray | None = None,
) -> OpenedGRU:
    """A step of `core.gru_cell.gru_cell`, whose arguments these are, of one example.

    Raises ValueError as the cell does, and for a batch.
    """
    x, h, W, U, b = _arguments(3, x, h, W, U, b)
    r, z = (_gate("sigmoid", part, x, h, W, U, b) for part in (0, 1))
    reset_after = yes_or_no("reset_after", reset_after)
    if b_recurrent is not None and not reset_after:
        raise ValueError(
            "b_recurrent must be None unless reset_after is true: before the product it is part of b"
        )
    if reset_after:
        extra = np.zeros_like(h) if b_recurrent is None else finite_array("b_recurrent", b_recurrent, h.shape)
        n = _gate("tanh", 2, x, h, W, U, b, after=(r.value, extra))
        seen, product = h, h @ U[:, 2 * len(h) :] + extra
    else:
        seen = r.value * h
        n = _gate("tanh", 2, x, seen, W, U, b)
        product = n.state_part
    # 1 − z as σ(−a) keeps its digits where z has rounded to 1.
    kept, written = z.value * h, sigmoid(-z.total) * n.value
    return OpenedGRU(reset_after, r, z, n, seen, product, kept, written, kept + written)


def reset_forms(
    x: np.ndarray,
    h: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    b_recurrent: np.ndarray | None = None,
) -> ResetForms:
    """One GRU step with its reset gate before the product and after it, from the same state and weights.

    Without a ``b_recurrent``, which the form "after" alone has, a single unit gives the same in both: r·h·u either
    way. From two units on r ⊙ (h U) differs from (r ⊙ h) U where units that read one another reset differently.
    Raises ValueError as `open_gru` does.
    """
    before = open_gru(x, h, W, U, b)
    after = open_gru(x, h, W, U, b, reset_after=True, b_recurrent=b_recurrent)
    return ResetForms(before, after, after.h - before.h)


def _gate(
    squashing: str,
    part: int,
    x: np.ndarray,
    s: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    after: tuple[np.ndarray, np.ndarray] | None = None,
) -> Gate:
    """The gate at place ``part``; ``after`` is r and b_recurrent, where r multiplies what the old state adds."""
    size = len(s)
    columns = slice(part * size, (part + 1) * size)
    input_terms, state_terms = x[:, None] * W[:, columns], s[:, None] * U[:, columns]
    input_part, state_part = x @ W[:, columns], s @ U[:, columns]
    if after:
        r, b_recurrent = after
        state_part = r * (state_part + b_recurrent)
    total = input_part + state_part + b[columns]
    value = get_activation(squashing).value(total)
    return Gate(squashing, input_terms, state_terms, input_part, state_part, b[columns], total, value)


def _arguments(
    parts: int,
    x: np.ndarray,
    h: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    *,
    infinite_bias: bool = False,
) -> list[np.ndarray]:
    """``x, h, W, U, b`` of one example as float64 arrays that fit together."""
    h = float_array("h", h)
    check_shape("h", h, ("d_h",))
    checked = step_arguments(parts, x, h, W, U, b, infinite_bias=infinite_bias)
    return [float_array(name, array) for name, array in zip("xhWUb", checked, strict=True)]
