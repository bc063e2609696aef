"""Recurrent weight matrices of five kinds, scaled to a spectral radius, and two measures of a matrix.

    orthogonal   uniformly drawn rotation or reflection (Mezzadri, 2007): every singular value is ρ
    gaussian     independent normal entries (the echo state network's draw; Jaeger, 2001): σ_max well above ρ
    identity     ρ·I, the start that Le, Jaitly and Hinton (2015) chose for ReLU networks
    symmetric    (A + Aᵀ)/2 of a gaussian A: real eigenvalues, σ_max = ρ
    shear        2×2 blocks [[ρ, 5], [0, ρ]], and ρ alone in a last odd row: powers grow before they fade

The spectral radius ρ, the largest |eigenvalue|, says what happens to W^k in the long run; the largest
singular value σ_max bounds what one step can do. ρ ≤ σ_max always.
"""

from functools import lru_cache

import numpy as np

from core.draws import generator, read_only
from core.validation import finite_array, finite_number, one_of, whole_number

KINDS = ("orthogonal", "gaussian", "identity", "symmetric", "shear")
SHEAR = 5.0
LARGEST_RADIUS = 1e150
"""So that no entry is beyond float64, however far it is above the radius."""


def recurrent_matrix(kind: str, size: int, spectral_radius: float, seed: int) -> np.ndarray:
    """A (size, size) matrix of the given kind with the given spectral radius, to float rounding.

    What is drawn depends on kind, size and seed alone; ``spectral_radius`` only rescales it. A shear is the
    exception: the 5 above its diagonal stays 5.

    Raises ValueError for an unknown kind, a size below 1, a spectral radius that is not above 0 and at most
    1e150, or a seed below 0.
    """
    kind = one_of("kind", kind, KINDS)
    size = whole_number("size", size, least=1)
    radius = finite_number("spectral_radius", spectral_radius, above=0, size=LARGEST_RADIUS)
    seed = whole_number("seed", seed, least=0)
    if kind == "shear":
        return _shear(size, radius)
    return radius * _unit_matrix(kind, size, seed)


def spectral_radius(W: np.ndarray) -> float:
    """max |λ_i| over the eigenvalues of a finite (d, d) matrix."""
    return float(np.abs(np.linalg.eigvals(finite_array("W", W, ("d", "d")))).max())


def largest_singular_value(W: np.ndarray) -> float:
    """σ_max = ‖W‖₂, the most by which a finite (m, n) matrix can lengthen a vector."""
    return float(np.linalg.norm(finite_array("W", W, ("m", "n")), ord=2))


@lru_cache(maxsize=32)
def _unit_matrix(kind: str, size: int, seed: int) -> np.ndarray:
    """The matrix of spectral radius 1, kept: the costly part of a draw."""
    if kind == "identity":
        return read_only(np.eye(size))
    matrix = generator(kind, size, seed).standard_normal((size, size))
    if kind == "orthogonal":
        return read_only(_orthogonalized(matrix))
    if kind == "symmetric":
        matrix = (matrix + matrix.T) / 2
    return read_only(matrix / spectral_radius(matrix))


def _orthogonalized(matrix: np.ndarray) -> np.ndarray:
    q, r = np.linalg.qr(matrix)
    # QR leaves the signs of its columns to the implementation; a positive diagonal in r makes q uniform.
    return q * np.where(np.diag(r) < 0, -1.0, 1.0)


def _shear(size: int, radius: float) -> np.ndarray:
    matrix = radius * np.eye(size)
    first = np.arange(0, size - 1, 2)
    matrix[first, first + 1] = SHEAR
    return matrix
