"""A loop whose clock stands still until a test moves it, and pools on it."""

import json
import queue
import time
from pathlib import Path

import pytest

from widgets.jobs.limits import Limits
from widgets.jobs.pool import Pool

_PATIENCE = 20


class HandLoop:
    """What the pool needs of a loop. What other threads hand over is done in `until`, timers go off in `advance`."""

    def __init__(self):
        self._handed = queue.SimpleQueue()
        self._timers = []
        self._now = 0.0

    def call_soon_threadsafe(self, callback, *args):
        self._handed.put((callback, args))

    def call_later(self, delay, callback, *args):
        timer = _Timer(self._now + delay, callback, args)
        self._timers.append(timer)
        return timer

    def advance(self, seconds):
        self._now += seconds
        due = [timer for timer in self._timers if timer.at <= self._now]
        for timer in due:
            self._timers.remove(timer)
            if not timer.cancelled:
                timer.callback(*timer.args)

    def until(self, condition):
        """Do what is handed over, piece by piece, until the condition holds."""
        end = time.monotonic() + _PATIENCE
        while not condition():
            assert time.monotonic() < end, "what was waited for did not come"
            try:
                callback, args = self._handed.get(timeout=0.1)
            except queue.Empty:
                continue
            callback(*args)

    def for_a_while(self, seconds):
        """Do what is handed over within a real time."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() >= end)


class _Timer:
    def __init__(self, at, callback, args):
        self.at, self.callback, self.args, self.cancelled = at, callback, args, False

    def cancel(self):
        self.cancelled = True


@pytest.fixture
def loop():
    return HandLoop()


@pytest.fixture
def make_pool(loop, monkeypatch):
    """A factory of pools of the fake turns; at the end their processes must have ended."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    pools = []

    def make(function="count", workers=1, module="fake_turns", **limits):
        limits = Limits(**({"turn": 0.1} | limits))
        pools.append(Pool(f"{module}:{function}", workers, limits, loop))
        return pools[-1]

    yield make
    for pool in pools:
        pool.close()
        loop.until(lambda pool=pool: not pool.workers)


@pytest.fixture
def pool(make_pool):
    return make_pool()


@pytest.fixture
def open_job():
    """A factory of jobs that count."""

    def open_in(pool, owner="", **state):
        return pool.open(json.dumps({"n": 0} | state).encode(), owner)

    return open_in


@pytest.fixture
def reached():
    """The number that a job's checkpoint holds."""
    return lambda job: json.loads(job.checkpoint)["n"]
