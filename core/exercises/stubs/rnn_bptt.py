r"""Exercise rnn_bptt: the gradient of a text's loss, by backpropagation through time.

Write the function below in the place of its last line; NumPy is all you need. Then, in
Long Gap's folder (on Windows .venv\Scripts stands in the place of .venv/bin):

    .venv/bin/python -m doctest rnn_bptt.py
        tries the example below, and is silent if it comes out right
    .venv/bin/python -m core.exercises check rnn_bptt.py
        tries other numbers, and names what is wrong
"""

import numpy as np

# A text of your own, of 2 to 40 words and not all the same, instead of this one.
# Neither your function nor the check needs it: when all is right, the check gives you
# the address of a lab that takes its gradient apart, step by step.
TEXT = "the cat that saw the dogs sat"


def rnn_bptt(
    P: dict[str, np.ndarray], ids: np.ndarray, h0: np.ndarray
) -> tuple[float, dict[str, np.ndarray]]:
    """The loss of a text, and by how much it changes with each number of the network.

    Takes
        P       the weights, a dict of float64 arrays; V tokens of d numbers, d_h units:
                    "E" (V, d), "Wxh" (d, d_h), "Whh" (d_h, d_h), "bh" (d_h,),
                    "Why" (d_h, V), "by" (V,)
        ids     (T + 1,) integers from 0 to V − 1: the text, token by token
        h0      (d_h,) the state before the first step

    Forward, for t = 1 … T, where ids[t − 1] is read and ids[t] is to be guessed
    (vectors are rows):

        x_t = E[ids[t − 1]]
        h_t = tanh(x_t Wxh + h_{t−1} Whh + bh)
        p_t = softmax(h_t Why + by)
        loss = Σ_t −log p_t[ids[t]]              a sum over the steps, not a mean

    Back, for t = T … 1. δ is the gradient of the loss at what stands within the tanh, e
    at what stands within the softmax; ⊙ multiplies entry by entry, and δ_{T+1} = 0:

        e_t = p_t, less 1 at the entry ids[t]
        δ_t = (e_t Whyᵀ + δ_{t+1} Whhᵀ) ⊙ (1 − h_t ⊙ h_t)

    Each weight is used at every step; its gradient is the sum of what each use adds:

        dWhy = Σ_t h_tᵀ e_t        dby = Σ_t e_t      (hᵀ e: h[j]·e[k] at [j, k])
        dWhh = Σ_t h_{t−1}ᵀ δ_t    dbh = Σ_t δ_t
        dWxh = Σ_t x_tᵀ δ_t        dE: to row ids[t − 1] is added δ_t Wxhᵀ, at each t
        dh0  = δ_1 Whhᵀ

    Returns, as a tuple in this order
        loss    one number
        grads   a dict with the keys "E", "Wxh", "Whh", "bh", "Why", "by" and "h0":
                the gradient of each, an array of its shape

    and leaves P, ids and h0 as they were.

    Example: three steps, two units, three tokens. Token 0 is read twice, token 2 never.

    >>> P = {
    ...     "E": np.array([[1.0], [-1.0], [0.5]]),
    ...     "Wxh": np.array([[0.4, -0.6]]),
    ...     "Whh": np.array([[0.5, 0.8], [-0.3, 0.2]]),
    ...     "bh": np.array([0.1, 0.0]),
    ...     "Why": np.array([[1.0, 0.0, -1.0], [0.5, -0.5, 1.0]]),
    ...     "by": np.array([0.0, 0.1, 0.0]),
    ... }
    >>> ids, h0 = np.array([0, 1, 0, 2]), np.array([0.5, -0.5])
    >>> loss, grads = rnn_bptt(P, ids, h0)
    >>> print(f"{loss:.4f}")
    3.6474
    >>> print(np.round(grads["Whh"], 4))
    [[-0.6817  0.2289]
     [ 1.257  -1.0146]]
    >>> print(np.round(grads["Why"], 4))
    [[ 0.4087 -0.2864 -0.1223]
     [-0.7631  0.1828  0.5803]]
    >>> print(np.round(grads["E"], 4).tolist(), np.round(grads["Wxh"], 4).tolist())
    [[0.3081], [-0.3446], [0.0]] [[2.0551, 0.2822]]
    >>> print(np.round(grads["h0"], 4), np.round(grads["bh"], 4))
    [0.6524 0.2152] [-0.1175 -0.0175]
    >>> print(np.round(grads["by"], 4))
    [ 0.3031 -0.0271 -0.276 ]
    """
    raise NotImplementedError
