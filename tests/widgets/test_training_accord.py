"""Pages that look at one run: its settings are theirs, and what one changes the others follow."""

import pytest

from widgets.training.engine import INTERVAL
from widgets.training.messages import TAKEN_OVER


@pytest.fixture
def pair(desk):
    """Two pages on one run, which has made a step, with their engines."""
    lab, engine, _ = desk.visit(learning_rate=0.02)
    engine.act("one", {})
    desk.until(lab, "paused")
    other, watching, _ = desk.visit(run=lab.run, key="other", learning_rate=0.02)
    return lab, engine, other, watching


def told(engine):
    return engine._run.told


def test_a_page_that_opens_on_a_run_takes_over_its_settings_and_names_them(desk):
    lab, engine, _ = desk.visit(corpus="brackets", cell="gru", learning_rate=0.02)
    engine.act("one", {})
    desk.until(lab, "paused")
    lab.adopt(temperature=1.5, steps=100)
    other, _, _ = desk.visit(run=lab.run, key="other", hidden_size=64, steps=50)
    assert other.values() == lab.values()
    assert other.snapshot.message == (
        f"{TAKEN_OVER} Corpus = brackets, Cell = gru, Hidden size = 16, Learning rate η = 0.02, "
        "Steps to make = 100, Temperature τ = 1.5."
    )
    assert not other.snapshot.outdated


def test_a_page_whose_address_agrees_with_its_run_is_told_nothing(pair):
    lab, _, other, _ = pair
    assert other.values() == lab.values()
    assert other.snapshot.message == ""


def test_what_one_page_changes_the_other_follows(desk, pair):
    lab, engine, other, _ = pair
    lab.adopt(clip_norm=0.5, temperature=1.2, shuffle_rows=True, steps=100)
    desk.loop.advance(INTERVAL)
    assert other.values() == lab.values()
    assert (other.snapshot.goal, other.snapshot.clip_norm) == (100, 0.5)
    assert told(engine)["clip_norm"] == 0.5


def test_changes_of_two_pages_at_once_are_both_kept(desk, pair):
    lab, engine, other, _ = pair
    lab.adopt(learning_rate=0.3)
    other.adopt(clip_norm=0.5)
    assert (told(engine)["learning_rate"], told(engine)["clip_norm"]) == (0.3, 0.5)
    desk.loop.advance(INTERVAL)
    assert (lab.learning_rate, lab.clip_norm) == (other.learning_rate, other.clip_norm) == (0.3, 0.5)


def test_a_page_is_not_overruled_by_the_echo_of_its_own_hand(desk, pair):
    lab, _, other, _ = pair
    lab.adopt(learning_rate=0.3)
    lab.adopt(learning_rate=0.4)
    desk.loop.advance(INTERVAL)
    lab.adopt(learning_rate=0.5)
    desk.loop.advance(INTERVAL)
    desk.loop.advance(INTERVAL)
    assert lab.learning_rate == other.learning_rate == 0.5


def test_settings_for_a_next_run_do_not_follow_this_one(desk, pair):
    lab, engine, other, watching = pair
    other.adopt(hidden_size=32, learning_rate=0.7)
    lab.adopt(clip_norm=0.5)
    desk.loop.advance(INTERVAL)
    assert (other.clip_norm, other.learning_rate) == (1.0, 0.7)
    assert told(engine)["learning_rate"] == 0.02
    other.adopt(hidden_size=16)
    desk.loop.advance(INTERVAL)
    assert (lab.learning_rate, other.clip_norm) == (0.7, 0.5)
    assert told(watching) == told(engine)


def test_start_on_a_second_page_keeps_what_the_first_has_told(desk, pair):
    lab, engine, _, watching = pair
    lab.adopt(clip_norm=0.5)
    watching.act("one", {})
    desk.loop.until(lambda: engine._run.number == 2)
    assert told(engine)["clip_norm"] == 0.5


def test_a_run_that_has_ended_changes_no_page(desk, pair):
    lab, engine, other, _ = pair
    engine.act("end", {})
    lab.adopt(learning_rate=0.9)
    desk.loop.advance(INTERVAL)
    assert other.learning_rate == 0.02
