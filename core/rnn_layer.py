"""A layer of tanh units over a chunk of steps, forward and backward, for training at speed.

    h_t = tanh(a_t),   a_t = x_t W + (m ⊙ h_{t−1}) U + b
    δ_t = dh_t ⊙ (1 − h_t²),    dh_{t−1} += m ⊙ (δ_t Uᵀ)

The step is that of `core.rnn_cell` (Elman, 1990); m is the dropout mask of the recurrent connection, 1 without.
"""

import numpy as np

from core.recurrent_layer import RecurrentLayer


class RNNLayer(RecurrentLayer):
    order, sigmoids = (0,), 0

    def forward(self, piece: slice) -> None:
        """Read the steps of a piece, from x_t W + b in ``outer``."""
        (U,), (product,) = self._U, self._product
        for (x,), before, read, h in zip(
            self._outer_steps[piece],
            self.hidden[:-1][piece],
            self.read[piece],
            self.hidden[1:][piece],
            strict=True,
        ):
            if self.mask is not None:
                np.multiply(before, self.mask, out=read)
            np.matmul(read, U, out=product)
            np.add(x, product, out=product)
            np.tanh(product, out=h)

    def backward(self, piece: slice, errors: np.ndarray) -> None:
        """Go back through a piece, from the losses' own ``errors`` at its h_t (S, B, d_h): δ_t into ``outer``."""
        (U,), dh = self._U, self._dh
        for (delta,), h, error in zip(
            reversed(self._outer_steps[piece]), self.hidden[1:][piece][::-1], errors[::-1], strict=True
        ):
            np.add(error, dh, out=dh)
            np.multiply(h, h, out=delta)
            np.subtract(1, delta, out=delta)
            np.multiply(dh, delta, out=delta)
            np.matmul(delta, U, out=dh)
            if self.mask is not None:
                np.multiply(dh, self.mask, out=dh)
