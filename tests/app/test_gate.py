"""The gate waits for its server as long as there is one."""

import subprocess
import sys

import pytest

from tests.app.conftest import ROOT


@pytest.fixture
def log(tmp_path):
    return tmp_path / "server.log"


def wait_for(pid: int, log, seconds: float = 60) -> subprocess.CompletedProcess:
    command = [sys.executable, ROOT / ".ci" / "wait_for.py", str(pid), log, "running", str(seconds)]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_server_that_says_so_is_there(log):
    server = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        log.write_text("it is running\n")
        assert wait_for(server.pid, log).returncode == 0
        log.write_text("it begins\n")
        slow = wait_for(server.pid, log, seconds=1)
        assert (slow.returncode, "within 1 s" in slow.stderr) == (1, True)
    finally:
        server.kill()
        server.wait()


def test_a_server_that_has_ended_is_not_waited_for(log):
    server = subprocess.Popen([sys.executable, "-c", ""])
    server.wait()
    ended = wait_for(server.pid, log)
    assert (ended.returncode, "the process ended" in ended.stderr) == (1, True)
