r"""Exercise lstm_cell: one step of a network with long short-term memory.

Write the function below in the place of its last line; NumPy is all you need. Then, in
Long Gap's folder (on Windows .venv\Scripts stands in the place of .venv/bin):

    .venv/bin/python -m doctest lstm_cell.py
        tries the example below, and is silent if it comes out right
    .venv/bin/python -m core.exercises check lstm_cell.py
        tries other numbers, and names what is wrong
"""

import numpy as np

# A forget gate of your own, from 0.01 to 0.99. Neither your function nor the check
# needs it: when all is right, the check gives you the address of a lab that opens up a
# step of an LSTM with this gate, term by term.
FORGET_GATE = 0.5


def lstm_cell(
    x: np.ndarray,
    h: np.ndarray,
    c: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """From the input and the old state to the new state.

    Takes, for d inputs and d_h units
        x   (d,)            the input
        h   (d_h,)          the old hidden state
        c   (d_h,)          the old cell state
        W   (d, 4·d_h)      from the input to the gates
        U   (d_h, 4·d_h)    from the hidden state to the gates
        b   (4·d_h,)        their bias

    or a batch of B examples at once, x (B, d), h and c (B, d_h), with the same weights.

    The columns of W, U and b belong to the four parts in the order i, f, g, o (input
    gate, forget gate, candidate, output gate), d_h columns each. With a = x W + h U + b
    (vectors are rows) split into a_i, a_f, a_g, a_o; σ(a) = 1 / (1 + exp(−a)); ⊙ for
    the product entry by entry:

        i = σ(a_i)      f = σ(a_f)      g = tanh(a_g)      o = σ(a_o)
        c_new = f ⊙ c + i ⊙ g
        h_new = o ⊙ tanh(c_new)

    Returns, as a tuple in this order
        h_new   of the shape of h
        c_new   of the shape of c

    and leaves x, h, c, W, U and b as they were.

    Example: one input, two units.

    >>> x, h, c = np.array([2.0]), np.array([0.5, -0.5]), np.array([2.0, -1.0])
    >>> W = np.array([[0.25, -0.25, 0.5, 0.0, 0.1, 0.2, -0.5, 0.5]])
    >>> U = np.array([
    ...     [1.0, 0.0, 0.0, -1.0, 0.6, 0.0, 2.0, 0.0],
    ...     [0.0, 1.0, 1.0, 0.0, 0.0, 0.2, 0.0, -2.0],
    ... ])
    >>> b = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0])

    The sums are a = (1, −1, 1.5, 0.5, 0.5, 0.3, 0, 2), so that i = (0.7311, 0.2689),
    f = (0.8176, 0.6225), g = (0.4621, 0.2913), o = (0.5, 0.8808), and the first cell
    comes to 0.8176·2 + 0.7311·0.4621 = 1.973.

    >>> h_new, c_new = lstm_cell(x, h, c, W, U, b)
    >>> print(np.round(h_new, 4), np.round(c_new, 4))
    [ 0.481 -0.437] [ 1.973  -0.5441]
    """
    raise NotImplementedError
