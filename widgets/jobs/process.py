"""A worker process seen from the server: messages out and in, and never a wait on the server's loop.

Two threads wait in its stead, one to start the process and read its pipe, one to write; what comes in is
handed to the loop. The process is an interpreter of its own with a command line of its own: nothing of the
server's is run again in it, and its environment can differ.
"""

import contextlib
import os
import queue
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO, Protocol

from widgets.jobs.messages import read, write

_ONE_THREAD = (
    "BLIS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
"""NumPy's linear algebra reads them when it is loaded. Several threads slow small matrices down."""
_ROOT = Path(__file__).resolve().parents[2]
_LOW_PRIORITY = getattr(subprocess, "IDLE_PRIORITY_CLASS", 0)
"""Windows only; elsewhere the process sees to it itself."""


class Timer(Protocol):
    def cancel(self) -> None: ...


class Loop(Protocol):
    """What is used of an asyncio loop."""

    def call_soon_threadsafe(self, callback: Callable, *args) -> object: ...

    def call_later(self, delay: float, callback: Callable, *args) -> Timer: ...


class Process:
    """A running `child`. `hear(head, blob)` is called for each message, `ended(code)` once, both on the loop.

    The code is that of the process, negative for a signal, and None if it could not be started.
    """

    def __init__(self, turn: str, loop: Loop, hear: Callable, ended: Callable[[int | None], None]):
        self._turn, self._loop, self._hear, self._ended = turn, loop, hear, ended
        self._outbox: queue.SimpleQueue[tuple[Mapping, bytes] | None] = queue.SimpleQueue()
        self._popen: subprocess.Popen | None = None
        self._killed = False
        threading.Thread(target=self._live, daemon=True).start()

    @property
    def pid(self) -> int | None:
        """None until it has been started."""
        return self._popen and self._popen.pid

    def send(self, head: Mapping, blob: bytes = b"") -> None:
        self._outbox.put((head, blob))

    def close(self) -> None:
        """End it, whatever it is at, once what was sent before has been written."""
        self._outbox.put(None)

    def kill(self) -> None:
        """End it at once."""
        self._killed = True
        if self._popen:
            self._popen.kill()

    def _live(self) -> None:
        try:
            self._popen = popen = _start(self._turn)
        except OSError:
            traceback.print_exc()
            self._tell(self._ended, None)
            return
        if self._killed:
            popen.kill()
        threading.Thread(target=self._write, args=(popen.stdin,), daemon=True).start()
        with popen.stdout as answers:
            while (message := read(answers)) is not None:
                self._tell(self._hear, *message)
        self.close()
        self._tell(self._ended, popen.wait())

    def _write(self, orders: BinaryIO) -> None:
        # A process that has ended breaks the pipe; the reading thread sees that too, and tells.
        with contextlib.suppress(OSError), orders:
            while (message := self._outbox.get()) is not None:
                write(orders, *message)

    def _tell(self, listener: Callable, *args) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server is about to end
            self._loop.call_soon_threadsafe(listener, *args)


def _start(turn: str) -> subprocess.Popen:
    # The server's own path for modules may name the project only while a page is being opened.
    paths = os.pathsep.join([str(_ROOT), *(os.path.abspath(path) for path in sys.path)])
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "widgets.jobs.child", turn],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | dict.fromkeys(_ONE_THREAD, "1") | {"PYTHONPATH": paths},
        creationflags=_LOW_PRIORITY,
    )
