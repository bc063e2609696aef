"""What the recurrent layers of the character model share: their buffers, and the gates as blocks of one array.

A layer reads K steps of B rows at once, time first. Where it meets the rest of the network, in x_t W + b and in
the errors at the pre-activations, gates come first, (G, K, B, d_h): one product over all K·B rows serves each.
Within the layer steps come first, ``gates`` (K, G, B, d_h): all that a step touches lies side by side, and
arithmetic on whole blocks takes half the time of that on slices of rows (B, G·d_h). The buffers are made once
and written anew by every chunk.

A sigmoid is computed as σ(a) = (1 + tanh(a/2)) / 2, so that one tanh serves all gates of a step; the half is
taken into the weights by `blocks`. Order and scale of the blocks are the layer's own affair: weights come in,
and gradients go out, in the order of `core.cells`.
"""

from typing import ClassVar

import numpy as np


class RecurrentLayer:
    """The buffers of one layer for chunks of K steps and B rows, and the way of its weights in and out."""

    order: ClassVar[tuple[int, ...]]
    """For each block, the place of its gate in the order of `core.cells`; sigmoids first."""
    sigmoids: ClassVar[int]
    """How many of the blocks are sigmoids."""
    states: ClassVar[int]
    """Of how many parts a state consists: h, or h and c."""

    def __init__(self, steps: int, batch: int, size: int, dtype: np.dtype):
        def buffer(*shape: int) -> np.ndarray:
            return np.zeros((*shape, batch, size), dtype)

        self._buffer = buffer
        self.outer = buffer(len(self.order), steps)
        """x_t W + b, to be put there before `forward`; errors at the pre-activations after `backward`."""
        self.outer_steps = self.outer.swapaxes(0, 1)
        self.gates = buffer(steps, len(self.order))
        self.hidden = buffer(steps + 1)
        """h_0 … h_K."""
        self.read = self.hidden[:-1]
        """What U is multiplied by at each step (K, B, d_h): the state before it, masked where there is a mask."""
        self.masked = buffer(steps)
        self.product = buffer(len(self.order))

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

    def start(self, state: np.ndarray, mask: np.ndarray | None) -> None:
        """Take the first state (states, B, d_h), and let U read h through ``mask`` if there is one."""
        self.hidden[0] = state[0]
        self.read = self.hidden[:-1] if mask is None else self.masked

    def recurrent_gradient(self) -> np.ndarray:
        """dU = Σ_t h_{t−1}ᵀ δ_t (d_h, G·d_h), one product over the whole chunk for each gate."""
        return self.joined(rows(self.read).T @ rows(self.outer))

    def last_state(self) -> np.ndarray:
        """A copy of the state after the chunk, (states, B, d_h)."""
        return self.hidden[-1:].copy()

    def activations(self) -> dict[str, np.ndarray]:
        """The chunk's states and gates by name, views (K, B, d_h)."""
        return {"h": self.hidden[1:]}

    def _split(self, weights: np.ndarray) -> np.ndarray:
        parts = weights.reshape(*weights.shape[:-1], len(self.order), -1)
        return np.ascontiguousarray(np.moveaxis(parts, -2, 0)[list(self.order)])


def rows(array: np.ndarray) -> np.ndarray:
    """(…, K, B, n) as (…, K·B, n)."""
    return array.reshape(*array.shape[:-3], -1, array.shape[-1])
