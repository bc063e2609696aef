"""Under a real `panel serve`, and when the server is killed."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

APP = Path(__file__).with_name("served_app.py")
PATIENCE = 60


def wait(condition):
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, "what was waited for did not come"
        time.sleep(0.05)
    return found


def gone(pid):
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    return True


@pytest.fixture
def server(tmp_path):
    """The console script, which leaves the path alone, from another folder; and where the app leaves its notes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    notes = tmp_path / "notes"
    notes.touch()
    panel = Path(sys.executable).with_name("panel")
    log = (tmp_path / "log").open("w")
    process = subprocess.Popen(
        [panel, "serve", APP, "--port", str(port), "--address", "127.0.0.1"],
        cwd=tmp_path, env=os.environ | {"NOTES": str(notes)}, stdout=log, stderr=log,
    )  # fmt: skip
    yield process, f"http://127.0.0.1:{port}/served_app", notes
    process.kill()
    process.wait()
    log.close()


def test_a_worker_never_runs_the_servers_script_and_ends_with_the_server(server):
    process, url, notes = server

    def answers():
        with suppress(OSError):
            return urllib.request.urlopen(url, timeout=PATIENCE).status == 200

    def noted(what):
        lines = map(json.loads, notes.read_text().splitlines())
        return [line[what] for line in lines if what in line]

    wait(answers)
    (worker,) = wait(lambda: noted("worker"))
    assert noted("script") == [process.pid]
    assert worker != process.pid
    assert not gone(worker)
    process.kill()
    wait(lambda: gone(worker))
