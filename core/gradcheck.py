"""Is a hand-written gradient right? Central differences beside it, entry by entry or along random directions.

    entry by entry:    ∂ℒ/∂p ≈ (ℒ(p + ε) − ℒ(p − ε)) / 2ε
    a direction v:     ⟨ḡ J, v⟩ = ⟨ḡ, J v⟩,    J v ≈ (4 D(ε) − D(2ε)) / 3,    D(ε) = (f(p + ε v) − f(p − ε v)) / 2ε

The first asks for two evaluations per entry; the second, the dot-product test, for four per tensor, and a
backward that is wrong anywhere fails it with probability one. A difference is a quotient of rounding errors
when ε is too small (ε⁻¹ times the float's resolution) and bends when it is too large (ε²), so the default is
the cube root of the resolution, 6e-6 in float64 and 5e-3 in float32. Along a direction through many entries
a network that lets errors grow bends far sooner; there the ε² of two differences is taken out (Richardson,
1911), and ε⁴ is left. In float64, with sizes near 1, a right gradient comes within 1e-7 of the difference, a
wrong one rarely within 1e-2.

A fault can hide: a missing transpose behind a symmetric matrix or a single step, anything behind weights so
small that the network is all but constant. Check with at least three steps and weights of ordinary size.

To check a backward of your own:

    check_backward(lstm_cell, my_backward, {"x": x, "h": h, "c": c, "W": W, "U": U, "b": b})

gives the relative error of each of its results.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core.validation import finite_number, float_array, whole_number

Tensors = Mapping[str, np.ndarray]


def central_differences(
    loss: Callable[..., float], arguments: Tensors, step: float | None = None
) -> dict[str, np.ndarray]:
    """The gradient of ``loss(**arguments)``, a number, at each argument, by differences of two values.

    Each entry of each argument is moved by ``step`` both ways, in the argument's own precision (float64, or
    float32 if it is that). Raises ValueError for arguments that are not arrays of numbers and for a step that
    is not above 0.
    """
    arguments = _float_copies(arguments)
    differences = {}
    for name, array in arguments.items():
        epsilon = _step(step, array)
        gradient = differences[name] = np.empty_like(array)
        for index in np.ndindex(array.shape):
            middle = array[index]
            array[index] = middle + epsilon
            above = loss(**arguments)
            array[index] = middle - epsilon
            below = loss(**arguments)
            array[index] = middle
            gradient[index] = (above - below) / (2 * epsilon)
    return differences


def relative_error(one: np.ndarray, other: np.ndarray) -> float:
    """‖one − other‖ / max(‖one‖, ‖other‖), norms over all entries: 0 if both are zero, inf if not finite."""
    one, other = np.asarray(one, float), np.asarray(other, float)
    if one.shape != other.shape:
        raise ValueError(f"both must have the same shape, got {one.shape} and {other.shape}")
    scale = float(np.maximum(_largest(one), _largest(other)))
    if scale == 0 or not math.isfinite(scale):
        return 0.0 if scale == 0 else math.inf
    # Squares of entries near 1 neither underflow nor overflow.
    one, other = one / scale, other / scale
    return float(np.linalg.norm(one - other) / max(np.linalg.norm(one), np.linalg.norm(other)))


def check_gradients(
    loss: Callable[..., float], arguments: Tensors, gradients: Tensors, step: float | None = None
) -> dict[str, float]:
    """The relative error of each of ``gradients`` against central differences of ``loss(**arguments)``.

    ``gradients`` may leave out arguments, whose differences are then not taken. Raises ValueError for a
    gradient of no argument or of another shape than its argument, and as `central_differences` does.
    """
    arguments = _float_copies(arguments)
    for name, gradient in gradients.items():
        if name not in arguments:
            raise ValueError(f"gradients must be of {', '.join(arguments)}, got one of {name!r}")
        _same_shape(name, gradient, arguments[name])
    fixed = {name: array for name, array in arguments.items() if name not in gradients}
    differences = central_differences(
        lambda **moved: loss(**fixed, **moved), {name: arguments[name] for name in gradients}, step
    )
    return {name: relative_error(gradients[name], differences[name]) for name in gradients}


def check_backward(
    forward: Callable, backward: Callable, arguments: Tensors, seed: int = 0, step: float | None = None
) -> dict[str, float]:
    """The relative error of each gradient that ``backward`` gives, entry by entry, from random errors at the outputs.

    ``forward(*arguments)`` returns an array or several; ``backward(*arguments, *errors)`` takes one error of
    the shape of each and returns one gradient for each argument, in their order. The loss whose differences
    are taken is Σ error · output. Raises ValueError where ``backward`` returns another number of gradients or
    other shapes, and as `central_differences` does.
    """
    arguments, errors, gradients = _both_ways(forward, backward, arguments, seed)

    def loss(**moved: np.ndarray) -> float:
        return _inner(errors, _outputs(forward, moved))

    return check_gradients(loss, arguments, gradients, step)


def check_vjp(
    forward: Callable, backward: Callable, arguments: Tensors, seed: int = 0, step: float | None = None
) -> dict[str, float]:
    """The same by one random direction for each argument (the dot-product test): four evaluations per tensor.

    The difference is extrapolated from steps ε and 2ε to (4 D(ε) − D(2ε)) / 3, whose error is of ε⁴ where that
    of D(ε) is of ε² (Richardson, 1911, *The approximate arithmetical solution by finite differences*). The
    error is |⟨gradient, v⟩ − difference| over the larger of ‖gradient‖ and |difference|, with v drawn from
    N(0, 1), so that a direction that happens to be at right angles to the gradient does no harm.
    """
    arguments, errors, gradients = _both_ways(forward, backward, arguments, seed)
    rng = np.random.default_rng([seed, 1])
    result = {}
    for name, array in arguments.items():
        direction = rng.standard_normal(array.shape)

        def along(move: float, name: str = name, direction: np.ndarray = direction) -> float:
            return _inner(errors, _outputs(forward, {**arguments, name: arguments[name] + move * direction}))

        difference = _extrapolated(along, _step(step, array))
        result[name] = _miss_along(gradients[name], direction, difference)
    return result


def _both_ways(
    forward: Callable, backward: Callable, arguments: Tensors, seed: int
) -> tuple[dict[str, np.ndarray], list[np.ndarray], dict[str, np.ndarray]]:
    """The arguments copied, random errors at the outputs, and what ``backward`` makes of them."""
    arguments = _float_copies(arguments)
    rng = np.random.default_rng([whole_number("seed", seed, least=0), 0])
    errors = [rng.standard_normal(output.shape) for output in _outputs(forward, arguments)]
    gradients = backward(*(array.copy() for array in arguments.values()), *errors)
    if len(gradients) != len(arguments):
        raise ValueError(
            f"backward must return {len(arguments)} gradients, of {', '.join(arguments)}, got {len(gradients)}"
        )
    gradients = dict(zip(arguments, gradients, strict=True))
    for name, gradient in gradients.items():
        _same_shape(name, gradient, arguments[name])
    return arguments, errors, gradients


def _outputs(forward: Callable, arguments: Tensors) -> Sequence[np.ndarray]:
    outputs = forward(*arguments.values())
    return outputs if isinstance(outputs, tuple) else (outputs,)


def _inner(errors: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> float:
    return sum(np.vdot(error, output) for error, output in zip(errors, outputs, strict=True))


def _float_copies(arguments: Tensors) -> dict[str, np.ndarray]:
    return {name: float_array(name, value, keep_float32=True).copy() for name, value in arguments.items()}


def _step(step: float | None, array: np.ndarray) -> float:
    if step is None:
        return float(np.cbrt(np.finfo(array.dtype).eps))
    return finite_number("step", step, above=0)


def _same_shape(name: str, gradient: np.ndarray, argument: np.ndarray) -> None:
    if np.shape(gradient) != argument.shape:
        raise ValueError(
            f"the gradient of {name} must have its shape {argument.shape}, got {np.shape(gradient)}"
        )


def _extrapolated(along: Callable[[float], float], epsilon: float) -> float:
    """The slope at 0 of a function of one number, from central differences with steps ε and 2ε."""
    once, twice = ((along(e) - along(-e)) / (2 * e) for e in (epsilon, 2 * epsilon))
    return (4 * once - twice) / 3


def _miss_along(gradient: np.ndarray, direction: np.ndarray, difference: float) -> float:
    """|⟨gradient, v⟩ − difference| / max(‖gradient‖, |difference|), at any size of the two."""
    scale = float(np.maximum(_largest(gradient), _largest(difference)))
    if scale == 0 or not math.isfinite(scale):
        return 0.0 if scale == 0 else math.inf
    gradient, difference = gradient / scale, difference / scale
    miss = abs(np.vdot(gradient, direction) - difference)
    return float(miss / max(np.linalg.norm(gradient), abs(difference)))


def _largest(tensor: np.ndarray | float) -> float:
    """The largest absolute entry, NaN where there is one."""
    return float(np.abs(tensor).max(initial=0))
