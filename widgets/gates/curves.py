"""What the gates lab measures: the gradient at the first input of several random networks, kept once it is known."""

from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np

from core.gradient_flow import gradient_flow

NETWORKS = 5
"""An odd number, so that the median is one of them."""
INPUT_SIZE = 16
FIRST = 5
"""The length that longer ones are compared with: by then every path has been taken up."""
_EARLY = (1, 2, 3, 5, 7, 15)
_STRIDE = 10
_REACHES = (100, 200)
_DIGITS = 14
"""A difference smaller than its terms by as many powers of ten is rounding: there are no other paths."""


@dataclass(frozen=True)
class Flow:
    """log10 of ‖∂(v·h_T)/∂x_1‖ at L lengths T over the networks of one kind, each array (L,)."""

    lengths: np.ndarray
    median: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray
    ratio: np.ndarray
    """The median of each network's own ratio to what it has at T = `FIRST`."""
    along: np.ndarray | None
    """The median of the part straight along the state, and of the rest; None for a tanh RNN."""
    rest: np.ndarray | None

    def until(self, longest: int) -> "Flow":
        """The lengths up to ``longest`` alone."""
        n = np.searchsorted(self.lengths, longest, side="right")
        arrays = (getattr(self, field.name) for field in fields(self))
        return Flow(*(array if array is None else array[:n] for array in arrays))


def reach(longest: int) -> int:
    """How far the networks are run for a picture up to ``longest``: to one of two lengths, so that a slider
    which moves the end of the picture mostly finds what it needs."""
    return next(end for end in _REACHES if longest <= end)


def lengths_for(longest: int) -> tuple[int, ...]:
    """The lengths at which the networks are measured, ``longest`` among them."""
    return tuple(sorted({*_EARLY, *range(_STRIDE, reach(longest) + 1, _STRIDE), longest}))


@lru_cache(maxsize=2048)
def measure(cell: str, gate_bias: float, hidden_size: int, lengths: tuple[int, ...], seed: int) -> Flow:
    """Measure the networks that belong to ``seed``; ``gate_bias`` is the forget or the update bias."""
    seeds = range(NETWORKS * seed, NETWORKS * (seed + 1))
    flow = gradient_flow(cell, lengths, INPUT_SIZE, hidden_size, gate_bias, gate_bias, seeds)
    norms, along, rest = flow.log10_norms, flow.log10_along, flow.log10_rest
    if rest is not None:
        rest = np.where(rest < norms - _DIGITS, -np.inf, rest)
    ordered = np.sort(norms, axis=0)
    first = norms[:, lengths.index(FIRST), None]
    return Flow(
        np.array(lengths),
        ordered[NETWORKS // 2],
        ordered[0],
        ordered[-1],
        _median(norms - first),
        None if along is None else _median(along),
        None if rest is None else _median(rest),
    )


def _median(values: np.ndarray) -> np.ndarray:
    """The median over the networks, (N, L) → (L,)."""
    return np.sort(values, axis=0)[NETWORKS // 2]
