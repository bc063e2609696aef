"""What the dropout lab says: one sentence, readouts, the equations with today's numbers, notes, the data table."""

import math

import numpy as np

from core.memory_masks import SCHEMES, Crossings, crossings
from core.memory_noise import half_life
from core.products import power_of_ten
from widgets.base.frame import Readout, Table, log_readout, readout
from widgets.base.numbers import equals, from_log10, number, operand, percent, result
from widgets.dropout.curves import MEMORIES, UNITS, Noise
from widgets.dropout.network import LAYERS

NAMES = {
    "none": "none",
    "fresh": "fresh",
    "variational": "variational",
    "non-recurrent": "non-recurrent",
    "dropconnect": "DropConnect",
}
_NEARLY_ALL = 0.9
_ALL = percent(1)
_PERCENT = -3.0
"""log10 of the share down to which it is said in percent."""


def sentence(noise: Noise) -> str:
    """What today's settings come to."""
    share, T, dropped = _share(noise.law.log10_survival[-1]), noise.steps, percent(noise.rate)
    memory = f"{UNITS} units hold one bit"
    if noise.scheme == "none":
        return f"No noise at all: {memory}, and all hold it at step {T}, as with noise off the memory’s way."
    if noise.rate == 0:
        return f"At rate 0 nothing is dropped: {memory}, and all hold it at step {T}, wherever the masks sit."
    if noise.scheme == "fresh":
        halved = f"fresh masks halve them in {_steps(half_life('fresh', noise.rate))}"
        return f"{_verdict(noise)}: {memory}; {halved}; at step {T}, {share} of them still hold it."
    if noise.scheme == "non-recurrent":
        return f"Here: {memory}, and {dropped} noise on what enters and leaves costs none; all hold it at step {T}."
    takes = "one mask takes" if noise.scheme == "variational" else "weight noise takes"
    lost = UNITS - int(noise.left[1].sum())
    return (
        f"Once only: {memory}; {takes} {dropped} of them at step 1 (in this draw {lost}); "
        f"{share} hold it to step {T}."
    )


def _verdict(noise: Noise) -> str:
    """Whether noise may go where it goes: by whether half of a memory, or nearly all of it, is left."""
    left = noise.law.log10_survival[-1]
    if left < math.log10(0.5):
        return "Not here"
    return "Not for long" if left < math.log10(_NEARLY_ALL) else "Hardly felt yet"


def readouts(noise: Noise) -> list[Readout]:
    law, drawn, T = noise.law, noise.drawn, noise.steps
    last = equals("t", T)
    met = crossings(noise.scheme, T, LAYERS)
    return [
        _half_life(noise),
        _half_gone(drawn.half_gone, T),
        log_readout("share", f"units left, mean, {last}", law.log10_survival[-1]),
        readout("median", f"units left, median drawn, {last}", drawn.median[-1]),
        _middle(noise),
        log_readout("all_gone", f"probability that all is gone, {last}", law.log10_all_gone[-1]),
        readout("empty", f"share of {MEMORIES} memories all gone, {last}", drawn.empty[-1]),
        log_readout("scale", f"a unit that is left holds, {last}", law.log10_scale[-1]),
        log_readout("mean_value", f"mean over all units, {last}", law.log10_mean_value[-1]),
        Readout(
            "masks",
            f"masks a bit meets from step 1 to step {T}, {LAYERS} layers{_one_more(noise)}",
            _met(met),
            float(met.masks),
        ),
    ]


def _middle(noise: Noise) -> Readout:
    """Where the middle of the memories lies; a script reads how wide that is."""
    low, high = noise.drawn.low[-1], noise.drawn.high[-1]
    label = f"units left, middle {percent(0.8)} drawn, {equals('t', noise.steps)}"
    return Readout("middle", label, f"{number(low)} to {number(high)}", float(high - low))


def _half_life(noise: Noise) -> Readout:
    steps = half_life(noise.scheme, noise.rate)
    text = _steps(steps) if math.isfinite(steps) else "none: it stays"
    if SCHEMES[noise.scheme].in_memory and noise.rate and not math.isfinite(steps):
        text = "none: it settles"
    return Readout("half_life", "half-life of the share", text, steps)


def _half_gone(step: int | None, last: int) -> Readout:
    label = "half gone, in half of the memories"
    if step is None:
        return Readout("half_gone", label, f"not by step {last}", math.inf)
    return Readout("half_gone", label, f"at step {step}", float(step))


def _one_more(noise: Noise) -> str:
    """Why the equations count a step more: they are about the memory above."""
    return " (the memory, written before step 1, meets one more)" if SCHEMES[noise.scheme].in_memory else ""


def _met(met: Crossings) -> str:
    if met.masks == met.draws:
        return f"{met.masks}"
    return f"{met.masks}, one draw" if met.draws == 1 else f"{met.masks}, {met.draws} draws"


def arithmetic(noise: Noise) -> list[str]:
    """Share, total loss and value, each reckoned from what is printed."""
    T, law, kept = noise.steps, noise.law, operand(1 - noise.rate)
    draws = _draws(noise)
    share = from_log10(law.log10_survival[-1])
    power = {0: "1", 1: kept}.get(draws, f"{kept}^{draws}")
    value = f"{power} = {share}" if draws > 1 else power
    lines = [
        f"q_{T} = (1 − ρ)^{draws} = {value}",
        f"all gone: (1 − q_{T})^{UNITS} = {from_log10(law.log10_all_gone[-1])}",
    ]
    if SCHEMES[noise.scheme].in_memory:
        lines.append(f"a unit that is left: 1/(1 − ρ)^{T} = 1/{kept}^{T} = {from_log10(law.log10_scale[-1])}")
    if draws > 1 and noise.rate:
        steps = half_life(noise.scheme, noise.rate)
        lines.append(f"half-life: log 0.5/log(1 − ρ) = log 0.5/log {kept} = {result(steps)} steps")
    return lines


def _draws(noise: Noise) -> int:
    """How many draws decide about a unit: of the masks on T hops through time, from before the first step."""
    return crossings(noise.scheme, noise.steps + 1).draws if SCHEMES[noise.scheme].in_memory else 0


def notes(noise: Noise) -> list[str]:
    return [note for note in (_together(noise), _zero(noise), _scaled(noise)) if note]


def _together(noise: Noise) -> str:
    """Curves that coincide are named together in the figure, but where all of them do."""
    return "At rate 0 all schemes coincide: their lines lie within each other." if noise.rate == 0 else ""


def _zero(noise: Noise) -> str:
    """Where the median has no place on a logarithmic axis any more."""
    empty = noise.drawn.median == 0
    if not empty.any():
        return ""
    return (
        f"From step {int(np.argmax(empty))} on the median is 0, which has no place on a logarithmic axis: half of the "
        "memories are empty or more, and the closed form is a mean over ever fewer that are not."
    )


def _scaled(noise: Noise) -> str:
    """What else a mask does than drop."""
    if not SCHEMES[noise.scheme].in_memory or not noise.rate:
        return ""
    grown = from_log10(noise.law.log10_scale[-1])
    return (
        "Drawn is the share of units left, not what they hold: each step also divides by 1 − ρ what it keeps, so that "
        f"after {noise.steps} steps a unit that is left holds {grown} in place of 1."
    )


def data_table(noise: Noise) -> Table:
    """Every number that is drawn, step by step."""
    drawn, law = noise.drawn, noise.law
    return Table(
        f"Step by step: {MEMORIES} memories of {UNITS} units",
        [
            "t", "median share", "a tenth hold at most", "nine tenths hold at most", "the memory shown",
            *(f"closed form, {NAMES[name]}" for name in noise.laws),
            "memories all gone", "probability of that", "a unit that is left holds",
        ],
        [
            list(range(noise.steps + 1)), drawn.median.tolist(), drawn.low.tolist(), drawn.high.tolist(),
            noise.left.mean(axis=1).tolist(),
            *(_plain(other.log10_survival) for other in noise.laws.values()),
            drawn.empty.tolist(), _plain(law.log10_all_gone), _plain(law.log10_scale),
        ],
    )  # fmt: skip


def _plain(logs: np.ndarray) -> list[float | str]:
    """Numbers from their logarithms, as text where a float would not hold them."""
    plain = power_of_ten(logs)
    return [
        float(value) if log == -math.inf or abs(log) < 300 else from_log10(log)
        for log, value in zip(logs.tolist(), plain, strict=True)
    ]


def _share(log10: float) -> str:
    if log10 < _PERCENT:
        return from_log10(log10)
    said = percent(10.0**log10)
    return "nearly all" if said == _ALL and log10 < 0 else said


def _steps(steps: float) -> str:
    return "1 step" if steps == 1 else f"{number(steps)} steps"
