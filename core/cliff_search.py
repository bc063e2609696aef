"""Where the loss of the one-unit cliff is lowest and where it is steepest, and a grid that shows both.

For a positive self-weight h_T rises with the bias, since ∂h_T/∂b is a sum of positive terms. So it passes the
target once, and passes 0 once, in the wall if there is one: both are found by halving an interval. The wall
may be very thin, about as many times thinner than 1 as a deviation grows in T steps.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from core.cliff import LARGEST, CliffUnit, bisect
from core.draws import read_only
from core.validation import finite_number, instance_of, whole_number

_COARSE, _FINE = 400, 200
_GOLDEN = (math.sqrt(5) - 1) / 2
_SECTIONS = 40
_RESOLVED = 0.1
"""The change of the last pre-activation from one bias to the next but one that still makes a smooth curve."""
_NARROWEST = float(np.finfo(np.float64).tiny)
"""The width of a wall that is thinner than this is 0 to float64."""
_FLAT = 2.0
"""With pre-activations beyond this the tanh is flat, and so is the loss."""


@dataclass(frozen=True)
class Steepest:
    """The bias at which the loss is steepest, over all biases, and its gradient there."""

    bias: float
    gradient: float
    resolved: bool
    """Whether float64 has biases inside the wall; if not, the true slope is steeper than any that it can show."""


def minimum(unit: CliffUnit) -> float | None:
    """The bias with h_T = target, where the loss is 0; None for a target of ±1 and beyond, never reached.

    Raises ValueError for what is no `CliffUnit`.
    """
    return _minimum(instance_of("unit", unit, CliffUnit))


@lru_cache(maxsize=64)
def _minimum(unit: CliffUnit) -> float | None:
    if abs(unit.target) >= 1:
        return None
    return _bias_with(unit, math.atanh(unit.target))


def steepest(unit: CliffUnit) -> Steepest:
    """The bias with the largest |dL/db|: the best of a grid around the wall, then golden sections beside it.

    The gradient is right to rounding. The bias is right to about 1e-8 of the width of the wall, or to what
    float64 can tell apart where the wall is thinner than that. Raises ValueError for what is no `CliffUnit`.
    """
    return _steepest(instance_of("unit", unit, CliffUnit))


@lru_cache(maxsize=64)
def _steepest(unit: CliffUnit) -> Steepest:
    middle = _bias_with(unit, 0.0)
    reach = _reach(unit) + _FLAT
    grid = np.unique(
        np.concatenate(
            [np.linspace(-reach, reach, _COARSE), _around(middle, _width(unit, middle), reach, _FINE)]
        )
    )
    best = int(np.argmax(np.abs(unit.curve(grid).gradient)))

    def steepness(bias: float) -> float:
        return abs(unit.loss_and_gradient(bias)[1])

    bias = _highest(steepness, float(grid[max(best - 1, 0)]), float(grid[min(best + 1, len(grid) - 1)]))
    bias = max(bias, float(grid[best]), key=steepness)
    below, above = (unit.forward(math.nextafter(middle, end), math)[0] for end in (-math.inf, math.inf))
    return Steepest(bias, unit.loss_and_gradient(bias)[1], resolved=above - below < _RESOLVED)


def bias_grid(unit: CliffUnit, low: float, high: float, count: int = 1500) -> np.ndarray:
    """Rising biases from ``low`` to ``high``: ``count`` of them, or a few less where two would be the same.

    The steepest point and the minimum are among them if they lie between, each with points on either side
    whose distances shrink by a constant factor, down to a hundredth of the width of the wall. At most half of
    the biases are crowded so, and as many lie even as that leaves. Read-only.

    Raises ValueError for what is no `CliffUnit`, and unless ``low`` < ``high``, both from −1e150 to 1e150, and
    ``count`` is at least 16.
    """
    unit = instance_of("unit", unit, CliffUnit)
    low = finite_number("low", low, size=LARGEST)
    high = finite_number("high", high, above=low, size=LARGEST)
    return _grid(unit, low, high, whole_number("count", count, least=16))


@lru_cache(maxsize=64)
def _grid(unit: CliffUnit, low: float, high: float, count: int) -> np.ndarray:
    wall = steepest(unit).bias
    width = _width(unit, wall)
    centres = [centre for centre in (wall, minimum(unit)) if centre is not None]
    beside = (count // (2 * len(centres)) - 1) // 2
    crowd = np.concatenate([_around(centre, width, high - low, beside) for centre in centres])
    crowd = np.unique(crowd[(crowd >= low) & (crowd <= high)])
    return read_only(np.unique(np.concatenate([np.linspace(low, high, count - len(crowd)), crowd])))


def _reach(unit: CliffUnit) -> float:
    """No state times its weight is larger."""
    return unit.self_weight * max(1.0, abs(unit.start))


def _bias_with(unit: CliffUnit, pre_activation: float) -> float:
    """The bias that brings the last pre-activation to a given value."""
    reach = _reach(unit)
    return bisect(
        lambda bias: unit.forward(bias, math)[0] - pre_activation,
        pre_activation - reach,
        pre_activation + reach,
    )


def _width(unit: CliffUnit, bias: float) -> float:
    """Over how much bias the last pre-activation changes by 1."""
    return max(1 / unit.forward(bias, math)[1], float(np.spacing(abs(bias))))


def _around(centre: float, width: float, reach: float, count: int) -> np.ndarray:
    """The centre, and ``count`` points on either side."""
    distances = np.geomspace(max(width / 100, _NARROWEST), reach, count)
    return np.concatenate([centre - distances, [centre], centre + distances])


def _highest(function, low: float, high: float) -> float:
    """Where a function with one peak between ``low`` and ``high`` has it (Kiefer, 1953: golden sections)."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(_SECTIONS):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = function(right)
    return (left + right) / 2
