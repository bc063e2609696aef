"""What the cliff lab says: the sentence, the arithmetic and the notes, each in agreement with the readouts."""

import numpy as np

from core.cliff import ARRIVED, CliffUnit, Descent
from core.cliff_search import minimum, steepest
from widgets.base.numbers import factor, moved, number, operand, result, rounded

_SETTLED = 10
"""Updates over which a run is judged to step to and fro."""
_THROW = 0.1
"""A step this long throws the run; one that leaves the range in shorter ones walks."""
_CRAWL = 1e-6
"""A run out there with steps this short would not be back after a million of them."""


def sentence(lab, free: Descent, clipped: Descent) -> str:
    if lab.update:
        return _after_updates(lab, free, clipped)
    gradient, limit = free.gradient[0], operand(lab.clip_norm)
    here = f"At b = {operand(lab.bias)} the gradient is {number(gradient)}:"
    if gradient == 0:
        return f"{here} no update moves b."
    if abs(gradient) <= lab.clip_norm:
        return f"{here} an update goes to {moved(*free.bias[:2])}, and clipping at {limit} does not touch it."
    return (
        f"{here} an unclipped update goes to {moved(*free.bias[:2])}"
        f"{_landing(free, 1, _thrown(lab, free, 1))}; "
        f"clipped at {limit} it goes to {moved(*clipped.bias[:2])}."
    )


def _landing(run: Descent, n: int, thrown: bool) -> str:
    """What awaits the run where it lands, if its updates have come to an end there, or as good as that."""
    if run.stuck_at is not None and run.stuck_at <= n:
        return f", where the run is stuck (gradient {'=' if run.gradient[n] == 0 else '≈'} 0)"
    following = run.bias[n + 1] - run.bias[n]
    if thrown and abs(following) < _CRAWL and run.loss[n] > ARRIVED:
        return f", where the run is as good as stuck (its next step is {number(following)})"
    return ""


def _after_updates(lab, free: Descent, clipped: Descent) -> str:
    n = lab.update
    thrown = _thrown(lab, free, n)
    return (
        f"After {n} update{'s' * (n != 1)} the clipped run is at b = {moved(*clipped.bias[n - 1 : n + 1])} "
        f"with a loss of {number(clipped.loss[n])}{_crossing(lab, clipped)}; the unclipped one "
        f"{'was thrown out to' if thrown else 'is at'} b = {moved(*free.bias[n - 1 : n + 1])} "
        f"with a loss of {number(free.loss[n])}{_landing(free, n, thrown)}."
    )


def _crossing(lab, run: Descent) -> str:
    """That the run steps over the minimum with the last update, and back with the next."""
    lowest = minimum(lab.unit())
    if lowest is None:
        return ""
    before, here, after = np.sign(run.bias[lab.update - 1 : lab.update + 2] - lowest)
    return ", stepping to and fro across the minimum" if before == after == -here else ""


def _thrown(lab, run: Descent, n: int) -> bool:
    """Whether the run is beyond the slider's range after n updates, and a long step was among them."""
    return not _in_range(lab, run.bias[n]) and np.abs(np.diff(run.bias[: n + 1])).max() >= _THROW


def _in_range(lab, bias: float) -> bool:
    low, high = lab.settings()["bias"].bounds
    return low <= bias <= high


def arithmetic(lab, state: float, free: Descent, clipped: Descent) -> list[str]:
    n, limit = lab.update, lab.clip_norm
    shortened = max(-limit, min(limit, clipped.gradient[n]))
    loss = (state - lab.target) ** 2
    return [
        f"L = (h_T − target)^2 = ({operand(state)} − {factor(lab.target)})^2 = {result(loss)}",
        f"unclipped: b − η·g = {_update(lab, free, n, free.gradient[n])}",
        f"clipped: b − η·g·min(1, {operand(limit)}/|g|) = {_update(lab, clipped, n, shortened)}",
    ]


def _update(lab, run: Descent, n: int, gradient: float) -> str:
    return f"{operand(run.bias[n])} − {operand(lab.learning_rate)}·{factor(gradient)} = {result(run.bias[n + 1])}"


def notes(lab, unit: CliffUnit, free: Descent, clipped: Descent) -> list[str]:
    wall, lowest = steepest(unit), minimum(unit)
    found = []
    if not _in_range(lab, wall.bias):
        found.append(f"The steepest point, b = {place(wall.bias)}, lies outside the slider’s range.")
    if not wall.resolved:
        found.append(
            "The wall is thinner than floating-point numbers can tell apart: the true slope is steeper than any shown."
        )
    if unit.fold is None:
        found.append("With w of at most 1 the unit has one attractor at every b: there is no fold.")
    if lowest is None:
        found.append("A target of ±1 is never quite reached: the loss has no minimum.")
    if not _in_range(lab, free.bias[lab.update + 1]):
        found.append(
            f"The unclipped step leaves the picture, to b = {moved(*free.bias[lab.update : lab.update + 2])}: "
            "b is not bound to the slider’s range."
        )
    stride = _stride(clipped)
    if stride and lab.update:
        across = (
            f", across the minimum at {place(lowest)}" if lowest and stride[0] < lowest < stride[1] else ""
        )
        found.append(
            f"In the end the clipped run steps to and fro between {place(stride[0])} and {place(stride[1])}{across}."
        )
    return found


def place(bias: float) -> str:
    """A bias with five digits."""
    return rounded(bias, 5)


def _stride(run: Descent) -> tuple[float, float] | None:
    """Between which biases the run steps to and fro at last, if it does."""
    late = run.bias[-_SETTLED:]
    moves = np.sign(np.diff(late))
    if (moves[1:] * moves[:-1] < 0).all():
        return float(late.min()), float(late.max())
    return None
