"""A GRU layer over a chunk of steps, forward and backward, for training at speed.

    r, z = σ(x_t W_rz + k U_rz + b_rz),    n = tanh(x_t W_n + (r ⊙ k) U_n + b_n),    k = m ⊙ h_{t−1}
    h_t = n + z ⊙ (h_{t−1} − n)

The step is that of `core.gru_cell` with the reset gate before the product (Cho et al., 2014); m is the dropout
mask of the recurrent connection, 1 without. Back:

    δ_n = dh_t ⊙ (1 − z) ⊙ (1 − n²),    q = δ_n U_nᵀ
    δ_z = dh_t ⊙ (h_{t−1} − n) ⊙ z ⊙ (1 − z)
    δ_r = q ⊙ k ⊙ r ⊙ (1 − r)
    dh_{t−1} += dh_t ⊙ z + m ⊙ (q ⊙ r + δ_r U_rᵀ + δ_z U_zᵀ)
    dU_r, dU_z = Σ_t kᵀ δ_r, kᵀ δ_z,     dU_n = Σ_t (r ⊙ k)ᵀ δ_n
"""

import numpy as np

from core.recurrent_layer import RecurrentLayer, rows


class GRULayer(RecurrentLayer):
    order, sigmoids = (0, 1, 2), 2

    def __init__(self, steps: int, batch: int, size: int, dtype: np.dtype):
        super().__init__(steps, batch, size, dtype)
        self._seen = self._buffer(steps)
        """r ⊙ k: what the candidate sees of the state."""
        self._straight = self._buffer()
        self._steps = [
            (gates[:2], *gates, outer[:2], *outer, *states)
            for gates, outer, *states in zip(
                self.gates,
                self._outer_steps,
                self._seen,
                self.hidden[:-1],
                self.hidden[1:],
                strict=True,
            )
        ]

    def forward(self, piece: slice) -> None:
        """Read the steps of a piece, from x_t W + b in ``outer``."""
        U_rz, U_n, products, product = self._U[:2], self._U[2], self._product[:2], self._product[2]
        add, subtract, multiply, tanh = np.add, np.subtract, np.multiply, np.tanh
        for k, (rz, r, z, n, x_rz, _, _, x_n, seen, before, h) in zip(
            self.read[piece], self._steps[piece], strict=True
        ):
            if self.mask is not None:
                multiply(before, self.mask, out=k)
            np.matmul(k, U_rz, out=products)
            add(products, x_rz, out=products)
            tanh(products, out=rz)
            multiply(rz, 0.5, out=rz)
            add(rz, 0.5, out=rz)
            multiply(r, k, out=seen)
            np.matmul(seen, U_n, out=product)
            add(product, x_n, out=product)
            tanh(product, out=n)
            subtract(before, n, out=h)
            multiply(h, z, out=h)
            add(h, n, out=h)

    def backward(self, piece: slice, errors: np.ndarray) -> None:
        """Go back through a piece, from the losses' own ``errors`` at its h_t (S, B, d_h): δ_t into ``outer``."""
        U_rz, U_n, products, q = self._U[:2], self._U[2], self._product[:2], self._product[2]
        dh, straight = self._dh, self._straight
        add, subtract, multiply = np.add, np.subtract, np.multiply
        for k, (_, r, z, n, d_rz, d_r, d_z, d_n, _, before, _), error in zip(
            self.read[piece][::-1], reversed(self._steps[piece]), errors[::-1], strict=True
        ):
            add(error, dh, out=dh)
            multiply(dh, z, out=straight)
            subtract(dh, straight, out=dh)

            multiply(n, n, out=d_n)
            subtract(1, d_n, out=d_n)
            multiply(dh, d_n, out=d_n)

            subtract(before, n, out=d_z)
            multiply(d_z, z, out=d_z)
            multiply(dh, d_z, out=d_z)

            np.matmul(d_n, U_n, out=q)
            multiply(q, r, out=q)
            multiply(k, r, out=d_r)
            subtract(k, d_r, out=d_r)
            multiply(q, d_r, out=d_r)

            np.matmul(d_rz, U_rz, out=products)
            add.reduce(products, axis=0, out=dh)
            add(dh, q, out=dh)
            if self.mask is not None:
                multiply(dh, self.mask, out=dh)
            add(dh, straight, out=dh)

    def recurrent_gradient(self, piece: slice) -> np.ndarray:
        """The piece's part of dU; the last of its three blocks is of the candidate, which read r ⊙ k."""
        delta = self.outer(piece)
        r_z = rows(self.read[piece]).T @ delta[:2]
        return np.stack([*r_z, rows(self._seen[piece]).T @ delta[2]])

    def activations(self) -> dict[str, np.ndarray]:
        return super().activations() | dict(zip("rzn", self.gates.swapaxes(0, 1), strict=True))
