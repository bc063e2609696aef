r"""Exercise rnn_forward: a recurrent network guesses each next token of a text.

Write the function below in the place of its last line; NumPy is all you need. Then, in
Long Gap's folder (on Windows .venv\Scripts stands in the place of .venv/bin):

    .venv/bin/python -m doctest rnn_forward.py
        tries the example below, and is silent if it comes out right
    .venv/bin/python -m core.exercises check rnn_forward.py
        tries other numbers, and names what is wrong
"""

import numpy as np

# A text of your own, of 2 to 40 words and not all the same, instead of this one.
# Neither your function nor the check needs it: when all is right, the check gives you
# the address of a lab that shows the loss of each of its words.
TEXT = "the cat that saw the dogs sat"


def rnn_forward(
    P: dict[str, np.ndarray], ids: np.ndarray, h0: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Read the tokens of a text, and sum up how badly each next one is guessed.

    Takes
        P       the weights, a dict of float64 arrays; V tokens of d numbers, d_h units:
                    "E"    (V, d)       row k stands for the token k
                    "Wxh"  (d, d_h)     from the input to the units
                    "Whh"  (d_h, d_h)   from the units to themselves, one step later
                    "bh"   (d_h,)       their bias
                    "Why"  (d_h, V)     from the units to the guess
                    "by"   (V,)         its bias
        ids     (T + 1,) integers from 0 to V − 1: the text, token by token
        h0      (d_h,) the state before the first step

    For t = 1 … T, where ids[t − 1] is read and ids[t] is to be guessed
    (vectors are rows):

        x_t = E[ids[t − 1]]
        h_t = tanh(x_t Wxh + h_{t−1} Whh + bh)
        p_t = softmax(h_t Why + by)          softmax(a)[k] = exp(a[k]) / Σ_j exp(a[j])
        ℓ_t = −log p_t[ids[t]]               the natural logarithm
        loss = ℓ_1 + ℓ_2 + … + ℓ_T           a sum, not a mean

    Returns, as a tuple in this order
        loss            one number
        hidden          (T + 1, d_h): row t is h_t, so that row 0 is h0
        probabilities   (T, V): row t − 1 is p_t

    and leaves P, ids and h0 as they were.

    Example: three steps, two units, three tokens.

    >>> P = {
    ...     "E": np.array([[1.0], [-1.0], [0.5]]),
    ...     "Wxh": np.array([[0.4, -0.6]]),
    ...     "Whh": np.array([[0.5, 0.8], [-0.3, 0.2]]),
    ...     "bh": np.array([0.1, 0.0]),
    ...     "Why": np.array([[1.0, 0.0, -1.0], [0.5, -0.5, 1.0]]),
    ...     "by": np.array([0.0, 0.1, 0.0]),
    ... }
    >>> ids, h0 = np.array([0, 1, 0, 2]), np.array([0.5, -0.5])

    At step 1 the token 0 is read, x_1 = 1, and the units' sums are
    0.4 + 0.5·0.5 − 0.5·(−0.3) + 0.1 = 0.9 and −0.6 + 0.5·0.8 − 0.5·0.2 = −0.3.
    Their tanh is h_1 = (0.7163, −0.2913).

    >>> loss, hidden, probabilities = rnn_forward(P, ids, h0)
    >>> print(np.round(hidden, 4))
    [[ 0.5    -0.5   ]
     [ 0.7163 -0.2913]
     [ 0.1445  0.8057]
     [ 0.319  -0.3124]]
    >>> print(np.round(probabilities, 4))
    [[0.5184 0.3746 0.107 ]
     [0.3925 0.1677 0.4398]
     [0.3922 0.4306 0.1772]]

    The tokens to be guessed are 1, 0 and 2: −log 0.3746 − log 0.3925 − log 0.1772.

    >>> print(f"{loss:.4f}")
    3.6474
    """
    raise NotImplementedError
