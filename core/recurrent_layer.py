"""What the recurrent layers of the character model share: their buffers, and gates as blocks of one array.

A layer reads K steps of B rows, in pieces of `PIECE` steps. Where it meets the rest of the network, in x_t W + b and
in the errors at the pre-activations, gates come first, (G, S, B, d_h): one product over the S·B rows of a piece
serves each. A piece is short enough to stay in the processor's cache between the two sides that use it. Within
the layer steps come first, (K, G, B, d_h): all that a step touches lies side by side, and arithmetic on whole
blocks takes half the time of that on slices of rows (B, G·d_h). The buffers are made once and written anew by
every chunk.

A sigmoid is computed as σ(a) = (1 + tanh(a/2)) / 2, so that one tanh serves all gates of a step; the half is
taken into the weights by `blocks`. Order and scale of the blocks are the layer's own affair: weights come in,
and gradients go out, in the order of `core.cells`.
"""

from typing import ClassVar

import numpy as np

PIECE = 8
"""Steps."""


class RecurrentLayer:
    """The buffers of one layer for chunks of K steps and B rows, and the way of its weights in and out."""

    order: ClassVar[tuple[int, ...]]
    """For each block, the place of its gate in the order of `core.cells`; sigmoids first."""
    sigmoids: ClassVar[int]
    """How many of the blocks are sigmoids."""

    def __init__(self, steps: int, batch: int, size: int, dtype: np.dtype):
        def buffer(*shape: int) -> np.ndarray:
            return np.zeros((*shape, batch, size), dtype)

        self._buffer = buffer
        self.pieces = [slice(first, min(first + PIECE, steps)) for first in range(0, steps, PIECE)]
        """The steps of each piece."""
        self._outer = buffer(len(self.order), PIECE)
        self._outer_steps = [self._outer[:, t % PIECE] for t in range(steps)]
        self.gates = buffer(steps, len(self.order))
        self.hidden = buffer(steps + 1)
        """h_0 … h_K."""
        self._masked = buffer(steps)
        self._product = buffer(len(self.order))
        self._dh = buffer()

    def start(self, U: np.ndarray, state: np.ndarray, mask: np.ndarray | None) -> None:
        """Make ready for `forward` from ``state`` (states, B, d_h); U reads h through ``mask`` if there is one."""
        self.hidden[0] = state[0]
        self.mask = mask
        self.read = self.hidden[:-1] if mask is None else self._masked
        """What U is multiplied by at each step (K, B, d_h)."""
        self._U = self.blocks(U)

    def start_back(self, U: np.ndarray) -> None:
        """Make ready for `backward`, which begins with the last piece."""
        self._dh.fill(0)
        self._U = self.transposed_blocks(U)

    def outer(self, piece: slice) -> np.ndarray:
        """(G, S·B, d_h): where x_t W + b is put before a piece is read, and δ_t stands after its `backward`."""
        return rows(self._outer[:, : piece.stop - piece.start])

    def blocks(self, weights: np.ndarray) -> np.ndarray:
        """W, U or b, (…, G·d_h), as blocks (G, …, d_h), sigmoids halved."""
        blocks = self._split(weights)
        blocks[: self.sigmoids] *= 0.5
        return blocks

    def transposed_blocks(self, weights: np.ndarray) -> np.ndarray:
        """W or U, (m, G·d_h), as what errors at the gates are multiplied by on their way back, (G, d_h, m)."""
        return np.ascontiguousarray(self._split(weights).swapaxes(1, 2))

    def joined(self, blocks: np.ndarray) -> np.ndarray:
        """A gradient by blocks (G, …, d_h) as one by columns (…, G·d_h), in the order of `core.cells`."""
        return np.concatenate([blocks[self.order.index(gate)] for gate in range(len(self.order))], axis=-1)

    def recurrent_gradient(self, piece: slice) -> np.ndarray:
        """The piece's part of dU = Σ_t h_{t−1}ᵀ δ_t, by blocks (G, d_h, d_h)."""
        return rows(self.read[piece]).T @ self.outer(piece)

    def last_state(self) -> np.ndarray:
        """The state after the chunk, (states, B, d_h)."""
        return self.hidden[-1:]

    def activations(self) -> dict[str, np.ndarray]:
        """The chunk's states and gates by name, views (K, B, d_h)."""
        return {"h": self.hidden[1:]}

    def _split(self, weights: np.ndarray) -> np.ndarray:
        parts = weights.reshape(*weights.shape[:-1], len(self.order), -1)
        return np.ascontiguousarray(np.moveaxis(parts, -2, 0)[list(self.order)])


def rows(array: np.ndarray) -> np.ndarray:
    """(…, K, B, n) as (…, K·B, n)."""
    return array.reshape(*array.shape[:-3], -1, array.shape[-1])
