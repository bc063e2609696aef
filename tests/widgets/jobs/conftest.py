"""Pools of fake turns, on a loop that a test moves by hand."""

import json
from pathlib import Path

import pytest

from widgets.jobs.limits import Limits
from widgets.jobs.pool import Pool


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
