"""What the exercises lab says: one sentence, readouts, notes, the equation with today's numbers."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.exercises import hiding
from core.exercises.hiding import SEEN, Deviation
from core.exercises.judged.explanation import MOST, MOST_IN_ONE
from core.exercises.judged.mistakes import mistakes
from widgets.base.formula import literal
from widgets.base.frame import Line, Passage, Readout
from widgets.base.numbers import equals, number, operand, percent, power_of_ten

TITLES = {
    "rnn_forward": ("transposing Whh", "forgetting h_0"),
    "rnn_bptt": ("leaving out the transpose", "forgetting the error from t + 1"),
    "lstm_cell": ("swapping i and f", "swapping g and o"),
    "lstm_cell_backward": ("forgetting dc_new", "leaving out the way through h_new"),
    "gru_cell": ("resetting after the product", "exchanging z and 1 − z"),
}
"""What is done wrong, in the order of `core.exercises.hiding.MISTAKES`."""
RESULTS = {exercise: names[0] for exercise, names in hiding.RESULTS.items()}
"""Which result is drawn."""
_CHAINED = {
    "lstm_cell_backward": "Here T calls make a chain whose last one gets dc_new = 0. A single call with another "
    "dc_new shows that it is forgotten."
}
"""What would be different in one call of a function that is a single step."""
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


def readouts(exercise: str, both: Named) -> list[Readout]:
    """For each mistake how far it is off at last, and at how many lengths nobody would see it."""
    shown = []
    for key, (title, deviation) in zip(KEYS, both, strict=True):
        off, steps = float(deviation.off[-1]), len(deviation.off)
        unseen = int(np.sum(deviation.off < SEEN))
        shown += [
            Readout(key, f"{title}: off at {equals('T', steps)}", percent(off), off),
            Readout(
                f"{key}_unseen",
                f"{title}: lengths without a trace in {RESULTS[exercise]}",
                f"{unseen} of {steps}",
                unseen,
            ),
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


def notes(exercise: str, both: Named) -> list[str]:
    """Where a mistake hides, and which other result of the function shows it there."""
    said = [_hiding(title, deviation, RESULTS[exercise]) for title, deviation in both]
    said.append(_CHAINED.get(exercise))
    return ["This page runs no code of yours: you check your file on your own machine.", *filter(None, said)]


def _hiding(title: str, deviation: Deviation, result: str) -> str:
    unseen = deviation.off < SEEN
    lengths = _stretch(unseen)
    if not lengths:
        return ""
    start = f"{title[0].upper()}{title[1:]} leaves no trace in"
    shown = [
        (other.off[n], n + 1, name)
        for name, other in deviation.elsewhere.items()
        for n in np.flatnonzero(unseen & (other.off >= SEEN))
    ]
    if shown:
        off, T, name = max(shown)
        return f"{start} {result} {lengths}, but at {equals('T', T)} {name} is off by {percent(off)}."
    *names, last = result, *deviation.elsewhere
    return f"{start} {', '.join(names)}{' or ' if names else ''}{last} {lengths}."


def _stretch(unseen: np.ndarray) -> str:
    """At which lengths nothing is seen: at all, at the first or at the last; empty if at none of these."""
    if unseen.all():
        return "at any length"
    if unseen[0]:
        return f"before {equals('T', int(np.argmin(unseen)) + 1)}"
    return f"after {equals('T', len(unseen) - int(np.argmin(unseen[::-1])))}" if unseen[-1] else ""


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
