"""Many jobs, few workers: the queue, fair turns, the limits, and jobs that nobody looks at."""

import pytest

from widgets.jobs.job import Status
from widgets.jobs.limits import RefusedError
from widgets.jobs.pool import spare_processors


def last(job):
    return job.records["count"][-1]["n"] if job.records["count"] else 0


def test_three_jobs_on_one_worker_take_turns(loop, pool, open_job):
    jobs = [open_job(pool, until=60) for _ in range(3)]
    order = []
    for job in jobs:
        job.attach(lambda job: order.append(job) if job.turn and order[-1:] != [job] else None)
        job.start()
    assert [job.place for job in jobs] == [1, 2, 3]
    loop.until(lambda: len(order) >= 7)
    assert order[:6] == jobs * 2
    assert len({record["pid"] for job in jobs for record in job.records["count"]}) == 1
    loop.until(lambda: all(job.status is Status.FINISHED for job in jobs))
    assert [last(job) for job in jobs] == [60, 60, 60]


def test_places_are_told_as_the_queue_moves(loop, make_pool, open_job):
    pool = make_pool(turn=100.0)
    first, second, third = (open_job(pool) for _ in range(3))
    places = []
    third.attach(lambda job: places.append(job.place))
    for job in (first, second, third):
        job.start()
    loop.until(lambda: first.status is Status.RUNNING)
    second.pause()
    assert second.status is Status.PAUSED
    first.pause()
    loop.until(lambda: third.status is Status.RUNNING)
    assert list(dict.fromkeys(places)) == [3, 2, 1, None]


def test_two_workers_run_two_jobs_at_once(loop, make_pool, open_job):
    pool = make_pool(workers=2, turn=100.0)
    jobs = [open_job(pool) for _ in range(3)]
    for job in jobs:
        job.start()
    loop.until(lambda: last(jobs[0]) and last(jobs[1]))
    assert [job.status for job in jobs] == [Status.RUNNING, Status.RUNNING, Status.WAITING]
    assert len({job.records["count"][0]["pid"] for job in jobs[:2]}) == 2


def test_workers_are_started_when_they_are_needed_and_not_before(loop, make_pool, open_job):
    pool = make_pool(workers=5)
    jobs = [open_job(pool) for _ in range(2)]
    assert pool.workers == []
    jobs[0].step()
    loop.until(lambda: jobs[0].status is Status.PAUSED)
    jobs[1].step()
    loop.until(lambda: jobs[1].status is Status.PAUSED)
    assert len(pool.workers) == 1


def test_one_worker_is_started_for_each_job_that_waits(make_pool, open_job):
    pool = make_pool(workers=5)
    jobs = [open_job(pool) for _ in range(2)]
    for count, job in enumerate(jobs, start=1):
        job.start()
        job.step()
        assert len(pool.workers) == count


def test_one_processor_is_left_to_the_server(monkeypatch):
    for usable, spare in ((1, 1), (2, 1), (8, 7)):
        monkeypatch.setattr("os.sched_getaffinity", lambda _, n=usable: set(range(n)), raising=False)
        assert spare_processors() == spare


def test_a_job_that_nobody_looks_at_is_forgotten_after_ten_minutes(loop, make_pool, open_job):
    pool = make_pool(turn=100.0, patience=1e9)
    job = open_job(pool)
    leave = job.attach(lambda job: None)
    job.start()
    loop.advance(10_000)
    assert pool.find(job.token) is job
    leave()
    loop.until(lambda: last(job))
    loop.advance(599)
    assert job.status is Status.RUNNING
    loop.advance(2)
    assert job.status is Status.STOPPED
    assert pool.find(job.token) is None
    loop.until(lambda: pool.workers[0].idle)


def test_who_comes_back_in_time_finds_the_job_at_work(loop, make_pool, open_job):
    pool = make_pool(turn=100.0, patience=1e9)
    job = open_job(pool)
    job.attach(lambda job: None)()
    job.start()
    loop.until(lambda: last(job) >= 3)
    loop.advance(599)
    heard = []
    pool.find(job.token).attach(heard.append)
    loop.advance(10_000)
    before = last(job)
    loop.until(lambda: last(job) > before)
    assert heard
    assert job.records["count"][0]["n"] == 1


def test_a_job_that_nobody_ever_looked_at_is_forgotten_too(loop, pool, open_job):
    job = open_job(pool)
    loop.advance(601)
    assert pool.find(job.token) is None


def test_one_of_two_who_leaves_does_not_end_it(loop, pool, open_job):
    job = open_job(pool)
    leave, _ = job.attach(lambda job: None), job.attach(lambda job: None)
    leave()
    loop.advance(10_000)
    assert pool.find(job.token) is job


def test_an_unknown_token_finds_nothing(pool):
    assert pool.find("") is pool.find("²") is None


def test_one_visitor_may_not_have_too_many(pool, open_job):
    jobs = [open_job(pool, "a") for _ in range(3)]
    with pytest.raises(RefusedError, match="You already have 3 computations"):
        open_job(pool, "a")
    open_job(pool, "b")
    jobs[0].stop()
    open_job(pool, "a")


def test_the_server_may_not_have_too_many(make_pool, open_job):
    pool = make_pool(jobs=4)
    for n in range(4):
        open_job(pool, str(n))
    with pytest.raises(RefusedError, match="already holds 4 computations"):
        open_job(pool, "4")


def test_what_is_too_large_is_refused_with_the_numbers(make_pool):
    pool = make_pool(job_size=2_000_000)
    with pytest.raises(RefusedError, match=r"needs 2\.5 MB, more than the 2 MB"):
        pool.open(bytes(2_500_000))
    job = pool.open(b"{}")
    with pytest.raises(RefusedError, match=r"needs 2\.5 MB"):
        job.reset(bytes(2_500_000))
    assert job.payload == job.checkpoint == b"{}"


def test_all_together_may_not_fill_the_memory(make_pool):
    pool = make_pool(job_size=1000, all_sizes=2500)
    jobs = [pool.open(bytes(1000)) for _ in range(2)]
    with pytest.raises(RefusedError, match="memory for computations is used up"):
        pool.open(bytes(1000))
    jobs[0].stop()
    pool.open(bytes(1000))


def test_a_new_checkpoint_takes_the_place_of_the_old_one(loop, make_pool, open_job):
    job = open_job(make_pool(all_sizes=3000), ballast="x" * 2000)
    for _ in range(2):
        job.step()
        loop.until(lambda: job.status not in (Status.WAITING, Status.RUNNING))
        assert job.status is Status.PAUSED


def test_a_checkpoint_that_grows_too_large_fails_and_the_one_before_stays(loop, make_pool, open_job, reached):
    job = open_job(make_pool(job_size=2_000_000), grow_at=2, size=2_500_000)
    job.step()
    loop.until(lambda: job.status is Status.PAUSED)
    job.step()
    loop.until(lambda: job.status is Status.FAILED)
    assert "needs 2.5 MB, more than the 2 MB" in job.message
    assert reached(job) == last(job) == 1


def test_a_job_in_the_place_of_another_needs_no_room_of_its_own(make_pool, open_job):
    pool = make_pool(jobs=1, jobs_each=1)
    old = open_job(pool)
    new = pool.open(b"{}", instead_of=old)
    assert old.status is Status.STOPPED
    assert (pool.find(old.token), pool.find(new.token)) == (None, new)


def test_a_job_whose_successor_is_refused_stays(make_pool):
    pool = make_pool(job_size=2_000_000, all_sizes=3_000_000)
    old, _ = pool.open(b"x" * 1_000_000), pool.open(b"x" * 1_500_000)
    with pytest.raises(RefusedError, match="memory for computations is used up"):
        pool.open(b"x" * 1_600_000, instead_of=old)
    assert pool.find(old.token) is old
    assert pool.open(b"x" * 1_400_000, instead_of=old)
