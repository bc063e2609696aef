"""Slow work before `compute()`: one job at a time, the newest settings last, and nothing stale taken for theirs."""

import pytest

from widgets.frame import Job
from widgets.groundwork import Groundwork


def job(name):
    return Job(str, (name,))


@pytest.fixture
def started(monkeypatch):
    """The jobs that were started, to be run by hand; what follows them is done at once."""
    jobs = []

    def execute(work, schedule=False):
        work() if schedule else jobs.append(work)

    monkeypatch.setattr("widgets.groundwork.state.execute", execute)
    monkeypatch.setattr("widgets.groundwork.has_loop", lambda: True)
    return jobs


def test_what_is_done_is_not_lacking(started, run_async):
    ready = []
    groundwork = Groundwork(job("a"), lambda: ready.append(groundwork.working))
    assert not groundwork.lacks(job("a"))
    assert not groundwork.lacks(None)
    assert groundwork.lacks(job("b"))
    run_async(started[0]())
    assert ready == [False]
    assert not groundwork.lacks(job("b"))
    assert len(started) == 1


def test_one_job_at_a_time(started, run_async):
    groundwork = Groundwork(None, lambda: None)
    for name in ("a", "b", "c"):
        assert groundwork.lacks(job(name))
    assert len(started) == 1
    run_async(started[0]())
    assert groundwork.lacks(job("c"))
    assert len(started) == 2


def test_a_job_that_fails_is_left_to_compute(started, run_async):
    groundwork = Groundwork(None, lambda: None)
    broken = Job(lambda: 1 / 0, ())
    groundwork.lacks(broken)
    with pytest.raises(ZeroDivisionError):
        run_async(started[0]())
    assert not groundwork.working
    assert not groundwork.lacks(broken)


def test_without_a_session_compute_does_it_all():
    assert not Groundwork(None, lambda: None).lacks(job("a"))
