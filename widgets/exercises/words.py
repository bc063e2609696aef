"""What the exercises lab says: one sentence, readouts, notes, the equation with today's numbers."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.exercises.hiding import SEEN, Deviation
from core.exercises.judged.explanation import MOST, MOST_IN_ONE
from core.exercises.judged.mistakes import mistakes
from widgets.base.formula import literal
from widgets.base.frame import Line, Passage, Readout
from widgets.base.numbers import number, operand, percent, power_of_ten

TITLES = {
    "rnn_forward": ("transposing Whh", "forgetting h_0"),
    "rnn_bptt": ("leaving out the transpose", "forgetting the error from t + 1"),
    "lstm_cell": ("swapping i and f", "swapping g and o"),
    "lstm_cell_backward": ("forgetting dc_new", "leaving out the way through h_new"),
    "gru_cell": ("resetting after the product", "exchanging z and 1 − z"),
}
"""What is done wrong, in the order of `core.exercises.hiding.MISTAKES`."""
RESULTS = {
    "rnn_forward": "h_T", "rnn_bptt": "dWhh", "lstm_cell": "h_T", "lstm_cell_backward": "dU", "gru_cell": "h_T",
}  # fmt: skip
"""Which result is looked at."""
KEYS = ("solid", "dashed")

Named = Sequence[tuple[str, Deviation]]


def named(exercise: str, found: Mapping[str, Deviation]) -> Named:
    """The exercise's two mistakes in words, each with how far it is off."""
    return list(zip(TITLES[exercise], found.values(), strict=True))


def sentence(exercise: str, both: Named) -> str:
    """How far both are off at the longest length."""
    steps, result = len(both[0][1].off), RESULTS[exercise]
    (first, seen), (second, also_seen) = ((title, deviation.off[-1]) for title, deviation in both)
    said = _puts_off(first, seen, result)
    if seen >= SEEN and also_seen >= SEEN:
        said += f", {second} by {percent(also_seen)}"
    else:
        said += f"; {_puts_off(second, also_seen, result)}"
    return f"After {steps} step{'s' * (steps > 1)} {said}."


def _puts_off(title: str, off: float, result: str) -> str:
    return (
        f"{title} puts {result} off by {percent(off)}"
        if off >= SEEN
        else f"{title} cannot be seen in {result}"
    )


def readouts(both: Named) -> list[Readout]:
    """For each mistake how far it is off at last, and at how many lengths nobody would see it."""
    shown = []
    for key, (title, deviation) in zip(KEYS, both, strict=True):
        off, steps = float(deviation.off[-1]), len(deviation.off)
        unseen = int(np.sum(deviation.off < SEEN))
        shown += [
            Readout(key, f"{title}: off at T\u00a0=\u00a0{steps}", percent(off), off),
            Readout(f"{key}_unseen", f"{title}: lengths without a trace", f"{unseen} of {steps}", unseen),
        ]
    return shown


def arithmetic(exercise: str, both: Named) -> list[str]:
    """The relative error at the longest length, out of its two norms."""
    steps, result = len(both[0][1].off), RESULTS[exercise].removesuffix("_T")
    least = power_of_ten(round(math.log10(SEEN)))
    lines = [
        f"off = ‖wrong − right‖ / max(‖wrong‖, ‖right‖), of {RESULTS[exercise]}; below {least} it passes as right"
    ]
    for title, deviation in both:
        if deviation.larger[-1] > 0:
            distance, larger = operand(deviation.distance[-1]), operand(deviation.larger[-1])
            off = number(deviation.off[-1])
            lines.append(
                f"{title}: ‖Δ{result}‖ / max ‖{result}‖ = {distance}/{larger} = {off} at T = {steps}"
            )
    return lines


def notes(both: Named) -> list[str]:
    """Where a mistake hides."""
    said = (_hiding(title, deviation.off < SEEN) for title, deviation in both)
    return ["This page runs no code of yours: you check your file on your own machine.", *filter(None, said)]


def _hiding(title: str, unseen: np.ndarray) -> str:
    start = f"{title[0].upper()}{title[1:]} leaves no trace"
    if unseen.all():
        return f"{start} at any length: a test with these numbers does not find it."
    first_seen = int(np.argmin(unseen)) + 1
    if first_seen > 1:
        return f"{start} before T = {first_seen}: a test needs at least {first_seen} steps."
    last_seen = len(unseen) - int(np.argmin(unseen[::-1]))
    return f"{start} after T = {last_seen}: the network has forgotten it." if unseen[-1] else ""


def known_mistakes(exercise: str) -> Passage:
    """All that the check can name; the many orders of the gates come last."""
    known = sorted(mistakes(exercise), key=lambda mistake: "order_" in mistake.key)
    return Passage(
        "known",
        "Known mistakes",
        f"The check knows {len(known)} in {literal(exercise)}, and up to {MOST} of them made at once; more where no "
        f"value shows more than {MOST_IN_ONE}.",
        [Line(str(n), mistake.title) for n, mistake in enumerate(known, 1)],
    )
