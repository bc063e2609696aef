"""The bracket lab without a browser: its numbers, its words, and that both agree."""

import math
import re
from functools import partial

import numpy as np
import pytest
from bokeh.models import ColumnDataSource

from core.brackets import BracketCounter
from tests.widgets import lab_readings as readings
from tests.widgets.lab_readings import texts, values
from widgets.base.frame import Preset
from widgets.brackets.lab import LONG_GAP, BracketLab

PRESETS = [preset.name for preset in BracketLab.presets]
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
BIASES = (-2.0, 0.0, 2.0, 7.0, 10.0)


lab_with = partial(readings.lab_with, BracketLab)
preset_lab = partial(readings.preset_lab, BracketLab)


def test_settings_are_those_of_the_design():
    settings = BracketLab.settings()
    assert list(settings) == ["text", "forget_bias", "forget_gate", "rnn_weight", "cursor"]
    assert settings["forget_bias"].bounds == (-2, 10)
    assert settings["rnn_weight"].bounds == (0, 2)
    assert BracketLab().values() == {
        "text": LONG_GAP, "forget_bias": 7, "forget_gate": True, "rnn_weight": 1, "cursor": 44,
    }  # fmt: skip


def test_the_long_gap_is_three_brackets_forty_other_characters_and_a_question():
    assert re.fullmatch(r"\(\(\([^()?]{40}\?", LONG_GAP)


def test_presets_are_the_promised_ones_and_each_is_recognised():
    assert PRESETS == [
        "long-gap", "deep", "balanced", "shallow-against-deep", "latch", "carousel-1997", "two-questions",
    ]  # fmt: skip
    for name in PRESETS:
        lab = preset_lab(name)
        assert lab.present_preset().name == name
        assert lab.cursor == len(lab.text)


def test_long_gap_holds_the_count():
    shown = values(BracketLab())
    assert shown["count_at_question"] == pytest.approx(2.74, abs=0.02)
    assert shown["forget_product"] == pytest.approx(0.9607, abs=5e-5)
    assert shown["forget_gate"] == pytest.approx(1 / (1 + math.exp(-7)), rel=1e-12)
    assert shown["depth"] == 3
    assert shown["error"] == pytest.approx(shown["count_at_question"] - 3, rel=1e-12)
    assert (
        "after 40 other characters the cell still holds 2.74 of 3 brackets" in BracketLab().compute().sentence
    )


def test_bias_zero_loses_the_count():
    lab = lab_with(forget_bias=0.0)
    assert values(lab)["forget_product"] == pytest.approx(2.0**-44, rel=1e-9)
    assert texts(lab)["forget_product"] == "5.68·10⁻¹⁴"
    assert lab.compute().sentence.split(" The tanh")[0].endswith("the count is gone.")


def test_shallow_against_deep():
    lab = preset_lab("shallow-against-deep")
    columns = lab.compute().columns
    asked = columns["questions"]["t"] - 1
    assert columns["rival"]["rnn"][asked] == pytest.approx([0.736, 0.744], abs=5e-4)
    assert columns["questions"]["c"] == pytest.approx([1.90, 3.79], abs=5e-3)
    assert columns["cell"]["h"][asked] == pytest.approx([0.956, 0.999], abs=5e-4)
    notes = " ".join(lab.compute().notes)
    for number in ("0.736", "0.744", "3.79", "0.956", "0.999", "squashes"):
        assert number in notes


def test_latch_remembers_one_bit_and_no_count():
    three = preset_lab("latch")
    one = preset_lab("latch", text="(" + LONG_GAP[3:])
    assert values(three)["rnn"] == pytest.approx(0.9575, abs=5e-5)
    assert values(one)["rnn"] == pytest.approx(values(three)["rnn"], abs=1e-9)
    assert values(one)["cell"] < 1


def test_carousel_forgets_nothing_whatever_the_bias():
    for bias in BIASES:
        shown = values(preset_lab("carousel-1997", forget_bias=bias))
        assert shown["forget_product"] == shown["forget_gate"] == 1
        assert shown["cell"] == pytest.approx(2.85, abs=0.01)
    assert any("no forget gate" in note for note in preset_lab("carousel-1997").compute().notes)


def test_deep_reads_out_as_five_brackets_would():
    lab = preset_lab("deep")
    five = preset_lab("deep", text=lab.text.replace("((((((((", "((((("))
    assert values(lab)["depth"] == 8
    assert f"{values(lab)['hidden']:.2f}" == f"{values(five)['hidden']:.2f}" == "1.00"
    steps = np.diff(lab.compute().columns["cell"]["c"][:8])
    assert np.all((steps > 0.9) & (steps < 0.96))


def test_balanced_ends_near_zero_and_below_it_with_a_smaller_bias():
    assert values(preset_lab("balanced"))["cell"] == pytest.approx(0, abs=0.05)
    for bias in (1.0, 2.0, 3.0, 5.0):
        assert values(preset_lab("balanced", forget_bias=bias))["cell"] < -0.1


def test_two_questions_leave_the_count_alone():
    lab = preset_lab("two-questions")
    frame = lab.compute()
    plain = preset_lab("two-questions", text=lab.text.replace("?", "."))
    assert list(frame.columns["text"]["depth"][frame.columns["questions"]["t"] - 1]) == [2, 4]
    np.testing.assert_array_equal(frame.columns["cell"]["c"], plain.compute().columns["cell"]["c"])
    assert values(lab)["count_at_question"] == frame.columns["questions"]["c"][-1]
    assert frame.sentence.startswith("At the last “?” after 15 other characters")


def test_an_empty_text_says_what_to_do():
    lab = lab_with(text="")
    frame = lab.compute()
    assert "type" in frame.sentence
    assert lab.cursor == 1
    assert all(len(column) == 0 for columns in frame.columns.values() for column in columns.values())
    assert (frame.table.rows, list(frame.readouts), list(frame.arithmetic)) == ([], [], [])


def test_a_long_text_is_cut_and_computed():
    lab = lab_with(text="(" * 150 + ")" * 150, cursor=300)
    assert len(lab.text) == 200
    assert lab.cursor == 200
    shown = values(lab)
    assert shown["depth"] == 100
    assert "count_at_question" not in shown
    assert all(map(math.isfinite, shown.values()))
    assert "At character 200 of 200 (no “?” asks)" in lab.compute().sentence


def test_every_other_character_is_an_ordinary_distractor():
    markup = "((<b>é漢😀\t</b>&amp;$$?"
    plain = re.sub(r"[^()?]", "x", markup)
    lab = lab_with(text=markup)
    frame, same = lab.compute(), lab_with(text=plain).compute()
    assert frame.columns["text"]["character"] == list(lab.text)
    assert frame.sentence == same.sentence
    np.testing.assert_array_equal(frame.columns["cell"]["c"], same.columns["cell"]["c"])


def test_the_cursor_keeps_to_the_text_and_to_its_end_while_one_types():
    lab = BracketLab()
    lab.adopt(text="((?", **lab.follow("text", "((?"))
    assert lab.cursor == 3
    assert BracketLab.limits({"text": ""}) == {"cursor": (1, 1)}
    assert lab.follow("text", "((ab?") == {"cursor": 5}
    lab.adopt(cursor=2)
    assert lab.follow("text", "((ab?") == {}
    assert lab.follow("forget_bias", 1.0) == {}


def test_sentence_agrees_with_readouts():
    for name in PRESETS:
        for bias in BIASES:
            lab = preset_lab(name, forget_bias=bias)
            shown, sentence = texts(lab)["count_at_question"], lab.compute().sentence
            assert re.search(rf"(?<![\d.−]){re.escape(shown)}(?![\d·])", sentence)
            held = values(lab)
            depth = held["count_at_question"] - held["error"]
            assert ("gone" in sentence) == (abs(held["count_at_question"]) < 0.5 and depth >= 1)
            assert ("does not round" in sentence) == (
                "gone" not in sentence and depth >= 1 and round(held["count_at_question"]) != round(depth)
            )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (")a?", "after 1 other character the cell holds −0.948 where the true depth is −1."),
        ("(?", "At the “?” the cell still holds 0.949 of 1 bracket."),
        ("abc?", "At the “?” after 3 other characters the true depth is 0, and the cell holds 0."),
    ],
)
def test_sentence_in_the_corners(text, said):
    assert said in lab_with(text=text).compute().sentence


def reckon(term: str) -> float:
    """The value of one printed term, with nothing to go by but what is printed."""
    term = re.sub(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "e" + m[1].translate(SUPERSCRIPTS), term)
    plain = term.replace("−", "-").replace("·", "*")
    names = {"tanh": math.tanh, "σ": lambda z: 1 / (1 + math.exp(-z))}
    return eval(plain, {"__builtins__": {}}, names)


def unit_of_last_place(printed: str) -> float:
    match = re.fullmatch(r"−?(\d+)(?:\.(\d+))?(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", printed)
    exponent = int(match[3].translate(SUPERSCRIPTS)) if match[3] else 0
    return 10.0 ** (exponent - len(match[2] or ""))


@pytest.mark.parametrize("name", PRESETS)
def test_the_arithmetic_can_be_reckoned_again(name):
    full = preset_lab(name)
    for bias in BIASES:
        for cursor in range(1, len(full.text) + 1):
            lab = preset_lab(name, forget_bias=bias, cursor=cursor)
            frame = lab.compute()
            gates, *steps = frame.arithmetic
            assert gates.startswith(f"step {cursor}, “{lab.text[cursor - 1]}”: f = ")
            for line in steps:
                *_, term, printed = line.split(" = ")
                assert reckon(term) == pytest.approx(
                    reckon(printed), abs=0.505 * unit_of_last_place(printed)
                ), line
            shown = {readout.key: readout.value for readout in frame.readouts}
            for line, key in zip(steps, ("cell", "hidden", "rnn"), strict=True):
                assert reckon(line.split(" = ")[-1]) == pytest.approx(shown[key], rel=6e-4, abs=1e-300)


def test_the_gates_line_prints_the_gates():
    lab = BracketLab()
    line = lab.compute().arithmetic[0].split(": ", 1)[1]
    printed = {part.split(" = ")[0]: reckon(part.split(" = ")[-1]) for part in line.split(", ")}
    row = dict(zip(lab.compute().table.headings, lab.compute().table.rows[-1], strict=True))
    for gate in "ifgo":
        assert printed[gate] == pytest.approx(row[gate], rel=1e-6)


def test_a_slider_sends_only_what_depends_on_it():
    def changed(**settings):
        before, after = BracketLab().compute().columns, lab_with(**settings).compute().columns
        return {
            source
            for source in before
            if any(not np.array_equal(before[source][name], after[source][name]) for name in before[source])
        }

    assert changed(forget_bias=3.0) == {"cell", "product", "questions"}
    assert changed(rnn_weight=0.5) == {"rival"}
    assert changed(cursor=5) == {"cursor"}


def test_the_table_has_a_row_for_each_character():
    table = BracketLab().compute().table
    assert list(table.headings) == [
        "t", "character", "i", "f", "g", "o", "c", "h", "forget product", "rival", "true depth",
    ]  # fmt: skip
    assert [row[1] for row in table.rows] == list(LONG_GAP)
    assert [row[0] for row in table.rows] == list(range(1, 45))


def drawn(lab):
    sources = {name: ColumnDataSource(dict(c), name=name) for name, c in lab.compute().columns.items()}
    return lab.plots(sources)


def test_the_window_of_the_count_holds_it_at_every_bias_and_moves_with_the_text_alone():
    deep = {"text": "((((a)))))))?(((("}
    axis = drawn(BracketLab())[0].axis
    axis.go_home(Preset("p", "P", "", {}, (-14, 1)))
    home = (axis.figure.y_range.start, axis.figure.y_range.end)
    axis.follow(lab_with(forget_bias=-2.0).compute().columns)
    assert (axis.figure.y_range.start, axis.figure.y_range.end) == home
    axis.follow(lab_with(**deep).compute().columns)
    low, high = axis.figure.y_range.start, axis.figure.y_range.end
    assert (low, high) != home
    assert (axis.figure.x_range.start, axis.figure.x_range.end) == (0.5, len(deep["text"]) + 0.5)
    for bias in BIASES:
        count = lab_with(**deep, forget_bias=bias).compute().columns["cell"]["c"]
        assert low <= count.min()
        assert count.max() <= high


def test_fit_brings_count_and_true_depth_into_view():
    lab = lab_with(text="((((((((((a?", forget_bias=0.0)
    axis = drawn(lab)[0].axis
    axis.fit(lab.compute().columns["cell"])
    assert axis.figure.y_range.start < 0.5
    assert axis.figure.y_range.end > 10


def test_every_readout_at_the_cursor_and_at_the_question():
    lab = preset_lab("shallow-against-deep", cursor=4)
    run = BracketCounter().run(lab.text)
    shown = values(lab)
    assert (shown["depth"], shown["forget_gate"]) == (3, pytest.approx(1 / (1 + math.exp(-7))))
    assert (shown["cell"], shown["hidden"], shown["rnn"]) == (run.c[3], run.h[3], run.rnn[3])
    assert shown["count_at_question"] == run.c[5]
    assert shown["error"] == run.c[5] - 4
    assert shown["forget_product"] == pytest.approx((1 / (1 + math.exp(-7))) ** 6)


def test_each_question_is_written_out_with_its_depth():
    notes = preset_lab("shallow-against-deep").compute().notes
    assert notes[0] == "“?” at character 3: true depth 2, cell 1.90, read-out h 0.956, rival 0.736."
    assert notes[1] == "“?” at character 6: true depth 4, cell 3.79, read-out h 0.999, rival 0.744."
    assert "squashes" in notes[2]
    assert not any("at character" in note for note in lab_with(text="(?" * 7).compute().notes)
    assert "below 0" in lab_with(text="a)").compute().notes[0]


def test_the_heat_map_has_a_tile_for_each_gate_and_character():
    tiles = lab_with(text="()a?").compute().columns["gates"]
    assert tiles["t"].tolist() == [1, 2, 3, 4] * 3
    rows = {gate: slice(4 * n, 4 * n + 4) for n, gate in enumerate("igo")}
    assert (tiles["size"][rows["i"]] > 0.5).tolist() == [True, True, False, False]
    assert (tiles["size"][rows["o"]] > 0.5).tolist() == [False, False, False, True]
    np.testing.assert_allclose(tiles["value"][rows["g"]], [1, -1, 0, 0], atol=0.06)
    assert set(tiles["y"][rows["i"]]) == {4}
    assert set(tiles["y"][rows["o"]]) == {1}
    above, below = tiles["y"][rows["g"]][:2]
    assert above > 2 > below
    assert tiles["height"][rows["g"]][0] == tiles["height"][rows["i"]][0] / 2


def test_labels_at_questions_never_stand_on_each_other():
    marks = lab_with(text="((" + "?" * 10 + "a" * 30 + "?").compute().columns["questions"]
    assert marks["t"].tolist() == [*range(3, 13), 43]
    assert [bool(label) for label in marks["label"]] == [False] * 9 + [True, True]
    assert marks["label"][-1] == "1.83"
