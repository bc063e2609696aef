"""An LSTM layer over a chunk of steps, forward and backward, for training at speed.

    i, f, o = σ(…),  g = tanh(…)   of   x_t W + (m ⊙ h_{t−1}) U + b
    c_t = f ⊙ c_{t−1} + i ⊙ g,     h_t = o ⊙ s_t,   s_t = tanh(c_t)

The step is that of `core.lstm_cell`; m is the dropout mask of the recurrent connection, 1 without. Back, with
a(1 − a) for σ′ and 1 − a² for tanh′ written so that products which occur twice are taken once:

    dc_t += dh_t ⊙ (o − h_t ⊙ s_t)                  o (1 − s²), since h = o s
    δ_o = dh_t ⊙ (h_t − h_t ⊙ o)                    s · o (1 − o)
    δ_i = dc_t ⊙ (w − w ⊙ i),   w = i ⊙ g           g · i (1 − i)
    δ_g = dc_t ⊙ (i − w ⊙ g)                        i · (1 − g²)
    dc_{t−1} = dc_t ⊙ f
    δ_f = dc_{t−1} ⊙ (c_{t−1} − c_{t−1} ⊙ f)        dc · c · f (1 − f)
    dh_{t−1} += m ⊙ (δ_t Uᵀ)
"""

import numpy as np

from core.recurrent_layer import RecurrentLayer


class LSTMLayer(RecurrentLayer):
    order, sigmoids, states = (0, 1, 3, 2), 3, 2

    def __init__(self, steps: int, batch: int, size: int, dtype: np.dtype):
        super().__init__(steps, batch, size, dtype)
        self.cell = self._buffer(steps + 1)
        """c_0 … c_K."""
        self.shown = self._buffer(steps)
        """tanh(c_1) … tanh(c_K)."""
        self._written, self._back, self._dc = self._buffer(), self._buffer(), self._buffer()
        # Views of every step, since making them anew for each chunk takes a tenth of the time of a small layer.
        self._steps = [
            (gates, gates[: self.sigmoids], *gates, *states)
            for gates, *states in zip(
                self.by_step, self.cell[:-1], self.cell[1:], self.shown, self.hidden[1:], strict=True
            )
        ]

    def forward(self, U: np.ndarray, state: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
        """h_1 … h_K (K, B, d_h), a view, from the input parts in ``gates``."""
        self.start(state, mask)
        self.cell[0] = state[1]
        U, product, written = self.blocks(U), self.product, self._written
        add, multiply, tanh = np.add, np.multiply, np.tanh
        for read, before, (gates, sigmoids, i, f, o, g, c_before, c, s, h) in zip(
            self.read, self.hidden[:-1], self._steps, strict=True
        ):
            if mask is not None:
                multiply(before, mask, out=read)
            np.matmul(read, U, out=product)
            add(product, gates, out=product)
            tanh(product, out=gates)
            multiply(sigmoids, 0.5, out=sigmoids)
            add(sigmoids, 0.5, out=sigmoids)
            multiply(f, c_before, out=c)
            multiply(i, g, out=written)
            add(c, written, out=c)
            tanh(c, out=s)
            multiply(o, s, out=h)
        return self.hidden[1:]

    def backward(self, U: np.ndarray, errors: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
        """δ in the place of ``gates``, from the losses' own ``errors`` at h_1 … h_K."""
        U, product, w, slope = self.transposed_blocks(U), self.product, self._written, self.scratch
        dh, dc = self._back, self._dc
        dh.fill(0)
        dc.fill(0)
        add, subtract, multiply = np.add, np.subtract, np.multiply
        for (gates, _, i, f, o, g, c_before, _, s, h), error in zip(
            reversed(self._steps), errors[::-1], strict=True
        ):
            add(error, dh, out=dh)
            multiply(h, s, out=slope)
            subtract(o, slope, out=slope)
            multiply(slope, dh, out=slope)
            add(dc, slope, out=dc)

            multiply(h, o, out=slope)
            subtract(h, slope, out=slope)
            multiply(dh, slope, out=o)

            multiply(i, g, out=w)
            multiply(w, g, out=slope)
            subtract(i, slope, out=slope)
            multiply(dc, slope, out=g)

            multiply(w, i, out=slope)
            subtract(w, slope, out=slope)
            multiply(dc, slope, out=i)

            multiply(dc, f, out=dc)
            multiply(c_before, f, out=slope)
            subtract(c_before, slope, out=slope)
            multiply(dc, slope, out=f)

            np.matmul(gates, U, out=product)
            add.reduce(product, axis=0, out=dh)
            if mask is not None:
                multiply(dh, mask, out=dh)
        return self.gates

    def last_state(self) -> np.ndarray:
        return np.stack([self.hidden[-1], self.cell[-1]])
