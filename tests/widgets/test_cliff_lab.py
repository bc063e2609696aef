"""The cliff lab without a browser: its settings, its numbers and its two steps; its words have a file of their own."""

import math
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.widgets import lab_readings as readings
from tests.widgets.lab_readings import texts, values
from widgets.base.numbers import number
from widgets.cliff.lab import CliffLab

PRESETS = [preset.name for preset in CliffLab.presets]

lab_with = partial(readings.lab_with, CliffLab)
preset_lab = partial(readings.preset_lab, CliffLab)


def test_settings_are_those_of_the_design():
    settings = CliffLab.settings()
    assert list(settings) == [
        "bias", "self_weight", "start", "steps", "target", "learning_rate", "clip_norm", "update",
    ]  # fmt: skip
    assert [settings[name].bounds for name in list(settings)[:-1]] == [
        (0, 1.2), (0.5, 4), (-1, 1), (1, 100), (-1, 1), (0.001, 1), (0.01, 10),
    ]  # fmt: skip
    assert settings["bias"].step == 0.001
    assert CliffLab().values() == {
        "bias": 0.5, "self_weight": 2, "start": -0.9, "steps": 20, "target": 0.8, "learning_rate": 0.1,
        "clip_norm": 0.1, "update": 0,
    }  # fmt: skip
    assert (CliffLab.player, CliffLab.pointers) == ("update", {"update"})


def test_presets_are_the_promised_ones_and_each_is_recognised():
    assert PRESETS == ["approach", "on-the-cliff", "off-the-cliff", "late-fold", "clipped"]
    for name in PRESETS:
        assert preset_lab(name).present_preset().name == name
    assert preset_lab("clipped", update=3).present_preset().name == "clipped"
    assert CliffLab().present_preset().name == "approach"
    assert lab_with(update=9).present_preset().name == "approach"
    assert lab_with(bias=0.7).present_preset() is None
    assert lab_with(self_weight=1.9).present_preset() is None


def test_the_hint_of_the_bare_lab_is_true():
    sizes = [abs(values(lab_with(bias=0.5 + 0.01 * n))["gradient"]) for n in range(8)]
    assert sizes[:7] == sorted(sizes[:7])
    assert (round(sizes[0]), sizes[6] > 100, sizes[7] < 0.05) == (4, True, True)


def last_state(bias: float) -> float:
    state = -0.9
    for _ in range(20):
        state = math.tanh(2 * state + bias)
    return state


def slope(bias: float) -> float:
    above, below = ((last_state(bias + shift) - 0.8) ** 2 for shift in (1e-7, -1e-7))
    return abs(above - below) / 2e-7


def test_what_the_text_says_of_the_wall():
    text = (Path(__file__).parents[2] / "assets/text/cliff.md").read_text(encoding="utf-8")
    assert "from about −0.6 (*b* = 0.549) to 0.9 (*b* = 0.5624), within fifteen thousandths" in text
    assert (last_state(0.549), last_state(0.5624)) == pytest.approx((-0.6, 0.9), abs=1e-3)
    assert "15 times what it is at 0.54, 74 times what it is at 0.5, and 8200 times" in text
    shares = [slope(0.558) / slope(bias) for bias in (0.54, 0.5, 0.57)]
    assert shares == pytest.approx([15, 74, 8200], rel=0.035)


def test_what_the_text_says_of_the_loss_far_out():
    text = (Path(__file__).parents[2] / "assets/text/cliff.md").read_text(encoding="utf-8")
    assert "= 0.04: low by luck" in text
    assert (last_state(7.23) - 0.8) ** 2 == pytest.approx(0.04, abs=1e-6)
    assert "swings between 0.03 and 1.02" in text
    narrow = preset_lab("clipped", learning_rate=0.01).compute().table.columns
    assert "A smaller learning rate brings it down" in text
    assert max(narrow[5][-10:]) < 0.1 < max(preset_lab("clipped").compute().table.columns[5][-10:])


def test_default_readouts():
    shown = values(CliffLab())
    assert shown["gradient"] == pytest.approx(-4.0, abs=0.05)
    assert shown["steepest_bias"] == pytest.approx(0.55799, abs=5e-6)
    assert shown["steepest_gradient"] == pytest.approx(-292.8, abs=0.05)
    assert shown["minimum"] == pytest.approx(0.5615, abs=5e-5)
    assert shown["fold"] == pytest.approx(0.532839975, abs=5e-10)
    assert texts(CliffLab())["steepest_bias"] == "0.55799"
    assert texts(CliffLab())["steepest_gradient"] == "−293"


@pytest.mark.parametrize(
    ("bias", "gradient"), [(0.0, -0.35), (0.4, -1.5), (0.6, 0.0090), (0.8, 0.0060), (1, 0.0040)]
)
def test_the_gradient_at_the_slider(bias, gradient):
    assert values(lab_with(bias=bias))["gradient"] == pytest.approx(gradient, rel=0.012)


def test_attractors_without_bias_and_past_the_fold():
    shown = values(lab_with(bias=0.0))
    assert (shown["attractor_lower"], shown["attractor_upper"]) == pytest.approx((-0.9575, 0.9575), abs=5e-5)
    past = values(lab_with(bias=0.6))
    assert math.isnan(past["attractor_lower"])
    assert texts(lab_with(bias=0.6))["attractor_lower"] == "none"
    assert past["attractor_upper"] == pytest.approx(0.9885, abs=5e-5)
    alone = texts(lab_with(bias=0.0, self_weight=0.8))
    assert (alone["attractor_lower"], alone["attractor_upper"]) == ("none", "0")


def test_on_the_cliff_the_unclipped_step_is_29_and_leaves_the_run_stuck():
    lab = preset_lab("on-the-cliff")
    shown = values(lab)
    assert shown["step_unclipped"] == pytest.approx(29, abs=0.5)
    assert shown["bias_unclipped"] == pytest.approx(29.8, abs=0.05)
    assert shown["gradient_unclipped"] < 1e-20
    assert shown["step_clipped"] == pytest.approx(0.01, rel=1e-12)
    frame = lab.compute()
    assert (
        "an unclipped update goes to 29.8, where the run is stuck at a loss of 0.0400 (gradient ≈ 0); clipped"
        in frame.sentence
    )
    assert "clipped at 0.1 it goes to 0.568" in frame.sentence
    assert any("leaves the picture, to b = 29.8" in note for note in frame.notes)
    later = preset_lab("on-the-cliff", update=40)
    assert later.compute().sentence.endswith(", where it is stuck at a loss of 0.0400 (gradient ≈ 0).")
    assert values(later)["bias_unclipped"] == shown["bias_unclipped"]


@pytest.mark.parametrize("bias", [0.5, 0.55])
def test_clipped_the_run_stays_by_the_wall(bias):
    lab = preset_lab("clipped", bias=bias)
    row = dict(zip(lab.compute().table.headings, lab.compute().table.columns, strict=True))
    late = row["b clipped"][20:]
    assert (late.min(), late.max()) == pytest.approx((0.556, 0.566), abs=5e-4)
    assert (
        "In the end the clipped run steps to and fro between 0.55644 and 0.56644, across the minimum at 0.56153; "
        "its loss swings from 0.0345 to 1.02." in lab.compute().notes
    )
    assert (last_state(late.max()) - 0.8) ** 2 == pytest.approx(0.0345, abs=5e-5)
    narrow = preset_lab("clipped", bias=0.55, learning_rate=0.02)
    late = dict(zip(narrow.compute().table.headings, narrow.compute().table.columns, strict=True))[
        "b clipped"
    ][50:]
    assert np.ptp(late) < 0.0025


SHORT_OF_THE_EDGE = {
    "self_weight": 4.0, "steps": 100, "start": 1.0, "bias": 1.2, "target": 1.0, "learning_rate": 1.0,
}  # fmt: skip


def test_a_landing_within_the_axis_does_not_leave_the_picture():
    frame = lab_with(**SHORT_OF_THE_EDGE).compute()
    assert not any("leaves the picture" in note for note in frame.notes)
    steps = frame.columns["steps"]
    assert steps["text"] == ["", ""]
    assert all(1.2 < end < 1.2 + 2e-8 for end in steps["x1"])
    assert len(lab_with(bias=1.2, target=1.0, update=9).compute().columns["free"]["b"]) == 10


def test_a_fold_off_the_axis_is_left_out_and_said():
    lab = lab_with(**SHORT_OF_THE_EDGE)
    frame = lab.compute()
    assert texts(lab)["fold"] == "2.1471"
    assert frame.columns["fold"]["b"] == []
    assert "The fold, b = 2.1471, lies outside the picture." in frame.notes
    assert not any("fold" in note for note in CliffLab().compute().notes)


def test_numbers_far_from_one_are_powers_of_ten():
    lab = lab_with(start=0.0, bias=0.0, steps=100)
    frame = lab.compute()
    assert "The steepest point, b = −2.5011·10⁻³¹, lies outside the slider’s range." in frame.notes
    assert texts(lab)["minimum"] == "1.0185·10⁻³⁰"
    assert texts(lab)["gradient_unclipped"] == "10^(−1.76·10²⁹)"
    assert not re.search(
        r"e[+−-]\d", " ".join([frame.sentence, *frame.notes, *frame.arithmetic, *texts(lab).values()])
    )


def test_a_short_gradient_is_not_clipped():
    frame = preset_lab("off-the-cliff").compute()
    assert "clipping at 0.1 does not touch it" in frame.sentence
    shown = values(preset_lab("off-the-cliff"))
    assert shown["step_clipped"] == shown["step_unclipped"] == pytest.approx(-6e-4, rel=0.01)


def test_late_fold_has_its_wall_behind_a_later_fold():
    shown = values(preset_lab("late-fold"))
    assert shown["fold"] == pytest.approx(2.5 * math.sqrt(0.6) - math.atanh(math.sqrt(0.6)), rel=1e-12)
    assert shown["steepest_bias"] == pytest.approx(0.928, abs=5e-4)
    assert shown["steepest_gradient"] < values(CliffLab())["steepest_gradient"]


def test_what_is_not_there_reads_none():
    assert texts(lab_with(self_weight=1.0))["fold"] == "none"
    assert lab_with(self_weight=1.0).compute().columns["fold"]["b"] == []
    assert texts(lab_with(target=-1.0))["minimum"] == "none"


def test_a_zero_gradient_is_a_gap_and_is_said():
    lab = lab_with(bias=0.0, start=0.0, target=0.0)
    frame = lab.compute()
    assert frame.sentence == "At b = 0 the gradient is 0: no update moves b."
    assert math.isnan(frame.columns["point"]["gradient"][0])


@pytest.mark.parametrize("self_weight", [0.5, 4.0])
@pytest.mark.parametrize("start", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("steps", [1, 100])
@pytest.mark.parametrize("target", [-1.0, 0.3])
def test_extremes_compute_without_a_warning(self_weight, start, steps, target):
    for bias, rate in ((0.0, 1.0), (1.2, 0.001)):
        lab = lab_with(
            self_weight=self_weight, start=start, steps=steps, target=target, bias=bias, learning_rate=rate
        )
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            frame = lab.compute()
        assert "nan" not in (frame.sentence + " ".join(frame.notes)).lower()
        assert not any("not finite" in readout.text for readout in frame.readouts)


def test_the_table_has_a_row_for_each_update():
    table = CliffLab().compute().table
    assert [row[0] for row in table.rows] == list(range(61))
    assert table.rows[0][1] == table.rows[0][4] == 0.5
    assert table.rows[1][4] == pytest.approx(0.51)
    assert number(table.rows[0][3]) == texts(CliffLab())["gradient"]
