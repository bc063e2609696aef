"""A student's own constant on its way out of the process: a number, a text, or in words what it is instead."""

import numpy as np

from core.exercises.apart.values import described
from core.exercises.contract import Constant, Foreign

_LONGEST = 4000
_LONGEST_DESCRIPTION = 80
_LARGEST_INTEGER = 2**63


def told(value: object) -> object:
    """The constant as JSON."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = float(value) if isinstance(value, np.floating) else value.item()
    kind = type(value)
    if kind is str:
        return value if len(value) <= _LONGEST else _foreign(f"a text of {len(value)} characters")
    if kind is int:
        return value if abs(value) <= _LARGEST_INTEGER else _foreign("an int of very many digits")
    if kind in (bool, float):
        return value
    return _foreign("None" if value is None else described(value))


def believed(told: object) -> Constant:
    """The constant out of what was told, whatever that is."""
    if isinstance(told, float | str) or (isinstance(told, int) and abs(told) <= _LARGEST_INTEGER):
        return told
    description = told.get("foreign") if isinstance(told, dict) else None
    return Foreign(description[:_LONGEST_DESCRIPTION] if isinstance(description, str) else "something else")


def _foreign(description: str) -> dict[str, str]:
    return {"foreign": description}
