"""What all tests share."""

import asyncio
import importlib
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def load_numpy_with_one_thread() -> None:
    """More threads make the tests' small matrices slower, and take the browser's processor.

    NumPy reads this once, as it is loaded. What the tests start is told nothing of it and decides for itself.
    """
    told = {name: number for name, number in ONE_THREAD.items() if name not in os.environ}
    os.environ.update(told)
    importlib.import_module("numpy")
    for name in told:
        del os.environ[name]


load_numpy_with_one_thread()


@pytest.fixture
def run_async():
    """Run a coroutine to its end, in a thread of its own: the browser tests keep a loop in this one."""

    def run(coroutine):
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(asyncio.run, coroutine).result()

    return run
