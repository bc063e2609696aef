"""A Panel server of our own for the time of a measurement, and what it costs."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
YARDSTICKS = Path(__file__).with_name("yardsticks")
_PATIENCE = 40.0
_EXCERPT = 1500


class Server:
    """A running server: its address, and its processor time and memory so far."""

    def __init__(self, port: int, name: str, pid: int):
        self.port, self.name = port, name
        self._process = psutil.Process(pid)

    def url(self, query: str = "") -> str:
        return f"http://127.0.0.1:{self.port}/{self.name}{query}"

    def processor_ms(self) -> float:
        """Milliseconds of processor time, in ticks of 10: measure over many events."""
        times = self._process.cpu_times()
        return 1000 * (times.user + times.system)

    def memory_mb(self) -> float:
        return self._process.memory_info().rss / 1e6


@contextlib.contextmanager
def serve(target: Path, *options: str) -> Iterator[Server]:
    """Serve as a visitor's teacher would; the process ends with the block, whatever happens in it."""
    port = _free_port()
    command = [
        sys.executable,
        "-m",
        "panel",
        "serve",
        str(target),
        "--port",
        str(port),
        "--address",
        "127.0.0.1",
    ]
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen([*command, *options], stdout=log, stderr=log, cwd=tempfile.gettempdir())
        try:
            server = Server(port, target.stem, process.pid)
            _wait(server, process, log)
            yield server
        finally:
            _report_errors(target, log)
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _wait(server: Server, process: subprocess.Popen, log) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(server.url(), timeout=_PATIENCE).close()
            return
        time.sleep(0.2)
    raise RuntimeError(f"{server.url()} does not answer:\n{_text(log)}")


def _report_errors(target: Path, log) -> None:
    text = _text(log)
    count = text.count("Traceback")
    if count:
        first = text[text.index("Traceback") :][:_EXCERPT]
        print(f"! {target.name}: {count} tracebacks in the server's log, the first:\n{first}")


def _text(log) -> str:
    log.seek(0)
    return log.read()


def setting(names: Sequence[str] = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")) -> str:
    """What servers inherit that bears on their speed."""
    return ", ".join(f"{name}={os.environ.get(name, 'not set')}" for name in names)
