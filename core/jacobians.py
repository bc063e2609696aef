"""What happens to an error that is sent k steps back: the norms of Jacobian products in a recurrent network.

    a_t = h_{t−1} @ Whh + u_t,    h_t = φ(a_t),    t = 1 … T

    J_t = ∂h_t/∂h_{t−1} = diag(φ′(a_t)) @ Whhᵀ                       entry [i, j] is ∂h_t[i]/∂h_{t−1}[j]
    norms[k−1] = ‖J_T J_{T−1} … J_{T−k+1}‖₂ = ‖∂h_T/∂h_{T−k}‖₂       k = 1 … T

Steps go back from the last state, as an error does. ``‖·‖₂`` is the operator norm, the largest singular
value: the most by which an error can be lengthened on its way. With ρ and σ_max the spectral radius and
largest singular value of Whh, and γ the largest slope of φ (1 for tanh, relu and linear, 1/4 for the
sigmoid),

    ‖J_T … J_{T−k+1}‖ ≤ (γ·σ_max)^k        and        ‖Whh^k‖ ≥ ρ^k

so γ·σ_max < 1 makes every error vanish, while γ·σ_max > 1 lets it grow but does not force it to (Pascanu,
Mikolov and Bengio, 2013, "On the difficulty of training recurrent neural networks").
"""

from dataclasses import dataclass

import numpy as np

from core.activations import Activation, get_activation
from core.products import log10_magnitude, matrix_product_norms, power_of_ten
from core.spectrum import Spectrum, spectrum
from core.validation import finite_array


@dataclass(frozen=True)
class JacobianProducts:
    """One run over T steps: curves by k (entry k − 1), ``states`` and ``slopes`` by time (entry t − 1).

    Each curve comes twice: as numbers, which are 0 or inf beyond the range of float64, and as log10, which is
    right there too and −inf only where a product is truly zero, on the condition that `jacobian_products` names.
    """

    states: np.ndarray
    """(T, d): h_1 … h_T, forward in time."""
    slopes: np.ndarray
    """(T,): mean of φ′(a_t) over the units, forward in time: ``slopes[0]`` is step 1, ``slopes[-1]`` step T."""
    norms: np.ndarray
    """(T,): ‖J_T … J_{T−k+1}‖₂ for k = 1 … T; NaN where the states left the range of float64."""
    log10_norms: np.ndarray
    linear: np.ndarray
    """(T,): ‖Whh^k‖₂, the same norm without squashing."""
    log10_linear: np.ndarray
    reference: np.ndarray
    """(T,): ρ^k."""
    log10_reference: np.ndarray
    bound: np.ndarray
    """(T,): (γ·σ_max)^k, never below ``norms``."""
    log10_bound: np.ndarray
    spectral_radius: float
    """ρ of Whh."""
    largest_singular_value: float
    """σ_max of Whh."""
    gain: float
    """γ·σ_max, the most by which one step can lengthen an error."""


def jacobian_products(
    Whh: np.ndarray,
    inputs: np.ndarray,
    start: np.ndarray,
    activation: str = "tanh",
    matrix_spectrum: Spectrum | None = None,
) -> JacobianProducts:
    """Run over ``inputs`` (T, d) from ``start`` (d,) and multiply the Jacobians from the last step back.

    ``Whh`` is (d, d), and the inputs u_t enter as they are, one number for each unit. Norms are right to
    1e-10 relative, and −inf as a logarithm stands for a true zero, as long as the direction that leads the
    product goes on leading it: one that dies out takes along what was 10⁻¹⁶ of it by then, and should take
    over. ``matrix_spectrum`` may hand in the spectrum of this very Whh with at least T powers
    (`core.spectrum.recurrent_spectrum` keeps it while a slider moves); left out, it is computed.

    Raises ValueError for arrays that are empty, not finite or of shapes that do not fit, for an unknown
    activation, and for what is not a spectrum of that size or holds fewer than T powers.
    """
    Whh = finite_array("Whh", Whh, ("d", "d"))
    size = len(Whh)
    inputs = finite_array("inputs", inputs, ("T", size))
    start = finite_array("start", start, (size,))
    phi = get_activation(activation)
    steps = len(inputs)
    if matrix_spectrum is None:
        matrix_spectrum = spectrum(Whh, steps)
    else:
        _check_spectrum(matrix_spectrum, size, steps)

    states, slopes = _forward(Whh, inputs, start, phi)
    jacobians = slopes[:, :, None] * Whh.T
    norms, log10_norms = matrix_product_norms(jacobians[::-1])

    log10_linear = matrix_spectrum.log10_powers[:steps]
    gain = phi.slope_bound * matrix_spectrum.largest_singular_value
    reference, log10_reference = _powers(matrix_spectrum.spectral_radius, steps)
    bound, log10_bound = _powers(gain, steps)
    return JacobianProducts(
        states=states,
        slopes=slopes.mean(axis=1),
        norms=norms,
        log10_norms=log10_norms,
        linear=power_of_ten(log10_linear),
        log10_linear=log10_linear,
        reference=reference,
        log10_reference=log10_reference,
        bound=bound,
        log10_bound=log10_bound,
        spectral_radius=matrix_spectrum.spectral_radius,
        largest_singular_value=matrix_spectrum.largest_singular_value,
        gain=gain,
    )


def _check_spectrum(given: Spectrum, size: int, steps: int) -> None:
    if not isinstance(given, Spectrum) or len(given.eigenvalues) != size:
        raise ValueError(f"matrix_spectrum must be the Spectrum of a ({size}, {size}) matrix, got {given!r}")
    if len(given.log10_powers) < steps:
        raise ValueError(
            f"matrix_spectrum must hold at least as many powers as there are inputs, {steps}, "
            f"got {len(given.log10_powers)}"
        )


def _forward(
    Whh: np.ndarray, inputs: np.ndarray, start: np.ndarray, phi: Activation
) -> tuple[np.ndarray, np.ndarray]:
    """States and slopes φ′(a_t), both (T, d)."""
    pre_activations, states = np.empty((2, *inputs.shape))
    h = start
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for t, u in enumerate(inputs):
            pre_activations[t] = h @ Whh + u
            states[t] = h = phi.value(pre_activations[t])
        return states, phi.slope(pre_activations)


def _powers(base: float, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """base^k for k = 1 … steps, and its log10."""
    k = np.arange(1, steps + 1)
    with np.errstate(over="ignore", under="ignore"):
        return np.power(base, k), k * log10_magnitude(base)
