"""The exercises lab without a browser: its page says what `core` found, and its files are the stubs."""

import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.exercises.contract import NAMES
from core.exercises.hiding import MISTAKES, SEEN, deviations
from core.exercises.judged.mistakes import mistakes
from core.exercises.links import LABS, address
from core.exercises.stubs import stub
from core.gradcheck import relative_error
from core.lstm_cell import lstm_cell_backward
from tests.widgets import lab_readings as readings
from widgets.base.formula import formula_html
from widgets.base.frame import Code, Frame, Link, Table
from widgets.base.numbers import percent
from widgets.catalogue import find
from widgets.exercises import words
from widgets.exercises.handouts import handouts
from widgets.exercises.lab import ExerciseLab
from widgets.live import LiveLab
from widgets.page import text as page_text

TEXT = (Path(__file__).parents[2] / "assets/text/exercises.md").read_text(encoding="utf-8")
lab_with = partial(readings.lab_with, ExerciseLab)
values = partial(readings.values_with, ExerciseLab)
texts = partial(readings.texts_with, ExerciseLab)
frame_with = partial(readings.frame_with, ExerciseLab)


def off(exercise, steps=20, size=4, scale=1.0, start=0.5, symmetric=False, seed=0):
    return [d.off for d in deviations(exercise, steps, size, scale, start, symmetric, seed).values()]


def test_settings_are_fixed():
    settings = ExerciseLab.settings()
    assert settings["exercise"].objects == list(NAMES)
    assert {n: (s.bounds, s.default) for n, s in settings.items() if hasattr(s, "bounds") and n != "symmetric"} == {
        "steps": ((1, 50), 20), "hidden_size": ((1, 16), 4), "weight_scale": ((0.01, 2), 1.0),
        "start": ((0, 1), 0.5), "seed": ((0, 9999), 0),
    }  # fmt: skip
    assert settings["symmetric"].default is False


def test_the_bare_lab_is_the_first_preset_and_each_exercise_has_one():
    assert ExerciseLab().present_preset() is ExerciseLab.presets[0]
    of_presets = [lab_with(**preset.settings).exercise for preset in ExerciseLab.presets]
    assert set(of_presets) == set(NAMES)


@pytest.mark.parametrize("exercise", NAMES)
@pytest.mark.parametrize("settings", [{}, {"weight_scale": 0.05}, {"hidden_size": 1}, {"symmetric": True}])
def test_readouts_and_sentence_say_what_core_found(exercise, settings):
    named = {"weight_scale": "scale", "hidden_size": "size"}
    found = off(exercise, **{named.get(name, name): value for name, value in settings.items()})
    shown = values(exercise=exercise, **settings)
    labels = [readout.label for readout in frame_with(exercise=exercise, **settings).readouts]
    assert sum(label.endswith(f"without a trace in {words.RESULTS[exercise]}") for label in labels) == 2
    sentence = frame_with(exercise=exercise, **settings).sentence
    for key, title, errors in zip(words.KEYS, words.TITLES[exercise], found, strict=True):
        assert shown[key] == pytest.approx(errors[-1])
        assert shown[f"{key}_unseen"] == np.sum(errors < SEEN)
        said = re.search(
            rf"{re.escape(title)} (puts {words.RESULTS[exercise]} off )?by ([^,;]+\u00a0%)", sentence
        )
        if errors[-1] < SEEN:
            assert f"{title} cannot be seen in {words.RESULTS[exercise]}" in sentence
            assert not said
        else:
            assert said[2] == percent(errors[-1])


def test_the_sentence_of_today():
    assert frame_with(exercise="rnn_bptt", steps=1).sentence == (
        "After 1 step leaving out the transpose cannot be seen in dWhh; "
        "forgetting the error from t + 1 cannot be seen in dWhh."
    )
    assert frame_with(exercise="rnn_bptt").sentence == (
        "After 20 steps leaving out the transpose puts dWhh off by 67.1\u00a0%, "
        "forgetting the error from t + 1 by 63.0\u00a0%."
    )


@pytest.mark.parametrize("exercise", NAMES)
def test_the_sentence_keeps_to_one_line_of_a_projector(exercise):
    for settings in ({}, {"symmetric": True}, {"hidden_size": 1}, {"steps": 1}):
        sentence = formula_html(frame_with(exercise=exercise, **settings).sentence)
        assert len(re.sub(r"<.*?>", "", sentence)) <= 125


@pytest.mark.parametrize("exercise", NAMES)
def test_the_arithmetic_can_be_reckoned_again(exercise):
    lab = lab_with(exercise=exercise)
    lines, shown = lab.compute().arithmetic[1:], values(exercise=exercise)
    superscripts = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    for line, key in zip(lines, words.KEYS, strict=True):
        (quotient,) = re.findall(r"= ([^= ]+/[^= ]+) =", line)
        numbers = [
            float(re.sub(r"·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "e" + m[1].translate(superscripts), number))
            for number in quotient.split("/")
        ]
        assert numbers[0] / numbers[1] == pytest.approx(shown[key], rel=1e-6)


@pytest.mark.parametrize(
    ("settings", "title", "said"),
    [
        ({"exercise": "rnn_bptt"}, "Leaving out the transpose", "dWhh before T = 2, but at T = 1 dh0 is off by 135"),
        ({"exercise": "rnn_bptt", "start": 0.0}, "Leaving out the transpose", "before T = 3, but at T = 1 dh0 is off"),
        ({"exercise": "rnn_bptt"}, "Forgetting the error from t + 1", "in dWhh, dWxh, dbh or dh0 before T = 2."),
        ({"exercise": "lstm_cell_backward"}, "Forgetting dc_new", "in dU, dW, db, dh or dc before T = 2."),
        ({"exercise": "rnn_bptt", "symmetric": True}, "Leaving out the transpose", "in dWhh, dWxh, dbh or dh0 at any"),
        ({"exercise": "gru_cell", "hidden_size": 1}, "Resetting after the product", "in h_T at any length."),
        ({"weight_scale": 0.01}, "Forgetting h_0", "in h_T after T = 5, but at T = 6 hidden is off by 100"),
        ({"exercise": "lstm_cell"}, "Swapping i and f", None),
    ],
)  # fmt: skip
def test_notes_say_where_a_mistake_hides(settings, title, said):
    notes = [note for note in frame_with(**settings).notes if note.startswith(f"{title} leaves no trace")]
    assert (said is None) == (not notes)
    assert said is None or said in notes[0].replace("\u00a0", " ")


def test_a_start_is_said_to_be_forgotten_after_the_last_length_that_shows_it():
    errors = off("rnn_forward", steps=50, scale=0.3)[1]
    last = int(np.flatnonzero(errors >= SEEN)[-1]) + 1
    assert 1 < last < 50
    said = frame_with(steps=50, weight_scale=0.3).notes[-1].replace("\u00a0", " ")
    assert f"in h_T after T = {last}, but at T = {last + 1} hidden is off by" in said


def test_one_call_shows_the_error_along_the_cell_that_a_chain_of_one_hides():
    (note,) = [note for note in frame_with(exercise="lstm_cell_backward").notes if "make a chain" in note]
    assert note.endswith("A single call with another dc_new shows that it is forgotten.")
    rng = np.random.default_rng(0)
    step = [rng.standard_normal(shape) for shape in (2, 3, 3, (2, 12), (3, 12), 12, 3)]
    right = lstm_cell_backward(*step, rng.standard_normal(3))
    for result, forgotten in zip(right, lstm_cell_backward(*step, np.zeros(3)), strict=True):
        assert relative_error(result, forgotten) > 0.1


@pytest.mark.parametrize("exercise", NAMES)
def test_a_sign_of_per_cent_stays_with_its_number(exercise):
    for settings in ({}, {"start": 0.0}, {"steps": 50, "weight_scale": 0.3}):
        frame = frame_with(exercise=exercise, **settings)
        assert " %" not in f"{frame.sentence} {frame.notes} {[r.text for r in frame.readouts]}"


def test_the_data_table_holds_what_is_drawn():
    table = frame_with(exercise="gru_cell", steps=7).table
    assert table.headings == ["T", *words.TITLES["gru_cell"]]
    assert table.columns[0] == list(range(1, 8))
    np.testing.assert_allclose(table.columns[1], off("gru_cell", steps=7)[0])


@pytest.mark.parametrize("exercise", NAMES)
def test_titles_stand_beside_their_mistakes(exercise):
    assert len(words.TITLES[exercise]) == len(MISTAKES[exercise]) == 2


@pytest.mark.parametrize("exercise", NAMES)
def test_the_file_is_the_stub_and_leads_to_its_lab(exercise):
    file, student, _, teacher = handouts(exercise)
    assert file.text == stub(exercise)
    assert file.file == f"{exercise}.py"
    (link,) = file.links
    assert f"/app{link.query}" == address(exercise)
    assert link.text.endswith(f"lab {find(LABS[exercise].slug).title}")
    assert f"core.exercises new {exercise}" in student.text
    assert f"core.exercises check {exercise}.py" in student.text
    assert "core.exercises check FOLDER" in teacher.text
    assert f"core.exercises --solution {exercise}" in teacher.text
    assert not student.file
    assert not teacher.file


@pytest.mark.parametrize("exercise", NAMES)
def test_the_report_is_the_checks_own_on_the_mistake_of_the_solid_line(exercise):
    (report,) = [code.text for code in handouts(exercise) if code.key == "report"]
    titles = {mistake.key: mistake.title for mistake in mistakes(exercise)}
    assert f"Mistake: {titles[MISTAKES[exercise][0]]}." in report
    assert report.count("Mistake: ") == 1
    assert lab_with(exercise=exercise).groundwork()() == report


@pytest.mark.parametrize("exercise", NAMES)
def test_the_list_of_known_mistakes_is_the_checks(exercise):
    (listed,) = frame_with(exercise=exercise).passages()
    titles = [mistake.title for mistake in mistakes(exercise)]
    assert sorted(line.text for line in listed.lines) == sorted(titles)
    assert f"knows {len(titles)} in" in listed.description
    assert len(titles) >= 20


def test_a_block_of_lines_is_sent_as_it_is():
    code = Code("k", "<b>t</b>", "d", "a < b & c\n\t“x”", "f.py", (Link("see", "?lab=echo"),))
    assert json.loads(page_text.codes([code])) == [
        {
            "key": "k", "title": "<b>t</b>", "description": "d", "text": "a < b & c\n\t“x”", "file": "f.py",
            "links": [{"text": "see", "query": "?lab=echo"}],
        }
    ]  # fmt: skip


def test_another_exercise_brings_its_file_to_the_page():
    lab = ExerciseLab()
    live = LiveLab(lab)
    assert json.loads(live.view.codes)[0]["title"] == "rnn_forward.py"
    live._act({"action": "preset", "name": "gru"})
    assert json.loads(live.view.codes)[0]["text"] == stub("gru_cell")


def test_a_lab_without_blocks_sends_none():
    assert page_text.codes(Frame({}, [], "", Table("", [], [])).codes) == "[]"


def test_what_the_hints_say_is_so():
    falling = off("rnn_forward")[1]
    assert falling[-1] < falling[0] / 1000
    assert all(errors[0] == 0 for errors in off("rnn_bptt"))
    assert min(off("lstm_cell")[n][0] for n in (0, 1)) > 0.1
    assert off("lstm_cell_backward")[0][0] == 0
    assert off("lstm_cell_backward")[0][1] > 0.01
    (at_once,) = [
        d for d in deviations("rnn_bptt", 1, 4, 1.0, 0.5, False, 0).values() if d.elsewhere["dh0"].off > 0.1
    ]
    assert at_once.off[0] == 0
    assert 0.015 < off("gru_cell")[0].min() < 0.025
    assert 0.185 < off("gru_cell")[0].max() < 0.195
    small, plain = off("lstm_cell", scale=0.01)
    assert small.max() < 0.01 < plain.min()
    assert off("rnn_bptt", symmetric=True)[0].max() == 0


@pytest.mark.parametrize("seed", range(4))
def test_what_the_text_says_is_so(seed):
    assert (
        "set the weight scale to 0.01. Swapping *i* and *f* all but hides; swapping *g* and *o* does not, once"
        in TEXT
    )
    inputs, outputs = off("lstm_cell", scale=0.01, seed=seed)
    assert inputs.max() < 0.06 < 0.3 < outputs[3:].min()
    assert outputs[0] < 0.1
    assert "The first ones never do." in TEXT
    ignored = list(deviations("rnn_forward", 50, 4, 0.8, 0.5, False, seed).values())[1]
    assert ignored.elsewhere["hidden"].off.min() > 0.1
    assert "after some dozens of steps" in TEXT
    assert off("rnn_forward", steps=50, scale=0.8, seed=seed)[1][-1] < 1e-5
    assert "With *h_0* = 0 it is right with two steps too" in TEXT
    assert (off("rnn_bptt", start=0.0, seed=seed)[0][:3] > SEEN).tolist() == [False, False, True]
    assert "The gradient of *h_0* itself is wrong from one step on" in TEXT
    for start in (0.0, 0.5):
        transpose, _ = deviations("rnn_bptt", 20, 4, 1.0, start, False, seed).values()
        assert transpose.elsewhere["dh0"].off.min() > 0.1


@pytest.mark.parametrize("exercise", NAMES)
@pytest.mark.parametrize("steps", [1, 50])
@pytest.mark.parametrize("size", [1, 16])
@pytest.mark.parametrize("scale", [0.01, 2.0])
def test_extremes_compute_without_a_warning(exercise, steps, size, scale):
    with np.errstate(all="raise", under="ignore"):
        frame = frame_with(
            exercise=exercise, steps=steps, hidden_size=size, weight_scale=scale, start=0.0, symmetric=True
        )
    said = f"{frame.sentence} {frame.notes} {frame.arithmetic} {[r.text for r in frame.readouts]}"
    assert "nan" not in said.lower()
    assert "finite" not in said
