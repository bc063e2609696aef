"""The recurrent language model once more, with a switch at every place where a known mistake is made.

``made`` holds the switches that are on; with none of them these are the equations of `core.rnn_lm`, written for
short texts and unchecked arguments. What each switch stands for is said in `rnn_known`.
"""

from dataclasses import dataclass

import numpy as np

from core.exercises.judged.mistakes.measures import measure
from core.exercises.judged.mistakes.rows import all_as_last

Switches = frozenset[str]
Values = dict[str, np.ndarray]

EPSILONS = {f"log_plus:1e-{digits}": 10.0**-digits for digits in range(4, 13)}
"""Switches for a small number added inside the logarithm."""

CUTS = ("cut_in_chunks", "cut_in_chunks_from_the_end", "cut_near_the_end", "cut_each_error", "stopped")
"""Switches for a walk back that is cut off after a number of steps.

The text is cut into chunks, counted from its start or its end; or the error from t + 1 is dropped from that many steps
before the end on; or each position's error goes back so far; or the walk back ends there.
"""


@dataclass
class Read:
    """A text read: what the way back needs of it."""

    x: np.ndarray
    a: np.ndarray
    hidden: np.ndarray
    logits: np.ndarray
    probabilities: np.ndarray
    targets: np.ndarray
    loss: float


def forward(P: Values, ids: np.ndarray, h0: np.ndarray, made: Switches) -> Values:
    """What `rnn_forward` returns, by name."""
    read = _read(P, _taken(ids, made), h0, made)
    probabilities = read.probabilities
    if "logits_returned" in made:
        probabilities = read.logits
    if "logarithms_returned" in made:
        probabilities = np.log(probabilities)
    if "probabilities_overwritten" in made:
        probabilities = all_as_last(probabilities)
    return {"loss": np.asarray(read.loss), "hidden": read.hidden, "probabilities": probabilities}


def bptt(P: Values, ids: np.ndarray, h0: np.ndarray, made: Switches) -> Values:
    """What `rnn_bptt` returns, by name."""
    ids = _taken(ids, made)
    read = _read(P, ids, h0, made)
    e = _logit_errors(read, made)
    delta, dh0 = _walk_back(e @ P["Why"].T, _slopes(read, made), P["Whh"], made)
    hidden = read.hidden
    before = hidden[1:] if "recurrent_off_by_one" in made else hidden[:-1]
    shown = hidden[:-1] if {"output_off_by_one", "old_state_shown"} & made else hidden[1:]
    kept = slice(None)
    if "last_step" in made:
        kept = slice(-1, None)
    if "assigned" in made:
        kept = slice(0, 1)
    dWhh = before[kept].T @ delta[kept]
    if "recurrent_first_left_out" in made:
        dWhh = before[1:].T @ delta[1:]
    gradients = {
        "E": _embeddings(P["E"], ids[:-1][kept], (delta @ P["Wxh"].T)[kept], made),
        "Wxh": read.x[kept].T @ delta[kept],
        "Whh": dWhh.T if {"outer_transposed", "columns"} & made else dWhh,
        "bh": delta[kept].sum(axis=0) * (2 if "bh_twice_both_ways" in made else 1),
        "Why": shown[kept].T @ e[kept],
        "by": e[kept].sum(axis=0) * (2 if "by_twice_both_ways" in made else 1),
        "h0": dh0,
    }
    bound = measure("gradients_clipped", made)
    if bound is not None:
        gradients = {key: np.clip(value, -bound, bound) for key, value in gradients.items()}
    return {"loss": np.asarray(read.loss)} | {f"grads['{key}']": value for key, value in gradients.items()}


def _taken(ids: np.ndarray, made: Switches) -> np.ndarray:
    """The tokens that are gone through."""
    return ids[:-1] if "one_step_short" in made else ids


def _read(P: Values, ids: np.ndarray, h0: np.ndarray, made: Switches) -> Read:
    x = P["E"][ids[:-1]]
    Whh = P["Whh"].T if {"recurrent_transposed", "columns"} & made else P["Whh"]
    a = x @ P["Wxh"] + _times("bh", made) * P["bh"]
    hidden = np.empty((len(ids), len(h0)))
    hidden[0] = 0 if "start_ignored" in made else h0
    for t in range(len(a)):
        a[t] += hidden[t].dot(Whh)
        hidden[t + 1] = a[t] if "tanh_missing" in made else np.tanh(a[t])
    if "hidden_overwritten" in made:
        hidden = _overwritten(hidden, made)
    logits = (hidden[:-1] if "old_state_shown" in made else hidden[1:]) @ P["Why"]
    logits += _times("by", made) * P["by"]
    weights = np.exp(logits)
    probabilities = weights / weights.sum(axis=1, keepdims=True)
    targets = ids[:-1] if "target_off_by_one" in made else ids[1:]
    if "hidden_overwritten_later" in made:
        hidden = _overwritten(hidden, made)
    return Read(x, a, hidden, logits, probabilities, targets, _loss(probabilities, targets, made))


def _times(bias: str, made: Switches) -> int:
    """How often a bias is added."""
    if f"{bias}_missing" in made:
        return 0
    return 2 if {f"{bias}_twice", f"{bias}_twice_both_ways"} & made else 1


def _overwritten(hidden: np.ndarray, made: Switches) -> np.ndarray:
    """Every row is the last state, or every row behind the first is."""
    last = all_as_last(hidden)
    if "first_row_kept" in made:
        last[0] = hidden[0]
    return last


def _loss(probabilities: np.ndarray, targets: np.ndarray, made: Switches) -> float:
    epsilon = sum(EPSILONS.get(switch, 0) for switch in made)
    losses = -np.log(probabilities[np.arange(len(targets)), targets] + epsilon)
    if "last_loss" in made:
        losses = losses[-1:]
    return losses.sum() / _divisor(len(targets), made) / (np.log(2) if "bits" in made else 1)


def _divisor(steps: int, made: Switches) -> int:
    if "mean" in made:
        return steps
    return steps + 1 if "mean_over_ids" in made else 1


def _logit_errors(read: Read, made: Switches) -> np.ndarray:
    e = read.probabilities.copy()
    if "target_not_subtracted" not in made:
        e[np.arange(len(e)), read.targets] -= 1
    if "sign" in made:
        e = -e
    if "last_loss" in made:
        e[:-1] = 0
    return e / _divisor(len(e), made)


def _slopes(read: Read, made: Switches) -> np.ndarray:
    """tanh′ at every step, (T, d_h)."""
    if "slope_missing" in made:
        return np.ones_like(read.a)
    if "slope_of_pre_activation" in made:
        return 1 - read.a**2
    if "slope_squashed_twice" in made:
        return 1 - np.tanh(read.hidden[1:]) ** 2
    if "slope_not_squared" in made:
        return 1 - read.hidden[1:]
    if "slope_of_sigmoid" in made:
        return read.hidden[1:] * (1 - read.hidden[1:])
    return 1 - read.hidden[1:] ** 2


def _walk_back(
    dh: np.ndarray, slopes: np.ndarray, Whh: np.ndarray, made: Switches
) -> tuple[np.ndarray, np.ndarray]:
    """δ_1 … δ_T (T, d_h) and the gradient of h_0."""
    back = Whh if {"transpose_missing", "transpose_missing_between_steps", "columns"} & made else Whh.T
    first = Whh if {"transpose_missing", "transpose_missing_at_h0", "columns"} & made else Whh.T
    reach = measure("cut_each_error", made)
    if reach is not None:
        return _each_walked_back(dh, slopes, back, int(reach))
    delta = np.zeros_like(dh)
    later = np.zeros_like(dh[0])
    earliest = max(0, len(dh) - int(measure("stopped", made) or len(dh)))
    for t in reversed(range(earliest, len(dh))):
        error = dh[t] + (0 if "later_error_forgotten" in made else later)
        delta[t] = error * slopes[t]
        if "slope_on_later_only" in made:
            delta[t] = dh[t] + later * slopes[t]
        if "slope_on_own_only" in made:
            delta[t] = dh[t] * slopes[t] + later
        later = delta[t].dot(back if t > 0 else first)
        if _is_cut(t, len(dh), made):
            later = np.zeros_like(later)
    if "h0_zero" in made:
        return delta, np.zeros_like(later)
    if "h0_without_matrix" in made:
        return delta, delta[0]
    return delta, error if "h0_one_step_short" in made else later


def _is_cut(t: int, steps: int, made: Switches) -> bool:
    """Whether the error goes no farther than the step of index ``t``."""
    chunk, chunk_from_the_end, reach = (measure(cut, made) for cut in CUTS[:3])
    return bool(
        (chunk and t > 0 and t % chunk == 0)
        or (chunk_from_the_end and (steps - t) % chunk_from_the_end == 0)
        or (reach and steps - t >= reach)
    )


def _each_walked_back(
    dh: np.ndarray, slopes: np.ndarray, back: np.ndarray, reach: int
) -> tuple[np.ndarray, np.ndarray]:
    """Each position's error goes back by itself, through ``reach`` steps at most."""
    delta, dh0 = np.zeros_like(dh), np.zeros_like(dh[0])
    for t, error in enumerate(dh):
        for step in range(t, max(-1, t - reach), -1):
            delta[step] += error * slopes[step]
            error = (error * slopes[step]).dot(back)
        if t < reach:
            dh0 += error
    return delta, dh0


def _embeddings(E: np.ndarray, ids: np.ndarray, dx: np.ndarray, made: Switches) -> np.ndarray:
    dE = np.zeros_like(E)
    if "embedding_latest" in made:
        dE[ids] = dx
    elif "embedding_earliest" in made:
        dE[ids[::-1]] = dx[::-1]
    else:
        np.add.at(dE, ids, dx)
    return dE
