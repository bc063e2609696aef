"""What should have been returned: `core`'s own results by the names of their values, and central differences."""

from functools import lru_cache

import numpy as np

from core.exercises.contract import Case
from core.gradcheck import central_differences
from core.gru_cell import gru_cell
from core.lstm_cell import lstm_cell, lstm_cell_backward
from core.rnn_lm import rnn_bptt, rnn_forward

RESULTS = {
    "rnn_forward": ("loss", "hidden", "probabilities"),
    "rnn_bptt": ("loss", "grads"),
    "lstm_cell": ("h_new", "c_new"),
    "lstm_cell_backward": ("dx", "dh", "dc", "dW", "dU", "db"),
    "gru_cell": ("h_new",),
}
"""The names of what each function returns."""

GRADS = ("E", "Wxh", "Whh", "bh", "Why", "by", "h0")
"""The keys of ``grads``."""

_FUNCTIONS = {
    "rnn_forward": rnn_forward,
    "rnn_bptt": rnn_bptt,
    "lstm_cell": lstm_cell,
    "lstm_cell_backward": lstm_cell_backward,
    "gru_cell": gru_cell,
}
_KEPT = 100
"""For how many cases the values are kept, for the other files of a class."""


def grads_name(key: str) -> str:
    """What one of the gradients is called."""
    return f"grads['{key}']"


@lru_cache(_KEPT)
def right_values(name: str, case: Case) -> dict[str, np.ndarray]:
    """What `core` returns, by the names of the values; each of ``grads`` is a value of its own."""
    returned = _FUNCTIONS[name](*case.arguments.values())
    if name == "rnn_bptt":
        loss, grads = returned
        return {"loss": np.asarray(loss)} | {grads_name(key): grads[key] for key in GRADS}
    results = returned if isinstance(returned, tuple) else (returned,)
    return {key: np.asarray(value) for key, value in zip(RESULTS[name], results, strict=True)}


@lru_cache(_KEPT)
def difference_values(name: str, case: Case) -> dict[str, np.ndarray]:
    """Central differences of the right forward, under the names of the gradients; nothing for a forward."""
    if name == "rnn_bptt":
        P, ids, h0 = case.arguments.values()
        found = central_differences(lambda h0, **P: rnn_forward(P, ids, h0).loss, P | {"h0": h0})
        return {grads_name(key): difference for key, difference in found.items()}
    if name == "lstm_cell_backward":
        arguments = dict(case.arguments)
        dh_new, dc_new = arguments.pop("dh_new"), arguments.pop("dc_new")
        found = central_differences(lambda **moved: _loss(lstm_cell(**moved), dh_new, dc_new), arguments)
        return {f"d{key}": difference for key, difference in found.items()}
    return {}


def _loss(state: tuple[np.ndarray, np.ndarray], dh_new: np.ndarray, dc_new: np.ndarray) -> float:
    """A loss whose gradients at h′ and c′ are the given ones."""
    return float(np.vdot(state[0], dh_new) + np.vdot(state[1], dc_new))
