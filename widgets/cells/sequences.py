"""The example's cell in a stack, or beside one that reads the words from their end: who reads whom, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.cat_sat import WORDS
from core.opened_sequence import OpenedLayer
from widgets.base.diagram import Box, Diagram, Link, Piece, Plan
from widgets.base.frame import Table
from widgets.base.numbers import number, rounded
from widgets.cells.picture import FLOWS, brief
from widgets.cells.reading import CELL_NAMES, UNITS, Reading, before

_WIDE, _NARROW = Plan(560, 250, 84), Plan(360, 250, 72)
_OF_WIDE = (110, 290, 470)
_OF_NARROW = (60, 180, 300)
_ASIDE_WIDE, _ASIDE_NARROW = 46, 24
"""How far from the middle of its word a layer stands that reads one way."""
_WORD, _JOINED = 1.25, 1.55
"""How many times as wide as a layer's boxes those of the words are, and of both states side by side."""
_ROLES = {"rnn": "tanh", "lstm": "lstm", "gru": "gru"}
_OURS = "All weights are ours; those of the second layer are drawn at random."


@dataclass(frozen=True)
class Row:
    """A row of the picture: the states of a layer, word by word."""

    key: str
    label: str
    name: str
    layer: OpenedLayer
    aside: int = 0
    """−1 or 1: stands to the left or the right of its word."""


def stack_rows(reading: Reading) -> tuple[Row, Row]:
    """The lower layer first."""
    lower, upper = reading.stacked()
    return Row("lower", "h¹", "Layer 1", lower), Row("upper", "h²", "Layer 2", upper)


def both_rows(reading: Reading) -> tuple[Row, Row]:
    """What reads ahead first."""
    both = reading.both_ways()
    return Row("ahead", "h→", "Read ahead", both.ahead, -1), Row("back", "h←", "Read back", both.back, 1)


def stacked(reading: Reading, rows: Sequence[Row]) -> Diagram:
    """Layer 2 over layer 1 over the words."""
    lower, upper = rows
    boxes = [*_words(0.94), *_states(reading, lower, 0.585, 0), *_states(reading, upper, 0.155, 1)]
    links = [
        *(Link(f"x.{t}", f"lower.{t}", 1.0) for t in range(len(WORDS))),
        *(Link(f"lower.{t}", f"upper.{t}", 0.5) for t in range(len(WORDS))),
        *_ahead(lower), *_ahead(upper),
    ]  # fmt: skip
    return _diagram(reading, "two layers", boxes, links, f"upper.{reading.at}")


def both_ways(reading: Reading, rows: Sequence[Row]) -> Diagram:
    """What reads ahead, what reads back, and both side by side at each word."""
    ahead, back = rows
    boxes = [
        *_words(0.952), *_states(reading, ahead, 0.732, 0), *_states(reading, back, 0.432, 1),
        *_joined(reading, ahead, back, 0.132),
    ]  # fmt: skip
    links = [
        *(Link(f"x.{t}", f"{row.key}.{t}", 1.0) for row in rows for t in range(len(WORDS))),
        *_ahead(ahead),
        *(Link(f"back.{t + 1}", f"back.{t}", 0.5) for t in range(len(WORDS) - 1)),
        *(Link(f"{row.key}.{t}", f"both.{t}", 0.5) for row in rows for t in range(len(WORDS))),
    ]
    return _diagram(reading, "both ways", boxes, links, f"both.{reading.at}")


def _diagram(reading: Reading, arrangement: str, boxes, links, start: str) -> Diagram:
    title = f"{CELL_NAMES[reading.cell]}, {arrangement}: step {reading.at + 1} is filled"
    return Diagram(title, _OURS, _WIDE, _NARROW, boxes, links, start, FLOWS[:0])


def _ahead(row: Row) -> list[Link]:
    return [Link(f"{row.key}.{t}", f"{row.key}.{t + 1}", 0.5) for t in range(len(WORDS) - 1)]


def _places(t: int, height: float, aside: int = 0) -> dict:
    """Where a box stands over word t, at this share of the height."""
    return {
        "wide": (_OF_WIDE[t] + aside * _ASIDE_WIDE, height * _WIDE.height),
        "narrow": (_OF_NARROW[t] + aside * _ASIDE_NARROW, height * _NARROW.height),
    }


def _words(height: float) -> list[Box]:
    return [
        Box(
            f"x.{t}", "", [f"“{word}”"], f"Step {t + 1}: the word “{word}”", line=0, role="input",
            widening=_WORD, **_places(t, height),
        )
        for t, word in enumerate(WORDS)
    ]  # fmt: skip


def _states(reading: Reading, row: Row, height: float, line: int) -> list[Box]:
    return [
        Box(
            f"{row.key}.{t}", row.label, [brief(value) for value in row.layer.hidden[t]],
            f"{row.name}, “{word}”: h = {vector(row.layer.hidden[t])}",
            line=line, role=_ROLES[reading.cell], filled=float(t == reading.at), **_places(t, height, row.aside),
        )
        for t, word in enumerate(WORDS)
    ]  # fmt: skip


def _joined(reading: Reading, ahead: Row, back: Row, height: float) -> list[Box]:
    return [
        Box(
            f"both.{t}", "[h→, h←]",
            [", ".join(rounded(value, 2, padded=True) for value in row.layer.hidden[t]) for row in (ahead, back)],
            f"“{word}”, read both ways: ({_listed([*ahead.layer.hidden[t], *back.layer.hidden[t]])})",
            line=2, role="reference", filled=float(t == reading.at), widening=_JOINED, **_places(t, height),
        )
        for t, word in enumerate(WORDS)
    ]  # fmt: skip


def vector(values: np.ndarray) -> str:
    return f"({_listed(values)})"


def _listed(values: Sequence[float]) -> str:
    return ", ".join(number(float(value)) for value in values)


def lines(reading: Reading, rows: Sequence[Row], is_stack: bool) -> list[list[Piece]]:
    """What each layer reads and makes at the step, the words under their boxes' keys."""
    t, (first, second) = reading.at, rows
    read = [
        _reads(first, reading, f"x.{t}", f"“{WORDS[t]}”", t - 1),
        _reads(second, reading, f"lower.{t}", vector(first.layer.hidden[t]), t - 1)
        if is_stack
        else _reads(second, reading, f"x.{t}", f"“{WORDS[t]}”", t + 1),
    ]
    if is_stack:
        return read
    joined = [
        Piece("[h→, h←]", f"both.{t}"), Piece(" = ["),
        Piece(vector(first.layer.hidden[t]), f"ahead.{t}"), Piece(", "),
        Piece(vector(second.layer.hidden[t]), f"back.{t}"), Piece(f"]: {2 * UNITS} numbers"),
    ]  # fmt: skip
    return [*read, joined]


def _reads(row: Row, reading: Reading, source: str, read: str, from_step: int) -> list[Piece]:
    """`h¹ = LSTM(“sat”; old h = (…)) = (…)`."""
    t, key = reading.at, row.key
    inside = 0 <= from_step < len(WORDS)
    old = row.layer.hidden[from_step] if inside else np.zeros(UNITS)
    return [
        Piece(row.label, f"{key}.{t}"), Piece(f" = {CELL_NAMES[reading.cell]}("), Piece(read, source),
        Piece("; old h = "), Piece(vector(old), f"{key}.{from_step}" if inside else ""), Piece(") = "),
        Piece(vector(row.layer.hidden[t]), f"{key}.{t}"),
    ]  # fmt: skip


def table(rows: Sequence[Row], is_stack: bool) -> Table:
    """Every state of both layers, and what was read for it."""
    found = []
    for row in rows:
        for t, word in enumerate(WORDS):
            backwards = row.key == "back"
            hidden = row.layer.hidden[::-1] if backwards else row.layer.hidden
            old = before(hidden, len(WORDS) - 1 - t if backwards else t)
            read = vector(row.layer.inputs[t]) if is_stack and row.key == "upper" else word
            memory = row.layer.memory[t] if row.layer.memory is not None else ("none", "none")
            found.append((row.name, t + 1, word, read, *old, *row.layer.hidden[t], *memory))
    headings = [
        "layer", "step", "word", "reads", "old h, unit 1", "old h, unit 2", "h, unit 1", "h, unit 2",
        "c, unit 1", "c, unit 2",
    ]  # fmt: skip
    return Table("What each layer reads and makes, word by word", headings, list(zip(*found, strict=True)))
