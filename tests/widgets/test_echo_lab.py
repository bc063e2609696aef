"""The echo lab: its numbers, its sentence, its gaps."""

import math

import numpy as np
import pytest

from core.echo import echo
from widgets.echo import EchoLab


def lab(preset="halving", **settings):
    made = EchoLab()
    made.adopt(**made.defaults(**made.preset(preset).settings) | settings)
    return made


def readouts(frame):
    return {r.key: r.value for r in frame.readouts}


def test_halving_in_the_table_of_steps():
    table = dict(zip(lab().compute().table.headings, lab().compute().table.columns, strict=True))
    np.testing.assert_allclose(table["h_t"], [0.762, 0.363, 0.180, 0.090], atol=5e-4)
    np.testing.assert_allclose(table["J_t"][1:], [0.434, 0.484, 0.496], atol=5e-4)


def test_halving_in_the_readouts():
    seen = readouts(lab().compute())
    assert seen["first_state_sensitivity"] == pytest.approx(0.104, abs=5e-4)
    assert seen["reference"] == 0.125
    assert seen["first_input_sensitivity"] == pytest.approx(0.044, abs=5e-4)


@pytest.mark.parametrize(
    ("preset", "key", "value"),
    [
        ("growing", "start_sensitivity", 3325.2567),
        ("saturated", "start_sensitivity", 4.67387e-9),
        ("saturated", "first_state_sensitivity", 1.72429e-8),
        ("thirty-steps", "first_state_sensitivity", 1.55e-9),
        ("thirty-steps", "first_input_sensitivity", 6.50e-10),
        ("capped", "last_state", 0.8585596366),
        ("knife-edge", "first_state_sensitivity", 1.0),
    ],
)
def test_presets(preset, key, value):
    assert readouts(lab(preset).compute())[key] == pytest.approx(value, rel=4e-3)


def test_the_sentence_agrees_with_the_readouts():
    frame = lab().compute()
    shown = {r.key: r.text for r in frame.readouts}
    assert shown["first_state_sensitivity"] in frame.sentence
    assert shown["reference"] in frame.sentence


def test_curves_that_coincide_are_said_to():
    assert "coincide" in lab("knife-edge").compute().sentence
    assert "coincide" not in lab().compute().sentence


def test_a_weight_of_zero_leaves_a_gap_and_a_note():
    frame = lab(weight=0.0).compute()
    assert frame.columns["sensitivity"]["state"][1] == -math.inf
    assert readouts(frame)["reference"] == 0
    assert any("left out" in note for note in frame.notes)
    assert "Nothing" in frame.sentence


def test_the_extremes_stay_finite_where_they_can():
    frame = lab(weight=2.0, activation="linear", steps=100).compute()
    assert readouts(frame)["reference"] == pytest.approx(2.0**99)
    frame = lab(weight=0.01, steps=100, pulse=3.0).compute()
    assert frame.columns["sensitivity"]["state"][0] < -190


def test_the_table_and_the_stems_are_those_of_the_run():
    made = lab(start=0.3, weight=-0.7)
    frame, run = made.compute(), echo(-0.7, np.array([1.0, 0, 0, 0]), 0.3)
    table = dict(zip(frame.table.headings, frame.table.columns, strict=True))
    np.testing.assert_array_equal(table["∂h_T/∂h_t"], run.state_sensitivity)
    np.testing.assert_array_equal(table["∂h_T/∂x_t"], run.input_sensitivity)
    np.testing.assert_array_equal(frame.columns["states"]["h"], [0.3, *run.states])
    assert readouts(frame)["last_jacobian"] == run.jacobians[-1]
    assert any("w is negative" in note for note in frame.notes)
    assert not any("w is negative" in note for note in lab().compute().notes)


@pytest.mark.parametrize(("steps", "said"), [(2, " 1 step later "), (4, " 3 steps later ")])
def test_the_sentence_counts_its_steps(steps, said):
    assert said in lab(steps=steps).compute().sentence


def test_curves_coincide_only_if_they_do_everywhere():
    assert "coincide" not in lab(weight=0.05, pulse=3.0).compute().sentence


def test_sensitivities_below_floating_point_keep_their_place():
    frame = lab(weight=-0.0005, steps=100).compute()
    assert frame.columns["sensitivity"]["input"][1] < -320
    assert not any("left out" in note for note in frame.notes)
    assert "−0" not in {r.text for r in frame.readouts}


def test_states_that_leave_the_picture_are_said_to():
    assert any(
        "leaves the picture" in note
        for note in lab(weight=2.0, activation="linear", steps=100).compute().notes
    )


def test_presets_are_those_that_links_name():
    assert [p.name for p in EchoLab.presets] == [
        "halving", "knife-edge", "growing", "capped", "saturated", "thirty-steps",
    ]  # fmt: skip
