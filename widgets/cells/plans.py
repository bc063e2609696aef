"""Where the terms of an opened step stand, on a wide page and on a narrow one, and which lines join them.

A row for each gate: its sum from left to right, squashed at the end of it; then the products, and the new states.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from widgets.base.diagram import Place, Plan

Spots = Mapping[str, tuple[Place | None, Place | None]]
"""Key of a term → where it stands in the wide plan and in the narrow one, None where it is left out."""


@dataclass(frozen=True)
class StepPlan:
    """The two plans of one cell's step, with the places in them."""

    wide: Plan
    narrow: Plan
    spots: Spots
    flows: Sequence[tuple[str, str, str]]
    """From, to, and what is written on the way; it carries the number that it comes from."""
    detours: Sequence[tuple[str, str]] = ()
    """Flows of the narrow plan alone, past terms that it leaves out."""


@dataclass(frozen=True)
class _Grid:
    """A plan whose boxes stand in columns, at these x, and in rows of equal height."""

    plan: Plan
    columns: Sequence[float]
    rows: int

    def place(self, field: tuple[int, float] | None) -> Place | None:
        """The middle of a field, by its column and row."""
        return field and (self.columns[field[0]], (field[1] + 0.5) * self.plan.height / self.rows)


def reset_flows(reset_after: bool, unit: int) -> dict[str, str]:
    """Term of the candidate → the reset gate that acts on it: that of the term's own unit, or this unit's on both."""
    if reset_after:
        return {"n.h1": "r", "n.h2": "r"}
    return {f"n.h{unit + 1}": "r", f"n.h{2 - unit}": "r_other"}


def _step_plan(
    wide: _Grid, narrow: _Grid, fields: Mapping, flows: Sequence, detours: Sequence = ()
) -> StepPlan:
    spots = {key: (wide.place(field), narrow.place(small)) for key, (field, small) in fields.items()}
    return StepPlan(wide.plan, narrow.plan, spots, flows, detours)


def _sum_fields(letter: str, row: int) -> dict:
    """A gate's row; the narrow plan has its sum as a whole."""
    return {
        f"{letter}.x": ((0, row), None),
        f"{letter}.h1": ((1, row), None),
        f"{letter}.h2": ((2, row), None),
        f"{letter}.b": ((3, row), None),
        f"{letter}.a": ((4, row), (0, row)),
        letter: ((5, row), (1, row)),
    }


def _rows(letters: str) -> dict:
    """What the sums are made of in the row above them, then a row for each gate."""
    sources = {"x": ((0, 0), None), "h1": ((1, 0), None), "h2": ((2, 0), None)}
    for row, letter in enumerate(letters, 1):
        sources |= _sum_fields(letter, row)
    return sources


def _squashed(**squashings: str) -> list[tuple[str, str, str]]:
    return [(f"{letter}.a", letter, squashing) for letter, squashing in squashings.items()]


def _from_sources(letters: str) -> list[tuple[str, str, str]]:
    """From above to each row, behind those between."""
    return [(source, f"{letter}.{source}", "") for letter in letters for source in ("x", "h1", "h2")]


_LSTM = _step_plan(
    _Grid(Plan(860, 250, 70), (35, 117, 199, 281, 363, 472, 563, 650, 737, 825), 5),
    _Grid(Plan(360, 230, 63), (32, 139, 233, 327), 5),
    {
        **_rows("figo"),
        "c_old": ((5, 0), (1, 0)),
        "kept": ((6, 0.5), (2, 0.5)),
        "written": ((6, 2.5), (2, 2.5)),
        "c": ((7, 1.5), (3, 1.5)),
        "tanh": ((8, 1.5), (3, 2.75)),
        "h": ((9, 4), (3, 4)),
    },
    [
        *_from_sources("figo"),
        *_squashed(f="σ", i="σ", g="tanh", o="σ"),
        ("c_old", "kept", ""),
        ("f", "kept", ""),
        ("i", "written", ""),
        ("g", "written", ""),
        ("kept", "c", ""),
        ("written", "c", ""),
        ("c", "tanh", ""),
        ("tanh", "h", ""),
        ("o", "h", ""),
    ],
)
_GRU = _step_plan(
    _Grid(Plan(860, 250, 72), (36, 122, 208, 294, 380, 500, 640, 780), 4),
    _Grid(Plan(360, 230, 68), (35, 145, 234, 323), 4),
    {
        **_rows("zrn"),
        "h_old": ((5, 0), (1, 0)),
        "r_other": ((6, 2), None),
        "kept": ((6, 0.4), (2, 0.5)),
        "written": ((6, 1.2), (2, 2)),
        "h": ((7, 0.8), (3, 1.25)),
    },
    [
        *_from_sources("zrn"),
        *_squashed(z="σ", r="σ", n="tanh"),
        ("h_old", "kept", ""),
        ("z", "kept", ""),
        ("z", "written", ""),
        ("n", "written", ""),
        ("kept", "h", ""),
        ("written", "h", ""),
    ],
    [("r", "n.a")],
)
_RNN = _step_plan(
    _Grid(Plan(570, 130, 72), (36, 124, 212, 300, 388, 520), 2),
    _Grid(Plan(360, 200, 72), (36, 132, 228, 324), 3),
    {
        "x": ((0, 0), (0, 0)),
        "h1": ((1, 0), (1, 0)),
        "h2": ((2, 0), (2, 0)),
        "a.x": ((0, 1), (0, 1)),
        "a.h1": ((1, 1), (1, 1)),
        "a.h2": ((2, 1), (2, 1)),
        "a.b": ((3, 1), (3, 1)),
        "a.a": ((4, 1), (3, 2)),
        "h": ((5, 1), (1, 2)),
    },
    [*_from_sources("a"), ("a.a", "h", "tanh")],
)
PLANS = {"rnn": _RNN, "lstm": _LSTM, "gru": _GRU}
