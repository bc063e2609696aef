"""The gated recurrent unit, forward and backward, with its reset gate before or after the recurrent product.

    r = σ(x W_r + h U_r + b_r)        z = σ(x W_z + h U_z + b_z)

    before:   n = tanh(x W_n + (r ⊙ h) U_n + b_n)                  Cho et al. (2014)
    after:    n = tanh(x W_n + b_n + r ⊙ (h U_n + b_recurrent))    PyTorch and cuDNN

    h′ = (1 − z) ⊙ n + z ⊙ h

so z ≈ 1 keeps the old state; 1 − z is taken as σ(−a_z), which keeps its digits there. In the second form one
product ``h U`` serves all three parts, which is faster; its candidate's recurrent bias stands inside the reset
gate and cannot be merged with b_n.
"""

from typing import NamedTuple

import numpy as np

from core.activations import sigmoid, sigmoid_slope, tanh, tanh_slope
from core.affine import batch_sum, outer_sum, state_like, step_arguments
from core.overflow import overflow_is_infinite
from core.validation import finite_array, yes_or_no


class GRUGates(NamedTuple):
    """The three parts of one GRU step, each (d_h,) or (B, d_h)."""

    r: np.ndarray
    """Reset gate, between 0 and 1: how much of the old state the candidate sees."""
    z: np.ndarray
    """Update gate, between 0 and 1: how much of the old state is kept."""
    n: np.ndarray
    """Candidate, between −1 and 1: what takes the place of the rest."""


class GRUSlopes(NamedTuple):
    """What one step multiplies an error by on its way back, each (d_h,) or (B, d_h)."""

    kept: np.ndarray
    """∂h′/∂h = z, straight along the state."""
    z: np.ndarray
    """∂h′/∂a_z = (h − n) ⊙ σ′(a_z)."""
    n: np.ndarray
    """∂h′/∂a_n = (1 − z) ⊙ (1 − n²)."""
    r: np.ndarray
    """What r multiplies, times σ′(a_r): the state (before), or h U_n + b_recurrent (after)."""
    reset: np.ndarray
    """The reset gate r itself."""


class GRUErrors(NamedTuple):
    """The errors of one step, of one example, a batch, or many losses side by side."""

    delta: np.ndarray
    """(…, 3·d_h): at the pre-activations, in the order r, z, n."""
    candidate: np.ndarray
    """(…, d_h): at the product with U_n, the q of the equations: n's part of δ, times r in the form "after"."""
    h: np.ndarray
    """(…, d_h): at the old state."""


@overflow_is_infinite
def gru_gates(
    x: np.ndarray,
    h: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    reset_after: bool = False,
    b_recurrent: np.ndarray | None = None,
) -> GRUGates:
    """The gates r, z and the candidate n; arguments and errors are those of `gru_cell`."""
    x, h, W, U, b, recurrent = _arguments(x, h, W, U, b, reset_after, b_recurrent)
    a, _ = pre_activations(x @ W + b, h, U, reset_after, recurrent)
    return squashed_gates(a)


@overflow_is_infinite
def gru_cell(
    x: np.ndarray,
    h: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    reset_after: bool = False,
    b_recurrent: np.ndarray | None = None,
) -> np.ndarray:
    """The next state h′, of the shape of ``h``: (d_h,) or (B, d_h).

    ``W`` is (d, 3·d_h), ``U`` (d_h, 3·d_h) and ``b`` (3·d_h,), with columns in the order r, z, n.
    ``reset_after`` chooses the form; ``b_recurrent`` (d_h,) belongs to the form "after", where None stands
    for zeros. Of PyTorch's two biases the parts r and z are added to make ``b``, and the last third of
    ``bias_hh`` is ``b_recurrent``.

    Raises ValueError for arrays that are empty, not finite, not numbers or of shapes that do not fit
    together, for a ``reset_after`` that is neither True nor False, and for a ``b_recurrent`` without it.
    """
    x, h, W, U, b, recurrent = _arguments(x, h, W, U, b, reset_after, b_recurrent)
    a, _ = pre_activations(x @ W + b, h, U, reset_after, recurrent)
    return next_state(a, h)


@overflow_is_infinite
def gru_cell_backward(
    x: np.ndarray,
    h: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    dh_new: np.ndarray,
    reset_after: bool = False,
    b_recurrent: np.ndarray | None = None,
) -> tuple[np.ndarray, ...]:
    """Gradients ``(dx, dh, dW, dU, db)`` of a loss from ``dh_new``, its gradient at h′.

        δ_z = dh′ ⊙ (h − n) ⊙ σ′(a_z),    δ_n = dh′ ⊙ (1 − z) ⊙ (1 − n²)

        before:   q = δ_n,        δ_r = q U_nᵀ ⊙ h ⊙ σ′(a_r),    dU_n = (r ⊙ h)ᵀ q
                  dh = dh′ ⊙ z + δ_r U_rᵀ + δ_z U_zᵀ + q U_nᵀ ⊙ r
        after:    q = δ_n ⊙ r,    δ_r = δ_n ⊙ (h U_n + b_recurrent) ⊙ σ′(a_r),    dU_n = hᵀ q
                  dh = dh′ ⊙ z + δ_r U_rᵀ + δ_z U_zᵀ + q U_nᵀ

        dx = δ Wᵀ,   dW = xᵀ δ,   dU_r = hᵀ δ_r,   dU_z = hᵀ δ_z,   db = δ,   db_recurrent = q

    Where ``b_recurrent`` is given its gradient comes sixth. Each result has the shape of its argument; those
    of the weights are summed over a batch. Raises ValueError as `gru_cell` does, and for a ``dh_new`` that is
    not finite or not of the shape of ``h``.
    """
    x, h, W, U, b, recurrent = _arguments(x, h, W, U, b, reset_after, b_recurrent)
    dh_new = state_like("dh_new", dh_new, h)
    a, multiplied = pre_activations(x @ W + b, h, U, reset_after, recurrent)
    slopes = gru_slopes(a, multiplied, h)
    errors = gru_pull_back(slopes, U, dh_new, reset_after)
    gates = errors.delta[..., : 2 * h.shape[-1]]
    seen = seen_by_candidate(slopes, h, reset_after)
    dU = np.hstack([outer_sum(h, gates), outer_sum(seen, errors.candidate)])
    gradients = errors.delta @ W.T, errors.h, outer_sum(x, errors.delta), dU, batch_sum(errors.delta)
    return gradients if b_recurrent is None else (*gradients, batch_sum(errors.candidate))


def pre_activations(
    inputs: np.ndarray, h: np.ndarray, U: np.ndarray, reset_after: bool, b_recurrent: np.ndarray | float
) -> tuple[np.ndarray, np.ndarray]:
    """a (…, 3·d_h) in the order r, z, n, and what r multiplies; ``inputs`` is x W + b, unchecked."""
    gates = 2 * h.shape[-1]
    a = np.empty(inputs.shape, np.result_type(inputs, h, U))
    a[..., :gates] = inputs[..., :gates] + h @ U[:, :gates]
    r = sigmoid(a[..., : gates // 2])
    if reset_after:
        multiplied = h @ U[:, gates:] + b_recurrent
        a[..., gates:] = inputs[..., gates:] + r * multiplied
    else:
        multiplied = h
        a[..., gates:] = inputs[..., gates:] + (r * h) @ U[:, gates:]
    return a, multiplied


def squashed_gates(a: np.ndarray) -> GRUGates:
    """The gates and the candidate from their pre-activations (…, 3·d_h)."""
    r, z, n = _parts(a)
    return GRUGates(sigmoid(r), sigmoid(z), tanh(n))


def next_state(a: np.ndarray, h: np.ndarray) -> np.ndarray:
    """h′ from the pre-activations (…, 3·d_h) and the old state, unchecked."""
    _, a_z, a_n = _parts(a)
    return sigmoid(-a_z) * tanh(a_n) + sigmoid(a_z) * h


def gru_slopes(a: np.ndarray, multiplied: np.ndarray, h: np.ndarray) -> GRUSlopes:
    """The slopes of a step, or of many at once, from what `pre_activations` gave and the old state."""
    r, z, n = squashed_gates(a)
    a_r, a_z, a_n = _parts(a)
    return GRUSlopes(
        kept=z,
        z=(h - n) * sigmoid_slope(a_z),
        n=sigmoid(-a_z) * tanh_slope(a_n),
        r=multiplied * sigmoid_slope(a_r),
        reset=r,
    )


def gru_pull_back(slopes: GRUSlopes, U: np.ndarray, dh_new: np.ndarray, reset_after: bool) -> GRUErrors:
    """The errors of one step by the equations of `gru_cell_backward`, arguments unchecked.

    ``dh_new`` may hold many errors (n, d_h) at one state: they travel back side by side.
    """
    gates = 2 * len(U)
    dn = dh_new * slopes.n
    if reset_after:
        q = dn * slopes.reset
        dr, along = dn * slopes.r, dh_new * slopes.kept + q @ U[:, gates:].T
    else:
        q = dn
        seen = dn @ U[:, gates:].T
        dr, along = seen * slopes.r, dh_new * slopes.kept + seen * slopes.reset
    delta = np.concatenate([dr, dh_new * slopes.z, dn], axis=-1)
    dh = along + delta[..., :gates] @ U[:, :gates].T
    return GRUErrors(delta, q, dh)


def seen_by_candidate(slopes: GRUSlopes, h: np.ndarray, reset_after: bool) -> np.ndarray:
    """What U_n is multiplied by: the old state (after), or what the reset gate leaves of it (before)."""
    return h if reset_after else slopes.reset * h


def _parts(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    size = a.shape[-1] // 3
    return a[..., :size], a[..., size : 2 * size], a[..., 2 * size :]


def _arguments(
    x: np.ndarray,
    h: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    reset_after: bool,
    b_recurrent: np.ndarray | None,
) -> tuple[np.ndarray, ...]:
    """The arguments checked, with zero for a recurrent bias that was not given."""
    x, h, W, U, b = step_arguments(3, x, h, W, U, b)
    yes_or_no("reset_after", reset_after)
    if b_recurrent is None:
        return x, h, W, U, b, 0
    if not reset_after:
        raise ValueError(
            "b_recurrent must be None unless reset_after is true: before the product it is part of b"
        )
    return x, h, W, U, b, finite_array("b_recurrent", b_recurrent, h.shape[-1:], keep_float32=True)
