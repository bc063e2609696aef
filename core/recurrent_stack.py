"""The recurrent part of a character model over a chunk of text: embeddings and layers, forward and backward.

    x_t = m¹_t ⊙ E[id_t],    h¹_t = layer₁(x_t, h¹_{t−1}),    hˡ_t = layerₗ(mˡ_t ⊙ hˡ⁻¹_t, hˡ_{t−1})

with the masks m of `core.dropout_masks`, 1 without dropout. B rows of K steps are read side by side.

Where no mask stands between the embedding and the first layer, row v of E W₁ + b₁ is all that character v
says to it. These V rows are computed once for a chunk, and the errors that come to each are summed before they
go on, which saves two products over all B·K characters as long as there are few characters.
"""

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
    """

    def __init__(self, shape: ModelShape, steps: int, batch: int, dtype: np.dtype):
        self.fits = shape, steps, batch, np.dtype(dtype)
        """What the buffers are made for."""
        self.layers = [
            LAYERS[shape.cell](steps, batch, shape.hidden_size, dtype) for _ in range(shape.layers)
        ]
        self.one_hot = np.zeros((steps * batch, shape.vocabulary), dtype)
        """Row t·B + b has its 1 at the character that row b reads at step t."""
        self._few_characters = shape.vocabulary <= 2 * shape.embedding_size
        self._read: list[np.ndarray | None] = []
        self._masks = Masks()

    def forward(self, P: Parameters, ids: np.ndarray, state: np.ndarray, masks: Masks) -> np.ndarray:
        """h_1 … h_K of the last layer (K, B, d_h), a view, from ids (K, B) and the state (layers, states, B, d_h)."""
        self._masks = masks
        self.one_hot.fill(0)
        self.one_hot[np.arange(ids.size), ids.ravel()] = 1
        by_character = self._few_characters and not masks.inputs
        x = None if by_character else P["E"][ids]
        self._read = []
        for n, layer in enumerate(self.layers):
            if x is None:
                _read_characters(layer, P, ids)
            else:
                x = x * masks.inputs[n] if masks.inputs else x
                _read_rows(layer, x, P[f"W{n + 1}"], P[f"b{n + 1}"])
            self._read.append(x)
            x = layer.forward(self._recurrent(P, n), state[n], masks.states[n] if masks.states else None)
        return x

    def backward(self, P: Parameters, errors: np.ndarray) -> dict[str, np.ndarray]:
        """Gradients of E and of each layer's W, U and b, from the ``errors`` at what `forward` gave."""
        masks, grads = self._masks, {}
        for n in reversed(range(len(self.layers))):
            layer, x = self.layers[n], self._read[n]
            W, U, b = (f"{name}{n + 1}" for name in "WUb")
            layer.backward(self._recurrent(P, n), errors, masks.states[n] if masks.states else None)
            grads[U] = layer.recurrent_gradient()
            if masks.weights:
                grads[U] *= masks.weights[n]
            if x is None:
                return grads | self._character_gradients(layer, P)
            delta = rows(layer.outer)
            grads[W] = layer.joined(rows(x).T @ delta)
            grads[b] = layer.joined(delta.sum(axis=1))
            back = layer.transposed_blocks(P[W])
            errors = sum(part @ weights for part, weights in zip(delta, back, strict=True)).reshape(x.shape)
            if masks.inputs:
                errors *= masks.inputs[n]
        return grads | {"E": self.one_hot.T @ rows(errors)}

    def last_state(self) -> np.ndarray:
        """A copy of the state after the chunk, (layers, states, B, d_h)."""
        return np.stack([layer.last_state() for layer in self.layers])

    def _recurrent(self, P: Parameters, n: int) -> np.ndarray:
        U = P[f"U{n + 1}"]
        return U * self._masks.weights[n] if self._masks.weights else U

    def _character_gradients(self, layer: RecurrentLayer, P: Parameters) -> dict[str, np.ndarray]:
        """With D (V, G·d_h) the errors summed by character: dW = Eᵀ D, db = Σ_v D_v, dE = D Wᵀ."""
        D = layer.joined(self.one_hot.T @ rows(layer.outer))
        return {"E": D @ P["W1"].T, "W1": P["E"].T @ D, "b1": D.sum(axis=0)}


def _read_characters(layer: RecurrentLayer, P: Parameters, ids: np.ndarray) -> None:
    """Put the rows of E W + b that belong to the ids where the layer looks for them."""
    said = layer.blocks(P["E"] @ P["W1"] + P["b1"])
    # Without a mode np.take checks the ids first and copies its result.
    np.take(said, ids.ravel(), axis=1, out=rows(layer.outer), mode="clip")


def _read_rows(layer: RecurrentLayer, x: np.ndarray, W: np.ndarray, b: np.ndarray) -> None:
    """Put x W + b where the layer looks for it."""
    inputs = rows(layer.outer)
    np.matmul(rows(x), layer.blocks(W), out=inputs)
    inputs += layer.blocks(b)[:, None]
