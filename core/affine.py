"""The affine map in front of every gate, a = x W + h U + b: its arguments checked, and its weights' gradients.

A cell of d_h units with G stacked parts has ``W`` (d, G·d_h), ``U`` (d_h, G·d_h) and ``b`` (G·d_h,). One
example is ``x`` (d,) with a state ``h`` (d_h,), a batch ``x`` (B, d) with ``h`` (B, d_h).
"""

import numpy as np

from core.validation import array_without_nan, finite_array, float_array


def step_arguments(
    parts: int,
    x: np.ndarray,
    h: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    *,
    infinite_bias: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """``x, h, W, U, b`` as float arrays (float32 stays) that fit together, for a cell of ``parts`` parts.

    ``infinite_bias`` lets ±inf stand in ``b``. Raises ValueError for what is no array of numbers, is empty,
    not finite, or of a shape that does not fit.
    """
    h = float_array("h", h, keep_float32=True)
    h = finite_array("h", h, ("B", "d_h") if h.ndim == 2 else ("d_h",), keep_float32=True)
    *batch, size = h.shape
    x = finite_array("x", x, (*batch, "d"), keep_float32=True)
    W = finite_array("W", W, (x.shape[-1], parts * size), keep_float32=True)
    U = finite_array("U", U, (size, parts * size), keep_float32=True)
    if infinite_bias:
        b = array_without_nan("b", b, (parts * size,))
    else:
        b = finite_array("b", b, (parts * size,), keep_float32=True)
    return x, h, W, U, b


def state_like(name: str, value: np.ndarray, h: np.ndarray) -> np.ndarray:
    """A finite array of the shape of ``h``: a second state, or an error at one."""
    return finite_array(name, value, h.shape, keep_float32=True)


def outer_sum(rows: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """The gradient of M in ``rows @ M``, Σ over the batch of rowᵀ error: (m,), (n,) or (B, m), (B, n) → (m, n)."""
    return np.atleast_2d(rows).T @ np.atleast_2d(errors)


def batch_sum(errors: np.ndarray) -> np.ndarray:
    """The gradient of a bias, which every example of a batch shares: (n,) or (B, n) → (n,)."""
    return np.atleast_2d(errors).sum(axis=0)
