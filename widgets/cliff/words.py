"""What the cliff lab says: the sentence, the arithmetic and the notes, each in agreement with the readouts."""

import numpy as np

from core.cliff import ARRIVED, CliffUnit, Descent
from core.cliff_search import minimum, steepest
from widgets.base.numbers import equals, factor, moved, number, operand, result, rounded
from widgets.cliff.biases import in_picture, in_slider

_SETTLED = 10
"""Updates over which a run is judged to step to and fro."""
_THROW = 0.1
"""A step this long throws the run; one that leaves the picture in shorter ones walks."""
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
        f"{_landing(free, 1)}; "
        f"clipped at {limit} it goes to {moved(*clipped.bias[:2])}."
    )


def _landing(run: Descent, n: int, who: str = "the run is") -> str:
    """What awaits the run where it lands, if its updates have come to an end there, or as good as that."""
    loss = number(run.loss[n])
    if _stuck(run, n):
        return f", where {who} stuck at a loss of {loss} (gradient {'=' if run.gradient[n] == 0 else '≈'} 0)"
    if _as_good_as_stuck(run, n):
        following = number(run.bias[n + 1] - run.bias[n])
        return f", where {who} as good as stuck at a loss of {loss} (next step {following})"
    return ""


def _stuck(run: Descent, n: int) -> bool:
    return run.stuck_at is not None and run.stuck_at <= n


def _as_good_as_stuck(run: Descent, n: int) -> bool:
    short = abs(run.bias[n + 1] - run.bias[n]) < _CRAWL
    return bool(_thrown(run, n) and short and run.loss[n] > ARRIVED)


def _after_updates(lab, free: Descent, clipped: Descent) -> str:
    n = lab.update
    said = f"After {n} update{'s' * (n != 1)}"
    if np.array_equal(free.bias[: n + 1], clipped.bias[: n + 1]):
        where = _whereabouts(lab, free, "are", "were", _landing(free, n, "they are"))
        return f"{said} both runs {where}: clipping has not touched them."
    one = _whereabouts(lab, clipped, "is", "was")
    other = _whereabouts(lab, free, "is", "was", _landing(free, n, "it is"))
    return f"{said} the clipped run {one}; the unclipped one {other}."


def _whereabouts(lab, run: Descent, present: str, past: str, landing: str = "") -> str:
    """Where the run is; one that steps across the minimum and back has not been thrown away from it."""
    n, crossing = lab.update, _crossing(lab, run)
    went = f"{past} thrown out to" if _thrown(run, n) and not crossing else f"{present} at"
    loss = landing or f" with a loss of {number(run.loss[n])}"
    return f"{went} {equals('b', number(run.bias[n]))}{loss}{crossing}"


def _crossing(lab, run: Descent) -> str:
    """That the run, not yet down, steps over the minimum with the last update, and back with the next."""
    lowest = minimum(lab.unit())
    if lowest is None or run.loss[lab.update] <= ARRIVED:
        return ""
    before, here, after = np.sign(run.bias[lab.update - 1 : lab.update + 2] - lowest)
    return ", stepping to and fro across the minimum (loss 0)" if before == after == -here else ""


def _thrown(run: Descent, n: int) -> bool:
    """Whether the run is out of the picture after n updates, and a long step was among them."""
    return not in_picture(run.bias[n]) and np.abs(np.diff(run.bias[: n + 1])).max() >= _THROW


def arithmetic(lab, state: float, free: Descent, clipped: Descent) -> list[str]:
    n, limit = lab.update, lab.clip_norm
    shortened = max(-limit, min(limit, clipped.gradient[n]))
    loss = (state - lab.target) ** 2
    return [
        f"at the slider’s b: L = (h_T − target)^2 = ({operand(state)} − {factor(lab.target)})^2 = {result(loss)}",
        f"run, update {n + 1}, unclipped: b − η·g = {_update(lab, free, n, free.gradient[n])}",
        f"run, update {n + 1}, clipped: b − η·g·min(1, {operand(limit)}/|g|) = {_update(lab, clipped, n, shortened)}",
    ]


def _update(lab, run: Descent, n: int, gradient: float) -> str:
    """The update with its numbers put in; a step too short to show in what b comes to is named."""
    before, after = (float(bias) for bias in run.bias[n : n + 2])
    digits = next((d for d in range(4, 8) if rounded(before, d) != rounded(after, d)), 7)
    unseen = f" (step {result(after - before)})" if operand(before) == operand(after) != before else ""
    came_to = rounded(after, digits, padded=True)
    return f"{operand(before)} − {operand(lab.learning_rate)}·{factor(gradient)} = {came_to}{unseen}"


def notes(lab, unit: CliffUnit, free: Descent, clipped: Descent) -> list[str]:
    wall, lowest = steepest(unit), minimum(unit)
    found = []
    if not in_slider(wall.bias):
        found.append(f"The steepest point, b = {place(wall.bias)}, lies outside the slider’s range.")
    if not wall.resolved:
        found.append(
            "The wall is thinner than floating-point numbers can tell apart: the true slope is steeper than any shown."
        )
    if unit.fold is None:
        found.append("With w of at most 1 the unit has one attractor at every b: there is no fold.")
    elif not in_picture(unit.fold):
        found.append(f"The fold, b = {place(unit.fold)}, lies outside the picture.")
    if lowest is None:
        found.append("A target of ±1 is never quite reached: the loss has no minimum.")
    found += _saturation(lab, free, lowest)
    found += _leaving(free.bias[lab.update : lab.update + 2], clipped.bias[lab.update : lab.update + 2])
    stride, late = _stride(clipped), clipped.loss[-_SETTLED:]
    if stride and lab.update:
        across = (
            f", across the minimum at {place(lowest)}"
            if lowest is not None and stride[0] < lowest < stride[1]
            else ""
        )
        found.append(
            f"In the end the clipped run steps to and fro between {place(stride[0])} and {place(stride[1])}{across}; "
            f"its loss swings from {number(late.min())} to {number(late.max())}."
        )
    return found


def _saturation(lab, free: Descent, lowest: float | None) -> list[str]:
    """Why a run that was thrown out is not well off there, however low its loss looks beside that of the other."""
    n = max(1, lab.update)
    state = int(np.sign(free.bias[n]))
    loss = (state - lab.target) ** 2
    stuck = _stuck(free, n) or _as_good_as_stuck(free, n)
    if lowest is None or not stuck or not np.isclose(free.loss[n], loss, rtol=1e-3):
        return []
    reckoned = f"({operand(state)} − {factor(lab.target)})^2 = {number(loss)}"
    return [
        f"Far out the unit is saturated, h = {operand(state)}, and its loss {reckoned} whatever b is: "
        f"without a gradient it gets no lower. At the minimum, b = {place(lowest)}, the loss is 0."
    ]


def _leaving(free: np.ndarray, clipped: np.ndarray) -> list[str]:
    """Which of the next steps, each from one bias to another, end outside the picture."""
    names = ("unclipped", "clipped")
    out = {
        name: number(step[1])
        for name, step in zip(names, (free, clipped), strict=True)
        if not in_picture(step[1])
    }
    if not out:
        return []
    if len(out) == 1:
        said = "".join(f"The {name} step leaves the picture, to b = {end}" for name, end in out.items())
    elif free[1] == clipped[1]:
        said = f"Both steps leave the picture, to b = {out['clipped']}"
    else:
        ends = ", ".join(f"the {name} one to b = {end}" for name, end in out.items())
        said = f"Both steps leave the picture, {ends}"
    return [f"{said}: b is not bound to the slider’s range."]


def place(bias: float) -> str:
    """A bias with five digits."""
    return rounded(bias, 5)


def _stride(run: Descent) -> tuple[float, float] | None:
    """Between which biases the run, which never gets down, steps to and fro at last, if it does."""
    if run.loss[-_SETTLED:].max() <= ARRIVED:
        return None
    late = run.bias[-_SETTLED:]
    moves = np.sign(np.diff(late))
    if (moves[1:] * moves[:-1] < 0).all():
        return float(late.min()), float(late.max())
    return None
