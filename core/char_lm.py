"""A character model: the loss of a chunk of text, and the gradient by backpropagation through its steps.

    h_t = recurrent layers over the embeddings of id_1 … id_t          (`core.recurrent_stack`)
    p_t = softmax((m_t ⊙ h_t) Why + by),    ℒ = 1/(B·K) Σ_b Σ_t −log p_t[id_{t+1}]

in mean nats per character, for B rows of K steps that are read side by side, each from a state of its own. m
is a dropout mask, 1 without. Parameters are those of `core.char_lm_parameters`; in a tied model Why = P Eᵀ, or Eᵀ.
The state is carried from chunk to chunk and the error is not: truncated backpropagation through time (Williams
and Peng, 1990).
"""

from typing import NamedTuple

import numpy as np

from core.cells import PARTS
from core.char_lm_parameters import ModelShape, Parameters, model_shape
from core.dropout_masks import Masks
from core.recurrent_layer import rows
from core.recurrent_stack import RecurrentStack
from core.softmax_output import softmax_output
from core.validation import check_shape


class LossAndGrads(NamedTuple):
    """What a chunk teaches."""

    loss: float
    """Mean nats per character."""
    grads: dict[str, np.ndarray]
    """∂ℒ/∂p for each parameter."""
    state: np.ndarray
    """The state after the chunk, (layers, states, B, d_h)."""


def loss_and_grads(
    parameters: Parameters,
    inputs: np.ndarray,
    targets: np.ndarray,
    state: np.ndarray | None = None,
    masks: Masks | None = None,
    stack: RecurrentStack | None = None,
) -> LossAndGrads:
    """Loss, gradients and last state of the ids ``inputs`` (B, K), each followed by that in ``targets`` (B, K).

    ``state`` is (layers, states, B, d_h), with states h, and c of an LSTM; zeros if left out. Everything is of the
    parameters' type, float32 or float64. A ``stack`` saves making buffers for every chunk; results are never
    part of it. Values that are not finite, or grow beyond the type, make the loss or gradients so.

    Raises ValueError for parameters as `model_shape` does, for ids that are not integers (B, K) from 0 to V − 1,
    for a state or masks of another shape or type, and for a stack made for other sizes.
    """
    shape, dtype = model_shape(parameters), parameters["E"].dtype
    for name, ids in (("inputs", inputs), ("targets", targets)):
        check_ids(name, ids, shape.vocabulary)
    batch, steps = inputs.shape
    check_shape("targets", targets, (batch, steps))
    state = shape.zero_state(batch, dtype) if state is None else state
    masks = masks or Masks()
    _check_state(state, shape, batch, dtype)
    _check_masks(masks, shape, steps, batch, dtype)
    stack = stack or RecurrentStack(shape, steps, batch, dtype)
    if stack.fits != (shape, steps, batch, dtype):
        raise ValueError(f"stack must be made for {(shape, steps, batch, dtype)}, got one for {stack.fits}")
    with np.errstate(over="ignore", invalid="ignore"):
        hidden = stack.forward(parameters, inputs.T, state, masks)
        loss, errors, grads = _softmax(parameters, hidden, targets.T, masks.inputs[-1:])
        below = stack.backward(parameters, errors)
        if shape.tied:
            below["E"] += grads.pop("E")
    grads |= below
    return LossAndGrads(loss, {name: grads[name] for name in parameters}, stack.last_state())


def output_weights(parameters: Parameters) -> np.ndarray:
    """Why (d_h, V), also of a tied model: P Eᵀ, or Eᵀ."""
    if "Why" in parameters:
        return parameters["Why"]
    return parameters["P"] @ parameters["E"].T if "P" in parameters else parameters["E"].T


def check_ids(name: str, ids: np.ndarray, vocabulary: int) -> None:
    """Refuse ids that are not an array (B, K) of integers from 0 to V − 1."""
    if not isinstance(ids, np.ndarray) or ids.dtype.kind not in "iu":
        raise ValueError(f"{name} must be an array of integers, got {ids!r}")
    check_shape(name, ids, ("B", "K"))
    least, most = int(ids.min()), int(ids.max())
    if least < 0 or most >= vocabulary:
        raise ValueError(f"{name} must be from 0 to {vocabulary - 1}, got {least if least < 0 else most}")


def _softmax(
    parameters: Parameters, hidden: np.ndarray, targets: np.ndarray, mask: tuple[np.ndarray, ...]
) -> tuple[float, np.ndarray, dict[str, np.ndarray]]:
    """Loss, the errors at ``hidden`` (K, B, d_h), and the gradients of what is above it."""
    read = rows(hidden * mask[0] if mask else hidden)
    top = softmax_output(read, output_weights(parameters), parameters["by"], targets.ravel())
    errors = top.errors.reshape(hidden.shape)
    if mask:
        errors *= mask[0]
    return top.loss, errors, _output_gradients(parameters, top.weights) | {"by": top.bias}


def _output_gradients(parameters: Parameters, dWhy: np.ndarray) -> dict[str, np.ndarray]:
    """Of Why itself, or of the E and P that it is made of in a tied model."""
    if "Why" in parameters:
        return {"Why": dWhy}
    if "P" in parameters:
        return {"P": dWhy @ parameters["E"], "E": dWhy.T @ parameters["P"]}
    return {"E": dWhy.T}


def _check_state(state: np.ndarray, shape: ModelShape, batch: int, dtype: np.dtype) -> None:
    _check_typed("state", state, dtype, shape.state_shape(batch))


def _check_masks(masks: Masks, shape: ModelShape, steps: int, batch: int, dtype: np.dtype) -> None:
    size, layers = shape.hidden_size, range(1, shape.layers + 1)
    read = [*(shape.input_size(layer) for layer in layers), size]
    expected = {
        "inputs": [(steps, batch, width) for width in read],
        "states": [(batch, size) for _ in layers],
        "weights": [(size, PARTS[shape.cell] * size) for _ in layers],
    }
    for name, given in masks._asdict().items():
        if given and len(given) != len(expected[name]):
            raise ValueError(f"masks.{name} must be {len(expected[name])} arrays or none, got {len(given)}")
        for mask, want in zip(given, expected[name], strict=False):
            lasting = name == "inputs" and np.shape(mask)[:1] == (1,)
            _check_typed(f"masks.{name}", mask, dtype, (1, *want[1:]) if lasting else want)


def _check_typed(name: str, array: np.ndarray, dtype: np.dtype, shape: tuple[int, ...]) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        raise ValueError(f"{name} must be an array of {dtype}, as the parameters are, got {array!r}")
    check_shape(name, array, shape)
