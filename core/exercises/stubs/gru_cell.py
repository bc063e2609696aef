r"""Exercise gru_cell: one step of a gated recurrent unit.

Write the function below in the place of its last line; NumPy is all you need. Then, in
Long Gap's folder (on Windows .venv\Scripts stands in the place of .venv/bin):

    .venv/bin/python -m doctest gru_cell.py
        tries the example below, and is silent if it comes out right
    .venv/bin/python -m core.exercises check gru_cell.py
        tries other numbers, and names what is wrong
"""

import numpy as np

# Biases of your own for the two gates, from −6 to 6. Neither your function nor the
# check needs them: when all is right, the check gives you the address of a lab that
# opens up a step of a GRU with these biases.
RESET_BIAS = 0.0
UPDATE_BIAS = 0.0


def gru_cell(
    x: np.ndarray,
    h: np.ndarray,
    W: np.ndarray,
    U: np.ndarray,
    b: np.ndarray,
) -> np.ndarray:
    """From the input and the old state to the new state.

    Takes, for d inputs and d_h units
        x   (d,)            the input
        h   (d_h,)          the old state
        W   (d, 3·d_h)      from the input to the gates
        U   (d_h, 3·d_h)    from the state to the gates
        b   (3·d_h,)        their bias

    or a batch of B examples at once, x (B, d) and h (B, d_h), with the same W, U and b.

    The columns of W, U and b belong to the three parts in the order r, z, n (reset
    gate, update gate, candidate), d_h columns each: W_r, W_z, W_n and so on. With
    σ(a) = 1 / (1 + exp(−a)), and ⊙ for the product entry by entry (vectors are rows):

        r = σ(x W_r + h U_r + b_r)
        z = σ(x W_z + h U_z + b_z)
        n = tanh(x W_n + (r ⊙ h) U_n + b_n)      r acts on h before the product with U_n
        h_new = (1 − z) ⊙ n + z ⊙ h              z near 1 keeps the old state

    Returns
        h_new   of the shape of h: one array, no tuple

    and leaves x, h, W, U and b as they were.

    Example: one input, two units.

    >>> x, h = np.array([1.0]), np.array([0.6, -0.4])
    >>> W = np.array([[0.0, 0.0, 0.0, 0.0, 0.1, 0.2]])
    >>> U = np.array([
    ...     [2.0, 0.0, 0.0, 0.0, 0.5, -1.0],
    ...     [0.0, -2.0, 0.0, 0.0, 1.0, 0.5],
    ... ])
    >>> b = np.array([0.0, 0.0, 1.0, -1.0, 0.0, 0.0])

    The gates are r = σ(1.2, 0.8) = (0.7685, 0.69) and z = σ(1, −1) = (0.7311, 0.2689).
    Of the old state r leaves (0.4611, −0.276), and the candidate is
    n = tanh(0.0546, −0.3991) = (0.0545, −0.3792).

    >>> print(np.round(gru_cell(x, h, W, U, b), 4))
    [ 0.4533 -0.3848]
    """
    raise NotImplementedError
