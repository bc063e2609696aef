"""The cells lab without a browser: the worked example in its numbers, its words, and that all agree."""

import math
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.cat_sat import GATES
from tests.widgets import lab_readings as readings
from tests.widgets.reckoning import reckoned
from widgets.base.numbers import number
from widgets.cells.lab import CellLab
from widgets.cells.reading import CELL_NAMES
from widgets.page.desk import Desk

TEXT = (Path(__file__).parents[2] / "assets/text/cells.md").read_text(encoding="utf-8")
SINGLE = [
    {"cell": cell, "step": step, "unit": unit, "reset": reset}
    for cell in CELL_NAMES
    for step in (1, 2, 3)
    for unit in ("1", "2")
    for reset in (("before", "after") if cell == "gru" else ("before",))
]


lab_with = partial(readings.lab_with, CellLab)
frame_with = partial(readings.frame_with, CellLab)
values = partial(readings.values_with, CellLab)


def written(line) -> str:
    return line if isinstance(line, str) else "".join(piece.text for piece in line)


def arithmetic(**settings) -> list[str]:
    return [written(line).replace("\u00a0", " ") for line in frame_with(**settings).arithmetic]


def test_settings_are_those_of_the_design_and_begin_with_the_example():
    settings = CellLab.settings()
    assert (settings["step"].bounds, settings["step"].default) == ((1, 3), 3)
    assert settings["cell"].objects == ["rnn", "lstm", "gru"]
    assert settings["reset"].objects == ["before", "after"]
    assert [settings[f"forget_{t}"].default for t in (1, 2, 3)] == [0.5, 0.9, 0.95]
    for name, letter in (("forget", "f"), ("input", "i"), ("candidate", "g"), ("output", "o")):
        shown = [settings[f"{name}_{t}"].default for t in (1, 2, 3)]
        assert shown == getattr(GATES, letter)[:, 1].tolist()


def test_the_bare_lab_is_the_first_preset_and_stays_so_while_one_steps():
    lab = CellLab()
    assert lab.present_preset() is lab.presets[0]
    lab.adopt(step=1, unit="1")
    assert lab.present_preset() is lab.presets[0]


def test_the_cat_is_kept():
    """.95 · .14 + .3 · .9 = .403; the tanh RNN goes from .696628965 to −.600652864 (worked with mpmath)."""
    shown = values()
    assert shown["kept"] == pytest.approx(0.133, rel=1e-12)
    assert shown["written"] == pytest.approx(0.27, rel=1e-12)
    assert shown["c"] == shown["c_3"] == pytest.approx(0.403, rel=1e-12)
    assert (shown["c_1"], shown["c_2"]) == pytest.approx((0.1, 0.14), rel=1e-12)
    assert shown["h"] == pytest.approx(0.9 * math.tanh(0.403), rel=1e-12)
    assert values(step=2)["h_rnn"] == pytest.approx(0.696628965112, rel=1e-10)
    assert shown["h_rnn"] == pytest.approx(-0.600652864452, rel=1e-10)
    assert frame_with().sentence == (
        "At “sat” the LSTM’s unit 2 keeps 0.950 of its 0.140 and adds 0.270: c = 0.403. "
        "The tanh RNN writes its state over: 0.697 → −0.601."
    )
    assert arithmetic()[8] == "c′ = f·c + i·g = 0.95·0.14 + 0.3·0.9 = 0.133 + 0.27 = 0.4030"


def test_a_pulled_forget_gate_loses_the_cat():
    assert values(forget_3=0.01)["c"] == pytest.approx(0.01 * 0.14 + 0.27, rel=1e-12)
    assert values(forget_2=0.5)["c_2"] == pytest.approx(0.5 * 0.1 + 0.05, rel=1e-12)


@pytest.mark.parametrize("settings", [{"forget_1": 0.2}, {"candidate_3": -0.9}, {"output_2": 0.99}])
def test_each_slider_sets_its_own_gate_of_unit_two(settings):
    ((name, value),) = settings.items()
    gate, at = name.split("_")
    expected = {letter: getattr(GATES, letter)[int(at) - 1, 1] for letter in "ifgo"}
    expected[{"forget": "f", "input": "i", "candidate": "g", "output": "o"}[gate]] = value
    boxes = {
        box.key: box.numbers[0].rstrip("°") for box in frame_with(step=int(at), **settings).diagram.boxes
    }
    assert {letter: boxes[letter] for letter in "ifgo"} == {
        letter: number(gate) for letter, gate in expected.items()
    }


@pytest.mark.parametrize("update_bias", [-6.0, 0.0, 6.0])
@pytest.mark.parametrize("settings", [settings for settings in SINGLE if settings["cell"] == "gru"])
def test_what_a_gru_keeps_and_writes_can_be_reckoned_again(settings, update_bias):
    """Each product by itself, so that a small one is not lost beside a large one."""
    factors, products = arithmetic(**settings, update_bias=update_bias)[-1].split(" = ")[2:4]
    for product, printed in zip(factors.split(" + "), products.split(" + "), strict=True):
        assert reckoned(product) == pytest.approx(reckoned(printed), rel=2e-4), (factors, products)


def test_the_sums_of_the_lstm_are_those_of_its_weights():
    """By hand at "cat", unit 2, forget gate: W is logit .9 − h U − 1, U's column (.4, .5), and h₁ (.1247, .0598)."""
    h = [0.7 * math.tanh(0.18), 0.6 * math.tanh(0.1)]
    terms = {box.key: box.numbers[0] for box in frame_with(step=2).diagram.boxes}
    assert terms["f.h1"] == number(h[0] * 0.4)
    assert terms["f.h2"] == number(h[1] * 0.5)
    assert terms["f.b"] == "1"
    assert terms["f.a"] == number(math.log(9))
    assert terms["f.x"] == number(math.log(9) - h[0] * 0.4 - h[1] * 0.5 - 1)


def test_both_reset_forms_are_told_with_their_difference():
    """Both from the state after "the"; worked with mpmath in the form r ⊙ (hU) and (r ⊙ h)U."""
    before, after = values(cell="gru", step=2), values(cell="gru", step=2, reset="after")
    for shown in (before, after):
        assert shown["before"] == pytest.approx(0.629961771584, rel=1e-10)
        assert shown["after"] == pytest.approx(0.677514625392, rel=1e-10)
        assert shown["difference"] == pytest.approx(0.047552853808, rel=1e-9)
        assert shown["difference_other"] == pytest.approx(0.0559473565748, rel=1e-9)
    assert before["h"] == before["before"]
    assert after["h"] == after["after"]


def test_the_forms_agree_without_an_old_state_and_where_nothing_is_reset():
    first = frame_with(cell="gru", step=1, reset_bias=-2.0)
    assert {r.key: r.value for r in first.readouts}["difference"] == 0
    assert first.sentence.endswith("reset before the product; after it, the same.")
    assert abs(values(cell="gru", step=2, reset_bias=6.0)["difference"]) < 2e-3
    assert any("One unit alone" in note for note in first.notes)


@pytest.mark.parametrize("reset", ["before", "after"])
@pytest.mark.parametrize("unit", ["1", "2"])
@pytest.mark.parametrize("step", [2, 3])
@pytest.mark.parametrize("biases", [{"reset_bias": 6.0}, {"update_bias": 6.0}])
def test_forms_that_differ_are_told_apart(reset, unit, step, biases):
    frame = frame_with(cell="gru", step=step, unit=unit, reset=reset, **biases)
    shown = {r.key: r for r in frame.readouts}
    h, there = re.search(r"h = (\S+), .* it, (\S+)\.$", frame.sentence).groups()
    other = "after" if reset == "before" else "before"
    assert h == shown[reset].text != there == shown[other].text
    assert len(frame.sentence) <= 140
    for text, form in ((h, reset), (there, other)):
        assert reckoned(text) == pytest.approx(shown[form].value, rel=5e-3)
    assert (reckoned(h) > reckoned(there)) == (shown[reset].value > shown[other].value)


def test_forms_that_agree_in_seven_digits_are_nearly_the_same():
    frame = frame_with(cell="gru", reset="after", reset_bias=6.0, update_bias=6.0)
    difference = next(r.value for r in frame.readouts if r.key == "difference")
    assert 0 < abs(difference) < 1e-8
    assert frame.sentence.endswith("h = 0.0157, reset after the product; before it, nearly the same.")


def test_a_preset_that_says_step_on_leaves_steps_to_go():
    bid = [preset for preset in CellLab.presets if re.search(r"\bStep (on|through)\b", preset.look_for)]
    assert {preset.name for preset in bid} >= {"written-over", "stacked"}
    for preset in bid:
        lab = lab_with(**preset.settings)
        assert lab.step < lab.param.step.bounds[1]
        assert lab.present_preset() is preset
    turned = CellLab().preset("written-over").settings
    assert "→ 0.697" in frame_with(**turned).sentence
    assert "0.697 → −0.601" in frame_with(**{**turned, "step": turned["step"] + 1}).sentence


@pytest.mark.parametrize("settings", SINGLE)
def test_sentences_keep_to_the_line_of_a_projector(settings):
    assert len(frame_with(**settings).sentence) <= 140


def states(frame) -> dict[tuple, list]:
    """Layer, step and symbol → the numbers of both units, from the table."""
    return {(row[0], row[1], row[3]): list(row[5:7]) for row in frame.table.rows}


def vector(numbers) -> str:
    return f"({', '.join(map(number, numbers))})"


def test_layer_two_reads_layer_one_at_the_same_step():
    frame = frame_with(arrangement="stacked", step=2)
    found = states(frame)
    one, two = found["Layer 1", 2, "h^{(1)}′"], found["Layer 2", 2, "h^{(2)}′"]
    assert found["Layer 2", 2, "h^{(1)}′"] == [vector(one)] * 2
    old, memory = found["Layer 2", 1, "h^{(2)}′"], found["Layer 2", 1, "c^{(2)}′"]
    assert [found["Layer 2", 2, f"h_{j}^{{(2)}}"][0] for j in (1, 2)] == old
    assert written(frame.arithmetic[1]) == (
        f"h^{{(2)}}′ = LSTM(h^{{(1)}}′ = {vector(one)}; h^{{(2)}} = {vector(old)}, c^{{(2)}} = {vector(memory)})"
        f" = {vector(two)}"
    )
    assert f"{vector(one)}, and makes {vector(two)}." in frame.sentence


def test_what_reads_back_knows_the_words_behind_it():
    frame = frame_with(arrangement="both-ways", step=2)
    found = states(frame)
    assert found["Read back", 3, "h_{1}←"] == [0, 0]
    for layer, arrow, at, old in (("Read back", "←", 1, 2), ("Read ahead", "→", 2, 1)):
        before = [found[layer, at, f"h_{{{j}}}{arrow}"][0] for j in (1, 2)]
        assert before == found[layer, old, f"h{arrow}′"]
    assert "“the” “cat”, the other, from the end, “cat” “sat”" in frame.sentence
    h, c = (
        {key: vector(found[key[0], key[1], f"{letter}{key[2]}′"])
         for key in (("Read ahead", 1, "→"), ("Read ahead", 2, "→"), ("Read back", 2, "←"), ("Read back", 3, "←"))}
        for letter in "hc"
    )  # fmt: skip
    ahead, back = h["Read ahead", 2, "→"], h["Read back", 2, "←"]
    assert [written(line) for line in frame.arithmetic[:4]] == [
        f"h→′ = LSTM(“cat”; h→ = {h['Read ahead', 1, '→']}, c→ = {c['Read ahead', 1, '→']}) = {ahead}",
        f"h←′ = LSTM(“cat”; h← = {h['Read back', 3, '←']}, c← = {c['Read back', 3, '←']}) = {back}",
        f"[h→′, h←′] = [{ahead}, {back}]: 4 numbers",
        "Read back, “cat”, unit 2:",
    ]
    still = frame_with(arrangement="both-ways", step=3, forget_2=0.1)
    assert [row for row in still.table.rows if row[0] == "Read back"] == [
        row for row in frame.table.rows if row[0] == "Read back"
    ]


def brings_back(name: str) -> bool:
    """c is linear in each of the gates: it passes 0.403 where its ends lie on both sides of that."""
    ends = [values(forget_3=0.5, **{name: bound})["c"] for bound in CellLab.settings()[name].bounds]
    return min(ends) < 0.403 < max(ends)


def the_four_numbers(**settings) -> np.ndarray:
    """What stands side by side at "sat"."""
    readouts = frame_with(arrangement="both-ways", step=3, **settings).readouts
    return np.round([r.value for r in readouts], 12)


def test_what_the_text_says():
    assert "0.95·0.14 + 0.3·0.9 = 0.403: a third of that was there before" in TEXT
    assert values()["kept"] / values()["c"] == pytest.approx(0.33, abs=0.005)
    assert '0.697 after "cat" becomes −0.601' in TEXT
    assert "another slider that brings it back to about 0.403. Three of them can" in TEXT
    sliders = [f"{gate}_{t}" for gate in ("forget", "input", "candidate", "output") for t in (1, 2, 3)]
    able = [name for name in sliders if name != "forget_3" and brings_back(name)]
    assert able == ["input_1", "input_2", "input_3"]
    # c_1 is .1 whatever the first forget gate: it multiplies 0.
    assert values(forget_1=0.99)["c"] == pytest.approx(values(forget_1=0.01)["c"], rel=1e-9)
    assert values(candidate_3=-0.9, forget_3=0.99, input_3=0.1)["c"] > 0
    changed = [the_four_numbers(forget_2=f) for f in (0.9, 0.1)]
    assert (changed[0] != changed[1]).sum() == 1


@pytest.mark.parametrize("sign", [1, -1])
def test_a_state_that_leaves_the_figure_is_told_at_either_edge(sign):
    """With forget and input gates at .99: c_2 is 1.95 in size, and the figure ends at 1.1."""
    open_gates = {f"{gate}_{t}": 0.99 for gate in ("forget", "input") for t in (1, 2, 3)}
    written = {f"candidate_{t}": 0.99 * sign for t in (1, 2, 3)}
    assert any("leaves the figure" in note for note in frame_with(**open_gates, **written).notes)
    assert not any("leaves the figure" in note for note in frame_with().notes)


@pytest.mark.parametrize("cell", CELL_NAMES)
@pytest.mark.parametrize("arrangement", ["single", "stacked", "both-ways"])
def test_what_moves_nothing_in_the_picture_is_out_of_play_and_nothing_else(cell, arrangement):
    """Each setting is moved, at each step and in each unit: the idle ones alone leave every picture as it was.

    The first forget gate multiplies 0, so that its own box alone shows it, in the picture of a single cell.
    """

    def pictures(**settings):
        shown = {"cell": cell, "arrangement": arrangement} | settings
        return [
            frame_with(**shown, step=step, unit=unit).diagram for step in (1, 2, 3) for unit in ("1", "2")
        ]

    idle = set(lab_with(cell=cell, arrangement=arrangement).idle())
    first = pictures()
    for name, setting in CellLab.settings().items():
        unseen = name == "forget_1" and arrangement != "single"
        if not unseen and name not in ("cell", "step", "arrangement", "unit"):
            other = "after" if name == "reset" else setting.bounds[0]
            assert (pictures(**{name: other}) == first) == (name in idle), name


@pytest.mark.parametrize("arrangement", ["single", "stacked"])
@pytest.mark.parametrize("cell", ["rnn", "lstm"])
def test_a_gru_that_was_set_is_told_of_where_its_settings_are_out_of_sight(cell, arrangement):
    here = {"cell": cell, "arrangement": arrangement}
    assert not any("GRU stays" in note for note in frame_with(**here).notes)
    assert (
        "In the figure “Word by word” the GRU stays as it was set, with reset bias 6 and update bias −2: choose gru to "
        "move it."
    ) in frame_with(**here, reset_bias=6, update_bias=-2).notes
    assert not any("GRU stays" in note for note in frame_with(cell="gru", reset_bias=6).notes)


def test_what_is_out_of_play_keeps_its_value_and_its_place_in_the_address():
    lab = lab_with(cell="gru", forget_3=0.5)
    assert "forget_3" in lab.idle()
    assert lab.values()["forget_3"] == 0.5
    assert lab.written()["forget_3"] == "0.5"
    assert any("choose lstm to move them" in note for note in lab.compute().notes)


def test_a_hand_that_still_holds_what_went_out_of_play_sets_nothing():
    lab = CellLab()
    desk = Desk(lab, lambda name: None, lambda name, text: None)
    desk.listen()
    slider = desk.controls["forget_3"]
    slider.value = 0.5
    assert lab.forget_3 == 0.5
    lab.adopt(cell="gru")
    slider.value = 0.99
    assert (lab.forget_3, slider.value) == (0.5, 0.5)


@pytest.mark.parametrize("edge", [0.01, 0.99])
@pytest.mark.parametrize("arrangement", ["single", "stacked", "both-ways"])
def test_extremes_compute_without_a_warning(edge, arrangement):
    gates = {f"{gate}_{t}": edge for gate in ("forget", "input", "candidate", "output") for t in (1, 2, 3)}
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        for cell in CELL_NAMES:
            frame = frame_with(cell=cell, arrangement=arrangement, reset_bias=-6.0, update_bias=6.0, **gates)
            assert "not finite" not in frame.sentence
    assert any("leaves the figure" in note for note in frame.notes) == (edge == 0.99)
