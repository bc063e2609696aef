"""The picture of one step: its terms as boxes, where the plan has them, and what flows between them."""

from collections.abc import Sequence

from widgets.base.diagram import Box, Diagram, Link, Sign
from widgets.base.numbers import number, power_of_ten, rounded
from widgets.cells.lines import line_of
from widgets.cells.plans import PLANS, StepPlan, reset_flows
from widgets.cells.reading import CELL_NAMES, Reading
from widgets.cells.terms import GATES, Term, Terms, one_hot

OURS = "°"
"""Stands behind a number that the example leaves open."""
FLOWS = (Sign("━", "the thicker, the larger"), Sign("╍", "negative"))
_START = {"rnn": "h", "lstm": "c", "gru": "h"}
_SMALL, _TINY = 1e-2, 1e-3
_THE_REST = {("z", "written")}
"""Flows that carry what their box leaves of 1."""
_TRACKS = {"r": 0.25, "r_other": 0.6}
"""Where the lines of the two reset gates run, so that neither lies upon the other."""
_FORMS = {False: "before the product", True: "after the product"}


def picture(reading: Reading, terms: Terms) -> Diagram:
    """The diagram of the step that is opened, in the unit that is shown."""
    cell = reading.cell
    plan = PLANS[cell]
    form = f", reset {_FORMS[reading.reset_after]}" if cell == "gru" else ""
    signs = (Sign("▄", "as full as the gate is open"),) if cell != "rnn" else ()
    ours = (Sign(OURS, "not the example’s own"),) if cell == "lstm" else ()
    marks = f"“{reading.word}” is x = {one_hot(reading)}; 1 and 2 below a letter: the units."
    return Diagram(
        title=f"{CELL_NAMES[cell]}{form}: step {reading.at + 1}, “{reading.word}”, unit {reading.unit + 1}",
        description=marks,
        wide=plan.wide,
        narrow=plan.narrow,
        boxes=[_box(reading, key, terms[key], spots) for key, spots in plan.spots.items() if _is_shown(reading, key)],
        links=_links(reading, terms, plan),
        start=_START[cell],
        signs=(*FLOWS, *signs, *ours),
    )  # fmt: skip


def _is_shown(reading: Reading, key: str) -> bool:
    """The other unit's reset gate is at work in the form "before" alone."""
    return key != "r_other" or not reading.reset_after


def _box(reading: Reading, key: str, term: Term, spots) -> Box:
    value = float(term.values[reading.unit])
    told = term.told is None or bool(term.told[reading.unit])
    label = f"r_{reading.unit + 1}" if key == "r" else term.label
    return Box(
        key=key,
        label=label,
        numbers=[brief(value) + ("" if told else OURS)],
        name=f"{term.name}: {number(value)}" + ("" if told else ", not the example’s own"),
        wide=spots[0],
        narrow=spots[1],
        line=line_of(reading.cell, key),
        role=term.role,
        filled=value if term.gate else 0.0,
    )


def brief(value: float) -> str:
    """A number as there is room for in a box: of a small one two digits, of a very small one a single one."""
    if value == 0 or abs(value) >= _SMALL:
        return number(value)
    if abs(value) >= _TINY:
        return rounded(value, 2, padded=True)
    digit, exponent = f"{value:.0e}".split("e")
    return f"{digit}·{power_of_ten(int(exponent))}".replace("-", "−")


def _links(reading: Reading, terms: Terms, plan: StepPlan) -> list[Link]:
    """Each carries the number of the box that it comes from, or what that leaves of 1."""

    def flow(source: str, target: str, sign: str = "", **looks) -> Link:
        value = float(terms[source].values[reading.unit])
        return Link(source, target, 1 - value if (source, target) in _THE_REST else value, sign, **looks)

    found = [link for letter in GATES[reading.cell] for link in _signs(letter)]
    found += [flow(*way) for way in plan.flows]
    found += [flow(*way, narrow=True) for way in plan.detours]
    if reading.cell == "gru":
        resets = reset_flows(reading.reset_after, reading.unit)
        found += [flow(gate, term, track=_TRACKS[gate]) for term, gate in resets.items()]
    return found


def _signs(letter: str) -> Sequence[Link]:
    """`+` between the terms of a sum, and `=` before it."""
    parts = [f"{letter}.{part}" for part in ("x", "h1", "h2", "b", "a")]
    return [Link(one, next_, sign=sign) for one, next_, sign in zip(parts, parts[1:], "+++=", strict=False)]
