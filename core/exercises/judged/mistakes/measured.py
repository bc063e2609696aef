"""Known mistakes with a number in them, a bound or a count of steps: it is read off from what came."""

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np

from core.exercises.contract import Mistake
from core.exercises.judged.mistakes.rnn import CUTS
from core.exercises.judged.mistakes.slips import Slip

Values = dict[str, np.ndarray]

CLIPPED = Mistake(
    "gradients_clipped",
    "gradients are clipped",
    "Clipping belongs to training, between the gradient and the step. The contract asks for the gradient itself.",
)
CUT_OFF = Mistake(
    "cut_off",
    "the walk back is cut off",
    "Is there a limit on the steps that an error goes back? The contract asks for all of them, as far as h0.",
)
SUMS_CLIPPED = Mistake(
    "sums_clipped",
    "pre-activations are clipped",
    "What is the sigmoid of 10, in five digits, and of your bound? A sigmoid need not be kept from large sums: "
    "only its exponential must not overflow.",
)

MEASURED = {
    "rnn_bptt": (CLIPPED, CUT_OFF),
    "lstm_cell": (SUMS_CLIPPED,),
    "lstm_cell_backward": (SUMS_CLIPPED,),
    "gru_cell": (SUMS_CLIPPED,),
}

_BOUNDS = range(2, 21)
"""The bounds of pre-activations that are tried: from 21 on a sigmoid is right within what counts as an error."""


def measured(name: str, received: Values, steps: int, fits: Callable[[frozenset[str]], bool]) -> list[Slip]:
    """The mistakes of this kind that explain one value at least, in a case of this many steps.

    ``fits`` says of a set of switches whether it does.
    """
    return [
        Slip(mistake, (switches,), mistake.key, rare=True)
        for mistake, switches in _candidates(name, received, steps)
        if fits(switches)
    ]


def _candidates(name: str, received: Values, steps: int) -> Iterator[tuple[Mistake, frozenset[str]]]:
    if name == "rnn_bptt":
        gradients = [array for value, array in received.items() if value != "loss"]
        for bound in sorted({float(np.abs(array).max()) for array in gradients}):
            yield _with(CLIPPED, f"at ±{bound:.4g}"), frozenset({f"gradients_clipped:{bound}"})
        for cut in CUTS:
            # A walk of one step has other names.
            for count in range(2, steps):
                yield _with(CUT_OFF, f"after {count} steps"), frozenset({f"{cut}:{count}"})
    elif name in MEASURED:
        for bound in _BOUNDS:
            for switch in ("sums_clipped", "gate_sums_clipped"):
                yield _with(SUMS_CLIPPED, f"at ±{bound}"), frozenset({f"{switch}:{bound}"})


def _with(mistake: Mistake, number: str) -> Mistake:
    return dataclasses.replace(mistake, title=f"{mistake.title} {number}")
