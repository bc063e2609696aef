"""Given to `panel serve --setup`: all workers of a pool are busy for as long as the server lives."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from tornado.ioloop import IOLoop

from widgets.jobs.limits import Limits
from widgets.jobs.pool import Pool, spare_processors


def keep_busy() -> None:
    """Twice as many jobs as workers, so that they give way to each other, each with someone who listens."""
    count = 2 * spare_processors()
    pool = Pool("busy_turns:train", limits=Limits(jobs=count, jobs_each=count))
    for _ in range(count):
        job = pool.open(bytes(2_500_000))
        job.attach(lambda job: job.records["step"][-1:])
        job.start()


IOLoop.current().add_callback(keep_busy)
