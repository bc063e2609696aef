"""A process that runs one student's file, seen from the check: an order in, messages out, and always an end.

Whatever the file does, the process is ended at the latest when its time is over, when it has printed too much or
sent too much, and its group of processes ends with it; what could leave the group is stopped from starting by `cage`
and `guard`, as far as the system allows. It begins in an empty folder that is removed afterwards.
"""

import contextlib
import os
import queue
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from core.exercises.apart import messages
from core.exercises.apart.limits import Limits

PROJECT = Path(__file__).resolve().parents[3]
PACKAGES = Path(np.__file__).resolve().parents[1]
"""The folder that NumPy lies in."""

_BEGIN = "import sys; sys.path[:0] = sys.argv[1:]; from core.exercises.apart.child import main; main()"
_KEPT = ("LANG", "LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "WINDIR")
"""All of the environment that a student's file may see."""
_ONE_THREAD = (
    "BLIS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
_FOLDERS = ("HOME", "TEMP", "TMP", "TMPDIR", "USERPROFILE")
_PIECE = 65536
_KEPT_PRINT = 20_000
"""Bytes of what was printed that are kept to be shown."""
_LAST_MOMENTS = 1.0
"""Seconds in which an ended process says at which line it was, and its pipes close."""
_NEW_CLOCK = ("ready", "loaded", "function")
"""What is told when something begins that has time of its own."""


@dataclass
class Heard:
    """All that came of a process."""

    why: str = "end"
    """Why it came to its end: "end" by itself, or ended for "time", "output" or "answers"."""
    code: int | None = None
    """Its exit code if it ended by itself, negative for a signal."""
    messages: list[tuple[dict, bytes]] = field(default_factory=list)
    rest: bytes = b""
    """What stands behind the last whole message: where the process was when it was ended, if it could say so."""
    printed: str = ""
    """The beginning of what it printed."""


def converse(order: Callable[[str], tuple[dict, bytes]], limits: Limits, functions: int) -> Heard:
    """Start a process, give it the order for its folder, and hear it to its end."""
    with _scratch() as folder:
        conversation = _Conversation(folder, limits, functions)
        try:
            conversation.hear(*order(folder))
        finally:
            conversation.end()
    return conversation.heard


class _Conversation:
    def __init__(self, folder: str, limits: Limits, functions: int):
        self.heard = Heard()
        self._limits = limits
        self._longest = limits.start + limits.seconds * (functions + 1)
        self._news: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._printed = bytearray()
        self._threads: list[threading.Thread] = []
        self._popen = _start(folder)

    def hear(self, head: dict, blob: bytes) -> None:
        """Until the process has ended, or has to be."""
        self._aside(self._order, self._popen.stdin, head, blob)
        self._aside(self._listen, self._popen.stdout)
        self._aside(self._read_print, self._popen.stderr)
        self.heard.why = self._wait()
        if self.heard.why != "end" and os.name == "posix":
            # This signal makes it say at which line it is.
            self._popen.send_signal(signal.SIGABRT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.heard.code = self._popen.wait(_LAST_MOMENTS)

    def end(self) -> None:
        """End the process with all of its group, and leave nothing of it behind."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()
        self._popen.wait()
        for thread in self._threads:
            thread.join(_LAST_MOMENTS)
        self.heard.printed = bytes(self._printed).decode(errors="replace")

    def _aside(self, task: Callable, stream: BinaryIO, *arguments) -> None:
        thread = threading.Thread(target=task, args=(stream, *arguments), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _wait(self) -> str:
        """Until the process has ended or has to be ended."""
        last = time.monotonic() + self._longest
        until = time.monotonic() + self._limits.start
        while True:
            try:
                news = self._news.get(timeout=max(0.0, min(until, last) - time.monotonic()))
            except queue.Empty:
                return "time"
            if news in _NEW_CLOCK:
                until = time.monotonic() + self._limits.seconds
            elif news in ("end", "output", "answers"):
                return news

    def _order(self, stream: BinaryIO, head: dict, blob: bytes) -> None:
        # A process that has ended breaks the pipe; the listening thread sees that too.
        with contextlib.suppress(OSError), stream:
            messages.write(stream, head, blob)

    def _listen(self, stream: BinaryIO) -> None:
        total, data = 0, bytearray()
        for piece in _pieces(stream):
            total += len(piece)
            if total > self._limits.answered or len(self.heard.messages) > self._limits.messages:
                self._news.put("answers")
                continue
            data += piece
            for head, blob in messages.take(data):
                self.heard.messages.append((head, blob))
                if head.get("tell") in _NEW_CLOCK:
                    self._news.put(head["tell"])
        self.heard.rest = bytes(data)
        self._news.put("end")

    def _read_print(self, stream: BinaryIO) -> None:
        total = 0
        for piece in _pieces(stream):
            total += len(piece)
            self._printed += piece[: max(0, _KEPT_PRINT - len(self._printed))]
            if total > self._limits.printed:
                self._news.put("output")


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    with stream:
        while piece := os.read(stream.fileno(), _PIECE):
            yield piece


def _start(folder: str) -> subprocess.Popen:
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= dict.fromkeys(_ONE_THREAD, "1") | dict.fromkeys(_FOLDERS, folder)
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", _BEGIN, str(PROJECT), str(PACKAGES)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


@contextlib.contextmanager
def _scratch() -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="exercise-")
    try:
        yield folder
    finally:
        for parent, folders, _ in os.walk(folder):
            for name in folders:
                with contextlib.suppress(OSError):
                    os.chmod(os.path.join(parent, name), stat.S_IRWXU)
        shutil.rmtree(folder, ignore_errors=True)
