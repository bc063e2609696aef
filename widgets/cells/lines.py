"""The equations of an opened step with today's numbers put in, each piece under the key of its term."""

from collections.abc import Sequence

import numpy as np

from widgets.base.diagram import Piece
from widgets.base.numbers import result, rounded
from widgets.cells.plans import reset_flows
from widgets.cells.reading import UNITS, Reading
from widgets.cells.terms import GATES, Terms

Line = Sequence[Piece]
_EQUALS = "\u00a0=\u00a0"
"""At which a line is not broken."""
_DIGITS = 5
"""Of the terms of a sum: enough that who adds them finds the result, but for its last digit."""
_PARTS = ("x", *(f"h{j + 1}" for j in range(UNITS)))
"""Of a sum, what is a product of something read and a weight."""
_SQUASHINGS = {"g": "tanh", "n": "tanh", "a": "tanh"}


def lines(reading: Reading, terms: Terms) -> list[Line]:
    """Two lines for each sum, in the order of the picture, its products and itself, and one for each new state."""
    sums = []
    for letter in GATES[reading.cell]:
        sums += [_products(letter, reading, terms), _sum(letter, terms, reading.unit)]
    return [*sums, *_STATES[reading.cell](terms, reading.unit)]


def line_of(cell: str, key: str) -> int:
    """Which of the lines explains a term."""
    letters = GATES[cell]
    letter, _, part = key.partition(".")
    if letter in letters:
        return 2 * letters.index(letter) + (part not in _PARTS)
    if key in _PARTS:
        return 0
    if key == "r_other":
        return 2 * letters.index("n")
    return 2 * len(letters) + (cell == "lstm" and key in ("tanh", "h")) - (cell == "rnn")


def operand(value: float) -> str:
    """A number within a sum or a product."""
    return rounded(value, _DIGITS)


def factor(value: float) -> str:
    """The same after a sign of its own: in parentheses if it is below 0."""
    return f"({operand(value)})" if value < 0 else operand(value)


def _piece(terms: Terms, unit: int, key: str, written=operand) -> Piece:
    return Piece(written(float(terms[key].values[unit])), key)


def _products(letter: str, reading: Reading, terms: Terms) -> Line:
    """`xW_f = 1·1.9 = 1.9; h_1U_f = 0.2·0.4 = 0.08; …`: what is read, each with its weight."""
    found = []
    for part in _PARTS:
        key = f"{letter}.{part}"
        found += [
            Piece("; " if found else ""), Piece(terms[key].label, key), Piece(_EQUALS),
            *_factors(letter, part, reading, terms),
            Piece(_EQUALS), _piece(terms, reading.unit, key),
        ]  # fmt: skip
    return found[1:]


def _factors(letter: str, part: str, reading: Reading, terms: Terms) -> Line:
    """What one product of a sum is made of; of x W only what x does not make 0."""
    weights, unit = reading.weights_of(letter), reading.unit
    if part == "x":
        read = np.flatnonzero(reading.input)
        key = part if reading.reads_words else ""
        pairs = [(reading.input[j], weights.W[j, unit]) for j in read]
        return _joined(
            [_multiplied([(value, key), (w, "")], n > 0) for n, (value, w) in enumerate(pairs)], " + "
        )
    j = _PARTS.index(part) - 1
    product = [(reading.old_hidden[j], part), (weights.U[j, unit], "")]
    if letter == "n":
        gate = reset_flows(reading.reset_after, unit)[f"n.{part}"]
        product.insert(0, (terms[gate].values[unit], gate))
    return _multiplied(product)


def _multiplied(factors: Sequence[tuple[float, str]], follows: bool = False) -> Line:
    """Numbers under the keys of their terms; `follows`: a sign stands before the first of them."""
    pieces = [
        Piece((factor if follows or n else operand)(value), key) for n, (value, key) in enumerate(factors)
    ]
    return _joined([[piece] for piece in pieces], "·")


def _sum(letter: str, terms: Terms, unit: int) -> Line:
    """`a_f = xW_f + … = 0.9 + … = 2.944;  f = σ(a_f) = 0.95`."""
    parts = [f"{letter}.{part}" for part in (*_PARTS, "b")]
    total, gate = f"{letter}.a", letter if letter != "a" else "h"
    squashing = _SQUASHINGS.get(letter, "σ")
    return [
        Piece(terms[total].label, total),
        Piece(" = "),
        *_joined([[Piece(terms[part].label, part)] for part in parts], " + "),
        Piece(" = "),
        *_joined(
            [[_piece(terms, unit, part, factor if n else operand)] for n, part in enumerate(parts)], " + "
        ),
        Piece(" = "),
        _piece(terms, unit, total, result),
        Piece("; "),
        Piece(terms[gate].label, gate),
        Piece(f"{_EQUALS}{squashing}("),
        Piece(terms[total].label, total),
        Piece(f"){_EQUALS}"),
        _piece(terms, unit, gate, result),
    ]


def _joined(lines: Sequence[Line], sign: str) -> list[Piece]:
    return [piece for n, line in enumerate(lines) for piece in ([Piece(sign)] * (n > 0) + list(line))]


def _no_states(terms: Terms, unit: int) -> list[Line]:
    """Of a tanh RNN: its sum is squashed to its state."""
    return []


def _lstm_states(terms: Terms, unit: int) -> list[Line]:
    cell = _mixed(terms, unit, "c", ("f", "c_old"), ("i", "g"))
    shown = [
        Piece(terms["h"].label, "h"), Piece(" = "), Piece("o", "o"), Piece("·"),
        Piece(terms["tanh"].label, "tanh"), Piece(" = "),
        _piece(terms, unit, "o"), Piece("·"), _piece(terms, unit, "tanh", factor), Piece(" = "),
        _piece(terms, unit, "h", result),
    ]  # fmt: skip
    return [cell, shown]


def _gru_states(terms: Terms, unit: int) -> list[Line]:
    return [_mixed(terms, unit, "h", ("z", "h_old"), ("z", "n"))]


def _mixed(terms: Terms, unit: int, new: str, kept: tuple[str, str], written: tuple[str, str]) -> Line:
    """`c′ = f·c + i·g = 0.95·0.14 + 0.3·0.9 = 0.133 + 0.27 = 0.403`; a GRU writes the share that z leaves.

    That share has digits of its own: with z = 0.99967 in it, 1 − z would be left with two.
    """
    rest = written[0] == "z"
    left, right = ("(1 − ", ")") if rest else ("", "")
    gate = float(terms[written[0]].values[unit])
    share = Piece(operand(1 - gate if rest else gate), written[0])
    return [
        Piece(terms[new].label, new), Piece(" = "),
        Piece(terms[kept[0]].label, kept[0]), Piece("·"), Piece(terms[kept[1]].label, kept[1]), Piece(" + "),
        Piece(left), Piece(terms[written[0]].label, written[0]), Piece(right),
        Piece("·"), Piece(terms[written[1]].label, written[1]), Piece(" = "),
        _piece(terms, unit, kept[0]), Piece("·"), _piece(terms, unit, kept[1], factor), Piece(" + "),
        share, Piece("·"), _piece(terms, unit, written[1], factor), Piece(" = "),
        _piece(terms, unit, "kept"), Piece(" + "), _piece(terms, unit, "written", factor), Piece(" = "),
        _piece(terms, unit, new, result),
    ]  # fmt: skip


_STATES = {"rnn": _no_states, "lstm": _lstm_states, "gru": _gru_states}
