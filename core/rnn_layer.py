"""A layer of tanh units over a chunk of steps, forward and backward, for training at speed.

    h_t = tanh(a_t),   a_t = x_t W + (m ⊙ h_{t−1}) U + b
    δ_t = dh_t ⊙ (1 − h_t²),    dh_{t−1} += m ⊙ (δ_t Uᵀ)

The step is that of `core.rnn_cell` (Elman, 1990); m is the dropout mask of the recurrent connection, 1 without.
"""

import numpy as np

from core.recurrent_layer import RecurrentLayer


class RNNLayer(RecurrentLayer):
    order, sigmoids, states = (0,), 0, 1

    def forward(self, U: np.ndarray, state: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
        """h_1 … h_K (K, B, d_h), a view, from x_t W + b in ``outer``."""
        self.start(state, mask)
        (U,), (product,) = self.blocks(U), self.product
        for x, before, read, after in zip(
            self.outer[0], self.hidden[:-1], self.read, self.hidden[1:], strict=True
        ):
            if mask is not None:
                np.multiply(before, mask, out=read)
            np.matmul(read, U, out=product)
            np.add(x, product, out=product)
            np.tanh(product, out=after)
        return self.hidden[1:]

    def backward(self, U: np.ndarray, errors: np.ndarray, mask: np.ndarray | None = None) -> None:
        """Put δ_1 … δ_K into ``outer``, from the losses' own ``errors`` at h_1 … h_K."""
        (U,), (back,) = self.transposed_blocks(U), self.product
        back.fill(0)
        for delta, h, error in zip(self.outer[0][::-1], self.hidden[:0:-1], errors[::-1], strict=True):
            np.add(error, back, out=back)
            np.multiply(h, h, out=delta)
            np.subtract(1, delta, out=delta)
            np.multiply(back, delta, out=delta)
            np.matmul(delta, U, out=back)
            if mask is not None:
                np.multiply(back, mask, out=back)
