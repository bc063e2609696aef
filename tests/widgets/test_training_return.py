"""A run that is found again: by its token, by a second page, by the browser that remembers it; and what is lost."""

import numpy as np
import pytest

from core.training import restore
from widgets.training.engine import INTERVAL
from widgets.training.messages import TAKEN_OVER, lost


def test_a_reload_finds_the_run_again(desk):
    lab, engine, _ = desk.started()
    engine.close()
    again, _, _ = desk.visit(run=lab.run)
    assert again.snapshot.status == "finished"
    assert again.snapshot.number == 50
    assert desk.until(again, "finished").model.name == "of this run’s last checkpoint"
    assert again.run == lab.run
    np.testing.assert_array_equal(
        again.snapshot.series("steps", "loss"), lab.snapshot.series("steps", "loss")
    )


def test_a_run_goes_on_while_nobody_looks_and_ends_after_ten_minutes(desk):
    lab, engine, visitor = desk.visit()
    engine.act("start", {})
    engine.close()
    shows = visitor.shows
    job = desk.pool.find(lab.run)
    desk.loop.until(lambda: job.status == "finished")
    desk.loop.advance(INTERVAL)
    assert visitor.shows == shows
    desk.loop.advance(599)
    assert desk.pool.find(lab.run) is job
    desk.loop.advance(2)
    again, _, _ = desk.visit(run=lab.run)
    assert (again.snapshot.status, again.run) == ("none", "")
    assert again.snapshot.message == lost("toy")


@pytest.mark.parametrize("token", ["no-such", "<script>alert(1)</script>", "../../etc", "\x00", "x" * 10_000])
def test_a_token_that_leads_nowhere_is_said_to(desk, token):
    lab, engine, _ = desk.visit(run=token)
    assert (lab.run, lab.snapshot.message) == ("", lost("toy"))
    engine.act("start", {})
    assert lab.snapshot.message == ""
    assert desk.until(lab, "finished").number == 50


def test_who_has_the_token_sees_the_same_run_move(desk):
    lab, engine, _ = desk.visit()
    engine.act("one", {})
    desk.until(lab, "paused")
    other, _, _ = desk.visit(run=lab.run, key="other")
    engine.act("one", {})
    desk.loop.until(lambda: engine._run.number == 2)
    desk.until(other, "paused")
    assert other.snapshot.number == 2
    engine.act("again", {})
    desk.loop.advance(INTERVAL)
    assert other.snapshot.number == 0
    assert desk.until(other, "paused").model.number == 0


def test_a_run_that_is_ended_on_another_page_stays_in_sight(desk):
    lab, engine, _ = desk.started()
    other, watching, visitor = desk.visit(run=lab.run, key="other")
    engine.act("end", {})
    desk.loop.advance(INTERVAL)
    shown = other.snapshot
    assert (shown.status, shown.number) == ("stopped", 50)
    assert "ended on another page" in shown.message
    watching.act("keep", {})
    assert restore(visitor.files[0][1])[1].number == 50
    watching.act("anew", {})
    assert desk.until(other, "finished").number == 50


def test_a_run_that_the_browser_remembers_is_offered_and_taken(desk):
    lab, engine, _ = desk.started()
    engine.close()
    again, other, visitor = desk.visit(hidden_size=64)
    other.offer(lab.run)
    assert "still there, at step 50" in again.snapshot.offer
    assert (again.run, again.snapshot.status, visitor.shows) == ("", "none", 1)
    other.act("accept", {})
    assert (again.run, again.hidden_size, again.snapshot.number) == (lab.run, 16, 50)
    assert again.snapshot.message == f"{TAKEN_OVER} Hidden size = 16."
    assert again.snapshot.offer == ""


@pytest.mark.parametrize("token", ["", "no-such", "<script>"])
def test_a_run_that_is_no_more_is_not_offered(desk, token):
    lab, engine, visitor = desk.visit()
    engine.offer(token)
    assert (lab.snapshot.offer, visitor.shows) == ("", 0)


def test_an_offer_stands_until_a_run_begins_and_takes_no_other_message_away(desk):
    lab, _, _ = desk.started()
    again, other, _ = desk.visit(run="no-such")
    other.offer(lab.run)
    assert again.snapshot.message == lost("toy")
    assert again.snapshot.offer
    again.adopt(learning_rate=0.1)
    assert again.snapshot.message == ""
    assert again.snapshot.offer
    other.act("one", {})
    assert desk.until(again, "paused").offer == ""


def test_a_run_that_ended_since_it_was_offered_is_said_to_be_lost(desk):
    lab, engine, _ = desk.started()
    again, other, _ = desk.visit()
    other.offer(lab.run)
    engine.act("end", {})
    other.act("accept", {})
    assert (again.run, again.snapshot.message) == ("", lost("toy"))
