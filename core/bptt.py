"""Which step taught the shared weights what: the gradient of a text's loss, itemised by loss and by step.

Every step s uses the same Whh, so each loss ℓ_t reaches it once through each step s ≤ t:

    ∂ℒ/∂Whh = Σ_t Σ_{s ≤ t} h_{s−1}ᵀ δ_{t,s},    δ_{t,s} = ∂ℓ_t/∂a_s,    a_s = x_s Wxh + h_{s−1} Whh + bh

(of a GRU, whose candidate reads r ⊙ h_{s−1}, the last third with that in the place of h_{s−1}: the form of
Cho et al., 2014). A term that has come a long way back is small where errors vanish, and then the near ones
alone decide what is learnt (Hochreiter, 1991; Bengio, Simard and Frasconi, 1994). Truncated BPTT with K steps
keeps the terms whose step and loss lie in the same chunk of K, and leaves out the others.

Norms are Euclidean (of a matrix, over all its entries), so that those of the terms bound that of their sum.
Entry [t − 1, s − 1] of a table belongs to loss t and step s; entries with s > t are 0.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.language_model import (
    Parameters,
    checked_ids,
    checked_parameters,
    checked_start,
    logit_errors,
    softmax_losses,
)
from core.overflow import overflow_is_infinite
from core.unrolled import Errors, Unrolled, errors_back, unroll
from core.validation import check_shape, float_array, one_of, whole_number

KEPT = {"rnn": 1, "lstm": 6, "gru": 4}
"""Numbers that a backward needs of each unit at each step: h; i, f, g, o, c, h; r, z, n, h."""


@dataclass(frozen=True)
class ItemisedGradient:
    """The gradient of one text of T + 1 tokens, by loss and step."""

    losses: np.ndarray
    """(T,): ℓ_1 … ℓ_T, in nats."""
    gradient: np.ndarray
    """(d_h, G·d_h): ∂ℒ/∂Whh, the sum of all terms."""
    contributions: np.ndarray
    """(T, T): ‖h_{s−1}ᵀ δ_{t,s}‖, the norm of the term of loss t through step s; column 1 is 0 where h_0 is."""
    contributions_by_lag: np.ndarray
    """(T,): their sums over the pairs with t − s = 0, 1, … T − 1."""
    h_errors: np.ndarray
    """(T, T): ‖∂ℓ_t/∂h_s‖."""
    x_errors: np.ndarray
    """(T, T): ‖∂ℓ_t/∂x_s‖, at the embedding of the s-th token."""
    c_errors: np.ndarray | None
    """(T, T): ‖∂ℓ_t/∂c_s‖ of an LSTM, by all ways: along the cell, and through h_s."""
    straight: np.ndarray | None
    """(T, T): the norm of its part ∂ℓ_t/∂c_t ⊙ f_t ⊙ … ⊙ f_{s+1}, straight along the cell."""
    rest: np.ndarray | None
    """(T, T): the norm of all less that part. Parts may cancel, so the norms need not add up."""
    cosine: np.ndarray
    """(T,): cosine between the gradient truncated to K = 1 … T steps and the full one; NaN where one is 0."""
    relative_error: np.ndarray
    """(T,): ‖truncated − full‖ / ‖full‖ for K = 1 … T; NaN where the full gradient is 0."""


class Stored(NamedTuple):
    """What backpropagation through time keeps between forward and backward."""

    numbers: int
    bytes: int


@overflow_is_infinite
def itemised_gradient(
    cell: str,
    P: Parameters,
    ids: np.ndarray,
    h0: np.ndarray | None = None,
    c0: np.ndarray | None = None,
) -> ItemisedGradient:
    """Read ``ids`` (T + 1,) with an "rnn", "lstm" or "gru", and itemise ∂ℒ/∂Whh for ℒ = Σ_t ℓ_t.

    P is ``{E, Wxh, Whh, bh, Why, by}`` as in `core.language_model`; the first states ``h0`` and, for an
    LSTM, ``c0`` (d_h,) are 0 if left out.

    Raises ValueError for another cell, parameters or states that are not finite or do not fit together, ids
    that are fewer than two, not integers or outside the vocabulary, and a ``c0`` for a cell that has none.
    """
    P, ids, run = _read(cell, P, ids, h0, c0)
    errors = errors_back(run, P["Whh"])
    rows = _recurrent_rows(run)

    step, loss = np.triu_indices(len(run.losses))
    contributions = np.hypot.reduce(
        [_norms(read)[step] * _norms(errors.delta[:, columns]) for read, columns in rows]
    )
    tables = dict.fromkeys(("c_errors", "straight", "rest")) | {
        "contributions": contributions,
        "h_errors": _norms(errors.h),
        "x_errors": _norms(errors.delta @ P["Wxh"].T),
    }
    if cell == "lstm":
        tables["c_errors"] = _norms(errors.c)
        tables["straight"] = _norms(errors.straight)
        tables["rest"] = _norms(errors.c - errors.straight)
    truncated = _truncated_gradients(errors, rows, step, len(run.losses))
    cosine, relative_error = _against_the_last(truncated)
    return ItemisedGradient(
        losses=run.losses,
        gradient=truncated[-1],
        contributions_by_lag=np.bincount(loss - step, weights=contributions),
        cosine=cosine,
        relative_error=relative_error,
        **{name: _table(values, loss, step) for name, values in tables.items()},
    )


@overflow_is_infinite
def parameter_gradients(
    cell: str,
    P: Parameters,
    ids: np.ndarray,
    h0: np.ndarray | None = None,
    c0: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """∂ℒ/∂p for each of P, from the same errors; arguments and refusals are those of `itemised_gradient`.

    With δ_s = Σ_{t ≥ s} δ_{t,s}, all losses together, and e_t = p_t less 1 at the target:

        dWhh = Σ_s h_{s−1}ᵀ δ_s,   dWxh = Σ_s x_sᵀ δ_s,   dbh = Σ_s δ_s,   dE[id_s] += δ_s Wxhᵀ
        dWhy = Σ_t h_tᵀ e_t,       dby = Σ_t e_t
    """
    P, ids, run = _read(cell, P, ids, h0, c0)
    step, _ = np.triu_indices(len(run.losses))
    first = np.searchsorted(step, np.arange(len(run.losses)))
    delta = np.add.reduceat(errors_back(run, P["Whh"]).delta, first)
    _, probabilities = softmax_losses(P, run.hidden[1:], ids[1:])
    e = logit_errors(probabilities, ids[1:])
    dE = np.zeros_like(P["E"])
    np.add.at(dE, ids[:-1], delta @ P["Wxh"].T)
    return {
        "E": dE,
        "Wxh": P["E"][ids[:-1]].T @ delta,
        "Whh": np.hstack([read.T @ delta[:, columns] for read, columns in _recurrent_rows(run)]),
        "bh": delta.sum(axis=0),
        "Why": run.hidden[1:].T @ e,
        "by": e.sum(axis=0),
    }


def summed_by_lag(table: np.ndarray) -> np.ndarray:
    """(T,): the sums of a table's entries with t − s = 0, 1, … T − 1, such as what truncation keeps of each lag.

    What is not finite passes on to its own sum. Raises ValueError for a table that is empty or not square.
    """
    table = _square("table", table)
    loss, step = np.tril_indices(len(table))
    return np.bincount(loss - step, weights=table[loss, step])


def walk_factors(errors: np.ndarray) -> np.ndarray:
    """By how much each step back lengthens an error, (T, T): entry [t, s] is errors[t, s] / errors[t, s + 1].

    ``errors`` is a table of norms such as ``h_errors``. The factors of a loss multiply up to its error at a
    step over its error at its own. NaN on the diagonal, where no step has been made, above it, and behind an
    error that has come to 0. Raises ValueError for a table that is empty or not square.
    """
    errors = _square("errors", errors)
    factors = np.full(errors.shape, np.nan)
    loss, step = np.tril_indices(len(errors), -1)
    later = errors[loss, step + 1]
    alive = later > 0
    with np.errstate(over="ignore", invalid="ignore"):
        factors[loss[alive], step[alive]] = errors[loss[alive], step[alive]] / later[alive]
    return factors


def same_chunk(steps: int, truncation: int) -> np.ndarray:
    """(T, T), true where step s ≤ t lies in the chunk of loss t: the terms that truncated BPTT keeps.

    Raises ValueError for steps below 1 and a truncation that is no integer from 1 to ``steps``.
    """
    steps = whole_number("steps", steps, least=1)
    chunk = np.arange(steps) // whole_number("truncation", truncation, least=1, most=steps)
    return np.tril(chunk[:, None] == chunk)


def stored_activations(
    cell: str, steps: int, hidden_size: int, truncation: int | None = None, bytes_each: int = 8
) -> Stored:
    """What an "rnn", "lstm" or "gru" keeps for its backward: `KEPT` · d_h · T numbers, or · K if truncated.

    Those of the softmax, which truncation cuts likewise, are not counted. ``bytes_each`` is 8 for float64.
    Raises ValueError for another cell, numbers below 1, and a truncation above ``steps``.
    """
    kept = KEPT[one_of("cell", cell, KEPT)]
    steps = whole_number("steps", steps, least=1)
    size = whole_number("hidden_size", hidden_size, least=1)
    if truncation is not None:
        steps = whole_number("truncation", truncation, least=1, most=steps)
    numbers = kept * size * steps
    return Stored(numbers, numbers * whole_number("bytes_each", bytes_each, least=1))


def _read(
    cell: str, P: Parameters, ids: np.ndarray, h0: np.ndarray | None, c0: np.ndarray | None
) -> tuple[dict[str, np.ndarray], np.ndarray, Unrolled]:
    """P and ids, checked, and the text unrolled."""
    P = checked_parameters(P, cell)
    ids = checked_ids(ids, len(P["E"]))
    if c0 is not None and cell != "lstm":
        raise ValueError(f"c0 must be None for a cell without a memory of its own ({cell}), got {c0!r}")
    h0, c0 = (
        np.zeros(len(P["Whh"])) if start is None else checked_start(name, start, len(P["Whh"]))
        for name, start in (("h0", h0), ("c0", c0))
    )
    return P, ids, unroll(cell, P, ids, h0, c0)


def _square(name: str, table: np.ndarray) -> np.ndarray:
    table = float_array(name, table)
    check_shape(name, table, ("T", "T"))
    return table


def _recurrent_rows(run: Unrolled) -> list[tuple[np.ndarray, slice]]:
    """What each part of Whh is multiplied by at every step (T, d_h), and which columns that part has."""
    before = run.hidden[:-1]
    if run.cell != "gru":
        return [(before, slice(None))]
    gates = 2 * before.shape[1]
    return [(before, slice(gates)), (run.slopes.reset * before, slice(gates, None))]


def _truncated_gradients(
    errors: Errors, rows: list[tuple[np.ndarray, slice]], step: np.ndarray, steps: int
) -> np.ndarray:
    """∂ℒ/∂Whh truncated to K steps, (T, d_h, G·d_h), for K = 1 … T; the last is not truncated."""
    first = np.searchsorted(step, np.arange(steps))
    sums = np.concatenate([np.cumsum(block, axis=0) for block in np.split(errors.delta, first[1:])])
    s, K = np.arange(steps), np.arange(1, steps + 1)[:, None]
    last = np.minimum((s // K + 1) * K, steps) - 1
    kept = sums[first + last - s]
    return np.concatenate([read.T @ kept[..., columns] for read, columns in rows], axis=-1)


def _against_the_last(gradients: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cosine and relative error (T,) of each of T gradients against the last."""
    flat = gradients.reshape(len(gradients), -1)
    sizes, misses = _norms(flat), _norms(flat - flat[-1])
    if sizes[-1] == 0:
        return np.full((2, len(flat)), np.nan)
    directions = flat / np.where(sizes > 0, sizes, np.nan)[:, None]
    return np.minimum(directions @ directions[-1], 1), misses / sizes[-1]


def _table(values: np.ndarray | None, loss: np.ndarray, step: np.ndarray) -> np.ndarray | None:
    """Packed pairs as a table with losses down and steps across."""
    if values is None:
        return None
    steps = loss[-1] + 1
    table = np.zeros((steps, steps))
    table[loss, step] = values
    return table


def _norms(rows: np.ndarray) -> np.ndarray:
    """Euclidean norms (N,) of rows (N, n), also where a square is beyond the range of float64."""
    with np.errstate(over="ignore", under="ignore"):
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    far = ~((norms > 1e-140) & (norms < 1e140))
    if far.any():
        peaks = np.abs(rows[far]).max(axis=1, initial=0)
        scale = np.where(peaks > 0, peaks, 1)
        norms[far] = scale * np.sqrt(((rows[far] / scale[:, None]) ** 2).sum(axis=1))
    return norms
