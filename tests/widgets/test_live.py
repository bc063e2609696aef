"""A lab brought to life: one push per source, controls that agree, notices, a run's buttons."""

import json
from dataclasses import replace

import numpy as np
import param
import pytest

from tests.widgets.live_readings import act, each_lab, frame_of
from widgets.base.frame import Line, Passage
from widgets.catalogue import find
from widgets.echo import EchoLab
from widgets.live import LiveLab
from widgets.training.lab import TrainingLab


@each_lab
def test_a_move_sends_each_source_at_most_once(alive, kind):
    live = alive(kind)
    pushes = dict.fromkeys(live._drawing.sources, 0)

    def count(name):
        def counted(attr, old, new):
            pushes[name] += 1

        return counted

    for name, source in live._drawing.sources.items():
        source.on_change("data", count(name))
    most = []
    for name, control in live._desk.controls.items():
        if isinstance(live.lab.param[name], param.Number):
            pushes.update(dict.fromkeys(pushes, 0))
            control.value = live.lab.param[name].bounds[1]
            most.append(max(pushes.values()))
    assert max(most) == 1


def test_what_does_not_change_is_not_sent(alive):
    live = alive()
    seen = []
    live._drawing.sources["states"].on_change("data", lambda attr, old, new: seen.append(new))
    live._push()
    assert seen == []


def test_a_control_moves_the_setting_and_the_page(alive):
    live = alive()
    live._desk.controls["weight"].value = 1.5
    assert live.lab.weight == 1.5
    np.testing.assert_allclose(live._drawing.sources["sensitivity"].data["reference"][0], 4 * np.log10(1.5))
    shown = {key: value for key, label, text, value, words, group in frame_of(live)["readouts"]}
    assert float(shown["reference"]) == pytest.approx(1.5**3)


def test_presets_and_reset_move_the_controls(alive):
    live = alive()
    act(live, "preset", name="growing")
    assert (live._desk.controls["weight"].value, live._desk.controls["steps"].value) == (1.5, 20)
    act(live, "reset")
    assert live.lab.values() == EchoLab().values()
    assert live._desk.controls["weight"].value == 0.5


def test_an_unknown_preset_changes_nothing(alive):
    live = alive()
    act(live, "preset", name="<script>")
    assert live.lab.values() == EchoLab().values()


@pytest.mark.parametrize(
    "message", [{}, {"action": "no-such"}, {"action": ["x"]}, "text", None, {"action": "unpin"}]
)
def test_a_forged_message_changes_nothing(alive, message):
    live = alive()
    live._act(message)
    assert live.lab.values() == EchoLab().values()


def test_out_of_range_values_are_fitted_with_a_notice(alive):
    live = alive()
    live._desk.controls["weight"].value = 7
    assert live.lab.weight == 2
    assert live._desk.controls["weight"].value == 2
    assert live._state()["notices"]


def test_redraw_changes_the_seed_and_reset_keeps_it(alive):
    live = alive(find("jacobians"))
    act(live, "redraw")
    assert live.lab.seed == 1
    live._desk.controls["spectral_radius"].value = 1.3
    act(live, "reset")
    assert (live.lab.seed, live.lab.spectral_radius) == (1, 0.9)
    live.lab.adopt(seed=9999)
    act(live, "redraw")
    assert live.lab.seed == 0


def test_a_lab_without_draws_ignores_redraw(alive):
    live = alive()
    act(live, "redraw")
    assert live.lab.values() == EchoLab().values()


def test_the_advice_of_a_preset_stays_while_one_follows_it(alive):
    live = alive()
    act(live, "preset", name="growing")
    live._desk.controls["weight"].value = 1.2
    state = live._state()
    assert state["preset"] is None
    assert state["lookFor"] == f"From “Growing”: {live.lab.preset('growing').look_for}"


def test_figures_out_of_sight_follow_at_rest(alive):
    live = alive(find("jacobians"))
    live._rest_soon._work = lambda: None
    slopes = live._drawing.sources["slopes"]
    before = slopes.data["slope"]
    live._desk.controls["input_scale"].value = 2.0
    assert slopes.data["slope"] is before
    act(live, "seen", figures=[0, 2])
    np.testing.assert_array_equal(slopes.data["slope"], live._frame.columns["slopes"]["slope"])
    live._desk.controls["input_scale"].value = 1.0
    np.testing.assert_array_equal(slopes.data["slope"], live._frame.columns["slopes"]["slope"])


def test_the_last_digits_of_a_sliders_sum_are_not_answered(alive):
    live = alive()
    live._desk.controls["weight"].value = 0.5700000000000001
    assert live.lab.weight == 0.57
    assert live._desk.controls["weight"].value == 0.5700000000000001


def test_the_next_value_takes_a_refusal_back(alive):
    live = alive()
    live._desk.controls["weight"].value = 7
    assert live._state()["notices"]
    live._desk.controls["steps"].value = 9
    assert live._state()["notices"]
    live._desk.controls["weight"].value = 1.5
    assert live._state()["notices"] == []


def test_the_notices_of_an_address_stay_until_they_are_dismissed(alive):
    live = alive()
    live.visit(EchoLab(), ["weight: expected a number."])
    live._desk.controls["weight"].value = 1.5
    assert live._state()["notices"] == ["weight: expected a number."]
    act(live, "dismiss")
    assert live._state()["notices"] == []


def test_a_text_that_only_changed_its_spaces_was_not_cut(alive):
    live = alive(find("brackets"))
    live._desk.controls["text"].value_input = "((\u2028a?"
    assert live._state()["notices"] == []
    assert live.lab.text == "(( a?"


def test_a_check_is_made_when_it_is_asked_for_and_not_before(alive, monkeypatch):
    followed = []
    live = alive(find("bptt"))
    monkeypatch.setattr(live._check, "follow", followed.append)
    live._desk.controls["spectral_radius"].value = 1.2
    assert followed == []
    act(live, "check")
    assert followed == [live.lab.check()]


def test_a_lab_without_a_check_ignores_one(alive):
    live = alive()
    act(live, "check")
    assert not live._tables()["checking"]


def test_passages_are_worked_out_at_rest_and_not_at_each_move(alive, monkeypatch):
    live = alive(TrainingLab)
    made = []
    monkeypatch.setattr(TrainingLab, "_passages", lambda lab, run, look: made.append(run) or [])
    live._rest_soon._work = lambda: None
    live._desk.controls["temperature"].value = 1.5
    assert frame_of(live)
    assert made == []
    live._at_rest()
    assert len(made) == 1


def test_a_link_to_the_run_that_is_shown_changes_nothing(alive):
    live = alive(TrainingLab)
    live.lab.run = "the-run"
    live._desk.controls["temperature"].value = 1.5
    other = TrainingLab()
    other.run = "the-run"
    live.visit(other)
    assert live.lab.temperature == 1.5
    other.run = "another"
    live.visit(other)
    assert live.lab.temperature == 0.8


def test_a_lab_without_its_prose_says_so_in_its_place(alive, monkeypatch, tmp_path, caplog):
    monkeypatch.setattr("widgets.page.text._TEXTS", tmp_path)
    assert "could not be read" in alive().view.prose.object
    assert "echo.md" in caplog.text


def test_a_token_that_nothing_answers_to_is_forgotten(alive):
    lab = EchoLab()
    lab.run = "left-over"
    LiveLab(lab)
    assert lab.run == ""


def test_a_lab_without_an_engine_has_no_run_on_its_page_and_ignores_its_buttons(alive):
    live = alive()
    assert not {"buttons", "progress"} & set(frame_of(live))
    for name in ("start", "end", "upload"):
        act(live, name)
    assert live.lab.values() == EchoLab().values()


def test_a_button_of_a_run_goes_to_the_engine_and_a_change_of_settings_too(alive):
    class Engine:
        def __init__(self):
            self.heard = []

        def act(self, name, message):
            self.heard.append((name, message.get("name")))

        def settings_changed(self):
            self.heard.append("settings")

    live = alive(TrainingLab)
    live._engine = Engine()
    act(live, "start")
    act(live, "upload", name="text")
    live._desk.controls["temperature"].value = 1.5
    assert live._engine.heard == [("start", None), ("upload", "text"), "settings"]
    act(live, "preset", name="code")
    assert live._engine.heard[3:] == ["settings"]


def test_a_passage_follows_when_the_hand_has_come_to_rest(alive):
    class ReadingLab(EchoLab):
        def compute(self):
            line = Line("said", f"{self.weight}")
            return replace(super().compute(), passages=lambda: [Passage("said", "Said", "", [line])])

    def said():
        return json.loads(next(iter(live.view._models.values()))[0].data.passages)[0]["lines"][0][1]

    live = alive(ReadingLab)
    at_rest = live._rest_soon._work
    live._rest_soon._work = lambda: None
    live._desk.controls["weight"].value = 1.5
    assert said() == "0.5"
    at_rest()
    assert said() == "1.5"


def test_readouts_carry_their_headings_and_late_ones_too(alive):
    class GroupedLab(EchoLab):
        def compute(self):
            frame = super().compute()
            return replace(frame, readouts=[replace(r, group="Sizes") for r in frame.readouts])

    live = alive(GroupedLab)
    shown = frame_of(live)["readouts"]
    assert shown
    assert {group for *_, group in shown} == {"Sizes"}
    live._late = True
    live._put_frame()
    blank = frame_of(live)["readouts"]
    assert [[key, group] for key, *_, group in blank] == [[key, group] for key, *_, group in shown]
    assert {(text, value) for _, _, text, value, _, _ in blank} == {("…", "nan")}


def test_a_lab_chooses_its_stage_by_its_settings(alive):
    class StagingLab(EchoLab):
        def stages(self, plot):
            return (plot is self.first) is (self.weight < 1)

        def share(self, plot):
            return self.weight / 2

        def plots(self, sources):
            drawn = super().plots(sources)
            self.first = drawn[0]
            return drawn

    live = alive(StagingLab)
    number = len(live._drawing.plots)
    assert number > 1
    assert live._state()["staged"] == [[0, 0.25]]
    live._desk.controls["weight"].value = 1.5
    assert live._state()["staged"] == [[n, 0.75] for n in range(1, number)]


def test_the_same_columns_are_not_looked_at_again_but_in_another_window(alive, monkeypatch):
    live = alive()
    asked = []
    monkeypatch.setattr(live._drawing, "_assign", lambda source, name, columns: asked.append(name))
    live._drawing.show(live._frame, live._drawing.sources)
    assert asked == []
    act(live, "fit")
    assert asked


def test_a_pin_lets_the_document_look_through_its_models_once(alive, monkeypatch):
    live = alive()
    models = live._drawing.plots[0].figure.document.models
    looks, recompute = [], models.recompute
    monkeypatch.setattr(models, "recompute", lambda: looks.append(True) or recompute())
    for pinned in (1, 2):
        act(live, "pin")
        letters = {source for pin in live._pins.held for source in pin.letters.values()}
        assert len(live._pins.held) == pinned
        assert len(looks) == pinned
        assert all(letter.document for letter in letters)
    act(live, "unpin", letter="A")
    assert len(looks) == 3
