"""The cells lab by hand: from the weights, inputs and states that it shows, every sum and state can be redone."""

import math
import re
from functools import partial

import pytest

from tests.widgets import lab_readings as readings
from tests.widgets.reckoning import SQUASHINGS, reckoned
from widgets.cells.lab import CellLab
from widgets.cells.reading import CELL_NAMES

frame_with = partial(readings.frame_with, CellLab)
FORMS = [("rnn", "before"), ("lstm", "before"), ("gru", "before"), ("gru", "after")]
WORDS = ("the", "cat", "sat")
SIGMOID, TANH = SQUASHINGS["σ"], SQUASHINGS["tanh"]


def lines(**settings) -> list[str]:
    """The sums and states; of two layers only those of the second, which is opened."""
    found = [
        "".join(piece.text for piece in line).replace("\u00a0", " ")
        for line in frame_with(**settings).arithmetic
    ]
    heads = [n for n, line in enumerate(found) if line.endswith(":")]
    return found[heads[-1] + 1 :] if heads else found


@pytest.mark.parametrize("arrangement", ["single", "stacked", "both-ways"])
@pytest.mark.parametrize("unit", ["1", "2"])
@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize(("cell", "reset"), FORMS)
def test_every_equation_can_be_reckoned_again(cell, reset, step, unit, arrangement):
    for line in lines(cell=cell, reset=reset, step=step, unit=unit, arrangement=arrangement):
        total = None
        for equation in line.split("; "):
            sides = equation.split(" = ")
            *shown, last = [reckoned(side) for side in sides if not re.search(r"[a-zA-Zσ]", side)]
            squashing = re.match(r"(σ|tanh)\(a", sides[1])
            if squashing:
                assert SQUASHINGS[squashing[1]](total) == pytest.approx(last, rel=2e-3), line
            else:
                assert shown == pytest.approx([last] * len(shown), rel=3e-3, abs=2e-5), line
                assert shown, line
            total = last


class Table:
    """The data table, as who redoes a step reads it: weights and numbers by their symbols, in full precision."""

    def __init__(self, layer: str = "", **settings):
        rows = frame_with(**settings).table.rows
        rows = [row[1:] for row in rows if row[0] == layer] if layer else rows
        self.weights, self.terms = {}, {}
        for step, _, symbol, _, *units, _ in rows:
            if step == "all":
                self.weights.setdefault(symbol, []).append(units)
            else:
                self.terms[step, symbol] = units


def redone(cell: str, reset: str, table: Table, x: list[float], h: list[float], c: list[float]):
    """A step of two units from the table's weights, by the equations of the lab's text: (h′, c′)."""

    def total(letter: str, seen=None, by=1.0) -> list[float]:
        W, U, (b,) = (table.weights[f"{symbol}{letter and '_' + letter}"] for symbol in "WUb")
        seen = h if seen is None else seen
        scale = by if isinstance(by, list) else [by, by]
        return [
            sum(x[j] * W[j][k] for j in range(len(x)))
            + scale[k] * sum(seen[j] * U[j][k] for j in (0, 1))
            + b[k]
            for k in (0, 1)
        ]

    if cell == "rnn":
        return [TANH(a) for a in total("")], c
    if cell == "lstm":
        i, f, o = ([SIGMOID(a) for a in total(letter)] for letter in "ifo")
        new = [f[k] * c[k] + i[k] * TANH(total("g")[k]) for k in (0, 1)]
        return [o[k] * math.tanh(new[k]) for k in (0, 1)], new
    r, z = ([SIGMOID(a) for a in total(letter)] for letter in "rz")
    sums = total("n", [r[j] * h[j] for j in (0, 1)]) if reset == "before" else total("n", h, r)
    return [z[k] * h[k] + (1 - z[k]) * TANH(sums[k]) for k in (0, 1)], c


@pytest.mark.parametrize(("cell", "reset"), FORMS)
def test_the_sentence_can_be_read_by_hand_from_the_table(cell, reset):
    table = Table(cell=cell, reset=reset)
    h = c = [0.0, 0.0]
    for step in (1, 2, 3):
        x = [float(entry) for entry in table.terms[step, "x"][0].strip("()").split(", ")]
        assert x == [float(step == j) for j in (1, 2, 3)]
        h, c = redone(cell, reset, table, x, h, c)
        assert h == pytest.approx(table.terms[step, "h′"], rel=1e-9)
    if cell == "lstm":
        assert c[1] == pytest.approx(0.403, rel=1e-9)


@pytest.mark.parametrize(("cell", "reset"), FORMS)
def test_a_stack_can_be_read_by_hand_from_the_table(cell, reset):
    settings = {"cell": cell, "reset": reset, "arrangement": "stacked"}
    lower, upper = (Table(layer, **settings) for layer in ("Layer 1", "Layer 2"))
    h = c = [0.0, 0.0]
    for step in (1, 2, 3):
        h, c = redone(cell, reset, upper, lower.terms[step, "h^{(1)}′"], h, c)
        assert h == pytest.approx(upper.terms[step, "h^{(2)}′"], rel=1e-9)


@pytest.mark.parametrize(("cell", "reset"), FORMS)
def test_a_pair_can_be_read_by_hand_from_the_table(cell, reset):
    settings = {"cell": cell, "reset": reset, "arrangement": "both-ways"}
    for layer, arrow, order in (("Read ahead", "→", (1, 2, 3)), ("Read back", "←", (3, 2, 1))):
        table = Table(layer, **settings)
        h = c = [0.0, 0.0]
        for step in order:
            h, c = redone(cell, reset, table, [float(step == j) for j in (1, 2, 3)], h, c)
            assert h == pytest.approx(table.terms[step, f"h{arrow}′"], rel=1e-9)


@pytest.mark.parametrize("cell", CELL_NAMES)
def test_the_table_holds_every_weight_and_every_term(cell):
    """Of each part 3 rows of W, 2 of U and b; then, at 3 steps, the input and 8, 32 or 24 terms."""
    parts, terms = {"rnn": (1, 9), "lstm": (4, 33), "gru": (3, 25)}[cell]
    table = frame_with(cell=cell).table
    assert len(table.rows) == 6 * parts + 3 * terms
    assert [table.headings[n] for n in table.formulas] == ["term"]
    assert len(frame_with(cell=cell, arrangement="stacked").table.rows) == 2 * len(table.rows) - parts


def test_the_table_says_what_the_example_tells():
    rows = {(row[0], row[2]): row for row in frame_with().table.rows}
    assert rows[3, "c′"][5] == pytest.approx(0.403, rel=1e-12)
    assert rows[3, "c′"][6] == "unit 2"
    assert rows[2, "f"][5:] == (pytest.approx(0.9), "unit 2")
    assert rows["all", "U_f"][6] == "no"


def test_the_products_of_a_sum_are_written_out():
    """By hand at "cat", unit 2, forget gate: h₁ is (.7·tanh .18, .6·tanh .1), U's column (.4, .5), b 1."""
    h = [0.7 * math.tanh(0.18), 0.6 * math.tanh(0.1)]
    products = lines(step=2)[0].split("; ")
    assert [product.split(" = ")[0] for product in products] == ["xW_f", "h_{1}U_f", "h_{2}U_f"]
    for product, value, weight in zip(
        products, [1, *h], [math.log(9) - 0.4 * h[0] - 0.5 * h[1] - 1, 0.4, 0.5], strict=True
    ):
        factors, result = product.split(" = ")[1:]
        assert [reckoned(factor) for factor in factors.split("·")] == pytest.approx([value, weight], rel=1e-4)
        assert reckoned(result) == pytest.approx(value * weight, rel=1e-4)


@pytest.mark.parametrize(("step", "row"), [(1, "(1, 0, 0)"), (2, "(0, 1, 0)"), (3, "(0, 0, 1)")])
@pytest.mark.parametrize("cell", CELL_NAMES)
def test_the_picture_says_what_the_input_of_a_word_is(cell, step, row):
    assert frame_with(cell=cell, step=step).diagram.description.startswith(
        f"“{WORDS[step - 1]}” is x = {row};"
    )
