"""Work that would hold up the server's loop, done in a thread; what comes of it is handed back to the loop."""

import contextlib
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from widgets.jobs.process import Loop

_one = ThreadPoolExecutor(1, thread_name_prefix="aside")


def aside(loop: Loop, work: Callable[[], object], done: Callable[[Future], None]) -> None:
    """Do `work` in a thread, one after another for the whole server, then call `done` on the loop.

    What `done` gets is over: its `result()` is that of the work, or raises what went wrong.
    """
    _one.submit(_do, loop, work, done)


def _do(loop: Loop, work: Callable[[], object], done: Callable[[Future], None]) -> None:
    future = Future()
    try:
        future.set_result(work())
    except Exception as error:
        future.set_exception(error)
    with contextlib.suppress(RuntimeError):  # the loop is closed: the server is about to end
        loop.call_soon_threadsafe(done, future)
