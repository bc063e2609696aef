"""What a lab's `compute()` rests on, done in a thread where it is too slow, so that no visitor waits for another's."""

import asyncio
from collections.abc import Callable
from functools import partial

from panel.io.state import state

from widgets.base.frame import Job
from widgets.work.pace import has_loop


class Groundwork:
    """One job at a time for one visitor; `ready` is called after each, and asks again if the settings have moved on."""

    def __init__(self, done: Job | None, ready: Callable[[], None]):
        self.working = False
        self._done = done
        self._ready = ready

    def lacks(self, job: Job | None) -> bool:
        """Whether the job is still to be done. If so, it is started, unless an older one is at work."""
        if job is None or job == self._done or not has_loop():
            return False
        if not self.working:
            self.working = True
            state.execute(partial(self._run, job))
        return True

    async def _run(self, job: Job) -> None:
        try:
            await asyncio.to_thread(job)
        finally:
            # One that failed counts as done too: `compute()` then meets the fault itself.
            self.working, self._done = False, job
            state.execute(self._ready, schedule=True)
