"""What is left of a gradient at the first input of a random network, by the length of the sequence.

A network reads x_1 … x_T from h_0 = c_0 = 0, and a fixed vector v reads its last state:

    G(T) = ‖∂(v·h_T)/∂x_1‖₂

Weights and the one bias are drawn from U(−1/√d_h, 1/√d_h), PyTorch's default; x_t and v from N(0, 1). The
forget part of an LSTM's bias, or the update part of a GRU's, is then set to one value, so that a change of it
changes nothing that was drawn. With f = σ(forget_bias) near 1 the cell carries an error on (Hochreiter and
Schmidhuber, 1997; Gers, Schmidhuber and Cummins, 2000; Jozefowicz, Zaremba and Sutskever, 2015), and so does
z near 1 in a GRU.

For an LSTM and a GRU the gradient is also split into the path that runs straight along the state, through the
product of the forget gates f (or of z), and all the others together:

    LSTM   v ⊙ o_T ⊙ tanh′(c_T) ⊙ f_T ⊙ … ⊙ f_2 · ∂c_1/∂x_1
    GRU    v ⊙ z_T ⊙ … ⊙ z_2 · ∂h_1/∂x_1

The sequences of all lengths begin alike: length T sees the first T of one drawn sequence. So one run forward
serves them all, and one sweep back: from the longest to the first step, each length's v joining at its end.
Errors are rescaled by powers of two on the way, so that logarithms are right where numbers underflow.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.draws import generator, read_only
from core.initialisation import uniform_weights, with_forget_bias, with_update_bias
from core.products import log10_magnitude, power_of_ten
from core.stacked_cells import STACKED, StackedWeights
from core.validation import finite_number, one_of, whole_number

CELLS = ("rnn", "lstm", "lstm-1997", "gru")
_STRIDE = 16
"""Steps between two rescalings: many enough to cost little, and few enough that nothing is lost in between,
as long as so many steps do not shrink an error below the range of float64, by 10⁻³⁰⁰ or more."""
_LOG10_OF_2 = math.log10(2)


@dataclass(frozen=True)
class GradientFlow:
    """log10 of the norms for N networks at L lengths, each (N, L).

    −inf where a norm is zero, or where the 16 steps between two rescalings shrink an error below float64.
    """

    log10_norms: np.ndarray
    """log10 G(T)."""
    log10_along: np.ndarray | None
    """The norm of the part that runs straight along the state; None for an RNN, which has no such path."""
    log10_rest: np.ndarray | None
    """The norm of the gradient less that part. Vectors were subtracted, so the two norms need not add up."""


def first_input_gradient(
    cell: str,
    lengths: Sequence[int],
    input_size: int = 16,
    hidden_size: int = 32,
    forget_bias: float = 0.0,
    seed: int = 0,
    update_bias: float = 0.0,
) -> np.ndarray:
    """G(T) of one network for each T in ``lengths``, (L,), in their order; 0 where it is below float64.

    ``cell`` is "rnn", "lstm", "lstm-1997" (f = 1 whatever the forget bias) or "gru" (reset before the
    product, Cho et al., 2014). A length T sees x_1 … x_T of the one sequence that belongs to ``seed`` and
    ``input_size``. Raises ValueError as `gradient_flow` does.
    """
    seeds = (whole_number("seed", seed, least=0),)
    flow = gradient_flow(cell, lengths, input_size, hidden_size, forget_bias, update_bias, seeds)
    return power_of_ten(flow.log10_norms[0])


def gradient_flow(
    cell: str,
    lengths: Sequence[int],
    input_size: int = 16,
    hidden_size: int = 32,
    forget_bias: float = 0.0,
    update_bias: float = 0.0,
    seeds: Sequence[int] = (0,),
) -> GradientFlow:
    """G(T) and its split for each of N ``seeds``, all networks at once; otherwise as `first_input_gradient`.

    Raises ValueError for another cell, lengths or seeds that are empty, a length below 1, a size below 1, a
    seed below 0, and a bias that is not finite.
    """
    kind = "lstm" if one_of("cell", cell, CELLS) == "lstm-1997" else cell
    input_size = whole_number("input_size", input_size, least=1)
    hidden_size = whole_number("hidden_size", hidden_size, least=1)
    finite_number("forget_bias", forget_bias)
    finite_number("update_bias", update_bias)
    lengths = _whole_numbers("lengths", lengths, least=1)
    weights = _weights(kind, input_size, hidden_size, _whole_numbers("seeds", seeds, least=0))
    if kind == "lstm":
        kept = math.inf if cell == "lstm-1997" else forget_bias
        weights = weights._replace(b=np.stack([with_forget_bias(b, kept) for b in weights.b]))
    if kind == "gru":
        weights = weights._replace(b=np.stack([with_update_bias(b, update_bias) for b in weights.b]))
    inputs, v = _draws(input_size, hidden_size, max(lengths), tuple(seeds))
    ends, order = np.unique(lengths, return_inverse=True)
    flow = _sweep(kind, weights, inputs, v, ends)
    return GradientFlow(*(part if part is None else part[:, order] for part in flow))


def _sweep(
    kind: str, weights: StackedWeights, inputs: np.ndarray, v: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None]:
    """The three logarithms (N, L) for rising lengths ``ends``."""
    cell = STACKED[kind]
    slopes = cell.run(weights, inputs)
    W_back, U_back = (np.ascontiguousarray(matrix.transpose(0, 2, 1)) for matrix in weights[:2])

    errors = np.zeros((cell.parts, len(v), len(ends), v.shape[-1]))
    errors[0] = v[:, None]
    exponents = np.zeros(errors.shape[1:3], dtype=int)
    for t in range(int(ends[-1]), 0, -1):
        if t % _STRIDE == 0 or t == 1:
            errors, exponents = _rescaled(errors, exponents)
        # Those of shorter sequences wait for their last step.
        begun = errors[:, :, np.searchsorted(ends, t) :]
        delta, begun[...] = cell.pull_back(cell.at(slopes, t), U_back, begun)
    gradients = delta @ W_back
    log10_scale = exponents * _LOG10_OF_2
    norms = _log10_norms(gradients) + log10_scale
    if cell.straight is None:
        return norms, None, None

    first, log10_first = _straight(*cell.straight(slopes, v), ends)
    delta, _ = cell.pull_back(cell.at(slopes, 1), U_back, first)
    along = delta @ W_back
    log10_along = _log10_norms(along) + log10_first
    # At the scale of the larger of the two, so that neither overflows; a straight part of 0 has none.
    log10_common = np.where(np.isneginf(log10_along), log10_scale, np.maximum(log10_scale, log10_first))
    rest = gradients * power_of_ten(log10_scale - log10_common)[..., None]
    rest -= along * power_of_ten(np.minimum(log10_first - log10_common, 0))[..., None]
    return norms, log10_along, _log10_norms(rest) + log10_common


def _rescaled(errors: np.ndarray, exponents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every error brought to a largest entry between 1/2 and 1, with the powers of two that were taken out."""
    _, shift = np.frexp(np.abs(errors).max(axis=(0, 3), initial=0))
    return np.ldexp(errors, -shift[..., None]), exponents + shift


def _straight(onto: np.ndarray, kept: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What comes straight along the state to step 1 from each end: errors (P, N, L, d_h), log10 of their scale (N, L).

    ``onto`` (P, T, N, d_h) is what gets onto the path at each end, ``kept`` (T, N, d_h) each step's factor.
    """
    factors = log10_magnitude(kept)
    factors[0] = 0
    onto = onto[:, ends - 1].swapaxes(1, 2)
    log10 = np.cumsum(factors, axis=0)[ends - 1].swapaxes(0, 1) + log10_magnitude(onto)
    scale = log10.max(axis=(0, 3))
    scale[np.isneginf(scale)] = 0
    return np.sign(onto) * power_of_ten(log10 - scale[..., None]), scale


def _log10_norms(vectors: np.ndarray) -> np.ndarray:
    """log10 of the norms along the last axis."""
    return log10_magnitude(np.linalg.norm(vectors, axis=-1))


@lru_cache(maxsize=16)
def _weights(kind: str, input_size: int, hidden_size: int, seeds: tuple[int, ...]) -> StackedWeights:
    """What was drawn for each seed, kept: a slider that sets a bias does not change it."""
    drawn = [uniform_weights(kind, input_size, hidden_size, seed) for seed in seeds]
    return StackedWeights(*(read_only(np.stack(arrays)) for arrays in zip(*drawn, strict=True)))


@lru_cache(maxsize=16)
def _draws(
    input_size: int, hidden_size: int, steps: int, seeds: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Sequences (N, steps, d) and reading vectors (N, d_h); a longer sequence begins as a shorter one does."""
    inputs = [generator("sequence", input_size, seed).standard_normal((steps, input_size)) for seed in seeds]
    v = [generator("reading", hidden_size, seed).standard_normal(hidden_size) for seed in seeds]
    return read_only(np.stack(inputs)), read_only(np.stack(v))


def _whole_numbers(name: str, given: Sequence[int], least: int) -> tuple[int, ...]:
    try:
        row = np.asarray(given)
    except ValueError:
        row = np.empty(0)
    if row.ndim != 1 or not row.size:
        raise ValueError(f"{name} must be a sequence of at least one integer, got {given!r}")
    return tuple(whole_number(f"each of {name}", value, least=least) for value in row.tolist())
