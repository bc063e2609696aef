"""How long one input echoes in a single recurrent unit: states forward, sensitivities of the last one back.

    a_t = w·h_{t−1} + x_t,    h_t = φ(a_t),    t = 1 … T

    J_t = ∂h_t/∂h_{t−1} = w·φ′(a_t)                    for tanh: w·(1 − h_t²)
    ∂h_T/∂h_t = J_T · J_{T−1} · … · J_{t+1}            an empty product, 1, for t = T
    ∂h_T/∂x_t = ∂h_T/∂h_t · φ′(a_t)

Without squashing ∂h_T/∂h_t is w^(T−t), which fades for |w| < 1 and grows for |w| > 1; with tanh each step is
at most that (Hochreiter, 1991; Bengio, Simard and Frasconi, 1994).
"""

from dataclasses import dataclass

import numpy as np

from core.activations import get_activation
from core.products import scalar_products
from core.validation import finite_array, finite_number


@dataclass(frozen=True)
class Echo:
    """One run of the unit over T steps; entry t − 1 of an array belongs to step t."""

    states: np.ndarray
    """(T,): h_1 … h_T."""
    jacobians: np.ndarray
    """(T,): J_t = ∂h_t/∂h_{t−1}."""
    state_sensitivity: np.ndarray
    """(T,): ∂h_T/∂h_t; the last is 1."""
    log10_state_sensitivity: np.ndarray
    """(T,): log10|∂h_T/∂h_t|, also where the sensitivity itself is beyond float64; −inf for a true zero."""
    start_sensitivity: float
    """∂h_T/∂h_0, the product of all T Jacobians."""
    log10_start_sensitivity: float
    """log10|∂h_T/∂h_0|, likewise."""
    input_sensitivity: np.ndarray
    """(T,): ∂h_T/∂x_t."""


def echo(weight: float, inputs: np.ndarray, start: float = 0.0, activation: str = "tanh") -> Echo:
    """Run the unit over ``inputs`` (T,) from h_0 = ``start``, and differentiate its last state.

    ``activation`` is "tanh" or "linear". A linear unit with |w| > 1 may leave the range of float64; its
    states are then ±inf (or NaN, if infinities of both signs meet), its sensitivities stay right as
    logarithms.

    Raises ValueError for a weight or start that is not finite, for inputs that are empty, not
    one-dimensional or not finite, and for another activation.
    """
    weight = finite_number("weight", weight)
    inputs = finite_array("inputs", inputs, ("T",))
    start = finite_number("start", start)
    phi = get_activation(activation, among=("tanh", "linear"))

    pre_activations, states = np.empty((2, len(inputs)))
    h = start
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for t, x in enumerate(inputs):
            pre_activations[t] = weight * h + x
            states[t] = h = phi.value(pre_activations[t])
        slopes = phi.slope(pre_activations)
    jacobians = weight * slopes

    # From the last step back, as an error travels: products over no, one, … and finally all T Jacobians.
    back = scalar_products(np.concatenate([[1.0], jacobians[::-1]]))
    state_sensitivity = back.values[-2::-1]
    return Echo(
        states=states,
        jacobians=jacobians,
        state_sensitivity=state_sensitivity,
        log10_state_sensitivity=back.log10[-2::-1],
        start_sensitivity=float(back.values[-1]),
        log10_start_sensitivity=float(back.log10[-1]),
        input_sensitivity=state_sensitivity * slopes,
    )
