"""Nothing is left of a file that was run: no folder, no process, nobody who waits."""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

import core
from core.exercises.apart.running import run


def test_the_scratch_folder_is_gone_afterwards(fault_of, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    fault_of("import os\nos.mkdir('a')\nopen('a/b', 'w').close()\nos.chmod('a', 0)")
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="groups of processes are POSIX's")
def test_no_process_is_left_behind(fault_of):
    code = "while True: pass"
    before = _children()
    for body in (
        code,
        "import os\nos._exit(0)",
        "return x",
        "import os\nos.close(1)\nos.closerange(3, 99)\n" + code,
    ):
        fault_of(body, hurried=True)
    assert _children() == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the cage is Linux's")
def test_the_process_ends_with_the_check_that_started_it(tmp_path):
    path = tmp_path / "handed.py"
    path.write_text("import time\ntime.sleep(60)")
    root = Path(core.__file__).parents[1]
    script = (
        "from pathlib import Path\n"
        "from core.exercises.apart.limits import Limits\n"
        "from core.exercises.apart.running import run\n"
        f"run(Path({str(path)!r}), {{}} or {{'f': []}}, (), Limits(seconds=60))"
    )
    check = subprocess.Popen(
        [sys.executable, "-c", script], cwd=root, env=os.environ | {"TMPDIR": str(tmp_path)}
    )
    try:
        child = _wait(lambda: _children(check.pid))
        _wait(lambda: "exercise-" in os.readlink(f"/proc/{child[0]}/cwd"))
        _wait(lambda: _is_shut_in(child[0]))
    finally:
        check.kill()
        check.wait()
    _wait(lambda: not Path(f"/proc/{child[0]}").exists() or _is_zombie(child[0]))


@pytest.mark.skipif(os.name != "posix", reason="pipes with names are POSIX's")
def test_what_is_no_ordinary_file_is_never_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    thread = threading.Thread(target=run, args=(tmp_path / "pipe.py", {}), daemon=True)
    thread.start()
    thread.join(5)
    assert not thread.is_alive()


def _children(of=None):
    of = of or os.getpid()
    listed = subprocess.run(
        ["ps", "-o", "pid=,comm=", "--ppid", str(of)], capture_output=True, text=True
    ).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "ps" not in line.split()[1]]


def _is_shut_in(pid):
    return "NoNewPrivs:\t1" in Path(f"/proc/{pid}/status").read_text()


def _is_zombie(pid):
    return "State:\tZ" in Path(f"/proc/{pid}/status").read_text()


def _wait(found, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = found()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError("it never came")
