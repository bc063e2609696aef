"""What the cliff lab says: the sentence, the arithmetic and the notes, each in agreement with the readouts."""

import numpy as np

from core.cliff import ARRIVED, CliffUnit, Descent
from core.cliff_search import minimum, steepest
from widgets.base.numbers import factor, moved, number, operand, result, rounded
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
    if run.stuck_at is not None and run.stuck_at <= n:
        return f", where {who} stuck (gradient {'=' if run.gradient[n] == 0 else '≈'} 0)"
    following = run.bias[n + 1] - run.bias[n]
    if _thrown(run, n) and abs(following) < _CRAWL and run.loss[n] > ARRIVED:
        return f", where {who} as good as stuck (the next step is {number(following)})"
    return ""


def _after_updates(lab, free: Descent, clipped: Descent) -> str:
    n = lab.update
    said = f"After {n} update{'s' * (n != 1)}"
    if np.array_equal(free.bias[: n + 1], clipped.bias[: n + 1]):
        where = _whereabouts(lab, free, "are", "were")
        return f"{said} both runs {where}{_landing(free, n, 'they are')}: clipping has not touched them."
    one, other = (_whereabouts(lab, run, "is", "was") for run in (clipped, free))
    return f"{said} the clipped run {one}; the unclipped one {other}{_landing(free, n)}."


def _whereabouts(lab, run: Descent, present: str, past: str) -> str:
    """Where the run is; one that steps across the minimum and back has not been thrown away from it."""
    n, crossing = lab.update, _crossing(lab, run)
    went = f"{past} thrown out to" if _thrown(run, n) and not crossing else f"{present} at"
    return f"{went} b = {moved(*run.bias[n - 1 : n + 1])} with a loss of {number(run.loss[n])}{crossing}"


def _crossing(lab, run: Descent) -> str:
    """That the run, not yet down, steps over the minimum with the last update, and back with the next."""
    lowest = minimum(lab.unit())
    if lowest is None or run.loss[lab.update] <= ARRIVED:
        return ""
    before, here, after = np.sign(run.bias[lab.update - 1 : lab.update + 2] - lowest)
    return ", stepping to and fro across the minimum" if before == after == -here else ""


def _thrown(run: Descent, n: int) -> bool:
    """Whether the run is out of the picture after n updates, and a long step was among them."""
    return not in_picture(run.bias[n]) and np.abs(np.diff(run.bias[: n + 1])).max() >= _THROW


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
    found += _leaving(free.bias[lab.update : lab.update + 2], clipped.bias[lab.update : lab.update + 2])
    stride = _stride(clipped)
    if stride and lab.update:
        across = (
            f", across the minimum at {place(lowest)}"
            if lowest is not None and stride[0] < lowest < stride[1]
            else ""
        )
        found.append(
            f"In the end the clipped run steps to and fro between {place(stride[0])} and {place(stride[1])}{across}."
        )
    return found


def _leaving(free: np.ndarray, clipped: np.ndarray) -> list[str]:
    """Which of the next steps, each from one bias to another, end outside the picture."""
    names = ("unclipped", "clipped")
    out = {
        name: moved(*step)
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
