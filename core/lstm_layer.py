"""An LSTM layer over a chunk of steps, forward and backward, for training at speed.

    i, f, o = σ(…),  g = tanh(…)   of   x_t W + (m ⊙ h_{t−1}) U + b
    c_t = f ⊙ c_{t−1} + i ⊙ g,     h_t = o ⊙ s_t,   s_t = tanh(c_t)

The step is that of `core.lstm_cell`; m is the dropout mask of the recurrent connection, 1 without. Back, with
σ′ = σ (1 − σ), tanh′ = 1 − tanh² and what occurs twice taken once (o s = h):

    dc_t += dh_t ⊙ o − dh_t ⊙ h_t ⊙ s_t
    δ_i, δ_f, δ_o = (1 − i, 1 − f, 1 − o) ⊙ e,    e = (dc_t ⊙ i ⊙ g,  dc_t ⊙ f ⊙ c_{t−1},  dh_t ⊙ h_t)
    δ_g = dc_t ⊙ (i − i ⊙ g²)
    dc_{t−1} = dc_t ⊙ f,    dh_{t−1} += m ⊙ (δ_t Uᵀ)
"""

import numpy as np

from core.recurrent_layer import RecurrentLayer


class LSTMLayer(RecurrentLayer):
    """In its loops the last argument of each operation takes the result: its name alone costs a tenth of a call."""

    order, sigmoids = (0, 1, 3, 2), 3

    def __init__(self, steps: int, batch: int, size: int, dtype: np.dtype):
        super().__init__(steps, batch, size, dtype)
        self.cell = self._buffer(steps + 1)
        """c_0 … c_K."""
        self._shown = self._buffer(steps)
        self._written, self._dc = self._buffer(), self._buffer()
        # An array of no axes is quicker than a number, which is converted at every call.
        self._half, self._one = np.array(0.5, dtype), np.array(1, dtype)
        # Views of every step, since making them anew for each chunk takes a tenth of the time of a small layer.
        self._steps = [
            (gates, gates[: self.sigmoids], *gates, outer, outer[: self.sigmoids], outer[-1], *states)
            for gates, outer, *states in zip(
                self.gates,
                self._outer_steps,
                self.cell[:-1],
                self.cell[1:],
                self._shown,
                self.hidden[:-1],
                self.hidden[1:],
                strict=True,
            )
        ]

    def start(self, U: np.ndarray, state: np.ndarray, mask: np.ndarray | None) -> None:
        super().start(U, state, mask)
        self.cell[0] = state[1]

    def start_back(self, U: np.ndarray) -> None:
        super().start_back(U)
        self._dc.fill(0)

    def forward(self, piece: slice) -> None:
        """Read the steps of a piece, from x_t W + b in ``outer``."""
        U, mask, product, written = self._U, self.mask, self._product, self._written
        add, multiply, tanh, half = np.add, np.multiply, np.tanh, self._half
        for read, (gates, sigmoids, i, f, o, g, x, _, _, c_before, c, s, before, h) in zip(
            self.read[piece], self._steps[piece], strict=True
        ):
            if mask is not None:
                multiply(before, mask, read)
            np.matmul(read, U, out=product)
            add(product, x, product)
            tanh(product, gates)
            multiply(sigmoids, half, sigmoids)
            add(sigmoids, half, sigmoids)
            multiply(f, c_before, c)
            multiply(i, g, written)
            add(c, written, c)
            tanh(c, s)
            multiply(o, s, h)

    def backward(self, piece: slice, errors: np.ndarray) -> None:
        """Go back through a piece, from the losses' own ``errors`` at its h_t (S, B, d_h): δ_t into ``outer``."""
        U, mask, product, w, dh, dc = self._U, self.mask, self._product, self._written, self._dh, self._dc
        e_i, e_f, e_o = e = product[: self.sigmoids]
        add, subtract, multiply, one = np.add, np.subtract, np.multiply, self._one
        for (_, sigmoids, i, f, o, g, delta, d_sigmoids, d_g, c_before, _, s, _, h), error in zip(
            reversed(self._steps[piece]), errors[::-1], strict=True
        ):
            add(error, dh, dh)
            multiply(dh, h, e_o)
            multiply(dh, o, dh)
            multiply(e_o, s, w)
            add(dc, dh, dc)
            subtract(dc, w, dc)

            multiply(i, g, w)
            multiply(dc, w, e_i)
            multiply(w, g, w)
            subtract(i, w, w)
            multiply(dc, w, d_g)

            multiply(dc, f, dc)
            multiply(dc, c_before, e_f)

            subtract(one, sigmoids, d_sigmoids)
            multiply(d_sigmoids, e, d_sigmoids)

            np.matmul(delta, U, out=product)
            add.reduce(product, axis=0, out=dh)
            if mask is not None:
                multiply(dh, mask, dh)

    def last_state(self) -> np.ndarray:
        return np.stack([self.hidden[-1], self.cell[-1]])

    def activations(self) -> dict[str, np.ndarray]:
        return (
            super().activations()
            | {"c": self.cell[1:]}
            | dict(zip("ifog", self.gates.swapaxes(0, 1), strict=True))
        )
