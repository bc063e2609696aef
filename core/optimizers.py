"""Two ways to step down a gradient, as pure functions over mappings from names to arrays.

    SGD     p′ = p − η g                                         (Robbins and Monro, 1951)
    Adam    m′ = β₁ m + (1 − β₁) g,    v′ = β₂ v + (1 − β₂) g²    (Kingma and Ba, 2015)
            p′ = p − η m̂ / (√v̂ + ε),   m̂ = m′ / (1 − β₁ᵗ),   v̂ = v′ / (1 − β₂ᵗ)

Nothing is changed in place: what went in is still there to go back to. Arrays keep their float type.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from core.validation import finite_number, share_below_one, whole_number

Arrays = Mapping[str, np.ndarray]


class Moments(NamedTuple):
    """What Adam remembers of past gradients."""

    first: dict[str, np.ndarray]
    """m, running means of the gradients."""
    second: dict[str, np.ndarray]
    """v, running means of their squares."""
    steps: int
    """t, how many steps were made."""


def sgd(parameters: Arrays, grads: Arrays, learning_rate: float) -> dict[str, np.ndarray]:
    """The parameters after one step of SGD.

    Raises ValueError for a rate that is not finite and above 0, and for gradients of other names or shapes.
    """
    learning_rate = finite_number("learning_rate", learning_rate, above=0)
    _check_like("grads", grads, parameters)
    return {name: array - learning_rate * grads[name] for name, array in parameters.items()}


def zero_moments(parameters: Arrays) -> Moments:
    """Adam's memory before its first step."""
    first, second = ({name: np.zeros_like(array) for name, array in parameters.items()} for _ in range(2))
    return Moments(first, second, 0)


def adam(
    parameters: Arrays,
    grads: Arrays,
    moments: Moments,
    learning_rate: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> tuple[dict[str, np.ndarray], Moments]:
    """The parameters and moments after one step of Adam; start from `zero_moments`.

    Raises ValueError for a rate or ``epsilon`` that is not finite and above 0, a β that is not from 0 to below
    1, and for gradients or moments of other names or shapes than the parameters.
    """
    learning_rate = finite_number("learning_rate", learning_rate, above=0)
    epsilon = finite_number("epsilon", epsilon, above=0)
    beta1, beta2 = share_below_one("beta1", beta1), share_below_one("beta2", beta2)
    whole_number("moments.steps", moments.steps, least=0)
    for name, arrays in (
        ("grads", grads),
        ("moments.first", moments.first),
        ("moments.second", moments.second),
    ):
        _check_like(name, arrays, parameters)
    steps = moments.steps + 1
    # η m̂ / (√v̂ + ε), its two corrections taken out of the arrays.
    root = math.sqrt(1 - beta2**steps)
    rate, epsilon = learning_rate * root / (1 - beta1**steps), epsilon * root
    updated, first, second = {}, {}, {}
    for name, parameter in parameters.items():
        gradient = grads[name]
        change = (1 - beta1) * gradient
        m = first[name] = beta1 * moments.first[name]
        m += change
        np.multiply(gradient, gradient, out=change)
        change *= 1 - beta2
        v = second[name] = beta2 * moments.second[name]
        v += change
        np.sqrt(v, out=change)
        change += epsilon
        np.divide(m, change, out=change)
        change *= rate
        updated[name] = np.subtract(parameter, change, out=change)
    return updated, Moments(first, second, steps)


def _check_like(name: str, arrays: Arrays, parameters: Arrays) -> None:
    shapes, wanted = ({key: np.shape(a) for key, a in each.items()} for each in (arrays, parameters))
    if shapes != wanted:
        raise ValueError(f"{name} must have the names and shapes of the parameters, {wanted}, got {shapes}")
