"""A text of the visitor's own outlives a reload: with a run, whatever that is of, and without one."""

import pytest

from core.training import restore
from widgets.jobs.limits import Limits
from widgets.jobs.pool import Pool
from widgets.training.messages import NOT_KEPT, lost

OWN = "the rain in spain stays mainly in the plain.\n" * 20
OTHER = OWN.upper()


def text_of(engine):
    return restore(engine._run.job.checkpoint)[0].text


def reloaded(desk, lab, engine):
    engine.close()
    return desk.visit(run=lab.run, corpus=lab.corpus)


def test_a_text_of_ones_own_is_found_again_after_a_reload(desk):
    lab, engine, _ = desk.visit()
    desk.upload(engine, "text", OWN.encode())
    engine.act("one", {})
    desk.until(lab, "paused")
    engine.close()
    again, other, _ = desk.visit(run=lab.run, corpus="own")
    assert not again.snapshot.outdated
    other.act("anew", {})
    assert desk.until(again, "finished").corpus == "own"
    assert restore(other._run.job.checkpoint)[0].text == OWN


def test_another_text_of_ones_own_is_not_the_runs(desk):
    lab, engine, _ = desk.visit()
    desk.upload(engine, "text", OWN.encode())
    engine.act("one", {})
    desk.until(lab, "paused")
    assert not lab.snapshot.outdated
    desk.upload(engine, "text", OWN.upper().encode())
    assert lab.snapshot.outdated
    engine.act("anew", {})
    desk.until(lab, "finished")
    assert restore(engine._run.job.checkpoint)[0].text == OWN.upper()


@pytest.mark.parametrize("text", [OWN, OWN[:17]])
def test_a_text_that_was_never_trained_on_is_found_again(desk, text):
    """Also one that is too short for the present settings."""
    lab, engine, _ = desk.visit(batch_size=8)
    desk.upload(engine, "text", text.encode())
    assert (lab.snapshot.status, lab.snapshot.message, len(lab.run)) == ("none", "", 22)
    again, other, _ = reloaded(desk, lab, engine)
    assert (again.snapshot.status, again.snapshot.message, again.run) == ("none", "", lab.run)
    assert again.snapshot.vocabulary_size == len(set(text))
    again.adopt(batch_size=4)
    other.act("one", {})
    assert desk.until(again, "paused").number == 1
    assert text_of(other) == text
    assert desk.pool.find(lab.run) is None


def test_a_run_begins_with_the_settings_of_its_start_and_not_of_the_hand_over(desk):
    lab, engine, _ = desk.visit()
    desk.upload(engine, "text", OWN.encode())
    lab.adopt(cell="gru", learning_rate=0.5)
    engine.act("start", {})
    shown = desk.until(lab, "finished")
    assert (shown.cell, shown.outdated) == ("gru", False)


def test_the_newest_text_is_the_one_that_is_kept(desk):
    lab, engine, _ = desk.visit()
    desk.upload(engine, "text", OWN.encode())
    token = lab.run
    desk.upload(engine, "text", OTHER.encode())
    assert lab.run == token
    again, other, _ = reloaded(desk, lab, engine)
    other.act("one", {})
    desk.until(again, "paused")
    assert text_of(other) == OTHER


@pytest.mark.parametrize("corpus", ["toy", "own"])
def test_beside_a_run_of_another_text_both_are_found_again(desk, corpus):
    lab, engine, _ = desk.visit(corpus=corpus)
    if corpus == "own":
        desk.upload(engine, "text", OWN.encode())
    engine.act("one", {})
    desk.until(lab, "paused")
    token, trained_on = lab.run, text_of(engine)
    desk.upload(engine, "text", OTHER.encode())
    assert (lab.run, lab.snapshot.number, lab.snapshot.outdated) == (token, 1, True)
    again, other, _ = reloaded(desk, lab, engine)
    assert (again.run, again.snapshot.number, again.corpus) == (token, 1, corpus)
    assert text_of(other) == trained_on
    again.adopt(corpus="own")
    assert again.snapshot.outdated
    other.act("anew", {})
    desk.until(again, "finished")
    assert text_of(other) == OTHER


def test_runs_on_other_texts_take_it_along(desk):
    lab, engine, _ = desk.visit()
    desk.upload(engine, "text", OWN.encode())
    lab.adopt(corpus="toy")
    engine.act("one", {})
    desk.until(lab, "paused")
    engine.act("weights", {})
    lab.adopt(corpus="own")
    again, other, _ = reloaded(desk, lab, engine)
    again.adopt(corpus="own")
    other.act("anew", {})
    desk.until(again, "finished")
    assert text_of(other) == OWN


def test_the_end_of_a_run_is_not_that_of_the_text(desk):
    lab, engine, _ = desk.visit()
    desk.upload(engine, "text", OWN.encode())
    engine.act("one", {})
    desk.until(lab, "paused")
    run = lab.run
    engine.act("end", {})
    assert lab.run not in ("", run)
    again, other, _ = reloaded(desk, lab, engine)
    assert again.snapshot.status == "none"
    other.act("one", {})
    desk.until(again, "paused")
    assert text_of(other) == OWN


def test_a_text_handed_over_to_a_page_whose_run_was_ended_elsewhere_is_kept_by_itself(desk):
    lab, engine, _ = desk.visit()
    engine.act("one", {})
    desk.until(lab, "paused")
    other, watching, _ = desk.visit(run=lab.run, key="other")
    engine.act("end", {})
    desk.upload(watching, "text", OWN.encode())
    assert other.snapshot.status == "stopped"
    again, third, _ = reloaded(desk, other, watching)
    third.act("one", {})
    desk.until(again, "paused")
    assert text_of(third) == OWN


def test_it_is_kept_while_a_page_is_open_and_ten_minutes_more(desk):
    lab, engine, _ = desk.visit()
    desk.upload(engine, "text", OWN.encode())
    desk.loop.advance(10_000)
    assert desk.pool.find(lab.run)
    engine.close()
    desk.loop.advance(599)
    again, other, _ = desk.visit(run=lab.run, corpus="own")
    desk.loop.advance(10_000)
    other.close()
    desk.loop.advance(601)
    late, _, _ = desk.visit(run=again.run, corpus="own")
    assert (late.run, late.snapshot.message) == ("", lost("own"))


def test_a_text_that_two_pages_look_at_is_not_taken_from_the_other(desk):
    lab, engine, _ = desk.visit()
    desk.upload(engine, "text", OWN.encode())
    other, second, _ = desk.visit(run=lab.run, corpus="own")
    engine.act("one", {})
    desk.until(lab, "paused")
    assert lab.run != other.run
    again, third, _ = reloaded(desk, other, second)
    assert (again.snapshot.message, again.run) == ("", other.run)
    third.act("one", {})
    desk.until(again, "paused")
    assert text_of(third) == OWN


def test_where_there_is_no_room_to_keep_it_the_page_says_so_and_it_can_be_trained_on(desk, monkeypatch):
    full = Pool("widgets.training.turn:turn", 1, Limits(jobs=1), desk.loop)
    monkeypatch.setattr("widgets.training.engine.pool", lambda: full)
    held = full.open(b"", "other")
    lab, engine, _ = desk.visit()
    desk.upload(engine, "text", OWN.encode())
    assert (lab.corpus, lab.run, lab.snapshot.message) == ("own", "", NOT_KEPT)
    held.stop()
    engine.act("one", {})
    desk.until(lab, "paused")
    assert text_of(engine) == OWN
