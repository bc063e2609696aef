"""How much of a memory is left after t steps of dropout: as drawn many times, and by closed form.

The memory and the schemes are those of `core.memory_masks`: N units that hold the bit, each by itself. With d_t the
number of draws that decide about a unit within t steps, t of a fresh mask, 1 of one that lasts, 0 of none on the way,
and ρ = rate:

    q_t = (1 − ρ)^{d_t}               a unit still holds the bit
    share of units left               mean q_t,        variance q_t (1 − q_t)/N
    a unit that is left               1/(1 − ρ)^t: inverted dropout scales it at every step with a mask
    mean value over the units         mean q_t/(1 − ρ)^t,    variance q_t (1 − q_t)/(N (1 − ρ)^{2t})
    at least one unit is left         1 − (1 − q_t)^N
    none is left                      (1 − q_t)^N

A fresh mask keeps the mean value at 1, and yet nearly every memory is empty soon: the mean is that of the few that are
not and have grown beyond measure. A mask that lasts takes its share once, and the rest can be told from it for ever;
that its scale multiplies too is what gates and squashing have to take up. All are decadic logarithms: at a rate of .8
q_500 = 10^−349 is no float64 any more. −inf stands for a true zero.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.draws import generator, read_only
from core.memory_masks import SCHEMES
from core.validation import one_of, share_below_one, whole_number

_LOG10_OF_E = 1 / math.log(10)


@dataclass(frozen=True)
class DrawnShares:
    """The share of units that still hold the bit after 0, 1, … T steps, in D memories; each between 0 and 1."""

    each: np.ndarray
    """(D, T + 1): every memory by itself."""
    low: np.ndarray
    """(T + 1,): a tenth of the memories hold this or less."""
    median: np.ndarray
    """(T + 1,): half of them do."""
    high: np.ndarray
    """(T + 1,): nine tenths of them do."""

    @property
    def empty(self) -> np.ndarray:
        """(T + 1,): the share of the memories in which no unit holds the bit any more."""
        return np.mean(self.each == 0, axis=0)

    @property
    def half_gone(self) -> int | None:
        """The first step after which half of the memories hold half of their units or less; None if none does."""
        half = self.median <= 0.5
        return int(np.argmax(half)) if half.any() else None


@dataclass(frozen=True)
class ShareLaw:
    """The closed forms after 0, 1, … T steps, each (T + 1,), as log10."""

    log10_survival: np.ndarray
    """q_t: a unit still holds the bit, which is the mean share of units left."""
    log10_share_variance: np.ndarray
    """Of the share of units left."""
    log10_scale: np.ndarray
    """What a unit that is left has grown to."""
    log10_mean_value: np.ndarray
    """Mean over the units of what they hold, as it is expected."""
    log10_value_variance: np.ndarray
    """Of that mean over the units."""
    log10_any_left: np.ndarray
    """At least one unit of the N still holds the bit."""
    log10_all_gone: np.ndarray
    """None of the N does."""


def drawn_shares(
    scheme: str, rate: float, steps: int, units: int = 64, memories: int = 201, seed: int = 0
) -> DrawnShares:
    """The share of units left in many memories of N ``units``, each with draws of its own.

    A unit's whole life is drawn at once, instead of a mask at each step: with v uniform in (0, 1] it holds the bit
    at step t where v ≤ q_t, which has the same law. v depends on the seed and the number of units alone: a larger rate
    ends lives sooner. Percentiles are those of the memories themselves, the next one up. Raises ValueError for another
    scheme, a rate that is not from 0 to below 1, and other numbers out of range.
    """
    rate, steps, units = _checked(scheme, rate, steps, units)
    memories = whole_number("memories", memories, least=1)
    shares = _units_left(scheme, rate, steps, _lives(memories, units, whole_number("seed", seed, least=0)))
    ordered = np.sort(shares, axis=0)
    low, median, high = (ordered[min(memories * tenths // 10, memories - 1)] / units for tenths in (1, 5, 9))
    return DrawnShares(shares / units, low, median, high)


def share_law(scheme: str, rate: float, steps: int, units: int = 64) -> ShareLaw:
    """The closed forms for a memory of N ``units``. Raises ValueError as `drawn_shares` does."""
    rate, steps, units = _checked(scheme, rate, steps, units)
    kept = math.log1p(-rate)
    log_q = kept * _deciding_draws(scheme, steps)
    scale = -kept * np.arange(steps + 1.0) if SCHEMES[scheme].in_memory else np.zeros(steps + 1)
    with np.errstate(divide="ignore"):
        variance = log_q + np.log(-np.expm1(log_q)) - math.log(units)
    any_left, all_gone = _log_any(log_q, units), units * _log_complement(log_q)
    logarithms = log_q, variance, scale, log_q + scale, variance + 2 * scale, any_left, all_gone
    # A logarithm of 1 comes out as −0 here and there, and would be printed so; adding 0 takes the sign away.
    with np.errstate(under="ignore"):
        return ShareLaw(*(logarithm * _LOG10_OF_E + 0.0 for logarithm in logarithms))


def half_life(scheme: str, rate: float) -> float:
    """Steps after which half of the units are left, log ½ / log(1 − ρ); ∞ where the share settles or stays.

    Raises ValueError for another scheme, and for a rate that is not from 0 to below 1.
    """
    rate, _, _ = _checked(scheme, rate, 1, 1)
    kind = SCHEMES[scheme]
    if not (kind.in_memory and kind.every_step) or rate == 0:
        return math.inf
    return math.log(0.5) / math.log1p(-rate)


def _deciding_draws(scheme: str, steps: int) -> np.ndarray:
    """d_t for t = 0 … T."""
    kind, t = SCHEMES[scheme], np.arange(steps + 1.0)
    if not kind.in_memory:
        return np.zeros_like(t)
    return t if kind.every_step else np.minimum(t, 1)


def _log_any(log_q: np.ndarray, units: int) -> np.ndarray:
    """log(1 − (1 − q)^N), which is N q as q gets small, also where q is no float any more."""
    exact = _log_complement(units * _log_complement(log_q))
    return np.where(log_q < -600, math.log(units) + log_q, exact)


def _log_complement(log_q: np.ndarray) -> np.ndarray:
    """log(1 − q) from log q, with all its digits at both ends."""
    with np.errstate(divide="ignore", under="ignore"):
        return np.where(log_q > -1, np.log(-np.expm1(log_q)), np.log1p(-np.exp(log_q)))


def _units_left(scheme: str, rate: float, steps: int, log_v: np.ndarray) -> np.ndarray:
    """How many units still hold the bit, integers (D, T + 1), from log v (D, N)."""
    memories, units = log_v.shape
    if rate == 0 or not SCHEMES[scheme].in_memory:
        return np.full((memories, steps + 1), units)
    # v ≤ (1 − ρ)^d where d ≤ log v / log(1 − ρ): the number of draws that a unit outlives.
    with np.errstate(over="ignore"):
        outlived = np.minimum(log_v / math.log1p(-rate), steps).astype(int)
    if not SCHEMES[scheme].every_step:
        outlived = np.where(outlived >= 1, steps, 0)
    cells = outlived + (steps + 1) * np.arange(memories)[:, None]
    ends = np.bincount(cells.ravel(), minlength=memories * (steps + 1)).reshape(memories, steps + 1)
    return np.cumsum(ends[:, ::-1], axis=1)[:, ::-1]


@lru_cache(maxsize=8)
def _lives(memories: int, units: int, seed: int) -> np.ndarray:
    """log v (D, N) of uniform v in (0, 1], kept: a slider that sets the rate does not change it."""
    return read_only(np.log(1 - generator("lives", units, seed).random((memories, units))))


def _checked(scheme: str, rate: float, steps: int, units: int) -> tuple[float, int, int]:
    one_of("scheme", scheme, SCHEMES)
    return (
        share_below_one("rate", rate),
        whole_number("steps", steps, least=1),
        whole_number("units", units, least=1),
    )
