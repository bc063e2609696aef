"""The answers, for teachers: an exercise's reference as it stands in `core`, with what its lines do."""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from core import activations, affine, gru_cell, language_model, lstm_cell, rnn_lm
from core.exercises.contract import NAMES
from core.validation import one_of


@dataclass(frozen=True)
class Solution:
    """Which functions and tuples of `core` answer an exercise, the asked one first, and how to read them."""

    functions: tuple[Callable, ...]
    explanation: str


_WIDTH = 100
_CHECKS = (
    "Calls of `step_arguments`, `state_like`, `_numbers` or `checked_…` refuse what does not fit, and a student’s file"
    " can do without them; `overflow_is_infinite` silences NumPy’s warnings."
)

SOLUTIONS = {
    "rnn_forward": Solution(
        (rnn_lm.rnn_forward, rnn_lm.rnn_states, language_model.softmax_losses),
        "The states have to be made one after the other, since each needs the one before; what does not depend on"
        " them, x_t Wxh + bh, and all guesses afterwards, are one product each for all steps. The largest logit "
        "is taken off before the exponential, which changes no probability and keeps the exponential from "
        "overflowing. −log p at the target is log Σ exp less the target’s logit, so that no logarithm of 0 can "
        "come up.",
    ),
    "rnn_bptt": Solution(
        (
            rnn_lm.rnn_bptt,
            rnn_lm._chunk,
            rnn_lm._deltas,
            language_model.logit_errors,
        ),
        "The walk back in `_deltas` carries one vector, `later` = δ_{t+1} Whhᵀ, the error that comes to h_t from "
        "all later steps: to it the error of the step’s own loss is added, and the sum times the slope of the "
        "tanh is δ_t. Forward h was multiplied by Whh from the right, so an error is multiplied by Whhᵀ; with a "
        "symmetric Whh nobody would notice if it was not, with a single step only at h_0, whose gradient is what "
        "is left of `later` in the end. The sums over steps are products of whole arrays, but for E: the rows of "
        "a token that was read several times have to be added up, which `np.add.at` does and `dE[ids] += …` does "
        "not. The chunks serve truncation, which the exercise does not ask for: without it there is one.",
    ),
    "lstm_cell": Solution(
        (lstm_cell.lstm_cell, lstm_cell.squashed_gates, lstm_cell._parts, lstm_cell.next_state),
        "One product makes the sums of all four parts, which are cut out of it by columns, in the order i, f, g, "
        "o. The candidate alone goes through a tanh, the gates through a σ. `a[..., first:last]` cuts the last "
        "axis, so that the same lines serve one example and a batch.",
    ),
    "lstm_cell_backward": Solution(
        (
            lstm_cell.lstm_cell_backward,
            lstm_cell.LSTMSlopes,
            lstm_cell.lstm_slopes,
            lstm_cell.LSTMErrors,
            lstm_cell.lstm_pull_back,
            lstm_cell.LSTMGates,
            lstm_cell.squashed_gates,
            lstm_cell.LSTMState,
            lstm_cell.next_state,
            lstm_cell._parts,
            activations.sigmoid,
            activations.sigmoid_slope,
            activations.tanh,
            activations.tanh_slope,
            affine.outer_sum,
            affine.batch_sum,
        ),
        "`e` is all of the error at the new cell, and the heart of it: to what comes from the next cell is added "
        "what comes through h_new, of which tanh(c_new) is a factor. Who leaves out either way gets every "
        "gradient wrong but the output gate’s part. The output gate has only the way through h_new. Each δ is the"
        " error at a sum, so the gate’s slope is part of it, and from there the four parts go back as one vector,"
        " through Wᵀ and Uᵀ. In a batch all examples share the weights, whose gradients are therefore sums over "
        "it: `outer_sum` and `batch_sum`. The slopes of `core` take the pre-activation, for the sake of their last "
        "digits; who has the gate or the candidate at hand writes i ⊙ (1 − i) or 1 − g², which is the same.",
    ),
    "gru_cell": Solution(
        (gru_cell.gru_cell, gru_cell.pre_activations, gru_cell.next_state, gru_cell._parts),
        "The candidate has to wait for r: the reset gate acts on h before the product with U_n. PyTorch and cuDNN"
        " let it act on the product, the branch `reset_after`, which the exercise does not ask for: with one unit"
        " both are the same, with several they are not. z is the share of the old state that is kept; 1 − z is "
        "written σ(−a_z), which keeps its digits where z is near 1.",
    ),
}


def solution(name: str) -> str:
    """The reference of an exercise with its explanation; ValueError for a name that is none of the five."""
    answer = SOLUTIONS[one_of("name", name, NAMES)]
    said = (textwrap.fill(text, _WIDTH) for text in (answer.explanation, _CHECKS))
    return "\n\n".join([f"{name}: the reference in core", *said, *_sources(answer)]) + "\n"


def _sources(answer: Solution) -> list[str]:
    """The functions' source, each under the name of its file."""
    return [
        f"# {function.__module__.replace('.', '/')}.py\n{inspect.getsource(function).rstrip()}"
        for function in answer.functions
    ]
