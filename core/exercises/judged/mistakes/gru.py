"""The GRU cell once more, with a switch at every place where a known mistake is made.

``made`` holds the switches that are on; with none of them these are the equations of `core.gru_cell` on unchecked
arguments. What each switch stands for is said in `gru_known`.
"""

import numpy as np

from core.exercises.judged.mistakes.measures import measure
from core.exercises.judged.mistakes.orders import order, transposed_parts
from core.exercises.judged.mistakes.rows import all_as_last

Switches = frozenset[str]

PARTS = "rzn"


def cell(
    x: np.ndarray, h: np.ndarray, W: np.ndarray, U: np.ndarray, b: np.ndarray, made: Switches
) -> dict[str, np.ndarray]:
    """What `gru_cell` returns, by name."""
    U = transposed_parts(U, 3) if "recurrent_transposed" in made else U
    places = order("order", PARTS, made)
    inputs = dict(zip(places, np.split(x @ W + _times(made) * b, 3, axis=-1), strict=True))
    matrices = dict(zip(places, np.split(U, 3, axis=1), strict=True))
    bias = dict(zip(places, np.split(b, 3), strict=True))["n"]
    r, z = (_gate(inputs[gate] + h @ matrices[gate], made) for gate in "rz")
    n = _candidate(inputs["n"], h, z if "update_as_reset" in made else r, matrices["n"], bias, made)
    kept = r * h if "reset_state_kept" in made else h
    if "update_reversed" in made:
        z = 1 - z
    h_new = (1 - z) * n + z * kept
    if "old_state_forgotten" in made:
        h_new = (1 - z) * n
    if "candidate_in_full" in made:
        h_new = n + z * kept
    return {"h_new": all_as_last(h_new) if "rows_overwritten" in made else h_new}


def _candidate(
    inputs: np.ndarray, h: np.ndarray, r: np.ndarray, U: np.ndarray, bias: np.ndarray, made: Switches
) -> np.ndarray:
    if "candidate_b_twice" in made:
        inputs = inputs + bias
    recurrent = (r * h) @ U
    if "reset_missing" in made:
        recurrent = h @ U
    if "reset_after" in made:
        recurrent = r * (h @ U)
    if "reset_after_with_bias" in made:
        inputs, recurrent = inputs - bias, r * (h @ U + bias)
    a = inputs + recurrent
    if "reset_around_all" in made:
        a = r * (inputs + h @ U)
    if "candidate_unsquashed" in made:
        return a
    bound = measure("sums_clipped", made)
    if bound is not None:
        a = np.clip(a, -bound, bound)
    return _sigmoid(a) if "candidate_sigmoid" in made else np.tanh(a)


def _times(made: Switches) -> int:
    """How often the bias is added."""
    if "b_missing" in made:
        return 0
    return 2 if "b_twice" in made else 1


def _gate(a: np.ndarray, made: Switches) -> np.ndarray:
    bound = measure("sums_clipped", made) or measure("gate_sums_clipped", made) or np.inf
    return _sigmoid(np.clip(-a if "sigmoid_reversed" in made else a, -bound, bound))


def _sigmoid(a: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-a))
