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
    order, sigmoids, states = (0, 1, 2), 2, 1

    def __init__(self, steps: int, batch: int, size: int, dtype: np.dtype):
        super().__init__(steps, batch, size, dtype)
        self.seen = self._buffer(steps)
        """r ⊙ k: what the candidate sees of the state."""
        self._dh, self._straight = self._buffer(), self._buffer()
        self._steps = [
            (gates[:2], *gates, outer[:2], *outer, *states)
            for gates, outer, *states in zip(
                self.gates, self.outer_steps, self.seen, self.hidden[:-1], self.hidden[1:], strict=True
            )
        ]

    def forward(self, U: np.ndarray, state: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
        """h_1 … h_K (K, B, d_h), a view, from x_t W + b in ``outer``."""
        self.start(state, mask)
        blocks, products, product = self.blocks(U), self.product[:2], self.product[2]
        U_rz, U_n = blocks[:2], blocks[2]
        add, subtract, multiply, tanh = np.add, np.subtract, np.multiply, np.tanh
        for k, (rz, r, z, n, x_rz, _, _, x_n, seen, before, h) in zip(self.read, self._steps, strict=True):
            if mask is not None:
                multiply(before, mask, out=k)
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
        return self.hidden[1:]

    def backward(self, U: np.ndarray, errors: np.ndarray, mask: np.ndarray | None = None) -> None:
        """Put δ_1 … δ_K into ``outer``, from the losses' own ``errors`` at h_1 … h_K."""
        blocks, products, q = self.transposed_blocks(U), self.product[:2], self.product[2]
        U_rz, U_n = blocks[:2], blocks[2]
        dh, straight = self._dh, self._straight
        dh.fill(0)
        add, subtract, multiply = np.add, np.subtract, np.multiply
        for k, (_, r, z, n, d_rz, d_r, d_z, d_n, _, before, _), error in zip(
            self.read[::-1], reversed(self._steps), errors[::-1], strict=True
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
            if mask is not None:
                multiply(dh, mask, out=dh)
            add(dh, straight, out=dh)

    def recurrent_gradient(self) -> np.ndarray:
        """dU, whose last third is of the candidate, which read r ⊙ k."""
        r_z = rows(self.read).T @ rows(self.outer[:2])
        n = rows(self.seen).T @ rows(self.outer[2])
        return self.joined([*r_z, n])

    def activations(self) -> dict[str, np.ndarray]:
        return super().activations() | dict(zip("rzn", self.gates.swapaxes(0, 1), strict=True))
