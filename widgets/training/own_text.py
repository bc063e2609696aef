"""A text of the visitor's own, which the server keeps like a run: under a token, for as long as somebody looks."""

from collections.abc import Callable
from dataclasses import replace

from widgets.jobs.job import Job, Status
from widgets.training.run import Kept


class OwnText:
    """It lies with the visitor's run, whatever that is of; where there is none, with a job that never starts."""

    def __init__(self):
        self.text = ""
        self.detach: Callable[[], None] = lambda: None
        """Leave the job that keeps it."""
        self._job: Job | None = None

    def keep(self, run: Job | None, open_job: Callable[[bytes, Kept], Job]) -> str:
        """Keep the present text; the token that leads to it. Raises RefusedError where there is no room."""
        job = next((job for job in (run, self._job) if job and job.status is not Status.STOPPED), None)
        if job:
            job.about = replace(job.about, own_text=self.text)
        else:
            job = open_job(b"", Kept(own_text=self.text))
            self.stay_with(job)
        return job.token

    def stay_with(self, job: Job) -> None:
        """It is kept by this job, which is not forgotten while the page is open."""
        self.detach()
        self._job, self.detach = job, job.attach(lambda job: None)
