"""What the figures of the BPTT lab are drawn from: sizes as decimal logarithms, one source for each figure."""

import numpy as np

from core.bptt import summed_by_lag
from core.products import log10_magnitude
from widgets.base.frame import Columns
from widgets.base.numbers import number
from widgets.bptt.reading import Network, Reading
from widgets.bptt.words import SHOWN, shortened

ROLES_BY_CELL = {"rnn": "tanh", "lstm": "lstm", "gru": "gru"}
BEYOND = 400.0
"""Stands for the logarithms of 0 (below) and of what is not finite (above), where a gap cannot be drawn."""
_LABELLED_STEPS = 20
"""With more steps their factors would not fit beside each other."""


def columns(reading: Reading, heat_map: str) -> dict[str, Columns]:
    """The sources of one frame."""
    role, t = ROLES_BY_CELL[reading.cell], reading.loss_step
    walk = _walk(reading, role)
    return {
        "text": {
            "n": np.arange(1, reading.steps + 1),
            "end": np.arange(1, reading.steps + 1) + 0.5,
            "word": [shortened(word) for word in reading.words[:-1]],
            "next": [shortened(word) for word in reading.words[1:]],
        },
        "tiles": _tiles(reading, heat_map, role),
        "chosen": {"t": [t], "end": [t + 0.5], "shown": [SHOWN[heat_map]]},
        "lags": _lags(reading, role),
        "walk": walk,
        "factors": _factors(_over(walk), reading.factors(), role),
        "truncations": {
            "K": np.arange(1, reading.steps + 1),
            "cosine": reading.items.cosine,
            "relative_error": reading.items.relative_error,
            "role": [role] * reading.steps,
        },
        "cut": {"K": [reading.truncation]},
        **_side_by_side(reading),
    }


def no_columns() -> dict[str, Columns]:
    """The same sources where there is no text to read."""
    reading = Reading(("a", "b"), Network("rnn", 1, 1.0, 0), 1, 1)
    return {source: {name: [] for name in content} for source, content in columns(reading, "terms").items()}


def _tiles(reading: Reading, heat_map: str, role: str) -> Columns:
    """One tile for each pair that truncation keeps; none at all for a quantity that the cell does not have."""
    table = reading.table(heat_map)
    loss, step = np.nonzero(reading.kept) if table is not None else np.empty((2, 0), dtype=int)
    sizes = table[loss, step] if table is not None else np.empty(0)
    return {
        "s": step + 1,
        "t": loss + 1,
        "log10": np.nan_to_num(log10_magnitude(sizes), nan=BEYOND, posinf=BEYOND, neginf=-BEYOND),
        "role": [role] * len(step),
    }


def _lags(reading: Reading, role: str) -> Columns:
    sums = _logs(reading.items.contributions_by_lag)
    return {
        "lag": np.arange(reading.steps),
        "sum": sums,
        "kept": _logs(summed_by_lag(reading.items.contributions * reading.kept)),
        "role": [role] * reading.steps,
        **_by_cell(reading.cell, sums),
    }


def _walk(reading: Reading, role: str) -> Columns:
    items, t = reading.items, reading.loss_step
    gaps = np.full(t, np.nan)
    errors = _logs(reading.walk(items.h_errors))
    along = {
        name: gaps if table is None else _logs(reading.walk(table))
        for name, table in (("cell", items.c_errors), ("straight", items.straight), ("rest", items.rest))
    }
    return {
        "s": np.arange(1, t + 1),
        "size": errors,
        "factor": [number(factor) for factor in reading.factors()] + ["–"],
        "role": [role] * t,
        **_by_cell(reading.cell, errors),
        **along,
    }


def _over(walk: Columns) -> np.ndarray:
    """Half-way between each step and the next, where the highest of the curves is, so that none crosses a label."""
    return np.fmax.reduce([_half_way(walk[name]) for name in ("size", "cell", "straight", "rest")])


def _half_way(logs: np.ndarray) -> np.ndarray:
    return (logs[:-1] + logs[1:]) / 2


def _factors(heights: np.ndarray, factors: np.ndarray, role: str) -> Columns:
    """Each factor, written at the step back that it belongs to."""
    written = np.flatnonzero(np.isfinite(factors)) if len(factors) < _LABELLED_STEPS else np.arange(0)
    return {
        "x": np.array([s + 1.5 for s in written]),
        "y": heights[written],
        "text": [f"×{_short(factors[s])}" for s in written],
        "role": [role] * len(written),
    }


def _short(factor: float) -> str:
    return f"{factor:.2f}" if 0.1 <= factor < 100 else number(factor)


def _side_by_side(reading: Reading) -> dict[str, Columns]:
    """The walk of one loss in a tanh RNN and in an LSTM."""
    rnn, lstm = reading.beside("rnn"), reading.beside("lstm")
    pair = {
        "s": np.arange(1, rnn.steps + 1),
        "rnn": _logs(rnn.walk(rnn.items.h_errors)),
        "lstm": _logs(lstm.walk(lstm.items.h_errors)),
        "cell": _logs(lstm.walk(lstm.items.c_errors)),
    }
    below = np.fmin(_half_way(pair["lstm"]), _half_way(pair["cell"]))
    labels = []
    for beside, heights, shift in ((rnn, _half_way(pair["rnn"]), -14), (lstm, below, 14)):
        factors = _factors(heights, beside.factors(), ROLES_BY_CELL[beside.cell])
        labels.append(factors | {"shift": [shift] * len(factors["x"])})
    return {
        "pair": pair,
        "pair_factors": {
            name: np.concatenate([np.asarray(label[name]) for label in labels]) for name in labels[0]
        },
    }


def _by_cell(cell: str, values: np.ndarray) -> Columns:
    """The values as the curve of their cell, in its colour, and gaps for the other cells."""
    return {name: values if name == cell else np.full(len(values), np.nan) for name in ROLES_BY_CELL}


def _logs(sizes: np.ndarray) -> np.ndarray:
    """Decimal logarithms with gaps for 0 and for what is not finite."""
    logs = log10_magnitude(sizes)
    return np.where(np.isfinite(logs), logs, np.nan)
