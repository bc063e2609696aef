"""Where a known mistake shows, and where it hides: how far it puts a result off, by the length of the sequence.

    off(T) = ‖wrong − right‖ / max(‖wrong‖, ‖right‖)        of a result of T steps, T = 1 … T_longest

Each exercise has two of its mistakes here, and both are made by handing `core` something else than it asks for: the
weights of another gate, a transposed matrix, an error of 0. A mistake hides where that changes nothing: a missing
transpose in a symmetric matrix or in a single step, another place of the reset gate in a single unit. Weights near
0 all but hide most of them. What hides in one result of a function may show in another.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from core import gru_cell as gru
from core import lstm_cell as lstm
from core.activations import tanh_slope
from core.draws import generator
from core.exercises.contract import NAMES
from core.exercises.judged.diagnosis import EXACT
from core.language_model import logit_errors, softmax_losses
from core.rnn_cell import rnn_pull_back
from core.rnn_lm import rnn_states
from core.validation import finite_number, one_of, whole_number, yes_or_no

INPUTS, TOKENS = 3, 5
"""How many numbers make up an input, and how many tokens a text is made of."""
SEEN = EXACT
"""Results that are off by less pass as right: the check says so."""
_ROUNDING = 1e-14

MISTAKES = {
    "rnn_forward": ("recurrent_transposed", "start_ignored"),
    "rnn_bptt": ("transpose_missing", "later_error_forgotten"),
    "lstm_cell": ("input_forget_swapped", "candidate_output_swapped"),
    "lstm_cell_backward": ("cell_error_forgotten", "second_route"),
    "gru_cell": ("reset_after", "update_reversed"),
}
"""The mistakes that are made here, by exercise, under the keys that the check knows them by."""
RESULTS = {
    "rnn_forward": ("h_T", "hidden"),
    "rnn_bptt": ("dWhh", "dWxh", "dbh", "dh0"),
    "lstm_cell": ("h_T", "c_T"),
    "lstm_cell_backward": ("dU", "dW", "db", "dh", "dc"),
    "gru_cell": ("h_T",),
}
"""What is measured of each function: the result that is followed, and then the others that a mistake may show in."""


@dataclass(frozen=True)
class Deviation:
    """How far a result that was made with a mistake is from the right one, by length, each (T,)."""

    distance: np.ndarray
    """‖wrong − right‖."""
    larger: np.ndarray
    """max(‖wrong‖, ‖right‖)."""
    elsewhere: Mapping[str, "Deviation"] = field(default_factory=dict)
    """The same of the function's other results, by name."""

    @property
    def off(self) -> np.ndarray:
        """The relative error; 0 where both results are 0, or differ by rounding alone."""
        off = np.divide(self.distance, self.larger, out=np.zeros_like(self.distance), where=self.larger > 0)
        return np.where(off < _ROUNDING, 0.0, off)


Results = tuple[np.ndarray, ...]
"""In the order of `RESULTS`, each with the length as its first axis."""


class Network(NamedTuple):
    """What is drawn for a cell of G parts that takes T steps."""

    x: np.ndarray
    """(T, d)."""
    h: np.ndarray
    """(d_h,): the first state."""
    c: np.ndarray
    """(d_h,): the first cell."""
    W: np.ndarray
    U: np.ndarray
    b: np.ndarray
    Why: np.ndarray
    """(d_h, V)."""
    targets: np.ndarray
    """(T,) tokens to be guessed."""


def deviations(
    exercise: str, steps: int, size: int, scale: float, start: float, symmetric: bool, seed: int
) -> dict[str, Deviation]:
    """For each of the exercise's `MISTAKES` how far its `RESULTS` are off, for sequences of 1 … ``steps`` steps.

    A function that is one step is called once for each. Followed is the last state (rnn_forward, lstm_cell, gru_cell)
    or the gradient of the recurrent matrix, of a loss that reads h at every step (rnn_bptt, lstm_cell_backward; the
    last step's dc_new is 0). Gradients of weights are summed over the steps, those of h and c are the first step's;
    ``hidden`` are all states, with the first one, which is 0 where the start is ignored.

    Weights are ``scale`` · N(0, 1) / √(inputs), first states ``start`` · N(0, 1), inputs N(0, 1); with ``symmetric``
    each part of the recurrent matrix is. Raises ValueError for another exercise, fewer than 1 step or unit, a scale
    that is not above 0, and a seed below 0.
    """
    exercise = one_of("exercise", exercise, NAMES)
    parts = {"lstm_cell": 4, "lstm_cell_backward": 4, "gru_cell": 3}.get(exercise, 1)
    network = _draw(
        parts,
        whole_number("steps", steps, least=1),
        whole_number("size", size, least=1),
        finite_number("scale", scale, above=0),
        finite_number("start", start),
        yes_or_no("symmetric", symmetric),
        whole_number("seed", seed, least=0),
    )
    right, *wrong = _BY_LENGTH[exercise](network)
    return {
        name: _deviations(RESULTS[exercise], one, right)
        for name, one in zip(MISTAKES[exercise], wrong, strict=True)
    }


def _draw(
    parts: int, steps: int, size: int, scale: float, start: float, symmetric: bool, seed: int
) -> Network:
    def draw(stream: str, *shape: int) -> np.ndarray:
        return generator(stream, size, seed).standard_normal(shape)

    squares = draw("recurrent_weights", parts, size, size)
    if symmetric:
        squares = (squares + squares.swapaxes(1, 2)) / np.sqrt(2)
    h, c = start * draw("start", 2, size)
    return Network(
        x=draw("inputs", steps, INPUTS),
        h=h,
        c=c,
        W=scale * draw("input_weights", INPUTS, parts * size) / np.sqrt(INPUTS),
        U=scale * np.concatenate(squares, axis=1) / np.sqrt(size),
        b=scale * draw("bias", parts * size),
        Why=scale * draw("output_weights", size, TOKENS) / np.sqrt(size),
        targets=generator("sequence", size, seed).integers(TOKENS, size=steps),
    )


def _deviations(names: tuple[str, ...], wrong: Results, right: Results) -> Deviation:
    """Of the first result, with those of the others elsewhere."""
    first, *others = map(_deviation, wrong, right)
    return replace(first, elsewhere=dict(zip(names[1:], others, strict=True)))


def _deviation(wrong: np.ndarray, right: np.ndarray) -> Deviation:
    """From results with the length as their first axis."""

    def norms(results: np.ndarray) -> np.ndarray:
        return np.linalg.norm(results.reshape(len(results), -1), axis=1)

    return Deviation(norms(wrong - right), np.maximum(norms(wrong), norms(right)))


def _rnn_states(net: Network) -> Iterator[Results]:
    # The states that a text of each length has, and zeros beyond it.
    reached = np.tri(len(net.x), len(net.x) + 1, 1)[:, :, None]
    for U, h in ((net.U, net.h), (net.U.T, net.h), (net.U, 0 * net.h)):
        hidden = rnn_states(net.x @ net.W + net.b, U, h)[1]
        yield hidden[1:], reached * hidden


def _rnn_gradients(net: Network) -> Iterator[Results]:
    a, hidden = rnn_states(net.x @ net.W + net.b, net.U, net.h)
    P = {"Why": net.Why, "by": np.zeros(TOKENS)}
    _, probabilities = softmax_losses(P, hidden[1:], net.targets)
    own = logit_errors(probabilities, net.targets) @ net.Why.T
    slopes = tanh_slope(a)

    # `rnn_pull_back` multiplies by the transpose of what it is given.
    for U, kept in ((net.U, True), (net.U.T, True), (net.U, False)):

        def back(t: int, dh: np.ndarray, dc: np.ndarray, U: np.ndarray = U, kept: bool = kept):
            return *rnn_pull_back(slopes[t], U, np.where(kept, dh, own[t])), dc

        *gradients, _ = _gradients_by_length(hidden, net.x, own, len(net.b), back)
        yield tuple(gradients)


def _lstm_states(net: Network) -> Iterator[Results]:
    for order in ((0, 1, 2, 3), (1, 0, 2, 3), (0, 1, 3, 2)):
        W, U, b = (_reordered(weights, order) for weights in (net.W, net.U, net.b))
        yield _lstm_run(net.x @ W + b, U, net.h, net.c)[1:]


def _lstm_gradients(net: Network) -> Iterator[Results]:
    a, hidden, cells = _lstm_run(net.x @ net.W + net.b, net.U, net.h, net.c)
    slopes = lstm.lstm_slopes(a, np.vstack([net.c, cells[:-1]]), cells)
    steps = [lstm.LSTMSlopes(*(part[t] for part in slopes)) for t in range(len(a))]
    own = np.tile(net.Why[:, 0], (len(a), 1))
    before = np.vstack([net.h, hidden])

    for kept, shown in ((1, 1), (0, 1), (1, 0)):

        def back(t: int, dh: np.ndarray, dc: np.ndarray, kept: int = kept, shown: int = shown):
            at = steps[t]._replace(shown=shown * steps[t].shown)
            delta, dh, dc, _ = lstm.lstm_pull_back(at, net.U, dh, kept * dc)
            return delta, dh, dc

        yield _gradients_by_length(before, net.x, own, len(net.b), back)


def _gru_states(net: Network) -> Iterator[Results]:
    size = len(net.h)
    # σ(−a) = 1 − σ(a).
    turned = np.repeat([1, -1, 1], size)
    for sign, reset_after in ((1, False), (1, True), (turned, False)):
        inputs, U, h, states = (net.x @ net.W + net.b) * sign, net.U * sign, net.h, []
        for one in inputs:
            a, _ = gru.pre_activations(one, h, U, reset_after, 0.0)
            h = gru.next_state(a, h)
            states.append(h)
        yield (np.array(states),)


def _lstm_run(
    inputs: np.ndarray, U: np.ndarray, h: np.ndarray, c: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pre-activations (T, 4·d_h), hidden states and cells (T, d_h)."""
    a, hidden, cells = [], [], []
    for one in inputs:
        a.append(one + h @ U)
        h, c = lstm.next_state(lstm.squashed_gates(a[-1]), c)
        hidden.append(h)
        cells.append(c)
    return np.array(a), np.array(hidden), np.array(cells)


def _reordered(weights: np.ndarray, order: tuple[int, ...]) -> np.ndarray:
    """Weights whose parts stand in another order."""
    parts = np.split(weights, len(order), axis=-1)
    return np.concatenate([parts[part] for part in order], axis=-1)


def _gradients_by_length(
    before: np.ndarray,
    x: np.ndarray,
    own: np.ndarray,
    width: int,
    back: Callable[..., tuple[np.ndarray, ...]],
) -> Results:
    """(dU, dW, db, dh, dc) of the first 1 … T steps, each (T, …): all lengths go back side by side.

        dU = Σ_t h_{t−1}ᵀ δ_t,    dW = Σ_t x_tᵀ δ_t,    db = Σ_t δ_t;    dh, dc: the errors at h_0 and c_0

    ``before`` (T, d_h) are the states before each step, ``own`` (T, d_h) the losses' own errors at h_t, and
    ``width`` is δ's; ``back(t, dh, dc)`` gives δ_t, and the errors at h_{t−1} and c_{t−1}, of as many errors as it
    gets.
    """
    steps, size = own.shape
    read = np.hstack([before[:steps], x, np.ones((steps, 1))])
    gradients = np.zeros((steps, read.shape[1], width))
    dh, dc = np.zeros((2, steps, size))
    for t in reversed(range(steps)):
        delta, dh[t:], dc[t:] = back(t, dh[t:] + own[t], dc[t:])
        gradients[t:] += read[t][:, None] * delta[:, None, :]
    return gradients[:, :size], gradients[:, size:-1], gradients[:, -1], dh, dc


_BY_LENGTH: dict[str, Callable[[Network], Iterator[Results]]] = {
    "rnn_forward": _rnn_states,
    "rnn_bptt": _rnn_gradients,
    "lstm_cell": _lstm_states,
    "lstm_cell_backward": _lstm_gradients,
    "gru_cell": _gru_states,
}
"""For each exercise the right results by length, and then those of each mistake."""
