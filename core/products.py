"""Long running products, of numbers or of matrices, that neither underflow nor overflow on the way.

A float64 holds 10⁻³²³ to 10³⁰⁸, and a product over a long gap leaves that range soon: 0.1 to the power 400
is past its end. So each running product is kept as ``mantissa · 2^exponent``, with the mantissa brought back
to between 1/2 and 1 after every factor. A power of two moves no digit, so the rescaling costs no accuracy,
and the logarithm stays right where the number itself can only be written as 0 or inf.
"""

import math
from typing import NamedTuple

import numpy as np

from core.validation import check_shape, float_array

_LOG10_OF_2 = math.log10(2)


class RunningProducts(NamedTuple):
    """The products of the first 1, 2, … T factors: as numbers, and as logarithms, whose range is wider."""

    values: np.ndarray
    """(T,): signed products, or norms; 0 or ±inf beyond the range of float64."""
    log10: np.ndarray
    """(T,): log10 of the absolute value; −inf only where a product is truly zero."""


def scalar_products(factors: np.ndarray) -> RunningProducts:
    """``values[n−1] = factors[0] · factors[1] · … · factors[n−1]``, from factors of shape (T,).

    Raises ValueError for what is no array of numbers, or not of that shape.
    """
    factors = float_array("factors", factors)
    if factors.ndim != 1:
        raise ValueError(f"factors must have shape (T,), got {factors.shape}")
    mantissas = np.empty(len(factors))
    exponents = np.empty(len(factors), dtype=np.int32)
    mantissa, exponent = 1.0, 0
    for n, factor in enumerate(factors.tolist()):
        # Factor and product are split apart first: multiplied as they are, two tiny numbers could underflow.
        digits, power = math.frexp(factor)
        mantissa, shift = math.frexp(mantissa * digits)
        exponent += power + shift
        mantissas[n], exponents[n] = mantissa, exponent
    return _with_logarithms(mantissas, exponents)


def matrix_product_norms(factors: np.ndarray) -> RunningProducts:
    """``values[n−1] = ‖factors[0] @ factors[1] @ … @ factors[n−1]‖₂``, from factors of shape (T, d, d).

    The norm is the operator norm, the largest singular value. A product that is not finite makes its norm
    and all that follow NaN. Raises ValueError for what is no array of numbers, is empty, or not of that shape.
    """
    factors = float_array("factors", factors)
    check_shape("factors", factors, ("T", "d", "d"))
    steps, size, _ = factors.shape
    mantissas = np.zeros((steps, size, size))
    exponents = np.zeros(steps, dtype=np.int32)
    product, exponent = np.eye(size), 0
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for n, factor in enumerate(factors):
            product = product @ factor
            peak = np.abs(product).max()
            if not math.isfinite(peak):
                break
            _, shift = math.frexp(peak)
            product = np.ldexp(product, -shift)
            exponent += shift
            mantissas[n], exponents[n] = product, exponent
    norms = _norms(mantissas)
    if not math.isfinite(peak):
        norms[n:] = np.nan
    return _with_logarithms(norms, exponents)


def power_of_ten(log10: np.ndarray) -> np.ndarray:
    """10 to the power ``log10``; 0 or inf, without a warning, beyond the range of float64.

    Raises ValueError for what is no array of numbers.
    """
    log10 = float_array("log10", log10, keep_float32=True)
    with np.errstate(over="ignore", under="ignore"):
        return np.power(10.0, log10)


def log10_magnitude(values: np.ndarray) -> np.ndarray:
    """log10|x|; −inf, without a warning, at 0. Raises ValueError for what is no array of numbers."""
    values = float_array("values", values, keep_float32=True)
    with np.errstate(divide="ignore"):
        return np.log10(np.abs(values))


def _norms(matrices: np.ndarray) -> np.ndarray:
    """The largest singular value of each matrix, (T, d, d) → (T,), with entries of at most 1.

    It is the root of the largest eigenvalue of the Gram matrix ``M @ Mᵀ``. Squaring spoils small singular
    values, never the largest, and this takes a third less time than an SVD.
    """
    gram = matrices @ matrices.transpose(0, 2, 1)
    return np.sqrt(np.maximum(np.linalg.eigvalsh(gram)[:, -1], 0))


def _with_logarithms(mantissas: np.ndarray, exponents: np.ndarray) -> RunningProducts:
    with np.errstate(over="ignore", under="ignore"):
        values = np.ldexp(mantissas, exponents)
    return RunningProducts(values, log10_magnitude(mantissas) + exponents * _LOG10_OF_2)
