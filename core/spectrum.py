"""What a recurrent matrix does without squashing: eigenvalues, largest singular value, norms of its powers.

    ρ = max |λ_i|  ≤  σ_max = ‖W‖₂,        ρ^k  ≤  ‖W^k‖₂  ≤  σ_max^k

In the long run ‖W^k‖^(1/k) tends to ρ (Gelfand, 1941); before that a matrix that is not normal may grow
although ρ < 1.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from core.matrices import KINDS, LARGEST_RADIUS, largest_singular_value, recurrent_matrix
from core.products import matrix_product_norms
from core.validation import finite_array, finite_number, one_of, whole_number


@dataclass(frozen=True)
class Spectrum:
    """The linear facts about one (d, d) matrix W."""

    eigenvalues: np.ndarray
    """(d,), complex."""
    spectral_radius: float
    """ρ, the largest |eigenvalue|."""
    largest_singular_value: float
    """σ_max, the operator norm of W."""
    log10_powers: np.ndarray
    """(steps,): log10 ‖W^k‖₂ for k = 1 … steps; −inf where the power is zero."""


def power_norms(W: np.ndarray, steps: int) -> np.ndarray:
    """log10 ‖W^k‖₂ for k = 1 … steps, shape (steps,); right also where the norm is beyond float64."""
    W = finite_array("W", W, ("d", "d"))
    steps = whole_number("steps", steps, least=1)
    return matrix_product_norms(np.broadcast_to(W, (steps, *W.shape))).log10


def spectrum(W: np.ndarray, steps: int) -> Spectrum:
    """The spectrum of a finite (d, d) matrix, with its first ``steps`` powers.

    Raises ValueError for a matrix that is not square or not finite, or for ``steps`` below 1.
    """
    W = finite_array("W", W, ("d", "d"))
    eigenvalues = np.linalg.eigvals(W).astype(complex)
    return Spectrum(
        eigenvalues=eigenvalues,
        spectral_radius=float(np.abs(eigenvalues).max()),
        largest_singular_value=largest_singular_value(W),
        log10_powers=power_norms(W, steps),
    )


def recurrent_spectrum(kind: str, size: int, spectral_radius: float, seed: int, steps: int = 200) -> Spectrum:
    """The spectrum of ``recurrent_matrix(kind, size, spectral_radius, seed)``, nearly free when only ρ moves.

    All but the shear scale with ρ, so the matrix of radius 1 is worked out once and kept:
    λ_i(ρW) = ρ·λ_i(W), σ_max(ρW) = ρ·σ_max(W), ‖(ρW)^k‖ = ρ^k·‖W^k‖.

    Raises ValueError as `recurrent_matrix` and `spectrum` do.
    """
    kind = one_of("kind", kind, KINDS)
    size = whole_number("size", size, least=1)
    radius = finite_number("spectral_radius", spectral_radius, above=0, size=LARGEST_RADIUS)
    seed = whole_number("seed", seed, least=0)
    steps = whole_number("steps", steps, least=1)
    if kind == "shear":
        return _shear_spectrum(size, radius, seed, steps)
    unit = _unit_spectrum(kind, size, seed, steps)
    return Spectrum(
        eigenvalues=radius * unit.eigenvalues,
        spectral_radius=radius,
        largest_singular_value=radius * unit.largest_singular_value,
        log10_powers=unit.log10_powers + np.arange(1, steps + 1) * np.log10(radius),
    )


def _shear_spectrum(size: int, radius: float, seed: int, steps: int) -> Spectrum:
    # The blocks are all alike, and none is outdone by the ρ in a last odd row: one stands for the matrix.
    block = spectrum(recurrent_matrix("shear", min(size, 2), radius, seed), steps)
    return replace(block, eigenvalues=np.full(size, radius, dtype=complex))


@lru_cache(maxsize=32)
def _unit_spectrum(kind: str, size: int, seed: int, steps: int) -> Spectrum:
    return spectrum(recurrent_matrix(kind, size, 1.0, seed), steps)
