"""Is a hand-written gradient right? Central differences beside it, entry by entry or along random directions.

    entry by entry:    ∂ℒ/∂p ≈ (ℒ(p + ε) − ℒ(p − ε)) / 2ε
    a direction v:     ⟨ḡ J, v⟩ = ⟨ḡ, J v⟩,    J v ≈ (4 D(ε) − D(2ε)) / 3,    D(ε) = (f(p + ε v) − f(p − ε v)) / 2ε

The first asks for two evaluations per entry; the second, the dot-product test, for four per tensor, and a
backward that is wrong anywhere fails it with probability one. A difference is a quotient of rounding errors
when ε is too small (ε⁻¹ times the float's resolution) and bends when it is too large (ε²), so the default is
the cube root of the resolution, 6e-6 in float64 and 5e-3 in float32, and for entries so large that this would be
lost in them the square root of the resolution times the entry. Along a direction through many entries
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
from collections.abc import Callable, Mapping
from numbers import Real

import numpy as np

from core.validation import a_function, finite_number, float_array, whole_number

Tensors = Mapping[str, np.ndarray]


def central_differences(
    loss: Callable[..., float], arguments: Tensors, step: float | None = None
) -> dict[str, np.ndarray]:
    """The gradient of ``loss(**arguments)``, a number, at each argument, by differences of two values.

    Each entry of each argument is moved both ways, in the argument's own precision (float64, or float32 if it
    is that): by ``step``, even where an entry is so large that this does not move it, and without one by a step
    that does. An infinite entry cannot be moved, so its difference is 0.

    Raises ValueError for arguments that are no mapping from names to arrays of numbers, for a step that is not
    above 0, and for a loss that is no function or returns anything but one number.
    """
    loss, arguments = a_function("loss", loss), _float_copies("arguments", arguments)
    differences = {}
    for name, array in arguments.items():
        epsilons = _step(step, array) * _spread(step, array)
        gradient = differences[name] = np.empty_like(array)
        for index in np.ndindex(array.shape):
            middle, epsilon = array[index], float(epsilons[index])
            array[index] = middle + epsilon
            above = _value(loss, arguments)
            array[index] = middle - epsilon
            below = _value(loss, arguments)
            array[index] = middle
            gradient[index] = (above - below) / (2 * epsilon)
    return differences


def relative_error(one: np.ndarray, other: np.ndarray) -> float:
    """‖one − other‖ / max(‖one‖, ‖other‖), norms over all entries: 0 if both are zero, inf if not finite.

    Raises ValueError for what is no array of numbers, and for arrays of different shapes.
    """
    one, other = float_array("one", one), float_array("other", other)
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
    loss, arguments = a_function("loss", loss), _float_copies("arguments", arguments)
    for name in _mapping("gradients", gradients):
        if name not in arguments:
            raise ValueError(f"gradients must be of {', '.join(arguments)}, got one of {name!r}")
    gradients = {name: _gradient(name, gradients[name], arguments[name]) for name in gradients}
    fixed = {name: array for name, array in arguments.items() if name not in gradients}
    differences = central_differences(
        lambda **moved: loss(**_copies(fixed), **moved), {name: arguments[name] for name in gradients}, step
    )
    return {name: relative_error(gradients[name], differences[name]) for name in gradients}


def check_backward(
    forward: Callable, backward: Callable, arguments: Tensors, seed: int = 0, step: float | None = None
) -> dict[str, float]:
    """The relative error of each gradient that ``backward`` gives, entry by entry, from random errors at the outputs.

    ``forward(*arguments)`` returns an array or several; ``backward(*arguments, *errors)`` takes one error of
    the shape of each and returns one gradient for each argument, in their order. The loss whose differences
    are taken is Σ error · output. Every call has copies of its own, so that either may write over its arguments.
    Raises ValueError where ``forward`` returns anything else, where ``backward`` returns another number of
    gradients or other shapes, and as `central_differences` does.
    """
    arguments, change, gradients = _both_ways(forward, backward, arguments, seed)
    return check_gradients(lambda **moved: change(moved), arguments, gradients, step)


def check_vjp(
    forward: Callable, backward: Callable, arguments: Tensors, seed: int = 0, step: float | None = None
) -> dict[str, float]:
    """The same by one random direction for each argument (the dot-product test): four evaluations per tensor.

    The difference is extrapolated from steps ε and 2ε to (4 D(ε) − D(2ε)) / 3, whose error is of ε⁴ where that
    of D(ε) is of ε² (Richardson, 1911, *The approximate arithmetical solution by finite differences*). The
    error is |⟨gradient, v⟩ − difference| over the larger of ‖gradient‖ and |difference|, with v drawn from
    N(0, 1), so that a direction that happens to be at right angles to the gradient does no harm. Large entries
    are moved farther, and what the gradient has there counts by as much.
    """
    arguments, change, gradients = _both_ways(forward, backward, arguments, seed)
    rng = np.random.default_rng([seed, 1])
    result = {}
    for name, array in arguments.items():
        spread = _spread(step, array)
        direction = spread * rng.standard_normal(array.shape)

        def along(move: float, name: str = name, direction: np.ndarray = direction) -> float:
            return change({**arguments, name: arguments[name] + move * direction})

        difference = _extrapolated(along, _step(step, array))
        result[name] = _miss_along(gradients[name] * spread, direction / spread, difference)
    return result


def _both_ways(
    forward: Callable, backward: Callable, arguments: Tensors, seed: int
) -> tuple[dict[str, np.ndarray], Callable[[Tensors], float], dict[str, np.ndarray]]:
    """The arguments copied, by how much Σ error · output changes when they move, and what ``backward`` makes of it.

    The errors are random. The outputs before the move are taken out one by one, as in the sum a large one
    would swallow what a small one has to say.
    """
    forward, backward = a_function("forward", forward), a_function("backward", backward)
    arguments = _float_copies("arguments", arguments)
    rng = np.random.default_rng([whole_number("seed", seed, least=0), 0])
    before = _outputs(forward, arguments)
    errors = [rng.standard_normal(output.shape) for output in before]
    gradients = _backward_gradients(backward, arguments, errors)

    def change(moved: Tensors) -> float:
        changes = zip(errors, _outputs(forward, moved), before, strict=True)
        return sum(float(np.vdot(error, after - middle)) for error, after, middle in changes)

    return arguments, change, gradients


def _backward_gradients(
    backward: Callable, arguments: dict[str, np.ndarray], errors: list[np.ndarray]
) -> dict[str, np.ndarray]:
    """What ``backward`` makes of copies of the arguments and errors, by name."""
    gradients = backward(*_copies(arguments).values(), *(error.copy() for error in errors))
    several = isinstance(gradients, list | tuple)
    if not several or len(gradients) != len(arguments):
        raise ValueError(
            f"backward must return {len(arguments)} gradients, of {', '.join(arguments)}, "
            f"got {len(gradients) if several else repr(gradients)}"
        )
    named = zip(arguments, gradients, strict=True)
    return {name: _gradient(name, gradient, arguments[name]) for name, gradient in named}


def _value(loss: Callable[..., float], arguments: Tensors) -> float:
    """The loss at copies of the arguments, a number of its own precision."""
    value = loss(**_copies(arguments))
    if not isinstance(value, Real) and not (isinstance(value, np.ndarray) and value.shape == ()):
        raise ValueError(f"loss must return one number, got {value!r}")
    return float_array("the number that loss returns", value, keep_float32=True)[()]


def _outputs(forward: Callable, arguments: Tensors) -> list[np.ndarray]:
    """What ``forward`` makes of copies of the arguments."""
    outputs = forward(*_copies(arguments).values())
    if isinstance(outputs, list):
        raise ValueError(f"forward must return an array or a tuple of arrays, got {outputs!r}")
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    return [float_array("each output of forward", output, keep_float32=True) for output in outputs]


def _mapping(name: str, value: Tensors) -> Tensors:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ValueError(f"{name} must be a mapping from names to arrays, got {value!r}")
    return value


def _float_copies(name: str, tensors: Tensors) -> dict[str, np.ndarray]:
    return _copies(
        {key: float_array(key, a, keep_float32=True) for key, a in _mapping(name, tensors).items()}
    )


def _copies(tensors: Tensors) -> dict[str, np.ndarray]:
    return {name: array.copy() for name, array in tensors.items()}


def _step(step: float | None, array: np.ndarray) -> float:
    if step is None:
        return float(np.cbrt(np.finfo(array.dtype).eps))
    return finite_number("step", step, above=0)


def _spread(step: float | None, array: np.ndarray) -> np.ndarray:
    """How many steps each entry is moved: 1, and for large entries, unless a step is given, in proportion to them.

    Times the cube root of the resolution it comes to √resolution · |entry|.
    """
    if step is not None:
        return np.ones(array.shape)
    sizes = np.abs(np.where(np.isfinite(array), array, 0)).astype(np.float64)
    return np.maximum(1, float(np.finfo(array.dtype).eps) ** (1 / 6) * sizes)


def _gradient(name: str, gradient: np.ndarray, argument: np.ndarray) -> np.ndarray:
    """A gradient as a float array of the shape of its argument."""
    gradient = float_array(f"the gradient of {name}", gradient, keep_float32=True)
    if gradient.shape != argument.shape:
        raise ValueError(f"the gradient of {name} must have its shape {argument.shape}, got {gradient.shape}")
    return gradient


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
