"""The masks as pictures: how long each unit holds the bit and what is dropped of it, and DropConnect's matrix."""

import numpy as np

from core.memory_masks import SCHEMES
from widgets.base.frame import Columns
from widgets.dropout.curves import UNITS, Noise

_NOTHING = {"row": np.empty(0), "start": np.empty(0), "end": np.empty(0)}


def tiles(noise: Noise) -> dict[str, Columns]:
    """The sources of the picture. Units stand in the order of how long they hold the bit, the longest lowest."""
    held = noise.left.sum(axis=0) - 1
    order = np.argsort(-held, kind="stable")
    lost = np.flatnonzero(held[order] < noise.steps)
    return {
        "holding": {"row": np.arange(1, UNITS + 1), "unit": order + 1, "end": held[order]},
        "losses": {"row": lost + 1, "step": held[order][lost] + 0.5},
        "dropped": _runs(~noise.passed[:, order], noise.left[1:, order]),
        "entering": _entering(noise, order),
    }


def _runs(dropped: np.ndarray, left: np.ndarray) -> Columns:
    """Where masks on the memory's own way drop a unit, once it is lost: steps start < t ≤ end of its row.

    The drop that loses it has a sign of its own.
    """
    first = np.vstack([np.ones((1, UNITS), dtype=bool), left[:-1]])
    return _stretches(dropped & ~first)


def _entering(noise: Noise, order: np.ndarray) -> Columns:
    """Where a mask drops what would enter the memory."""
    if SCHEMES[noise.scheme].masked != "inputs":
        return _NOTHING
    return _stretches(noise.masks.inputs[:, order] == 0)


def _stretches(where: np.ndarray) -> Columns:
    """Booleans (T, N) as stretches of True in each row."""
    edges = np.diff(np.pad(where.T.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    row, start = np.nonzero(edges == 1)
    _, end = np.nonzero(edges == -1)
    return {"row": row + 1, "start": start, "end": end}


def matrix(noise: Noise) -> Columns:
    """The mask on the recurrent matrix; empty for schemes that leave it alone.

    Of column i's entries, `kept` and `cut` are the diagonal's, and `idle` those beside it that are dropped.
    """
    if noise.masks.weights is None:
        return {name: np.empty(0) for name in ("i", "kept", "cut", "idle")}
    dropped, diagonal = noise.masks.weights == 0, np.eye(UNITS, dtype=bool)
    i, j = np.nonzero(dropped | diagonal)
    cut, own = dropped[i, j], diagonal[i, j]
    places = {"kept": own & ~cut, "cut": own & cut, "idle": ~own}
    return {"i": i + 1, **{name: np.where(here, j + 1.0, np.nan) for name, here in places.items()}}
