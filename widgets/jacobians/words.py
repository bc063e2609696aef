"""What the Jacobian lab says in words: the verdict of the theorem, what is left of an error, which curves coincide."""

import numpy as np

from core.jacobians import JacobianProducts
from widgets.base.numbers import from_log10, percent
from widgets.figures.log_axis import COINCIDE

_ONE = ("1", "1.00")
_EDGE = 1e-9
"""A gain this close to 1 is 1: a computed σ_max is off in its last digits."""
_PLAIN = 300
"""Numbers with a larger decimal exponent are written as text, since a float may not hold them."""


def verdict(run: JacobianProducts, activation: str) -> tuple[str, str]:
    """The fact and what follows from it; without squashing ρ decides, otherwise the theorem only bounds."""
    linear = activation == "linear"
    name, gain = ("ρ", run.spectral_radius) if linear else ("γσ_max", run.gain)
    if abs(gain - 1) < _EDGE:
        return (
            f"{name} = 1",
            "no exponential growth or decay" if linear else "cannot explode, need not vanish",
        )
    if gain < 1:
        return f"{name} < 1", "must vanish in the end" if linear else "must vanish"
    return f"{name} > 1", "must explode in the end" if linear else "may explode, need not"


def passed_on(log10_norm: float) -> str:
    if log10_norm == -np.inf:
        return "passes on nothing of an error"
    if not np.isfinite(log10_norm):
        return "leaves the range of numbers: its states are not finite"
    if log10_norm > 0 and from_log10(log10_norm) not in _ONE:
        return f"makes an error up to {from_log10(log10_norm)} times as large"
    return f"passes on {amount(log10_norm)} of an error at most"


def amount(log10_norm: float) -> str:
    """A share in percent, where a percentage can be read; else a plain factor."""
    if from_log10(log10_norm) in _ONE:
        return percent(1)
    if -3 <= log10_norm <= 0:
        return percent(10.0**log10_norm)
    if log10_norm > 0:
        return f"it would grow to {from_log10(log10_norm)} times its size"
    return from_log10(log10_norm)


def coinciding(curves: dict[str, np.ndarray]) -> list[list[str]]:
    """Names of curves that lie on each other over the whole gap, in groups of two and more."""
    groups: list[list[str]] = []
    for name, curve in curves.items():
        home = next((group for group in groups if shared_steps(curve, curves[group[0]]) == len(curve)), None)
        if home is None:
            groups.append([name])
        else:
            home.append(name)
    return [group for group in groups if len(group) > 1]


def shared_steps(one: np.ndarray, other: np.ndarray) -> int:
    """For how many steps, from k = 1, two curves cannot be told apart."""
    with np.errstate(invalid="ignore"):
        apart = ~((one == other) | (np.abs(one - other) < COINCIDE))
    return int(np.argmax(apart)) if apart.any() else len(apart)


def plain_numbers(logs: np.ndarray) -> list[float | str]:
    """Plain numbers from their logarithms; as text where a float could not hold them."""
    return [from_log10(v) if _PLAIN < abs(v) < np.inf else 10.0**v for v in logs.tolist()]


def steps(k: int) -> str:
    return "1 step" if k == 1 else f"{k} steps"


def listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
