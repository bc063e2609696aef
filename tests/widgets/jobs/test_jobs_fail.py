"""What goes wrong: errors, crashes, turns that do not listen; nothing saved is lost and the next job runs."""

import os
import signal
import threading
import time

import pytest

from widgets.jobs.job import Status
from widgets.jobs.limits import Limits


def numbers(job):
    return [record["n"] for record in job.records["count"]]


@pytest.fixture
def next_runs(loop, open_job, reached):
    """Checks that another job of the pool runs to its end."""

    def check(pool):
        job = open_job(pool, "next", until=2)
        job.start()
        loop.until(lambda: job.status is Status.FINISHED)
        assert reached(job) == 2

    return check


def test_a_killed_worker_costs_the_turn_and_no_more(loop, make_pool, open_job, reached, next_runs):
    pool = make_pool(turn=0.2)
    job = open_job(pool)
    job.start()
    loop.until(lambda: reached(job) and numbers(job)[-1] > reached(job))
    pid, saved = job.records["count"][-1]["pid"], reached(job)
    os.kill(pid, signal.SIGKILL)
    loop.until(lambda: job.status is Status.FAILED)
    assert "has ended (code -9)" in job.message
    assert "start again" in job.message
    assert reached(job) == numbers(job)[-1] >= saved
    next_runs(pool)
    saved = reached(job)
    job.start()
    assert job.message == ""
    loop.until(lambda: numbers(job)[-1] > saved + 3)
    assert numbers(job) == list(range(1, numbers(job)[-1] + 1))
    assert job.records["count"][-1]["pid"] != pid


def test_a_worker_killed_at_rest_is_replaced(loop, pool, open_job, next_runs):
    next_runs(pool)
    os.kill(pool.workers[0].process.pid, signal.SIGKILL)
    loop.until(lambda: not pool.workers)
    next_runs(pool)


def test_an_error_in_a_turn_keeps_the_checkpoint_and_the_process(loop, pool, open_job, reached, next_runs):
    job = open_job(pool, error_at=3)
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    pid = pool.workers[0].process.pid
    job.start()
    loop.until(lambda: job.status is Status.FAILED)
    assert "met an error" in job.message
    assert "meant to happen" not in job.message
    assert reached(job) == 1
    assert numbers(job) == [1]
    next_runs(pool)
    assert pool.workers[0].process.pid == pid


def test_a_failure_in_words_comes_with_its_checkpoint(loop, pool, open_job, reached):
    job = open_job(pool, fail_at=4)
    job.start()
    loop.until(lambda: job.status is Status.FAILED)
    assert (job.message, reached(job), numbers(job)) == ("Too far.", 4, [1, 2, 3, 4])
    job.start()
    loop.until(lambda: numbers(job)[-1] > 5)


def test_a_turn_that_does_not_listen_is_ended_after_the_grace(loop, make_pool, open_job, reached, next_runs):
    pool = make_pool(turn=0.0)
    job = open_job(pool, deaf_at=4)
    job.start()
    loop.until(lambda: 4 in numbers(job))
    job.pause()
    loop.advance(0.34)
    loop.for_a_while(0.1)
    assert job.status is Status.PAUSING
    loop.advance(0.02)
    loop.until(lambda: job.status is Status.PAUSED)
    assert (job.broken_off, job.message) == (True, "")
    assert reached(job) == numbers(job)[-1] == 3
    next_runs(pool)


def test_what_an_ended_turn_still_sends_does_not_count(loop, make_pool, open_job, reached):
    pool = make_pool(turn=0.0)
    job = open_job(pool, listens=False)
    job.start()
    loop.until(lambda: len(numbers(job)) > 3)
    job.pause()
    time.sleep(0.2)  # records come, and wait to be handed over
    loop.advance(0.36)
    assert (job.status, reached(job), numbers(job)) == (Status.PAUSED, 0, [])
    loop.until(lambda: not pool.workers)
    assert numbers(job) == []


def test_half_a_second_is_enough_for_the_grace():
    assert Limits().grace < 0.5


def test_stop_ends_a_turn_that_does_not_listen(loop, make_pool, open_job, next_runs):
    pool = make_pool()
    job = open_job(pool, deaf_at=1)
    job.start()
    loop.until(lambda: numbers(job))
    job.stop()
    loop.advance(0.36)
    next_runs(pool)


def test_start_after_the_pause_of_a_deaf_turn_goes_on_from_the_checkpoint(loop, make_pool, open_job):
    job = open_job(make_pool(turn=0.0), deaf_at=3)
    job.start()
    loop.until(lambda: 3 in numbers(job))
    first, _ = job.records["count"][-1]["pid"], job.pause()
    job.start()
    loop.advance(0.36)
    loop.until(lambda: numbers(job)[-1:] == [3] and job.records["count"][-1]["pid"] != first)
    assert numbers(job) == [1, 2, 3]


def test_a_step_without_end_is_given_up(loop, make_pool, open_job, next_runs):
    pool = make_pool()
    job = open_job(pool, deaf_at=1)
    job.step()
    loop.until(lambda: numbers(job))
    loop.advance(61)
    loop.until(lambda: job.status is Status.FAILED)
    assert "longer than 60 seconds" in job.message
    next_runs(pool)


@pytest.mark.parametrize("turn", ["nowhere", "wrong"])
def test_a_turn_that_is_none_fails_every_job_and_never_runs_in_circles(loop, make_pool, open_job, turn):
    pool = make_pool(turn)
    jobs = [open_job(pool) for _ in range(2)]
    for job in jobs:
        job.start()
    loop.until(lambda: all(job.status is Status.FAILED for job in jobs))
    assert all("log" in job.message for job in jobs)


def test_a_worker_that_never_gets_ready_is_given_up(loop, make_pool, open_job):
    pool = make_pool("turn", module="fake_hang")
    job = open_job(pool)
    job.start()
    loop.until(lambda: pool.workers[0].process.pid)
    loop.advance(61)
    loop.until(lambda: job.status is Status.FAILED)
    assert "could not start a process" in job.message


def test_a_turn_that_is_done_is_not_timed_any_more(loop, pool, open_job):
    job = open_job(pool)
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    loop.advance(1000)
    loop.for_a_while(0.2)
    assert [worker.idle for worker in pool.workers] == [True]


def test_no_thread_outlives_its_process(loop, pool, next_runs):
    before = set(threading.enumerate())
    next_runs(pool)
    new = set(threading.enumerate()) - before
    assert len(new) == 2
    os.kill(pool.workers[0].process.pid, signal.SIGKILL)
    loop.until(lambda: not any(thread.is_alive() for thread in new))


def test_a_process_that_cannot_be_started_fails_the_job(loop, pool, open_job, monkeypatch):
    monkeypatch.setattr("widgets.jobs.process.sys.executable", "/nowhere/python")
    job = open_job(pool)
    job.start()
    loop.until(lambda: job.status is Status.FAILED)
    assert "could not start a process" in job.message
    monkeypatch.undo()


def test_nobody_waits_for_a_process_that_reads_nothing(loop, pool, open_job, next_runs):
    next_runs(pool)
    pid = pool.workers[0].process.pid
    job = open_job(pool, ballast="x" * 10_000_000)
    os.kill(pid, signal.SIGSTOP)
    rescue = threading.Timer(10, os.kill, (pid, signal.SIGCONT))
    rescue.start()
    job.start()
    job.pause()
    assert job.status is Status.PAUSING
    assert rescue.is_alive()
    rescue.cancel()
    loop.advance(0.36)
    loop.until(lambda: job.status is Status.PAUSED)
    next_runs(pool)
