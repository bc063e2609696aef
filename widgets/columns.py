"""Columns of a data source on their way to the browser: which differ, and how they travel fastest."""

import numpy as np
from bokeh.core.serialization import Serializer


class Numbers(list):
    """Finite numbers, which Bokeh need not encode one by one."""


Serializer.register(Numbers, lambda numbers, serializer: numbers)


def sendable(column) -> list | np.ndarray:
    """The column as it travels with the least work.

    A list is part of the message, while an array takes two frames of its own on the websocket; but a list
    has no fast way to write a gap.
    """
    array = np.asarray(column)
    if array.dtype.kind in "iu":
        return Numbers(array.tolist())
    if array.dtype.kind == "f":
        return Numbers(array.tolist()) if np.isfinite(array).all() else array
    return array.tolist()


def same(held, new) -> bool:
    """Whether two columns would look the same; a gap equals a gap."""
    held, new = np.asarray(held), np.asarray(new)
    floats = held.dtype.kind == new.dtype.kind == "f"
    return np.array_equal(held, new, equal_nan=floats)
