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
_MARKED = ("i", "f", "g", "o", "kept", "written", "c", "h")
"""Of which the example says whether they are its own."""
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
    word = f"Input: x = {one_hot(reading)}, the word “{reading.word}”"
    found = {"x": Term(f"“{reading.word}”", word, np.ones(UNITS), "input")} if reading.reads_words else {}
    for j in range(UNITS):
        value, told = np.full(UNITS, reading.old_hidden[j]), _told_before(reading, "h")
        told = None if told is None else np.full(UNITS, told[j])
        name = f"Old hidden state of unit {j + 1}"
        found[f"h{j + 1}"] = Term(old_unit(reading, j), name, value, "linear", told)
    return found


def one_hot(reading: Reading) -> str:
    """The row of a word, `(0, 1, 0)`."""
    return f"({', '.join(f'{entry:g}' for entry in reading.input)})"


def old_unit(reading: Reading, j: int) -> str:
    """One unit of the old hidden state, such as `h_{1}` or, of layer 2, `h_1^{(2)}`."""
    unit = f"{j + 1}" if reading.layer_mark.startswith("^") else f"{{{j + 1}}}"
    return f"h_{unit}{reading.layer_mark}"


def weight(symbol: str, letter: str) -> str:
    """`W_f`; a tanh RNN has one of each, `W`."""
    return f"{symbol}_{letter}" if letter != "a" else symbol


def _sum(
    reading: Reading, letter: str, gate: Gate, state_terms: np.ndarray, resets=("", ""), tail: str = ""
) -> dict:
    """A gate's sum term by term; `resets` stand before the state's units where a reset gate acts on them."""
    name, role = NAMES[letter], _ROLES[reading.cell]
    said = "what the word adds" if reading.reads_words else "what the layer below adds"
    read = Term(f"{reading.source}{weight('W', letter)}", f"{name}: {said}", gate.input_part, "input")
    found = {f"{letter}.x": read}
    for j in range(UNITS):
        said = f"{name}: what the old hidden state of unit {j + 1} adds{tail}"
        label = f"{resets[j]}{old_unit(reading, j)}{weight('U', letter)}"
        found[f"{letter}.h{j + 1}"] = Term(label, said, state_terms[j], "linear")
    found[f"{letter}.b"] = Term(weight("b", letter), f"{name}: bias", gate.bias)
    found[f"{letter}.a"] = Term(
        weight("a", letter), f"{name}: the sum, before it is squashed", gate.total, role
    )
    return found


def _rnn(reading: Reading) -> Terms:
    gate, role = reading.step.candidate, _ROLES["rnn"]
    said = "New hidden state: the sum, squashed. The old one is written over"
    return {
        **_sources(reading),
        **_sum(reading, "a", gate, gate.state_terms),
        "h": Term(f"h{reading.layer_mark}′", said, reading.step.h, role),
    }


def _lstm(reading: Reading) -> Terms:
    step, at, role, mark = reading.step, reading.at, _ROLES["lstm"], reading.layer_mark
    told = {name: ~reading.ours[name][at] for name in _MARKED if name in reading.ours}
    roles = {
        "f": "how much of the old cell state is kept",
        "i": "how much of the candidate is written",
        "g": "what is to be written",
        "o": "how much of the cell state is shown",
    }
    found = _sources(reading)
    found["c_old"] = Term(
        f"c{mark}", "Old cell state", reading.old_memory, "cell", _told_before(reading, "c")
    )
    for letter in GATES["lstm"]:
        gate = getattr(step, letter)
        found |= _sum(reading, letter, gate, gate.state_terms)
        said = f"{NAMES[letter]}, {roles[letter]}"
        found[letter] = Term(letter, said, gate.value, role, told.get(letter), letter != "g")
    return found | {
        "kept": Term(f"f·c{mark}", "Kept of the old cell state", step.kept, "cell", told.get("kept")),
        "written": Term("i·g", "Written to the cell state", step.written, "cell", told.get("written")),
        "c": Term(
            f"c{mark}′", "New cell state: what is kept and what is written", step.c, "cell", told.get("c")
        ),
        "tanh": Term(f"tanh c{mark}′", "New cell state, squashed", step.squashed, "cell", told.get("c")),
        "h": Term(
            f"h{mark}′", "New hidden state: what is shown of the cell state", step.h, role, told.get("h")
        ),
    }


def _told_before(reading: Reading, state: str) -> np.ndarray | None:
    """Whether the example gives the old `c` or `h`; the 0 that it begins with is nobody's choice."""
    if state not in reading.ours:
        return None
    if reading.found_at is None:
        return np.ones(UNITS, dtype=bool)
    return ~reading.ours[state][reading.found_at]


def _gru(reading: Reading) -> Terms:
    step, role, k, mark = reading.step, _ROLES["gru"], reading.unit + 1, reading.layer_mark
    found = _sources(reading)
    found["h_old"] = Term(f"h{mark}", "Old hidden state of this unit", reading.old_hidden, "linear")
    for letter, said in (("z", "how much of the old state is kept"), ("r", "how much of it is seen")):
        gate = getattr(step, letter)
        found |= _sum(reading, letter, gate, gate.state_terms)
        found[letter] = Term(letter, f"{NAMES[letter]}, {said}", gate.value, role, gate=True)
    other = np.full(UNITS, step.r.value[1 - reading.unit])
    found["r_other"] = Term(f"r_{3 - k}", f"Reset gate of unit {3 - k}", other, role, gate=True)
    if reading.reset_after:
        resets = [f"r_{{{k}}}"] * UNITS
        tail = ", its product reset by this unit"
    else:
        resets = [f"r_{{{j + 1}}}" for j in range(UNITS)]
        tail = ", reset by its own gate before the product"
    found |= _sum(reading, "n", step.n, step.candidate_terms, resets, tail)
    return found | {
        "n": Term("n", "Candidate, what takes the place of the rest", step.n.value, role),
        "kept": Term(f"z·h{mark}", "Kept of the old state", step.kept, role),
        "written": Term("(1−z)·n", "Written in place of the rest", step.written, role),
        "h": Term(f"h{mark}′", "New hidden state: what is kept and what is written", step.h, role),
    }


_BY_CELL = {"rnn": _rnn, "lstm": _lstm, "gru": _gru}
