"""What the dropout lab looks at: one memory with its masks, many drawn alike, and the closed forms of every scheme."""

from dataclasses import dataclass

import numpy as np

from core.memory_masks import SCHEMES, MemoryMasks, memory_masks, passed_on, units_left
from core.memory_noise import DrawnShares, ShareLaw, drawn_shares, share_law
from widgets.base.frame import Columns

UNITS = 25
"""N: few enough for each to have a row of its own on the screen."""
MEMORIES = 201
"""An odd number, so that the median is one of them."""
LEAST = -np.log10(UNITS)
"""log10 of one unit's share: the least that a memory holds before it holds nothing."""


@dataclass(frozen=True)
class Noise:
    """Everything that a choice of settings comes to."""

    scheme: str
    rate: float
    steps: int
    masks: MemoryMasks
    passed: np.ndarray
    """(T, N): which units each step of the memory that is shown lets through."""
    left: np.ndarray
    """(T + 1, N): which of them still hold the bit."""
    drawn: DrawnShares
    laws: dict[str, ShareLaw]
    """Of every scheme."""

    @property
    def law(self) -> ShareLaw:
        """Of the chosen scheme."""
        return self.laws[self.scheme]


def noise(scheme: str, rate: float, steps: int, seed: int) -> Noise:
    """Draw the masks and the memories, and work out the closed forms."""
    masks = memory_masks(scheme, rate, steps, UNITS, seed)
    return Noise(
        scheme,
        rate,
        steps,
        masks,
        passed_on(masks, steps, UNITS),
        units_left(masks, steps, UNITS),
        drawn_shares(scheme, rate, steps, UNITS, MEMORIES, seed),
        {name: share_law(name, rate, steps, UNITS) for name in SCHEMES},
    )


def column(scheme: str) -> str:
    """The scheme's name as that of a column."""
    return scheme.replace("-", "_")


def shares(noise: Noise) -> Columns:
    """log10 of the share of units left: every scheme by closed form, the chosen one as drawn."""
    drawn = noise.drawn
    low, high = (_log10(edge) for edge in (drawn.low, drawn.high))
    return {
        "t": np.arange(noise.steps + 1),
        **{column(name): law.log10_survival for name, law in noise.laws.items()},
        "median": _log10(drawn.median),
        "shown": _log10(noise.left.mean(axis=1)),
        "one_unit": np.full(noise.steps + 1, LEAST),
        "low": np.where(np.isfinite(high), np.maximum(low, LEAST), np.nan),
        "high": np.where(np.isfinite(high), high, np.nan),
    }


def reach(noise: Noise, drawn: Columns) -> Columns:
    """log10 of the least share that the chosen scheme comes down to: its closed form, and what is drawn of it."""
    least = np.concatenate([noise.law.log10_survival, drawn["low"], drawn["shown"]])
    return {"least": [float(least[np.isfinite(least)].min())]}


def gone(noise: Noise) -> Columns:
    """The probability that nothing is left: of the chosen scheme as drawn and by closed form, and of fresh masks."""
    return {
        "t": np.arange(noise.steps + 1),
        "drawn": noise.drawn.empty,
        "law": 10.0**noise.law.log10_all_gone,
        "fresh": 10.0 ** noise.laws["fresh"].log10_all_gone,
    }


def _log10(shares: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.log10(shares)
