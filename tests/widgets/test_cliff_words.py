"""What the cliff lab says: its sentence, its notes and its arithmetic, at one with its numbers."""

import re
from functools import partial

import pytest

from tests.widgets import lab_readings as readings
from tests.widgets.lab_readings import texts, values
from widgets.base.numbers import number
from widgets.cliff.lab import CliffLab

PRESETS = [preset.name for preset in CliffLab.presets]
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


lab_with = partial(readings.lab_with, CliffLab)
preset_lab = partial(readings.preset_lab, CliffLab)


def test_a_run_is_called_stuck_only_once_it_is():
    said = ["stuck" in lab_with(bias=0.45, learning_rate=0.05, update=n).compute().sentence for n in range(4)]
    assert said == [False, False, True, True]


def test_the_clipped_preset_says_what_became_of_both_runs():
    assert preset_lab("clipped").compute().sentence == (
        "After 60 updates the clipped run is at b\u00a0=\u00a00.556 with a loss of 1.02, stepping to and fro across "
        "the minimum (loss 0); the unclipped one was thrown out to b\u00a0=\u00a07.23, where it is as good as stuck at "
        "a loss of 0.0400 (next step −1.54·10⁻⁹)."
    )
    approaching = preset_lab("clipped", bias=0.5, update=2).compute().sentence
    assert "to and fro" not in approaching
    assert "thrown" not in approaching


def test_a_run_that_walks_out_of_the_range_is_not_said_to_be_thrown():
    lab = lab_with(bias=1.2, self_weight=0.5, start=-1.0, steps=1, target=1.0, update=9)
    assert "b is not bound" in " ".join(lab.compute().notes)
    assert "thrown" not in lab.compute().sentence


def test_a_minimum_at_zero_is_named_too():
    frame = lab_with(start=0.0, bias=0.001, target=0.0, learning_rate=1.0, update=1).compute()
    assert any(
        "steps to and fro between −0.099 and 0.001, across the minimum at 0; its loss" in note
        for note in frame.notes
    )
    assert "the clipped run is at b\u00a0=\u00a0−0.0990" in frame.sentence


def test_a_run_that_has_arrived_is_not_said_to_go_to_and_fro():
    frame = lab_with(self_weight=1.2, start=-1.0, bias=0.1, learning_rate=1.0, update=20).compute()
    assert frame.table.columns[5][20] < 1e-12
    assert "to and fro" not in " ".join([frame.sentence, *frame.notes])


THROWN_ALIKE = {
    "self_weight": 1.0, "steps": 100, "start": 0.0, "bias": 0.0, "target": 0.01, "learning_rate": 1.0,
    "clip_norm": 10.0, "update": 5,
}  # fmt: skip


def test_runs_that_coincide_are_said_to():
    thrown, near = lab_with(**THROWN_ALIKE).compute(), preset_lab("off-the-cliff", update=60).compute()
    for frame in (thrown, near):
        _, free, _, _, clipped, *_ = frame.table.columns
        assert free.tolist() == clipped.tolist()
    assert thrown.sentence == (
        "After 5 updates both runs were thrown out to b\u00a0=\u00a01.92 with a loss of 0.968: "
        "clipping has not touched them."
    )
    assert near.sentence == (
        "After 60 updates both runs are at b\u00a0=\u00a00.763 with a loss of 0.0368: clipping has not touched them."
    )
    assert "Both steps leave the picture, to b = 1.89: b is not bound to the slider’s range." in thrown.notes


def test_each_step_that_leaves_the_picture_is_named():
    lab = lab_with(bias=0.558, learning_rate=1.0, clip_norm=10.0)
    assert (
        "Both steps leave the picture, the unclipped one to b = 293, the clipped one to b = 10.6: b is not bound to "
        "the slider’s range." in lab.compute().notes
    )
    thrown = lab_with(bias=0.558, learning_rate=1.0, clip_norm=10.0, update=1).compute().sentence
    assert "the clipped run was thrown out to b\u00a0=\u00a010.6 " in thrown
    assert "the unclipped one was thrown out to b\u00a0=\u00a0293" in thrown


def test_a_short_step_is_shown_with_the_digits_that_it_changes():
    frame = lab_with(bias=1.1).compute()
    assert "At b = 1.1 the gradient is 0.00327: an update goes to 1.0997," in frame.sentence
    assert texts(lab_with(bias=1.1))["bias_clipped"] == "1.0997"


def test_readouts_say_whether_they_belong_to_the_slider_or_to_the_run():
    labels = {readout.key: readout.label for readout in CliffLab().compute().readouts}
    assert all(labels[key].endswith("at the slider’s b") for key in ("gradient", "loss"))
    assert all(labels[f"attractor_{end}"].endswith("at the slider’s b") for end in ("lower", "upper"))
    of_the_run = ("step_unclipped", "step_clipped", "bias_unclipped", "bias_clipped", "gradient_unclipped")
    assert all(labels[key].startswith("run: ") for key in of_the_run)


def test_a_run_that_goes_one_way_is_not_said_to_go_to_and_fro():
    assert not any("to and fro" in note for note in preset_lab("off-the-cliff", update=30).compute().notes)


@pytest.mark.parametrize("name", ["on-the-cliff", "clipped"])
def test_a_low_loss_far_out_is_said_to_be_one_that_stays(name):
    """What a class would otherwise take from the loss of 0.04 beside that of 1.02: that clipping does harm."""
    said = [note for note in preset_lab(name).compute().notes if "saturated" in note]
    assert said == [
        "Far out the unit is saturated, h = 1, and its loss (1 − 0.8)^2 = 0.0400 whatever b is: without a gradient it "
        "gets no lower. At the minimum, b = 0.56153, the loss is 0."
    ]
    assert not any("saturated" in note for note in preset_lab("off-the-cliff").compute().notes)


def test_a_step_too_short_to_see_is_named_and_does_not_seem_to_grow():
    line = preset_lab("clipped").compute().arithmetic[1]
    assert line.endswith("= 7.230559 − 0.1·1.536591·10⁻⁸ = 7.230559 (step −1.537·10⁻⁹)")
    assert "step" not in CliffLab().compute().arithmetic[1].split("=")[-1]


def test_each_line_of_the_arithmetic_says_whose_bias_it_is_of():
    heads = [line.split(": ")[0] for line in preset_lab("clipped", update=4).compute().arithmetic]
    assert heads == ["at the slider’s b", "run, update 5, unclipped", "run, update 5, clipped"]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("update", [0, 1, 30])
def test_the_sentence_agrees_with_the_readouts(name, update):
    lab = preset_lab(name, update=update)
    frame, shown = lab.compute(), texts(lab)
    for key in ("bias_unclipped", "bias_clipped"):
        said = number(values(preset_lab(name, update=update - 1))[key]) if update else shown[key]
        assert re.search(rf"(?<![\d.−]){re.escape(said)}(?![\d·])", frame.sentence)
    if not update:
        assert f"the gradient is {shown['gradient']}:" in frame.sentence
    assert ("stuck" in frame.sentence) == (values(lab)["gradient_unclipped"] < 1e-7)


def reckon(term: str) -> float:
    term = re.sub(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "e" + m[1].translate(SUPERSCRIPTS), term)
    plain = term.replace("−", "-").replace("·", "*").replace("^", "**")
    return eval(plain, {"__builtins__": {}})


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("update", [0, 1, 7])
def test_the_arithmetic_can_be_reckoned_again(name, update):
    lab = preset_lab(name, update=update)
    shown = values(lab)
    for line, key in zip(lab.compute().arithmetic, ("loss", "bias_unclipped", "bias_clipped"), strict=True):
        *_, term, printed = line.split(" (step")[0].split(" = ")
        assert reckon(term) == pytest.approx(reckon(printed), rel=6e-4)
        assert reckon(printed) == pytest.approx(shown[key], rel=6e-4)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"start": 0.9}, "lies outside the slider’s range"),
        (
            {"self_weight": 4.0, "steps": 100, "start": 0.3},
            "thinner than floating-point numbers can tell apart",
        ),
        ({"self_weight": 1.0}, "there is no fold"),
        ({"target": 1.0}, "the loss has no minimum"),
    ],
)
def test_the_corners_are_said(settings, said):
    assert any(said in note for note in lab_with(**settings).compute().notes)
    assert not any(said in note for note in CliffLab().compute().notes)
