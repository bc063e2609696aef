"""Switches for another order of the stacked gates, such as "order:figo", and for the parts of a matrix turned."""

from itertools import permutations

import numpy as np


def other_orders(prefix: str, parts: str) -> tuple[str, ...]:
    """A switch for every order of ``parts`` but the given one."""
    return tuple(f"{prefix}:{''.join(other)}" for other in permutations(parts) if "".join(other) != parts)


def order(prefix: str, parts: str, made: frozenset[str]) -> str:
    """The order in which the parts are taken."""
    for switch in made:
        if switch.startswith(f"{prefix}:"):
            return switch.removeprefix(f"{prefix}:")
    return parts


def transposed_parts(U: np.ndarray, parts: int) -> np.ndarray:
    """U (d_h, G·d_h) with each of its square parts transposed."""
    return np.hstack([part.T for part in np.split(U, parts, axis=1)])
