"""The example's cell in a stack, or beside one that reads the words from their end: who reads whom, in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.cat_sat import WORDS
from core.opened_sequence import OpenedLayer
from widgets.base.diagram import Box, Diagram, Link, Piece, Plan
from widgets.cells.lines import lines as step_lines
from widgets.cells.picture import FLOWS, brief
from widgets.cells.reading import CELL_NAMES, UNITS, Reading
from widgets.cells.table import vector
from widgets.cells.terms import terms

_WIDE, _NARROW = Plan(560, 250, 84), Plan(360, 250, 72)
_HIGHER = 290
"""Of the picture whose upper row has both states beneath each other in a box."""
_OF_WIDE = (110, 290, 470)
_OF_NARROW = (60, 180, 300)
_ASIDE_WIDE, _ASIDE_NARROW = 46, 24
"""How far from the middle of its word a layer stands that reads one way."""
_WORD, _JOINED = 1.25, 1.55
"""How many times as wide as a layer's boxes those of the words are, and of both states side by side."""
_ROLES = {"rnn": "tanh", "lstm": "lstm", "gru": "gru"}
_UNITS = "in each box unit 1 stands over unit 2."
_STACK = f"(1) and (2) above a letter: the layers; {_UNITS}"
_PAIR = f"→ and ←: which way a layer reads; {_UNITS}"


@dataclass(frozen=True)
class Row:
    """A row of the picture: the states of a layer, word by word."""

    key: str
    label: str
    name: str
    reading: Reading
    aside: int = 0
    """−1 or 1: stands to the left or the right of its word."""

    @property
    def layer(self) -> OpenedLayer:
        return self.reading.layer


def stack_rows(reading: Reading) -> tuple[Row, Row]:
    """The lower layer first."""
    lower, upper = reading.stacked()
    return Row("lower", "h^{(1)}", "Layer 1", lower), Row("upper", "h^{(2)}", "Layer 2", upper)


def both_rows(reading: Reading) -> tuple[Row, Row]:
    """What reads ahead first."""
    ahead, back = reading.both_ways()
    return Row("ahead", "h→", "Read ahead", ahead, -1), Row("back", "h←", "Read back", back, 1)


def stacked(reading: Reading, rows: Sequence[Row]) -> Diagram:
    """Layer 2 over layer 1 over the words."""
    lower, upper = rows
    boxes = [*_words(235), *_states(reading, lower, 146, 0), *_states(reading, upper, 39, 1)]
    links = [
        *(Link(f"x.{t}", f"lower.{t}", 1.0) for t in range(len(WORDS))),
        *(Link(f"lower.{t}", f"upper.{t}", 0.5) for t in range(len(WORDS))),
        *_ahead(lower), *_ahead(upper),
    ]  # fmt: skip
    return _diagram(reading, "two layers", _STACK, boxes, links, f"upper.{reading.at}")


def both_ways(reading: Reading, rows: Sequence[Row]) -> Diagram:
    """What reads ahead, what reads back, and both side by side at each word."""
    ahead, back = rows
    boxes = [
        *_words(278), *_states(reading, ahead, 223, 0), *_states(reading, back, 149, 1),
        *_joined(reading, ahead, back, 56),
    ]  # fmt: skip
    links = [
        *(Link(f"x.{t}", f"{row.key}.{t}", 1.0) for row in rows for t in range(len(WORDS))),
        *_ahead(ahead),
        *(Link(f"back.{t + 1}", f"back.{t}", 0.5) for t in range(len(WORDS) - 1)),
        *(Link(f"{row.key}.{t}", f"both.{t}", 0.5) for row in rows for t in range(len(WORDS))),
    ]
    found = _diagram(reading, "both ways", _PAIR, boxes, links, f"both.{reading.at}")
    return replace(found, wide=_WIDE._replace(height=_HIGHER), narrow=_NARROW._replace(height=_HIGHER))


def _diagram(reading: Reading, arrangement: str, marks: str, boxes, links, start: str) -> Diagram:
    title = f"{CELL_NAMES[reading.cell]}, {arrangement}: step {reading.at + 1} is filled"
    return Diagram(title, marks, _WIDE, _NARROW, boxes, links, start, FLOWS[:0])


def _ahead(row: Row) -> list[Link]:
    return [Link(f"{row.key}.{t}", f"{row.key}.{t + 1}", 0.5) for t in range(len(WORDS) - 1)]


def _places(t: int, height: float, aside: int = 0) -> dict:
    """Where a box stands in line with word t, at this height in both plans, counted from above."""
    return {
        "wide": (_OF_WIDE[t] + aside * _ASIDE_WIDE, height),
        "narrow": (_OF_NARROW[t] + aside * _ASIDE_NARROW, height),
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
            f"{row.key}.{t}", row.label + "′" * (t == reading.at), [brief(value) for value in row.layer.hidden[t]],
            f"{row.name}, “{word}”: h = {vector(row.layer.hidden[t])}",
            line=line, role=_ROLES[reading.cell], filled=float(t == reading.at), **_places(t, height, row.aside),
        )
        for t, word in enumerate(WORDS)
    ]  # fmt: skip


def _joined(reading: Reading, ahead: Row, back: Row, height: float) -> list[Box]:
    return [
        Box(
            f"both.{t}", "[h→′, h←′]" if t == reading.at else "[h→, h←]",
            [brief(value) for row in (ahead, back) for value in row.layer.hidden[t]],
            f"“{word}”, read both ways: {vector([*ahead.layer.hidden[t], *back.layer.hidden[t]])}",
            line=2, role="reference", filled=float(t == reading.at), widening=_JOINED, **_places(t, height),
        )
        for t, word in enumerate(WORDS)
    ]  # fmt: skip


def lines(reading: Reading, rows: Sequence[Row], is_stack: bool) -> list[list[Piece]]:
    """What each layer reads and makes at the step, under their boxes' keys; then the second layer's sums."""
    t, (first, second) = reading.at, rows
    word = [Piece(f"“{WORDS[t]}”", f"x.{t}")]
    lower = [Piece(f"{first.label}′ = {vector(first.layer.hidden[t])}", f"{first.key}.{t}")]
    read = [_reads(first, word), _reads(second, lower if is_stack else word)]
    joined = [
        Piece("[h→′, h←′]", f"both.{t}"), Piece(" = ["),
        Piece(vector(first.layer.hidden[t]), f"ahead.{t}"), Piece(", "),
        Piece(vector(second.layer.hidden[t]), f"back.{t}"), Piece(f"]: {2 * UNITS} numbers"),
    ]  # fmt: skip
    return [*read, *([] if is_stack else [joined]), *_opened(second)]


def _reads(row: Row, read: Sequence[Piece]) -> list[Piece]:
    """`h^{(1)}′ = LSTM(“sat”; h^{(1)} = (…), c^{(1)} = (…)) = (…)`: old states within, and the new one."""
    reading, key = row.reading, row.key
    old = f"{key}.{reading.found_at}" if reading.found_at is not None else ""
    found = [Piece(f"{row.label} = {vector(reading.old_hidden)}", old)]
    if row.layer.memory is not None:
        found += [Piece(f", c{reading.layer_mark} = {vector(reading.old_memory)}")]
    return [
        Piece(f"{row.label}′", f"{key}.{reading.at}"), Piece(f" = {CELL_NAMES[reading.cell]}("), *read,
        Piece("; "), *found, Piece(") = "), Piece(vector(row.layer.hidden[reading.at]), f"{key}.{reading.at}"),
    ]  # fmt: skip


def _opened(row: Row) -> list[list[Piece]]:
    """The layer's step opened as a single cell's is, whose terms have no boxes here."""
    reading = row.reading
    found = step_lines(reading, terms(reading))
    head = [Piece(f"{row.name}, “{reading.word}”, unit {reading.unit + 1}:")]
    return [head, *([Piece(piece.text) for piece in line] for line in found)]
