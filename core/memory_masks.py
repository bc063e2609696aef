"""Where dropout puts its masks around a memory that must hold a bit, how long one draw lasts, and what is left.

The memory has N units, each of which hands its own value to its next step with weight 1 (the constant error carousel
of Hochreiter and Schmidhuber, 1997; the identity of Le, Jaitly and Hinton, 2015). The bit is written into all of them
before the first step, h_0 = 1, and no unit ever writes to another: what noise takes, nothing brings back.

    fresh           h_t = m_t ⊙ h_{t−1}        a mask of its own at every step
    variational     h_t = m ⊙ h_{t−1}          one mask for the sequence (Gal and Ghahramani, 2016; Moon et al., 2015)
    dropconnect     h_t = h_{t−1} (M ⊙ I)      one mask on the recurrent matrix (Wan et al., 2013; Merity, Keskar and
                                               Socher, 2018); of the identity the diagonal alone matters, so that
                                               here this is the law of "variational"
    non-recurrent   h_t = h_{t−1}              masks on what enters and leaves the memory alone, fresh at every step
                                               (Zaremba, Sutskever and Vinyals, 2014)
    none            h_t = h_{t−1}

Dropout is inverted: an entry of a mask is 0 with probability ``rate`` and 1/(1 − rate) otherwise, so that a mask's
mean is 1 and nothing needs to change when the network is read without noise. Along a memory these factors multiply.
Gal and Ghahramani mask what enters and leaves as well; here the recurrent mask is looked at alone. In gated cells
the usual masks spare the cell itself (Semeniuta, Severyn and Barth, 2016, "Recurrent dropout without memory loss").
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from core.draws import generator, read_only
from core.validation import instance_of, one_of, share_below_one, whole_number


class Scheme(NamedTuple):
    """Where a scheme's masks sit, and how long one of them lasts."""

    masked: str
    """"nothing", "state" (h on its way to the next step), "weights" (the recurrent matrix) or "inputs" (what
    enters each layer, and the softmax)."""
    every_step: bool
    """Whether each step draws its own; otherwise one draw serves the sequence."""

    @property
    def in_memory(self) -> bool:
        """Whether a mask lies on the memory's own way through time."""
        return self.masked in ("state", "weights")


SCHEMES = {
    "none": Scheme("nothing", False),
    "fresh": Scheme("state", True),
    "variational": Scheme("state", False),
    "non-recurrent": Scheme("inputs", True),
    "dropconnect": Scheme("weights", False),
}


@dataclass(frozen=True)
class MemoryMasks:
    """One draw of masks for T steps of N units; every entry is 0 or 1/(1 − rate), None where nothing is masked."""

    inputs: np.ndarray | None = None
    """(T, N): on what would enter the memory at each step."""
    state: np.ndarray | None = None
    """(T, N): on h_{t−1} as it goes to step t; the rows are all alike where one draw lasts."""
    weights: np.ndarray | None = None
    """(N, N): on the recurrent matrix."""
    outputs: np.ndarray | None = None
    """(T, N): on what the memory shows the next layer at each step."""


class Crossings(NamedTuple):
    """How often a bit meets a mask between the input of step 1 and the softmax of step T."""

    masks: int
    """Masked connections on its way."""
    draws: int
    """Draws that decide about it: masks that are the same draw count once. It gets through with (1 − rate)^draws."""


def memory_masks(scheme: str, rate: float, steps: int, units: int = 64, seed: int = 0) -> MemoryMasks:
    """One draw of a scheme's masks.

    Draws depend on the seed and the number of units alone: a larger rate drops what a smaller one drops and more,
    and more steps go on from where fewer end. Raises ValueError for another scheme, a rate that is not from 0 to
    below 1, and steps, units or a seed out of range.
    """
    one_of("scheme", scheme, SCHEMES)
    rate = share_below_one("rate", rate)
    steps = whole_number("steps", steps, least=1)
    units = whole_number("units", units, least=1)
    seed = whole_number("seed", seed, least=0)

    def mask(place: str, rows: int) -> np.ndarray:
        return (_uniform(place, rows, units, seed) >= rate) / (1 - rate)

    masked, every_step = SCHEMES[scheme]
    if masked == "state":
        return MemoryMasks(
            state=np.broadcast_to(mask("state_masks", steps if every_step else 1), (steps, units))
        )
    if masked == "weights":
        return MemoryMasks(weights=mask("weight_masks", units))
    if masked == "inputs":
        return MemoryMasks(inputs=mask("input_masks", steps), outputs=mask("output_masks", steps))
    return MemoryMasks()


def passed_on(masks: MemoryMasks, steps: int, units: int) -> np.ndarray:
    """Which units each of T steps lets through, booleans (T, N): where no mask on the memory's own way is 0.

    Raises ValueError for what is no `MemoryMasks`, for masks that are not those of ``steps`` steps of ``units`` units,
    and for numbers below 1.
    """
    instance_of("masks", masks, MemoryMasks)
    shape = whole_number("steps", steps, least=1), whole_number("units", units, least=1)
    passed = np.ones(shape, dtype=bool)
    for name, mask, wanted in (("state", masks.state, shape), ("weights", masks.weights, (units, units))):
        if mask is None:
            continue
        if mask.shape != wanted:
            raise ValueError(f"masks.{name} must have shape {wanted}, got {mask.shape}")
        passed &= mask != 0 if name == "state" else np.diag(mask) != 0
    return passed


def units_left(masks: MemoryMasks, steps: int, units: int) -> np.ndarray:
    """Which units still hold the bit after 0, 1, … T steps: booleans (T + 1, N), from the masks themselves.

    Raises ValueError as `passed_on` does.
    """
    passed = passed_on(masks, steps, units)
    return np.vstack([np.ones(units, dtype=bool), np.logical_and.accumulate(passed)])


def crossings(scheme: str, steps: int, layers: int = 1) -> Crossings:
    """How often a bit of step 1 meets a mask on its way up through ``layers`` and along T − 1 hops through time.

    Off the memory's way that is once for each layer that it enters and once for the softmax, L + 1, however far
    it has to go (Zaremba, Sutskever and Vinyals, 2014). It is taken to go through time in one layer. Raises ValueError
    for another scheme, and for numbers below 1.
    """
    kind = SCHEMES[one_of("scheme", scheme, SCHEMES)]
    hops = whole_number("steps", steps, least=1) - 1
    layers = whole_number("layers", layers, least=1)
    if kind.masked == "inputs":
        return Crossings(layers + 1, layers + 1)
    if not kind.in_memory:
        return Crossings(0, 0)
    return Crossings(hops, hops if kind.every_step else min(hops, 1))


@lru_cache(maxsize=16)
def _uniform(stream: str, rows: int, units: int, seed: int) -> np.ndarray:
    """What every mask is cut from, kept: a slider that sets the rate does not change it."""
    return read_only(generator(stream, units, seed).random((rows, units)))
