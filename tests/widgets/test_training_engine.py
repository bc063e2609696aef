"""What a visitor does with a run: start, pause, step, reset, new weights, end; and what may go wrong with it."""

import numpy as np
import pytest

from core.training import initial_state, restore
from widgets.jobs.limits import Limits
from widgets.jobs.pool import Pool
from widgets.training.engine import INTERVAL
from widgets.training.messages import FAULT


def weights(run_or_state):
    held = getattr(run_or_state, "parameters", run_or_state)
    return {name: array.tobytes() for name, array in held.items()}


def test_before_a_run_there_is_the_net_that_comes_with_the_corpus(desk):
    lab, _, _ = desk.visit()
    assert (lab.snapshot.status, lab.run) == ("none", "")
    assert lab.snapshot.model.name == "that comes with this corpus"
    assert lab.snapshot.goal == 50
    lab.adopt(corpus="brackets")
    assert lab.snapshot.model.parameters["U1"].shape == (96, 384)
    lab.adopt(corpus="own")
    assert lab.snapshot.model is None


def test_start_trains_to_the_goal_and_shows_it(desk):
    lab, engine, visitor = desk.visit()
    engine.act("start", {})
    assert lab.snapshot.status == "waiting"
    assert lab.snapshot.place == 1
    shown = desk.until(lab, "finished")
    assert (shown.number, shown.corpus, shown.cell) == (50, "toy", "lstm")
    assert shown.series("steps", "number").tolist() == list(range(1, 51))
    assert shown.series("steps", "loss")[-10:].mean() < shown.series("steps", "loss")[0]
    assert shown.model.number == 50
    assert lab.run == engine._run.job.token
    assert visitor.shows >= 2


def test_what_is_shown_is_of_the_settings(desk):
    lab, _, _ = desk.started(cell="gru", corpus="brackets")
    shown = lab.snapshot
    assert shown.described == "brackets, gru of 16, K = 4"
    assert (shown.characters_a_step, shown.vocabulary_size, shown.truncation) == (16, 41, 4)
    assert [record["number"] for record in shown.samples] == [0, 1, 2, 5, 10, 20, 40]
    assert shown.series("fresh", "number").tolist() == [1, 50]


def test_a_run_pauses_and_goes_on(desk):
    lab, engine, _ = desk.visit()
    engine.act("start", {})
    desk.loop.until(lambda: engine._run.job.records["step"])
    engine.act("pause", {})
    shown = desk.until(lab, "paused")
    assert 0 < shown.number < 50
    assert shown.model.number == shown.number
    engine.act("start", {})
    assert desk.until(lab, "finished").number == 50


def test_a_net_at_rest_is_read_once(desk):
    lab, engine, _ = desk.started()
    model = lab.snapshot.model
    engine.act("pause", {})
    assert lab.snapshot.model is model


def test_one_step_is_one(desk):
    lab, engine, _ = desk.visit()
    for number in (1, 2):
        engine.act("one", {})
        assert desk.until(lab, "paused").number == number
    lab, engine, _ = desk.started()
    engine.act("one", {})
    desk.loop.until(lambda: engine._run.number == 51)
    assert desk.until(lab, "finished").number == 51


def test_reset_leads_back_to_the_same_weights(desk):
    lab, engine, _ = desk.started()
    token = lab.run
    engine.act("again", {})
    assert (lab.snapshot.status, lab.snapshot.number, lab.run) == ("paused", 0, token)
    shown = desk.until(lab, "paused")
    assert shown.series("steps", "loss").size == 0
    assert shown.samples == []
    settings, state = restore(engine._run.job.checkpoint)
    assert weights(state) == weights(shown.model) == weights(initial_state(settings))
    assert settings.seed == 0
    engine.act("start", {})
    first = desk.until(lab, "finished").series("steps", "loss")
    engine.act("again", {})
    engine.act("start", {})
    np.testing.assert_array_equal(desk.until(lab, "finished").series("steps", "loss"), first)


def test_new_weights_are_those_of_the_next_seed_in_a_run_of_their_own(desk):
    lab, engine, _ = desk.started()
    before, token = engine._run.job.payload, lab.run
    engine.act("weights", {})
    assert lab.seed == 1
    assert (lab.snapshot.status, lab.snapshot.number) == ("paused", 0)
    assert lab.run != token
    assert desk.pool.find(token) is None
    settings, state = restore(engine._run.job.checkpoint)
    assert settings.seed == 1
    assert weights(state) != weights(restore(before)[1])
    assert not lab.snapshot.outdated


def test_new_weights_without_a_run_are_the_next_seed_and_no_run(desk):
    lab, engine, _ = desk.visit(seed=9999)
    engine.act("weights", {})
    assert (lab.seed, lab.run, lab.snapshot.status) == (0, "", "none")


def test_other_settings_are_said_to_wait_until_one_starts_anew(desk):
    lab, engine, _ = desk.started()
    assert not lab.snapshot.outdated
    lab.adopt(hidden_size=32)
    assert lab.snapshot.outdated
    assert lab.snapshot.described == "toy, lstm of 16, K = 4"
    lab.adopt(hidden_size=16, corpus="brackets")
    assert lab.snapshot.outdated
    engine.act("anew", {})
    assert not lab.snapshot.outdated
    shown = desk.until(lab, "finished")
    assert (shown.corpus, shown.number) == ("brackets", 50)


def test_what_a_run_takes_over_does_not_make_it_another(desk):
    lab, engine, _ = desk.visit()
    engine.act("one", {})
    desk.until(lab, "paused")
    lab.adopt(learning_rate=0.1, clip_norm=0.5, clipping="none", carry_state=False, shuffle_rows=True)
    lab.adopt(temperature=1.5, steps=100)
    assert not lab.snapshot.outdated
    assert lab.snapshot.goal == 100
    engine.act("start", {})
    desk.until(lab, "finished")
    settings, state = restore(engine._run.job.checkpoint)
    assert (settings.learning_rate, settings.clip_norm, settings.clipping) == (0.1, 0.5, "none")
    assert (settings.carry_state, settings.shuffle_rows) == (False, True)
    assert state.number == 100
    assert lab.snapshot.samples[-1]["temperature"] == 1.5


def test_settings_for_the_next_run_do_not_reach_into_this_one(desk):
    lab, engine, _ = desk.visit()
    engine.act("one", {})
    desk.until(lab, "paused")
    cell, told = lab.cell, dict(engine._run.job.note)
    lab.adopt(cell="gru", clipping="none", learning_rate=0.2, steps=1000)
    assert engine._run.job.note == told
    assert lab.snapshot.outdated
    assert (lab.snapshot.goal, lab.snapshot.clip_norm) == (told["steps"], told["settings"]["clip_norm"])
    lab.adopt(cell=cell)
    assert engine._run.job.note["settings"]["learning_rate"] == 0.2
    assert (lab.snapshot.goal, lab.snapshot.clip_norm) == (1000, None)


def test_a_goal_that_moves_lets_a_finished_run_go_on(desk):
    lab, engine, _ = desk.started()
    lab.adopt(steps=100)
    engine.act("start", {})
    desk.loop.until(lambda: engine._run.number == 100)
    assert desk.until(lab, "finished").number == 100


def test_the_run_that_is_ended_is_gone_and_its_picture_stays_until_the_next(desk):
    lab, engine, visitor = desk.started()
    token, losses = lab.run, lab.snapshot.series("steps", "loss")
    engine.act("end", {})
    shown = lab.snapshot
    assert (lab.run, shown.status, shown.message) == ("", "stopped", "")
    assert desk.pool.find(token) is None
    np.testing.assert_array_equal(shown.series("steps", "loss"), losses)
    assert (shown.model.number, len(shown.samples)) == (50, 7)
    engine.act("keep", {})
    assert restore(visitor.files[0][1])[1].number == 50
    lab.adopt(steps=100, learning_rate=0.5)
    assert lab.snapshot.goal == 50
    engine.act("one", {})
    shown = desk.until(lab, "paused")
    assert (shown.number, shown.goal, shown.recipes[-1].settings["learning_rate"]) == (1, 100, 0.5)
    assert lab.run not in ("", token)


def test_new_weights_after_the_end_are_those_of_the_next_run(desk):
    lab, engine, _ = desk.started()
    engine.act("end", {})
    engine.act("weights", {})
    assert (lab.seed, lab.run, lab.snapshot.status) == (1, "", "stopped")
    engine.act("start", {})
    assert desk.until(lab, "finished").settings["seed"] == 1


def test_the_last_checkpoint_can_be_kept_while_the_run_goes_on(desk):
    _, engine, visitor = desk.visit()
    engine.act("start", {})
    desk.loop.until(lambda: engine._run.job.records["step"])
    made = restore(engine._run.job.checkpoint)[1].number
    engine._run.job.take_records([("step", {"number": made + 2, "loss": 1.0, "norm": 1.0, "speed": 1.0})])
    engine.act("keep", {})
    ((name, data),) = visitor.files
    assert (engine._run.number, restore(data)[1].number) == (made + 2, made)
    assert name == f"long-gap-toy-step-{made}.npz"
    assert engine._run.job.status != "finished"


def test_the_checkpoint_is_a_file_that_holds_the_run(desk):
    lab, engine, visitor = desk.started()
    engine.act("keep", {})
    ((name, data),) = visitor.files
    assert name == "long-gap-toy-step-50.npz"
    assert restore(data)[1].number == 50
    assert weights(restore(data)[1]) == weights(lab.snapshot.model)


@pytest.mark.parametrize("name", ["pause", "again", "end", "keep", "no-such"])
def test_a_button_without_a_run_does_nothing(desk, name):
    lab, engine, visitor = desk.visit()
    engine.act(name, {})
    assert (lab.run, lab.snapshot.status, visitor.files) == ("", "none", [])


def test_what_nobody_foresaw_is_said_and_the_page_lives_on(desk, monkeypatch):
    lab, engine, _ = desk.visit()
    monkeypatch.setattr("widgets.training.engine.first_payload", lambda settings: 1 / 0)
    engine.act("start", {})
    assert (lab.snapshot.status, lab.snapshot.message) == ("none", FAULT)
    monkeypatch.undo()
    engine.settings_changed()
    assert lab.snapshot.message == ""


def test_a_run_that_diverges_rests_at_its_last_finite_weights_and_goes_on_from_them(desk, monkeypatch):
    lab, engine, _ = desk.visit()
    engine.act("one", {})
    desk.until(lab, "paused")
    with monkeypatch.context() as broken:
        broken.setattr("core.training.clip_by_global_norm", _overflow)
        engine.act("start", {})
        shown = desk.until(lab, "failed")
    assert "Step 2 diverged" in shown.message
    assert (shown.number, shown.model.number) == (1, 1)
    assert np.isnan(shown.series("steps", "loss")[-1])
    lab.adopt(learning_rate=0.001)
    engine.act("start", {})
    assert lab.snapshot.message == ""
    assert desk.until(lab, "finished").number == 50


def _overflow(grads, limit):
    raise FloatingPointError("not finite")


def test_a_pool_that_is_full_says_so_and_a_run_can_still_begin_anew(desk, monkeypatch):
    small = Pool("widgets.training.turn:turn", 1, Limits(jobs=1), desk.loop)
    monkeypatch.setattr("widgets.training.engine.pool", lambda: small)
    lab, engine, _ = desk.started()
    other, refused, _ = desk.visit(key="other")
    refused.act("start", {})
    assert "already holds 1 computations" in other.snapshot.message
    assert (other.run, other.snapshot.status) == ("", "none")
    engine.act("anew", {})
    assert lab.snapshot.message == ""
    assert desk.until(lab, "finished").number == 50


def test_a_run_whose_successor_is_refused_stays(desk, monkeypatch):
    small = Pool("widgets.training.turn:turn", 1, Limits(job_size=150_000), desk.loop)
    monkeypatch.setattr("widgets.training.engine.pool", lambda: small)
    lab, engine, _ = desk.started()
    token = lab.run
    lab.adopt(hidden_size=64)
    engine.act("anew", {})
    assert "more than the 0.15 MB" in lab.snapshot.message
    assert (lab.run, lab.snapshot.number) == (token, 50)
    assert small.find(token)


def test_a_page_looks_again_at_most_a_few_times_a_second(desk):
    lab, engine, visitor = desk.visit()
    engine.act("start", {})
    desk.loop.until(lambda: engine._run.job.status == "finished")
    assert visitor.shows == 1
    desk.loop.advance(INTERVAL)
    assert visitor.shows == 2
    assert lab.snapshot.status == "finished"


def test_the_same_through_a_real_worker_process(loop, desk, monkeypatch):
    monkeypatch.undo()
    pool = Pool("widgets.training.turn:turn", 1, Limits(), loop)
    monkeypatch.setattr("widgets.training.engine.pool", lambda: pool)
    monkeypatch.setattr("widgets.training.engine.asyncio.get_running_loop", lambda: loop)
    lab, _, _ = desk.started(cell="rnn")
    assert lab.snapshot.number == 50
    assert lab.snapshot.model.number == 50
    assert lab.snapshot.series("spectrum", "radius").size == 11
    pool.close()
    loop.until(lambda: not pool.workers)
