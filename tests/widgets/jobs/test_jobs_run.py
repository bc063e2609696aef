"""What a visitor does with a job: start, pause, step, reset, stop; and what the job tells."""

import json

import pytest

from widgets.jobs.job import Status


def numbers(job):
    return [record["n"] for record in job.records["count"]]


def test_a_job_runs_to_its_end(loop, pool, open_job, reached):
    job = open_job(pool, until=30)
    assert (job.status, job.place) == (Status.PAUSED, None)
    job.start()
    assert (job.status, job.place) == (Status.WAITING, 1)
    loop.until(lambda: job.status is Status.RUNNING)
    assert job.place is None
    loop.until(lambda: job.status is Status.FINISHED)
    assert reached(job) == 30
    assert numbers(job) == list(range(1, 31))
    job.start()
    loop.until(lambda: reached(job) > 30)
    job.pause()
    loop.until(lambda: job.status is Status.PAUSED)


def test_the_note_of_the_moment_goes_with_each_turn(loop, pool, open_job):
    job = open_job(pool, until=5)
    job.note = {"said": "one"}
    job.start()
    loop.until(lambda: job.status is Status.FINISHED)
    job.note = {"said": "two"}
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    assert [record["said"] for record in job.records["note"]] == ["one", "two"]


def test_pause_takes_a_checkpoint_in_the_midst_of_a_turn(loop, make_pool, open_job, reached):
    job = open_job(make_pool(turn=100.0))
    job.start()
    loop.until(lambda: len(numbers(job)) >= 5)
    job.pause()
    assert job.status is Status.PAUSING
    loop.until(lambda: job.status is Status.PAUSED)
    assert reached(job) == numbers(job)[-1] >= 5
    assert job.message == ""
    job.start()
    loop.until(lambda: job.status is Status.RUNNING)
    turn = job.turn
    loop.until(lambda: len(numbers(job)) >= 20)
    assert job.turn is turn
    assert numbers(job) == list(range(1, len(numbers(job)) + 1))


def test_many_turns_are_one_computation(loop, make_pool, open_job):
    job = open_job(make_pool(turn=0.02), until=40)
    turns = []
    job.attach(lambda job: turns.append(job.turn))
    job.start()
    loop.until(lambda: job.status is Status.FINISHED)
    assert len(set(turns) - {None}) > 3
    assert numbers(job) == list(range(1, 41))


def test_a_step_is_one_unit_of_work(loop, pool, open_job, reached):
    job = open_job(pool)
    for n in (1, 2):
        job.step()
        loop.until(lambda: job.status is Status.PAUSED)
        assert reached(job) == n
    assert numbers(job) == [1, 2]


def test_each_step_asked_for_is_done(loop, pool, open_job, reached):
    job = open_job(pool)
    for _ in range(5):
        job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    assert reached(job) == 5
    job.step()
    loop.until(lambda: job.status is Status.RUNNING)
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    assert numbers(job) == [1, 2, 3, 4, 5, 6, 7]


def test_steps_beyond_the_end_are_done_too(loop, make_pool, open_job, reached):
    job = open_job(make_pool("beyond"), until=2)
    for _ in range(4):
        job.step()
    loop.until(lambda: job.status is Status.FINISHED)
    assert reached(job) == 4


def test_pause_takes_back_the_steps_that_were_asked_for(loop, pool, open_job, reached):
    job = open_job(pool)
    for _ in range(1000):
        job.step()
    loop.until(lambda: reached(job) >= 2)
    job.pause()
    loop.until(lambda: job.status is Status.PAUSED)
    made = reached(job)
    assert made < 1000
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    assert reached(job) == made + 1


def test_a_fault_takes_back_the_steps_that_were_asked_for(loop, pool, open_job, reached):
    job = open_job(pool, fail_at=2)
    for _ in range(5):
        job.step()
    loop.until(lambda: job.status is Status.FAILED)
    assert reached(job) == 2
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    assert reached(job) == 3


def test_pause_within_a_long_unit_breaks_it_off(loop, make_pool, open_job, reached):
    """No timer goes off: the process answers by itself, and goes on to serve."""
    job = open_job(make_pool(turn=100.0), long_at=4)
    job.start()
    loop.until(lambda: job.records["long"])
    job.pause()
    loop.until(lambda: job.status is Status.PAUSED)
    assert (reached(job), numbers(job), job.message, job.broken_off) == (3, [1, 2, 3], "", True)
    job.step()
    assert not job.broken_off
    loop.until(lambda: len(job.records["long"]) == 2)
    assert job.records["long"][0] == job.records["long"][1]
    job.step()
    job.pause()
    loop.until(lambda: job.status is Status.PAUSED)
    assert job.broken_off
    job.reset()
    assert not job.broken_off


def test_a_short_unit_may_come_to_its_end(loop, make_pool, open_job, reached):
    job = open_job(make_pool("listening", turn=100.0), pace=0.03)
    for _ in range(5):
        job.start()
        before = reached(job)
        loop.until(lambda before=before: numbers(job)[-1:] > [before])
        job.pause()
        loop.until(lambda: job.status is Status.PAUSED)
        assert not job.broken_off
        assert reached(job) > before


def test_a_step_that_is_broken_off_is_still_owed(loop, make_pool, open_job):
    job = open_job(make_pool(turn=100.0), long_at=4)
    job.start()
    loop.until(lambda: job.records["long"])
    job.pause()
    job.step()
    loop.until(lambda: len(job.records["long"]) == 2)
    job.pause()
    job.step()
    loop.until(lambda: len(job.records["long"]) == 3)
    assert job.status is Status.RUNNING


def test_the_time_of_a_turn_breaks_nothing_off(loop, make_pool, open_job, reached):
    """Units of three turns each, three jobs, one worker: every turn is a unit."""
    pool = make_pool(turn=0.02)
    jobs = [open_job(pool, pace=0.06, until=3) for _ in range(3)]
    for job in jobs:
        job.start()
    loop.until(lambda: all(job.status is Status.FINISHED for job in jobs))
    assert [reached(job) for job in jobs] == [3, 3, 3]
    assert [numbers(job) for job in jobs] == [[1, 2, 3]] * 3


def test_what_a_job_is_about_is_found_with_it(pool):
    about = object()
    job = pool.open(b"{}", about=about)
    assert pool.find(job.token).about is about
    assert pool.open(b"{}").about is None


def test_a_step_asked_for_while_pausing_is_done(loop, make_pool, open_job, reached):
    job = open_job(make_pool(turn=100.0))
    job.start()
    loop.until(lambda: numbers(job))
    job.pause()
    job.step()
    before = job.turn
    loop.until(lambda: job.turn is not before)
    paused_at = reached(job)
    loop.until(lambda: job.status is Status.PAUSED)
    assert reached(job) == paused_at + 1


def test_a_step_asked_for_while_running_ends_the_run(loop, make_pool, open_job):
    job = open_job(make_pool(turn=100.0))
    job.start()
    loop.until(lambda: numbers(job))
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)


def test_start_while_pausing_goes_on(loop, make_pool, open_job):
    job = open_job(make_pool(turn=100.0))
    job.start()
    loop.until(lambda: numbers(job))
    job.pause()
    job.start()
    before = job.turn
    loop.until(lambda: job.turn is not before)
    assert job.status is Status.RUNNING


def test_reset_forgets_the_turn_that_is_under_way(loop, make_pool, open_job, reached):
    job = open_job(make_pool(turn=100.0))
    job.start()
    loop.until(lambda: numbers(job))
    job.reset()
    assert (job.status, reached(job), numbers(job)) == (Status.PAUSED, 0, [])
    loop.for_a_while(0.2)
    assert (job.status, reached(job), numbers(job)) == (Status.PAUSED, 0, [])
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    assert reached(job) == 1


def test_reset_to_another_beginning(loop, pool, open_job, reached):
    job = open_job(pool, until=3)
    job.start()
    loop.until(lambda: job.status is Status.FINISHED)
    job.reset(json.dumps({"n": 70}).encode())
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    assert reached(job) == 71
    job.reset()
    assert reached(job) == 70


def test_stop_ends_the_job_for_good(loop, make_pool, open_job):
    pool = make_pool(turn=100.0)
    job = open_job(pool)
    job.start()
    loop.until(lambda: numbers(job))
    job.stop()
    assert job.status is Status.STOPPED
    assert pool.find(job.token) is None
    job.start()
    job.reset()
    assert job.status is Status.STOPPED
    loop.until(lambda: pool.workers[0].idle)


def test_listeners_hear_until_they_leave_and_a_broken_one_harms_nobody(loop, pool, open_job, caplog):
    job, heard = open_job(pool, until=5), []
    job.attach(lambda job: 1 / 0)
    detach = job.attach(lambda job: heard.append(job.status))
    job.start()
    loop.until(lambda: job.status is Status.FINISHED)
    assert list(dict.fromkeys(heard)) == [Status.WAITING, Status.RUNNING, Status.FINISHED]
    assert "ZeroDivisionError" in caplog.text
    detach()
    detach()
    del heard[:]
    job.reset()
    assert heard == []


def test_a_listener_may_answer_by_pausing(loop, make_pool, open_job):
    job = open_job(make_pool(turn=100.0))
    job.attach(lambda job: job.status is Status.RUNNING and job.pause())
    job.start()
    loop.until(lambda: job.status is Status.PAUSING)
    loop.until(lambda: job.status is Status.PAUSED)


def test_each_process_has_one_thread_low_priority_and_clean_pipes(loop, make_pool):
    job = make_pool("surroundings").open(b"")
    job.start()
    loop.until(lambda: job.status is Status.FINISHED)
    (found,) = job.records["found"]
    assert [found[name] for name in found if name.endswith("THREADS")] == ["1"] * 3
    assert found["nice"] in (None, 19)
    assert found["input"] == ""


def test_tokens_cannot_be_guessed(pool, open_job):
    tokens = {open_job(pool, owner=str(n)).token for n in range(10)}
    assert len(tokens) == 10
    assert min(map(len, tokens)) >= 22


@pytest.mark.parametrize("size", [0, 1, 10_000_000])
def test_checkpoints_of_any_size_come_whole(loop, make_pool, open_job, size):
    job = open_job(make_pool(), grow_at=1, size=size)
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    assert job.checkpoint == bytes(size)
