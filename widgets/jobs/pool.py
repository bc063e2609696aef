"""A pool of worker processes that take all jobs in turns, and forget those that nobody looks at.

    pool = Pool("package.module:turn")
    job = pool.open(payload, owner)
    detach = job.attach(show)
    job.start()

All of it is called on the server's loop and none of it waits. Jobs that want to go on stand in one queue; the
first takes the first free worker for one turn, and goes to the queue's end: round robin. A job that is alone
has its worker back at once.
"""

import asyncio
import os
from collections import deque
from collections.abc import Iterable

from widgets.jobs.job import Job, Wish
from widgets.jobs.limits import MEGABYTE, Limits, RefusedError
from widgets.jobs.process import Loop, Timer
from widgets.jobs.worker import NO_START, Worker


def spare_processors() -> int:
    """The processors this process may use less one, for the server; at least one."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, usable - 1)


class Pool:
    """`turn` is the function that does a turn, as "module:function"; it is imported in the workers alone.

    Workers are started when they are first needed. `loop` is the running one unless it is given.
    """

    def __init__(
        self, turn: str, workers: int | None = None, limits: Limits | None = None, loop: Loop | None = None
    ):
        self._turn = turn
        self._most = workers or spare_processors()
        self._limits = limits or Limits()
        self._loop = loop
        self.workers: list[Worker] = []
        self._jobs: dict[str, Job] = {}
        self._queue: deque[Job] = deque()
        self._departures: dict[str, Timer] = {}

    def open(
        self, payload: bytes, owner: str = "", instead_of: Job | None = None, about: object = None
    ) -> Job:
        """A new job, at rest; `owner` names the visitor, and the job that it is to replace is stopped.

        What it is `about` is kept with it, for whoever finds it again. Raises RefusedError for one job or byte too
        many, and then stops none.
        """
        self._loop = self._loop or asyncio.get_running_loop()
        others = self._others(instead_of)
        if len(others) >= self._limits.jobs:
            raise RefusedError(
                f"The server already holds {self._limits.jobs} computations, as many as it can. "
                "Try again in a few minutes."
            )
        if sum(job.owner == owner for job in others) >= self._limits.jobs_each:
            raise RefusedError(
                f"You already have {self._limits.jobs_each} computations, as many as one visitor may have. "
                "Stop one of them first."
            )
        self._check_size(len(payload), others)
        if instead_of:
            instead_of.stop()
        job = Job(payload, owner, self, self._limits.records, about)
        self._jobs[job.token] = job
        self.attended(job)
        return job

    def find(self, token: str) -> Job | None:
        """The job of this token, if it is still known."""
        return self._jobs.get(token)

    def close(self) -> None:
        """Forget all jobs and end all workers."""
        for job in tuple(self._jobs.values()):
            job.stop()
        for worker in self.workers:
            worker.process.close()

    # What jobs ask for

    def follow(self, job: Job) -> None:
        """Let the queue and the workers follow what is wanted of the job."""
        waits, should = job in self._queue, job.wish is not Wish.REST and job.turn is None
        if waits and not should:
            self._queue.remove(job)
            self._tell(self._queue)
        elif should and not waits:
            self._queue.append(job)
        for worker in self.workers:
            if worker.turn and worker.turn.unwanted:
                worker.cut_short()
        self._hand_out()

    def place(self, job: Job) -> int | None:
        return self._queue.index(job) + 1 if job in self._queue else None

    def attended(self, job: Job) -> None:
        departure = self._departures.pop(job.token, None)
        if departure:
            departure.cancel()
        if not job.listeners and job.token in self._jobs:
            self._departures[job.token] = self._loop.call_later(self._limits.unattended, job.stop)

    def admit(self, job: Job, size: int) -> None:
        self._check_size(size, self._others(job))

    def _others(self, job: Job | None) -> list[Job]:
        return [other for other in self._jobs.values() if other is not job]

    def _check_size(self, size: int, others: Iterable[Job]) -> None:
        """Raise RefusedError if a payload or checkpoint of this size is too large by itself, or beside the others'."""
        limits = self._limits
        if size > limits.job_size:
            raise RefusedError(
                f"This computation needs {size / MEGABYTE:.1f} MB, more than the {limits.job_size / MEGABYTE:g} MB "
                "that one may have. Choose something smaller."
            )
        if size + sum(map(_size, others)) > limits.all_sizes:
            raise RefusedError(
                "The server’s memory for computations is used up. Try again when others have ended theirs."
            )

    def forget(self, job: Job) -> None:
        self._jobs.pop(job.token, None)
        self.attended(job)

    # Who is next

    def _hand_out(self) -> None:
        """Give the jobs that wait to the workers that are idle; start workers for the rest, if there may be more."""
        idle = [worker for worker in self.workers if worker.idle]
        given = [(self._queue.popleft(), worker) for worker in idle[: len(self._queue)]]
        for job, worker in given:
            seconds = 0.0 if job.wish is Wish.STEP else self._limits.turn
            worker.begin(job.begin_turn(), job.checkpoint, job.note, seconds)
        starting = sum(not worker.ready for worker in self.workers)
        for _ in range(min(len(self._queue) - starting, self._most - len(self.workers))):
            self.workers.append(Worker(self._turn, self._loop, self._limits, self._freed))
        if given:
            self._tell([*(job for job, _ in given), *self._queue])

    def _tell(self, jobs: Iterable[Job]) -> None:
        for job in tuple(jobs):
            job.tell()

    def _freed(self, worker: Worker) -> None:
        if not worker.alive:
            self.workers.remove(worker)
            if not worker.ready:
                self._give_up_waiting()
        self._hand_out()

    def _give_up_waiting(self) -> None:
        """Workers cannot be started: let the jobs that wait fail rather than try for ever."""
        for job in tuple(self._queue):
            job.lose_turn(NO_START)


def _size(job: Job) -> int:
    return len(job.payload) + (len(job.checkpoint) if job.checkpoint is not job.payload else 0)
