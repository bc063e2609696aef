"""The recurrent part of a character model over a chunk of text: embeddings and layers, forward and backward.

    x_t = m¹_t ⊙ E[id_t],    h¹_t = layer₁(x_t, h¹_{t−1}),    hˡ_t = layerₗ(mˡ_t ⊙ hˡ⁻¹_t, hˡ_{t−1})

with the masks m of `core.dropout_masks`, 1 without dropout. B rows of K steps are read side by side.

Where no mask stands between the embedding and the first layer, row v of E W₁ + b₁ is all that character v
says to it. These V rows are computed once for a chunk, and the errors that come to each are summed before they
go on, D_v = Σ_{t: id_t = v} δ_t, which saves two products over all B·K characters as long as there are few
characters:

    dW₁ = Eᵀ D,    db₁ = Σ_v D_v,    dE = D W₁ᵀ
"""

from collections.abc import Callable

import numpy as np

from core.char_lm_parameters import ModelShape, Parameters
from core.dropout_masks import Masks
from core.gru_layer import GRULayer
from core.lstm_layer import LSTMLayer
from core.recurrent_layer import RecurrentLayer, rows
from core.rnn_layer import RNNLayer

LAYERS = {"rnn": RNNLayer, "lstm": LSTMLayer, "gru": GRULayer}


class RecurrentStack:
    """Embeddings and layers with buffers for K steps and B rows, made once and written anew by every chunk.

    After `forward` each of ``layers`` holds its gates and states. Arguments are taken as they are, unchecked.
    ``between`` is called before each piece of a layer, forward and backward: what it raises breaks the chunk off.
    """

    def __init__(
        self,
        shape: ModelShape,
        steps: int,
        batch: int,
        dtype: np.dtype,
        between: Callable[[], object] = lambda: None,
    ):
        self.fits = shape, steps, batch, np.dtype(dtype)
        """What the buffers are made for."""
        self.layers = [
            LAYERS[shape.cell](steps, batch, shape.hidden_size, dtype) for _ in range(shape.layers)
        ]
        self._one_hot = np.zeros((steps, batch, shape.vocabulary), dtype)
        self._few_characters = shape.vocabulary <= 2 * shape.embedding_size
        self._read: list[np.ndarray | None] = []
        self._masks = Masks()
        self._between = between

    def forward(self, P: Parameters, ids: np.ndarray, state: np.ndarray, masks: Masks) -> np.ndarray:
        """h_1 … h_K of the last layer (K, B, d_h), a view, from ids (K, B) and the state (layers, states, B, d_h)."""
        self._masks = masks
        self._one_hot.fill(0)
        np.put_along_axis(self._one_hot, ids[..., None], 1, axis=-1)
        x = None if self._few_characters and not masks.inputs else P["E"][ids]
        self._read = []
        for n, layer in enumerate(self.layers):
            if x is not None and masks.inputs:
                x = x * masks.inputs[n]
            self._read.append(x)
            layer.start(self._recurrent(P, n), state[n], masks.states[n] if masks.states else None)
            W, b = P[f"W{n + 1}"], P[f"b{n + 1}"]
            if x is None:
                _read_characters(layer, P["E"] @ W + b, ids, self._between)
            else:
                _read_rows(layer, x, W, b, self._between)
            x = layer.hidden[1:]
        return x

    def backward(self, P: Parameters, errors: np.ndarray) -> dict[str, np.ndarray]:
        """Gradients of E and of each layer's W, U and b, from the ``errors`` at what `forward` gave."""
        grads = {}
        for n in reversed(range(len(self.layers))):
            layer, x = self.layers[n], self._read[n]
            W, U, b = (f"{name}{n + 1}" for name in "WUb")
            layer.start_back(self._recurrent(P, n))
            if x is None:
                grads[U], D = _back_to_characters(layer, errors, self._one_hot, self._between)
                grads |= {"E": D @ P[W].T, W: P["E"].T @ D, b: D.sum(axis=0)}
            else:
                grads[U], grads[W], grads[b], errors = _back_to_rows(layer, errors, x, P[W], self._between)
                if self._masks.inputs:
                    errors *= self._masks.inputs[n]
            if self._masks.weights:
                grads[U] *= self._masks.weights[n]
        return grads if "E" in grads else grads | {"E": rows(self._one_hot).T @ rows(errors)}

    def last_state(self) -> np.ndarray:
        """A copy of the state after the chunk, (layers, states, B, d_h)."""
        return np.stack([layer.last_state() for layer in self.layers])

    def _recurrent(self, P: Parameters, n: int) -> np.ndarray:
        U = P[f"U{n + 1}"]
        return U * self._masks.weights[n] if self._masks.weights else U


def _read_characters(
    layer: RecurrentLayer, said: np.ndarray, ids: np.ndarray, between: Callable[[], object]
) -> None:
    """Let a layer read the ids (K, B), to which the characters say the rows of ``said`` (V, G·d_h)."""
    said = layer.blocks(said)
    for piece in layer.pieces:
        between()
        # Without a mode np.take checks the ids again and copies its result.
        np.take(said, ids[piece].ravel(), axis=1, out=layer.outer(piece), mode="clip")
        layer.forward(piece)


def _read_rows(
    layer: RecurrentLayer, x: np.ndarray, W: np.ndarray, b: np.ndarray, between: Callable[[], object]
) -> None:
    """Let a layer read ``x`` (K, B, d)."""
    W, b = layer.blocks(W), layer.blocks(b)[:, None]
    for piece in layer.pieces:
        between()
        outer = layer.outer(piece)
        np.matmul(rows(x[piece]), W, out=outer)
        np.add(outer, b, out=outer)
        layer.forward(piece)


def _back_to_characters(
    layer: RecurrentLayer, errors: np.ndarray, one_hot: np.ndarray, between: Callable[[], object]
) -> tuple[np.ndarray, np.ndarray]:
    """dU and D (V, G·d_h), from the errors at a layer's output (K, B, d_h)."""
    dU, D = 0, 0
    for piece in reversed(layer.pieces):
        between()
        layer.backward(piece, errors[piece])
        dU += layer.recurrent_gradient(piece)
        D += rows(one_hot[piece]).T @ layer.outer(piece)
    return layer.joined(dU), layer.joined(D)


def _back_to_rows(
    layer: RecurrentLayer, errors: np.ndarray, x: np.ndarray, W: np.ndarray, between: Callable[[], object]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """dU, dW, db and dx (K, B, d), from the errors at a layer's output (K, B, d_h)."""
    dU, dW, db, dx = 0, 0, 0, np.empty_like(x)
    W = layer.transposed_blocks(W)
    for piece in reversed(layer.pieces):
        between()
        layer.backward(piece, errors[piece])
        delta = layer.outer(piece)
        dU += layer.recurrent_gradient(piece)
        dW += rows(x[piece]).T @ delta
        db += delta.sum(axis=1)
        rows(dx[piece])[:] = sum(part @ weights for part, weights in zip(delta, W, strict=True))
    return layer.joined(dU), layer.joined(dW), layer.joined(db), dx
