r"""Exercise lstm_cell_backward: one step of an LSTM, back.

Write the function below in the place of its last line; NumPy is all you need. Then, in
Long Gap's folder (on Windows .venv\Scripts stands in the place of .venv/bin):

    .venv/bin/python -m doctest lstm_cell_backward.py
        tries the example below, and is silent if it comes out right
    .venv/bin/python -m core.exercises check lstm_cell_backward.py
        tries other numbers, and names what is wrong
"""

import numpy as np

# A forget bias of your own, from −2 to 6. Neither your function nor the check needs it:
# when all is right, the check gives you the address of a lab that measures how far an
# error comes with this bias.
FORGET_BIAS = 1.0


def lstm_cell_backward(
    x: np.ndarray,
    h: np.ndarray,
    c: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
    dh_new: np.ndarray,
    dc_new: np.ndarray,
) -> tuple[np.ndarray, ...]:
    """The gradient of a loss at what went into a step, from that at what came out.

    Takes, for d inputs and d_h units
        x   (d,)            the input
        h   (d_h,)          the old hidden state
        c   (d_h,)          the old cell state
        W   (d, 4·d_h)      from the input to the gates
        U   (d_h, 4·d_h)    from the hidden state to the gates
        b   (4·d_h,)        their bias
        dh_new  (d_h,)      the gradient of the loss at h_new
        dc_new  (d_h,)      its gradient at c_new from the next step's cell: without
                            what comes by way of h_new

    or a batch of B examples at once, x (B, d), and h, c, dh_new and dc_new (B, d_h),
    with the same weights.

    Forward, with a = x W + h U + b (vectors are rows) split in the order i, f, g, o,
    d_h columns each; σ(a) = 1 / (1 + exp(−a)); ⊙ for the product entry by entry:

        i = σ(a_i)      f = σ(a_f)      g = tanh(a_g)      o = σ(a_o)
        c_new = f ⊙ c + i ⊙ g
        h_new = o ⊙ tanh(c_new)

    Back. The error at the new cell comes from the next cell, and through h_new:

        e = dc_new + dh_new ⊙ o ⊙ (1 − tanh²(c_new))

        δ_i = e ⊙ g ⊙ i ⊙ (1 − i)        δ_f = e ⊙ c ⊙ f ⊙ (1 − f)
        δ_g = e ⊙ i ⊙ (1 − g²)           δ_o = dh_new ⊙ tanh(c_new) ⊙ o ⊙ (1 − o)

    and with δ = (δ_i, δ_f, δ_g, δ_o) side by side, (4·d_h,):

        dx = δ Wᵀ      dh = δ Uᵀ      dc = e ⊙ f
        dW = xᵀ δ      dU = hᵀ δ      db = δ           (xᵀ δ: x[j]·δ[k] at [j, k])

    Returns, as a tuple in this order
        dx, dh, dc, dW, dU, db      each of the shape of its argument; of a batch,
                                    dW, dU and db are sums over its examples

    and leaves all its arguments as they were.

    Example: the step of the exercise lstm_cell, one input, two units.

    >>> x, h, c = np.array([2.0]), np.array([0.5, -0.5]), np.array([2.0, -1.0])
    >>> W = np.array([[0.25, -0.25, 0.5, 0.0, 0.1, 0.2, -0.5, 0.5]])
    >>> U = np.array([
    ...     [1.0, 0.0, 0.0, -1.0, 0.6, 0.0, 2.0, 0.0],
    ...     [0.0, 1.0, 1.0, 0.0, 0.0, 0.2, 0.0, -2.0],
    ... ])
    >>> b = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    >>> dh_new, dc_new = np.array([1.0, -2.0]), np.array([0.5, 0.25])

    Here i = (0.7311, 0.2689), f = (0.8176, 0.6225), g = (0.4621, 0.2913),
    o = (0.5, 0.8808), c_new = (1.973, −0.5441), tanh(c_new) = (0.9621, −0.4961). In the
    first unit
    e = 0.5 + 1·0.5·(1 − 0.9621²) = 0.5372, and dc = 0.5372·0.8176 = 0.4392.

    >>> dx, dh, dc, dW, dU, db = lstm_cell_backward(x, h, c, W, U, b, dh_new, dc_new)
    >>> print(np.round(dx, 4), np.round(dh, 4), np.round(dc, 4))
    [0.0174] [ 0.4618 -0.1629] [ 0.4392 -0.671 ]
    >>> print(np.round(db, 4))
    [ 0.0488 -0.0617  0.1602  0.2533  0.3089 -0.2653  0.2405  0.1042]
    >>> print(np.round(dW, 4))
    [[ 0.0976 -0.1235  0.3205  0.5067  0.6177 -0.5307  0.481   0.2083]]
    >>> print(np.round(dU, 4))
    [[ 0.0244 -0.0309  0.0801  0.1267  0.1544 -0.1327  0.1203  0.0521]
     [-0.0244  0.0309 -0.0801 -0.1267 -0.1544  0.1327 -0.1203 -0.0521]]
    """
    raise NotImplementedError
