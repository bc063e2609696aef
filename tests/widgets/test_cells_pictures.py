"""The pictures of the cells lab: every term has its place, its line and its number, and what is ours is marked."""

import json
import re

import pytest

from widgets.base.diagram import Diagram
from widgets.cells.lab import CellLab
from widgets.cells.reading import CELL_NAMES
from widgets.page import text

FORMS = [
    {"cell": cell, "arrangement": arrangement, "reset": reset, "unit": unit}
    for cell in CELL_NAMES
    for arrangement in ("single", "stacked", "both-ways")
    for reset in (("before", "after") if cell == "gru" else ("before",))
    for unit in ("1", "2")
]


def frame_with(**settings):
    lab = CellLab()
    lab.adopt(**settings)
    return lab.compute()


def numbers(diagram: Diagram) -> dict[str, str]:
    return {box.key: box.numbers[0] for box in diagram.boxes}


def links(diagram: Diagram) -> set[tuple[str, str]]:
    return {(link.source, link.target) for link in diagram.links if link.carries is not None}


@pytest.mark.parametrize("settings", FORMS)
def test_every_box_is_explained_by_a_line_that_holds_it(settings):
    frame = frame_with(step=2, **settings)
    keys = [box.key for box in frame.diagram.boxes]
    assert len(set(keys)) == len(keys)
    assert frame.diagram.start in keys
    for box in frame.diagram.boxes:
        terms = {piece.term for piece in frame.arithmetic[box.line]}
        if settings["arrangement"] == "single":
            assert box.key in terms
    lit = {piece.term for line in frame.arithmetic for piece in line if piece.term}
    assert lit <= set(keys)


@pytest.mark.parametrize("settings", FORMS)
def test_links_join_boxes_and_boxes_keep_to_their_plan(settings):
    diagram = frame_with(**settings).diagram
    keys = {box.key for box in diagram.boxes}
    for link in diagram.links:
        assert {link.source, link.target} <= keys
    for plan, place in ((diagram.wide, "wide"), (diagram.narrow, "narrow")):
        stand = [
            (x, y, plan.box * box.widening, 19 * (len(box.numbers) + bool(box.label)) + 5)
            for box in diagram.boxes
            if (at := getattr(box, place))
            for x, y in [at]
        ]
        for x, y, width, height in stand:
            assert x - width / 2 >= 0
            assert x + width / 2 <= plan.width + 1
            assert y - height / 2 >= -1
            assert y + height / 2 <= plan.height + 1
        for n, (x, y, width, height) in enumerate(stand):
            for u, v, w, h in stand[n + 1 :]:
                assert abs(x - u) >= (width + w) / 2 or abs(y - v) >= (height + h) / 2 - 2, (x, y, u, v)


def test_numbers_flow_from_the_box_that_holds_them():
    diagram = frame_with().diagram
    carried = {link.source: link.carries for link in diagram.links if link.carries is not None}
    assert carried["f"] == pytest.approx(0.95)
    assert carried["kept"] == pytest.approx(0.133)
    assert {("c_old", "kept"), ("f", "kept"), ("i", "written"), ("g", "written"), ("kept", "c")} <= links(
        diagram
    )
    assert {("h1", f"{letter}.h1") for letter in "figo"} <= links(diagram)


def test_what_a_gru_does_not_keep_flows_to_its_candidate():
    diagram = frame_with(cell="gru", step=2, update_bias=6).diagram
    flows = {(link.source, link.target): link.carries for link in diagram.links}
    assert flows["z", "kept"] > 0.98
    assert flows["z", "written"] == pytest.approx(1 - flows["z", "kept"])


def test_no_line_leads_past_the_weights_of_a_tanh_rnn():
    found = links(frame_with(cell="rnn").diagram)
    assert {source for source, target in found if target == "h"} == {"a.a"}
    assert {target for source, target in found if source == "h2"} == {"a.h2"}


@pytest.mark.parametrize("unit", ["1", "2"])
def test_before_each_unit_resets_itself_and_after_the_reader_resets_all(unit):
    other = "1" if unit == "2" else "2"
    before, after = (
        frame_with(cell="gru", step=2, unit=unit, reset=form).diagram for form in ("before", "after")
    )
    assert {("r", f"n.h{unit}"), ("r_other", f"n.h{other}")} <= links(before)
    assert {("r", "n.h1"), ("r", "n.h2")} <= links(after)
    assert "r_other" not in numbers(after)
    labels, labels_after = ({box.key: box.label for box in diagram.boxes} for diagram in (before, after))
    assert (labels["r"], labels["r_other"]) == (f"r_{unit}", f"r_{other}")
    assert [labels[f"n.h{j}"] for j in (1, 2)] == ["r_{1}h_{1}U_n", "r_{2}h_{2}U_n"]
    assert [labels_after[f"n.h{j}"] for j in (1, 2)] == [f"r_{{{unit}}}h_{{{j}}}U_n" for j in (1, 2)]
    # By hand from the state (.18995, .21297) that both forms have after "the", U_n's columns (.5, 1) and (−1, .5), and
    # r = (.85370, .23738): h₁ adds .8537·.18995·.5 to unit 1 and .8537·.18995·(−1) to unit 2.
    resets = {"1": "0.854", "2": "0.237"}
    assert (numbers(before)["r"], numbers(before)["r_other"]) == (resets[unit], resets[other])
    assert numbers(after)["r"] == resets[unit]
    own = {"1": "0.0811", "2": "−0.162"}[unit]
    assert numbers(before)["n.h1"] == own
    reset_by_reader = {"1": "0.0811", "2": "−0.0451"}[unit]
    assert numbers(after)["n.h1"] == reset_by_reader


def test_the_gates_of_a_gru_are_told_by_what_they_do():
    names = {box.key: box.name for box in frame_with(cell="gru").diagram.boxes}
    assert names["z"].startswith("Update gate, how much of the old state is kept: ")
    assert names["r"].startswith("Reset gate, how much of it is seen: ")


def test_what_is_not_the_examples_own_is_marked():
    marked = {key for key, text in numbers(frame_with().diagram).items() if text.endswith("°")}
    assert marked == {"o", "h", "h1", "h2"}
    marked = {key for key, text in numbers(frame_with(step=2).diagram).items() if text.endswith("°")}
    assert marked == {"c_old", "kept", "i", "g", "written", "o", "h", "h1", "h2"}
    # The states before the first word are 0, and nobody's choice.
    first = numbers(frame_with(step=1).diagram)
    assert not {"h1", "h2", "c_old"} & {key for key, text in first.items() if text.endswith("°")}
    assert {key for key, text in numbers(frame_with(forget_3=0.5).diagram).items() if text.endswith("°")} == {
        "f", "kept", "c", "tanh", "o", "h", "h1", "h2",
    }  # fmt: skip
    names = {box.key: box.name for box in frame_with().diagram.boxes}
    assert names["c"] == "New cell state: what is kept and what is written: 0.403"
    assert names["o"].endswith("0.900, not the example’s own")


@pytest.mark.parametrize(("value", "shown"), [(0.01, "0.0014"), (0.5, "0.0700"), (0.95, "0.133")])
def test_numbers_have_room_in_their_boxes(value, shown):
    assert numbers(frame_with(forget_3=value).diagram)["kept"].rstrip("°") == shown
    tiny = {f"{gate}_{t}": 0.01 for gate in ("forget", "input", "candidate") for t in (1, 2, 3)}
    for box in frame_with(**tiny).diagram.boxes:
        assert len(box.numbers[0].rstrip("°")) <= 8


def test_arrows_of_the_layer_that_reads_back_run_back():
    found = links(frame_with(arrangement="both-ways").diagram)
    assert {
        ("back.2", "back.1"),
        ("back.1", "back.0"),
        ("ahead.0", "ahead.1"),
        ("ahead.1", "ahead.2"),
    } <= found
    assert ("back.0", "back.1") not in found
    stacked = links(frame_with(arrangement="stacked").diagram)
    assert {(f"lower.{t}", f"upper.{t}") for t in range(3)} <= stacked


def test_both_states_side_by_side_are_written_as_each_of_them_is():
    boxes = {box.key: box.numbers for box in frame_with(arrangement="both-ways").diagram.boxes}
    for t in range(3):
        assert boxes[f"both.{t}"] == [*boxes[f"ahead.{t}"], *boxes[f"back.{t}"]]
        assert len(boxes[f"both.{t}"]) == 4


@pytest.mark.parametrize("settings", FORMS)
def test_the_page_gets_it_as_plain_text(settings):
    sent = json.loads(text.frame(frame_with(**settings)))
    assert sent["diagram"]["boxes"][0]["key"]
    assert len(sent["diagram"]["wide"]) == 3
    assert all(isinstance(term, str) for line in sent["arithmetic"] for _, term in line)


@pytest.mark.parametrize("cell", CELL_NAMES)
@pytest.mark.parametrize("arrangement", ["single", "stacked", "both-ways"])
def test_a_layer_stands_in_brackets_above_and_a_unit_below(cell, arrangement):
    """In boxes, equations, readouts and table alike; a number without brackets above a letter is nowhere."""
    frame = frame_with(cell=cell, arrangement=arrangement)
    written = [
        *(box.label for box in frame.diagram.boxes),
        *(piece.text for line in frame.arithmetic for piece in line),
        *(readout.label for readout in frame.readouts),
        *frame.table.columns[frame.table.formulas[0]],
    ]
    assert not [text for text in written if re.search("[¹²]", text)]
    raised = {mark for text in written for mark in re.findall(r"\^(\{[^}]*\})", text)}
    assert raised == ({"{(1)}", "{(2)}"} if arrangement == "stacked" else set())
    assert {unit for text in written for unit in re.findall(r"_\{?(\d)", text)} == {"1", "2"}
    if arrangement == "stacked":
        labels = {box.key: box.label for box in frame.diagram.boxes}
        assert (labels["lower.2"], labels["upper.2"]) == ("h^{(1)}′", "h^{(2)}′")
        assert "h_1^{(2)}" in "".join(written)
        assert frame.diagram.description.startswith("(1) and (2) above a letter: the layers; ")


@pytest.mark.parametrize("arrangement", ["single", "stacked", "both-ways"])
def test_a_picture_explains_units_below_letters_where_its_boxes_have_them(arrangement):
    diagram = frame_with(arrangement=arrangement).diagram
    has = any(re.search(r"_\{?\d", box.label) for box in diagram.boxes)
    assert has is ("below a letter" in diagram.description)
    assert has is not ("unit 1 stands over unit 2" in diagram.description)


@pytest.mark.parametrize("cell", CELL_NAMES)
def test_on_a_phone_tanh_has_as_much_room_as_it_needs(cell):
    """The page leaves out a sign that has less than 9 pixels a character between its boxes."""
    diagram = frame_with(cell=cell).diagram
    at = {box.key: box.narrow for box in diagram.boxes}
    signs = [
        link for link in diagram.links if link.sign in ("σ", "tanh") and at[link.source] and at[link.target]
    ]
    assert "tanh" in {link.sign for link in signs}
    for link in signs:
        apart = abs(at[link.target][0] - at[link.source][0]) - diagram.narrow.box
        assert apart > 9 * len(link.sign), link


@pytest.mark.parametrize("cell", CELL_NAMES)
def test_a_subscript_of_a_number_is_a_unit_and_nothing_else(cell):
    """Steps go by their words."""
    frame = frame_with(cell=cell)
    assert "1 and 2 below a letter: the units." in frame.diagram.description
    assert not [readout.label for readout in frame.readouts if "_" in readout.label]
    if cell == "lstm":
        labels = {readout.key: readout.label.replace("\u00a0", " ") for readout in frame.readouts}
        assert labels["c_2"] == "c after “cat”, unit 2"
