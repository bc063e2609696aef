"""The slower table: made once for each job, and only the newest counts."""

import pytest

from widgets.base.frame import Job, Table
from widgets.work.comparison import Comparison


def table(name):
    return Table(name, ["x"], [[1.0]])


@pytest.fixture
def started(monkeypatch):
    """The jobs that were started, to be run by hand; what is to be shown is shown at once."""
    jobs = []

    def execute(work, schedule=False):
        work() if schedule else jobs.append(work)

    monkeypatch.setattr("widgets.work.comparison.state.execute", execute)
    return jobs


def test_the_same_job_is_made_once(started, run_async):
    shown = []
    comparison = Comparison(lambda: shown.append(comparison.working))
    comparison.follow(Job(table, ("a",)))
    comparison.follow(Job(table, ("a",)))
    assert len(started) == 1
    run_async(started[0]())
    assert comparison.table.caption == "a"
    assert shown == [True, False]


def test_an_outdated_job_no_longer_counts(started, run_async):
    comparison = Comparison(lambda: None)
    comparison.follow(Job(table, ("old",)))
    comparison.follow(Job(table, ("new",)))
    run_async(started[1]())
    run_async(started[0]())
    assert comparison.table.caption == "new"


def test_a_job_that_fails_does_not_work_for_ever(started, run_async):
    comparison = Comparison(lambda: None)
    comparison.follow(Job(lambda: 1 / 0, ()))
    with pytest.raises(ZeroDivisionError):
        run_async(started[0]())
    assert not comparison.working
    assert "could not be made" in comparison.table.caption


def test_no_job_is_no_work(started):
    Comparison(lambda: None).follow(None)
    assert started == []


def test_a_table_is_stale_once_another_job_would_be_asked_for(started, run_async):
    comparison = Comparison(lambda: None)
    assert not comparison.stale(Job(table, ("a",)))
    comparison.follow(Job(table, ("a",)))
    assert not comparison.stale(Job(table, ("b",)))
    run_async(started[0]())
    assert not comparison.stale(Job(table, ("a",)))
    assert comparison.stale(Job(table, ("b",)))
