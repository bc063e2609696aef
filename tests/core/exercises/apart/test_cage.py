"""The cage alone: what the kernel refuses, and that it is silent where there is none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import core
from core.exercises.apart import cage
from core.exercises.apart.limits import MEGABYTE


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the cage is Linux's")
@pytest.mark.parametrize(
    ("tried", "means"),
    [
        ("open(OUTSIDE, 'w')", "rules"),
        ("open('/etc/passwd')", "rules"),
        ("os.kill(os.getppid(), 0)", "rules"),
        ("socket.create_connection(('127.0.0.1', PORT))", "rules"),
        ("os.fork() or os._exit(0)", "processes"),
        ("threading.Thread(target=print).start()", "processes"),
        ("socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))", "network"),
    ],
)
def test_on_linux_the_kernel_refuses_too(tmp_path, tried, means):
    """The cage alone, without the guard: what Python would let through, if it were led astray."""
    script = f"""
import ctypes, os, socket, sys, threading
from core.exercises.apart import cage
OUTSIDE = {str(tmp_path / "new")!r}
libc = ctypes.CDLL(None)
there = {{"rules": libc.syscall(444, None, ctypes.c_size_t(0), 1) >= 6}}
if not (child := os.fork()):
    os._exit(libc.unshare(0x70000000) != 0)
there["network"] = there["processes"] = os.waitpid(child, 0)[1] == 0
os.mkdir("scratch")
os.chdir("scratch")
with socket.create_server(("127.0.0.1", 0)) as server:
    PORT = server.getsockname()[1]
    cage.shut_in(os.getcwd(), ["/usr", "/lib", sys.base_prefix])
    open("own", "w").close()
    try:
        {tried}
    except (OSError, RuntimeError):
        print("refused")
    else:
        print("done" if there[{means!r}] else "no means")
"""
    environment = os.environ | {
        "PYTHONPATH": str(Path(core.__file__).parents[1]),
        "OPENBLAS_NUM_THREADS": "1",
    }
    out = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    if "no means" in out.stdout:
        pytest.skip("this kernel does not offer it")
    assert out.stdout == "refused\n", out.stderr


def test_limits_of_resources_are_silent_where_there_are_none(monkeypatch):
    monkeypatch.setattr(cage, "resource", None)
    cage.limit_resources(MEGABYTE, MEGABYTE, 1.0)
    monkeypatch.setattr(sys, "platform", "win32")
    cage.shut_in("C:\\scratch", [])
