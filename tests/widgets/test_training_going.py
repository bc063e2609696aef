"""How a run goes on as the page tells it: single steps, the rate by the clock, and a step that is broken off."""

import itertools
from functools import partial

from widgets.training.headway import Headway


def test_each_click_on_one_step_is_a_step(desk):
    lab, engine, _ = desk.visit()
    for _ in range(5):
        engine.act("one", {})
        assert lab.snapshot.stepping
    assert desk.until(lab, "paused").number == 5
    assert not lab.snapshot.stepping


def test_the_rate_is_told_while_the_run_goes_on_and_not_at_rest_or_for_single_steps(desk, monkeypatch):
    """Steps come when the loop gets to them; between two looks of the page a second passes."""
    now = itertools.count(0.0)
    monkeypatch.setattr("widgets.training.run.Headway", partial(Headway, lambda: next(now)))
    lab, engine, _ = desk.visit()
    engine.act("start", {})
    assert lab.snapshot.steps_per_second is None
    desk.loop.until(lambda: engine._run.number >= 20)
    engine._follow()
    assert 0 < lab.snapshot.steps_per_second < 20
    assert desk.until(lab, "finished").steps_per_second is None
    engine.act("one", {})
    desk.loop.until(lambda: engine._run.number == 51)
    engine._follow()
    assert lab.snapshot.steps_per_second is None


def test_a_step_that_is_broken_off_is_said_to_be_made_again_until_the_run_goes_on(desk):
    lab, engine, _ = desk.visit()
    engine.act("one", {})
    desk.until(lab, "paused")
    engine.act("start", {})
    desk.loop.until(lambda: engine._run.job.status == "running")
    engine.act("pause", {})
    shown = desk.until(lab, "paused")
    assert (shown.broken_off, shown.number, shown.message) == (True, 1, "")
    engine.act("start", {})
    assert not lab.snapshot.broken_off
    assert desk.until(lab, "finished").number == 50
