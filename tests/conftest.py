"""What all tests share."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture
def run_async():
    """Run a coroutine to its end, in a thread of its own: the browser tests keep a loop in this one."""

    def run(coroutine):
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(asyncio.run, coroutine).result()

    return run
