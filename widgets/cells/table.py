"""The data table of the cells lab: the weights, the inputs, and every term of every step, so that all can be redone."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.cat_sat import WORDS
from widgets.base.frame import Table
from widgets.base.numbers import number
from widgets.cells.reading import CELL_NAMES, UNITS, Reading
from widgets.cells.terms import GATES, NAMES, one_hot, terms, weight

_HEADINGS = ("step", "word", "term", "what it is", "unit 1", "unit 2", "told by the example")
_TERM = 2
"""The column of what is written as in the equations."""


def table_of(readings: Sequence[tuple[str, Reading]]) -> Table:
    """Layers under their names; a single one, whose name is empty, needs no column for it."""
    cell = readings[0][1].cell
    rows = [(name, *row) for name, reading in readings for row in (*_weights(reading), *_steps(reading))]
    headings, shown = ["layer", *_HEADINGS], _TERM + 1
    if not readings[0][0]:
        rows, headings, shown = [row[1:] for row in rows], headings[1:], _TERM
    caption = f"{CELL_NAMES[cell]}: weights, inputs and every term. What the example does not tell is ours"
    return Table(caption, headings, list(zip(*rows, strict=True)), formulas=[shown])


def _weights(reading: Reading) -> Iterator[tuple]:
    """Each weight, by where it comes from, in the column of the unit that it leads to."""
    for letter in GATES[reading.cell]:
        W, U, b = reading.weights_of(letter)
        for j, row in enumerate(W):
            source = f"the word “{WORDS[j]}”" if reading.reads_words else f"unit {j + 1} of layer 1"
            yield _weight(letter, "W", f"weight of {source}", row)
        for j in range(UNITS):
            yield _weight(letter, "U", f"weight of the old hidden state of unit {j + 1}", U[j])
        yield _weight(letter, "b", "bias", b)


def _weight(letter: str, symbol: str, said: str, values: np.ndarray) -> tuple:
    return ("all", "all", weight(symbol, letter), f"{NAMES[letter]}: {said}", *values.tolist(), "no")


def _steps(reading: Reading) -> Iterator[tuple]:
    for at, word in enumerate(WORDS):
        opened = reading.opened_at(at)
        yield (at + 1, word, *_input(opened), "no")
        for key, term in terms(opened).items():
            if key not in ("x", "r_other"):
                yield (at + 1, word, term.label, term.name, *term.values.tolist(), _told(term.told))


def _input(reading: Reading) -> tuple:
    """What is read: the row of a word, or both units of the layer below."""
    if reading.reads_words:
        return ("x", f"Input: the row of “{reading.word}”", *[one_hot(reading)] * UNITS)
    return (
        reading.source,
        "Input: the hidden state of layer 1, units 1 and 2",
        *[vector(reading.input)] * UNITS,
    )


def vector(values: Sequence[float]) -> str:
    """`(0.344, −0.0764)`."""
    return f"({', '.join(number(float(value)) for value in values)})"


def _told(told: np.ndarray | None) -> str:
    units = [] if told is None else [str(unit + 1) for unit in np.flatnonzero(told)]
    return f"unit {' and '.join(units)}" if units else "no"
