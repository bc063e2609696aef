"""Every term of an opened step under its key: how it is written, what it is in words, and its number in each unit."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.opened_step import Gate
from widgets.cells.reading import UNITS, Reading

GATES = {"rnn": "a", "lstm": "figo", "gru": "zrn"}
"""The letters of each cell's sums, from top to bottom of the picture."""
NAMES = {
    "a": "New state", "f": "Forget gate", "i": "Input gate", "g": "Candidate", "o": "Output gate",
    "z": "Update gate", "r": "Reset gate", "n": "Candidate",
}  # fmt: skip
_ROLES = {"rnn": "tanh", "lstm": "lstm", "gru": "gru"}


@dataclass(frozen=True)
class Term:
    """One number of a step, in each of its units."""

    label: str
    name: str
    values: np.ndarray
    """(2,)."""
    role: str = "reference"
    told: np.ndarray | None = None
    """(2,), for a gate or a state of the LSTM: whether the example itself gives it; elsewhere None."""
    gate: bool = False
    """Whether it is a share, between 0 and 1."""


Terms = Mapping[str, Term]


def terms(reading: Reading) -> Terms:
    """The terms of the step, in the order in which they are worked out."""
    return _BY_CELL[reading.cell](reading)


def _sources(reading: Reading) -> dict[str, Term]:
    """What the step is given; the old hidden state unit by unit."""
    found = {"x": Term(f"“{reading.word}”", f"Input: the word “{reading.word}”", np.ones(UNITS), "input")}
    for j in range(UNITS):
        value = np.full(UNITS, reading.old_hidden[j])
        found[f"h{j + 1}"] = Term(f"h_{j + 1}", f"Old hidden state of unit {j + 1}", value, "linear")
    return found


def _sum(letter: str, gate: Gate, state_terms: np.ndarray, role: str, written=None, tail: str = "") -> dict:
    """A gate's sum term by term, and what it is squashed to; `written` are the labels of the state's terms."""
    name = NAMES[letter]
    mark = f"_{letter}" if letter != "a" else ""
    written = written or [f"h_{{{j + 1}}}U{mark}" for j in range(UNITS)]
    found = {f"{letter}.x": Term(f"xW{mark}", f"{name}: what the word adds", gate.input_part, "input")}
    for j in range(UNITS):
        said = f"{name}: what the old hidden state of unit {j + 1} adds{tail}"
        found[f"{letter}.h{j + 1}"] = Term(written[j], said, state_terms[j], "linear")
    found[f"{letter}.b"] = Term(f"b{mark}", f"{name}: bias", gate.bias)
    found[f"{letter}.a"] = Term(f"a{mark}", f"{name}: the sum, before it is squashed", gate.total, role)
    return found


def _rnn(reading: Reading) -> Terms:
    gate, role = reading.step.candidate, _ROLES["rnn"]
    said = "New hidden state: the sum, squashed. The old one is written over"
    return {
        **_sources(reading),
        **_sum("a", gate, gate.state_terms, role),
        "h": Term("h′", said, reading.step.h, role),
    }


def _lstm(reading: Reading) -> Terms:
    step, at, role = reading.step, reading.at, _ROLES["lstm"]
    told = {name: ~marked[at] for name, marked in reading.example.ours.items() if len(marked) == 3}
    roles = {
        "f": "how much of the old cell is kept",
        "i": "how much of the candidate is written",
        "g": "what is to be written",
        "o": "how much of the cell is shown",
    }
    found = _sources(reading)
    old_told = ~reading.example.ours["c"][at - 1] if at else np.ones(UNITS, dtype=bool)
    found["c_old"] = Term("c", "Old cell", reading.old_memory, "cell", old_told)
    for letter in GATES["lstm"]:
        gate = getattr(step, letter)
        found |= _sum(letter, gate, gate.state_terms, role)
        said = f"{NAMES[letter]}, {roles[letter]}"
        found[letter] = Term(letter, said, gate.value, role, told[letter], letter != "g")
    return found | {
        "kept": Term("f·c", "Kept of the old cell", step.kept, "cell", told["kept"]),
        "written": Term("i·g", "Written to the cell", step.written, "cell", told["written"]),
        "c": Term("c′", "New cell: what is kept and what is written", step.c, "cell", told["c"]),
        "tanh": Term("tanh c′", "New cell, squashed", step.squashed, "cell", told["c"]),
        "h": Term("h′", "New hidden state: what is shown of the cell", step.h, role, told["h"]),
    }


def _gru(reading: Reading) -> Terms:
    step, role, k = reading.step, _ROLES["gru"], reading.unit + 1
    found = _sources(reading)
    found["h_old"] = Term("h", "Old hidden state of this unit", reading.old_hidden, "linear")
    for letter, said in (("z", "how much of the old state is kept"), ("r", "how much of it is seen")):
        gate = getattr(step, letter)
        found |= _sum(letter, gate, gate.state_terms, role)
        found[letter] = Term(letter, f"{NAMES[letter]}, {said}", gate.value, role, gate=True)
    other = np.full(UNITS, step.r.value[1 - reading.unit])
    found["r_other"] = Term(f"r_{3 - k}", f"Reset gate of unit {3 - k}", other, role, gate=True)
    if reading.reset_after:
        written = [f"r_{{{k}}}h_{{{j + 1}}}U" for j in range(UNITS)]
        tail = ", its product reset by this unit"
    else:
        written = [f"r_{{{j + 1}}}h_{{{j + 1}}}U" for j in range(UNITS)]
        tail = ", reset by its own gate before the product"
    found |= _sum("n", step.n, step.candidate_terms, role, written, tail)
    return found | {
        "n": Term("n", "Candidate, what takes the place of the rest", step.n.value, role),
        "kept": Term("z·h", "Kept of the old state", step.kept, role),
        "written": Term("(1−z)·n", "Written in place of the rest", step.written, role),
        "h": Term("h′", "New hidden state: what is kept and what is written", step.h, role),
    }


_BY_CELL = {"rnn": _rnn, "lstm": _lstm, "gru": _gru}
