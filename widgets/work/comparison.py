"""A lab's slower tables: made in a thread, when the settings rest or a button asks, so that no visitor waits."""

import asyncio
from collections.abc import Callable
from functools import partial

from panel.io.state import state

from widgets.base.frame import Job, Table

_FAILED = Table("This table could not be made; the server’s log says why. Other settings may do.", [], [])


class Comparison:
    """Holds the newest table; `working` while one is being made. `show` is called at each change."""

    def __init__(self, show: Callable[[], None]):
        self.table: Table | None = None
        self.working = False
        self._show = show
        self._job: Job | None = None

    def stale(self, job: Job | None) -> bool:
        """Whether the table, if there is one, is that of another job than this."""
        return self.table is not None and job != self._job

    def follow(self, job: Job | None) -> None:
        """Start the job, unless it is the last one again. An older one that is still at work no longer counts."""
        if job is None or job == self._job:
            return
        self._job, self.working = job, True
        self._show()
        state.execute(partial(self._run, job))

    async def _run(self, job: Job) -> None:
        table = _FAILED
        try:
            table = await asyncio.to_thread(job)
        finally:
            if job == self._job:
                self.table, self.working = table, False
                # Bokeh's lock on the document was given back while the thread worked.
                state.execute(self._show, schedule=True)
