"""The columns of the cost lab's pictures; what is counted again of the same is the same object, and not sent again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from core.cells import PARTS
from core.cost import Network, parameters, step_cost, top_layer
from core.products import log10_magnitude
from widgets.base.frame import Columns
from widgets.cost import counts
from widgets.cost.counts import Counts
from widgets.cost.stopwatch import WIDTHS

CELL_ROLES = {"rnn": "tanh", "lstm": "lstm", "gru": "gru"}
Times = Mapping[str, tuple[float, ...]]
"""Seconds of one step by cell, at each of the stopwatch's widths."""
_PLAIN = {counts.by_window: ("n",), counts.window_layers: ("n", "network", "recurrent")}
"""What is drawn on a linear axis."""
_A_BILLION = 9
"""log10 of the multiply–adds a second at which the counted lines lie beside the measured ones."""


def asked(network: Network, truncation: int) -> dict[str, tuple]:
    """How the columns of each source are counted, and of what: of no more than they depend on."""
    layer = top_layer(network)
    return {
        "widths": (counts.by_width, replace(network, hidden_size=1)),
        "work": (counts.token_by_position, layer),
        "past": (counts.past_by_position, layer),
        "kept": (counts.kept_by_length, network, truncation),
        "layers": (counts.window_layers, network),
        "windows": (counts.by_window, network),
    }


@lru_cache(maxsize=128)
def counted(count: Callable[..., Counts], *of) -> Counts:
    """What `count` finds."""
    return count(*of)


@lru_cache(maxsize=128)
def drawn(count: Callable[..., Counts], *of) -> Columns:
    """The same as columns: decimal logarithms, −inf for 0, but for what is drawn on a linear axis."""
    plain = _PLAIN.get(count, ())
    return {
        name: np.asarray(column) if name in plain else _logs(column)
        for name, column in counted(count, *of).items()
    }


def marks(lab, network: Network) -> dict[str, Columns]:
    """Where the settings stand, and where attention crosses the cells."""
    learnt, width = parameters(network), lab.hidden_size
    here = [
        (learnt.total, "reference"),
        (counts.ends(learnt), "input"),
        (learnt.recurrent, CELL_ROLES[lab.cell]),
    ]
    crossings = [
        (start, work, CELL_ROLES[cell])
        for cell, (start, work) in counts.crossings(top_layer(network)).items()
    ]
    window = counts.window_layer(network, lab.window)
    return {
        "here": _points("d_h", [(width, value, role) for value, role in here]),
        "crossings": _points("t", crossings),
        "length": {"t": _logs([lab.length])},
        "window": {"n": np.array([lab.window]), "network": np.array([window])},
    }


def _logs(column: Sequence[int]) -> np.ndarray:
    return log10_magnitude(np.array(column, dtype=float))


def _points(x: str, found: Sequence[tuple[int, int, str]]) -> Columns:
    """Marked points (place, count, role), as far as there is something to count."""
    places, values, roles = zip(*(point for point in found if point[1]), strict=True)
    return {x: _logs(places), "count": _logs(values), "role": list(roles)}


def timed(times: Times | None) -> Columns:
    """Seconds of a step as measured, gaps where they are not, beside multiply–adds at a billion a second."""
    return _timed(tuple((times or {}).items()))


@lru_cache(maxsize=8)
def _timed(times: tuple[tuple[str, tuple[float, ...]], ...]) -> Columns:
    columns = {"d_h": _logs(WIDTHS)}
    measured = dict(times)
    for cell in PARTS:
        work = [step_cost(Network(cell, width, width)).recurrent for width in WIDTHS]
        columns |= {
            cell: log10_magnitude(np.array(measured.get(cell, [np.nan] * len(WIDTHS)))),
            f"{cell}_count": _logs(work) - _A_BILLION,
        }
    return columns
