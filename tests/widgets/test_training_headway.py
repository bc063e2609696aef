"""How fast a run gets on by the clock on the wall: what counts, what does not, and how far back it looks."""

import pytest

from widgets.training.headway import Headway


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def headway(clock):
    return Headway(clock)


def go(headway, clock, *marks):
    """Notes at these seconds since the beginning, each with the steps made by then."""
    begin = clock.now
    for seconds, number in marks:
        clock.now = begin + seconds
        headway.note(True, number)


def test_before_anything_is_noted_there_is_no_telling(headway):
    assert headway.steps_per_second is None
    assert not headway.begun


def test_all_time_counts_that_passes_between_steps(headway, clock):
    """Ten steps in a second, then a test of three: 10 steps in 4 s."""
    go(headway, clock, (0, 0), (1, 10), (4, 10))
    assert headway.steps_per_second == pytest.approx(2.5)


def test_waiting_for_turns_counts(headway, clock):
    """A turn of 20 steps a second in every five."""
    marks = [(5 * turn + second, 20 * turn + 20 * second) for turn in range(4) for second in (0, 1)]
    go(headway, clock, *marks, (20, 80))
    assert headway.steps_per_second == pytest.approx(4)


def test_a_pause_does_not_count(headway, clock):
    go(headway, clock, (0, 0), (10, 100))
    headway.note(False, 100)
    assert headway.steps_per_second is None
    clock.now += 600
    go(headway, clock, (0, 100), (2, 108))
    assert headway.steps_per_second == pytest.approx(4)


def test_the_first_moments_say_nothing_and_neither_does_standing_still(headway, clock):
    go(headway, clock, (0, 0), (0.4, 8))
    assert headway.steps_per_second is None
    go(headway, clock, (0.2, 12))
    assert headway.steps_per_second == pytest.approx(20)
    headway.note(False, 12)
    go(headway, clock, (0, 12), (9, 12))
    assert headway.steps_per_second is None


def test_only_the_last_moments_count(headway, clock):
    """A step a second for a minute, then ten a second for forty seconds."""
    go(headway, clock, *((s, s) for s in range(61)), *((60 + s, 60 + 10 * s) for s in range(1, 41)))
    assert headway.steps_per_second == pytest.approx(10)


def test_what_waits_longer_than_the_window_is_measured_from_before_the_wait(headway, clock):
    go(headway, clock, (0, 0), (1, 10), (20, 10), (50, 10), (100, 10))
    assert headway.steps_per_second == pytest.approx(0.1)
    go(headway, clock, (1, 20), (100, 20))
    assert headway.steps_per_second == pytest.approx(10 / 100)


def test_a_run_that_was_set_back_is_measured_anew(headway, clock):
    go(headway, clock, (0, 0), (5, 50), (6, 40), (7, 43))
    assert headway.steps_per_second == pytest.approx(3)


def test_what_is_remembered_is_bounded(headway, clock):
    go(headway, clock, *((0.05 * n, n) for n in range(5000)))
    assert len(headway._marks) < 30 / 0.05 + 3
