"""Activation functions, each beside its slope at the pre-activation.

    φ(a)      φ′(a)                        γ = max φ′
    tanh      1/cosh²(a) = 1 − tanh²(a)    1
    sigmoid   σ(a)·(1 − σ(a))              1/4
    relu      1 for a > 0, else 0          1
    linear    1                            1

Slopes take the pre-activation ``a``, not the output: once tanh has rounded to 1, ``1 − h²`` is 0 and has
lost a slope that is small but real, while ``4·exp(−2|a|) / (1 + exp(−2|a|))²`` is the same quantity to full
precision.

Every function maps an array of any shape to one of the same shape, of float64 or of float32 if it is that, is
exact at ±inf, passes NaN on, and never warns. What is no array of numbers is refused with a ValueError. Beside
them stand `log_sum_exp` and `softmax`, which squash a whole axis at once.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.validation import float_array, one_of, whole_number


def tanh(a: np.ndarray) -> np.ndarray:
    """tanh(a), between −1 and 1."""
    return np.tanh(_numbers(a))


def tanh_slope(a: np.ndarray) -> np.ndarray:
    """tanh′(a) = 1 − tanh²(a), between 0 and 1."""
    # Squared after the exponential: 2·|a| itself could overflow.
    decay = np.exp(-np.abs(_numbers(a))) ** 2
    return 4 * decay / (1 + decay) ** 2


def sigmoid(a: np.ndarray) -> np.ndarray:
    """The logistic function σ(a) = 1 / (1 + exp(−a)), between 0 and 1; its exponentials cannot overflow."""
    a = _numbers(a)
    return np.exp(np.minimum(a, 0)) / (1 + np.exp(-np.abs(a)))


def sigmoid_slope(a: np.ndarray) -> np.ndarray:
    """σ′(a) = σ(a)·(1 − σ(a)), between 0 and 1/4."""
    decay = np.exp(-np.abs(_numbers(a)))
    return decay / (1 + decay) ** 2


def relu(a: np.ndarray) -> np.ndarray:
    """max(a, 0)."""
    return np.maximum(_numbers(a), 0)


def relu_slope(a: np.ndarray) -> np.ndarray:
    """1 where a > 0, else 0: the slope at 0 itself is taken as 0, as in PyTorch."""
    return np.heaviside(_numbers(a), 0)


def linear(a: np.ndarray) -> np.ndarray:
    """a itself: no squashing."""
    return _numbers(a)


def linear_slope(a: np.ndarray) -> np.ndarray:
    """1 everywhere."""
    return np.ones_like(_numbers(a))


@dataclass(frozen=True)
class Activation:
    """A function φ, its derivative and the largest value of that."""

    value: Callable[[np.ndarray], np.ndarray]
    """φ(a)."""
    slope: Callable[[np.ndarray], np.ndarray]
    """φ′(a), at the pre-activation."""
    slope_bound: float
    """γ = max φ′."""


ACTIVATIONS = {
    "tanh": Activation(tanh, tanh_slope, 1.0),
    "sigmoid": Activation(sigmoid, sigmoid_slope, 0.25),
    "relu": Activation(relu, relu_slope, 1.0),
    "linear": Activation(linear, linear_slope, 1.0),
}


def get_activation(name: str, among: tuple[str, ...] = tuple(ACTIVATIONS)) -> Activation:
    """The activation called ``name``; ValueError if it is not one of ``among``."""
    return ACTIVATIONS[one_of("activation", name, among)]


def log_sum_exp(a: np.ndarray, axis: int = -1) -> np.ndarray:
    """log Σ_j exp(a_j) along ``axis``, which is taken out: a maximum with soft edges.

    Computed as max a + log Σ_j exp(a_j − max a), whose exponentials lie between 0 and 1. Raises ValueError for
    what is no array of numbers, for an axis that it does not have, and for one of length 0.
    """
    a, axis = _along(a, axis)
    return np.max(a, axis=axis) + np.log(np.exp(_below_peak(a, axis)).sum(axis=axis))


def softmax(a: np.ndarray, axis: int = -1) -> np.ndarray:
    """p_i = exp(a_i) / Σ_j exp(a_j) along ``axis``: above or at 0, with a sum of 1.

    Adding the same number to every entry changes nothing, so the largest is moved to 0 first. An entry of
    −inf gets nothing, and entries of +inf share everything. Where all are −inf, none is larger than another, and
    they share equally. Raises ValueError as `log_sum_exp` does.
    """
    a, axis = _along(a, axis)
    weights = np.exp(_below_peak(a, axis))
    return weights / weights.sum(axis=axis, keepdims=True)


def _numbers(a: np.ndarray) -> np.ndarray:
    return float_array("a", a, keep_float32=True)


def _along(a: np.ndarray, axis: int) -> tuple[np.ndarray, int]:
    """An array of numbers, and one of its axes, which holds at least one."""
    a = _numbers(a)
    if a.ndim == 0:
        raise ValueError(f"a must have at least one axis, got {a!r}")
    axis = whole_number("axis", axis, least=-a.ndim, most=a.ndim - 1)
    if a.shape[axis] == 0:
        raise ValueError(f"a must have at least one entry along axis {axis}, got an array of shape {a.shape}")
    return a, axis


def _below_peak(a: np.ndarray, axis: int) -> np.ndarray:
    """a − max a, also where the maximum is infinite."""
    peak = np.max(a, axis=axis, keepdims=True)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(a == peak, np.zeros_like(peak), a - peak)
