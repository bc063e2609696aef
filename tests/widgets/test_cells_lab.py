"""The cells lab without a browser: the worked example in its numbers, its words, and that all agree."""

import math
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.cat_sat import GATES
from tests.widgets import lab_readings as readings
from widgets.base.numbers import number
from widgets.cells.lab import CellLab
from widgets.cells.reading import CELL_NAMES

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
    assert arithmetic()[4] == "c′ = f·c + i·g = 0.95·0.14 + 0.3·0.9 = 0.133 + 0.27 = 0.4030"


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


def reckoned(text: str) -> float:
    text = re.sub(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "*1e" + m[1].translate(SUPERSCRIPTS), text)
    return eval(text.replace("·", "*").replace("−", "-"), {"__builtins__": {}})


SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
SQUASHINGS = {"σ": lambda a: 1 / (1 + math.exp(-a)), "tanh": math.tanh}


@pytest.mark.parametrize("settings", SINGLE)
def test_every_equation_can_be_reckoned_again(settings):
    for line in arithmetic(**settings):
        sums, _, squashed = line.partition("; ")
        symbols, *steps = sums.split(" = ")[1:]
        assert symbols
        expected = reckoned(steps[-1])
        for step in steps[:-1]:
            assert reckoned(step) == pytest.approx(expected, rel=3e-3, abs=2e-5), line
        if squashed:
            squashing = squashed.split(" = ")[1].partition("(")[0]
            assert SQUASHINGS[squashing](expected) == pytest.approx(
                reckoned(squashed.split(" = ")[-1]), rel=2e-3
            )


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
    assert first.sentence.endswith("with the reset before the product; after it, the same.")
    assert abs(values(cell="gru", step=2, reset_bias=6.0)["difference"]) < 2e-3
    assert any("One unit alone" in note for note in first.notes)


@pytest.mark.parametrize("reset", ["before", "after"])
@pytest.mark.parametrize("unit", ["1", "2"])
@pytest.mark.parametrize("step", [2, 3])
@pytest.mark.parametrize("biases", [{"reset_bias": 6.0}, {"update_bias": 6.0}])
def test_forms_that_differ_are_told_apart(reset, unit, step, biases):
    frame = frame_with(cell="gru", step=step, unit=unit, reset=reset, **biases)
    shown = {r.key: r for r in frame.readouts}
    h, there = re.search(r"h = (\S+) .* it, (\S+)\.$", frame.sentence).groups()
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
    assert frame.sentence.endswith("h = 0.0157 with the reset after the product; before it, nearly the same.")


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


def test_the_table_holds_every_term_with_its_numbers():
    for cell, rows in (("rnn", 9), ("lstm", 33), ("gru", 25)):
        table = frame_with(cell=cell).table
        assert len(table.rows) == 3 * rows
        for row in table.rows:
            assert np.isfinite(row[4:6]).all()
    rows = {(row[0], row[2]): row for row in frame_with().table.rows}
    assert rows[3, "c′"][5] == pytest.approx(0.403, rel=1e-12)
    assert rows[3, "c′"][6] == "unit 2"
    assert rows[2, "f"][5:] == (pytest.approx(0.9), "unit 2")


def test_layer_two_reads_layer_one_at_the_same_step():
    frame = frame_with(arrangement="stacked", step=2)
    rows = {(row[0], row[1]): row for row in frame.table.rows}
    one, two = rows["Layer 1", 2], rows["Layer 2", 2]
    assert two[3] == f"({number(one[6])}, {number(one[7])})"
    assert two[4:6] == rows["Layer 2", 1][6:8]
    assert written(frame.arithmetic[1]).startswith(
        f"h² = LSTM({two[3]}; old h = ({number(two[4])}, {number(two[5])}))"
    )
    assert f"{two[3]}, and makes ({number(two[6])}, {number(two[7])})" in frame.sentence


def test_what_reads_back_knows_the_words_behind_it():
    frame = frame_with(arrangement="both-ways", step=2)
    rows = {(row[0], row[1]): row for row in frame.table.rows}
    assert rows["Read back", 3][4:6] == (0, 0)
    assert rows["Read back", 1][4:6] == rows["Read back", 2][6:8]
    assert rows["Read ahead", 2][4:6] == rows["Read ahead", 1][6:8]
    assert "“the” “cat”, the other, from the end, “cat” “sat”" in frame.sentence
    state = {name: f"({number(row[6])}, {number(row[7])})" for name, row in rows.items()}
    assert [written(line) for line in frame.arithmetic] == [
        f"h→ = LSTM(“cat”; old h = {state['Read ahead', 1]}) = {state['Read ahead', 2]}",
        f"h← = LSTM(“cat”; old h = {state['Read back', 3]}) = {state['Read back', 2]}",
        f"[h→, h←] = [{state['Read ahead', 2]}, {state['Read back', 2]}]: 4 numbers",
    ]
    still = frame_with(arrangement="both-ways", step=3, forget_2=0.1).table.rows
    assert [row[6:] for row in still if row[0] == "Read back"] == [
        row[6:] for row in frame.table.rows if row[0] == "Read back"
    ]


def brings_back(name: str) -> bool:
    low, high = CellLab.settings()[name].bounds
    found = [values(forget_3=0.5, **{name: value})["c"] for value in np.arange(low, high + 0.005, 0.01)]
    return bool(np.abs(np.array(found) - 0.403).min() < 0.003)


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


def test_the_controls_of_a_cell_say_whose_they_are():
    """All are in view whichever cell is opened."""
    for name, setting in CellLab.settings().items():
        owner = "GRU" if name.startswith(("reset", "update")) else "LSTM"
        if name not in ("cell", "step", "arrangement", "unit"):
            assert setting.label.startswith(f"{owner} "), name


@pytest.mark.parametrize("edge", [0.01, 0.99])
@pytest.mark.parametrize("arrangement", ["single", "stacked", "both-ways"])
def test_extremes_compute_without_a_warning(edge, arrangement):
    gates = {f"{gate}_{t}": edge for gate in ("forget", "input", "candidate", "output") for t in (1, 2, 3)}
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        for cell in CELL_NAMES:
            frame = frame_with(cell=cell, arrangement=arrangement, reset_bias=-6.0, update_bias=6.0, **gates)
            assert "not finite" not in frame.sentence
    assert any("leaves the figure" in note for note in frame.notes) == (edge == 0.99)
